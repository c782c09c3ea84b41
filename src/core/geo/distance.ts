import { type Coordinate, wrapLongitude } from "./coordinate.ts";

/** IUGG mean Earth radius R1 [m] (Moritz 2000, Geodetic Reference System 1980). */
export const EARTH_RADIUS = 6_371_008.8;
export const RADIANS = Math.PI / 180;
/** Meters in one degree of latitude on the sphere. */
export const METRES_PER_DEGREE = EARTH_RADIUS * RADIANS;

/**
 * Great-circle distance [m] by the haversine formula (Sinnott 1984): exact on the sphere, stable for short distances.
 */
export function haversine(latA: number, lonA: number, latB: number, lonB: number): number {
  const x = Math.sin(((latB - latA) * RADIANS) / 2);
  const y = Math.sin(((lonB - lonA) * RADIANS) / 2);
  const h = x * x + Math.cos(latA * RADIANS) * Math.cos(latB * RADIANS) * y * y;
  return 2 * EARTH_RADIUS * Math.asin(Math.min(1, Math.sqrt(h)));
}

export function distance(a: Coordinate, b: Coordinate): number {
  return haversine(a.latitude, a.longitude, b.latitude, b.longitude);
}

/** Length of a line along great circles [m]. */
export function lengthOfLine(line: readonly Coordinate[]): number {
  let sum = 0;
  for (let i = 1; i < line.length; i++) sum += distance(line[i - 1], line[i]);
  return sum;
}

/** Initial great-circle bearing from a to b [degrees, 0 = north, clockwise, 0 ≤ b < 360]. */
export function bearing(a: Coordinate, b: Coordinate): number {
  const dLon = (b.longitude - a.longitude) * RADIANS;
  const latA = a.latitude * RADIANS;
  const latB = b.latitude * RADIANS;
  const y = Math.sin(dLon) * Math.cos(latB);
  const x = Math.cos(latA) * Math.sin(latB) - Math.sin(latA) * Math.cos(latB) * Math.cos(dLon);
  return (Math.atan2(y, x) / RADIANS + 360) % 360;
}

/** The point `metres` away from `start` on the great circle that leaves at `bearingDegrees`. */
export function destination(start: Coordinate, bearingDegrees: number, metres: number): Coordinate {
  const delta = metres / EARTH_RADIUS;
  const theta = bearingDegrees * RADIANS;
  const lat = start.latitude * RADIANS;
  const sinLat = Math.sin(lat) * Math.cos(delta) + Math.cos(lat) * Math.sin(delta) * Math.cos(theta);
  const y = Math.sin(theta) * Math.sin(delta) * Math.cos(lat);
  const x = Math.cos(delta) - Math.sin(lat) * sinLat;
  return {
    latitude: Math.asin(Math.max(-1, Math.min(1, sinLat))) / RADIANS,
    longitude: wrapLongitude(start.longitude + Math.atan2(y, x) / RADIANS),
  };
}
