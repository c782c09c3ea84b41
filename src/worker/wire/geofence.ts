import { z } from "zod";
import { toPoint } from "../../core/geo/coordinate.ts";
import { destination } from "../../core/geo/distance.ts";
import type { GeofenceRow } from "../db/schema.ts";
import { wireDate } from "./date.ts";
import { pointShape } from "./point.ts";

const CIRCLE_CORNERS = 64;

export const geofenceShape = z.object({
  _id: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  live: z.boolean(),
  tag: z.string().optional(),
  externalId: z.string().optional(),
  description: z.string(),
  type: z.enum(["circle", "polygon", "isochrone"]),
  mode: z.string().optional(),
  metadata: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  geometryCenter: pointShape,
  geometryRadius: z
    .number()
    .optional()
    .meta({ description: "Radius in meters; for an isochrone, travel time in minutes" }),
  geometry: z
    .object({ type: z.literal("Polygon"), coordinates: z.array(z.array(z.array(z.number()))) })
    .optional()
    .meta({ description: "GeoJSON Polygon; a circle is approximated with 64 corners" }),
  enabled: z.boolean(),
  dwellThreshold: z.number().optional(),
  stopDetection: z.boolean().optional(),
  tripApproachingThreshold: z.number().optional(),
  operatingHours: z.record(z.string(), z.array(z.array(z.string()))).optional(),
  speedLimit: z.number().optional().meta({ description: "km/h" }),
  disableAfter: z.string().optional(),
  deleteAfter: z.string().optional(),
  userIds: z.array(z.string()).optional(),
  segments: z
    .array(z.string())
    .optional()
    .meta({ description: "externalIds: the geofence applies only to users in one of these segments" }),
  ip: z.array(z.string()).optional(),
});

/** A geofence as clients read it, with or without its geometry. */
export function wireGeofence(row: Omit<GeofenceRow, "cover">, includeGeometry = true): z.input<typeof geofenceShape> {
  const center = { latitude: row.latitude, longitude: row.longitude };
  return {
    _id: row.id,
    createdAt: wireDate(row.createdAt),
    updatedAt: wireDate(row.updatedAt),
    live: row.scope % 2 === 1,
    tag: row.tag ?? undefined,
    externalId: row.externalId ?? undefined,
    description: row.description,
    type: row.type,
    mode: row.mode ?? undefined,
    metadata: fromJson(row.metadata),
    geometryCenter: toPoint(center),
    ...(includeGeometry ? geometry(row) : {}),
    enabled: row.enabled,
    dwellThreshold: row.dwellThreshold ?? undefined,
    stopDetection: row.stopDetection ?? undefined,
    tripApproachingThreshold: row.tripApproachingThreshold ?? undefined,
    operatingHours: fromJson(row.operatingHours),
    speedLimit: row.speedLimit ?? undefined,
    disableAfter: row.disableAfter === null ? undefined : wireDate(row.disableAfter),
    deleteAfter: row.deleteAfter === null ? undefined : wireDate(row.deleteAfter),
    userIds: fromJson(row.userIds),
    segments: fromJson(row.segments ?? null),
    ip: fromJson(row.ip),
  };
}

function geometry(row: Omit<GeofenceRow, "cover">) {
  const ring = row.ring === null ? circleRing(row) : (JSON.parse(row.ring) as number[][]);
  return { geometryRadius: row.radius ?? undefined, geometry: { type: "Polygon" as const, coordinates: [ring] } };
}

function circleRing({
  latitude,
  longitude,
  radius,
}: Pick<GeofenceRow, "latitude" | "longitude" | "radius">): number[][] {
  const ring: number[][] = [];
  for (let i = 0; i < CIRCLE_CORNERS; i++) {
    // Counterclockwise, as GeoJSON requires for an outer ring.
    const corner = destination({ latitude, longitude }, 360 - (i * 360) / CIRCLE_CORNERS, radius ?? 0);
    ring.push([corner.longitude, corner.latitude]);
  }
  ring.push(ring[0]);
  return ring;
}

function fromJson<T>(text: string | null): T | undefined {
  return text === null ? undefined : (JSON.parse(text) as T);
}
