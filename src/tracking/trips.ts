import { emit } from "./emit.ts";
import type { TrackEvent } from "./types/event.ts";
import type { Metadata } from "./types/metadata.ts";
import type { TrackingSettings } from "./types/settings.ts";
import type { UserState } from "./types/state.ts";
import type { Trip, TripDestination, TripStatus } from "./types/trip.ts";
import type { EventContext } from "./update-context.ts";

/** A trip expires after this long without an update of its user [ms]. */
const IDLE = 24 * 3600_000;
/** A pending trip expires this long after its creation or its scheduled arrival, whichever is later [ms]. */
const WAITING = 7 * 24 * 3600_000;

/** When a trip expires if there are no more updates [ms]. */
export function expiresAt({ status, createdAt, updatedAt, scheduledArrivalAt }: Trip): number {
  return status === "pending" ? Math.max(createdAt, scheduledArrivalAt ?? 0) + WAITING : updatedAt + IDLE;
}

export function isUnderWay(status: TripStatus): boolean {
  return status === "pending" || status === "started" || status === "approaching" || status === "arrived";
}

/** The trip with its delay: its arrival, or the arrival by its ETA, compared with the schedule. */
export function withDelay(trip: Trip): Trip {
  const { scheduledArrivalAt, arrivedAt, eta, updatedAt } = trip;
  const arrival = arrivedAt ?? (eta && updatedAt + eta.duration * 60_000);
  if (scheduledArrivalAt === undefined || arrival === undefined) return { ...trip, delay: undefined };
  return { ...trip, delay: (arrival - scheduledArrivalAt) / 60_000 };
}

/** Begins a trip. One that the user is on already is canceled. */
export function adopt(context: EventContext, trip: Trip): void {
  const { state, at } = context;
  if (state.trip) stopTrip(context, state.trip, "canceled");
  const begun: Trip = {
    ...trip,
    status: trip.status === "pending" ? "started" : trip.status,
    startedAt: trip.startedAt ?? at,
    updatedAt: at,
    deviceId: state.deviceId,
    user: state._id,
    userId: trip.userId ?? state.userId,
    version: trip.version + 1,
  };
  state.trip = begun;
  context.trips.push(begun);
  emit(context, "user.started_trip", { trip: begun, confidence: 3 });
}

/** Ends a trip of the user. */
export function stopTrip(context: EventContext, trip: Trip, status: "completed" | "canceled" | "expired"): void {
  const { state, at } = context;
  const ended = withDelay({ ...trip, status, endedAt: at, updatedAt: at, version: trip.version + 1 });
  state.trip = undefined;
  state.endedTrip = trip._id;
  context.trips.push(ended);
  emit(context, "user.stopped_trip", { trip: ended, confidence: 3 });
}

/** What a server or an app changes about a trip; absent = unchanged. */
export interface TripChange {
  status?: Exclude<TripStatus, "pending">;
  metadata?: Metadata;
  mode?: string;
  approachingThreshold?: number;
  scheduledArrivalAt?: number;
  destination?: TripDestination;
}

/** A trip with the changed details; its status is not touched. */
export function withDetails(trip: Trip, { status: _, ...details }: TripChange, at: number): Trip {
  const given = Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
  return withDelay({ ...trip, ...given, updatedAt: at, version: trip.version + 1 });
}

/**
 * Changes a trip of a user by a call of the API. `trip` is begun first if the user is not on it yet. The events take
 * place where the user was last seen.
 */
export function changeTrip(
  before: UserState,
  trip: Trip,
  change: TripChange,
  settings: TrackingSettings,
  now: number,
): { state: UserState; events: TrackEvent[]; trips: Trip[] } {
  const state = { ...before };
  const context: EventContext = {
    state,
    settings,
    at: now,
    events: [],
    trips: [],
    update: { location: state.location, accuracy: state.locationAccuracy, receivedAt: now, replayed: false },
  };
  if (state.trip?._id !== trip._id) adopt(context, trip);
  const held = state.trip as Trip;
  const { status } = change;
  const next = withDetails(held, change, now);
  if (status === "completed" || status === "canceled" || status === "expired") {
    stopTrip(context, next, status);
  } else {
    const moves = status !== undefined && status !== held.status;
    if (moves) next.status = status;
    if (moves && status === "approaching") next.approachingAt = now;
    if (moves && status === "arrived") next.arrivedAt = now;
    state.trip = withDelay(next);
    context.trips.push(state.trip);
    const type =
      moves && status === "approaching"
        ? "user.approaching_trip_destination"
        : moves && status === "arrived"
          ? "user.arrived_at_trip_destination"
          : "user.updated_trip";
    // A trip that has just begun has its event already.
    if (context.events.length === 0 || type !== "user.updated_trip")
      emit(context, type, { trip: state.trip, confidence: 3 });
  }
  return { state, events: context.events, trips: context.trips };
}
