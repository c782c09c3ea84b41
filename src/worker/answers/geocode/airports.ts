import { isInBounds } from "../../../core/geo/builds/manifest.ts";
import { distance } from "../../../core/geo/distance.ts";
import { airportCodeOf, type BaseAirport } from "../../../core/geocoding/index/airport-codes.ts";
import { type Found, type SearchOptions, search } from "../../../core/geocoding/search/search.ts";
import { searchInTurns } from "../../../core/geocoding/search/search-in-turns.ts";
import { tokensOf } from "../../../core/geocoding/words/normalise.ts";
import { baseAirportId } from "../../../core/places/airports.ts";
import { readCategory } from "../../../core/places/category-words.ts";
import { addressesToSearch, addressIndexesAt, baseAirportsWith, baseRegions } from "../../geodata/addresses.ts";
import type { Geodata } from "../../geodata/live.ts";
import { airportsWith } from "../../geodata/places.ts";

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
  const others = found.filter((one) => !isAirport(one));
  // "ULM" is the town, if no layers were specified, and also the airport of New Ulm.
  const isNamed = ({ layer, confidence }: Found) =>
    options.defaultLayers && layer !== "address" && layer !== "place" && confidence === "exact";
  const own = airports.map(({ reach: _, ...one }) => one);
  return [...others.filter(isNamed), ...own, ...others.filter((one) => !isNamed(one))].slice(0, options.limit);
}

/** An airport is farther from the center of its town than other places [m]. */
const MAX_AIRPORT_DISTANCE = 70_000;
/** Airports whose names are compared with a text. */
const MAX_COMPARED = 20;

/**
 * The airports of the world base data that a text names next to a word for airports: all with the name of a town near it,
 * or, if it is not a town, those with the words of the text.
 */
export async function airportsNamed(
  geodata: Geodata,
  name: string,
  reference: Found | undefined,
  options: SearchOptions,
): Promise<Found[]> {
  const base = baseRegions(geodata);
  if (!base) return [];
  const names = reference?.town?.names ?? [tokensOf(name)];
  // While a text is typed, results may have many more words than it: Paris-Charles De Gaulle Airport.
  const wanted = { ...options, layers: new Set(["place"] as const), open: true, limit: MAX_COMPARED, near: undefined };
  const found: Found[] = [];
  for (const text of new Set(names.map((words) => words.join(" ")))) {
    const words = text.split(" ");
    const airports = await search([base], `${text} airport `, wanted);
    for (const one of airports) {
      const isFar = reference?.town && distance(reference.location, one.location) > MAX_AIRPORT_DISTANCE;
      const hasWords = words.every((word) => tokensOf(one.name).includes(word));
      if (isFar || !(hasWords || (!reference?.town && one.confidence === "exact"))) continue;
      if (found.every((other) => distance(other.location, one.location) > SAME)) found.push(one);
    }
  }
  if (reference?.town) {
    for (const code of await base.airportsOf(reference.location)) {
      for (const airport of await baseAirportsWith(geodata, code)) {
        if (!isAsked(airport, options) || airport.context.countryCode !== reference.context.countryCode) continue;
        if (found.every((other) => distance(other.location, airport.location) > SAME))
          found.push(foundInBase(code, airport, options));
      }
    }
  }
  const { near } = options;
  const away = ({ location }: Found) => (reference ? distance(reference.location, location) : 0);
  found.sort((a, b) => (b.importance ?? 0) - (a.importance ?? 0) || away(a) - away(b));
  return found.slice(0, options.limit).map((one) => ({
    ...one,
    confidence: "exact" as const,
    ...(near && { distance: distance(near, one.location) }),
  }));
}

/** A result, and the distance within which others are the same airport [m]. */
type FoundAirport = Found & { reach: number };

async function airportsByCode(geodata: Geodata, text: string, options: SearchOptions): Promise<FoundAirport[]> {
  const code = options.layers.has("place") || options.defaultLayers ? airportCodeOf(text, isKindOfPlace) : undefined;
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
