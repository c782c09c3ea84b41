import type { Grant } from "./token-bucket.ts";

/**
 * A machine's share of a bucket that lives elsewhere. It borrows a tenth of a second's tokens at a time and may spend
 * them for 100 ms; when the bucket is empty it refuses by itself until the next token is due. One machine alone is held
 * to the limit exactly; many are held to it within (machines × lease).
 */
export interface Lease {
  tokens: number;
  expiresAt: number;
  /** Refuse without asking until then [ms]. */
  refusedUntil: number;
}

export const LEASE_MS = 100;

export function emptyLease(): Lease {
  return { tokens: 0, expiresAt: 0, refusedUntil: 0 };
}

export type Decision = "allow" | "refuse" | "ask";

/** Spends a token of the lease, or says that the bucket has to be asked. */
export function spend(lease: Lease, now: number): Decision {
  if (lease.tokens > 0 && now < lease.expiresAt) {
    lease.tokens--;
    return "allow";
  }
  return now < lease.refusedUntil ? "refuse" : "ask";
}

/** How many tokens to ask for: one to spend now and the share of the next 100 ms. */
export function leaseSize(rate: number): number {
  return Math.max(1, Math.floor((rate * LEASE_MS) / 1000));
}

/** Books what the bucket granted and spends one token of it. */
export function settle(lease: Lease, grant: Grant, now: number): "allow" | "refuse" {
  if (grant.granted === 0) {
    lease.refusedUntil = now + grant.retryAfterMs;
    return "refuse";
  }
  if (now >= lease.expiresAt) lease.tokens = 0;
  lease.tokens += grant.granted - 1;
  lease.expiresAt = now + LEASE_MS;
  return "allow";
}
