import { DurableObject } from "cloudflare:workers";
import { answerRows } from "../../answers/geocode/job-rows.ts";
import { type LongWork, openRouteWork } from "../../answers/routes/job-work.ts";
import { commonDatabase, envOf } from "../../db/databases.ts";
import { addUsage, callsLeft, HOUR_MS } from "../../db/projects/usage.ts";
import { describeBriefly } from "../../platform/describe-error.ts";
import type { Env } from "../../platform/env.ts";
import { fieldsOfRow, type RowAnswer, type RowKind, resultRow } from "../../wire/tables/geocode-row.ts";
import { type RecoveryPoint, recoverTo } from "../point-in-time.ts";
import { rateLimiterOf } from "../rate-limiter-stub.ts";
import { type Chunk, type Job, type JobPlan, JobStore, type WholeJob } from "./job-store.ts";

/** Maximum run time of one alarm before other requests get a turn [ms]; the next alarm follows immediately. */
const MAX_RUN_MS = 10_000;
/** Delay before an interrupted or failed alarm is retried [ms]. */
const AGAIN_MS = 30_000;
const PAUSE_MS = 15_000;
/** Pause between two chunks [ms]. */
const TURN_MS = 1;
/** Polling interval while a rate limit is exhausted [ms]. */
const WAIT_MS = 250;

/** Maximum number of unfinished jobs and of stored jobs per scope. */
const MAX_OPEN = 5;
const MAX_KEPT = 50;

/** The endpoint under which a row of each kind is counted. */
const ENDPOINTS: Record<RowKind, string> = {
  forward: "forwardGeocode",
  reverse: "reverseGeocode",
  validate: "validateAddress",
};

/** Result of a row that exceeds the monthly quota. */
const OVER_QUOTA: RowAnswer = {
  status: "failed",
  code: 402,
  message: "Payment required. The project's monthly quota is used up.",
};

/**
 * Two objects per scope: one geocodes files chunk by chunk, one runs long routing queries. They work in the background,
 * driven by their alarms. Everything is on disk before a call returns, and a chunk or a step is done once its result is
 * written: an interrupted one is repeated. Rows and queries are processed by the same rules as those of endpoints (src/worker/answers).
 */
export class JobsObject extends DurableObject<Env> {
  readonly #store = new JobStore(this.ctx.storage.sql, (work) => this.ctx.storage.transactionSync(work));

  #isSuspended = false;

  /** Has this process run or set an alarm? */
  #hasBegun = false;
  /** The query in progress in this process. */
  #work: { id: string; work: LongWork } | undefined;

  /** @returns "full" if there are too many unfinished jobs */
  async create(scope: number, plan: JobPlan): Promise<"full" | undefined> {
    await this.ctx.storage.put("scope", scope);
    const jobs = this.#store.jobs();
    if (jobs.filter(({ status }) => status === "receiving" || status === "running").length >= MAX_OPEN) return "full";
    for (const { id } of jobs
      .filter(({ status }) => status !== "receiving" && status !== "running")
      .slice(MAX_KEPT - 1))
      this.#store.remove(id);
    this.#store.create(plan);
    // Deletes the job if the file never arrives.
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(Date.now() + AGAIN_MS);
    return undefined;
  }

  /** Stores rows (JSON strings) chunk by chunk. */
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

  async jobs(): Promise<Job[]> {
    const jobs = this.#store.jobs();
    await this.#wake(jobs);
    return jobs;
  }

  async job(id: string): Promise<Job | undefined> {
    const job = this.#store.job(id);
    if (job) await this.#wake([job]);
    return job;
  }

