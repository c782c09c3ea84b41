import type { Env } from "../env.ts";
import type { Grant } from "../limits/token-bucket.ts";
import type { DatabaseWriter } from "./database-writer.ts";
import type { DeviceTracker } from "./device-tracker.ts";
import type { GeofenceIndex } from "./geofence-index.ts";

/**
 * The objects by what they are about. Calls carry plain values both ways, so a stub is shown as the object itself; the
 * platform's own stub types cannot express tuples and read-only lists.
 */
export function geofenceIndexOf(
  env: Env,
  scope: number,
): Pick<GeofenceIndex, "at" | "near" | "search" | "neighbourhood"> {
  const { GEOFENCE_INDEX } = env;
  return GEOFENCE_INDEX.get(GEOFENCE_INDEX.idFromName(String(scope))) as unknown as GeofenceIndex;
}

export function deviceTrackerOf(
  env: Env,
  scope: number,
  deviceId: string,
): Pick<
  DeviceTracker,
  "track" | "forget" | "replay" | "lookForTrips" | "changeTrip" | "forgetTrip" | "setFraudFlags" | "convert"
> {
  const { DEVICE_TRACKER } = env;
  return DEVICE_TRACKER.get(DEVICE_TRACKER.idFromName(`${scope}:${deviceId}`)) as unknown as DeviceTracker;
}

/** Trackers share a few writers: the more that share one, the larger the batches. */
const WRITERS = 4;

/** The writer for a tracker, by the tracker's id (64 hex digits). */
export function databaseWriterOf(env: Env, trackerId: string): Pick<DatabaseWriter, "store"> {
  const { DATABASE_WRITER } = env;
  const shard = Number.parseInt(trackerId.slice(0, 4), 16) % WRITERS;
  return DATABASE_WRITER.get(DATABASE_WRITER.idFromName(String(shard))) as unknown as DatabaseWriter;
}

export function rateLimiterOf(
  env: Env,
  counter: string,
): { take(rate: number, wanted: number, returned: number): Promise<Grant> } {
  const { RATE_LIMITER } = env;
  return RATE_LIMITER.get(RATE_LIMITER.idFromName(counter));
}
