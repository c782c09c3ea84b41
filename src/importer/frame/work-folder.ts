import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { collectGarbage } from "../common/collect-garbage.ts";
import { ProcessLock } from "../common/process-lock.ts";
import type { Progress } from "../common/progress.ts";
import type { PhaseTimes } from "../report/phase-times.ts";
import type { Reporter } from "../report/reporter.ts";
import { type Budget, divide } from "./budget.ts";

/**
 * Where a part of an import (the elements of the extracts, a layer) keeps what it has done so far. The folder is named
 * after everything that goes in, so an import that is started again after an interruption finds the phases it had
 * finished, and only those:
 *
 *     state.json   phase → what it returned, written after the phase's files, by renaming
 */
export class WorkFolder {
  readonly folder: string;
  /** As in Workroom. */
  readonly memory: number;
  readonly threads: number;
  readonly #reporter: Reporter;
  readonly #state: Record<string, unknown>;
  readonly #lock: ProcessLock;
  /** How long phases took before, where a phase is not told. */
  times: PhaseTimes | undefined;

  private constructor(
    folder: string,
    reporter: Reporter,
    { room, threads }: Budget,
    state: Record<string, unknown>,
    lock: ProcessLock,
  ) {
    this.folder = folder;
    this.memory = room;
    this.threads = threads;
    this.#reporter = reporter;
    this.#state = state;
    this.#lock = lock;
  }

  static async open(folder: string, reporter: Reporter, budget: Budget = divide()): Promise<WorkFolder> {
    const lock = await ProcessLock.take(join(folder, "pid"), "The same import");
    return new WorkFolder(folder, reporter, budget, await readState(folder), lock);
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /** What was remembered under the name; undefined when nothing was. */
  recall<T>(name: string): T | undefined {
    return this.#state[name] as T | undefined;
  }

  /** Keeps plain data for the next run, all of it or nothing. */
  async remember(entries: Readonly<Record<string, unknown>>): Promise<void> {
    Object.assign(this.#state, entries);
    await writeFile(this.path("state.json.part"), JSON.stringify(this.#state));
    await rename(this.path("state.json.part"), this.path("state.json"));
  }

  /**
   * Runs a phase and remembers its result (plain data), or answers what it returned before an interruption.
   * @param times forecasts how long it takes, for a phase that cannot tell how much lies ahead
   */
  async phase<T>(name: string, run: (progress: Progress) => Promise<T>, times = this.times): Promise<T> {
    const known = name in this.#state ? { result: this.#state[name] } : undefined;
    return this.step(name, known, run, times, async (result) => ({
      [name]: result ?? null,
      [partOf(name)]: undefined,
    }));
  }

  /** The same where the caller knows what is `known`, and `keep` says what to remember of a result. */
  async step<T>(
    name: string,
    known: { result: unknown } | undefined,
    run: (progress: Progress) => Promise<T>,
    times: PhaseTimes | undefined,
    keep: (result: T) => Promise<Readonly<Record<string, unknown>>>,
  ): Promise<T> {
    if (known) {
      this.#reporter.skipped(name);
      return known.result as T;
    }
    collectGarbage(this.memory);
    const began = performance.now();
    const resumed = this.#state[partOf(name)] !== undefined;
    const progress = this.#reporter.begin(name, times?.forecast(name));
    const result = await run(progress);
    await this.remember(await keep(result));
    progress.end();
    // What an interrupted run had done of it is not in the time.
    if (!resumed) await times?.record(name, (performance.now() - began) / 1000);
    return result;
  }

  /** Lets another process take over; what was done stays. */
  async close(): Promise<void> {
    await this.#lock.release();
  }

  /** Everything is published, so the folder is removed. */
  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** The key below which the steps of a phase keep where they are. */
export const partOf = (phase: string): string => `${phase} in part`;

/** What a work folder remembers, without entering it. */
export async function readState(folder: string): Promise<Record<string, unknown>> {
  try {
    return JSON.parse(await readFile(join(folder, "state.json"), "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" && !(error instanceof SyntaxError)) throw error;
    return {};
  }
}
