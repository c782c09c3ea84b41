import type { Coordinate } from "../../geo/coordinate.ts";
import { isInBounds } from "../../geo/manifest.ts";
import { type Highlighter, highlight, highlighterOf } from "../../geocoding/highlight.ts";
import { decodePlusCode, recoverPlusCode } from "../../geocoding/points/plus-code.ts";
import { type PointReading, readPoint } from "../../geocoding/points/read-point.ts";
import type { Found, SearchOptions } from "../../geocoding/search.ts";
import type { Geodata } from "../../geodata/live.ts";
import { everyRegionAt } from "../../geodata/regions.ts";
import { type Located, type WireAddress, wireAddress, wirePoint } from "../../wire/address.ts";
import { searchWithAirports } from "./airports.ts";
import { addressesAt } from "./reverse.ts";

export interface Asked extends SearchOptions {
  now: number;
}

/**
 * Answers to a text, for forward geocoding, autocomplete and batches alike: a position written as such, a kind of place,
 * and else what its words find.
 */
export async function answersTo(geodata: Geodata, text: string, asked: Asked): Promise<WireAddress[]> {
  const reading = readPoint(text, asked.language);
  if (!reading) return searched(geodata, text, asked);
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
  // "45 N 100 W" may be a house as well: where there is one, it comes first.
  const found = await searched(geodata, text, asked);
  const houses = found.filter(({ confidence, number }) => confidence === "exact" && number !== undefined);
  return [...houses, ...points].slice(0, asked.limit);
}

/** A text out of a URI, which holds no further URI. */
function answersToText(geodata: Geodata, text: string, asked: Asked): Promise<WireAddress[]> {
  return /^geo:/i.test(text) ? searched(geodata, text, asked) : answersTo(geodata, text, asked);
}

async function searched(geodata: Geodata, text: string, asked: Asked): Promise<WireAddress[]> {
  const found = await searchWithAirports(geodata, text, asked);
  return wireAll(geodata, found, asked, highlighterOf(text, asked.open));
}

/** Found → wire, each with the regions around it. */
async function wireAll(
  geodata: Geodata,
  found: readonly Found[],
  { language, now }: Asked,
  highlighter: Highlighter,
): Promise<WireAddress[]> {
  return Promise.all(
    found.map(async (one) => {
      const located: Located = { ...one, street: one.kind === "street" };
      const address = wireAddress(located, await everyRegionAt(geodata, one.location), language, now);
      return { ...address, matched: highlight(highlighter, address.formattedAddress) };
    }),
  );
}

/** Where a reading is. A short plus code is the one nearest to the town beside it, or to the caller. */
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

/** The points themselves, and what stands at the first. */
async function aroundPoints(geodata: Geodata, locations: readonly Coordinate[], asked: Asked): Promise<WireAddress[]> {
  const { layers, language, now } = asked;
  const points = await Promise.all(
    locations.map(async (location) => wirePoint(location, await everyRegionAt(geodata, location), language, now)),
  );
  const confidence = locations.length === 1 ? ("exact" as const) : ("fallback" as const);
  const fine = layers.has("address") || layers.has("place");
  const own = fine ? points.map((point) => ({ ...point, confidence, matched: [] })) : [];
  const around = await addressesAt(geodata, locations[0], layers, language, now);
  // What is near was not what the text named.
  return [...own, ...around.map((one) => ({ ...one, confidence: "fallback" as const, matched: [] }))];
}
