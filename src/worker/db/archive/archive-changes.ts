import type { EventRow } from "../../../core/archive/event-row.ts";

/**
 * Objects in R2 are never changed in place. Deleted users, and deleted or verified events, are recorded here, and from
 * then on hide or replace archived rows. Scheduled runs rewrite the parts, and the notes are deleted a day later
 * (`archive-round.ts`).
 */

/** The statements that hide a user's archived events. They have no effect if the scope has no archive. */
export function forgetArchived(db: D1Database, scope: number, user: string): D1PreparedStatement[] {
  return [
    db.prepare("UPDATE archive SET seq = seq + 1 WHERE scope = ?1").bind(scope),
    db
      .prepare("INSERT OR REPLACE INTO archive_forgotten SELECT scope, ?2, seq, NULL FROM archive WHERE scope = ?1")
      .bind(scope, user),
  ];
}

/** Replaces an archived event's doc; null deletes it. */
export async function changeArchived(
  db: D1Database,
  scope: number,
  { id, user, time }: EventRow,
  doc: string | null,
): Promise<void> {
  await db.batch([
    db.prepare("UPDATE archive SET seq = seq + 1 WHERE scope = ?1").bind(scope),
    db
      .prepare(
        `INSERT OR REPLACE INTO archive_change (scope, id, user, time, doc, seq)
         SELECT scope, ?2, ?3, ?4, ?5, seq FROM archive WHERE scope = ?1`,
      )
      .bind(scope, id, user, time, doc),
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
  const [users, events] = await db.batch<{ user: string; id: string; doc: string | null }>([
    db.prepare("SELECT user FROM archive_forgotten WHERE scope = ?1 LIMIT ?2").bind(scope, MAX_NOTED + 1),
    db.prepare("SELECT id, doc FROM archive_change WHERE scope = ?1 LIMIT ?2").bind(scope, MAX_NOTED + 1),
  ]);
  if (users.results.length > MAX_NOTED || events.results.length > MAX_NOTED)
    return async (rows) => applyChanges(rows, await changesOf(db, scope, rows));
  const noted = toChanges(users.results, events.results);
  return async (rows) => applyChanges(rows, noted);
}

function toChanges(users: readonly { user: string }[], events: readonly { id: string; doc: string | null }[]): Changes {
  return {
    forgotten: new Set(users.map(({ user }) => user)),
    docs: new Map(events.map(({ id, doc }) => [id, doc])),
  };
}

/** The notes about some rows. */
export async function changesOf(db: D1Database, scope: number, rows: readonly EventRow[]): Promise<Changes> {
  if (rows.length === 0) return { forgotten: new Set(), docs: new Map() };
  const [users, events] = await db.batch<{ user: string; id: string; doc: string | null }>([
    db
      .prepare("SELECT user FROM archive_forgotten WHERE scope = ?1 AND user IN (SELECT value FROM json_each(?2))")
      .bind(scope, JSON.stringify([...new Set(rows.map(({ user }) => user))])),
    // There are few notes: they are listed by time, and the rows are not sent.
    db.prepare("SELECT id, doc FROM archive_change WHERE scope = ?1 AND time BETWEEN ?2 AND ?3").bind(
      scope,
      rows.reduce((least, { time }) => Math.min(least, time), Infinity),
      rows.reduce((most, { time }) => Math.max(most, time), 0),
    ),
  ]);
  return toChanges(users.results, events.results);
}
