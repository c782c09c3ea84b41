import type { Grant } from "./token-bucket.ts";

/**
 * A machine's share of a bucket that lives elsewhere. It borrows a tenth of a second's tokens at a time and may spend
 * them for 100 ms; what is left then goes back with the next question. When the bucket is empty it refuses by itself
 * until the next token is due. One machine alone is held to the limit exactly; many within (machines × lease).
 */
export interface Lease {
  tokens: number;
  expiresAt: number;
  /** A question is on its way; the calls that come meanwhile ask for themselves only. */
  asking: boolean;
  /** Refuse without asking until then [ms]. */
  refusedUntil: number;
}

export const LEASE_MS = 100;
/** No bucket asks anybody to wait longer, as each fills by a token a second at least [ms]. */
const MAX_REFUSAL_MS = 1_100;

export function emptyLease(): Lease {
  return { tokens: 0, expiresAt: 0, asking: false, refusedUntil: 0 };
}

export type Decision = "allow" | "refuse" | "ask";

/**
 * Spends a token of the lease, or says that the bucket has to be asked. A moment that lies farther ahead than any can was
 * noted before the clock was set back: it does not count.
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

export interface Question {
  wanted: number;
  /** Tokens of the lease before that were not spent. */
  returned: number;
  /** Asks for the machine's lease, not for one call only. */
  leads: boolean;
}

/** What to ask the bucket for: one token to spend now and the share of the next 100 ms. */
export function question(lease: Lease, rate: number): Question {
  if (lease.asking) return { wanted: 1, returned: 0, leads: false };
  lease.asking = true;
  const returned = lease.tokens;
  lease.tokens = 0;
  return { wanted: Math.max(1, Math.floor((rate * LEASE_MS) / 1000)), returned, leads: true };
}

/** Books what the bucket granted to a question and spends one token of it. */
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

/** The question got no answer. */
export function abandon(lease: Lease, { leads }: Question): void {
  if (leads) lease.asking = false;
}
