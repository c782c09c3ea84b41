import { expiresAt } from "../../../core/tracking/trips.ts";
import { DEFAULT_SETTINGS } from "../../../core/tracking/types/settings.ts";
import type { Trip } from "../../../core/tracking/types/trip.ts";
import { idleTrips, updatePending } from "../../db/customers/trips.ts";
import { MovingScopes } from "../../db/moves/moving-scopes.ts";
import { describeBriefly } from "../../platform/describe-error.ts";
import type { Env } from "../../platform/env.ts";
import { deviceTrackerOf } from "../tracker/device-tracker-stub.ts";

/** Minimum time before a trip expires [ms]. */
const MIN_COUNT = 24 * 3600_000;
const MAX_COUNT = 500;

/** Runs hourly: ends trips that have had no updates for too long. Returns how many. */
export async function expireTrips(env: Env, now: number): Promise<number> {
  let expired = 0;
  const moving = new MovingScopes(env);
  const idle = await moving.leftOutOf((except) => idleTrips(env.DB, now - MIN_COUNT, MAX_COUNT, except));
  for (const { scope, trip } of idle) {
    if (now <= expiresAt(trip)) continue;
    try {
      await moving.unlessMoving(scope, async () => {
        await expire(env, scope, trip, now);
        expired++;
      });
    } catch (error) {
      // A trip that can't be ended must not stop the others.
      console.error(JSON.stringify({ what: "expire", error: describeBriefly(error) }));
    }
  }
  return expired;
}

async function expire(env: Env, scope: number, trip: Trip, now: number): Promise<void> {
  const { deviceId } = trip;
  const request = { scope, settings: DEFAULT_SETTINGS, trip, change: { status: "expired" as const }, now };
  const done = deviceId !== undefined && (await deviceTrackerOf(env, scope, deviceId).changeTrip(request));
  if (done) return;
  const ended = { ...trip, status: "expired" as const, endedAt: now, updatedAt: now, version: trip.version + 1 };
  await updatePending(env.DB, scope, { ...ended, deviceId: undefined });
}
