import { distance } from "../geo/distance.ts";
import { FRAUD_CHECKS, type FraudCheck, type FraudState } from "./types/fraud.ts";
import type { TrackingSettings } from "./types/settings.ts";
import type { UserState } from "./types/state.ts";
import type { LocationUpdate } from "./types/update.ts";

/** Faster than any airliner with a tailwind [m/s]: 1,440 km/h. */
const TOP_SPEED = 400;
/**
 * The accuracy circle contains the device two times out of three; one of twice the radius nearly always (see `moved`).
 */
const SURELY = 2;
/** Minimum assumed duration of a move [s]: clocks that differ may make it seem to take no time. */
const SHORTEST = 1;

/**
 * The checks that an update fails, or undefined if the project has disabled fraud checks:
 *
 * - mocked, compromised, sharing: reported by the client;
 * - proxy: the connection comes from a network of proxies or VPNs;
 * - inaccurate: its accuracy is worse than the project's bound;
 * - jumped: even between the nearest points of the two accuracy circles it moved faster than any airliner.
 */
export function judgeFraud(
  before: UserState | undefined,
  update: LocationUpdate,
  settings: TrackingSettings,
  at: number,
): FraudState | undefined {
  if (!settings.fraud) return undefined;
  const claims = update.claims ?? {};
  const fails: Record<FraudCheck, boolean> = {
    mocked: claims.mocked === true,
    jumped: before !== undefined && jumped(before, update, at),
    compromised: claims.compromised === true,
    inaccurate: update.accuracy > settings.fraudAccuracy,
    proxy: claims.proxy === true,
    sharing: claims.sharing === true,
  };
  const failed = FRAUD_CHECKS.filter((check) => fails[check]);
  const lastFailed = { ...before?.fraud?.lastFailed };
  for (const check of failed) lastFailed[check] = at;
  return { verified: claims.verified === true, failed, lastFailed };
}

function jumped(before: UserState, { location, accuracy }: LocationUpdate, at: number): boolean {
  const apart = distance(before.location, location) - SURELY * (before.locationAccuracy + accuracy);
  return apart > TOP_SPEED * Math.max(SHORTEST, (at - before.chronology) / 1000);
}
