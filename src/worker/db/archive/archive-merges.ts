import { and, eq, type SQL, sql } from "drizzle-orm";
import type { UserPlace } from "../../../core/archive/event-row.ts";
import { DAY_MS, monthKey, nextMonth, objectKey, type Part, type PlacedGroup } from "../../../core/archive/part.ts";
import { batch, listed, oneOf, open } from "../database.ts";
import { type Except, outside } from "../except.ts";
import { keptDays } from "../projects/retention.ts";
import {
  archive,
  archiveChange,
  archiveForgotten,
  archiveMerge,
  archiveMonth,
  archiveObject,
  archivePart,
  event,
  project,
} from "../schema.ts";
import { insertMonth, type NewMonth } from "./archive-months.ts";
import { movable } from "./archive-moves.ts";
import { placedGroups } from "./archive-parts.ts";

/**
 * D1 queries for merging the days of a month. A merge claims days' parts (`archive_part.merge`), reads their events
 * user by user, and records one object of the month after the other (`archive_month`). Lists read the days until it
 * ends, in one transaction: from then on they read the months, and the days' objects by user are deleted.
 */

/** A merge in progress. */
export interface Merge {
  scope: number;
  id: string;
  /** First day of its month [days since 1970, UTC]. */
  month: number;
  /** Events from here on have not been merged yet; undefined = all. */
  next: UserPlace | undefined;
  isRead: boolean;
  /** Number of days' parts in the merge. */
  parts: number;
}

/** Months with fewer parts than this are not merged: their events arrived after the month was merged. */
const MIN_PARTS = 4;
/**
 * Further parts go into another merge: each part has its groups in memory, and is read for each object of the month.
 */
const MAX_PARTS = 400;
/**
 * A month is not merged if its days start to expire within this time [days]: each of its objects would be rewritten day
 * by day.
 */
const MIN_LEFT = 31;

const MONTH = sql`unixepoch(day * 86400, 'unixepoch', 'start of month') / 86400`;

/**
 * Scopes and months with parts to merge, in scopes that keep them for a while.
 * @param before events before this have been moved [ms]
 */
const mergeable = (which: SQL, now: number, before: number): SQL =>
  sql`SELECT scope, ${MONTH} AS month FROM ${archivePart}, ${project}
      WHERE merge IS NULL AND day < ${Math.floor(openMonth(before))} AND ${project.id} = scope >> 1 AND ${which} GROUP BY scope, ${MONTH}
      HAVING count(*) >= ${MIN_PARTS} AND ${MONTH} > ${Math.floor(now / DAY_MS)} - ${keptDays("events")} + ${MIN_LEFT}`;

/** The first day of the month of the oldest events that have not been moved. */
const openMonth = (before: number) => new Date(before).setUTCDate(1) / DAY_MS;

/**
 * Scopes with a merge in progress, or with parts to merge.
 * @param before events before this have been moved [ms]
 */
export async function scopesToMerge(db: D1Database, now: number, before: number, except: Except): Promise<number[]> {
  const others = outside(sql`scope`, except);
  const rows = await open(db).all<{ scope: number }>(
    sql`SELECT scope FROM ${archiveMerge} WHERE ${others} UNION SELECT scope FROM (${mergeable(others, now, before)})`,
  );
  return rows.map(({ scope }) => scope);
}

interface Row {
  id: string;
  month: number;
  next: string;
  parts: number;
}

