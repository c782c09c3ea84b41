import type { TrackEvent } from "../tracking/types/event.ts";
import type { Notice } from "../webhooks/types.ts";
import { wireEvent } from "./event.ts";

/**
 * Stored events (JSON TrackEvents) of the wanted types, in the form webhooks get. An event that cannot be written out
 * is left out: otherwise it would be tried for ever and hold up all later events.
 * @param unreadable is called for each that was left out
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
