import { distance } from "../../geo/distance.ts";
import { type Found, type SearchOptions, search } from "../../geocoding/search.ts";
import { searchInTurns } from "../../geocoding/search-in-turns.ts";
import { addressesToSearch, addressIndexesAt } from "../../geodata/addresses.ts";
import type { Geodata } from "../../geodata/live.ts";
import { airportsWith } from "../../geodata/places.ts";

/** An airport of the places and one of the addresses are one when they lie so near to each other [m]. */
const SAME = 200;

/**
 * Answers to a text, with the airports it is the code of before all others. The search by words may not meet them: "LIN" is
 * the beginning of a thousand streets, which lie nearer.
 */
export async function searchWithAirports(geodata: Geodata, text: string, options: SearchOptions): Promise<Found[]> {
  const [found, airports] = await Promise.all([
    addressesToSearch(geodata, text, options).then((turns) => searchInTurns(turns, text, options)),
    airportsByCode(geodata, text.trim(), options),
  ]);
  if (airports.length === 0) return found;
  const isAirport = (one: Found) =>
    one.layer === "place" && airports.some(({ location }) => distance(location, one.location) < SAME);
  return [...airports, ...found.filter((one) => !isAirport(one))].slice(0, options.limit);
}

async function airportsByCode(geodata: Geodata, text: string, options: SearchOptions): Promise<Found[]> {
  if (!/^[a-z]{3}$/i.test(text) || !options.layers.has("place")) return [];
  const airports = await airportsWith(geodata, text.toUpperCase());
  const answers = await Promise.all(
    airports.map(async ({ name, location }) => {
      const there = { ...options, near: location, layers: new Set(["place"] as const), limit: 5, open: false };
      const found = await search(addressIndexesAt(geodata, location), name, there);
      const airport = found.find((one) => distance(location, one.location) < SAME);
      const away = options.near && distance(options.near, location);
      return airport && { ...airport, distance: away };
    }),
  );
  return answers.filter((one) => one !== undefined);
}