/** The merge in progress, or a new one for the earliest month whose events have all been moved. */
export async function openMerge(
  db: D1Database,
  scope: number,
  id: string,
  now: number,
  before: number,
): Promise<Merge | undefined> {
  const own = sql`scope = ${scope}`;
  const underWay = sql`SELECT id, month, next, (SELECT count(*) FROM ${archivePart} WHERE merge = ${archiveMerge.id}) AS parts
    FROM ${archiveMerge} WHERE ${own}`;
  const [open, months, waiting] = await batch<[Row, { month: number }, { time: number }]>(db, [
    underWay,
    sql`${mergeable(own, now, before)} ORDER BY 2 LIMIT 1`,
    sql`SELECT created_at AS time FROM ${event} WHERE ${own} AND ${movable(before)} ORDER BY created_at LIMIT 1`,
  ]);
  const [row] = open.results;
  if (row) return mergeOf(scope, row);
  const month = months.results[0]?.month;
  const oldest = waiting.results[0]?.time;
  if (month === undefined || (oldest !== undefined && oldest < nextMonth(month) * DAY_MS)) return undefined;
  const [, , begun] = await batch<[never, never, Row]>(db, [
    sql`INSERT OR IGNORE INTO ${archiveMerge} VALUES (${scope}, ${id}, ${month}, '')`,
    sql`UPDATE ${archivePart} SET merge = ${id} WHERE ${own} AND ${isOpen(scope, id)}
          AND id IN (SELECT id FROM ${archivePart} WHERE merge IS NULL AND day >= ${month} AND day < ${nextMonth(month)} AND ${own}
            ORDER BY day, id LIMIT ${MAX_PARTS})`,
    underWay,
  ]);
  const [mine] = begun.results;
  return mine && mergeOf(scope, mine);
}

/** The merge has not ended. */
const isOpen = (scope: number, id: string): SQL =>
  sql`EXISTS (SELECT 1 FROM ${archiveMerge} WHERE ${eq(archiveMerge.scope, scope)} AND ${eq(archiveMerge.id, id)})`;

function mergeOf(scope: number, { id, month, next, parts }: Row): Merge {
  const isRead = next === END;
  return { scope, id, month, parts, isRead, next: next === "" || isRead ? undefined : (JSON.parse(next) as UserPlace) };
}

const END = "end";

/** A part in a merge, with its next groups by user. */
export interface Merged {
  id: string;
  groups: PlacedGroup[];
  /** There may be more after the last of these. */
  hasMore: boolean;
}

/** The parts of a merge, with at most `most` groups of each. */
export async function mergedParts(db: D1Database, { scope, id, next }: Merge, most: number): Promise<Merged[]> {
  const isLeft = next
    ? sql`value ->> 5 > ${next.user} OR (value ->> 5 = ${next.user} AND value ->> 2 <= ${next.time})`
    : sql`true`;
  const rows = await open(db).all<{ id: string; day: number; directory: string }>(
    sql`SELECT id, day, (SELECT json_group_array(json(value)) FROM
          (SELECT value FROM json_each(part.users) WHERE ${isLeft} ORDER BY key LIMIT ${most})) AS directory
        FROM ${archivePart} AS part WHERE merge = ${id} ORDER BY day, id`,
  );
  return rows.map((row) => {
    const groups = placedGroups(row.directory, objectKey({ scope, id: row.id, day: row.day }, "users"));
    return { id: row.id, groups, hasMore: groups.length === most };
  });
}

/** The merge has not advanced, and its parts are those in a list of _ids. */
const asRead = ({ scope, id }: MergeName, next: string, ids: readonly string[]): SQL =>
  sql`EXISTS (SELECT 1 FROM ${archiveMerge} WHERE scope = ${scope} AND id = ${id} AND next = ${next})
    AND (SELECT count(*) FROM ${archivePart} WHERE merge = ${id}) = ${ids.length}
    AND (SELECT count(*) FROM ${archivePart} WHERE merge = ${id} AND ${oneOf(sql`id`, ids)}) = ${ids.length}`;

type MergeName = Pick<Merge, "scope" | "id">;

/**
 * Records an object of the month (undefined: all its events had been deleted), and the place from which the merge
 * continues (undefined: it has reached the end). Does nothing if another run has advanced the merge, or if a part was
 * rewritten since it was read.
 */
export async function commitMonth(
  db: D1Database,
  merge: Merge,
  part: NewMonth | undefined,
  next: UserPlace | undefined,
  parts: readonly { id: string }[],
): Promise<boolean> {
  const [before, after] = [merge.next ? written(merge.next) : "", next ? written(next) : END];
  const isAsRead = asRead(
    ...([merge, before] as const),
    parts.map(({ id }) => id),
  );
  const results = await batch<unknown[]>(db, [
    ...(part ? insertMonth(part, merge.id, isAsRead) : []),
    sql`UPDATE ${archiveMerge} SET next = ${after} WHERE scope = ${merge.scope} AND ${isAsRead}`,
  ]);
  return results[results.length - 1].meta.changes > 0;
}

