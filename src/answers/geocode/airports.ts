import { isInBounds } from "../../geo/builds/manifest.ts";
import { distance } from "../../geo/distance.ts";
import { airportCodeOf, type BaseAirport } from "../../geocoding/airport-codes.ts";
import { type Found, type SearchOptions, search } from "../../geocoding/search/search.ts";
import { searchInTurns } from "../../geocoding/search/search-in-turns.ts";
import { addressesToSearch, addressIndexesAt, baseAirportsWith } from "../../geodata/addresses.ts";
import type { Geodata } from "../../geodata/live.ts";
import { airportsWith } from "../../geodata/places.ts";
import { baseAirportId } from "../../places/airports.ts";
import { readCategory } from "../../places/category-words.ts";

/** An airport in places and one in addresses are the same within this distance [m]. */
const SAME = 200;
/** An airport of the world base data and one of an import are the same within this distance [m]. */
const SAME_AS_BASE = 4000;

/**
 * Puts the airports with this code before the results of the text search, which may miss them: "LIN" is
 * the prefix of a thousand closer streets.
 */
export async function searchWithAirports(geodata: Geodata, text: string, options: SearchOptions): Promise<Found[]> {
  const [found, airports] = await Promise.all([
    addressesToSearch(geodata, text, options).then((turns) => searchInTurns(turns, text, options)),
    airportsByCode(geodata, text, options),
  ]);
  if (airports.length === 0) return found;
  const isAirport = (one: Found) =>
    one.layer === "place" && airports.some(({ location, reach }) => distance(location, one.location) < reach);
  return [...airports.map(({ reach: _, ...one }) => one), ...found.filter((one) => !isAirport(one))].slice(
    0,
    options.limit,
  );
}

/** A result, and the distance within which others are the same airport [m]. */
type FoundAirport = Found & { reach: number };

async function airportsByCode(geodata: Geodata, text: string, options: SearchOptions): Promise<FoundAirport[]> {
  const code = options.layers.has("place") ? airportCodeOf(text, isKindOfPlace) : undefined;
  if (code === undefined) return [];
  const airports = await airportsWith(geodata, code);
  const groups = await Promise.all(
    airports.map(async ({ name, location }) => {
      const there = { ...options, near: location, layers: new Set(["place"] as const), limit: 5, open: false };
      const found = await search(addressIndexesAt(geodata, location), name, there);
      const airport = found.find((one) => distance(location, one.location) < SAME);
      const away = options.near && distance(options.near, location);
      return airport && { ...airport, distance: away, reach: SAME };
    }),
  );
  const imported = groups.filter((one) => one !== undefined);
  if (imported.length > 0) return imported;
  const base = await baseAirportsWith(geodata, code);
  return base.filter((airport) => isAsked(airport, options)).map((airport) => foundInBase(code, airport, options));
}

const isKindOfPlace = (word: string) => readCategory(word)?.sure === true;

function isAsked({ context, location }: BaseAirport, { countries, bounds }: SearchOptions): boolean {
  if (countries && !countries.includes(context.countryCode)) return false;
  return !bounds || isInBounds(bounds, location.latitude, location.longitude);
}

function foundInBase(code: string, airport: BaseAirport, { near }: SearchOptions): FoundAirport {
  return {
    layer: "place",
    kind: "place",
    id: baseAirportId(code),
    postalCode: "",
    confidence: "exact",
    reached: true,
    ...airport,
    score: 1,
    reach: SAME_AS_BASE,
    ...(near && { distance: distance(near, airport.location) }),
  };
}
