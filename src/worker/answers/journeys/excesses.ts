import type { TrackEvent } from "../../../core/tracking/types/event.ts";
import type { EventStore } from "../../db/archive/archive-groups.ts";
import { EventReader } from "../../db/customers/event-reader.ts";

/** An excess of a speed limit that has ended [ms]. */
export interface PastExcess {
  /** _id of its record. */
  user: string;
  from: number;
  duration: number;
}

/** An excess belongs to the range in which it begins; one that ends later after it is not found [ms]. */
const LATEST_END_MS = 6 * 3600_000;
/** Events per read. */
const PAGE = 1000;

/**
 * Excesses of some records that began in a range [ms], from the events that end them.
 * @param leftOut called for events that can't be read
 */
export async function excessesOf(
  store: EventStore,
  scope: number,
  records: readonly string[],
  { from, to }: { from: number; to: number },
  leftOut: () => void,
): Promise<PastExcess[]> {
  if (records.length === 0 || from >= to) return [];
  const between = { createdAfter: from, createdBefore: to + LATEST_END_MS };
  const reader = new EventReader(store, scope, { ...between, types: ["user.kept_to_speed_limit"], records }, leftOut);
  const found: PastExcess[] = [];
  for (;;) {
    const rows = await reader.next(PAGE);
    for (const { user, time, doc } of rows) {
      const duration = durationOf(doc);
      if (duration !== undefined && time - duration >= from && time - duration < to)
        found.push({ user, from: time - duration, duration });
    }
    if (rows.length < PAGE) return found;
  }
}

/** [ms]; undefined: damaged. */
function durationOf(doc: string): number | undefined {
  try {
    const { duration } = JSON.parse(doc) as Partial<TrackEvent>;
    return duration === undefined ? undefined : duration * 60_000;
  } catch {
    return undefined;
  }
}
