import type { Coordinate } from "../geo/coordinate.ts";
import { baseAirport, codeOfBaseAirport } from "../places/airports.ts";
import type { PlaceDetails } from "../places/details.ts";
import { type Place, placeKeyOf } from "../places/place.ts";
import { type FoundPlace, nearInAll, PlaceIndex, type PlaceSearch } from "../places/place-index.ts";
import { baseAirportsWith } from "./addresses.ts";
import { doingWithout } from "./do-without.ts";
import type { Geodata } from "./live.ts";

export const PLACES_LAYER = "places";

/** The nearest places around a point, from all builds that reach into the circle. */
export function placesNear(geodata: Geodata, point: Coordinate, search: PlaceSearch): Promise<FoundPlace[]> {
  return nearInAll(indexesAt(geodata, point, search.radius), point, search);
}

/** The place at a point; null = none, undefined = no places are known around there, or not all could be read. */
export async function placeAt(
  geodata: Geodata,
  point: Coordinate,
  accepts: (place: Place) => boolean,
): Promise<Place | null | undefined> {
  let whole = true;
  const indexes = indexesAt(geodata, point, 0, () => {
    whole = false;
  });
  if (indexes.length === 0) return undefined;
  for (const index of indexes) {
    const found = await index.at(point, accepts);
    if (found) return found;
  }
  return whole ? null : undefined;
}

/**
 * For every chain (by slug), the nearest place within a radius [m], from the smallest build that has one; undefined
 * when no places are known around there, or not all could be read.
 */
export async function chainsNear(
  geodata: Geodata,
  point: Coordinate,
  slugs: readonly string[],
  radius: number,
): Promise<Place[] | undefined> {
  const found = new Map<string, Place>();
  let whole = true;
  const indexes = indexesAt(geodata, point, radius, () => {
    whole = false;
  });
  if (indexes.length === 0) return undefined;
  for (const index of indexes) {
    for (const slug of slugs) {
      if (found.has(slug)) continue;
      const [nearest] = await index.near(point, { radius, limit: 1, chains: new Set([slug]) });
      if (nearest) found.set(slug, nearest.place);
    }
  }
  return whole ? [...found.values()] : undefined;
}

/** A place by its `_id`, wherever it is, with all that is known of it. */
export async function placeWithId(geodata: Geodata, id: string): Promise<KnownPlace | undefined> {
  const key = placeKeyOf(id);
  if (!key) return undefined;
  const indexes = geodata
    .with(PLACES_LAYER)
    .map((source) => new PlaceIndex(doingWithout(geodata, source, PLACES_LAYER)));
  // Where there is only one it is asked at once.
  const may = await Promise.all(indexes.map(async (index) => indexes.length === 1 || (await index.mayHave(key))));
  const asked = indexes.filter((_, i) => may[i]);
  const known = (await Promise.all(asked.map((index) => index.withKey(key)))).find((found) => found !== undefined);
  if (known) return known;
  const code = codeOfBaseAirport(id);
  const [airport] = code === undefined ? [] : await airportsOfBase(geodata, code);
  return airport && { place: airport, details: undefined };
}

export interface KnownPlace {
  place: Place;
  details: PlaceDetails | undefined;
}

/** A place of the addresses and one of the places are the same so near to each other: surely, and with the same name [m]. */
const SURELY = 2;
const WITH_NAME = 60;

/** The `_id` of the place that the addresses know by a name at a point. */
export async function placeIdAt(geodata: Geodata, name: string, point: Coordinate): Promise<string | undefined> {
  const near = await placesNear(geodata, point, { radius: WITH_NAME, limit: 12 });
  const known = near.find(({ place }) => place.name === name) ?? near.find(({ distance }) => distance < SURELY);
  return known?.place.id;
}

/** The airports with an IATA code, wherever they are: of imports, else of the world base. */
export async function airportsWith(geodata: Geodata, iataCode: string): Promise<Place[]> {
  const indexes = geodata
    .with(PLACES_LAYER)
    .map((source) => new PlaceIndex(doingWithout(geodata, source, PLACES_LAYER)));
  const imported = (await Promise.all(indexes.map((index) => index.airports(iataCode)))).flat();
  return imported.length > 0 ? imported : airportsOfBase(geodata, iataCode);
}

async function airportsOfBase(geodata: Geodata, iataCode: string): Promise<Place[]> {
  return (await baseAirportsWith(geodata, iataCode)).map((airport) => baseAirport(iataCode, airport));
}

/** Asks the builds that begin within `reach` [m]. `unread` is called when something is damaged, besides the answer. */
function indexesAt(
  geodata: Geodata,
  point: Coordinate,
  reach: number,
  unread: () => void = () => undefined,
): PlaceIndex[] {
  const leftOut = (what: string) => {
    unread();
    geodata.leftOut(what);
  };
  return geodata
    .at(point, PLACES_LAYER, reach)
    .map((source) => new PlaceIndex(doingWithout(geodata, source, PLACES_LAYER, leftOut)));
}
