import type { Coordinate } from "../coordinate.ts";
import { EARTH_RADIUS, RADIANS } from "../distance.ts";
import { eastward, type Ring } from "./polygon.ts";

/**
 * Share (0 … 1) of a circle of radius `radius` that is within a circle of radius `other` whose center is `apart` away
 * [same unit]: the area of the lens divided by the area of the first circle (Weisstein, "Circle–Circle Intersection",
 * MathWorld). Plane geometry; for circles of a few kilometers the Earth's curvature changes the result by less than
 * 1e-6.
 */
export function circleShare(radius: number, other: number, apart: number): number {
  if (apart >= radius + other) return 0;
  if (apart + radius <= other) return 1;
  if (apart + other <= radius) return (other * other) / (radius * radius);
  // Scaled by the first radius: the angles of the common chord as seen from the two centers.
  const q = other / radius;
  const d = apart / radius;
  const a = Math.acos(clamp((d * d + 1 - q * q) / (2 * d), -1, 1));
  const b = Math.acos(clamp((d * d + q * q - 1) / (2 * d * q), -1, 1));
  return clamp((a - Math.sin(2 * a) / 2 + q * q * (b - Math.sin(2 * b) / 2)) / Math.PI, 0, 1);
}

const STRIPS = 64;

/** With more corners than this, strips are not cut at corners: their errors cancel. */
const MAX_CORNERS = 128;

/**
 * Share (0 … 1) of the circle (on the sphere, `radius` in meters) that is inside the ring by the even-odd rule. The
 * circle is cut into strips along parallels, thinner towards its ends and cut again at every corner of the ring. In the
 * middle of each strip the intersections with the ring's edges, straight in longitude and latitude, are exact. So
 * self-crossing rings, poles and the 180th meridian need no special case. The error is below 0.001 for polygons with
 * few corners.
 */
export function ringShare(ring: Ring, { latitude, longitude }: Coordinate, radius: number): number {
  const delta = radius / EARTH_RADIUS;
  const deltaDegrees = delta / RADIANS;
  const edges = edgesBetween(ring, longitude, latitude - deltaDegrees, latitude + deltaDegrees);
  const cosCenter = Math.cos(latitude * RADIANS);
  const chord2 = Math.sin(delta / 2) ** 2;
  let covered = 0;
  let total = 0;
  const crossings: number[] = [];
  const cuts = stripCuts(edges, latitude, deltaDegrees);
  for (let i = 1; i < cuts.length; i++) {
    const t = (cuts[i - 1] + cuts[i]) / 2;
    const north = deltaDegrees * Math.sin(t);
    const lat = latitude + north;
    if (lat >= 90 || lat <= -90) continue;
    const cosLat = Math.cos(lat * RADIANS);
    const weight = (cuts[i] - cuts[i - 1]) * Math.cos(t) * cosLat;
    // Half the width of the circle on this parallel, from the haversine formula solved for the longitude [degrees].
    const h = (chord2 - Math.sin((north * RADIANS) / 2) ** 2) / (cosCenter * cosLat);
    const half = h >= 1 ? 180 : (2 * Math.asin(Math.sqrt(Math.max(0, h)))) / RADIANS;
    total += weight * 2 * half;
    if (edges.length === 0) continue;
    crossings.length = 0;
    for (let e = 0; e < edges.length; e += 4) {
      const y0 = edges[e + 1];
      const y1 = edges[e + 3];
      if (y0 > lat !== y1 > lat) crossings.push(edges[e] + ((lat - y0) * (edges[e + 2] - edges[e])) / (y1 - y0));
    }
    crossings.sort((a, b) => a - b);
    let inside = 0;
    for (let c = 0; c + 1 < crossings.length; c += 2) {
      // The ring is unrolled continuously and may be one turn away from the point.
      for (let turn = -360; turn <= 360; turn += 360) {
        const west = Math.max(crossings[c] + turn, -half);
        const east = Math.min(crossings[c + 1] + turn, half);
        if (east > west) inside += east - west;
      }
    }
    covered += weight * Math.min(inside, 2 * half);
  }
  return total > 0 ? covered / total : 0;
}

/** Boundaries of the strips: angles t with the parallel sin t of the radius north of the center. */
function stripCuts(edges: readonly number[], latitude: number, delta: number): number[] {
  const cuts = Array.from({ length: STRIPS + 1 }, (_, i) => (i / STRIPS - 0.5) * Math.PI);
  if (edges.length > MAX_CORNERS * 4) return cuts;
  for (let e = 0; e < edges.length; e += 4) {
    const north = (edges[e + 3] - latitude) / delta;
    if (north > -1 && north < 1) cuts.push(Math.asin(north));
  }
  return cuts.sort((a, b) => a - b);
}

/**
 * Edges [x0, y0, x1, y1, …] that meet the band of latitudes; x is the longitude east of `longitude`, the ring unrolled.
 */
function edgesBetween(ring: Ring, longitude: number, south: number, north: number): number[] {
  const out: number[] = [];
  let previous = ring[ring.length - 1];
  let x = shorterWay(previous[0] - longitude);
  for (const vertex of ring) {
    const y = previous[1];
    const lat = vertex[1];
    const nextX = x + eastward(previous, vertex);
    if ((y >= south || lat >= south) && (y <= north || lat <= north)) out.push(x, y, nextX, lat);
    x = nextX;
    previous = vertex;
  }
  return out;
}

function shorterWay(degrees: number): number {
  return degrees > 180 || degrees < -180 ? degrees - 360 * Math.round(degrees / 360) : degrees;
}

function clamp(value: number, low: number, high: number): number {
  return value < low ? low : value > high ? high : value;
}
