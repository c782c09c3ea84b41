import { AddressBuckets } from "../../../../core/limits/address.ts";
import type { Grant } from "../../../../core/limits/token-bucket.ts";
import { tooManyRequests } from "../rate-limit.ts";

/** Calls of the dashboard's own endpoints by one member [per second]. */
export const CALLS_PER_MEMBER = 50;

const buckets = new AddressBuckets();

/** The key for requests without an address: they share one limit, so that none is unlimited. */
const UNKNOWN_ADDRESS = "unknown";

/** Counts one call of an address, or throws 429. */
export function limitAddress(ip = UNKNOWN_ADDRESS, what: string, rate: number, now: number): void {
  pass(buckets.take(ip, what, rate, now), what, rate, now);
}

/**
 * Throws when the address has no calls left, without counting one: `limitAddress` counts it if the call turns out to be
 * wrong.
 */
export function checkAddress(ip = UNKNOWN_ADDRESS, what: string, rate: number, now: number): void {
  pass(buckets.look(ip, what, rate, now), what, rate, now);
}

/** Counts one call of a dashboard endpoint toward the member's limit, or throws 429. */
export function limitMember(id: string, now: number): void {
  const { granted, retryAfterMs } = buckets.take(id, "dashboard", CALLS_PER_MEMBER, now);
  if (granted === 0) throw tooManyRequests(CALLS_PER_MEMBER, retryAfterMs, now, "calls of the dashboard");
}

function pass({ granted, retryAfterMs }: Grant, what: string, rate: number, now: number): void {
  if (granted === 0) throw tooManyRequests(rate, retryAfterMs, now, `${what} from one address`);
}
