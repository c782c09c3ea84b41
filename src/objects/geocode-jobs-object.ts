import { DurableObject } from "cloudflare:workers";
import { addUsage, HOUR_MS } from "../db/usage.ts";
import type { Env } from "../env.ts";
import { fieldsOfRow, type RowAnswer, type RowKind, resultRow } from "../wire/geocode-row.ts";
import { type Chunk, GeocodeJobStore, type Job, type JobPlan } from "./geocode-job-store.ts";
import { rateLimiterOf } from "./stubs/rate-limiter.ts";

/** How long one alarm works before others have their turn [ms]; the next follows at once. */
const LONGEST_RUN_MS = 10_000;
/** When an alarm that was killed is tried again, and one that failed [ms]. */
const AGAIN_MS = 30_000;
const PAUSE_MS = 15_000;
/** Between two looks at a limit that is used up [ms]. */
const WAIT_MS = 250;

/** Most jobs of a scope that are not done yet, and that are kept. */
const MOST_OPEN = 5;
const MOST_KEPT = 50;

/** What a row of each kind counts as. */
const ENDPOINTS: Record<RowKind, string> = {
  forward: "forwardGeocode",
  reverse: "reverseGeocode",
  validate: "validateAddress",
};

/**
 * One per scope: geocodes files in the background, chunk by chunk, by its alarm alone. Everything is on disk before a call
 * returns, and a chunk is done when its result is: whoever is stopped in the middle does that chunk once more. How rows are
 * answered is told by whoever extends this (src/index.ts), as handlers' rules are none of an object's.
 */
export abstract class GeocodeJobsObject extends DurableObject<Env> {
  readonly #store = new GeocodeJobStore(this.ctx.storage.sql, (work) => this.ctx.storage.transactionSync(work));

  protected abstract answerRows(
    env: Env,
    kind: RowKind,
    rows: readonly Record<string, string>[],
    waitUntil: (work: Promise<unknown>) => void,
  ): Promise<RowAnswer[]>;

  /** @returns why not: too many that are not done */
  async create(scope: number, plan: JobPlan): Promise<"full" | undefined> {
    await this.ctx.storage.put("scope", scope);
    const jobs = this.#store.jobs();
    if (jobs.filter(({ status }) => status === "receiving" || status === "running").length >= MOST_OPEN) return "full";
    for (const { id } of jobs
      .filter(({ status }) => status === "finished" || status === "cancelled")
      .slice(MOST_KEPT - 1))
      this.#store.remove(id);
    this.#store.create(plan);
    // Removes it if the file never arrives.
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(Date.now() + AGAIN_MS);
    return undefined;
  }

  /** Rows as JSON texts, chunk by chunk. */
  add(id: string, first: number, chunks: readonly string[]): void {
    this.ctx.storage.transactionSync(() => {
      chunks.forEach((rows, i) => {
        this.#store.add(id, first + i, rows);
      });
    });
  }

  async start(id: string, total: number): Promise<Job | undefined> {
    this.#store.start(id, total, Date.now());
    await this.ctx.storage.setAlarm(Date.now());
    return this.#store.job(id);
  }

  jobs(): Job[] {
    return this.#store.jobs();
  }

  job(id: string): Job | undefined {
    return this.#store.job(id);
  }

  cancel(id: string): Job | undefined {
    this.#store.cancel(id, Date.now());
    return this.#store.job(id);
  }

  remove(id: string): void {
    this.#store.remove(id);
  }

  result(id: string, from: number, characters: number): { text: string; next: number | undefined } {
    return this.#store.result(id, from, characters);
  }

  override async alarm(): Promise<void> {
    // Set first: if this process dies, the next one is woken.
    await this.ctx.storage.setAlarm(Date.now() + AGAIN_MS);
    const until = Date.now() + LONGEST_RUN_MS;
    try {
      for (let chunk = this.#store.next(); chunk; chunk = this.#store.next()) {
        if (Date.now() >= until) return await this.ctx.storage.setAlarm(Date.now());
        await this.#answer(chunk);
      }
    } catch (error) {
      console.error(JSON.stringify({ what: "geocode job", error: String(error).slice(0, 300) }));
      return await this.ctx.storage.setAlarm(Date.now() + PAUSE_MS);
    }
    const next = this.#store.purge(Date.now());
    if (next === undefined) await this.ctx.storage.deleteAlarm();
    else await this.ctx.storage.setAlarm(next);
  }

  async #answer(chunk: Chunk): Promise<void> {
    const { job, rows } = chunk;
    const scope = (await this.ctx.storage.get<number>("scope")) ?? 0;
    await this.#takeTokens(scope, job.rate, rows.length);
    const fields = rows.map((cells) => fieldsOfRow(cells, job.mapping, job.fixed));
    const answers = await this.answerRows(this.env, job.kind, fields, (work) => this.ctx.waitUntil(work));
    const text = answers.map((answer, i) => resultRow(job.kind, rows[i], job.names.length, answer)).join("");
    const failed = answers.filter(({ status }) => status === "failed").length;
    this.#store.finish(chunk, text, failed, Date.now());
    await this.#count(scope, ENDPOINTS[job.kind], rows.length);
  }

  /** Waits for as many calls as there are rows, beside all other batches of the scope. */
  async #takeTokens(scope: number, rate: number, wanted: number): Promise<void> {
    const limiter = rateLimiterOf(this.env, `${scope}:geocodeBatch:rows`);
    for (let left = wanted; left > 0; ) {
      left -= (await limiter.take(rate, left, 0)).granted;
      if (left > 0) await scheduler.wait(WAIT_MS);
    }
  }

  /** Rows count as calls. Where the database is away they are not counted: a job is not stopped for its figures. */
  async #count(scope: number, endpoint: string, calls: number): Promise<void> {
    const at = new Date();
    const month = at.toISOString().slice(0, 7);
    const hour = Math.floor((at.getTime() - Date.UTC(at.getUTCFullYear(), at.getUTCMonth())) / HOUR_MS);
    const row = { project: Math.floor(scope / 2), live: scope % 2 === 1, endpoint, month, hour };
    await addUsage(this.env.DB, [{ ...row, calls, errors: 0, updates: 0, failures: 0 }]).catch(() => {});
  }
}
