import type { RowKey } from "./move-rows.ts";

/**
 * Moves of projects between databases, in the first database. The steps:
 *
 *   begin     what an earlier move left in the target goes; from now on, changes in the source are noted
 *   copy      every table, in the order of its keys
 *   compare   both sides, chunk by chunk; what changed meanwhile is copied again and compared by itself
 *   last      writes are refused; the last changes are copied, rows are counted; then the project's row names the target
 *   switched  callers find out
 *   clean     the source keeps its rows for a while, for who still reads them, then they go
 *   done
 *
 * or `undo`, up to `last`, and `undone`; `failed`: it cannot go on, and writes go where they went.
 */
export const STEPS = [
  "begin",
  "copy",
  "compare",
  "last",
  "switched",
  "clean",
  "done",
  "undo",
  "undone",
  "failed",
] as const;
export type Step = (typeof STEPS)[number];

/** Where a step has come to: the number of the table, and the last key of it that was seen to. */
export interface Place {
  table: number;
  after?: RowKey;
}

export interface ProjectMove {
  project: number;
  source: string;
  target: string;
  step: Step;
  at: Place;
  counts: Record<string, TableCount>;
  /** When callers could begin to know of it, and when the step began [ms]. */
  begunAt: number;
  changedAt: number;
  /** The lease that this round holds. */
  lease: number;
}

/** Rows of a table as they were compared, and the SHA-256 of them, chunk by chunk. */
export interface TableCount {
  rows: number;
  sha256?: string;
}

interface Row {
  project: number;
  source: string;
  target: string;
  step: Step;
  at: string | null;
  counts: string;
  begun_at: number;
  changed_at: number;
}

/** A round that stopped in the midst gives its move up after this long [ms]. */
const LEASE_MS = 60_000;

const OVER = "('done', 'undone', 'failed')";

/** Takes a move that nobody works at, whatever longest waits; undefined where there is none. */
export async function takeMove(
  db: D1Database,
  now: number,
  except: readonly number[],
): Promise<ProjectMove | undefined> {
  const lease = now + LEASE_MS;
  const row = await db
    .prepare(
      `UPDATE project_move SET leased_until = ?2 WHERE project =
         (SELECT project FROM project_move WHERE step NOT IN ${OVER} AND leased_until < ?1
            AND project NOT IN (SELECT value FROM json_each(?3)) ORDER BY begun_at LIMIT 1)
       RETURNING *`,
    )
    .bind(now, lease, JSON.stringify(except))
    .first<Row>();
  if (!row) return undefined;
  const { project, source, target, step, begun_at: begunAt, changed_at: changedAt } = row;
  const at = row.at === null ? { table: 0 } : (JSON.parse(row.at) as Place);
  return { project, source, target, step, at, counts: JSON.parse(row.counts), begunAt, changedAt, lease };
}

/** Another round has taken the move, or an operator has ended it. */
export class LostLease extends Error {
  override name = "LostLease";
}

/**
 * Notes how far a move has come, and holds it on.
 * @param project what becomes of the project's row in the same transaction
 * @throws LostLease where somebody else has it by now
 */
export async function saveMove(
  db: D1Database,
  move: ProjectMove,
  now: number,
  change: Partial<Pick<ProjectMove, "step" | "at" | "counts" | "begunAt">>,
  project?: { database?: string; moving?: string | null },
): Promise<void> {
  const next = { ...move, ...change, lease: now + LEASE_MS };
  if (change.step && change.step !== move.step) next.changedAt = now;
  const [saved] = await db.batch<{ project: number }>([
    db
      .prepare(
        `UPDATE project_move SET step = ?3, at = ?4, counts = ?5, begun_at = ?6, changed_at = ?7, leased_until = ?8, error = NULL
         WHERE project = ?1 AND leased_until = ?2 AND step = ?9 RETURNING project`,
      )
      .bind(
        ...[move.project, move.lease, next.step, JSON.stringify(next.at), JSON.stringify(next.counts)],
        ...[next.begunAt, next.changedAt, next.lease, move.step],
      ),
    ...Object.entries(project ?? {}).map(([column, value]) =>
      db
        .prepare(
          `UPDATE project SET "${column}" = ?3 WHERE id = ?1
             AND EXISTS (SELECT 1 FROM project_move WHERE project = ?1 AND leased_until = ?2)`,
        )
        .bind(move.project, next.lease, value),
    ),
  ]);
  if (saved.results.length === 0) throw new LostLease(`the move of project ${move.project} is somebody else's`);
  Object.assign(move, next);
}

/** Lets go of a move, for the next round. */
export async function releaseMove(db: D1Database, move: ProjectMove, error: string | null): Promise<void> {
  await db
    .prepare("UPDATE project_move SET leased_until = 0, error = ?3 WHERE project = ?1 AND leased_until = ?2")
    .bind(move.project, move.lease, error)
    .run();
}

/** Changes of the project's rows in the database that it leaves, the oldest first. */
export async function notedChanges(
  db: D1Database,
  project: number,
  limit: number,
): Promise<{ seq: number; name: string; key: RowKey }[]> {
  const { results } = await db
    .prepare("SELECT seq, name, key FROM moved_change WHERE project = ?1 ORDER BY seq LIMIT ?2")
    .bind(project, limit)
    .all<{ seq: number; name: string; key: string }>();
  return results.map((row) => ({ ...row, key: JSON.parse(row.key) as RowKey }));
}

/** Forgets changes that have been copied, up to one of them. */
export async function dropChanges(db: D1Database, project: number, upTo: number): Promise<void> {
  await db.prepare("DELETE FROM moved_change WHERE project = ?1 AND seq <= ?2").bind(project, upTo).run();
}
