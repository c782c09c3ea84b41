import type { z } from "zod";
import type { TrackEvent } from "../tracking/types/event.ts";
import type { Metadata } from "../tracking/types/metadata.ts";
import type { Trip, TripLeg } from "../tracking/types/trip.ts";
import { type eventShape, wireEvent } from "./event.ts";
import { type legShape, wireLeg } from "./leg.ts";
import { type tripShape, wireTrip } from "./trip.ts";

/**
 * The answer for a caller who has changed something about a user without proving to know that user: what the caller
 * sent, and ids. Never a location, a deviceId, the user's metadata, or a distance (`/docs`, "What each key may learn").
 */

/** A trip's own fields: nothing about its user or device, and no ETA, which tells how far away they are. */
function tripReceipt(trip: Trip): z.input<typeof tripShape> {
  return wireTrip({
    ...trip,
    userId: undefined,
    user: undefined,
    deviceId: undefined,
    eta: undefined,
    delay: undefined,
    legs: trip.legs?.map(bare),
  });
}

/** A trip's status, ETA and own fields, for a caller who is where its device is: nothing else about its user or device. */
export function tripView(trip: Trip): z.input<typeof tripShape> {
  return wireTrip({ ...trip, userId: undefined, user: undefined, deviceId: undefined });
}

/** A leg without how far away its destination is. */
function legReceipt(leg: TripLeg): z.input<typeof legShape> {
  return wireLeg(bare(leg));
}

const bare = (leg: TripLeg): TripLeg => ({ ...leg, eta: undefined });

/** What a caller has sent about an event, and may get back. */
export interface Said {
  userId?: string;
  metadata?: Metadata;
  duration?: number;
  /** The caller has named the trip that the event is about. */
  namesTrip?: boolean;
}

export function eventReceipt(
  event: TrackEvent,
  { userId, metadata, duration, namesTrip = false }: Said = {},
): z.input<typeof eventShape> {
  const { _id, type, live, createdAt, actualCreatedAt, confidence, trip, leg, verification, verifiedPlaceId } = event;
  const user = { _id: event.user._id, ...(userId !== undefined && { userId }) };
  const bare = { _id, type, live, createdAt, actualCreatedAt, confidence, verification, verifiedPlaceId };
  return {
    ...wireEvent({ ...bare, user, metadata, duration }),
    trip: namesTrip && trip ? tripReceipt(trip) : undefined,
    leg: namesTrip && leg ? legReceipt(leg) : undefined,
  };
}
