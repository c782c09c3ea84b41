import type { Grant } from "./token-bucket.ts";

/**
 * A machine's share of a remote bucket. It borrows a tenth of a second's tokens at a time and may spend them for 100
 * ms; unspent tokens are returned with the next request. If the bucket is empty, it rejects calls locally until the
 * next token is due. A single machine is held to the limit exactly; several within (machines × lease).
 */
export interface Lease {
  tokens: number;
  expiresAt: number;
  /** A request to the bucket is in progress; concurrent calls request only their own token. */
  asking: boolean;
  /** Reject locally until then [ms]. */
  refusedUntil: number;
}

export const LEASE_MS = 100;
/** No bucket requires a longer wait, because each fills by at least one token per second [ms]. */
const MAX_REFUSAL_MS = 1_100;

export function emptyLease(): Lease {
  return { tokens: 0, expiresAt: 0, asking: false, refusedUntil: 0 };
}

type Decision = "allow" | "refuse" | "ask";

/**
 * Spends a token of the lease, or returns that the bucket must be asked. A time farther in the future than possible was
 * recorded before the clock was set back, and is ignored.
 */
export function spend(lease: Lease, now: number): Decision {
  if (lease.tokens > 0 && isAhead(lease.expiresAt, now, LEASE_MS)) {
    lease.tokens--;
    return "allow";
  }
  return isAhead(lease.refusedUntil, now, MAX_REFUSAL_MS) ? "refuse" : "ask";
}

function isAhead(moment: number, now: number, most: number): boolean {
  return now < moment && moment - now <= most;
}

interface Question {
  wanted: number;
  /** Unspent tokens of the previous lease. */
  returned: number;
  /** Requests the machine's lease, not only a token for one call. */
  leads: boolean;
}

/** The request to the bucket: one token to spend now and the share of the next 100 ms. */
export function question(lease: Lease, rate: number): Question {
  if (lease.asking) return { wanted: 1, returned: 0, leads: false };
  lease.asking = true;
  const returned = lease.tokens;
  lease.tokens = 0;
  return { wanted: Math.max(1, Math.floor((rate * LEASE_MS) / 1000)), returned, leads: true };
}

/** Adds the tokens granted by the bucket and spends one of them. */
export function settle(lease: Lease, { leads }: Question, grant: Grant, now: number): "allow" | "refuse" {
  if (leads) lease.asking = false;
  if (grant.granted === 0) {
    lease.refusedUntil = now + grant.retryAfterMs;
    return "refuse";
  }
  lease.tokens += grant.granted - 1;
  if (leads) lease.expiresAt = now + LEASE_MS;
  return "allow";
}

/** The request to the bucket failed. */
export function abandon(lease: Lease, { leads }: Question): void {
  if (leads) lease.asking = false;
}
