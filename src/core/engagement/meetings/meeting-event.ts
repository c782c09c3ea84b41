import { emit } from "../../tracking/emit.ts";
import type { EventType, TrackEvent } from "../../tracking/types/event.ts";
import { DEFAULT_SETTINGS } from "../../tracking/types/settings.ts";
import type { UserState } from "../../tracking/types/state.ts";
import type { NumberedMessage } from "./messages.ts";

/**
 * The event of a user that has met another, or parted from it.
 * @param since when a meeting that ends began [ms]
 * @param eventTypes those that the project generates; absent = all
 */
export function meetingEvent(
  before: UserState,
  other: Pick<UserState, "userId" | "metadata">,
  { kind, rule, at, event }: NumberedMessage & Required<Pick<NumberedMessage, "event">>,
  { since, receivedAt, eventTypes }: { since?: number; receivedAt: number; eventTypes?: readonly EventType[] },
): { state: UserState; events: readonly TrackEvent[] } {
  const { location, accuracy, confidence, other: position } = event;
  const { userId, metadata } = other;
  const context = {
    state: { ...before },
    settings: { ...DEFAULT_SETTINGS, ...(eventTypes && { eventTypes }) },
    at,
    events: [] as TrackEvent[],
    trips: [],
    update: { location, accuracy, receivedAt, replayed: false },
  };
  const { _id, deviceId, ...distanceAndAge } = position;
  emit(context, kind === "met" ? "user.met_user" : "user.parted_from_user", {
    confidence,
    meeting: rule,
    otherUser: {
      _id,
      ...(userId !== undefined && { userId }),
      deviceId,
      ...(metadata && { metadata }),
      ...distanceAndAge,
    },
    ...(since !== undefined && { enteredAt: since }),
  });
  return { state: context.state, events: context.events };
}
