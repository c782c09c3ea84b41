import type { TrackEvent } from "../../tracking/types/event.ts";
import type { Memberships, UserState } from "../../tracking/types/state.ts";
import { asPerson, meetsRule, nextChange, type Others } from "./rule.ts";
import { type ComputedSegment, isVisit, MAX_SEGMENTS } from "./segment.ts";
import { type Counts, countVisits, joinedCounts, type Watched, watchedBy } from "./visits.ts";

/** The segments of a scope, in order of creation. */
export interface SegmentBook {
  /** Differs after every change of a segment. */
  epoch: number;
  segments: readonly ComputedSegment[];
  watched: Watched;
  /** Some rule compares what a person's devices have together: visits, and the times of updates. */
  joinsDevices: boolean;
}

const JOINED = new Set<string>(["lastSeen", "created"]);

export function openSegments(segments: readonly ComputedSegment[]): SegmentBook {
  const sorted = [...segments].sort((a, b) => a.createdAt - b.createdAt || (a._id < b._id ? -1 : 1));
  // A change raises the newest time, and a deletion lowers the number.
  const newest = sorted.reduce((latest, { updatedAt }) => Math.max(latest, updatedAt), 0);
  const conditions = sorted.flatMap(({ rule }) => rule.conditions);
  return {
    ...{ epoch: newest * (MAX_SEGMENTS + 1) + sorted.length, segments: sorted, watched: watchedBy(sorted) },
    joinsDevices: conditions.some((one) => isVisit(one) || JOINED.has(one.type)),
  };
}

type Person = Omit<UserState, "last">;

/**
 * The segments of a user at a time [ms]. The result is the given one if nothing has changed.
 *
 * `due` is the time at which an hourly run looks at the user again (objects/rounds/segment-round.ts). It is kept as long
 * as it is early enough, so that an active user is not written for it with each update. When it has passed, the run may
 * have changed the database; a new value makes the tracker write all of the user's memberships again.
 */
export function membershipsOf(book: SegmentBook, person: Person, now: number, epoch = book.epoch): Memberships {
  const before = person.computed;
  const segments: Memberships["segments"][number][] = [];
  let next: number | undefined;
  for (const { _id, externalId, description, rule } of book.segments) {
    if (meetsRule(rule, person, now)) segments.push({ _id, externalId, description });
    const at = nextChange(rule, person, now);
    if (at !== undefined && (next === undefined || at < next)) next = at;
  }
  const isEarly = before?.due !== undefined && before.due > now && (next === undefined || before.due <= next);
  const due = isEarly ? before.due : next;
  const isSame =
    before !== undefined &&
    before.epoch === epoch &&
    before.due === due &&
    JSON.stringify(before.segments) === JSON.stringify(segments);
  return isSame ? before : { segments, epoch, ...(due !== undefined && { due }) };
}

/** Must earlier visits of a user be read from the database, because a rule is new to it? */
export function needsPast(book: SegmentBook, person: Person | undefined): boolean {
  return person !== undefined && book.watched.size > 0 && person.computed?.epoch !== book.epoch;
}

/**
 * The state after an update with its visits counted, and the segments that it is in now.
 * @param past earlier counts, if they had to be read; null = they could not be read: the next update tries again
 * @param others what the person's other devices have
 */
export function withMemberships(
  book: SegmentBook,
  state: UserState,
  events: readonly TrackEvent[],
  now: number,
  past?: Counts | null,
  others?: Others,
): UserState {
  // A scope whose last segment was deleted: its users leave it once.
  if (book.segments.length === 0 && state.computed === undefined) return state;
  const earlier = past ? joinedCounts(state.visitDays, past) : state.visitDays;
  const visitDays = countVisits(earlier, events, book.watched, now);
  const counted: UserState = visitDays === state.visitDays ? state : { ...state, visitDays };
  const computed = membershipsOf(book, asPerson(counted, others), now, past === null ? 0 : book.epoch);
  return computed === state.computed ? counted : { ...counted, computed };
}
