import { type Group, writeDirectory } from "../../../core/archive/directory.ts";
import type { EventRow } from "../../../core/archive/event-row.ts";
import { ORDERS } from "../../../core/archive/orders.ts";
import { DAY_MS, objectKey, type Part } from "../../../core/archive/part.ts";
import { type Except, listOf, notListed } from "../except.ts";

/** D1 queries for moving events into the archive. */

/**
 * Both created and dated before the limit: an event that arrived late stays as long as one that arrives now, because
 * its tracker may send it again. An event with a time that no file can store stays forever, and so does an _id that
 * doesn't begin with its user's _id: the archive couldn't find it.
 */
export const MOVABLE = `created_at >= 0 AND created_at < ?2 AND typeof(created_at) = 'integer'
  AND substr(id, 1, length(id) - 8) = user AND coalesce(CASE WHEN json_valid(doc) THEN doc ->> '$.actualCreatedAt' END, created_at) < ?2`;

/** Scopes with events to move: usually one index seek each. */
export async function scopesToMove(db: D1Database, before: number, limit: number, except: Except): Promise<number[]> {
  const { results } = await db
    .prepare(
      `SELECT project.id * 2 + half.live AS scope FROM project, (SELECT 0 AS live UNION ALL SELECT 1) AS half
       WHERE ${notListed("project.id * 2 + half.live", "?3")}
         AND EXISTS (SELECT 1 FROM event WHERE scope = project.id * 2 + half.live AND ${MOVABLE}) LIMIT ?1`,
    )
    .bind(limit, before, listOf(except))
    .all<{ scope: number }>();
  return results.map(({ scope }) => scope);
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
  const row = await db
    .prepare(
      `INSERT INTO archive (scope, seq, moving)
       SELECT ?1, 0, created_at / ${DAY_MS} FROM event WHERE scope = ?1 AND ${MOVABLE} ORDER BY created_at LIMIT 1
       ON CONFLICT (scope) DO UPDATE SET moving = excluded.moving RETURNING moving AS day, seq, edits`,
    )
    .bind(scope, before)
    .first<Omit<Move, "scope">>();
  return row ? { scope, ...row } : undefined;
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
    const { results } = await db
      .prepare(
        `SELECT id, type, user, created_at AS time, doc FROM event
         WHERE scope = ?1 AND ${MOVABLE} AND created_at >= ?3 AND created_at < ?4 AND (created_at, id) > (?5, ?6)
         ORDER BY created_at, id LIMIT ?7`,
      )
      .bind(scope, before, day * DAY_MS, (day + 1) * DAY_MS, last?.time ?? -1, last?.id ?? "", limit)
      .all<EventRow>();
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
  await db.batch([discard(db, scope, keys, deleteAfter)]);
}

function keysOf(part: Part): string[] {
  return ORDERS.map((order) => objectKey(part, order));
}

/** The statement that schedules the deletion of objects, if a condition on the scope and ?4 holds. */
export function discard(
  db: D1Database,
  scope: number,
  keys: readonly string[],
  after: number,
  condition = "TRUE",
  ...bound: (string | number)[]
): D1PreparedStatement {
  return db
    .prepare(`INSERT OR REPLACE INTO archive_object SELECT ?1, value, ?3 FROM json_each(?2) WHERE ${condition}`)
    .bind(scope, JSON.stringify(keys), after, ...bound);
}

/**
 * The statement that records a part if a condition holds; later statements in its batch check whether it was recorded.
 */
function insertPart(
  db: D1Database,
  part: NewPart,
  condition: string,
  ...bound: (string | number)[]
): D1PreparedStatement {
  const { scope, id, day, seq, rows, from, to, bytes, digest, types, users, filter } = part;
  return db
    .prepare(
      `INSERT INTO archive_part (scope, id, day, seq, rows, from_time, to_time, bytes, digest, types, users, filter)
       SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12 WHERE ${condition}`,
    )
    .bind(
      ...[scope, id, day, seq, rows, from, to, bytes, digest],
      ...[writeDirectory(types), writeDirectory(users), filter.buffer, ...bound],
    );
}

const IS_NOTED = "EXISTS (SELECT 1 FROM archive_part WHERE scope = ?1 AND id = ?2)";

