import { isInBounds } from "../../../core/geo/builds/manifest.ts";
import { readPoint } from "../../../core/geocoding/points/read-point.ts";
import type { Found } from "../../../core/geocoding/search/search.ts";
import { type CategoryQuery, readCategory } from "../../../core/places/category-words.ts";
import type { Geodata } from "../../geodata/live.ts";
import type { WireAddress } from "../../wire/address.ts";
import { airportsNamed } from "./airports.ts";
import type { Asked } from "./asked.ts";
import { fallbackTo, searched, wireAirports } from "./found.ts";
import { placesOfKind } from "./kinds.ts";
import { aroundPoints, pointsOf } from "./points.ts";

/**
 * Results for a text, for forward geocoding, autocomplete and batches: a written position, a kind of place,
 * or else the results of the text search.
 */
export async function answersTo(geodata: Geodata, text: string, asked: Asked): Promise<WireAddress[]> {
  const reading = readPoint(text, asked.language);
  if (!reading) return answersToWords(geodata, text, asked);
  if (reading.kind === "text") {
    return answersToText(geodata, reading.text, { ...asked, near: reading.near ?? asked.near });
  }
  const { locations, sure } = await pointsOf(geodata, reading, asked);
  const inside = locations.filter(
    ({ latitude, longitude }) => !asked.bounds || isInBounds(asked.bounds, latitude, longitude),
  );
  if (inside.length === 0) return reading.kind === "short" || !sure ? searched(geodata, text, asked) : [];
  const points = await aroundPoints(geodata, inside, asked);
  if (sure) return points.slice(0, asked.limit);
  // "45 N 100 W" may also be a house: if it exists, it comes first.
  const found = await searched(geodata, text, asked);
  const houses = found.filter(({ confidence, number }) => confidence === "exact" && number !== undefined);
  return [...houses, ...points].slice(0, asked.limit);
}

/** Text from a URI, which may not contain another URI. */
function answersToText(geodata: Geodata, text: string, asked: Asked): Promise<WireAddress[]> {
  return /^geo:/i.test(text) ? searched(geodata, text, asked) : answersTo(geodata, text, asked);
}

/** A kind of place with a town or a position returns places; other texts return the results of the text search. */
async function answersToWords(geodata: Geodata, text: string, asked: Asked): Promise<WireAddress[]> {
  const category = categoryIn(text, asked);
  if (!category) return searched(geodata, text, asked);
  const { sure, reference } = category;
  if (sure && (reference !== "" || !asked.open)) {
    const { places, reference: town } = await placesOfKind(geodata, category, asked);
    if (places.length > 0) return places;
    const airports = await airportsOf(geodata, category, town, asked);
    if (airports.length > 0) return airports;
    const found = await searched(geodata, text, asked);
    return town && !found.some(isCertain) ? orTown(geodata, found, town, text, asked) : found;
  }
  // Other results with this prefix stay visible while the user types; and "Park Street" is a street if it exists.
  const [found, around] = await Promise.all([
    searched(geodata, text, asked),
    sure ? placesOfKind(geodata, category, asked) : undefined,
  ]);
  if (around) {
    const first = around.places.slice(0, Math.ceil(asked.limit / 2));
    return [...first, ...found.filter(({ id }) => id === undefined || first.every((place) => place.id !== id))].slice(
      0,
      asked.limit,
    );
  }
  if (found.some(isCertain)) return found;
  const { places, reference: town } = await placesOfKind(geodata, category, asked);
  if (places.length > 0) return places;
  const airports = await airportsOf(geodata, category, town, asked);
  if (airports.length > 0) return airports;
  return town ? orTown(geodata, found, town, text, asked) : found;
}

/** Airports of the world base data: most are farther from their town than other places. */
async function airportsOf(
  geodata: Geodata,
  { slugs, reference }: CategoryQuery,
  town: Found | undefined,
  asked: Asked,
): Promise<WireAddress[]> {
  if (!slugs.includes("airport") || reference === "") return [];
  return wireAirports(geodata, await airportsNamed(geodata, reference, town, asked), asked);
}

function categoryIn(text: string, { layers, defaultLayers }: Asked): CategoryQuery | undefined {
  if (!layers.has("place") && !defaultLayers) return undefined;
  const category = readCategory(text);
  return layers.has("place") || category?.reference !== "" ? category : undefined;
}

const isCertain = ({ confidence }: WireAddress) => confidence !== "fallback";

/** The town of a kind of place that is not there; results of the text search if the town is not a requested layer. */
async function orTown(geodata: Geodata, found: WireAddress[], town: Found, text: string, asked: Asked) {
  const fallback = await fallbackTo(geodata, town, text, asked);
  return fallback.length > 0 ? fallback : found;
}
