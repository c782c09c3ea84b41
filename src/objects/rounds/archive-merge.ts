import { byUser, type EventRow, type UserPlace } from "../../archive/event-row.ts";
import { objectKey, type PlacedGroup } from "../../archive/part.ts";
import { GROUP_ROWS } from "../../archive/write-object.ts";
import { applyChanges } from "../../db/archive/archive-changes.ts";
import { AT_ONCE, fetchGroups } from "../../db/archive/archive-groups.ts";
import {
  abandonMerge,
  commitMonth,
  endMerge,
  type Merge,
  type Merged,
  mergedParts,
  mergeSums,
  openMerge,
} from "../../db/archive/archive-merges.ts";
import { pendingChanges } from "../../db/archive/archive-pending.ts";
import type { Env } from "../../env.ts";
import { MAX_CHARACTERS } from "./archive-move.ts";
import { KEPT_MS, newPartId, storeMonth } from "./archive-part.ts";

/** Notes that are applied at a time; those behind them stay for rewriting. */
const MAX_NOTES = 500;
/** Rows that an object of a month is reckoned to have, of those that it may. */
const AIMED_AT = 15 / 16;

/** What a round may still do. */
export interface MergeBudget {
  /** Most rows of an object. */
  rows: number;
  /** Objects of months. */
  objects: number;
  /** Groups that are read. */
  reads: number;
}

/**
 * Merges what the days of finished months have by users, an object of a month at a time. Each is read back and compared before it is noted; when all events have
 * been read, and the months have as many as the days, lists turn to the months. Stopped anywhere, a later round goes on behind the last object that was
 * noted. @param before what happened earlier has moved [ms]
 * @returns how many objects were noted
 */
export async function mergeMonths(
  env: Env,
  scope: number,
  now: number,
  before: number,
  budget: MergeBudget,
): Promise<number> {
  let written = 0;
  while (budget.objects > 0 && budget.reads > 0) {
    const merge = await openMerge(env.DB, scope, newPartId(), now, before);
    if (!merge) return written;
    if (merge.isRead) {
      if (!(await finish(env, merge, now))) return written;
      continue;
    }
    if (!(await mergeSome(env, merge, now, budget))) return written;
    budget.objects--;
    written++;
  }
  return written;
}

/** The next object of the month. @returns whether it was noted */
async function mergeSome(env: Env, merge: Merge, now: number, budget: MergeBudget): Promise<boolean> {
  const pending = await pendingChanges(env.DB, merge.scope, MAX_NOTES);
  // Of each part what an object of the month has of it, and one group that is begun before and one behind.
  let most = Math.ceil(budget.rows / GROUP_ROWS.users / Math.max(1, merge.parts)) + 3;
  let parts: Merged[];
  let until: UserPlace | undefined;
  // Events of one user and one millisecond may fill all groups that were asked for.
  do {
    parts = await mergedParts(env.DB, merge, most);
    until = reckonedEnd(parts, merge.next, budget.rows * AIMED_AT);
    most *= 2;
  } while (until && merge.next && byUser(until, merge.next) <= 0);
  const groups = parts.flatMap((part) => part.groups).sort((a, b) => byUser(startOf(a), startOf(b)));
  const read = await eventsUpTo(env, groups, merge.next, until, budget);
  const rows = applyChanges(read.rows, pending);
  const { scope, month } = merge;
  const part =
    rows.length === 0 ? undefined : await storeMonth(env, { scope, id: newPartId(), month }, pending.seq, rows, now);
  return commitMonth(env.DB, merge, part, read.until, parts);
}

/** Before all events of a group: of one user and millisecond the greatest _id comes first. */
function startOf({ users, to }: PlacedGroup): UserPlace {
  return { user: users?.[0] ?? "", time: to, id: "\uffff" };
}

/** Up to where the next object is reckoned to go, and all groups are known. undefined: to the end */
function reckonedEnd(parts: readonly Merged[], from: UserPlace | undefined, aimedAt: number): UserPlace | undefined {
  const groups = parts.flatMap(({ groups, hasMore }) =>
    groups.map((group, i) => ({ start: startOf(group), rows: group.rows, isLast: hasMore && i === groups.length - 1 })),
  );
  groups.sort((a, b) => byUser(a.start, b.start));
  let rows = 0;
  for (const group of groups) {
    // Those that began before it and those that end behind it are half read, each: one of the two is counted.
    const isAhead = !from || byUser(group.start, from) > 0;
    if (group.isLast || (isAhead && rows >= aimedAt)) return group.start;
    if (isAhead) rows += group.rows;
  }
  return undefined;
}

/** The events of a range, by users; no more than an object may have: the rest is for the next. */
async function eventsUpTo(
  env: Env,
  groups: readonly PlacedGroup[],
  from: UserPlace | undefined,
  end: UserPlace | undefined,
  budget: MergeBudget,
): Promise<{ rows: EventRow[]; until: UserPlace | undefined }> {
  let until = end;
  let rows: EventRow[] = [];
  for (let first = 0; first < groups.length; first += AT_ONCE) {
    const some = groups.slice(first, first + AT_ONCE).filter((group) => !until || byUser(startOf(group), until) < 0);
    if (some.length === 0) break;
    budget.reads -= some.length;
    const found = (await fetchGroups(env, some)).flat();
    rows.push(...found.filter((row) => (!from || byUser(row, from) >= 0) && (!until || byUser(row, until) < 0)));
    const characters = rows.reduce((sum, { doc }) => sum + doc.length, 0);
    if (rows.length > budget.rows || characters > MAX_CHARACTERS) {
      rows.sort(byUser);
      const kept = fitting(rows, budget.rows);
      if (kept < rows.length) {
        const { user, time, id } = rows[kept];
        until = { user, time, id };
        rows = rows.slice(0, kept);
      }
    }
  }
  return { rows, until };
}

/** How many of the first rows fit into an object; an event that was archived twice is not parted from itself. */
function fitting(rows: readonly EventRow[], most: number): number {
  let [kept, characters] = [0, 0];
  while (kept < Math.min(rows.length, most) && characters <= MAX_CHARACTERS) characters += rows[kept++].doc.length;
  let first = kept;
  while (first > 0 && first < rows.length && byUser(rows[first - 1], rows[first]) === 0) first--;
  return first > 0 ? first : kept;
}

/** @returns false: not yet. */
async function finish(env: Env, merge: Merge, now: number): Promise<boolean> {
  const { parts, days, months, isPending } = await mergeSums(env.DB, merge);
  if (isPending) return false;
  if (days !== months) {
    // Days may have been outlived meanwhile, where a project keeps its events for a shorter time than when it began.
    await abandonMerge(env.DB, merge, now + KEPT_MS);
    throw new Error(`the objects of a month have ${months} events, and its days ${days}: merged anew`);
  }
  const sized = await Promise.all(
    parts.map(async (part) => {
      const object = await env.GEODATA.head(objectKey(part, "types"));
      if (!object) throw new Error(`${objectKey(part, "types")} is not there`);
      return { ...part, bytes: object.size };
    }),
  );
  return endMerge(env.DB, merge, sized, now + KEPT_MS);
}
