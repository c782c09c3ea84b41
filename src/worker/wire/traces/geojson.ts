import { eastward, type Ring } from "../../../core/geo/shapes/polygon.ts";

/**
 * GeoJSON by RFC 7946: longitude before latitude in WGS 84, no "crs", counterclockwise outer rings. Geometries are not
 * split at the 180th meridian (section 3.1.9 says "should"), so that an imported geofence equals the exported one.
 */
export interface Feature {
  type: "Feature";
  /** null = not located, as required by section 3.2. */
  geometry: { type: string; coordinates: unknown } | null;
  properties: Record<string, unknown>;
  id?: string;
}

/** The text before the first feature of a file, between two, and after the last: for streaming. */
export const COLLECTION_HEAD = '{"type":"FeatureCollection","features":[\n';
export const COLLECTION_SEPARATOR = ",\n";
export const COLLECTION_TAIL = "\n]}\n";

/** An object of the API as a feature: the geometry is its `location`, and everything else its properties. */
export function locatedFeature(wire: { _id: string; location?: { type: string; coordinates: unknown } }): Feature {
  const { location, ...properties } = wire;
  return { type: "Feature", id: wire._id, geometry: location ?? null, properties };
}

/** The ring in counterclockwise order. */
export function againstTheClock(ring: Ring): Ring {
  return doubleArea(ring) < 0 ? [...ring].reverse() : ring;
}

/**
 * Twice the signed area in square degrees, positive if counterclockwise (the shoelace formula), steps taken the short
 * way.
 */
function doubleArea(ring: Ring): number {
  let sum = 0;
  let x = 0;
  for (let i = 1; i < ring.length; i++) {
    const step = eastward(ring[i - 1], ring[i]);
    sum += x * ring[i][1] - (x + step) * ring[i - 1][1];
    x += step;
  }
  return sum;
}
