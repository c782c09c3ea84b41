import type { Entry, UpdateEntry } from "../../../../core/tracking/history/entry.ts";
import { type PastUpdate, readPage } from "../../../../core/tracking/history/read-page.ts";
import { type Rerun, rerun } from "../../../../core/tracking/history/rerun.ts";
import { PastReader } from "../../../../core/tracking/journeys/past-reader.ts";
import {
  TIMELINE_MARGIN_MS,
  type TimelinePart,
  type TimelineQuery,
  timelineOf,
} from "../../../../core/tracking/journeys/timeline.ts";
import type { Fence } from "../../../../core/tracking/types/fence.ts";
import type { UserState } from "../../../../core/tracking/types/state.ts";
import { findGeofence } from "../../../db/customers/geofences.ts";
import { fenceOfRow } from "../../fences/fence-row.ts";
import type { HistoryPage, UpdateHistory } from "./update-history.ts";

/** A query about a user's past: the update that generated an event, or the last one at a time. */
export interface PastQuery {
  scope: number;
  /** The user's _id. */
  user: string;
  /** Time of the event, or the requested time [ms]. */
  at: number;
  /** Number of the event in the user's sequence. */
  seq?: number;
  /** The geofence of the event. */
  fence?: string;
}

/** Where the next page of a list begins. */
interface UpdateCursor {
  page: number;
  entry: number;
}

/** An update as lists show it. */
type ListedUpdate = Pick<PastUpdate, "update" | "at" | "counted" | "events">;

/** The updates of a user in a time range [ms], in order of arrival. */
export function listUpdates(
  history: UpdateHistory,
  user: string,
  { from, to, limit, cursor }: { from: number; to: number; limit: number; cursor: UpdateCursor },
): { updates: ListedUpdate[]; next?: UpdateCursor } {
  const updates: ListedUpdate[] = [];
  for (const { n, entries } of history.pages(user, from, to, cursor.page)) {
    for (const [i, past] of readPage(entries, user).entries()) {
      if ("change" in past || (n === cursor.page && i < cursor.entry) || past.at < from || past.at > to) continue;
      if (updates.length === limit) return { updates, next: { page: n, entry: i } };
      const { update, at, counted, events } = past;
      updates.push({ update, at, counted, events });
    }
  }
  return { updates };
}

/** The stops and journeys of a user in a time range. */
export function timeline(history: UpdateHistory, state: UserState, query: TimelineQuery): TimelinePart[] {
  const reader = new PastReader();
  const [from, to] = [query.from - TIMELINE_MARGIN_MS, query.to + TIMELINE_MARGIN_MS];
  for (const { entries } of history.pages(state._id, from, to)) reader.add(entries);
  // A page may begin before the margin. A late position may be in any page around its time: late ones within the margin are found.
  const fixes = reader.fixes.filter(({ at }) => at >= from && at <= to);
  return timelineOf(fixes, reader.visits(to >= state.chronology ? state : undefined), query);
}

/** Reruns a past update; undefined if it is no longer stored. */
export async function lookBack(
  db: D1Database,
  history: UpdateHistory,
  { scope, user, at, seq, fence }: PastQuery,
): Promise<Rerun | undefined> {
  const found = seq === undefined ? updateAt(history, user, at) : updateOfEvent(history, user, at, seq);
  if (!found) return undefined;
  const { page, index } = found;
  const asked = new Set(unkeptIn(page.entries.slice(0, index + 1)));
  if (fence !== undefined) asked.add(fence);
  const known = new Map<string, Fence>();
  for (const id of asked) {
    const row = await findGeofence(db, scope, { id }, 0);
    if (row) known.set(id, fenceOfRow(row));
  }
  return rerun(page.base, page.entries, user, index, known, fence);
}

interface Found {
  page: HistoryPage;
  index: number;
}

function updateOfEvent(history: UpdateHistory, user: string, at: number, seq: number): Found | undefined {
  for (const page of history.pages(user, at, at)) {
    const index = page.entries.findIndex((entry) => {
      const [before, count] = (entry as UpdateEntry).e ?? [0, 0];
      return seq > before && seq <= before + count;
    });
    if (index >= 0) return { page, index };
  }
  return undefined;
}

/** The last update up to a time; undefined if there is none, or none is stored any more. */
function updateAt(history: UpdateHistory, user: string, at: number): Found | undefined {
  const page = history.pageAt(user, at);
  if (!page) return undefined;
  let index = -1;
  let newest = Number.NEGATIVE_INFINITY;
  for (const [i, past] of readPage(page.entries, user).entries()) {
    if ("change" in past || past.at > at || past.at < newest) continue;
    newest = past.at;
    index = i;
  }
  return index < 0 ? undefined : { page, index };
}

/** Ids of the fences that were too large to be stored. */
function unkeptIn(entries: readonly Entry[]): string[] {
  return entries.flatMap((entry) =>
    ("d" in entry ? (entry.d ?? []) : []).flatMap((fence) => ("shape" in fence ? [] : fence.id)),
  );
}
