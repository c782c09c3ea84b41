import { DAY_MS, type Part } from "../archive/part.ts";
import type { Changes } from "./archive-changes.ts";
import { listParts } from "./archive-parts.ts";
import { DEFAULT_RETENTION } from "./retention.ts";

/** What is noted of a scope's archive and not yet written into it. */
export interface Pending extends Changes {
  /** Up to here they are noted. */
  seq: number;
  /** With which parts may have each: a user from any time on, an event at its time. */
  about: { user: string; seq: number; time?: number; id?: string }[];
}

/** At most so many of each kind, the earliest first. */
export async function pendingChanges(db: D1Database, scope: number, most: number): Promise<Pending> {
  const [archive, users, events] = await db.batch<Record<string, unknown>>([
    db.prepare("SELECT seq FROM archive WHERE scope = ?1").bind(scope),
    db
      .prepare("SELECT user, seq FROM archive_forgotten WHERE scope = ?1 AND done_at IS NULL ORDER BY seq LIMIT ?2")
      .bind(scope, most),
    db
      .prepare(
        "SELECT id, user, time, doc, seq FROM archive_change WHERE scope = ?1 AND done_at IS NULL ORDER BY seq LIMIT ?2",
      )
      .bind(scope, most),
  ]);
  const forgotten = users.results as unknown as { user: string; seq: number }[];
  const changed = events.results as unknown as {
    id: string;
    user: string;
    time: number;
    doc: string | null;
    seq: number;
  }[];
  // Where not all of a kind were taken, what is written now lacks those behind the last.
  const caps = [forgotten, changed].map((notes) => (notes.length < most ? Infinity : notes[notes.length - 1].seq));
  return {
    seq: Math.min(Number(archive.results[0]?.seq ?? 0), ...caps),
    forgotten: new Set(forgotten.map(({ user }) => user)),
    docs: new Map(changed.map(({ id, doc }) => [id, doc])),
    about: [...forgotten, ...changed.map(({ id, user, time, seq }) => ({ id, user, time, seq }))],
  };
}

/** Parts that may hold what one note is about and were written before it; at most so many. */
export async function partsToRewrite(
  db: D1Database,
  scope: number,
  { user, seq, time }: Pending["about"][number],
  most: number,
): Promise<Part[]> {
  const parts = await listParts(
    db,
    scope,
    "users",
    { users: [user], ...(time !== undefined && { createdAfter: time - 1 }) },
    {
      ...{ from: time, limit: most },
      writtenBefore: seq,
    },
  );
  return parts.map(({ id, day }) => ({ scope, id, day }));
}

/** Nothing of these is left in the archive's parts. */
export async function noteDone(db: D1Database, scope: number, about: Pending["about"], now: number): Promise<void> {
  const done = JSON.stringify(about.map(({ id, user, seq }) => ({ id, user, seq })));
  const which = (name: string) =>
    `scope = ?1 AND (${name}, seq) IN (SELECT value ->> '${name}', value ->> 'seq' FROM json_each(?2))`;
  await db.batch([
    db.prepare(`UPDATE archive_forgotten SET done_at = ?3 WHERE ${which("user")}`).bind(scope, done, now),
    db.prepare(`UPDATE archive_change SET done_at = ?3 WHERE ${which("id")}`).bind(scope, done, now),
  ]);
}

/** A part was looked through and had none of what was noted up to here. */
export async function noteClean(db: D1Database, { scope, id }: Part, seq: number): Promise<void> {
  await db
    .prepare("UPDATE archive_part SET seq = max(seq, ?3) WHERE scope = ?1 AND id = ?2")
    .bind(scope, id, seq)
    .run();
}

/** Forgets notes that were done before a time: nobody reads the parts of before any more. */
export async function dropDone(db: D1Database, scope: number, before: number): Promise<void> {
  await db.batch(
    ["archive_forgotten", "archive_change"].map((table) =>
      db.prepare(`DELETE FROM ${table} WHERE scope = ?1 AND done_at < ?2`).bind(scope, before),
    ),
  );
}

/** Parts of days that a project keeps no events of any more: whole days, so up to one later than in D1. */
export async function outlivedParts(db: D1Database, scope: number, now: number, limit: number): Promise<Part[]> {
  const days = "CASE WHEN json_valid(settings) THEN settings ->> '$.retention.events' END";
  const { results } = await db
    .prepare(
      `SELECT part.scope, part.id, part.day FROM archive_part AS part, project
       WHERE part.scope = ?1 AND project.id = ?1 >> 1
         AND part.to_time < ?2 - coalesce(${days}, ${DEFAULT_RETENTION.events}) * ${DAY_MS} LIMIT ?3`,
    )
    .bind(scope, now, limit)
    .all<Part>();
  return results;
}
