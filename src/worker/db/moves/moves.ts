import type { RowKey } from "./move-rows.ts";

/**
 * Moves of projects between databases, in the first database. The steps:
 *
 *   begin     deletes rows of an earlier move in the target; from now on, changes in the source are recorded
 *   copy      copies every table, in key order
 *   compare   compares both sides, chunk by chunk; rows changed meanwhile are copied again and compared separately
 *   last      rejects writes, copies the last changes, counts rows; then sets the target in the project's row
 *   switched  waits until callers use the target
 *   objects   to another jurisdiction only: hands over the state of Durable Objects, and copies files
 *   clean     keeps the source's rows for a while for remaining readers, then deletes them
 *   done
 *
 * or `undo`, up to `last`, and `undone`; `failed`: it can't continue, and writes stay in the source.
 */
const STEPS = [
  "begin",
  "copy",
  "compare",
  "last",
  "switched",
  "objects",
  "clean",
  "done",
  "undo",
  "undone",
  "failed",
] as const;
export type Step = (typeof STEPS)[number];

/** Progress of a step: the number of the table (or kind of object), and the last processed key. */
export interface MovePlace {
  table: number;
  after?: RowKey;
}

export interface ProjectMove {
  project: number;
  source: string;
  target: string;
  step: Step;
  at: MovePlace;
  counts: Record<string, TableCount>;
  /** When callers could first see the move, and when the step began [ms]. */
  begunAt: number;
  changedAt: number;
  /** The lease of this run. */
  lease: number;
}

/** Compared rows of a table, and their SHA-256, chunk by chunk. */
interface TableCount {
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

/** The lease of an interrupted run expires after this long [ms]. */
const LEASE_MS = 60_000;

const OVER = "('done', 'undone', 'failed')";

/** Leases the move without a lease that has waited longest; undefined if there is none. */
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
  const at = row.at === null ? { table: 0 } : (JSON.parse(row.at) as MovePlace);
  return { project, source, target, step, at, counts: JSON.parse(row.counts), begunAt, changedAt, lease };
}

/** Another run has leased the move, or an operator has ended it. */
export class LostLease extends Error {
  override name = "LostLease";
}

/**
 * Saves a move's progress, and extends its lease.
 * @param project changes of the project's row in the same transaction
 * @throws LostLease if another run has leased it meanwhile
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
  if (saved.results.length === 0) throw new LostLease(`the move of project ${move.project} is leased by another run`);
  Object.assign(move, next);
}

/** Releases a move for the next run. */
export async function releaseMove(db: D1Database, move: ProjectMove, error: string | null): Promise<void> {
  await db
    .prepare("UPDATE project_move SET leased_until = 0, error = ?3 WHERE project = ?1 AND leased_until = ?2")
    .bind(move.project, move.lease, error)
    .run();
}

/** Changes of the project's rows in the source database, the oldest first. */
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

/** Deletes records of copied changes, up to one of them. */
export async function dropChanges(db: D1Database, project: number, upTo: number): Promise<void> {
  await db.prepare("DELETE FROM moved_change WHERE project = ?1 AND seq <= ?2").bind(project, upTo).run();
}
