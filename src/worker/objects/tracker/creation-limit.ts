import { BoundedMap } from "../../../core/geo/bounded-map.ts";
import { BYTES_PER_MEGABYTE, type Creation } from "../../../core/limits/table.ts";
import { describeError } from "../../platform/describe-error.ts";
import type { Env } from "../../platform/env.ts";
import { rateLimiterOf } from "../rate-limiter-stub.ts";

/** Borrowed from the counter together: a share of the limit, up to this number of objects. */
const SHARE = 100;
const MAX_BORROWED = 100;
/** The same for bytes, which every isolate that tracks borrows. */
const SHARE_OF_BYTES = 1000;
const MAX_COUNTERS = 10_000;
const HOUR_MS = 3600_000;

/** Limits of what is added, of a scope [per hour]; the one per device is in the device's object. */
type Counted = Exclude<Creation, "newMegabytesPerDevice">;

/** What this isolate has borrowed and not used; negative: it has used more. Until when the counter has no more [ms]. */
interface Borrowed {
  left: number;
  refusedUntil: number;
}
const borrowed = new BoundedMap<string, Borrowed>(MAX_COUNTERS);

function borrowedOf(counter: string): Borrowed {
  let own = borrowed.get(counter);
  if (!own) {
    own = { left: 0, refusedUntil: 0 };
    borrowed.set(counter, own);
  }
  return own;
}

/**
 * Counts one object created with a scope's publishable key.
 * @param limit per hour
 * @returns milliseconds until another may be created; 0: allowed and counted
 */
export async function takeCreation(env: Env, scope: number, what: Counted, limit: number): Promise<number> {
  const counter = `${scope}:${what}`;
  const own = borrowedOf(counter);
  if (own.left < 1) {
    const share = Math.min(MAX_BORROWED, Math.max(1, Math.floor(limit / SHARE)));
    const { granted, retryAfterMs } = await rateLimiterOf(env, counter).takeHourly(limit, share);
    own.left += granted;
    if (granted === 0) return Math.max(1, retryAfterMs);
  }
  own.left--;
  return 0;
}

/** Counts a new user against the limit of the caller's key; undefined: it may be created. */
export async function takeUser(env: Env, scope: number, { newUsers }: { newUsers: number }) {
  const waitMs = await takeCreation(env, scope, "newUsers", newUsers);
  return waitMs > 0 ? { limited: true as const, waitMs, creation: "newUsers" as const } : undefined;
}

/**
 * Milliseconds until a scope's publishable key may add data; 0: now. Not a promise while this isolate has some left, so that
 * an update waits for nothing.
 * @param megabytes the limit per hour
 */
export function waitForBytes(env: Env, scope: number, megabytes: number, now: number): number | Promise<number> {
  const counter = `${scope}:newMegabytes`;
  const own = borrowedOf(counter);
  if (own.left > 0) return 0;
  const waitMs = own.refusedUntil - now;
  if (waitMs > 0 && waitMs <= HOUR_MS) return waitMs;
  return borrowBytes(env, counter, own, megabytes * BYTES_PER_MEGABYTE, now);
}

async function borrowBytes(env: Env, counter: string, own: Borrowed, limit: number, now: number): Promise<number> {
  const share = Math.ceil(limit / SHARE_OF_BYTES);
  try {
    const wanted = share - own.left;
    const { granted } = await rateLimiterOf(env, counter).takeHourly(limit, wanted);
    own.left += granted;
  } catch (error) {
    // Tracking does not depend on the counter, which is asked again after a while.
    console.error(JSON.stringify({ what: "limit of bytes", error: describeError(error) }));
    own.left = share;
    return 0;
  }
  if (own.left > 0) return 0;
  const waitMs = limit === 0 ? HOUR_MS : Math.min(HOUR_MS, Math.ceil(((share - own.left) * HOUR_MS) / limit));
  own.refusedUntil = now + waitMs;
  return waitMs;
}

/** Counts bytes that were added with a scope's publishable key. */
export function chargeBytes(scope: number, bytes: number): void {
  if (bytes > 0) borrowedOf(`${scope}:newMegabytes`).left -= bytes;
}

/** At least this long, this isolate believes that no user may be created after one was refused [ms]. */
const BELIEVED_MS = 1_000;

/** A tracker has refused a new user. */
export function noteRefusedUser(scope: number, waitMs: number, now: number): void {
  borrowedOf(`${scope}:newUsers`).refusedUntil = now + Math.max(waitMs, BELIEVED_MS);
}

/** Milliseconds until a user may be created, as far as this isolate knows; 0: perhaps now. */
export function waitForUsers(scope: number, now: number): number {
  const waitMs = (borrowed.get(`${scope}:newUsers`)?.refusedUntil ?? 0) - now;
  return waitMs > 0 && waitMs <= HOUR_MS ? waitMs : 0;
}
