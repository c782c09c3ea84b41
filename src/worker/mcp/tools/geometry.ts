import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { thinned } from "../../../core/geo/thinned.ts";

/** Lines and areas in results: simplified, so that they fit. */

/** Points of a line in a result: [longitude, latitude] takes up to 22 characters. */
const MAX_LINE_POINTS = 250;
const DECIMALS = 1e5;

const toPair = ({ latitude, longitude }: Coordinate): [number, number] => [
  Math.round(longitude * DECIMALS) / DECIMALS,
  Math.round(latitude * DECIMALS) / DECIMALS,
];
const fromPair = ([longitude, latitude]: readonly [number, number]): Coordinate => ({ latitude, longitude });

/** GeoJSON with the points that change the shape most. */
export function simpleLine(coordinates: readonly [number, number][], max = MAX_LINE_POINTS) {
  return { type: "LineString", coordinates: thinned(coordinates.map(fromPair), max).map(toPair) };
}

/** The same for a polygon or several: the largest rings first, until the points are used up. */
export function simpleArea(polygons: readonly (readonly [number, number][][])[], max = MAX_LINE_POINTS) {
  const total = polygons.flat().reduce((sum, ring) => sum + ring.length, 0);
  const largest = polygons.map((rings) => [...rings]).sort((a, b) => b[0].length - a[0].length);
  const coordinates: [number, number][][][] = [];
  let left = max;
  for (const rings of largest) {
    const simple: [number, number][][] = [];
    for (const ring of rings) {
      const points = Math.max(4, Math.floor((max * ring.length) / total));
      if (points > left) continue;
      left -= points;
      const line = thinned(ring.map(fromPair), points).map(toPair);
      if (line.length >= 4) simple.push(line);
      else if (simple.length === 0) break; // Without an outer ring, holes mean nothing.
    }
    if (simple.length > 0) coordinates.push(simple);
  }
  return { geometry: { type: "MultiPolygon", coordinates }, isSimplified: total > max };
}
