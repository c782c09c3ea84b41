/** true = the check fails; `verified`: the update came through verified tracking. */
export interface FraudClaims {
  mocked?: boolean;
  compromised?: boolean;
  sharing?: boolean;
  proxy?: boolean;
  verified?: boolean;
}

export const FRAUD_CHECKS = ["mocked", "jumped", "compromised", "inaccurate", "proxy", "sharing"] as const;
export type FraudCheck = (typeof FRAUD_CHECKS)[number];

/** The checks that the last update failed, and when each check failed last [ms]. */
export interface FraudState {
  verified: boolean;
  failed: readonly FraudCheck[];
  lastFailed: Readonly<Partial<Record<FraudCheck, number>>>;
}

/** The customer's decisions about a user. */
export interface FraudFlags {
  bypassed?: boolean;
  blocked?: boolean;
}
