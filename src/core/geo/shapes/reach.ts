import type { Coordinate } from "../coordinate.ts";
import { EARTH_RADIUS, haversine, METRES_PER_DEGREE, RADIANS } from "../distance.ts";
import { eastward, type Ring } from "./polygon.ts";

/**
 * A quarter of the Earth's circumference [m]: circles up to this radius contain every great circle between two of their
 * points.
 */
const QUARTER = (EARTH_RADIUS * Math.PI) / 2;

/** Steps along an edge of at most this many degrees of longitude or latitude. */
const STEP = 1;

/**
 * Radius [m] of a circle around `from` that contains every point of the ring's edges, which run straight in longitude
 * and latitude and so leave the great circle between their ends: an edge along the 60th parallel bulges south of it.
 *
 * An edge is processed in short pieces. A piece of length p over Δλ of longitude turns against the great circle by at
 * most 2 Δλ sin φ (its geodesic curvature), so it leaves the chord by at most p Δλ / 4; half of p Δλ is on the safe
 * side.
 */
export function ringReach(ring: Ring, from: Coordinate): number {
  let best = 0;
  let previous = ring[ring.length - 1];
  for (const vertex of ring) {
    const [lonA, latA] = previous;
    const latB = vertex[1];
    const east = eastward(previous, vertex);
    const north = latB - latA;
    const pieces = Math.max(1, Math.ceil(Math.max(Math.abs(east), Math.abs(north)) / STEP));
    const turn = (Math.abs(east) / pieces) * RADIANS;
    const length = (Math.hypot(east, north) / pieces) * METRES_PER_DEGREE;
    for (let i = 1; i <= pieces; i++) {
      const d = haversine(from.latitude, from.longitude, latA + (north * i) / pieces, lonA + (east * i) / pieces);
      best = Math.max(best, d + (d > QUARTER * 0.9 ? length / 2 : (length * turn) / 2));
    }
    previous = vertex;
  }
  return best;
}

/**
 * Returns whether the ring winds around a pole. Such a ring has no inside in longitude and latitude; it must be cut
 * along a meridian and closed over the pole.
 */
export function windsAroundPole(ring: Ring): boolean {
  let turn = 0;
  let previous = ring[ring.length - 1];
  for (const vertex of ring) {
    turn += eastward(previous, vertex);
    previous = vertex;
  }
  return Math.abs(turn) > 180;
}
