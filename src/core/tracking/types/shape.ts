import type { Coordinate } from "../../geo/coordinate.ts";
import { haversine, METRES_PER_DEGREE } from "../../geo/distance.ts";
import { circleShare, ringShare } from "../../geo/shapes/overlap.ts";
import { type Ring, ringCentroid, signedDistance } from "../../geo/shapes/polygon.ts";
import { ringReach } from "../../geo/shapes/reach.ts";
import type { FenceShape, PolygonShape } from "./fence.ts";

export function polygonShape(ring: Ring, kind?: "isochrone"): PolygonShape {
  const center = ringCentroid(ring);
  const shape: PolygonShape = { type: "polygon", ring, center, reach: ringReach(ring, center) };
  return kind ? { ...shape, kind } : shape;
}

/**
 * Distance [m] of a point to the shape's edge, negative inside: exact for circles, see `signedDistance` for polygons.
 * For a point more than `buffer` outside, the result may be Infinity, which saves walking the ring.
 */
export function distanceToShape(shape: FenceShape, { latitude, longitude }: Coordinate, buffer: number): number {
  const { center } = shape;
  const bound = shape.type === "circle" ? shape.radius : shape.reach;
  if (Math.abs(latitude - center.latitude) * METRES_PER_DEGREE > bound + buffer) return Number.POSITIVE_INFINITY;
  const d = haversine(latitude, longitude, center.latitude, center.longitude) - bound;
  if (shape.type === "circle") return d;
  return d > buffer ? Number.POSITIVE_INFINITY : signedDistance(shape.ring, latitude, longitude);
}

/** Share (0 … 1) of the accuracy circle around a fix that is inside the shape. */
export function shareInside(shape: FenceShape, location: Coordinate, accuracy: number): number {
  if (shape.type === "polygon") return ringShare(shape.ring, location, accuracy);
  const { latitude, longitude } = shape.center;
  const apart = haversine(location.latitude, location.longitude, latitude, longitude);
  return circleShare(accuracy, shape.radius, apart);
}
