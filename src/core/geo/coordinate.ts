import { parseDecimal } from "./decimal.ts";

/** A position on the Earth [degrees, WGS 84]. Used everywhere but at the wire and inside kernels. */
export interface Coordinate {
  latitude: number;
  longitude: number;
}

export function isCoordinate(latitude: number, longitude: number): boolean {
  return latitude >= -90 && latitude <= 90 && longitude >= -180 && longitude <= 180;
}

/**
 * "latitude,longitude" → Coordinate; undefined when it is not two decimal numbers in range (decimal.ts). Spaces around
 * the numbers are allowed, as clients write lists with a space after the comma.
 */
export function parseCoordinate(text: string): Coordinate | undefined {
  const comma = text.indexOf(",");
  if (comma < 0) return undefined;
  const latitude = parseDecimal(text.slice(0, comma));
  const longitude = parseDecimal(text.slice(comma + 1));
  return isCoordinate(latitude, longitude) ? { latitude, longitude } : undefined;
}

/** GeoJSON Point: longitude first. */
interface Point {
  type: "Point";
  coordinates: [longitude: number, latitude: number];
}

export function toPoint({ latitude, longitude }: Coordinate): Point {
  return { type: "Point", coordinates: [longitude, latitude] };
}

/** Brings a longitude [degrees] into [-180, 180). */
export function wrapLongitude(longitude: number): number {
  if (longitude >= -180 && longitude < 180) return longitude;
  return ((((longitude + 180) % 360) + 360) % 360) - 180;
}
