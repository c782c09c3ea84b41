import type { Mapping, RowKind } from "../../wire/tables/geocode-row.ts";
import type { Sql } from "../fences/fence-store.ts";

type JobStatus = "receiving" | "running" | "finished" | "cancelled" | "failed";

interface Plan {
  id: string;
  filename?: string;
  /** [ms] */
  createdAt: number;
}

/** The settings of a job for the rows of a file. Immutable. */
interface RowsPlan extends Plan {
  kind: RowKind;
  /** The file's header row. */
  names: readonly string[];
  mapping: Mapping;
  /** Parameters that are the same for all rows. */
  fixed: Readonly<Record<string, string>>;
  /** Rows per second [limits/table.ts]. */
  rate: number;
}

/** One long-running query. It runs in steps; each step saves the state for the next one. */
interface WholePlan extends Plan {
  kind: "match" | "fleet";
  /** The media type of the result. */
  media: string;
}

export type JobPlan = RowsPlan | WholePlan;

interface JobProgress {
  status: JobStatus;
  total: number;
  /** Completed rows, including failed ones; for a query, the completed part of its total. */
  done: number;
  /** Failed rows; for a query, failed attempts. */
  failed: number;
  /** [ms] */
  updatedAt: number;
}

export type RowsJob = RowsPlan & JobProgress & { status: Exclude<JobStatus, "failed"> };
export type WholeJob = WholePlan & JobProgress;
export type Job = RowsJob | WholeJob;

export const isWhole = (job: Job): job is WholeJob => job.kind === "match" || job.kind === "fleet";

/** Some rows of a job, as uploaded. */
export interface Chunk {
  job: RowsJob;
  n: number;
  rows: string[][];
}

/** Retention of results, and maximum time for uploading a file [ms]. */
export const KEPT_MS = 7 * 24 * 3600_000;
export const WHOLE_KEPT_MS = 24 * 3600_000;
const ARRIVES_MS = 3600_000;
/** Chunk number of a query's state, and maximum length of one piece of its result [characters]. */
const STATE = -1;
const PIECE = 500_000;
/** Maximum number of attempts for a query. */
const MAX_TRIES = 3;

/** Retention of a job's result [ms]. */
export const keptMs = (job: Job): number => (isWhole(job) ? WHOLE_KEPT_MS : KEPT_MS);

/**
 * The jobs of a scope in SQLite. Rows are stored in chunks, each with its result once it has one. A chunk's result and
 * the job's counters are written in one transaction, so an interrupted job resumes with the first chunk without a
 * result. For a query, the chunks contain its text, then its result, in pieces; one more chunk contains the state
 * between two steps.
 */
export class JobStore {
  readonly #sql: Sql;
  readonly #together: (work: () => void) => void;

  /** @param together runs writes in one transaction */
  constructor(sql: Sql, together: (work: () => void) => void) {
    this.#sql = sql;
    this.#together = together;
    sql.exec(
      `CREATE TABLE IF NOT EXISTS job (id TEXT PRIMARY KEY, plan TEXT NOT NULL, status TEXT NOT NULL, total INTEGER NOT NULL,
         done INTEGER NOT NULL, failed INTEGER NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL)`,
    );
    sql.exec(
      "CREATE TABLE IF NOT EXISTS chunk (job TEXT NOT NULL, n INTEGER NOT NULL, rows TEXT NOT NULL, result TEXT, PRIMARY KEY (job, n)) WITHOUT ROWID",
    );
    sql.exec("CREATE INDEX IF NOT EXISTS chunk_open ON chunk (job, n) WHERE result IS NULL");
  }

