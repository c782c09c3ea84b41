import { confidenceOfAccuracy } from "../confidence.ts";
import { emit } from "../emit.ts";
import { fireOrders } from "../orders.ts";
import {
  adoptRule,
  approachRule,
  arrivalRule,
  expiryRule,
  tripAccuracyRule,
  wrongRule,
} from "../trace/journey-rules.ts";
import { adopt, expiresAt, stopTrip, withDelay } from "../trips.ts";
import type { EventType } from "../types/event.ts";
import type { Trip } from "../types/trip.ts";
import type { UpdateContext } from "../update-context.ts";
import { travelLegs, withKnownEtas } from "./travel-legs.ts";

/**
 * Advances the user's trip:
 *
 *     pending ──first update──► started ──ETA ≤ threshold──► approaching ──in the destination──► arrived
 *        └────────────── PATCH completed, canceled; no update for long: expired ──────────────────┘
 *
 * Every update generates one event: started, approaching or arrived, or else updated, which has the new ETA.
 */
export function travel(context: UpdateContext): void {
  const { state, surroundings, at, trace } = context;
  if (state.trip) trace?.(expiryRule(state.trip, at, expiresAt(state.trip)));
  if (state.trip && at > expiresAt(state.trip)) stopTrip(context, state.trip, "expired");
  const adopted = surroundings.trip?.adopted;
  const begins = adopted !== undefined && adopted._id !== state.trip?._id && adopted._id !== state.endedTrip;
  if (begins) trace?.(adoptRule(adopted));
  if (begins) adopt(context, withKnownEtas(adopted, surroundings, at));
  const { trip } = state;
  if (trip) trace?.(tripAccuracyRule(trip, context.update, context.settings));
  if (!trip || context.update.accuracy > context.settings.accuracyLimit) return;
  const known = surroundings.trip?.eta;
  const next: Trip = { ...trip, updatedAt: at, version: trip.version + 1 };
  if (next.legs) {
    travelLegs(context, next, begins);
    fireOrders(context);
    return;
  }
  if (known?.trip === trip._id) next.eta = { ...known.eta, at };
  const types: EventType[] = [];
  const arrives = next.status !== "arrived" && isThere(context, next);
  trace?.(arrivalRule(next, arrives));
  if (next.status === "started" && !arrives) trace?.(approachRule(next, isNear(next)));
  if (arrives) {
    next.status = "arrived";
    next.arrivedAt = at;
    types.push("user.arrived_at_trip_destination");
  } else if (next.status === "started" && isNear(next)) {
    next.status = "approaching";
    next.approachingAt = at;
    types.push("user.approaching_trip_destination");
  }
  const wrong = isWrong(context, next);
  if (wrong) trace?.(wrongRule(next));
  if (wrong) types.push("user.arrived_at_wrong_trip_destination");
  if (types.length === 0 && !begins) types.push("user.updated_trip");
  state.trip = withDelay(next);
  context.trips.push(state.trip);
  const confidence = confidenceOfAccuracy(context.update.accuracy);
  for (const type of types) emit(context, type, { trip: state.trip, confidence });
  fireOrders(context);
}

function isThere({ state }: UpdateContext, { destination }: Trip): boolean {
  return destination !== undefined && Object.hasOwn(state.geofences, destination.fence);
}

function isNear({ eta, approachingThreshold }: Trip): boolean {
  return eta !== undefined && approachingThreshold !== undefined && eta.duration <= approachingThreshold;
}

/** Has the user entered another geofence with the destination's tag? */
function isWrong({ fences }: UpdateContext, { destination }: Trip): boolean {
  return (
    destination !== undefined &&
    fences.entries.some(({ fence }) => fence.tag === destination.tag && fence.id !== destination.fence)
  );
}
