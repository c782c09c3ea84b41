import type { UserPlace } from "../../../core/archive/event-row.ts";
import { DAY_MS, monthKey, nextMonth, objectKey, type Part, type PlacedGroup } from "../../../core/archive/part.ts";
import { type Except, listOf, notListed } from "../except.ts";
import { insertMonth, type NewMonth } from "./archive-months.ts";
import { MOVABLE } from "./archive-moves.ts";
import { placedGroups } from "./archive-parts.ts";
import { KEPT_DAYS } from "./archive-pending.ts";

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

const MONTH = "unixepoch(day * 86400, 'unixepoch', 'start of month') / 86400";

/** Months of ?1 and earlier days with parts to merge, in scopes that keep them for a while. ?2: today [days] */
const MERGEABLE = `FROM archive_part, project WHERE merge IS NULL AND day < ?1 AND project.id = scope >> 1`;
const ENOUGH = `HAVING count(*) >= ${MIN_PARTS} AND ${MONTH} > ?2 - ${KEPT_DAYS} + ${MIN_LEFT}`;

/** The first day of the month of the oldest events that have not been moved. */
const openMonth = (before: number) => new Date(before).setUTCDate(1) / DAY_MS;

/**
 * Scopes with a merge in progress, or with parts to merge.
 * @param before events before this have been moved [ms]
 */
export async function scopesToMerge(db: D1Database, now: number, before: number, except: Except): Promise<number[]> {
  const { results } = await db
    .prepare(
      `SELECT scope FROM archive_merge WHERE ${notListed("scope", "?3")}
       UNION SELECT scope FROM (SELECT scope ${MERGEABLE} AND ${notListed("scope", "?3")} GROUP BY scope, ${MONTH} ${ENOUGH})`,
    )
    .bind(Math.floor(openMonth(before)), Math.floor(now / DAY_MS), listOf(except))
    .all<{ scope: number }>();
  return results.map(({ scope }) => scope);
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
  const underWay = db
    .prepare(
      `SELECT id, month, next, (SELECT count(*) FROM archive_part WHERE merge = archive_merge.id) AS parts
       FROM archive_merge WHERE scope = ?1`,
    )
    .bind(scope);
  const [open, months, waiting] = await db.batch<Record<string, unknown>>([
    underWay,
    db
      .prepare(
        `SELECT ${MONTH} AS month ${MERGEABLE} AND scope = ?3 GROUP BY ${MONTH} ${ENOUGH} ORDER BY ${MONTH} LIMIT 1`,
      )
      .bind(Math.floor(openMonth(before)), Math.floor(now / DAY_MS), scope),
    db
      .prepare(`SELECT created_at AS time FROM event WHERE scope = ?1 AND ${MOVABLE} ORDER BY created_at LIMIT 1`)
      .bind(scope, before),
  ]);
  const [row] = open.results as unknown as Row[];
  if (row) return mergeOf(scope, row);
  const month = months.results[0]?.month as number | undefined;
  const oldest = waiting.results[0]?.time as number | undefined;
  if (month === undefined || (oldest !== undefined && oldest < nextMonth(month) * DAY_MS)) return undefined;
  const [, , begun] = await db.batch<Record<string, unknown>>([
    db.prepare("INSERT OR IGNORE INTO archive_merge VALUES (?1, ?2, ?3, '')").bind(scope, id, month),
    db
      .prepare(
        `UPDATE archive_part SET merge = ?2 WHERE scope = ?1 AND EXISTS (SELECT 1 FROM archive_merge WHERE scope = ?1 AND id = ?2)
         AND id IN (SELECT id FROM archive_part WHERE merge IS NULL AND day >= ?3 AND day < ?4 AND scope = ?1
           ORDER BY day, id LIMIT ${MAX_PARTS})`,
      )
      .bind(scope, id, month, nextMonth(month)),
    underWay,
  ]);
  const [mine] = begun.results as unknown as Row[];
  return mine && mergeOf(scope, mine);
}

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
  const { results } = await db
    .prepare(
      `SELECT id, day, (SELECT json_group_array(json(value)) FROM (
         SELECT value FROM json_each(part.users) WHERE ?2 IS NULL OR value ->> 5 > ?2 OR (value ->> 5 = ?2 AND value ->> 2 <= ?3)
         ORDER BY key LIMIT ?4)) AS directory
       FROM archive_part AS part WHERE merge = ?1 ORDER BY day, id`,
    )
    .bind(id, next?.user ?? null, next?.time ?? null, most)
    .all<{ id: string; day: number; directory: string }>();
  return results.map((row) => {
    const groups = placedGroups(row.directory, objectKey({ scope, id: row.id, day: row.day }, "users"));
    return { id: row.id, groups, hasMore: groups.length === most };
  });
}

