import { byUser, type EventRow, type UserPlace } from "../../../core/archive/event-row.ts";
import { objectKey, type PlacedGroup } from "../../../core/archive/part.ts";
import { GROUP_ROWS } from "../../../core/archive/write-object.ts";
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
import type { Env } from "../../platform/env.ts";
import { projectBucket } from "../../platform/residence.ts";
import { MAX_CHARACTERS } from "./archive-move.ts";
import { KEPT_MS, newPartId, storeMonth } from "./archive-part.ts";

/** Notes applied at a time; later ones are left to the rewrite. */
const MAX_NOTES = 500;
/** Target share of the maximum number of rows of a month's object. */
const AIMED_AT = 15 / 16;

/** Remaining budget of a scheduled run. */
export interface MergeBudget {
  /** Maximum rows of an object. */
  rows: number;
  /** Objects of months to write. */
  objects: number;
  /** Groups to read. */
  reads: number;
}

/**
 * Merges the by-user objects of the days of finished months, one month object at a time. Each object is read back and
 * compared before it is recorded. When all events have been read, and the months have as many events as the days, lists
 * switch to the months. After an interruption, a later run resumes after the last recorded object.
 * @param before events before this have been moved [ms]
 * @returns number of recorded objects
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

/**
 * Writes the next object of the month.
 * @returns whether it was recorded
 */
async function mergeSome(env: Env, merge: Merge, now: number, budget: MergeBudget): Promise<boolean> {
  const pending = await pendingChanges(env.DB, merge.scope, MAX_NOTES);
  // For each part: its share of the month's object, plus one group that begins before it and one that ends after it.
  let most = Math.ceil(budget.rows / GROUP_ROWS.users / Math.max(1, merge.parts)) + 3;
  let parts: Merged[];
  let until: UserPlace | undefined;
  // Events of one user in one millisecond may fill all requested groups.
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

/** The place before all events of a group: within one user and millisecond, the greatest _id comes first. */
function startOf({ users, to }: PlacedGroup): UserPlace {
  return { user: users?.[0] ?? "", time: to, id: "\uffff" };
}

/** The estimated end of the next object, up to which all groups are known. undefined: to the end */
function reckonedEnd(parts: readonly Merged[], from: UserPlace | undefined, aimedAt: number): UserPlace | undefined {
  const groups = parts.flatMap(({ groups, hasMore }) =>
    groups.map((group, i) => ({ start: startOf(group), rows: group.rows, isLast: hasMore && i === groups.length - 1 })),
  );
  groups.sort((a, b) => byUser(a.start, b.start));
  let rows = 0;
  for (const group of groups) {
    // Groups that overlap either end are read in part: only one of the two is counted.
    const isAhead = !from || byUser(group.start, from) > 0;
    if (group.isLast || (isAhead && rows >= aimedAt)) return group.start;
    if (isAhead) rows += group.rows;
  }
  return undefined;
}

/** The events of a range, by user, at most as many as fit into an object; the rest is for the next one. */
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

/** How many of the first rows fit into an object. Copies of an event that was archived twice stay together. */
function fitting(rows: readonly EventRow[], most: number): number {
  let [kept, characters] = [0, 0];
  while (kept < Math.min(rows.length, most) && characters <= MAX_CHARACTERS) characters += rows[kept++].doc.length;
  let first = kept;
  while (first > 0 && first < rows.length && byUser(rows[first - 1], rows[first]) === 0) first--;
  return first > 0 ? first : kept;
}

/** @returns false if not finished yet. */
async function finish(env: Env, merge: Merge, now: number): Promise<boolean> {
  const { parts, days, months, isPending } = await mergeSums(env.DB, merge);
  if (isPending) return false;
  if (days !== months) {
    // Days may have expired meanwhile if the project's retention was shortened since the merge began.
    await abandonMerge(env.DB, merge, now + KEPT_MS);
    throw new Error(`the objects of a month have ${months} events, but its days ${days}: restarting the merge`);
  }
  const sized = await Promise.all(
    parts.map(async (part) => {
      const object = await projectBucket(env).head(objectKey(part, "types"));
      if (!object) throw new Error(`${objectKey(part, "types")} is missing`);
      return { ...part, bytes: object.size };
    }),
  );
  return endMerge(env.DB, merge, sized, now + KEPT_MS);
}