const written = ({ user, time, id }: UserPlace) => JSON.stringify({ user, time, id });

/**
 * The number of events in the days and in the months of a merge, and whether deletions or changes are still to be
 * written into either.
 */
export async function mergeSums(
  db: D1Database,
  { scope, id }: Merge,
): Promise<{ parts: Part[]; days: number; months: number; isPending: boolean }> {
  const [parts, sums] = await batch<[Part, { days: number; months: number; pending: number }]>(db, [
    sql`SELECT scope, id, day FROM ${archivePart} WHERE merge = ${id}`,
    sql`SELECT ${eventsIn(archivePart, id)} AS days, ${eventsIn(archiveMonth, id)} AS months, ${isPending(scope)} AS pending`,
  ]);
  const { pending, ...sum } = sums.results[0];
  return { parts: parts.results, ...sum, isPending: pending === 1 };
}

const eventsIn = (table: typeof archivePart | typeof archiveMonth, merge: string): SQL =>
  sql`(SELECT coalesce(sum(${table.rows}), 0) FROM ${table} WHERE merge = ${merge})`;
const isPending = (scope: number): SQL =>
  sql`(EXISTS (SELECT 1 FROM ${archiveForgotten} WHERE scope = ${scope} AND done_at IS NULL)
    OR EXISTS (SELECT 1 FROM ${archiveChange} WHERE scope = ${scope} AND done_at IS NULL))`;

/**
 * Ends the merge if its months have as many events as its days and no change is pending in either: lists read the
 * months from now on, and the days' objects by user are deleted after a while.
 * @param bytes size of each part's object by type
 */
export async function endMerge(
  db: D1Database,
  { scope, id }: Merge,
  parts: readonly (Part & { bytes: number })[],
  deleteAfter: number,
): Promise<boolean> {
  const objects = listed(parts.map((part) => ({ id: part.id, bytes: part.bytes, key: objectKey(part, "users") })));
  const isAsRead = asRead(
    ...([{ scope, id }, END] as const),
    parts.map((part) => part.id),
  );
  // After the merge has ended, its parts are those that it had; an abandoned merge has none.
  const isOver = sql`NOT ${isOpen(scope, id)}`;
  const [ended] = await batch(db, [
    sql`DELETE FROM ${archiveMerge} WHERE scope = ${scope} AND ${isAsRead}
          AND ${eventsIn(archivePart, id)} = ${eventsIn(archiveMonth, id)} AND NOT ${isPending(scope)}`,
    sql`INSERT OR REPLACE INTO ${archiveObject} SELECT ${scope}, object.value ->> 'key', ${deleteAfter}
        FROM ${objects} AS object, ${archivePart} AS part WHERE part.scope = ${scope} AND part.id = object.value ->> 'id'
          AND part.merge = ${id} AND part.users <> '[]' AND ${isOver}`,
    sql`UPDATE ${archive} SET merged = merged + 1 WHERE scope = ${scope} AND ${isOver}`,
    sql`UPDATE ${archivePart} SET users = '[]',
          bytes = (SELECT value ->> 'bytes' FROM ${objects} WHERE value ->> 'id' = ${archivePart.id})
        WHERE scope = ${scope} AND merge = ${id} AND id IN (SELECT value ->> 'id' FROM ${objects}) AND ${isOver}`,
  ]);
  return ended.meta.changes > 0;
}

/** Restores the days, and deletes the merged objects. */
export async function abandonMerge(db: D1Database, { scope, id, month }: Merge, deleteAfter: number): Promise<void> {
  const [before, after] = monthKey({ scope, id: "*", month }).split("*");
  const mine = sql`merge = ${id} AND ${isOpen(scope, id)}`;
  await batch(db, [
    sql`INSERT OR REPLACE INTO ${archiveObject} SELECT scope, ${before} || id || ${after}, ${deleteAfter} FROM ${archiveMonth} WHERE ${mine}`,
    sql`DELETE FROM ${archiveMonth} WHERE ${mine}`,
    sql`UPDATE ${archivePart} SET merge = NULL WHERE ${mine}`,
    sql`DELETE FROM ${archiveMerge} WHERE ${and(eq(archiveMerge.scope, scope), eq(archiveMerge.id, id))}`,
  ]);
}