  create(plan: JobPlan): void {
    const { id, createdAt } = plan;
    this.#sql.exec(
      "INSERT INTO job VALUES (?, ?, 'receiving', 0, 0, 0, ?, ?)",
      ...[id, JSON.stringify(plan), createdAt, createdAt],
    );
  }

  /** Stores rows. Storing the same chunk again has no effect. */
  add(id: string, n: number, rows: string): void {
    this.#sql.exec("INSERT OR IGNORE INTO chunk (job, n, rows) VALUES (?, ?, ?)", id, n, rows);
  }

  start(id: string, total: number, now: number): void {
    this.#sql.exec(
      "UPDATE job SET status = CASE ?2 WHEN 0 THEN 'finished' ELSE 'running' END, total = ?2, updated_at = ?3 WHERE id = ?1 AND status = 'receiving'",
      ...[id, total, now],
    );
  }

  job(id: string): Job | undefined {
    const [row] = this.#sql.exec("SELECT * FROM job WHERE id = ?", id).toArray();
    return row && toJob(row);
  }

  /** Newest first. */
  jobs(): Job[] {
    return this.#sql.exec("SELECT * FROM job ORDER BY created_at DESC, id DESC").toArray().map(toJob);
  }

  /** The next work item: the oldest job's first rows without a result. */
  next(): Chunk | WholeJob | undefined {
    const [row] = this.#sql
      .exec(
        `SELECT job.*, chunk.n, chunk.rows FROM job JOIN chunk ON chunk.job = job.id AND chunk.result IS NULL
         WHERE job.status = 'running' ORDER BY job.created_at, job.id, chunk.n LIMIT 1`,
      )
      .toArray();
    const job = row && toJob(row);
    if (!job || isWhole(job)) return job;
    return { job, n: row.n as number, rows: JSON.parse(row.rows as string) };
  }

  /** The text of a query, and the state saved by its last step. */
  query(id: string): { text: string; state: string | undefined } {
    const rows = this.#sql.exec("SELECT n, rows FROM chunk WHERE job = ? ORDER BY n", id).toArray();
    const texts = rows.map(({ rows }) => rows as string);
    return rows[0]?.n === STATE
      ? { text: texts.slice(1).join(""), state: texts[0] }
      : { text: texts.join(""), state: undefined };
  }

  /** Saves the state after a query's step. Does nothing if the job was deleted or canceled meanwhile. */
  step(id: string, done: number, state: string, now: number): void {
    this.#together(() => {
      if (this.job(id)?.status !== "running") return;
      this.#sql.exec("INSERT OR REPLACE INTO chunk (job, n, rows) VALUES (?, ?, ?)", id, STATE, state);
      this.#sql.exec("UPDATE job SET done = ?, updated_at = ? WHERE id = ?", done, now, id);
    });
  }

  /** Replaces the text of a query with its result. */
  answer(id: string, text: string, now: number): void {
    this.#together(() => {
      if (this.job(id)?.status !== "running") return;
      this.#sql.exec("DELETE FROM chunk WHERE job = ?", id);
      for (let n = 0; n * PIECE < text.length; n++) {
        const piece = text.slice(n * PIECE, (n + 1) * PIECE);
        this.#sql.exec("INSERT INTO chunk (job, n, rows, result) VALUES (?, ?, '', ?)", id, n, piece);
      }
      this.#sql.exec("UPDATE job SET status = 'finished', done = total, updated_at = ? WHERE id = ?", now, id);
    });
  }

  /** Records a failed attempt of a query. After MAX_TRIES the query fails. */
  fail(id: string, now: number): void {
    this.#sql.exec(
      `UPDATE job SET failed = failed + 1, updated_at = ?2, status = CASE WHEN failed + 1 >= ?3 THEN 'failed' ELSE status END
       WHERE id = ?1 AND status = 'running'`,
      ...[id, now, MAX_TRIES],
    );
  }

  /**
   * Writes the result of a chunk. Does nothing if it already has one, or if the job was deleted or canceled meanwhile.
   */
  finish({ job, n, rows }: Chunk, result: string, failed: number, now: number): void {
    this.#together(() => {
      if (this.job(job.id)?.status !== "running") return;
      const written = this.#sql
        .exec(
          "UPDATE chunk SET result = ?, rows = '' WHERE job = ? AND n = ? AND result IS NULL RETURNING n",
          result,
          job.id,
          n,
        )
        .toArray();
      if (written.length === 0) return;
      this.#sql.exec(
        `UPDATE job SET done = done + ?2, failed = failed + ?3, updated_at = ?4,
           status = CASE WHEN done + ?2 >= total THEN 'finished' ELSE status END WHERE id = ?1`,
        ...[job.id, rows.length, failed, now],
      );
    });
  }

  /** Cancels a job and keeps its results so far. */
  cancel(id: string, now: number): void {
    this.#together(() => {
      this.#sql.exec(
        "UPDATE job SET status = 'cancelled', updated_at = ? WHERE id = ? AND status IN ('receiving', 'running')",
        ...[now, id],
      );
      if (this.job(id)?.status === "cancelled")
        this.#sql.exec("DELETE FROM chunk WHERE job = ? AND result IS NULL", id);
    });
  }

  remove(id: string): void {
    this.#together(() => {
      this.#sql.exec("DELETE FROM chunk WHERE job = ?", id);
      this.#sql.exec("DELETE FROM job WHERE id = ?", id);
    });
  }

  /** The result from a chunk on, in file order, up to `characters`. `next` is set if there is more. */
  result(id: string, from: number, characters: number): { text: string; next: number | undefined } {
    let text = "";
    for (let n = from; ; n++) {
      const [row] = this.#sql.exec("SELECT result FROM chunk WHERE job = ? AND n = ?", id, n).toArray();
      if (typeof row?.result !== "string") return { text, next: undefined };
      if (text !== "" && text.length + row.result.length > characters) return { text, next: n };
      text += row.result;
    }
  }

  /** Deletes expired data. Returns the next time at which data expires [ms]. */
  purge(now: number): number | undefined {
    const overAt = (job: Job) =>
      job.status === "receiving"
        ? job.createdAt + ARRIVES_MS
        : job.status === "running"
          ? undefined
          : job.updatedAt + keptMs(job);
    for (const job of this.jobs()) {
      const over = overAt(job);
      if (over !== undefined && over <= now) this.remove(job.id);
    }
    const ends = this.jobs().flatMap((job) => overAt(job) ?? []);
    return ends.length > 0 ? Math.min(...ends) : undefined;
  }
}

function toJob(row: Record<string, unknown>): Job {
  // Each stored plan is either a rows plan or a query plan.
  return {
    ...(JSON.parse(row.plan as string) as JobPlan),
    status: row.status as JobStatus,
    total: row.total as number,
    done: row.done as number,
    failed: row.failed as number,
    updatedAt: row.updated_at as number,
  } as Job;
}
