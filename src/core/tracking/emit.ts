import type { Subject } from "./trace/decision.ts";
import { eventTypeRule } from "./trace/update-rules.ts";
import type { DeviceReport } from "./types/device.ts";
import type { DrivingReport } from "./types/driving.ts";
import type { Confidence, EventType, TrackEvent } from "./types/event.ts";
import type { FenceLabel } from "./types/fence.ts";
import type { FraudState } from "./types/fraud.ts";
import type { MeetingLabel, OtherUser } from "./types/meeting.ts";
import type { BeaconLabel, Place, Region } from "./types/surroundings.ts";
import type { Trip, TripLeg } from "./types/trip.ts";
import type { EventContext } from "./update-context.ts";

interface Details {
  confidence: Confidence;
  geofence?: FenceLabel;
  place?: Place;
  alternatePlaces?: readonly Place[];
  region?: Region;
  beacon?: BeaconLabel;
  trip?: Trip;
  /** For a trip of several legs: the leg of the event. */
  leg?: TripLeg;
  fraud?: FraudState;
  driving?: DrivingReport;
  meeting?: MeetingLabel;
  otherUser?: OtherUser;
  /** Exits: when the visit began [ms]. */
  enteredAt?: number;
}

/** Generates an event, unless the project has disabled its type. */
export function emit(
  context: EventContext,
  type: EventType,
  { confidence, enteredAt, leg, ...subject }: Details,
): void {
  const { update, state, at, settings } = context;
  const made = settings.eventTypes?.includes(type) ?? true;
  context.trace?.(eventTypeRule(type, made, subjectOf(subject)));
  if (!made) return;
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
    ...(leg && { leg }),
  };
  if (event.trip?.plannedRoute) event.trip = { ...event.trip, plannedRoute: undefined };
  // A clock that was set back must not result in a negative duration.
  if (enteredAt !== undefined) event.duration = Math.max(0, at - enteredAt) / 60_000;
  if (update.replayed) event.replayed = true;
  const device = deviceOf(update);
  if (device) event.device = device;
  context.events.push(event);
}

/** The subject of an event. */
function subjectOf({ geofence, place, region, beacon, trip }: Omit<Details, "confidence">): Subject | undefined {
  if (geofence) return { kind: "geofence", id: geofence._id };
  if (region) return { kind: "region", id: region._id };
  if (beacon) return { kind: "beacon", id: beacon._id };
  if (trip) return { kind: "trip", id: trip._id };
  return place ? { kind: "place", id: place._id } : undefined;
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

/** The user's _id and the event's sequence number, so that an event keeps its id however often it is sent. */
export function eventId(user: string, seq: number): string {
  return user + (seq >>> 0).toString(16).padStart(8, "0");
}
