import { isInBounds } from "../../geo/builds/manifest.ts";
import type { Coordinate } from "../../geo/coordinate.ts";
import { type Highlighter, highlight, highlighterOf } from "../../geocoding/label/highlight.ts";
import { decodePlusCode, recoverPlusCode } from "../../geocoding/points/plus-code.ts";
import { type PointReading, readPoint } from "../../geocoding/points/read-point.ts";
import type { Found, SearchOptions } from "../../geocoding/search/search.ts";
import type { Geodata } from "../../geodata/live.ts";
import { placeIdAt, placesNear } from "../../geodata/places.ts";
import { everyRegionAt } from "../../geodata/regions.ts";
import { type CategoryQuery, readCategory } from "../../places/category-words.ts";
import { type Located, type WireAddress, wireAddress, wirePlaceAnswer, wirePoint } from "../../wire/address.ts";
import { searchWithAirports } from "./airports.ts";
import { addressesAt } from "./reverse.ts";

export interface Asked extends SearchOptions {
  now: number;
}

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
  const category = asked.layers.has("place") ? readCategory(text) : undefined;
  if (!category) return searched(geodata, text, asked);
  const { sure, reference } = category;
  if (sure && (reference !== "" || !asked.open)) {
    const places = await placesOfKind(geodata, category, asked);
    return places.length > 0 ? places : searched(geodata, text, asked);
  }
  // Other results with this prefix stay visible while the user types; and "Park Street" is a street if it exists.
  const [found, places] = await Promise.all([
    searched(geodata, text, asked),
    sure ? placesOfKind(geodata, category, asked) : [],
  ]);
  if (sure) {
    const first = places.slice(0, Math.ceil(asked.limit / 2));
    return [...first, ...found.filter(({ id }) => id === undefined || first.every((place) => place.id !== id))].slice(
      0,
      asked.limit,
    );
  }
  if (found.some(({ confidence }) => confidence !== "fallback")) return found;
  const others = await placesOfKind(geodata, category, asked);
  return others.length > 0 ? others : found;
}

/** Search radius for kinds of places around a town or a caller [m]. */
const KIND_REACH = 10_000;

async function placesOfKind(
  geodata: Geodata,
  { slugs, reference }: CategoryQuery,
  asked: Asked,
): Promise<WireAddress[]> {
  const { language, now, limit, bounds, countries } = asked;
  const near = reference === "" ? asked.near : await whereIs(geodata, reference, asked);
  if (!near) return [];
  const found = await placesNear(geodata, near, { radius: KIND_REACH, limit, categories: slugs });
  const inside = found.filter(
    ({ place: { location } }) => !bounds || isInBounds(bounds, location.latitude, location.longitude),
  );
  const answers = await Promise.all(
    inside.map(async ({ place, distance }) => {
      const regions = await everyRegionAt(geodata, place.location);
      return { ...wirePlaceAnswer(place, regions, language, now, distance), matched: [] };
    }),
  );
  return answers.filter(({ countryCode = "" }) => !countries || countries.includes(countryCode));
}

/** Position of a named town, street or place; undefined unless the match is certain. */
async function whereIs(geodata: Geodata, reference: string, asked: Asked): Promise<Coordinate | undefined> {
  const layers = new Set(["locality", "county", "state", "postalCode", "address", "place"] as const);
  const options = { ...asked, layers, limit: 1, open: false, bounds: undefined };
  const [found] = await searchWithAirports(geodata, reference, options);
  return found && found.confidence !== "fallback" ? found.location : undefined;
}

async function searched(geodata: Geodata, text: string, asked: Asked): Promise<WireAddress[]> {
  const found = await searchWithAirports(geodata, text, asked);
  return wireAll(geodata, found, asked, highlighterOf(text, asked.open));
}

/** Converts results to wire format, each with the regions around it. */
async function wireAll(
  geodata: Geodata,
  found: readonly Found[],
  { language, now }: Asked,
  highlighter: Highlighter,
): Promise<WireAddress[]> {
  return Promise.all(
    found.map(async (one) => {
      const located: Located = { ...one, street: one.kind === "street" };
      const regions = everyRegionAt(geodata, one.location);
      if (one.layer === "place") located.id = (await placeIdAt(geodata, one.name, one.location)) ?? one.id;
      const address = wireAddress(located, await regions, language, now);
      return { ...address, matched: highlight(highlighter, address.formattedAddress) };
    }),
  );
}

/** Position of a parsed notation. A short plus code resolves to the one closest to its town, or to the caller. */
async function pointsOf(
  geodata: Geodata,
  reading: PointReading & { kind: "point" | "short" },
  asked: Asked,
): Promise<{ locations: readonly Coordinate[]; sure: boolean }> {
  if (reading.kind === "point") return reading;
  const { code, reference } = reading;
  let near = asked.near;
  if (reference !== "") {
    const layers = new Set(["locality", "county", "state", "postalCode", "address", "place"] as const);
    const [town] = await searchWithAirports(geodata, reference, {
      ...asked,
      layers,
      limit: 1,
      open: false,
      bounds: undefined,
    });
    near = town?.location;
  }
  return near
    ? { locations: [decodePlusCode(recoverPlusCode(code, near)).center], sure: true }
    : { locations: [], sure: false };
}

/** The points themselves, and the results at the first point. */
async function aroundPoints(geodata: Geodata, locations: readonly Coordinate[], asked: Asked): Promise<WireAddress[]> {
  const { layers, language, now } = asked;
  const points = await Promise.all(
    locations.map(async (location) => wirePoint(location, await everyRegionAt(geodata, location), language, now)),
  );
  const confidence = locations.length === 1 ? ("exact" as const) : ("fallback" as const);
  const fine = layers.has("address") || layers.has("place");
  const own = fine ? points.map((point) => ({ ...point, confidence, matched: [] })) : [];
  const around = await addressesAt(geodata, locations[0], layers, language, now);
  // The address of the point is the main result; a place next to it comes after.
  const isAddress = ({ layer }: WireAddress) => Number(layer === "address");
  around.sort((a, b) => isAddress(b) - isAddress(a));
  // Nearby results do not match the text.
  return [...own, ...around.map((one) => ({ ...one, confidence: "fallback" as const, matched: [] }))];
}
