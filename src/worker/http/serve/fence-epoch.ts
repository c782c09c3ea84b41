import { BoundedMap } from "../../../core/geo/bounded-map.ts";
import { FENCE_EPOCH_MS } from "../../../core/limits/capacity.ts";
import { readFenceEpoch } from "../../db/customers/geofences.ts";
import { within } from "../../platform/within.ts";
import { fenceEpochOf, noteFenceEpoch } from "./callers/caller.ts";
import type { Call } from "./endpoint.ts";

/**
 * A geofence change by another isolate or machine takes effect here within two seconds. A value of FENCE_EPOCH_MS is refreshed after a
 * response, and one this old before it [ms].
 */
const BEFORE_MS = 1_500;
/** Timeout of a refresh [ms]; a slower or unavailable database is queried later. */
const PATIENCE_MS = 400;
const MAX_SCOPES = 10_000;

/** When the epoch of a scope was last queried [ms]. */
const asked = new BoundedMap<number, number>(MAX_SCOPES);

/** The epoch of the scope's geofences, at most two seconds old. Without a promise if it was just queried. */
export function freshFenceEpoch(call: Pick<Call, "env" | "caller" | "now" | "waitUntil">): number | Promise<number> {
  const { env, caller, now, waitUntil } = call;
  const age = Math.abs(now - (asked.get(caller.scope) ?? 0));
  if (age < FENCE_EPOCH_MS) return fenceEpochOf(caller);
  asked.set(caller.scope, now);
  const asking = readFenceEpoch(env.DB, caller.scope).then((epoch) => noteFenceEpoch(caller.scope, epoch));
  const asleep = within(PATIENCE_MS, asking);
  if (age < BEFORE_MS) {
    waitUntil(asleep);
    return fenceEpochOf(caller);
  }
  return asleep.then(() => fenceEpochOf(caller));
}
