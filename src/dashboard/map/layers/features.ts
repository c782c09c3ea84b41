import type { Coordinate } from "../../../core/geo/coordinate.ts";
import { destination } from "../../../core/geo/distance.ts";
import { nameOfRecord } from "../../parts/values/names.ts";
import { type SeenUser, stateOf } from "../marks/user-states.ts";

/** Converts API objects to map features. The types contain only fields that a map reads. */

export interface Feature {
  type: "Feature";
  id?: number;
  geometry:
    | { type: "Point"; coordinates: number[] }
    | { type: "LineString"; coordinates: number[][] }
    | { type: "Polygon"; coordinates: number[][][] };
  properties: Record<string, string | number | boolean>;
}
export interface FeatureCollection {
  type: "FeatureCollection";
  features: Feature[];
}

export function featureCollection(features: Feature[]): FeatureCollection {
  return { type: "FeatureCollection", features };
}
export const EMPTY: FeatureCollection = featureCollection([]);

/** A user as far as the map shows it. */
export interface MapUser extends SeenUser {
  _id: string;
  userId?: string;
  deviceId?: string;
  description?: string;
  location: { coordinates: number[] };
  locationAccuracy: number;
  course?: number;
}

export function userFeatures(users: readonly MapUser[], now: number): FeatureCollection {
  return featureCollection(
    users.map((user) => ({
      type: "Feature",
      geometry: { type: "Point", coordinates: user.location.coordinates },
      properties: {
        id: user._id,
        name: nameOfRecord(user),
        state: stateOf(user, now),
        reach: pixelsAtZoom22(user.locationAccuracy, user.location.coordinates[1]),
      },
    })),
  );
}

/** Of MapLibre's world at zoom 22, 512 pixels at zoom 0 [m]. */
const METRES_PER_PIXEL = 40_075_016.686 / 512 / 2 ** 22;

/** A distance as a map draws it at this latitude: a circle of metres as one circle of a layer, however many there are. */
export function pixelsAtZoom22(metres: number, latitude: number): number {
  return metres / (METRES_PER_PIXEL * Math.cos((Math.min(85, Math.abs(latitude)) * Math.PI) / 180));
}

/** A geofence as far as the map shows it. */
export interface MapFence {
  _id: string;
  description: string;
  type: string;
  enabled: boolean;
  tag?: string;
  externalId?: string;
  geometry?: { coordinates: number[][][] };
}

/** Areas with their names; a fence that was listed without its geometry is not drawn. */
export function fenceFeatures(fences: readonly MapFence[]): FeatureCollection {
  return featureCollection(
    fences.flatMap((fence): Feature[] => {
      if (!fence.geometry) return [];
      const { _id: id, type: kind, enabled } = fence;
      const name = nameOfRecord(fence);
      const geometry = { type: "Polygon" as const, coordinates: unrollRings(fence.geometry.coordinates) };
      return [{ type: "Feature", geometry, properties: { id, name, kind, enabled } }];
    }),
  );
}

/**
 * Labels of areas, each at the middle of its ring. A label on the area itself would be repeated in every tile that the
 * area touches.
 */
export function nameFeatures({ features }: FeatureCollection): FeatureCollection {
  return featureCollection(
    features.flatMap(({ geometry, properties }): Feature[] => {
      if (geometry.type !== "Polygon" || !properties.name) return [];
      const [longitude, latitude] = middleOf(geometry.coordinates[0]);
      return [pointFeature({ longitude, latitude }, properties)];
    }),
  );
}

/** The center of gravity of a ring; of one without an area the mean of its corners. */
function middleOf(ring: readonly number[][]): [longitude: number, latitude: number] {
  const [x0, y0] = ring[0];
  let [area, x, y] = [0, 0, 0];
  for (let i = 1; i < ring.length; i++) {
    const [ax, ay, bx, by] = [ring[i - 1][0] - x0, ring[i - 1][1] - y0, ring[i][0] - x0, ring[i][1] - y0];
    const cross = ax * by - bx * ay;
    area += cross;
    x += (ax + bx) * cross;
    y += (ay + by) * cross;
  }
  if (area !== 0) return [x0 + x / (3 * area), y0 + y / (3 * area)];
  const mean = (at: 0 | 1) => ring.reduce((sum, pair) => sum + pair[at], 0) / ring.length;
  return [mean(0), mean(1)];
}

/**
 * Unwraps rings across the 180th meridian: MapLibre joins neighbors as they are, and would draw the edge from 179.9 to
 * -179.9 around the world.
 */
function unrollRings(rings: number[][][]): number[][][] {
  return rings.map((ring) => {
    let turn = 0;
    return ring.map(([longitude, latitude], i) => {
      const step = i === 0 ? 0 : longitude - ring[i - 1][0];
      if (step > 180) turn -= 360;
      else if (step < -180) turn += 360;
      return [longitude + turn, latitude];
    });
  });
}

export function lineFeature(pairs: number[][], properties: Feature["properties"] = {}): Feature {
  return { type: "Feature", geometry: { type: "LineString", coordinates: unrollRings([pairs])[0] }, properties };
}

export function pointFeature({ latitude, longitude }: Coordinate, properties: Feature["properties"] = {}): Feature {
  return { type: "Feature", geometry: { type: "Point", coordinates: [longitude, latitude] }, properties };
}

/** A circle of `radius` metres as a polygon of 48 corners: accuracy circles are true to scale at every zoom. */
export function circleFeature(center: Coordinate, radius: number, properties: Feature["properties"] = {}): Feature {
  const ring: number[][] = [];
  for (let i = 0; i < 48; i++) {
    const { latitude, longitude } = destination(center, 360 - (i * 360) / 48, radius);
    ring.push([longitude, latitude]);
  }
  ring.push(ring[0]);
  return { type: "Feature", geometry: { type: "Polygon", coordinates: unrollRings([ring]) }, properties };
}

export const toCoordinate = ([longitude, latitude]: readonly number[]): Coordinate => ({ latitude, longitude });
