import type { TrackEvent } from "../../core/tracking/types/event.ts";
import type { Notice } from "../../core/webhooks/types.ts";
import { wireEvent } from "./event.ts";

/**
 * Converts stored events (JSON TrackEvents) of the requested types to the form sent to webhooks. An event that can't be
 * serialized is omitted: otherwise it would be retried forever and block all later events.
 * @param unreadable called for each omitted event
 */
export function toNotices(
  docs: readonly string[],
  wanted: (type: string) => boolean,
  unreadable: (error: unknown) => void,
): Notice[] {
  const notices: Notice[] = [];
  for (const doc of docs) {
    try {
      const event = JSON.parse(doc) as TrackEvent;
      if (!wanted(event.type)) continue;
      const { _id, type, user } = event;
      notices.push({ id: _id, type, user: user?._id, json: JSON.stringify(wireEvent(event)) });
    } catch (error) {
      unreadable(error);
    }
  }
  return notices;
}
