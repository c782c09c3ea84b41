import type { Coordinate } from "../../geo/coordinate.ts";
import { haversine } from "../../geo/distance.ts";
import {
  FIRST_ORIGIN,
  GRID,
  type House,
  type Origin,
  PATH_IMPORTANCE,
  PRECISIONS,
  type PropertyType,
} from "../entry/entry.ts";
import { parseHouseNumber } from "../words/house-number.ts";
import type { Collected, Street } from "./collector.ts";
import type { Path } from "./details-tile.ts";
import type { NewEntry } from "./names-tile.ts";
import { compareOrigins, joined, joinSameHouses, type StreetHouse } from "./same-houses.ts";
import type { Group } from "./tile-groups.ts";

/** Two houses of the same number are one when they are nearer to each other than this [m]. */
const SAME_HOUSE = 100;
/** Importance of a street (0 … 255), and its increase with many houses. */
const STREET_IMPORTANCE = 38;

/** Names of streets in other languages: houses have none, and take those of nearby lines. */
export interface StreetNames {
  get(street: number): Street["names"];
  set(street: number, names: Street["names"]): void;
}

export interface TileEntry {
  entry: NewEntry;
  houses: House[];
  lines: Path[];
}

/** A street of a tile: its houses, its lines, and those of them that are for cars. */
interface Parts {
  houses: House[];
  lines: Path[];
  roads: Path[];
}

/** The entries of one tile: streets with their houses and lines put together, then the rest; best first. */
export function entriesOf(collected: Collected, group: Group, translated: StreetNames): TileEntry[] {
  const { houses, streets, contexts, texts, entries } = collected;
  const byStreet = new Map<number, Parts>();
  const of = (street: number) => {
    let found = byStreet.get(street);
    if (!found) {
      found = { houses: [], lines: [], roads: [] };
      byStreet.set(street, found);
    }
    return found;
  };
  const found: StreetHouse[] = [];
  const sources = new Set<number>();
  for (const i of group.houses) {
    const number = parseHouseNumber(texts[houses.number[i]]);
    if (!number) continue;
    const origin = originOf(houses.origin[i]);
    sources.add(origin.sources[0]);
    const house = {
      number,
      location: { latitude: houses.latitude[i] / GRID, longitude: houses.longitude[i] / GRID },
      units: houses.units[i] === 0 ? [] : texts[houses.units[i]].split("\n"),
      computed: houses.computed[i] === 1,
      ...factsOf(texts[houses.facts[i]]),
      origin,
    };
    found.push({ house, street: houses.street[i] });
  }
  const remaining = sources.size > 1 ? joinSameHouses(found, (street) => streets[street].name) : found;
  for (const { house, street } of remaining) of(street).houses.push(house);
  joinLines(collected, group, of, byStreet, translated);
  const out: TileEntry[] = [];
  for (const [street, found] of byStreet) {
    const { name, context, postalCode, isBlock } = streets[street];
    const names = translated.get(street);
    const own = onceEach(found.houses);
    const { lines, roads } = found;
    const at = middleOf(own, roads.length > 0 ? roads : lines);
    const isPath = own.length === 0 && roads.length === 0;
    const importance = isPath ? PATH_IMPORTANCE : STREET_IMPORTANCE + Math.min(26, 4 * Math.log2(1 + own.length));
    const entry: NewEntry = { kind: "street", name, context: contexts[context], postalCode, ...at, importance, names };
    out.push({ entry: isBlock ? { ...entry, isBlock } : entry, houses: own, lines });
  }
  for (const i of group.entries) out.push({ entry: entries[i], houses: [], lines: [] });
  return out.sort(
    (a, b) =>
      Math.round(b.entry.importance) - Math.round(a.entry.importance) ||
      compare(a.entry.name, b.entry.name) ||
      compare(a.entry.postalCode, b.entry.postalCode) ||
      a.entry.latitude - b.entry.latitude ||
      a.entry.longitude - b.entry.longitude,
  );
}

/** Origins of houses that only one source has, by their numbers in the collector: most houses share a few. */
const ORIGINS = new Map<number, Origin>([[0, FIRST_ORIGIN]]);

function originOf(number: number): Origin {
  let known = ORIGINS.get(number);
  if (!known) {
    known = { precision: PRECISIONS[number % 4], sources: [Math.floor(number / 4)] };
    ORIGINS.set(number, known);
  }
  return known;
}

