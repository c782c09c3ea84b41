import { AddressBuckets } from "../../limits/address.ts";
import type { Grant } from "../../limits/token-bucket.ts";
import { tooManyRequests } from "./rate-limit.ts";

const buckets = new AddressBuckets();

/**
 * Takes one call out of what an address may do, or throws 429. Where the platform tells no address (a socket of workerd
 * itself, as in benches), nothing is counted.
 */
export function limitAddress(ip: string | undefined, what: string, rate: number, now: number): void {
  if (ip !== undefined) pass(buckets.take(ip, what, rate, now), what, rate, now);
}

/**
 * Throws when the address has nothing left, and takes nothing: `limitAddress` does when the call turns out to be wrong.
 */
export function checkAddress(ip: string | undefined, what: string, rate: number, now: number): void {
  if (ip !== undefined) pass(buckets.look(ip, what, rate, now), what, rate, now);
}

function pass({ granted, retryAfterMs }: Grant, what: string, rate: number, now: number): void {
  if (granted === 0) throw tooManyRequests(rate, retryAfterMs, now, `${what} from one address`);
}
