import { and, asc, eq, isNull, lt, sql } from "drizzle-orm";
import { DAY_MS, type MonthPart, type Part } from "../../../core/archive/part.ts";
import { batch, integer, listed, open } from "../database.ts";
import { keptDays } from "../projects/retention.ts";
import { archive, archiveChange, archiveForgotten, archiveMonth, archivePart, project } from "../schema.ts";
import type { Changes } from "./archive-changes.ts";
import { mayHold, monthsWith } from "./archive-parts.ts";

/** Changes of a scope's archive that have not been written into it yet. */
export interface Pending extends Changes {
  /** They are complete up to this number. */
  seq: number;
  /** Which parts may contain each: a user from any time on, an event at its time. */
  about: { user: string; seq: number; time?: number; id?: string }[];
}

/** At most `most` of each kind, the earliest first. */
export async function pendingChanges(db: D1Database, scope: number, most: number): Promise<Pending> {
  const d1 = open(db);
  const { id, user, time, doc, seq } = archiveChange;
  const isOpen = (table: typeof archiveChange | typeof archiveForgotten) =>
    and(eq(table.scope, scope), isNull(table.doneAt));
  const [state, forgotten, changed] = await d1.batch([
    d1.select({ seq: archive.seq }).from(archive).where(eq(archive.scope, scope)),
    d1
      .select({ user: archiveForgotten.user, seq: archiveForgotten.seq })
      .from(archiveForgotten)
      .where(isOpen(archiveForgotten))
      .orderBy(asc(archiveForgotten.seq))
      .limit(most),
    d1
      .select({ id, user, time, doc, seq })
      .from(archiveChange)
      .where(isOpen(archiveChange))
      .orderBy(asc(seq))
      .limit(most),
  ]);
  // If not all of a kind were read, the parts written now lack the later ones.
  const caps = [forgotten, changed].map((notes) => (notes.length < most ? Infinity : notes[notes.length - 1].seq));
  return {
    seq: Math.min(state[0]?.seq ?? 0, ...caps),
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
  const last = time ?? Number.MAX_SAFE_INTEGER;
  const before = sql`scope = ${scope} AND to_time >= ${time ?? 0} AND +from_time <= ${last} AND seq < ${seq}`;
  const [days, months] = await batch<[Part, MonthPart]>(db, [
    sql`SELECT scope, id, day FROM ${archivePart} AS part WHERE ${before} AND to_time < ${last + DAY_MS} AND ${mayHold([user])}
        ORDER BY to_time DESC, id DESC LIMIT ${most}`,
    sql`SELECT scope, id, month FROM ${archiveMonth} WHERE ${before} AND id IN (${monthsWith(scope, [user])}) LIMIT ${most}`,
  ]);
  return [...days.results, ...months.results].slice(0, most);
}

/** The archive's parts contain none of these any more. */
export async function noteDone(db: D1Database, scope: number, about: Pending["about"], now: number): Promise<void> {
  const done = listed(about.map(({ id, user, seq }) => ({ id, user, seq })));
  await batch(db, [
    sql`UPDATE ${archiveForgotten} SET done_at = ${now} WHERE scope = ${scope}
          AND (user, seq) IN (SELECT value ->> 'user', value ->> 'seq' FROM ${done})`,
    sql`UPDATE ${archiveChange} SET done_at = ${now} WHERE scope = ${scope}
          AND (id, seq) IN (SELECT value ->> 'id', value ->> 'seq' FROM ${done})`,
  ]);
}

/** A part was checked and had none of the changes recorded so far. */
export async function noteClean(db: D1Database, part: Part | MonthPart, seq: number): Promise<void> {
  const table = "day" in part ? archivePart : archiveMonth;
  await open(db)
    .update(table)
    .set({ seq: sql`max(seq, ${seq})` })
    .where(and(eq(table.scope, part.scope), eq(table.id, part.id)));
}

/** Deletes notes that were completed before a time: the parts from before are no longer read. */
export async function dropDone(db: D1Database, scope: number, before: number): Promise<void> {
  await batch(
    db,
    [archiveForgotten, archiveChange].map(
      (table) => sql`DELETE FROM ${table} WHERE ${and(eq(table.scope, scope), lt(table.doneAt, before))}`,
    ),
  );
}

/**
 * Parts of days for which a project keeps no events any more. Only complete days, so up to one day later than in D1.
 */
export async function outlivedParts(db: D1Database, scope: number, now: number, limit: number): Promise<Part[]> {
  const { id, day } = archivePart;
  return open(db)
    .select({ scope: archivePart.scope, id, day })
    .from(archivePart)
    .innerJoin(project, eq(project.id, scope >> 1))
    .where(
      sql`${archivePart.scope} = ${scope} AND (${day} + 1) * ${DAY_MS} <= ${now} - ${keptDays("events")} * ${DAY_MS}`,
    )
    .limit(limit)
    .all();
}

/** Parts of months with days for which a project keeps no events any more, and the first day that it keeps [ms]. */
export async function outlivedMonths(
  db: D1Database,
  scope: number,
  now: number,
  limit: number,
): Promise<(MonthPart & { retainFrom: number })[]> {
  const day = integer(DAY_MS);
  const retainFrom = sql<number>`CAST((${now} - ${keptDays("events")} * ${day}) / ${day} AS INTEGER) * ${day}`;
  const { id, month } = archiveMonth;
  return open(db)
    .select({ scope: archiveMonth.scope, id, month, retainFrom })
    .from(archiveMonth)
    .innerJoin(project, eq(project.id, scope >> 1))
    .where(and(eq(archiveMonth.scope, scope), sql`${archiveMonth.fromTime} < ${retainFrom}`))
    .limit(limit)
    .all();
}
