import { BoundedMap } from "../../geo/bounded-map.ts";
import type { Env } from "../../platform/env.ts";
import { rateLimiterOf } from "../stubs/rate-limiter.ts";

/** Objects that publishable keys may create only at an hourly rate: the names of limits (src/limits/table.ts). */
export type Creation = "newUsers" | "newTrips";

/** Borrowed from the counter together: a share of the limit, up to this number. */
const SHARE = 100;
const MAX_BORROWED = 100;
const MAX_COUNTERS = 10_000;

/** Borrowed but unused tokens of this isolate, by counter. */
const borrowed = new BoundedMap<string, number>(MAX_COUNTERS);

/**
 * Counts one object created with a scope's publishable key.
 * @param limit per hour
 * @returns milliseconds until another may be created; 0: allowed and counted
 */
export async function takeCreation(env: Env, scope: number, what: Creation, limit: number): Promise<number> {
  const counter = `${scope}:${what}`;
  const left = borrowed.get(counter) ?? 0;
  if (left > 0) {
    borrowed.set(counter, left - 1);
    return 0;
  }
  const wanted = Math.min(MAX_BORROWED, Math.max(1, Math.floor(limit / SHARE)));
  const { granted, retryAfterMs } = await rateLimiterOf(env, counter).takeHourly(limit, wanted);
  if (granted === 0) return Math.max(1, retryAfterMs);
  borrowed.set(counter, (borrowed.get(counter) ?? 0) + granted - 1);
  return 0;
}

/** Counts a new user against the limit of the caller's key; undefined: it may be created. */
export async function takeUser(env: Env, scope: number, { newUsers }: { newUsers: number }) {
  const waitMs = await takeCreation(env, scope, "newUsers", newUsers);
  return waitMs > 0 ? { limited: true as const, waitMs, creation: "newUsers" as const } : undefined;
}
