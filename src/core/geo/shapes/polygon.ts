import { type Coordinate, wrapLongitude } from "../coordinate.ts";
import { METRES_PER_DEGREE, RADIANS } from "../distance.ts";

/**
 * A ring is a list of [longitude, latitude] pairs as in GeoJSON, first and last equal or not. Its edges are straight in
 * longitude and latitude. Two adjacent corners more than 180° of longitude apart mean that the edge crosses the 180th
 * meridian, unless both are at the same pole, where a ring around it is cut along a meridian and closed (RFC 7946,
 * §3.1.9):
 *
 *     (−180, 90) ◄───────────── (180, 90)
 *         │                        ▲
 *     (−180, 80) ── … ── … ──► (180, 80)
 */
export type Ring = readonly (readonly number[])[];

/** The shorter difference from one longitude to another [degrees, −180 … 180]. */
function longitudeStep(from: number, to: number): number {
  const step = to - from;
  return step > 180 || step < -180 ? step - 360 * Math.round(step / 360) : step;
}

/** Distance east from one corner to the next [degrees]. Along a pole the longitudes are used as written. */
export function eastward(from: readonly number[], to: readonly number[]): number {
  return Math.abs(to[1]) === 90 && from[1] === to[1] ? to[0] - from[0] : longitudeStep(from[0], to[0]);
}

/**
 * Even-odd rule: returns whether the point is inside the ring. Works across the 180th meridian; a point exactly on an
 * edge may be either.
 */
export function ringContains(ring: Ring, latitude: number, longitude: number): boolean {
  // The ring is unrolled continuously, so it may be a full turn east or west of the point: check all three.
  let here = false;
  let east = false;
  let west = false;
  let previous = ring[ring.length - 1];
  let px = longitudeStep(longitude, previous[0]);
  let py = previous[1] - latitude;
  for (const vertex of ring) {
    const qx = px + eastward(previous, vertex);
    const qy = vertex[1] - latitude;
    // Not `crossingAt` (in-ring.ts), which takes a fifth more time here: three rays share one test of the heights.
    if (py > 0 !== qy > 0) {
      // Where the edge meets the point's parallel.
      const x = qx - (qy * (px - qx)) / (py - qy);
      if (x > 0) here = !here;
      if (x > 360) east = !east;
      if (x > -360) west = !west;
    }
    px = qx;
    py = qy;
    previous = vertex;
  }
  return here || east || west;
}

/**
 * Distance [m] from the point to the ring's edge, negative inside. Edges are measured in a local equirectangular frame
 * around the point, which is exact to 0.1 % within some 50 km and a fair order beyond.
 */
export function signedDistance(ring: Ring, latitude: number, longitude: number): number {
  const kx = METRES_PER_DEGREE * Math.cos(latitude * RADIANS);
  const turn = 360 * kx;
  let previous = ring[ring.length - 1];
  let px = longitudeStep(longitude, previous[0]) * kx;
  let py = (previous[1] - latitude) * METRES_PER_DEGREE;
  let best = Number.POSITIVE_INFINITY;
  for (const vertex of ring) {
    const qx = px + eastward(previous, vertex) * kx;
    const qy = (vertex[1] - latitude) * METRES_PER_DEGREE;
    best = Math.min(best, squareToSegment(px, py, qx, qy));
    // The ring is walked in one piece; an edge more than half a turn away is nearer the other way round.
    if (px > turn / 2 || qx > turn / 2) best = Math.min(best, squareToSegment(px - turn, py, qx - turn, qy));
    else if (px < -turn / 2 || qx < -turn / 2) best = Math.min(best, squareToSegment(px + turn, py, qx + turn, qy));
    px = qx;
    py = qy;
    previous = vertex;
  }
  const d = Math.sqrt(best);
  return ringContains(ring, latitude, longitude) ? -d : d;
}

/** Square of the distance from the origin to the segment from p to q. */
function squareToSegment(px: number, py: number, qx: number, qy: number): number {
  const dx = qx - px;
  const dy = qy - py;
  const length2 = dx * dx + dy * dy;
  let t = length2 > 0 ? -(px * dx + py * dy) / length2 : 0;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  const ex = px + t * dx;
  const ey = py + t * dy;
  return ex * ex + ey * ey;
}

/**
 * Area-weighted center of a ring (Bourke 1988) in longitude and latitude; the mean of the vertices if it has no area.
 */
export function ringCentroid(ring: Ring): Coordinate {
  const originLon = ring[0][0];
  const originLat = ring[0][1];
  let area = 0;
  let x = 0;
  let y = 0;
  let px = 0;
  let py = 0;
  let sumX = 0;
  let sumY = 0;
  for (const vertex of ring) {
    const qx = px + longitudeStep(px + originLon, vertex[0]);
    const qy = vertex[1] - originLat;
    const cross = px * qy - qx * py;
    area += cross;
    x += (px + qx) * cross;
    y += (py + qy) * cross;
    sumX += qx;
    sumY += qy;
    px = qx;
    py = qy;
  }
  const flat = Math.abs(area) < 1e-14;
  const cx = flat ? sumX / ring.length : x / (3 * area);
  const cy = flat ? sumY / ring.length : y / (3 * area);
  return { latitude: originLat + cy, longitude: wrapLongitude(originLon + cx) };
}

/** The box around all corners; inverted if there are none. A shape across the 180th meridian has a box around the globe. */
export function boxOfRings(rings: readonly Ring[]): [west: number, south: number, east: number, north: number] {
  let [west, south, east, north] = [180, 90, -180, -90];
  for (const ring of rings) {
    for (const [longitude, latitude] of ring) {
      west = Math.min(west, longitude);
      south = Math.min(south, latitude);
      east = Math.max(east, longitude);
      north = Math.max(north, latitude);
    }
  }
  return [west, south, east, north];
}
