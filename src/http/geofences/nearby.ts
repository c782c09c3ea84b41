import type { z } from "zod";
import type { Env } from "../../env.ts";
import type { Coordinate } from "../../geo/coordinate.ts";
import { geofenceIndexOf } from "../../objects/stubs/geofence-index.ts";
import { type geofenceShape, wireGeofence } from "../../wire/geofence.ts";
import { fenceEpochOf } from "../serve/caller.ts";
import type { Caller } from "../serve/identity.ts";

/** How many geofences a device gets. */
export const NEARBY_GEOFENCES = 10;

/** The enabled geofences nearest to a point, nearest first; without the users they are for. */
export async function geofencesNear(
  env: Env,
  caller: Caller,
  point: Coordinate,
  now: number,
  query: { limit: number; radius?: number } = { limit: NEARBY_GEOFENCES },
): Promise<z.input<typeof geofenceShape>[]> {
  const epoch = fenceEpochOf(caller);
  if (epoch === 0) return [];
  const index = geofenceIndexOf(env, caller.scope);
  const records = await index.search(caller.scope, epoch, point, { ...query, activeAt: now });
  return records.map((record) => wireGeofence({ ...record, userIds: null, ip: null }));
}
