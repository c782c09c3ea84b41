import type { Env } from "../env.ts";
import type { Grant } from "../limits/token-bucket.ts";
import type { Segment, UserState } from "../tracking/types/state.ts";
import type { DatabaseWriter } from "./database-writer.ts";
import type { DeviceTracker } from "./device-tracker.ts";
import type { GeofenceIndex } from "./geofence-index.ts";
import type { WebhookSender } from "./webhook-sender.ts";

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
> & {
  setSegments(id: string, segments: readonly Segment[]): Promise<UserState | undefined>;
  user(id: string): Promise<UserState | undefined>;
} {
  const { DEVICE_TRACKER } = env;
  return DEVICE_TRACKER.get(DEVICE_TRACKER.idFromName(`${scope}:${deviceId}`)) as never;
}

/** Trackers share a few writers: the more that share one, the larger the batches. */
const WRITERS = 4;

/** The writer for a tracker, by the tracker's id (64 hex digits). */
export function databaseWriterOf(env: Env, trackerId: string): Pick<DatabaseWriter, "store"> {
  const { DATABASE_WRITER } = env;
  const shard = Number.parseInt(trackerId.slice(0, 4), 16) % WRITERS;
  return DATABASE_WRITER.get(DATABASE_WRITER.idFromName(String(shard))) as unknown as DatabaseWriter;
}

/** How long a reader waits for what is on its way [ms]. */
const SETTLE_MS = 1_000;

/**
 * Waits until what trackers have handed to the writers is in the database: who reads after an answer of track finds what it
 * said. It costs the reader a hop to each writer, and a track nothing.
 */
export async function settleWrites(env: Env): Promise<void> {
  const { DATABASE_WRITER } = env;
  const settled = Array.from({ length: WRITERS }, (_, shard) =>
    DATABASE_WRITER.get(DATABASE_WRITER.idFromName(String(shard))).settle(),
  );
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, SETTLE_MS);
  });
  await Promise.race([Promise.allSettled(settled), late]);
  clearTimeout(timer);
}

/** Tells every writer that a scope's webhooks have changed. Who does not hear it knows within ten seconds. */
export async function announceWebhooks(env: Env, scope: number): Promise<void> {
  const { DATABASE_WRITER } = env;
  const writers = Array.from({ length: WRITERS }, (_, shard) =>
    DATABASE_WRITER.get(DATABASE_WRITER.idFromName(String(shard))),
  );
  await Promise.allSettled(writers.map((writer) => writer.webhooksChanged(scope)));
}

export function webhookSenderOf(
  env: Env,
  scope: number,
  id: string,
): Pick<WebhookSender, "accept" | "replay" | "test" | "changed" | "state" | "forgetUsers" | "clear"> {
  const { WEBHOOK_SENDER } = env;
  return WEBHOOK_SENDER.get(WEBHOOK_SENDER.idFromName(`${scope}:${id}`)) as unknown as WebhookSender;
}

export function rateLimiterOf(
  env: Env,
  counter: string,
): { take(rate: number, wanted: number, returned: number): Promise<Grant> } {
  const { RATE_LIMITER } = env;
  return RATE_LIMITER.get(RATE_LIMITER.idFromName(counter));
}
