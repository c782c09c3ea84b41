import type { z } from "zod";
import type { Coordinate } from "../../geo/coordinate.ts";
import { type geofenceShape, wireGeofence } from "../../wire/geofence.ts";
import type { Call } from "../serve/endpoint.ts";
import { fencesNearest } from "./fences-around.ts";

/** Number of geofences that a device gets. */
const NEARBY_GEOFENCES = 10;

/** The enabled geofences nearest to a point, nearest first, without their userIds and segments. */
export async function geofencesNear(
  call: Pick<Call, "env" | "caller" | "now" | "waitUntil">,
  point: Coordinate,
  query: { limit: number; radius?: number } = { limit: NEARBY_GEOFENCES },
): Promise<z.input<typeof geofenceShape>[]> {
  const records = await fencesNearest(call, point, { ...query, activeAt: call.now });
  return records.map((record) => wireGeofence({ ...record, userIds: null, segments: null, ip: null }));
}
