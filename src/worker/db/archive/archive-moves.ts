import { and, asc, eq, gte, lt, type SQL, sql } from "drizzle-orm";
import { type Group, writeDirectory } from "../../../core/archive/directory.ts";
import type { EventRow } from "../../../core/archive/event-row.ts";
import { ORDERS } from "../../../core/archive/orders.ts";
import { DAY_MS, objectKey, type Part } from "../../../core/archive/part.ts";
import { batch, integer, listed, oneOf, open } from "../database.ts";
import { type Except, outside } from "../except.ts";
import { HALF, HALVES } from "../projects/retention.ts";
import { archive, type archiveMonth, archiveObject, archivePart, event } from "../schema.ts";

/** D1 queries for moving events into the archive. */

/**
 * Both created and dated before the limit: an event that arrived late stays as long as one that arrives now, because
 * its tracker may send it again. An event with a time that no file can store stays forever, and so does an _id that
 * doesn't begin with its user's _id: the archive couldn't find it.
 */
export const movable = (before: number): SQL =>
  sql`created_at >= 0 AND created_at < ${before} AND typeof(created_at) = 'integer'
    AND substr(id, 1, length(id) - 8) = user AND coalesce(CASE WHEN json_valid(doc) THEN doc ->> '$.actualCreatedAt' END, created_at) < ${before}`;

/** Scopes with events to move: usually one index seek each. */
export async function scopesToMove(db: D1Database, before: number, limit: number, except: Except): Promise<number[]> {
  const rows = await open(db).all<{ scope: number }>(
    sql`SELECT ${HALF} AS scope FROM ${HALVES} WHERE ${outside(HALF, except)}
          AND EXISTS (SELECT 1 FROM ${event} WHERE ${event.scope} = ${HALF} AND ${movable(before)}) LIMIT ${limit}`,
  );
  return rows.map(({ scope }) => scope);
}

/** A move in progress: its rows belong to this state of the archive. */
interface Move {
  scope: number;
  day: number;
  seq: number;
  edits: number;
}

/** Begins with the oldest day that has events to move. */
export async function beginMove(db: D1Database, scope: number, before: number): Promise<Move | undefined> {
  const row = await open(db).get<Omit<Move, "scope"> | undefined>(
    sql`INSERT INTO ${archive} (scope, seq, moving) SELECT ${scope}, 0, created_at / ${integer(DAY_MS)}
        FROM ${event} WHERE ${eq(event.scope, scope)} AND ${movable(before)} ORDER BY created_at LIMIT 1
        ON CONFLICT (scope) DO UPDATE SET moving = excluded.moving RETURNING moving AS day, seq, edits`,
  );
  return row && { scope, ...row };
}

/** Maximum rows of a D1 response. */
const AT_ONCE = 4_000;

/** The oldest events of the day, up to a number of rows and characters. */
export async function eventsToMove(
  db: D1Database,
  { scope, day }: Move,
  before: number,
  most: { rows: number; characters: number },
): Promise<EventRow[]> {
  const rows: EventRow[] = [];
  let characters = 0;
  for (;;) {
    const last = rows[rows.length - 1];
    const limit = Math.min(AT_ONCE, most.rows - rows.length);
    const { id, type, user, createdAt: time, doc } = event;
    const results = await open(db)
      .select({ id, type, user, time, doc })
      .from(event)
      .where(
        and(
          ...[eq(event.scope, scope), movable(before), gte(time, day * DAY_MS), lt(time, (day + 1) * DAY_MS)],
          sql`(${time}, ${id}) > (${last?.time ?? -1}, ${last?.id ?? ""})`,
        ),
      )
      .orderBy(asc(time), asc(id))
      .limit(limit)
      .all();
    rows.push(...results);
    characters += results.reduce((sum, { doc }) => sum + doc.length, 0);
    if (results.length < limit || rows.length >= most.rows || characters >= most.characters) return rows;
  }
}

/** A part to be recorded once its objects are in the bucket. */
export interface NewPart extends Part {
  seq: number;
  rows: number;
  from: number;
  to: number;
  bytes: number;
  digest: string;
  types: readonly Group[];
  users: readonly Group[];
  filter: Uint8Array<ArrayBuffer>;
}

/**
 * Records objects that are about to be written: without a part that references them, they are deleted after a while.
 */
export async function noteObjects(
  db: D1Database,
  scope: number,
  keys: readonly string[],
  deleteAfter: number,
): Promise<void> {
  await batch(db, [discard(scope, keys, deleteAfter)]);
}

function keysOf(part: Part): string[] {
  return ORDERS.map((order) => objectKey(part, order));
}

/** The query that schedules the deletion of objects, if a condition holds. */
export function discard(scope: number, keys: readonly string[], after: number, condition = sql`TRUE`): SQL {
  return sql`INSERT OR REPLACE INTO ${archiveObject} SELECT ${scope}, value, ${after} FROM ${listed(keys)} WHERE ${condition}`;
}

/**
 * The query that records a part if a condition holds; later ones in its batch check whether it was recorded.
 */
