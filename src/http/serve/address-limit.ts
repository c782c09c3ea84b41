import { addressGroup } from "../../limits/address.ts";
import { fullBucket, type TokenBucket, takeTokens } from "../../limits/token-bucket.ts";
import type { ApiError } from "./errors.ts";
import { tooManyRequests } from "./rate-limit.ts";

const MAX_BUCKETS = 5_000;
const buckets = new Map<string, TokenBucket>();

/**
 * Calls of one address that no key accounts for: open endpoints, and keys that nobody has. Counted on this machine only and
 * without asking anybody, so that refusing costs less than answering would. Where the platform tells no address (a socket of
 * workerd itself, as in benches), nothing is counted.
 */
export function limitAddress(ip: string | undefined, what: string, rate: number, now: number): void {
  const refusal = takeOf(ip, what, rate, now, 1);
  if (refusal) throw refusal;
}

/** Throws when the address has nothing left, and takes nothing. */
export function checkAddress(ip: string | undefined, what: string, rate: number, now: number): void {
  const refusal = takeOf(ip, what, rate, now, 1, 1);
  if (refusal) throw refusal;
}

/** Takes one, or what there is. */
export function chargeAddress(ip: string | undefined, what: string, rate: number, now: number): void {
  takeOf(ip, what, rate, now, 1);
}

function takeOf(
  ip: string | undefined,
  what: string,
  rate: number,
  now: number,
  wanted: number,
  givenBack = 0,
): ApiError | undefined {
  if (ip === undefined) return undefined;
  const name = `${what} ${addressGroup(ip)}`;
  let bucket = buckets.get(name);
  if (!bucket) {
    if (buckets.size >= MAX_BUCKETS) buckets.clear();
    bucket = fullBucket(rate, now);
    buckets.set(name, bucket);
  }
  const { granted, retryAfterMs } = takeTokens(bucket, rate, wanted, now);
  if (granted > 0) bucket.tokens += givenBack;
  return granted > 0 ? undefined : tooManyRequests(rate, retryAfterMs, now, `${what} from one address`);
}
