import type { Coordinate } from "../../core/geo/coordinate.ts";
import { baseAirport, codeOfBaseAirport } from "../../core/places/airports.ts";
import type { PlaceDetails } from "../../core/places/details.ts";
import { type Place, placeKeyOf } from "../../core/places/place.ts";
import { type FoundPlace, nearInAll, PlaceIndex, type PlaceSearch } from "../../core/places/place-index.ts";
import { baseAirportsWith } from "./addresses.ts";
import { doingWithout } from "./do-without.ts";
import type { Geodata } from "./live.ts";

export const PLACES_LAYER = "places";

/** The nearest places around a point, from all builds that reach into the circle. */
export function placesNear(geodata: Geodata, point: Coordinate, search: PlaceSearch): Promise<FoundPlace[]> {
  return nearInAll(indexesAt(geodata, point, search.radius), point, search);
}

/** The place at a point; null = none, undefined = there is no place data around it, or not all could be read. */
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
 * For every chain (by slug), the nearest place within a radius [m], from the smallest build that has one; undefined if
 * there is no place data around the point, or not all could be read.
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

/** A place by its `_id`, in any build, with all its data. */
export async function placeWithId(geodata: Geodata, id: string): Promise<KnownPlace | undefined> {
  const key = placeKeyOf(id);
  if (!key) return undefined;
  const indexes = geodata
    .with(PLACES_LAYER)
    .map((source) => new PlaceIndex(doingWithout(geodata, source, PLACES_LAYER)));
  // If there is only one, it is queried directly.
  const may = await Promise.all(indexes.map(async (index) => indexes.length === 1 || (await index.mayHave(key))));
  const asked = indexes.filter((_, i) => may[i]);
  const known = (await Promise.all(asked.map((index) => index.withKey(key)))).find((found) => found !== undefined);
  if (known) return known;
  const code = codeOfBaseAirport(id);
  const [airport] = code === undefined ? [] : await airportsOfBase(geodata, code);
  return airport && { place: airport, details: undefined };
}

interface KnownPlace {
  place: Place;
  details: PlaceDetails | undefined;
}

/**
 * A place in the addresses and one in the places are the same within these distances: in any case, and with the same
 * name [m].
 */
const SURELY = 2;
const WITH_NAME = 60;

/** The `_id` of the place that the addresses contain with a name at a point. */
export async function placeIdAt(geodata: Geodata, name: string, point: Coordinate): Promise<string | undefined> {
  const near = await placesNear(geodata, point, { radius: WITH_NAME, limit: 12 });
  const known = near.find(({ place }) => place.name === name) ?? near.find(({ distance }) => distance < SURELY);
  return known?.place.id;
}

/** The airports with an IATA code: of imports, else of the world base data. */
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

/**
 * Queries the builds that begin within `reach` [m]. `unread` is called if something is damaged, in addition to
 * reporting it in the response.
 */
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
