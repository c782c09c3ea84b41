import type { z } from "zod";
import { toPoint } from "../../core/geo/coordinate.ts";
import type { TrackEvent } from "../../core/tracking/types/event.ts";
import type { UserState } from "../../core/tracking/types/state.ts";
import { wireDate } from "./date.ts";
import { type eventShape, wireEvent } from "./event.ts";

/** What `GET /v1/live` sends, as JSON. The dashboard imports this type. */
export type LiveUpdate =
  | { type: "hello"; at: string }
  | { type: "event"; event: z.output<typeof eventShape> }
  | { type: "position"; user: LivePosition }
  | { type: "left_out"; positions: number };

/** The current position of a user. */
export interface LivePosition {
  _id: string;
  userId?: string;
  deviceId: string;
  location: ReturnType<typeof toPoint>;
  accuracy: number;
  stopped?: boolean;
  foreground?: boolean;
  updatedAt: string;
}

export const liveText = (update: LiveUpdate): string => JSON.stringify(update);

/** A message of GET /v1/live, with the fields needed to select its viewers. */
export interface LiveMessage {
  kind: "event" | "position";
  /** _id, userId and deviceId of its user. */
  names: readonly string[];
  /** Of an event: its id. */
  event?: string;
  /** Of an event. */
  eventType?: string;
  /** The message as sent to viewers. */
  text: string;
}

/**
 * The messages of stored rows. Positions of users come before the events there, and an event that was written twice, after a retry, comes
 * once. Rows that cannot be serialized are left out, as in lists.
 * @param users JSON UserState each
 * @param events JSON TrackEvent each
 */
export function liveMessages(
  users: readonly string[],
  events: readonly string[],
  unreadable: (error: unknown) => void,
): LiveMessage[] {
  const messages: LiveMessage[] = [];
  const add = (write: (doc: string) => LiveMessage, doc: string) => {
    try {
      messages.push(write(doc));
    } catch (error) {
      unreadable(error);
    }
  };
  for (const doc of users) add(livePosition, doc);
  for (const doc of new Set(events)) add(liveEvent, doc);
  return messages;
}

/** @param doc JSON TrackEvent */
export function liveEvent(doc: string): LiveMessage {
  const event = JSON.parse(doc) as TrackEvent;
  const { _id, userId, deviceId } = event.user;
  return {
    kind: "event",
    names: namesOf(_id, userId, deviceId),
    event: event._id,
    eventType: event.type,
    text: liveText({ type: "event", event: wireEvent(event) }),
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
    text: liveText({ type: "position", user }),
  };
}

function namesOf(...names: (string | undefined)[]): string[] {
  return names.filter((name) => name !== undefined);
}
