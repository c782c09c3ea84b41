import { distance } from "../../geo/distance.ts";
import { confidenceOfAccuracy } from "../confidence.ts";
import { emit } from "../emit.ts";
import { ARRIVAL_RADIUS, currentLeg, legIn, openLegs, settled, withLeg, withLegEtas, withWays } from "../legs.ts";
import { legApproachRule, legArrivalRule, legLeftRule, wrongRule } from "../trace/journey-rules.ts";
import { withDelay } from "../trips.ts";
import type { EventType } from "../types/event.ts";
import type { Surroundings } from "../types/surroundings.ts";
import type { Trip, TripLeg } from "../types/trip.ts";
import type { UpdateContext } from "../update-context.ts";

/**
 * Advances a trip of several legs. A stop that the device leaves is completed, and the next leg begins; the last one
 * waits for a call that ends the trip. Every update generates one event about the trip, as on a trip of one leg; it
 * contains its leg.
 */
export function travelLegs(context: UpdateContext, trip: Trip, begins: boolean): void {
  const { state, at, trace, update, surroundings } = context;
  const around = surroundings.trip?.legs?.trip === trip._id ? surroundings.trip.legs : undefined;
  let next = withWays(trip, around?.ways ?? {});
  const pending: { type: EventType; leg: TripLeg | undefined }[] = [];
  const stop = currentLeg(next);
  if (stop?.status === "arrived" && openLegs(next).length > 1) {
    const left = hasLeft(context, stop);
    trace?.(legLeftRule(next, stop, farFrom(context, stop), left));
    if (left) next = settled(withLeg(next, legIn(stop, "completed", at)), at);
  }
  next = withLegEtas(next, around?.etas ?? {}, at);
  const leg = currentLeg(next);
  if (leg && leg.status !== "arrived") {
    const arrives = isThere(context, leg);
    trace?.(legArrivalRule(next, leg, farFrom(context, leg), arrives));
    const near = !arrives && leg.status === "started" && isNear(next, leg);
    if (!arrives && leg.status === "started") trace?.(legApproachRule(next, leg, near));
    if (arrives || near) {
      const moved = legIn(leg, arrives ? "arrived" : "approaching", at);
      next = withLegEtas(settled(withLeg(next, moved), at), {}, at);
      pending.push({
        type: arrives ? "user.arrived_at_trip_destination" : "user.approaching_trip_destination",
        leg: currentLeg(next),
      });
    }
  }
  const wrong = isWrong(context, next);
  if (wrong) {
    trace?.(wrongRule(next));
    pending.push({ type: "user.arrived_at_wrong_trip_destination", leg: currentLeg(next) });
  }
  if (pending.length === 0 && !begins) pending.push({ type: "user.updated_trip", leg: currentLeg(next) });
  state.trip = withDelay(next);
  context.trips.push(state.trip);
  const confidence = confidenceOfAccuracy(update.accuracy);
  for (const { type, leg: about } of pending) emit(context, type, { trip: state.trip, leg: about, confidence });
}

function farFrom({ update }: UpdateContext, { destination }: TripLeg): number {
  return distance(update.location, destination.location);
}

function isThere(context: UpdateContext, leg: TripLeg): boolean {
  const { fence, arrivalRadius = ARRIVAL_RADIUS } = leg.destination;
  if (fence !== undefined) return Object.hasOwn(context.state.geofences, fence);
  return farFrom(context, leg) <= arrivalRadius;
}

/** The trip with its known ETAs; also before it begins, so that its first event has an ETA. */
export function withKnownEtas(trip: Trip, { trip: around }: Surroundings, at: number): Trip {
  if (!trip.legs || around?.legs?.trip !== trip._id) return trip;
  return withLegEtas(withWays(trip, around.legs.ways), around.legs.etas, at);
}

/**
 * As with geofences, the complete accuracy circle must be outside, so that a stationary device doesn't leave a stop.
 */
function hasLeft(context: UpdateContext, leg: TripLeg): boolean {
  const { fence, arrivalRadius = ARRIVAL_RADIUS } = leg.destination;
  if (fence !== undefined) return !Object.hasOwn(context.state.geofences, fence);
  return farFrom(context, leg) > arrivalRadius + context.update.accuracy;
}

function isNear({ approachingThreshold }: Trip, { eta }: TripLeg): boolean {
  return eta !== undefined && approachingThreshold !== undefined && eta.duration <= approachingThreshold;
}

/** Has the user entered another geofence with the current destination's tag that is not a stop of the trip? */
function isWrong({ fences }: UpdateContext, { destination, legs = [] }: Trip): boolean {
  if (!destination) return false;
  const stops = legs.map((leg) => leg.destination.fence);
  return fences.entries.some(({ fence }) => fence.tag === destination.tag && !stops.includes(fence.id));
}
