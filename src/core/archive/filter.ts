import type { Group } from "./directory.ts";
import type { EventRow } from "./event-row.ts";

/** A filter for events, and the place to start from: the same conditions as `eventsWhere` in SQL. */
export interface RowFilter {
  createdBefore?: number;
  createdAfter?: number;
  types?: readonly string[];
  /** _ids of user records; absent = all. */
  users?: readonly string[];
  confidence?: number;
}

/** The last event of a page; the next page starts after it. */
export type Place = Pick<EventRow, "time" | "id">;

export function matches(row: EventRow, filter: RowFilter): boolean {
  const { createdBefore, createdAfter, types, users, confidence } = filter;
  return (
    (createdBefore === undefined || row.time < createdBefore) &&
    (createdAfter === undefined || row.time > createdAfter) &&
    (types === undefined || types.includes(row.type)) &&
    (users === undefined || users.includes(row.user)) &&
    (confidence === undefined || confidenceOf(row.doc) === confidence)
  );
}

function confidenceOf(doc: string): unknown {
  try {
    return (JSON.parse(doc) as { confidence?: unknown }).confidence;
  } catch {
    return undefined;
  }
}

/** Can an event of the group match, after the place? */
export function mayMatch(group: Group, filter: RowFilter, after: Place | undefined): boolean {
  const { createdBefore, createdAfter, types, users } = filter;
  return (
    (after === undefined || group.from <= after.time) &&
    (createdBefore === undefined || group.from < createdBefore) &&
    (createdAfter === undefined || group.to > createdAfter) &&
    (types === undefined || group.type === undefined || types.includes(group.type)) &&
    (users === undefined || group.users === undefined || users.some((user) => isWithin(user, group.users)))
  );
}

function isWithin(user: string, users: Group["users"]): boolean {
  return users !== undefined && users[0] <= user && user <= users[1];
}

/** Do all events of the group match, and come after the place? Then they can be counted without being read. */
export function allMatch(group: Group, filter: RowFilter, after: Place | undefined): boolean {
  const { createdBefore, createdAfter, types, users, confidence } = filter;
  return (
    (after === undefined || group.to < after.time) &&
    (createdBefore === undefined || group.to < createdBefore) &&
    (createdAfter === undefined || group.from > createdAfter) &&
    (types === undefined || (group.type !== undefined && types.includes(group.type))) &&
    users === undefined &&
    confidence === undefined
  );
}