/** "1234 residential" → both, in the collector's format. */
function factsOf(text: string): Pick<House, "plus4" | "propertyType"> {
  const [plus4, propertyType] = text.split(" ");
  return {
    ...(plus4 && { plus4 }),
    ...(propertyType && { propertyType: propertyType as PropertyType }),
  };
}

/**
 * Lines have no postal code, and name no part of a town that is not drawn: each is added to the street with its name and
 * context, or else its town, that has the most houses here. If there is none, the line becomes a separate street.
 */
function joinLines(
  { pieces, streets, contexts }: Collected,
  group: Group,
  of: (street: number) => Pick<Parts, "lines" | "roads">,
  byStreet: ReadonlyMap<number, { houses: House[] }>,
  translated: StreetNames,
): void {
  const best = new Map<string, number>();
  const key = (street: number) => `${streets[street].name}\n${streets[street].context}`;
  const inTown = (street: number, borough: string) => {
    const { name, context } = streets[street];
    const { city, county, stateCode, countryCode } = contexts[context];
    return [name, city, county, stateCode, countryCode, borough].join("\n");
  };
  const add = (place: string, street: number, count: number) => {
    const known = best.get(place);
    if (known === undefined || count > byStreet.get(known)!.houses.length) best.set(place, street);
  };
  for (const [street, { houses }] of byStreet) {
    add(key(street), street, houses.length);
    const { borough, neighborhood } = contexts[streets[street].context];
    if (borough === "" && neighborhood === "") continue;
    for (const part of new Set(["", borough])) add(inTown(street, part), street, houses.length);
  }
  for (const i of group.pieces) {
    const { street, line, isPath } = pieces[i];
    const target =
      best.get(key(street)) ?? best.get(inTown(street, contexts[streets[street].context].borough)) ?? street;
    const names = translated.get(street);
    if (names.length > 0 && translated.get(target).length === 0) translated.set(target, names);
    const { lines, roads } = of(target);
    lines.push(line);
    if (!isPath) roads.push(line);
  }
}

/** Two sources, or a building and its entrance, may describe the same house: surveyed ones win over computed ones. */
function onceEach(houses: readonly House[]): House[] {
  const kept = new Map<string, House[]>();
  const out: House[] = [];
  const better = (a: House, b: House) =>
    Number(a.computed) - Number(b.computed) || compareOrigins(a.origin ?? FIRST_ORIGIN, b.origin ?? FIRST_ORIGIN);
  // Of one source, they are in order already.
  const [{ origin } = { origin: undefined }] = houses;
  const isSorted = houses.every((house) => !house.computed && house.origin === origin);
  for (const house of isSorted ? houses : [...houses].sort(better)) {
    const twins = kept.get(house.number.key) ?? [];
    const twin = twins.find(({ location }) => metres(location, house.location) < SAME_HOUSE);
    if (twin) {
      twin.plus4 ??= house.plus4;
      twin.propertyType ??= house.propertyType;
      twin.units = [...new Set([...twin.units, ...house.units])];
      if (twin.origin && house.origin)
        twin.origin = { ...twin.origin, sources: joined(twin.origin.sources, house.origin.sources) };
      continue;
    }
    twins.push(house);
    kept.set(house.number.key, twins);
    out.push(house);
  }
  return out;
}

/** Where a street is shown: at the house, or the vertex, nearest to the mean of them all. */
function middleOf(houses: readonly House[], lines: readonly Path[]): Coordinate {
  const points = houses.length > 0 ? houses.map(({ location }) => location) : lines.flat();
  const { longitude: zero } = points[0];
  const turn = (longitude: number) => {
    const d = longitude - zero;
    return d > 180 ? d - 360 : d < -180 ? d + 360 : d;
  };
  const latitude = points.reduce((sum, point) => sum + point.latitude, 0) / points.length;
  const longitude = zero + points.reduce((sum, point) => sum + turn(point.longitude), 0) / points.length;
  let best = points[0];
  let nearest = Number.POSITIVE_INFINITY;
  for (const point of points) {
    const d = metres(point, { latitude, longitude });
    if (d < nearest) {
      nearest = d;
      best = point;
    }
  }
  return best;
}

const metres = (a: Coordinate, b: Coordinate) => haversine(a.latitude, a.longitude, b.latitude, b.longitude);
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
