import type { Grant, TokenBucket } from "./token-bucket.ts";

const HOUR_MS = 3600_000;

/** A full bucket for one hour, for calls that may come in bursts but not indefinitely. */
export function fullHour(limit: number, now: number): TokenBucket {
  return { tokens: limit, at: now };
}

/** Takes up to `wanted` of `limit` per hour. A clock that steps back adds nothing. */
export function takeHourly(bucket: TokenBucket, limit: number, wanted: number, now: number): Grant {
  const elapsed = Math.max(0, now - bucket.at);
  bucket.tokens = Math.min(limit, bucket.tokens + (elapsed * limit) / HOUR_MS);
  bucket.at = now;
  const granted = Math.max(0, Math.min(wanted, Math.floor(bucket.tokens + 1e-9)));
  bucket.tokens -= granted;
  const missing = Math.max(0, 1 - bucket.tokens);
  return {
    granted,
    remaining: Math.max(0, Math.floor(bucket.tokens)),
    retryAfterMs: waitFor(limit, missing),
  };
}

/** Takes what was used already, even if the bucket has less: it then owes the rest. */
export function chargeHourly(bucket: TokenBucket, limit: number, used: number, now: number): void {
  takeHourly(bucket, limit, 0, now);
  bucket.tokens -= used;
}

/** Milliseconds until the bucket owes nothing. 0: it has something left. */
export function hourlyWait(bucket: TokenBucket, limit: number, now: number): number {
  takeHourly(bucket, limit, 0, now);
  return bucket.tokens >= 1 ? 0 : waitFor(limit, 1 - bucket.tokens);
}

function waitFor(limit: number, missing: number): number {
  return limit === 0 ? HOUR_MS : Math.ceil((missing * HOUR_MS) / limit);
}
