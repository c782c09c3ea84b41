import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { decodePlusCode, recoverPlusCode } from "../../../core/geocoding/points/plus-code.ts";
import type { PointReading } from "../../../core/geocoding/points/read-point.ts";
import { regionsWithCity } from "../../geodata/cities.ts";
import type { Geodata } from "../../geodata/live.ts";
import { type WireAddress, wirePoint } from "../../wire/address.ts";
import type { Asked } from "./asked.ts";
import { namedPlace } from "./named-place.ts";
import { addressesAt } from "./reverse.ts";

/** Position of a parsed notation. A short plus code resolves to the one closest to its town, or to the caller. */
export async function pointsOf(
  geodata: Geodata,
  reading: PointReading & { kind: "point" | "short" },
  asked: Asked,
): Promise<{ locations: readonly Coordinate[]; sure: boolean }> {
  if (reading.kind === "point") return reading;
  const { code, reference } = reading;
  const near = reference === "" ? asked.near : (await namedPlace(geodata, reference, asked))?.location;
  return near
    ? { locations: [decodePlusCode(recoverPlusCode(code, near)).center], sure: true }
    : { locations: [], sure: false };
}

/** The points themselves, and the results at the first point. */
export async function aroundPoints(
  geodata: Geodata,
  locations: readonly Coordinate[],
  asked: Asked,
): Promise<WireAddress[]> {
  const { layers, language, now } = asked;
  const points = await Promise.all(
    locations.map(async (location) => wirePoint(location, await regionsWithCity(geodata, location), language, now)),
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
