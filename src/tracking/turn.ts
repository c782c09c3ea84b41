import type { FenceMatches } from "./match-fences.ts";
import type { PlaceStep } from "./match-place.ts";
import type { RegionStep } from "./match-regions.ts";
import type { DeviceReport } from "./types/device.ts";
import type { Confidence, EventType, TrackEvent } from "./types/event.ts";
import type { FenceLabel } from "./types/fence.ts";
import type { FraudState } from "./types/fraud.ts";
import type { TrackingSettings } from "./types/settings.ts";
import type { UserState } from "./types/state.ts";
import type { BeaconLabel, Place, Region, Surroundings } from "./types/surroundings.ts";
import type { Trip } from "./types/trip.ts";
import type { LocationUpdate } from "./types/update.ts";

/** One update on its way through the steps. The steps write to `state` (a fresh object whose parts are shared) and `events`. */
export interface Turn {
  readonly update: LocationUpdate;
  readonly surroundings: Surroundings;
  readonly settings: TrackingSettings;
  /** When it happened [ms]. */
  readonly at: number;
  /** What the fix means for geofences, regions and the place: found out before the first step. */
  readonly fences: FenceMatches;
  readonly regions: readonly RegionStep[];
  readonly place: PlaceStep | undefined;
  readonly fraud: FraudState | undefined;
  readonly state: UserState;
  readonly events: TrackEvent[];
  readonly trips: Trip[];
}

/** As much of a turn as an event needs: there are events without an update, such as of a trip that a server ends. */
export interface Emitter extends Pick<Turn, "settings" | "at" | "state" | "events" | "trips"> {
  readonly update: Pick<LocationUpdate, "location" | "accuracy" | "receivedAt" | "replayed"> & DeviceReport;
}

export type Step = (turn: Turn) => void;

interface Details {
  confidence: Confidence;
  geofence?: FenceLabel;
  place?: Place;
  alternatePlaces?: readonly Place[];
  region?: Region;
  beacon?: BeaconLabel;
  trip?: Trip;
  fraud?: FraudState;
  /** Exits: when the visit began [ms]. */
  enteredAt?: number;
}

/** Makes an event, unless the project has switched its type off. */
export function emit(turn: Emitter, type: EventType, { confidence, enteredAt, ...subject }: Details): void {
  const { update, state, at, settings } = turn;
  if (settings.eventTypes && !settings.eventTypes.includes(type)) return;
  state.seq++;
  const user: TrackEvent["user"] = { _id: state._id, deviceId: state.deviceId };
  if (state.userId !== undefined) user.userId = state.userId;
  if (state.metadata !== undefined) user.metadata = state.metadata;
  const event: TrackEvent = {
    _id: eventId(state._id, state.seq),
    type,
    live: state.live,
    createdAt: at,
    actualCreatedAt: update.receivedAt,
    user,
    location: update.location,
    locationAccuracy: update.accuracy,
    confidence,
    ...subject,
  };
  // A clock that was put back must not give a negative visit.
  if (enteredAt !== undefined) event.duration = Math.max(0, at - enteredAt) / 60_000;
  if (update.replayed) event.replayed = true;
  const device = deviceOf(update);
  if (device) event.device = device;
  turn.events.push(event);
}

const DEVICE_FIELDS = [
  ...(["deviceType", "deviceMake", "deviceModel", "deviceOS", "sdkVersion"] as const),
  ...(["foreground", "stopped", "locationAuthorization", "locationAccuracyAuthorization"] as const),
];

function deviceOf(update: DeviceReport): DeviceReport | undefined {
  let device: Record<string, string | boolean> | undefined;
  for (const name of DEVICE_FIELDS) {
    const value = update[name];
    if (value === undefined) continue;
    device ??= {};
    device[name] = value;
  }
  return device;
}

/** The user's _id and its sequence number: the same event has the same id however often it is sent. */
export function eventId(user: string, seq: number): string {
  return user + (seq >>> 0).toString(16).padStart(8, "0");
}

/** May the user come to be somewhere that asks for a stop? */
export function isSettled(update: LocationUpdate): boolean {
  return update.stopped === true || update.foreground === true;
}
