import { DAY_MS, type MonthPart, type Part } from "../../../core/archive/part.ts";
import { DEFAULT_RETENTION } from "../projects/retention.ts";
import type { Changes } from "./archive-changes.ts";
import { MAY_HOLD, MONTHS_WITH, requestedUsers } from "./archive-parts.ts";

/** Changes of a scope's archive that have not been written into it yet. */
export interface Pending extends Changes {
  /** They are complete up to this number. */
  seq: number;
  /** Which parts may contain each: a user from any time on, an event at its time. */
  about: { user: string; seq: number; time?: number; id?: string }[];
}

/** At most `most` of each kind, the earliest first. */
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
  // If not all of a kind were read, the parts written now lack the later ones.
  const caps = [forgotten, changed].map((notes) => (notes.length < most ? Infinity : notes[notes.length - 1].seq));
  return {
    seq: Math.min(Number(archive.results[0]?.seq ?? 0), ...caps),
    forgotten: new Set(forgotten.map(({ user }) => user)),
    docs: new Map(changed.map(({ id, doc }) => [id, doc])),
    about: [...forgotten, ...changed.map(({ id, user, time, seq }) => ({ id, user, time, seq }))],
  };
}

/**
 * Parts that may contain the subject of one note and were written before it, including those of merges in progress; at
 * most `most`.
 */
export async function partsToRewrite(
  db: D1Database,
  scope: number,
  { user, seq, time }: Pending["about"][number],
  most: number,
): Promise<(Part | MonthPart)[]> {
  const before = "scope = ?1 AND to_time >= ?2 AND +from_time <= ?3 AND seq < ?4";
  const values = [scope, time ?? 0, time ?? Number.MAX_SAFE_INTEGER, seq, requestedUsers([user]), most];
  const [days, months] = await db.batch<Record<string, unknown>>([
    db
      .prepare(
        `SELECT scope, id, day FROM archive_part AS part WHERE ${before} AND to_time < ?3 + ${DAY_MS} AND ${MAY_HOLD}
         ORDER BY to_time DESC, id DESC LIMIT ?6`,
      )
      .bind(...values),
    db
      .prepare(`SELECT scope, id, month FROM archive_month WHERE ${before} AND id IN (${MONTHS_WITH}) LIMIT ?6`)
      .bind(...values),
  ]);
  return [...(days.results as unknown as Part[]), ...(months.results as unknown as MonthPart[])].slice(0, most);
}

/** The archive's parts contain none of these any more. */
export async function noteDone(db: D1Database, scope: number, about: Pending["about"], now: number): Promise<void> {
  const done = JSON.stringify(about.map(({ id, user, seq }) => ({ id, user, seq })));
  const which = (name: string) =>
    `scope = ?1 AND (${name}, seq) IN (SELECT value ->> '${name}', value ->> 'seq' FROM json_each(?2))`;
  await db.batch([
    db.prepare(`UPDATE archive_forgotten SET done_at = ?3 WHERE ${which("user")}`).bind(scope, done, now),
    db.prepare(`UPDATE archive_change SET done_at = ?3 WHERE ${which("id")}`).bind(scope, done, now),
  ]);
}

/** A part was checked and had none of the changes recorded so far. */
export async function noteClean(db: D1Database, part: Part | MonthPart, seq: number): Promise<void> {
  const table = "day" in part ? "archive_part" : "archive_month";
  await db
    .prepare(`UPDATE ${table} SET seq = max(seq, ?3) WHERE scope = ?1 AND id = ?2`)
    .bind(part.scope, part.id, seq)
    .run();
}

/** Deletes notes that were completed before a time: the parts from before are no longer read. */
export async function dropDone(db: D1Database, scope: number, before: number): Promise<void> {
  await db.batch(
    ["archive_forgotten", "archive_change"].map((table) =>
      db.prepare(`DELETE FROM ${table} WHERE scope = ?1 AND done_at < ?2`).bind(scope, before),
    ),
  );
}

/** How many days a project keeps events, from a row with its settings. */
export const KEPT_DAYS = `coalesce(CASE WHEN json_valid(settings) THEN settings ->> '$.retention.events' END, ${DEFAULT_RETENTION.events})`;

/**
 * Parts of days for which a project keeps no events any more. Only complete days, so up to one day later than in D1.
 */
export async function outlivedParts(db: D1Database, scope: number, now: number, limit: number): Promise<Part[]> {
  const { results } = await db
    .prepare(
      `SELECT part.scope, part.id, part.day FROM archive_part AS part, project
       WHERE part.scope = ?1 AND project.id = ?1 >> 1 AND (part.day + 1) * ${DAY_MS} <= ?2 - ${KEPT_DAYS} * ${DAY_MS} LIMIT ?3`,
    )
    .bind(scope, now, limit)
    .all<Part>();
  return results;
}

/** Parts of months with days for which a project keeps no events any more, and the first day that it keeps [ms]. */
export async function outlivedMonths(
  db: D1Database,
  scope: number,
  now: number,
  limit: number,
): Promise<(MonthPart & { retainFrom: number })[]> {
  const retainFrom = `CAST((?2 - ${KEPT_DAYS} * ${DAY_MS}) / ${DAY_MS} AS INTEGER) * ${DAY_MS}`;
  const { results } = await db
    .prepare(
      `SELECT part.scope, part.id, part.month, ${retainFrom} AS retainFrom FROM archive_month AS part, project
       WHERE part.scope = ?1 AND project.id = ?1 >> 1 AND part.from_time < ${retainFrom} LIMIT ?3`,
    )
    .bind(scope, now, limit)
    .all<MonthPart & { retainFrom: number }>();
  return results;
}
