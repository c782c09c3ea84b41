import polyline from "@mapbox/polyline";
import type { Coordinate } from "./coordinate.ts";

export type GeometryFormat = "linestring" | "polyline5" | "polyline6";
export type LineGeometry = { type: "LineString"; coordinates: [number, number][] } | { polyline: string };

/** A line in one of the three formats of the API. */
export function formatLine(line: readonly Coordinate[], format: GeometryFormat): LineGeometry {
  if (format === "linestring") {
    return { type: "LineString", coordinates: line.map(({ latitude, longitude }) => [longitude, latitude]) };
  }
  return { polyline: encodeLine(line, format === "polyline5" ? 5 : 6) };
}

/** A line as an encoded polyline. */
export function encodeLine(line: readonly Coordinate[], decimals: 2 | 5 | 6): string {
  const pairs: [number, number][] = [];
  for (const { latitude, longitude } of line) pairs.push([latitude, longitude]);
  return polyline.encode(pairs, decimals);
}

/** Decodes an encoded polyline: 5 or 6 decimals on the wire, 2 in lists of our own. Broken input gives what could be read. */
export function decodeLine(encoded: string, decimals: 2 | 5 | 6): Coordinate[] {
  return polyline.decode(encoded, decimals).map(([latitude, longitude]) => ({ latitude, longitude }));
}
