import type { Coordinate } from "../coordinate.ts";
import { EARTH_RADIUS, haversine, RADIANS } from "../distance.ts";
import { type Ring, ringContains } from "./polygon.ts";

/**
 * Position of a disc (center, reach [m]) relative to a shape. "outside" and "inside" are certain for every point of the
 * disc. Otherwise the edge may run through it, and the result is the probe to use for any part of the disc.
 */
export type Probe = (latitude: number, longitude: number, reach: number) => "outside" | "inside" | Probe;

export function circleProbe(center: Coordinate, radius: number): Probe {
  const probe: Probe = (latitude, longitude, reach) => {
    const d = haversine(center.latitude, center.longitude, latitude, longitude);
    if (d > radius + reach) return "outside";
    return d + reach <= radius ? "inside" : probe;
  };
  return probe;
}

/**
 * A piece of a ring's edge: its ends [degrees], its midpoint in space [m from the Earth's center] and half its length
 * [m].
 */
interface Piece {
  lonA: number;
  latA: number;
  lonB: number;
  latB: number;
  x: number;
  y: number;
  z: number;
  half: number;
}

export function ringProbe(ring: Ring): Probe {
  const pieces: Piece[] = [];
  let [lonA, latA] = ring[ring.length - 1];
  for (const [lonB, latB] of ring) {
    const step = lonB - lonA;
    pieces.push(piece(lonA, latA, lonA + (Math.abs(step) > 180 ? step - 360 * Math.round(step / 360) : step), latB));
    lonA = lonB;
    latA = latB;
  }
  return probePieces(ring, pieces);
}

function probePieces(ring: Ring, pieces: readonly Piece[]): Probe {
  return (latitude, longitude, reach) => {
    const cosLat = EARTH_RADIUS * Math.cos(latitude * RADIANS);
    const x = cosLat * Math.cos(longitude * RADIANS);
    const y = cosLat * Math.sin(longitude * RADIANS);
    const z = EARTH_RADIUS * Math.sin(latitude * RADIANS);
    const near: Piece[] = [];
    for (const p of pieces) collect(p, x, y, z, reach, near);
    if (near.length > 0) return probePieces(ring, near);
    // No edge in the disc: it is entirely on the side of its center.
    return ringContains(ring, latitude, longitude) ? "inside" : "outside";
  };
}

/**
 * Adds the parts of a piece that may meet the disc. The straight line through the Earth is never longer than the way
 * round.
 */
function collect(p: Piece, x: number, y: number, z: number, reach: number, near: Piece[]): void {
  const dx = p.x - x;
  const dy = p.y - y;
  const dz = p.z - z;
  const touch = reach + p.half;
  if (dx * dx + dy * dy + dz * dz > touch * touch) return;
  if (p.half <= reach) {
    near.push(p);
    return;
  }
  const lon = (p.lonA + p.lonB) / 2;
  const lat = (p.latA + p.latB) / 2;
  collect(piece(p.lonA, p.latA, lon, lat), x, y, z, reach, near);
  collect(piece(lon, lat, p.lonB, p.latB), x, y, z, reach, near);
}

function piece(lonA: number, latA: number, lonB: number, latB: number): Piece {
  const lat = ((latA + latB) / 2) * RADIANS;
  const lon = ((lonA + lonB) / 2) * RADIANS;
  // Length is bounded with the parallel nearest to the equator, where a degree of longitude is longest.
  const widest = latA * latB <= 0 ? 1 : Math.cos(Math.min(Math.abs(latA), Math.abs(latB)) * RADIANS);
  return {
    lonA,
    latA,
    lonB,
    latB,
    x: EARTH_RADIUS * Math.cos(lat) * Math.cos(lon),
    y: EARTH_RADIUS * Math.cos(lat) * Math.sin(lon),
    z: EARTH_RADIUS * Math.sin(lat),
    // A millimeter more, so that a piece without length is found and rounding never hides one.
    half: (EARTH_RADIUS * RADIANS * Math.hypot((lonB - lonA) * widest, latB - latA)) / 2 + 0.001,
  };
}
