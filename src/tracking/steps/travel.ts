import { confidenceOfAccuracy } from "../confidence.ts";
import { adopt, expiresAt, stopTrip, withDelay } from "../trips.ts";
import { emit, type Turn } from "../turn.ts";
import type { EventType } from "../types/event.ts";
import type { Trip } from "../types/trip.ts";

/**
 * Takes the user's trip a step further:
 *
 *     pending ──first update──► started ──ETA ≤ threshold──► approaching ──in the destination──► arrived
 *        └────────────── PATCH completed, canceled; no update for long: expired ──────────────────┘
 *
 * Every update tells one of started, approaching, arrived; if none of them, that the ETA is another.
 */
export function travel(turn: Turn): void {
  const { state, surroundings, at } = turn;
  if (state.trip && at > expiresAt(state.trip)) stopTrip(turn, state.trip, "expired");
  const adopted = surroundings.trip?.adopted;
  const begins = adopted !== undefined && adopted._id !== state.trip?._id && adopted._id !== state.endedTrip;
  if (begins) adopt(turn, adopted);
  const { trip } = state;
  if (!trip || turn.update.accuracy > turn.settings.accuracyLimit) return;
  const known = surroundings.trip?.eta;
  const next: Trip = { ...trip, updatedAt: at, version: trip.version + 1 };
  if (known?.trip === trip._id) next.eta = known.eta;
  const told: EventType[] = [];
  if (next.status !== "arrived" && isThere(turn, next)) {
    next.status = "arrived";
    next.arrivedAt = at;
    told.push("user.arrived_at_trip_destination");
  } else if (next.status === "started" && isNear(next)) {
    next.status = "approaching";
    next.approachingAt = at;
    told.push("user.approaching_trip_destination");
  }
  if (isWrong(turn, next)) told.push("user.arrived_at_wrong_trip_destination");
  if (told.length === 0 && !begins) told.push("user.updated_trip");
  state.trip = withDelay(next);
  turn.trips.push(state.trip);
  const confidence = confidenceOfAccuracy(turn.update.accuracy);
  for (const type of told) emit(turn, type, { trip: state.trip, confidence });
}

function isThere({ state }: Turn, { destination }: Trip): boolean {
  return destination !== undefined && Object.hasOwn(state.geofences, destination.fence);
}

function isNear({ eta, approachingThreshold }: Trip): boolean {
  return eta !== undefined && approachingThreshold !== undefined && eta.duration <= approachingThreshold;
}

/** Has the user entered another geofence of the destination's tag? */
function isWrong({ fences }: Turn, { destination }: Trip): boolean {
  return (
    destination !== undefined &&
    fences.entries.some(({ fence }) => fence.tag === destination.tag && fence.id !== destination.fence)
  );
}
