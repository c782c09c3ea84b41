import { BoundedMap } from "../../geo/bounded-map.ts";
import { readFenceEpoch } from "../../db/customers/geofences.ts";
import { within } from "../../objects/within.ts";
import { fenceEpochOf, noteFenceEpoch } from "./callers/caller.ts";
import type { Call } from "./endpoint.ts";

/**
 * A change of a geofence that another isolate or machine has made counts here within two seconds. What is this old [ms] is asked again
 * behind an answer, and what is older than that before it.
 */
const [BEHIND_MS, BEFORE_MS] = [700, 1_500];
/** How long that may take [ms]; a database that is slower, or away, tells later. */
const PATIENCE_MS = 400;
const MAX_SCOPES = 10_000;

/** When the database was last asked for the epoch of a scope [ms]. */
const asked = new BoundedMap<number, number>(MAX_SCOPES);

/** The epoch of the scope's geofences as it was at most two seconds ago. Without a promise where it was asked for just now. */
export function freshFenceEpoch(call: Pick<Call, "env" | "caller" | "now" | "waitUntil">): number | Promise<number> {
  const { env, caller, now, waitUntil } = call;
  const age = Math.abs(now - (asked.get(caller.scope) ?? 0));
  if (age < BEHIND_MS) return fenceEpochOf(caller);
  asked.set(caller.scope, now);
  const asking = readFenceEpoch(env.DB, caller.scope).then((epoch) => noteFenceEpoch(caller.scope, epoch));
  const asleep = within(PATIENCE_MS, asking);
  if (age < BEFORE_MS) {
    waitUntil(asleep);
    return fenceEpochOf(caller);
  }
  return asleep.then(() => fenceEpochOf(caller));
}
