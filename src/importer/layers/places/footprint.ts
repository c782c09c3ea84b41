import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { METRES_PER_DEGREE, RADIANS } from "../../../core/geo/distance.ts";
import { ringCentroid } from "../../../core/geo/shapes/polygon.ts";
import type { Line, Polygon } from "../../frame/layer.ts";

/** Where a place is and how far it reaches: the circle of the same area around its middle. */
export interface Footprint {
  center: Coordinate;
  /** Metres. */
  radius: number;
}

/** Radius of a place that is only a point: a small shop [metres]. It is the minimum. */
export const POINT_FOOTPRINT = 15;

/** Of a way: an area when it is closed, else the middle of its vertices. Undefined for a way without located nodes. */
export function footprintOf(line: Line): Footprint | undefined {
  if (line.length === 0) return undefined;
  const [first, last] = [line[0], line[line.length - 1]];
  if (line.length >= 4 && first[0] === last[0] && first[1] === last[1])
    return footprintOfParts([{ outer: line, inner: [] }]);
  return { center: meanOf(line), radius: POINT_FOOTPRINT };
}

/** Of an area in parts, with holes: the middle of its largest part, the area of all of them. */
export function footprintOfParts(parts: readonly Polygon[]): Footprint | undefined {
  let area = 0;
  let largest = 0;
  let outer: Line | undefined;
  for (const part of parts) {
    const own = areaOf(part.outer);
    area += part.inner.reduce((rest, hole) => rest - areaOf(hole), own);
    if (!outer || own > largest) {
      largest = own;
      outer = part.outer;
    }
  }
  if (!outer) return undefined;
  return { center: ringCentroid(outer), radius: Math.max(POINT_FOOTPRINT, Math.sqrt(Math.max(0, area) / Math.PI)) };
}

/** Area of a ring [m²] in an equirectangular frame at its first vertex: good for places, not for countries. */
function areaOf(ring: Line): number {
  const [lon, lat] = ring[0];
  let twice = 0;
  for (let i = 1; i < ring.length; i++) {
    const [x0, y0] = [shortWay(ring[i - 1][0] - lon), ring[i - 1][1] - lat];
    const [x1, y1] = [shortWay(ring[i][0] - lon), ring[i][1] - lat];
    twice += x0 * y1 - x1 * y0;
  }
  return (Math.abs(twice) / 2) * METRES_PER_DEGREE ** 2 * Math.cos(lat * RADIANS);
}

function meanOf(line: Line): Coordinate {
  const [lon, lat] = line[0];
  let x = 0;
  let y = 0;
  for (const [longitude, latitude] of line) {
    x += shortWay(longitude - lon);
    y += latitude - lat;
  }
  const longitude = shortWay(lon + x / line.length);
  return { latitude: lat + y / line.length, longitude };
}

/** A difference of longitudes [degrees], across the 180th meridian where that is shorter. */
function shortWay(degrees: number): number {
  return degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees;
}
