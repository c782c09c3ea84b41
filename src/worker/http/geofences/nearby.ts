import type { z } from "zod";
import type { Coordinate } from "../../../core/geo/coordinate.ts";
import type { FenceUser } from "../../objects/fences/fence-store.ts";
import { type geofenceShape, wireGeofence } from "../../wire/geofence.ts";
import type { Call } from "../serve/endpoint.ts";
import { fencesNearest } from "./fences-around.ts";

/** Number of geofences that a device gets, by default and at most. */
const NEARBY_GEOFENCES = 10;
export const MAX_NEARBY = 100;

/** The enabled geofences for a user nearest to a point, nearest first, without their userIds and segments. */
export async function geofencesNear(
  call: Pick<Call, "env" | "caller" | "now" | "waitUntil">,
  point: Coordinate,
  forUser: FenceUser,
  { limit, radius }: { limit?: number; radius?: number } = {},
): Promise<z.input<typeof geofenceShape>[]> {
  const records = await fencesNearest(call, point, {
    limit: limit || NEARBY_GEOFENCES,
    ...(radius !== undefined && { radius }),
    activeAt: call.now,
    forUser,
  });
  return records.map((record) => wireGeofence({ ...record, userIds: null, segments: null, ip: null }));
}