  /** A request for a job whose process was killed resumes it without waiting for the alarm. */
  async #wake(jobs: readonly Job[]): Promise<void> {
    if (this.#hasBegun || !jobs.some(({ status }) => status === "running")) return;
    this.#hasBegun = true;
    await this.ctx.storage.setAlarm(Date.now());
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
    this.#hasBegun = true;
    // Set the alarm first: if this process dies, it wakes the next one.
    await this.ctx.storage.setAlarm(Date.now() + AGAIN_MS);
    const until = Date.now() + MAX_RUN_MS;
    try {
      for (let next = this.#store.next(); next; next = this.#store.next()) {
        if (this.#isSuspended || Date.now() >= until) return await this.ctx.storage.setAlarm(Date.now());
        if ("job" in next) await this.#answer(next);
        else await this.#goOn(next);
        // The chunk only awaits work in this process, so without a timer no other request would get a turn.
        await scheduler.wait(TURN_MS);
      }
    } catch (error) {
      console.error(JSON.stringify({ what: "job", error: describeBriefly(error) }));
      return await this.ctx.storage.setAlarm(Date.now() + PAUSE_MS);
    }
    const next = this.#store.purge(Date.now());
    if (next === undefined) await this.ctx.storage.deleteAlarm();
    else await this.ctx.storage.setAlarm(next);
  }

  async #goOn(job: WholeJob): Promise<void> {
    try {
      if (this.#work?.id !== job.id) {
        const scope = (await this.ctx.storage.get<number>("scope")) ?? 0;
        const query = this.#store.query(job.id);
        const waitUntil = (promise: Promise<unknown>) => this.ctx.waitUntil(promise);
        this.#work = {
          id: job.id,
          work: await openRouteWork(await envOf(this.env, scope), scope, job, query, waitUntil),
        };
      }
      const step = await this.#work.work.step();
      if ("answer" in step) this.#store.answer(job.id, step.answer, Date.now());
      else this.#store.step(job.id, step.done, step.state, Date.now());
      if ("answer" in step) this.#work = undefined;
    } catch (error) {
      this.#work = undefined;
      this.#store.fail(job.id, Date.now());
      throw error;
    }
  }

  async #answer(chunk: Chunk): Promise<void> {
    const { job, rows } = chunk;
    const scope = (await this.ctx.storage.get<number>("scope")) ?? 0;
    const allowed = Math.min(rows.length, await this.#callsLeft(scope));
    const answers: RowAnswer[] = rows.map(() => OVER_QUOTA);
    if (allowed > 0) {
      await this.#takeTokens(scope, job.rate, allowed);
      const fields = rows.slice(0, allowed).map((cells) => fieldsOfRow(cells, job.mapping, job.fixed));
      const own = await answerRows(await envOf(this.env, scope), job.kind, fields, (work) => this.ctx.waitUntil(work));
      answers.splice(0, allowed, ...own);
    }
    const text = answers.map((answer, i) => resultRow(job.kind, rows[i], job.names.length, answer)).join("");
    const failed = answers.filter(({ status }) => status === "failed").length;
    this.#store.finish(chunk, text, failed, Date.now());
    if (allowed > 0) await this.#count(scope, ENDPOINTS[job.kind], allowed);
  }

  /** Calls left in the project's month. If the database is unavailable, jobs continue, as API calls do. */
  #callsLeft(scope: number): Promise<number> {
    const month = new Date().toISOString().slice(0, 7);
    return callsLeft(commonDatabase(this.env), Math.floor(scope / 2), month).catch(() => Number.POSITIVE_INFINITY);
  }

  /** Waits for one token per row, competing with all other batches of the scope. */
  async #takeTokens(scope: number, rate: number, wanted: number): Promise<void> {
    const limiter = rateLimiterOf(this.env, `${scope}:geocodeBatch:rows`);
    for (let left = wanted; left > 0; ) {
      left -= (await limiter.take(rate, left, 0)).granted;
      if (left > 0) await scheduler.wait(WAIT_MS);
    }
  }

  /** Counts rows as calls. If the database is unavailable they are not counted: metrics must not stop a job. */
  async #count(scope: number, endpoint: string, calls: number): Promise<void> {
    const at = new Date();
    const month = at.toISOString().slice(0, 7);
    const hour = Math.floor((at.getTime() - Date.UTC(at.getUTCFullYear(), at.getUTCMonth())) / HOUR_MS);
    const row = { project: Math.floor(scope / 2), live: scope % 2 === 1, endpoint, month, hour };
    await addUsage(commonDatabase(this.env), [{ ...row, calls, errors: 0, updates: 0, failures: 0 }]).catch(() => {});
  }

  /** Before its state is handed over: ends with the chunk or step in progress. */
  async suspend(): Promise<void> {
    this.#isSuspended = true;
  }

  /** The state at an earlier time, which is restored if wanted. */
  recover(at: number, restores: boolean): Promise<RecoveryPoint> {
    return recoverTo(this.ctx, at, restores);
  }
}
