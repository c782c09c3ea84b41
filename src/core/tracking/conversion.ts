import { eventId } from "./emit.ts";
import type { TrackEvent } from "./types/event.ts";
import type { Metadata } from "./types/metadata.ts";
import type { UserState } from "./types/state.ts";

/** A user's action, as reported by a customer's app or server. */
export interface Conversion {
  name: string;
  deviceId: string;
  userId?: string;
  metadata?: Metadata;
  /** [ms] */
  createdAt: number;
  /** [min] */
  duration?: number;
  /** Server time [ms]. */
  receivedAt: number;
}

/** The event of a conversion, the user's `seq`th event. Without a location if the user has never been located. */
export function conversionEvent(
  conversion: Conversion,
  user: Pick<UserState, "_id" | "live"> & Partial<UserState>,
  seq: number,
): TrackEvent {
  const { name, deviceId, userId, metadata, createdAt, duration, receivedAt } = conversion;
  const event: TrackEvent = {
    _id: eventId(user._id, seq),
    type: name,
    live: user.live,
    createdAt,
    actualCreatedAt: receivedAt,
    user: { _id: user._id, deviceId },
    confidence: 3,
  };
  if (userId !== undefined) event.user.userId = userId;
  if (user.metadata !== undefined) event.user.metadata = user.metadata;
  if (user.location !== undefined) event.location = user.location;
  if (user.locationAccuracy !== undefined) event.locationAccuracy = user.locationAccuracy;
  if (metadata !== undefined) event.metadata = metadata;
  if (duration !== undefined) event.duration = duration;
  return event;
}