/** The merge has not advanced, and its parts are those in a list of _ids. */
const asRead = (next: string, ids: string, id: string) =>
  `EXISTS (SELECT 1 FROM archive_merge WHERE scope = ?1 AND id = ${id} AND next = ${next})
   AND (SELECT count(*) FROM archive_part WHERE merge = ${id}) = json_array_length(${ids})
   AND (SELECT count(*) FROM archive_part WHERE merge = ${id} AND id IN (SELECT value FROM json_each(${ids}))) = json_array_length(${ids})`;

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
  const { scope, id } = merge;
  const [before, after] = [merge.next ? written(merge.next) : "", next ? written(next) : END];
  const ids = JSON.stringify(parts.map((part) => part.id));
  const results = await db.batch([
    ...(part ? insertMonth(db, part, id, asRead("?14", "?15", "?4"), before, ids) : []),
    db
      .prepare(`UPDATE archive_merge SET next = ?5 WHERE scope = ?1 AND ${asRead("?3", "?4", "?2")}`)
      .bind(scope, id, before, ids, after),
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
  const [parts, sums] = await db.batch<Record<string, unknown>>([
    db.prepare("SELECT scope, id, day FROM archive_part WHERE merge = ?1").bind(id),
    db.prepare(`SELECT ${DAYS("?2")} AS days, ${MONTHS("?2")} AS months, ${PENDING} AS pending`).bind(scope, id),
  ]);
  const { days, months, pending } = sums.results[0] as Record<string, number>;
  return { parts: parts.results as unknown as Part[], days, months, isPending: pending === 1 };
}

const DAYS = (id: string) => `(SELECT coalesce(sum(rows), 0) FROM archive_part WHERE merge = ${id})`;
const MONTHS = (id: string) => `(SELECT coalesce(sum(rows), 0) FROM archive_month WHERE merge = ${id})`;
const PENDING = `(EXISTS (SELECT 1 FROM archive_forgotten WHERE scope = ?1 AND done_at IS NULL)
  OR EXISTS (SELECT 1 FROM archive_change WHERE scope = ?1 AND done_at IS NULL))`;

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
  const objects = JSON.stringify(
    parts.map((part) => ({ id: part.id, bytes: part.bytes, key: objectKey(part, "users") })),
  );
  const ids = JSON.stringify(parts.map((part) => part.id));
  // After the merge has ended, its parts are those that it had; an abandoned merge has none.
  const isOver = "NOT EXISTS (SELECT 1 FROM archive_merge WHERE scope = ?1 AND id = ?2)";
  const [ended] = await db.batch([
    db
      .prepare(
        `DELETE FROM archive_merge WHERE scope = ?1 AND ${asRead(`'${END}'`, "?3", "?2")}
         AND ${DAYS("?2")} = ${MONTHS("?2")} AND NOT ${PENDING}`,
      )
      .bind(scope, id, ids),
    db
      .prepare(
        `INSERT OR REPLACE INTO archive_object SELECT ?1, object.value ->> 'key', ?4 FROM json_each(?3) AS object, archive_part AS part
         WHERE part.scope = ?1 AND part.id = object.value ->> 'id' AND part.merge = ?2 AND part.users <> '[]' AND ${isOver}`,
      )
      .bind(scope, id, objects, deleteAfter),
    db.prepare(`UPDATE archive SET merged = merged + 1 WHERE scope = ?1 AND ${isOver}`).bind(scope, id),
    db
      .prepare(
        `UPDATE archive_part SET users = '[]', bytes = (SELECT value ->> 'bytes' FROM json_each(?3) WHERE value ->> 'id' = archive_part.id)
         WHERE scope = ?1 AND merge = ?2 AND id IN (SELECT value ->> 'id' FROM json_each(?3)) AND ${isOver}`,
      )
      .bind(scope, id, objects),
  ]);
  return ended.meta.changes > 0;
}

/** Restores the days, and deletes the merged objects. */
export async function abandonMerge(db: D1Database, { scope, id, month }: Merge, deleteAfter: number): Promise<void> {
  const [before, after] = monthKey({ scope, id: "*", month }).split("*");
  await db.batch([
    db
      .prepare(
        `INSERT OR REPLACE INTO archive_object SELECT scope, ?3 || id || ?4, ?5 FROM archive_month
         WHERE merge = ?2 AND EXISTS (SELECT 1 FROM archive_merge WHERE scope = ?1 AND id = ?2)`,
      )
      .bind(scope, id, before, after, deleteAfter),
    db
      .prepare(
        "DELETE FROM archive_month WHERE merge = ?2 AND EXISTS (SELECT 1 FROM archive_merge WHERE scope = ?1 AND id = ?2)",
      )
      .bind(scope, id),
    db
      .prepare(
        "UPDATE archive_part SET merge = NULL WHERE merge = ?2 AND EXISTS (SELECT 1 FROM archive_merge WHERE scope = ?1 AND id = ?2)",
      )
      .bind(scope, id),
    db.prepare("DELETE FROM archive_merge WHERE scope = ?1 AND id = ?2").bind(scope, id),
  ]);
}
