import { and, asc, eq, lte, sql } from "drizzle-orm";
import { batch, listed, open } from "../database.ts";
import { movedChange, project, projectMove } from "../schema.ts";
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

/** The lease of an interrupted run expires after this long [ms]. */
const LEASE_MS = 60_000;

/** Leases the move without a lease that has waited longest; undefined if there is none. */
export async function takeMove(
  db: D1Database,
  now: number,
  except: readonly number[],
): Promise<ProjectMove | undefined> {
  const lease = now + LEASE_MS;
  const waiting = sql`(SELECT project FROM ${projectMove}
    WHERE step NOT IN ('done', 'undone', 'failed') AND leased_until < ${now}
      AND project NOT IN (SELECT value FROM ${listed(except)}) ORDER BY begun_at LIMIT 1)`;
  const row = await open(db)
    .update(projectMove)
    .set({ leasedUntil: lease })
    .where(eq(projectMove.project, waiting))
    .returning()
    .get();
  if (!row) return undefined;
  const { leasedUntil: _, error: __, ...move } = row;
  const at = row.at === null ? { table: 0 } : (JSON.parse(row.at) as MovePlace);
  return { ...move, step: row.step as Step, at, counts: JSON.parse(row.counts), lease };
}

/** The move while a run has this lease. */
const leased = (of: number, lease: number) => and(eq(projectMove.project, of), eq(projectMove.leasedUntil, lease));

/** Another run has leased the move, or an operator has ended it. */
export class LostLease extends Error {
  override name = "LostLease";
}

/**
 * Saves a move's progress, and extends its lease.
 * @param settled changes of the project's row in the same transaction
 * @throws LostLease if another run has leased it meanwhile
 */
export async function saveMove(
  db: D1Database,
  move: ProjectMove,
  now: number,
  change: Partial<Pick<ProjectMove, "step" | "at" | "counts" | "begunAt">>,
  settled?: { database?: string; moving?: string | null },
): Promise<void> {
  const next = { ...move, ...change, lease: now + LEASE_MS };
  if (change.step && change.step !== move.step) next.changedAt = now;
  const { step, begunAt, changedAt } = next;
  const texts = { at: JSON.stringify(next.at), counts: JSON.stringify(next.counts) };
  const isOurs = sql`EXISTS (SELECT 1 FROM ${projectMove} WHERE ${leased(move.project, next.lease)})`;
  const [saved] = await batch(db, [
    open(db)
      .update(projectMove)
      .set({ step, ...texts, begunAt, changedAt, leasedUntil: next.lease, error: null })
      .where(and(leased(move.project, move.lease), eq(projectMove.step, move.step))),
    ...(settled
      ? [
          open(db)
            .update(project)
            .set(settled)
            .where(and(eq(project.id, move.project), isOurs)),
        ]
      : []),
  ]);
  if (saved.meta.changes === 0) throw new LostLease(`the move of project ${move.project} is leased by another run`);
  Object.assign(move, next);
}

/** Releases a move for the next run. */
export async function releaseMove(db: D1Database, move: ProjectMove, error: string | null): Promise<void> {
  await open(db).update(projectMove).set({ leasedUntil: 0, error }).where(leased(move.project, move.lease));
}

/** Changes of the project's rows in the source database, the oldest first. */
export async function notedChanges(
  db: D1Database,
  of: number,
  limit: number,
): Promise<{ seq: number; name: string; key: RowKey }[]> {
  const { seq, name, key } = movedChange;
  const ours = eq(movedChange.project, of);
  const rows = await open(db)
    .select({ seq, name, key })
    .from(movedChange)
    .where(ours)
    .orderBy(asc(seq))
    .limit(limit)
    .all();
  return rows.map((row) => ({ ...row, key: JSON.parse(row.key) as RowKey }));
}

/** Deletes records of copied changes, up to one of them. */
export async function dropChanges(db: D1Database, of: number, upTo: number): Promise<void> {
  await open(db)
    .delete(movedChange)
    .where(and(eq(movedChange.project, of), lte(movedChange.seq, upTo)));
}