const keep = (db: D1Database, part: Part) => keepObjects(db, part, "archive_part", keysOf(part));

/** The statement that keeps objects from deletion if a table references their part. */
export function keepObjects(
  db: D1Database,
  { scope, id }: { scope: number; id: string },
  table: "archive_part" | "archive_month",
  keys: readonly string[],
): D1PreparedStatement {
  return db
    .prepare(
      `DELETE FROM archive_object WHERE scope = ?1 AND key IN (SELECT value FROM json_each(?3))
       AND EXISTS (SELECT 1 FROM ${table} WHERE scope = ?1 AND id = ?2)`,
    )
    .bind(scope, id, JSON.stringify(keys));
}

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
  const ids = JSON.stringify(rows.map(({ id }) => id));
  const [inserted] = await db.batch([
    insertPart(
      ...([db, part] as const),
      `EXISTS (SELECT 1 FROM archive WHERE scope = ?1 AND moving = ?13 AND edits = ?14)
       AND (SELECT count(*) FROM event WHERE scope = ?1 AND id IN (SELECT value FROM json_each(?15))) = ?16`,
      ...[day, edits, ids, rows.length],
    ),
    db
      .prepare(`DELETE FROM event WHERE scope = ?1 AND id IN (SELECT value FROM json_each(?3)) AND ${IS_NOTED}`)
      .bind(part.scope, part.id, ids),
    keep(db, part),
    // Stops another move of the same rows: a row may exist again by then.
    db.prepare(`UPDATE archive SET edits = edits + 1 WHERE scope = ?1 AND ${IS_NOTED}`).bind(part.scope, part.id),
  ]);
  return inserted.meta.changes > 0;
}

/** Deletes events that are already in the archive: they arrived twice. */
export async function dropArrivedAgain(db: D1Database, scope: number, ids: readonly string[]): Promise<void> {
  await db
    .prepare("DELETE FROM event WHERE scope = ?1 AND id IN (SELECT value FROM json_each(?2))")
    .bind(scope, JSON.stringify(ids))
    .run();
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
  const { scope, id } = old;
  const isThere = (parameter: string) => `EXISTS (SELECT 1 FROM archive_part WHERE scope = ?1 AND id = ${parameter})`;
  const gone = [
    part
      ? discard(db, scope, keysOf(old), deleteAfter, isThere("?4"), part.id)
      : discard(db, scope, keysOf(old), deleteAfter),
    db
      .prepare(`DELETE FROM archive_part WHERE scope = ?1 AND id = ?2 ${part ? `AND ${isThere("?3")}` : ""}`)
      .bind(scope, id, ...(part ? [part.id] : [])),
  ];
  if (!part) return void (await db.batch(gone));
  await db.batch([
    insertPart(
      ...([db, part] as const),
      "EXISTS (SELECT 1 FROM archive_part WHERE scope = ?1 AND id = ?13 AND (users = '[]') = (?11 = '[]'))",
      id,
    ),
    db
      .prepare(
        `UPDATE archive_part SET merge = (SELECT merge FROM archive_part WHERE scope = ?1 AND id = ?3) WHERE scope = ?1 AND id = ?2`,
      )
      .bind(scope, part.id, id),
    keep(db, part),
    ...gone,
  ]);
}

/** Objects that are no longer referenced. */
export async function objectsToDelete(db: D1Database, scope: number, now: number, limit: number): Promise<string[]> {
  const { results } = await db
    .prepare("SELECT key FROM archive_object WHERE scope = ?1 AND delete_after < ?2 LIMIT ?3")
    .bind(scope, now, limit)
    .all<{ key: string }>();
  return results.map(({ key }) => key);
}

export async function objectsDeleted(db: D1Database, scope: number, keys: readonly string[]): Promise<void> {
  await db
    .prepare("DELETE FROM archive_object WHERE scope = ?1 AND key IN (SELECT value FROM json_each(?2))")
    .bind(scope, JSON.stringify(keys))
    .run();
}

/** All scopes that have an archive. */
export async function archivedScopes(db: D1Database, except: Except): Promise<number[]> {
  const { results } = await db
    .prepare(`SELECT scope FROM archive WHERE ${notListed("scope", "?1")}`)
    .bind(listOf(except))
    .all<{ scope: number }>();
  return results.map(({ scope }) => scope);
}
