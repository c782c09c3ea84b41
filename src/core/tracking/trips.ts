import { changeLeg, isRejection, type Rejection, replaceLegs } from "./change-legs.ts";
import { emit } from "./emit.ts";
import { currentLeg, endedLegs, isOver, settled, withLegEtas, withWays } from "./legs.ts";
import { changeOrders, endedOrders, fireOrders } from "./orders.ts";
import type { TrackEvent } from "./types/event.ts";
import type { Metadata } from "./types/metadata.ts";
import type { TrackingSettings } from "./types/settings.ts";
import type { UserState } from "./types/state.ts";
import type { Eta, LegWay, OrderOptions, Trip, TripDestination, TripLeg, TripStatus } from "./types/trip.ts";
import type { EventContext } from "./update-context.ts";

/** A trip expires after this long without an update of its user [ms]. */
const IDLE = 24 * 3600_000;
/** A pending trip expires this long after its creation or its scheduled arrival, whichever is later [ms]. */
const WAITING = 7 * 24 * 3600_000;

/** When a trip expires without further updates [ms]. */
export function expiresAt({ status, createdAt, updatedAt, scheduledArrivalAt }: Trip): number {
  return status === "pending" ? Math.max(createdAt, scheduledArrivalAt ?? 0) + WAITING : updatedAt + IDLE;
}

export function isUnderWay(status: TripStatus): boolean {
  return status === "pending" || status === "started" || status === "approaching" || status === "arrived";
}

/** When a trip arrives by its latest ETA [ms]. */
export function arrivalByEta({ eta, updatedAt }: Trip): number | undefined {
  return eta && (eta.at ?? updatedAt) + eta.duration * 60_000;
}

/** The trip with its delay: its arrival, or the arrival by its ETA, compared with the schedule. */
export function withDelay(trip: Trip): Trip {
  const { scheduledArrivalAt, arrivedAt } = trip;
  const arrival = arrivedAt ?? arrivalByEta(trip);
  if (scheduledArrivalAt === undefined || arrival === undefined) return { ...trip, delay: undefined };
  return { ...trip, delay: (arrival - scheduledArrivalAt) / 60_000 };
}

/** The delay at a time [min]: a trip under way has not arrived before, whatever its ETA was. */
export function delayAt(trip: Trip, now: number): number | undefined {
  const { scheduledArrivalAt, arrivedAt, status, delay } = trip;
  if (scheduledArrivalAt === undefined || arrivedAt !== undefined || !isUnderWay(status)) return delay;
  if (delay === undefined && now <= scheduledArrivalAt) return undefined;
  return Math.max(delay ?? 0, (now - scheduledArrivalAt) / 60_000);
}

/** Begins a trip. The user's current trip, if any, is canceled. */
export function adopt(context: EventContext, trip: Trip): void {
  const { state, at } = context;
  if (state.trip) stopTrip(context, state.trip, "canceled");
  const started: Trip = {
    ...trip,
    status: trip.status === "pending" ? "started" : trip.status,
    startedAt: trip.startedAt ?? at,
    updatedAt: at,
    deviceId: state.deviceId,
    user: state._id,
    userId: trip.userId ?? state.userId,
    version: trip.version + 1,
  };
  const begun = settled(started, at);
  state.trip = begun;
  context.trips.push(begun);
  emit(context, "user.started_trip", { trip: begun, leg: currentLeg(begun), confidence: 3 });
}

/** Ends a trip of the user. */
export function stopTrip(context: EventContext, trip: Trip, status: "completed" | "canceled" | "expired"): void {
  const { state, at } = context;
  const [legs, orders] = [endedLegs(trip, status, at), endedOrders(trip, status, at)];
  const ended = withDelay({
    ...trip,
    legs,
    ...(orders && { orders }),
    status,
    endedAt: at,
    updatedAt: at,
    version: trip.version + 1,
  });
  state.trip = undefined;
  state.endedTrip = trip._id;
  context.trips.push(ended);
  emit(context, "user.stopped_trip", { trip: ended, confidence: 3 });
}

/** A change of a trip by a server or an app; absent = unchanged. */
export interface TripChange {
  status?: Exclude<TripStatus, "pending">;
  metadata?: Metadata;
  mode?: string;
  approachingThreshold?: number;
  routeTolerance?: number;
  plannedRoute?: string;
  scheduledArrivalAt?: number;
  /** When it ended, if that was before the call: then the time of the change. */
  endedAt?: number;
  destination?: TripDestination;
  /** All legs, in order; existing legs are identified by their _id. */
  legs?: readonly TripLeg[];
  /** Orders to change, by their id, or to add. */
  orders?: readonly OrderOptions[];
  /** A status change of one leg. */
  leg?: { id: string; status: TripStatus };
  /** By leg: the unknown routes between the legs in their new order. */
  ways?: Readonly<Record<string, LegWay>>;
  /** By leg: the ETA of the one that will be current. */
  etas?: Readonly<Record<string, Eta>>;
}

