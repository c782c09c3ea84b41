import { toPoint } from "../geo/coordinate.ts";
import type { TrackEvent } from "../tracking/types/event.ts";
import type { UserState } from "../tracking/types/state.ts";
import { wireDate } from "./date.ts";
import { wireEvent } from "./event.ts";

/** A message of GET /v1/live, with the fields needed to select its viewers. */
export interface LiveMessage {
  kind: "event" | "position";
  /** _id, userId and deviceId of its user. */
  names: readonly string[];
  /** Of an event. */
  eventType?: string;
  /** The message as sent to viewers. */
  text: string;
}

/** @param doc JSON TrackEvent */
export function liveEvent(doc: string): LiveMessage {
  const event = JSON.parse(doc) as TrackEvent;
  const { _id, userId, deviceId } = event.user;
  return {
    kind: "event",
    names: namesOf(_id, userId, deviceId),
    eventType: event.type,
    text: JSON.stringify({ type: "event", event: wireEvent(event) }),
  };
}

/** @param doc JSON UserState */
export function livePosition(doc: string): LiveMessage {
  const { _id, userId, deviceId, location, locationAccuracy, stopped, foreground, updatedAt } = JSON.parse(
    doc,
  ) as UserState;
  const user = {
    _id,
    userId,
    deviceId,
    location: toPoint(location),
    accuracy: locationAccuracy,
    stopped,
    foreground,
    updatedAt: wireDate(updatedAt),
  };
  return {
    kind: "position",
    names: namesOf(_id, userId, deviceId),
    text: JSON.stringify({ type: "position", user }),
  };
}

function namesOf(...names: (string | undefined)[]): string[] {
  return names.filter((name) => name !== undefined);
}
