import type { z } from "zod";
import type { TrackEvent } from "../tracking/types/event.ts";
import type { Metadata } from "../tracking/types/metadata.ts";
import type { Trip } from "../tracking/types/trip.ts";
import { type eventShape, type tripShape, wireEvent, wireTrip } from "./tracked.ts";

/**
 * What somebody gets back who has changed something of a user without proving to know that user: what they sent, and
 * ids. Never a location, a deviceId, the user's metadata, or how far the user is from anywhere (`/docs`, "What each key
 * may learn").
 */

/** A trip's own fields: nothing of its user or device, nor the ETA, which tells how far off they are. */
export function tripReceipt(trip: Trip): z.input<typeof tripShape> {
  return wireTrip({
    ...trip,
    userId: undefined,
    user: undefined,
    deviceId: undefined,
    eta: undefined,
    delay: undefined,
  });
}

/** What a caller has said of an event, and may hear again. */
export interface Said {
  userId?: string;
  metadata?: Metadata;
  duration?: number;
  /** The trip that the event is about was named by the caller. */
  namesTrip?: boolean;
}

export function eventReceipt(
  event: TrackEvent,
  { userId, metadata, duration, namesTrip = false }: Said = {},
): z.input<typeof eventShape> {
  const { _id, type, live, createdAt, actualCreatedAt, confidence, trip, verification, verifiedPlaceId } = event;
  const user = { _id: event.user._id, ...(userId !== undefined && { userId }) };
  const bare = { _id, type, live, createdAt, actualCreatedAt, confidence, verification, verifiedPlaceId };
  return {
    ...wireEvent({ ...bare, user, metadata, duration }),
    trip: namesTrip && trip ? tripReceipt(trip) : undefined,
  };
}
