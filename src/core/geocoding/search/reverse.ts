import type { Coordinate } from "../../geo/coordinate.ts";
import { distance, haversine, METRES_PER_DEGREE, RADIANS } from "../../geo/distance.ts";
import { type Context, GRID, type House, type Language, type Origin, type Precision } from "../entry/entry.ts";
import { houseId } from "../index/address-id.ts";
import type { AddressIndex } from "../index/address-index.ts";
import type { Path } from "../index/details-tile.ts";
import type { NamesTile } from "../index/names-tile.ts";
import { SAME_HOUSE_METERS } from "../index/same-houses.ts";
import { isSameStreet } from "../words/same-street.ts";

/** How far away an address, a place and a street may be [m]. */
const ADDRESS_REACH = 50;
const PLACE_REACH = 50;
export const STREET_REACH = 100;
/** Tiles that can contain something within reach: a point is at the corner of three cells at most, of two sizes. */
const TILES = 6;

export interface Nearby {
  kind: "address" | "street" | "place";
  name: string;
  number?: string;
  /** Of a house (address-id.ts). */
  id?: string;
  context: Context;
  postalCode: string;
  location: Coordinate;
  /** [m] */
  distance: number;
  /** Of a house, where the build has it. */
  origin?: Origin;
  precision?: Precision;
  /** Names of the sources that have it, that of the point first. */
  sources?: readonly string[];
}

/**
 * The nearest house within 50 m, the nearest point of a street within 100 m, the nearest place within 50 m, each at
 * most once, nearest first.
 */
export async function nearby(
  indexes: readonly AddressIndex[],
  point: Coordinate,
  language: Language,
): Promise<Nearby[]> {
  const lists = await Promise.all(indexes.map((index) => nearbyIn(index, point, language)));
  const found = lists.flat().sort((a, b) => a.distance - b.distance);
  const first = found.filter((one, i) => found.findIndex(({ kind }) => kind === one.kind) === i);
  return first.map((one) => (one.kind === "address" ? withSources(one, found) : one));
}

/** A house with the sources of all builds that have it. */
function withSources(house: Nearby, found: readonly Nearby[]): Nearby {
  const same = found.filter(
    ({ kind, number, name, location }) =>
      kind === "address" &&
      number === house.number &&
      distance(location, house.location) <= SAME_HOUSE_METERS &&
      isSameStreet(name, house.name),
  );
  const sources = [...new Set(same.flatMap((one) => one.sources ?? []))];
  return sources.length > 0 ? { ...house, sources } : house;
}

async function nearbyIn(index: AddressIndex, point: Coordinate, language: Language): Promise<Nearby[]> {
  const [tiles, sources] = await Promise.all([index.near(point, STREET_REACH, TILES), index.sources()]);
  const best: Partial<Record<Nearby["kind"], Nearby>> = {};
  await Promise.all(
    tiles.map(async ({ tile }) => {
      const names = await index.names(tile);
      if (names) await offerEntries(index, tile, names, point, language, best);
    }),
  );
  const { address } = best;
  if (address?.origin) {
    address.precision = address.origin.precision;
    address.sources = address.origin.sources.flatMap((source) => sources[source] ?? []);
  }
  return Object.values(best);
}

async function offerEntries(
  index: AddressIndex,
  tile: number,
  names: NamesTile,
  point: Coordinate,
  language: Language,
  best: Partial<Record<Nearby["kind"], Nearby>>,
): Promise<void> {
  const offer = (kind: Nearby["kind"], entry: number, location: Coordinate, distance: number, house?: House) => {
    const known = best[kind];
    if (known && known.distance <= distance) return;
    best[kind] = {
      kind,
      name: names.nameIn(entry, language) ?? names.name(entry),
      ...(house && { number: house.number.text, id: houseId(names, entry, house.number.text, location) }),
      ...(house?.origin && { origin: house.origin }),
      context: names.context(entry),
      postalCode: names.postalCode(entry),
      location,
      distance,
    };
  };
  const bounds = await index.streetBounds(tile, names);
  const height = STREET_REACH / METRES_PER_DEGREE;
  const width = height / Math.max(0.01, Math.cos(point.latitude * RADIANS));
  for (let entry = 0; entry < names.count; entry++) {
    if (names.kinds[entry] === 1) {
      const at = { latitude: names.latitudes[entry] / GRID, longitude: names.longitudes[entry] / GRID };
      const distance = haversine(point.latitude, point.longitude, at.latitude, at.longitude);
      if (distance <= PLACE_REACH) offer("place", entry, at, distance);
      continue;
    }
    if (names.kinds[entry] !== 0) continue;
    const south = bounds[4 * entry];
    if (point.latitude < south - height || point.latitude > bounds[4 * entry + 2] + height) continue;
    if (point.longitude < bounds[4 * entry + 1] - width || point.longitude > bounds[4 * entry + 3] + width) continue;
    const { houses, lines } = await index.details(tile, names, entry);
    for (const house of houses) {
      const distance = haversine(point.latitude, point.longitude, house.location.latitude, house.location.longitude);
      if (distance <= ADDRESS_REACH && !house.computed) offer("address", entry, house.location, distance, house);
    }
    for (const line of lines) {
      const { at, distance } = nearestOn(line, point);
      if (distance <= STREET_REACH) offer("street", entry, at, distance);
    }
  }
}

/** The point of a line nearest to another, in a flat frame around that point: accurate to a centimeter over 100 m. */
export function nearestOn(line: Path, point: Coordinate): { at: Coordinate; distance: number } {
  const scale = Math.cos(point.latitude * RADIANS);
  let best = { at: line[0], distance: Number.POSITIVE_INFINITY };
  for (let i = 1; i < line.length; i++) {
    const [a, b] = [line[i - 1], line[i]];
    const ax = (a.longitude - point.longitude) * scale;
    const ay = a.latitude - point.latitude;
    const dx = (b.longitude - a.longitude) * scale;
    const dy = b.latitude - a.latitude;
    const square = dx * dx + dy * dy;
    const share = square === 0 ? 0 : Math.max(0, Math.min(1, -(ax * dx + ay * dy) / square));
    const [x, y] = [ax + share * dx, ay + share * dy];
    const distance = Math.hypot(x, y) * METRES_PER_DEGREE;
    if (distance < best.distance) {
      const at = { latitude: point.latitude + y, longitude: point.longitude + x / scale };
      best = { at, distance };
    }
  }
  return best;
}
