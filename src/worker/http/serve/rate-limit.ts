import { BoundedMap } from "../../../core/geo/bounded-map.ts";
import { abandon, emptyLease, type Lease, question, settle, spend } from "../../../core/limits/lease.ts";
import { type Creation, rateLimitOf } from "../../../core/limits/table.ts";
import { fullBucket, type TokenBucket, takeTokens } from "../../../core/limits/token-bucket.ts";
import { rateLimiterOf } from "../../objects/rate-limiter-stub.ts";
import { describeError } from "../../platform/describe-error.ts";
import type { Env } from "../../platform/env.ts";
import { ApiError } from "../../platform/errors.ts";
import type { Caller } from "./callers/identity.ts";

const MAX_LEASES = 10_000;
const leases = new BoundedMap<string, Lease>(MAX_LEASES);

/** Counts one call against the scope's rate for an endpoint, or throws 429. Nothing is awaited if the lease has tokens. */
export function limitRate(env: Env, caller: Caller, endpoint: string, now: number): Promise<void> | undefined {
  const rate = rateLimitOf(endpoint, caller.settings.rateLimits);
  // Dashboard requests do not use up the project's own rate.
  const whose = caller.member ? `:${caller.member.id}` : "";
  return limitRateOf(env, `${caller.scope}:${endpoint}${whose}`, rate, now);
}

/** The same for any counter, such as one per address. */
export function limitRateOf(env: Env, counter: string, rate: number, now: number): Promise<void> | undefined {
  let lease = leases.get(counter);
  if (!lease) {
    lease = emptyLease();
    leases.set(counter, lease);
  }
  const decision = spend(lease, now);
  if (decision === "allow") return undefined;
  if (decision === "refuse") throw refusal(lease, rate, now);
  return ask(env, counter, lease, rate, now);
}

function refusal({ refusedUntil }: Lease, rate: number, now: number): ApiError {
  return tooManyRequests(rate, refusedUntil - now, now);
}

async function ask(env: Env, counter: string, lease: Lease, rate: number, now: number): Promise<void> {
  const asked = question(lease, rate);
  let decision: "allow" | "refuse";
  try {
    const grant = await rateLimiterOf(env, counter).take(rate, asked.wanted, asked.returned);
    decision = settle(lease, asked, grant, now);
  } catch (error) {
    abandon(lease, asked);
    console.error(JSON.stringify({ what: "rate limit", error: describeError(error) }));
    return countHere(counter, rate, now);
  }
  if (decision === "refuse") throw refusal(lease, rate, now);
}

/** Buckets of this isolate, used while a counter is unavailable: its object writes a file at startup, which fails on a full disk. */
const own = new BoundedMap<string, TokenBucket>(MAX_LEASES);

/** @throws ApiError 429 */
function countHere(counter: string, rate: number, now: number): void {
  let bucket = own.get(counter);
  if (!bucket) {
    bucket = fullBucket(rate, now);
    own.set(counter, bucket);
  }
  const { granted, retryAfterMs } = takeTokens(bucket, rate, 1, now);
  if (granted === 0) throw tooManyRequests(rate, retryAfterMs, now);
}

const ADDITIONS: Readonly<Record<Creation, string>> = {
  newUsers: "new users",
  newTrips: "new trips",
  newEvents: "new events",
  newMegabytes: "MB of new data",
  newMegabytesPerDevice: "MB of new data per device",
};

/** The API's 429 for what a publishable key may add at a limited rate. @param waitMs until it may add more */
export function tooManyNew(what: Creation, limit: number, waitMs: number, now: number): ApiError {
  return new ApiError(
    429,
    `Rate limit exceeded: ${limit} ${ADDITIONS[what]} per hour with a publishable key (${what}).`,
    {
      type: what,
      headers: limitHeaders(limit, Math.max(1, waitMs), now),
    },
  );
}

/** The API's 429. `waitMs`: time until the next call may pass. */
export function tooManyRequests(rate: number, waitMs: number, now: number, what = "requests"): ApiError {
  const wait = Math.max(1, waitMs);
  return new ApiError(429, `Rate limit exceeded: ${rate} ${what} per second.`, {
    type: "second",
    headers: limitHeaders(rate, wait, now),
  });
}

function limitHeaders(limit: number, waitMs: number, now: number): Record<string, string> {
  return {
    "X-RateLimit-Limit": String(limit),
    "X-RateLimit-Remaining": "0",
    "X-RateLimit-Reset": String(Math.ceil((now + waitMs) / 1000)),
    "Retry-After": String(Math.max(1, Math.ceil(waitMs / 1000))),
  };
}
