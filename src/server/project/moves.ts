import { jurisdictionOf } from "../../worker/platform/jurisdiction.ts";
import { CommandError } from "../base/command.ts";
import { type Database, query, type Row } from "../data/database.ts";

/** Requests moves of projects. The Worker does them in its cron job (src/worker/objects/moves/move-round.ts). */

interface MoveRecord {
  project: number;
  from: string;
  to: string;
  /** begin, copy, compare, last, switched, objects, clean, done; undo, undone; failed */
  step: string;
  /** Rows by table as they were compared. */
  rows: number;
  tables: Record<string, { rows: number; sha256?: string }>;
  /** Time of the last cron run, or of the start of the step [ms]. */
  changedAt: number;
  /** A round works at it now, or did until it was cut off. */
  isUnderWay: boolean;
  error: string | null;
}

const OVER = ["done", "undone", "failed"];
/** The project lives in its new database, whatever is still to be done. */
const hasArrived = ({ step }: MoveRecord) => step === "clean" || step === "done";
export const hasEnded = (move: MoveRecord) => hasArrived(move) || OVER.includes(move.step);

/** Asks for a move. @throws CommandError where it cannot be */
export async function askForMove(common: Database, project: number, to: string, now = Date.now()): Promise<void> {
  const [row] = await query(common, `SELECT "database" AS home FROM project WHERE id = ?`, project);
  if (!row) throw new CommandError(`No project ${project}. See: npm run project -- list`);
  const known = await findMove(common, project);
  if (known && !OVER.includes(known.step)) {
    if (known.to === to) return;
    throw new CommandError(
      `Project ${project} is being moved from ${known.from} to ${known.to} (${known.step}). See: npm run project -- moves`,
    );
  }
  if (row.home === to) throw new CommandError(`Project ${project} is already in ${to}.`);
  await query(
    common,
    `INSERT OR REPLACE INTO project_move (project, source, target, step, begun_at, changed_at)
     SELECT id, "database", ?, 'begin', ?, ? FROM project WHERE id = ?`,
    ...[to, now, now, project],
  );
}

/** Has a move taken back. @throws CommandError where there is none, or it is too late */
export async function cancelMove(common: Database, project: number): Promise<void> {
  const changed = await query(
    common,
    `UPDATE project_move SET step = 'undo', at = NULL
     WHERE project = ? AND step IN ('begin', 'copy', 'compare', 'last', 'failed') RETURNING project`,
    project,
  );
  if (changed.length > 0) return;
  const move = await findMove(common, project);
  throw new CommandError(
    move && (hasArrived(move) || move.step === "switched" || move.step === "objects")
      ? `Project ${project} is already in ${move.to}. To move it back: npm run project -- move ${project} --to ${move.from}`
      : `Project ${project} is not being moved.`,
  );
}

export async function findMove(common: Database, project: number): Promise<MoveRecord | undefined> {
  const [row] = await query(common, "SELECT * FROM project_move WHERE project = ?", project);
  return row && recordOf(row);
}

export async function listMoves(common: Database): Promise<MoveRecord[]> {
  return (await query(common, "SELECT * FROM project_move ORDER BY begun_at DESC")).map((row) => recordOf(row));
}

function recordOf(row: Row): MoveRecord {
  const tables = JSON.parse(String(row.counts)) as MoveRecord["tables"];
  return {
    ...{
      project: Number(row.project),
      from: String(row.source),
      to: String(row.target),
      step: String(row.step),
      tables,
    },
    rows: Object.values(tables).reduce((sum, { rows }) => sum + rows, 0),
    changedAt: Number(row.changed_at),
    isUnderWay: Number(row.leased_until) > Date.now(),
    error: row.error === null ? null : String(row.error),
  };
}

/** Describes the state of a move in a sentence. */
export function sayMove(move: MoveRecord): string {
  const { project, from, to, step, rows, tables, error } = move;
  const trouble = error ? ` The move is paused: ${error}` : "";
  switch (step) {
    case "clean":
    case "done": {
      const kept = step === "clean" ? ` ${from} keeps its copy for 15 minutes.` : "";
      return `Project ${project} is now in ${to}${placed(from, to)}. ${rows.toLocaleString("en-US")} rows of ${Object.keys(tables).length} tables were verified.${kept}${trouble}`;
    }
    case "undo":
      return `The move of project ${project} is being undone.${trouble}`;
    case "undone":
      return `Project ${project} stayed in ${from}.`;
    case "failed":
      return `Project ${project} stayed in ${from}: ${error}`;
    default:
      return `Project ${project} is being moved from ${from} to ${to}: ${SAID[step] ?? step}.${trouble}`;
  }
}

/** What has become of the jurisdiction. */
const placed = (from: string, to: string) => {
  const [before, now] = [jurisdictionOf(from), jurisdictionOf(to)];
  return before === now ? "" : now ? ` (jurisdiction ${now})` : " (in no jurisdiction)";
};

const SAID: Record<string, string> = {
  begin: "requested",
  copy: "copying rows",
  compare: "comparing both databases",
  last: "copying the last changes; writes are paused",
  switched: "arrived",
  objects: "arrived; handing over devices, queues and files to the new jurisdiction",
};
