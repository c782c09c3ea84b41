import { and, between, eq, type SQL, sql } from "drizzle-orm";
import type { EventRow } from "../../../core/archive/event-row.ts";
import { batch, oneOf, open } from "../database.ts";
import { archive, archiveChange, archiveForgotten } from "../schema.ts";

/**
 * Objects in R2 are never changed in place. Deleted users, and deleted or verified events, are recorded here, and from
 * then on hide or replace archived rows. Scheduled runs rewrite the parts, and the notes are deleted a day later
 * (`archive-round.ts`).
 */

const raising = (scope: number) => sql`UPDATE ${archive} SET seq = seq + 1 WHERE scope = ${scope}`;

/** The queries that hide a user's archived events. They have no effect if the scope has no archive. */
export function forgetArchived(scope: number, user: string): SQL[] {
  return [
    raising(scope),
    sql`INSERT OR REPLACE INTO ${archiveForgotten} SELECT scope, ${user}, seq, NULL FROM ${archive} WHERE scope = ${scope}`,
  ];
}

/** Replaces an archived event's doc; null deletes it. */
export async function changeArchived(
  db: D1Database,
  scope: number,
  { id, user, time }: EventRow,
  doc: string | null,
): Promise<void> {
  await batch(db, [
    raising(scope),
    sql`INSERT OR REPLACE INTO ${archiveChange} (scope, id, user, time, doc, seq)
        SELECT scope, ${id}, ${user}, ${time}, ${doc}, seq FROM ${archive} WHERE scope = ${scope}`,
  ]);
}

/** The recorded changes of some users and events. */
export interface Changes {
  forgotten: ReadonlySet<string>;
  /** By the event's _id: its doc, null = deleted. */
  docs: ReadonlyMap<string, string | null>;
}

/** Applies changes to archived rows. */
export function applyChanges(rows: readonly EventRow[], { forgotten, docs }: Changes): EventRow[] {
  if (forgotten.size === 0 && docs.size === 0) return [...rows];
  return rows.flatMap((row) => {
    const doc = docs.get(row.id);
    if (forgotten.has(row.user) || doc === null) return [];
    return [doc === undefined ? row : { ...row, doc }];
  });
}

/** Up to this number, all notes of a kind are read, regardless of the rows they concern. */
const MAX_NOTED = 100;

/**
 * Reads the changes to apply to archived rows. The notes are read once if they are few, as is usual; otherwise only
 * those about the requested rows. Call it before any part is listed: a later note is not limited to older parts.
 */
export async function openChanges(
  db: D1Database,
  scope: number,
): Promise<(rows: readonly EventRow[]) => Promise<EventRow[]>> {
  const { users, events } = notesOf(db, scope);
  const [forgotten, changed] = await open(db).batch([users().limit(MAX_NOTED + 1), events().limit(MAX_NOTED + 1)]);
  if (forgotten.length > MAX_NOTED || changed.length > MAX_NOTED)
    return async (rows) => applyChanges(rows, await changesOf(db, scope, rows));
  const noted = toChanges(forgotten, changed);
  return async (rows) => applyChanges(rows, noted);
}

/** The queries for a scope's notes. */
const notesOf = (db: D1Database, scope: number) => ({
  users: (which?: SQL) =>
    open(db)
      .select({ user: archiveForgotten.user })
      .from(archiveForgotten)
      .where(and(eq(archiveForgotten.scope, scope), which)),
  events: (which?: SQL) =>
    open(db)
      .select({ id: archiveChange.id, doc: archiveChange.doc })
      .from(archiveChange)
      .where(and(eq(archiveChange.scope, scope), which)),
});

function toChanges(users: readonly { user: string }[], events: readonly { id: string; doc: string | null }[]): Changes {
  return {
    forgotten: new Set(users.map(({ user }) => user)),
    docs: new Map(events.map(({ id, doc }) => [id, doc])),
  };
}

/** The notes about some rows. */
export async function changesOf(db: D1Database, scope: number, rows: readonly EventRow[]): Promise<Changes> {
  if (rows.length === 0) return { forgotten: new Set(), docs: new Map() };
  const { users, events } = notesOf(db, scope);
  const first = rows.reduce((least, { time }) => Math.min(least, time), Infinity);
  const last = rows.reduce((most, { time }) => Math.max(most, time), 0);
  const ids = [...new Set(rows.map(({ user }) => user))];
  return toChanges(
    ...(await open(db).batch([
      users(oneOf(archiveForgotten.user, ids)),
      // There are few notes: they are listed by time, and the rows are not sent.
      events(between(archiveChange.time, first, last)),
    ])),
  );
}
