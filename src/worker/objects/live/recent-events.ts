import { BoundedMap } from "../../../core/geo/bounded-map.ts";
import type { LiveMessage } from "../../wire/live.ts";

/** Events to remember: a tracker sends an event again within some ten seconds, in which viewers are sent a few hundred. */
const MAX_EVENTS = 2_000;

/**
 * The events that viewers were sent last. A tracker that got no confirmation sends its events again, and a writer stores them with a later
 * group, where only their ids tell that they are known. A feed that has slept does not remember: then they come twice.
 */
export class RecentEvents {
  readonly #sent: BoundedMap<string, true>;

  constructor(limit = MAX_EVENTS) {
    this.#sent = new BoundedMap(limit);
  }

  /** The messages without events that were in an earlier call. */
  unsent(messages: readonly LiveMessage[]): LiveMessage[] {
    return messages.filter(({ event }) => {
      if (event === undefined) return true;
      if (this.#sent.has(event)) return false;
      this.#sent.set(event, true);
      return true;
    });
  }
}
