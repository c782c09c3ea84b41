import type { UserPlace } from "../../archive/event-row.ts";
import { DAY_MS, monthKey, nextMonth, objectKey, type Part, type PlacedGroup } from "../../archive/part.ts";
import { insertMonth, type NewMonth } from "./archive-months.ts";
import { MOVABLE } from "./archive-moves.ts";
import { placedGroups } from "./archive-parts.ts";
import { KEPT_DAYS } from "./archive-pending.ts";

/*
 * What merging the days of a month asks of D1. A merge takes days' parts (`archive_part.merge`), goes through their events user by user, and notes
 * one object of the month after the other (`archive_month`). Lists read the days until it is over, which is one transaction: the months are read
 * from then on, and the days' objects by users go.
 */

/** A merge that has begun. */
export interface Merge {
  scope: number;
  id: string;
  /** First day of its month [days since 1970, UTC]. */
  month: number;
  /** Events from here on are still to be merged: undefined = all. */
  next: UserPlace | undefined;
  isRead: boolean;
  /** How many of days it has taken. */
  parts: number;
}

/** Fewer parts of a month than these stay as they are: what arrived late after its month was merged. */
const MIN_PARTS = 4;
/** More parts are merged by another merge: each has its groups in memory, and is read for each object of the month. */
const MAX_PARTS = 400;
/** A month is not merged that begins to be outlived so soon [days]: each of its objects would be written anew day by day. */
const MIN_LEFT = 31;

const MONTH = "unixepoch(day * 86400, 'unixepoch', 'start of month') / 86400";

/** Months of ?1 and earlier days whose parts are to be merged, of scopes that keep them for a while yet. ?2: today [days] */
const MERGEABLE = `FROM archive_part, project WHERE merge IS NULL AND day < ?1 AND project.id = scope >> 1`;
const ENOUGH = `HAVING count(*) >= ${MIN_PARTS} AND ${MONTH} > ?2 - ${KEPT_DAYS} + ${MIN_LEFT}`;

/** The first day of the month in which events are that have not moved. */
const openMonth = (before: number) => new Date(before).setUTCDate(1) / DAY_MS;

/** Scopes with a merge under way, or with something to be merged. @param before what happened earlier has moved [ms] */
export async function scopesToMerge(db: D1Database, now: number, before: number): Promise<number[]> {
  const { results } = await db
    .prepare(
      `SELECT scope FROM archive_merge UNION SELECT scope FROM (SELECT scope ${MERGEABLE} GROUP BY scope, ${MONTH} ${ENOUGH})`,
    )
    .bind(Math.floor(openMonth(before)), Math.floor(now / DAY_MS))
    .all<{ scope: number }>();
  return results.map(({ scope }) => scope);
}

interface Row {
  id: string;
  month: number;
  next: string;
  parts: number;
}

/** The merge that is under way, or a new one of the earliest month of which nothing waits to be moved. */
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

/** A part that is merged, with the groups by users that come next. */
export interface Merged {
  id: string;
  groups: PlacedGroup[];
  /** There may be more behind the last of these. */
  hasMore: boolean;
}

/** The parts of a merge, and at most so many groups of each. */
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

/** The merge stands where it did, and its parts are the ones of a list of _ids. */
const asRead = (next: string, ids: string, id: string) =>
  `EXISTS (SELECT 1 FROM archive_merge WHERE scope = ?1 AND id = ${id} AND next = ${next})
   AND (SELECT count(*) FROM archive_part WHERE merge = ${id}) = json_array_length(${ids})
   AND (SELECT count(*) FROM archive_part WHERE merge = ${id} AND id IN (SELECT value FROM json_each(${ids}))) = json_array_length(${ids})`;

/**
 * Notes an object of the month (undefined: all its events had been deleted), and from where the merge goes on (undefined: it has come to the end). Where
 * another round went on meanwhile, or a part was written anew since it was read, nothing happens.
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

/** How many events the days and the months of a merge have, and whether deletions or changes are still to be written into either. */
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
 * The merge is over, where its months have as many events as its days and nothing is to be written into either: lists read the months from now on, and
 * the days' objects by users go after a while. @param bytes of each part what its object by types has
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
  // Once the merge is no more, its parts are those that it had: an abandoned one has none.
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

/** The days are as they were before, and what was merged goes. */
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