/**
 * A trip with the changed details; its status is unchanged. With several legs, the destinations are those of the legs.
 */
export function withDetails(trip: Trip, change: TripChange, at: number): Trip {
  const { metadata, mode, approachingThreshold, routeTolerance, plannedRoute, scheduledArrivalAt } = change;
  const destination = trip.legs ? undefined : change.destination;
  const details = {
    ...{ metadata, mode, approachingThreshold, routeTolerance, plannedRoute, scheduledArrivalAt, destination },
  };
  const given = Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
  return withDelay({ ...trip, ...given, updatedAt: at, version: trip.version + 1 });
}

/**
 * A trip with changed details and legs, before events are generated; or the reason for rejection. An ended status among
 * the changes ends it.
 */
export function revised(trip: Trip, change: TripChange, at: number): Trip | Rejection {
  let next: Trip | Rejection = withDetails(trip, change, at);
  if (trip.legs && (change.status === "approaching" || change.status === "arrived"))
    return { param: "status", rule: "Change the status of each leg instead: PATCH /v1/trips/:id/legs/:legId." };
  if (change.orders) next = changeOrders(next, change.orders, at);
  if (change.legs && !isRejection(next)) next = replaceLegs(next, change.legs, at);
  if (change.leg && !isRejection(next)) next = changeLeg(next, change.leg.id, change.leg.status, at);
  return isRejection(next) || !next.legs
    ? next
    : withDelay(withLegEtas(withWays(next, change.ways ?? {}), change.etas ?? {}, at));
}

type Changed = { state: UserState; events: TrackEvent[]; trips: Trip[]; refusal?: Rejection };

/**
 * Changes a trip of a user by an API call. `trip` begins first if the user is not on it yet. The events happen at the
 * user's last location.
 */
export function changeTrip(
  before: UserState,
  trip: Trip,
  change: TripChange,
  settings: TrackingSettings,
  now: number,
): Changed {
  const state = { ...before };
  const context: EventContext = {
    state,
    settings,
    at: now,
    events: [],
    trips: [],
    update: { location: state.location, accuracy: state.locationAccuracy, receivedAt: now, replayed: false },
  };
  if (change.endedAt !== undefined && change.endedAt < trip.updatedAt)
    return {
      ...{ state: before, events: [], trips: [trip] },
      refusal: { param: "endedAt", rule: "Before the last update of the trip." },
    };
  if (state.trip?._id !== trip._id) adopt(context, trip);
  const held = state.trip as Trip;
  // A repeated request changes nothing.
  if (change.leg && held.legs?.some(({ _id, status }) => _id === change.leg?.id && status === change.leg.status))
    return { state, events: context.events, trips: context.trips.length > 0 ? context.trips : [held] };
  const next = revised(held, change, now);
  if (isRejection(next)) return { state: before, events: [], trips: [held], refusal: next };
  const status = change.status ?? (isOver(next.status) ? next.status : undefined);
  if (status === "completed" || status === "canceled" || status === "expired") {
    stopTrip(context, next, status);
  } else {
    const moves = !next.legs && status !== undefined && status !== held.status;
    if (moves) next.status = status;
    if (moves && status === "approaching") next.approachingAt = now;
    if (moves && status === "arrived") next.arrivedAt = now;
    state.trip = withDelay(next);
    context.trips.push(state.trip);
    const leg = change.leg ? next.legs?.find(({ _id }) => _id === change.leg?.id) : currentLeg(next);
    const reached = change.leg ? leg?.status : moves ? status : undefined;
    const type =
      reached === "approaching"
        ? "user.approaching_trip_destination"
        : reached === "arrived"
          ? "user.arrived_at_trip_destination"
          : "user.updated_trip";
    // A trip that has just begun already has its event.
    if (context.events.length === 0 || type !== "user.updated_trip")
      emit(context, type, { trip: state.trip, leg, confidence: 3 });
    const asked = (change.orders ?? []).filter((one) => one.status === "fired");
    fireOrders(
      context,
      asked.map(({ id }) => id),
    );
  }
  return { state, events: context.events, trips: context.trips };
}