function insertPart(part: NewPart, condition: SQL): SQL {
  const { scope, id, day, seq, rows, from, to, bytes, digest, types, users, filter } = part;
  return sql`INSERT INTO ${archivePart} (scope, id, day, seq, rows, from_time, to_time, bytes, digest, types, users, filter)
    SELECT ${scope}, ${id}, ${day}, ${seq}, ${rows}, ${from}, ${to}, ${bytes}, ${digest}, ${writeDirectory(types)},
      ${writeDirectory(users)}, ${sql.param(filter.buffer)} WHERE ${condition}`;
}

/** Is a row of a part or month there? */
export const isThere = (table: typeof archivePart | typeof archiveMonth, { scope, id }: RowName): SQL =>
  sql`EXISTS (SELECT 1 FROM ${table} WHERE ${table.scope} = ${scope} AND ${table.id} = ${id})`;

interface RowName {
  scope: number;
  id: string;
}

const keep = (part: Part) => keepObjects(part, archivePart, keysOf(part));

/** The query that keeps objects from deletion if a table references their part. */
export function keepObjects(part: RowName, table: Parameters<typeof isThere>[0], keys: readonly string[]): SQL {
  return sql`DELETE FROM ${archiveObject} WHERE ${namedObjects(part.scope, keys)} AND ${isThere(table, part)}`;
}

const namedObjects = (scope: number, keys: readonly string[]) =>
  and(eq(archiveObject.scope, scope), oneOf(archiveObject.key, keys));
const namedEvents = (scope: number, ids: readonly string[]) => and(eq(event.scope, scope), oneOf(event.id, ids));

/**
 * Moves events from the table into the archive: both or, if one of them was deleted or changed since they were read,
 * neither.
 */
export async function commitMove(
  db: D1Database,
  { edits, day }: Move,
  part: NewPart,
  rows: readonly EventRow[],
): Promise<boolean> {
  const own = eq(archive.scope, part.scope);
  const moved = namedEvents(
    part.scope,
    rows.map(({ id }) => id),
  );
  const isNoted = isThere(archivePart, part);
  const [inserted] = await batch(db, [
    insertPart(
      part,
      sql`EXISTS (SELECT 1 FROM ${archive} WHERE ${own} AND moving = ${day} AND edits = ${edits})
        AND (SELECT count(*) FROM ${event} WHERE ${moved}) = ${rows.length}`,
    ),
    sql`DELETE FROM ${event} WHERE ${moved} AND ${isNoted}`,
    keep(part),
    // Stops another move of the same rows: a row may exist again by then.
    sql`UPDATE ${archive} SET edits = edits + 1 WHERE ${own} AND ${isNoted}`,
  ]);
  return inserted.meta.changes > 0;
}

/** Deletes events that are already in the archive: they arrived twice. */
export async function dropArrivedAgain(db: D1Database, scope: number, ids: readonly string[]): Promise<void> {
  await open(db).delete(event).where(namedEvents(scope, ids));
}

/**
 * Replaces a part with another, also in a merge; undefined: nothing is left of it. Does nothing if the old one is gone,
 * or was merged since it was read. The old objects are deleted after a while, because they may still be read.
 */
export async function replacePart(
  db: D1Database,
  old: Part,
  part: NewPart | undefined,
  deleteAfter: number,
): Promise<void> {
  const condition = part && isThere(archivePart, part);
  const named = ({ scope, id }: Part) => and(eq(archivePart.scope, scope), eq(archivePart.id, id));
  const gone = [
    discard(old.scope, keysOf(old), deleteAfter, condition),
    sql`DELETE FROM ${archivePart} WHERE ${and(named(old), condition)}`,
  ];
  if (!part) return void (await batch(db, gone));
  const isMerged = part.users.length === 0 ? sql`users = '[]'` : sql`users <> '[]'`;
  await batch(db, [
    insertPart(part, sql`EXISTS (SELECT 1 FROM ${archivePart} WHERE ${named(old)} AND ${isMerged})`),
    sql`UPDATE ${archivePart} SET merge = (SELECT merge FROM ${archivePart} WHERE ${named(old)}) WHERE ${named(part)}`,
    keep(part),
    ...gone,
  ]);
}

/** Objects that are no longer referenced. */
export async function objectsToDelete(db: D1Database, scope: number, now: number, limit: number): Promise<string[]> {
  const rows = await open(db)
    .select({ key: archiveObject.key })
    .from(archiveObject)
    .where(and(eq(archiveObject.scope, scope), lt(archiveObject.deleteAfter, now)))
    .limit(limit)
    .all();
  return rows.map(({ key }) => key);
}

export async function objectsDeleted(db: D1Database, scope: number, keys: readonly string[]): Promise<void> {
  await open(db).delete(archiveObject).where(namedObjects(scope, keys));
}

/** All scopes that have an archive. */
export async function archivedScopes(db: D1Database, except: Except): Promise<number[]> {
  const { scope } = archive;
  const rows = await open(db).select({ scope }).from(archive).where(outside(scope, except)).all();
  return rows.map((row) => row.scope);
}
