import polyline from "@mapbox/polyline";
import type { Coordinate } from "./coordinate.ts";

export type GeometryFormat = "linestring" | "polyline5" | "polyline6";
export type LineGeometry = { type: "LineString"; coordinates: [number, number][] } | { polyline: string };

/** A line in one of the three formats of the API. */
export function formatLine(line: readonly Coordinate[], format: GeometryFormat): LineGeometry {
  if (format === "linestring") {
    return { type: "LineString", coordinates: line.map(({ latitude, longitude }) => [longitude, latitude]) };
  }
  const pairs: [number, number][] = [];
  for (const { latitude, longitude } of line) pairs.push([latitude, longitude]);
  return { polyline: polyline.encode(pairs, format === "polyline5" ? 5 : 6) };
}

/** Decodes an encoded polyline of 5 or 6 decimals. Broken input gives what could be read. */
export function decodeLine(encoded: string, decimals: 5 | 6): Coordinate[] {
  return polyline.decode(encoded, decimals).map(([latitude, longitude]) => ({ latitude, longitude }));
}
