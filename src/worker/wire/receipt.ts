import type { z } from "zod";
import type { TrackEvent } from "../../core/tracking/types/event.ts";
import type { Metadata } from "../../core/tracking/types/metadata.ts";
import type { Trip } from "../../core/tracking/types/trip.ts";
import { type eventShape, wireEvent } from "./event.ts";
import { type tripShape, wireTrip } from "./trip.ts";

/**
 * The minimal response for a caller that has changed a user without proving to know that user: the caller's input, and
 * ids. Never a location, a deviceId, the user's metadata, or a distance (`/docs`, "Data access by key type").
 */

/** A trip's status, ETA and own fields, for a caller who knows its userId: nothing else about its user or device. */
export function tripView(trip: Trip): z.input<typeof tripShape> {
  return wireTrip({ ...trip, userId: undefined, user: undefined, deviceId: undefined });
}

/** A caller's input about an event, which may be returned to the caller. */
interface Said {
  userId?: string;
  metadata?: Metadata;
  duration?: number;
}

export function eventReceipt(event: TrackEvent, { userId, metadata, duration }: Said = {}): z.input<typeof eventShape> {
  const { _id, type, live, createdAt, actualCreatedAt, confidence, verification, verifiedPlaceId } = event;
  const user = { _id: event.user._id, ...(userId !== undefined && { userId }) };
  const bare = { _id, type, live, createdAt, actualCreatedAt, confidence, verification, verifiedPlaceId };
  return wireEvent({ ...bare, user, metadata, duration });
}
