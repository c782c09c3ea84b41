import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { PhaseTimes } from "./phase-times.ts";
import { ProcessLock } from "./process-lock.ts";
import type { Progress } from "./progress.ts";
import type { Reporter } from "./reporter.ts";

/**
 * Where an import keeps what it has done so far. The folder is named after everything that goes in (files, layers,
 * code), so an import that is started again after an interruption finds the phases it had finished, and only those:
 *
 *     state.json   phase → what it returned, written after the phase's files, by renaming
 */
export class WorkFolder {
  readonly folder: string;
  readonly #reporter: Reporter;
  readonly #state: Record<string, unknown>;
  readonly #lock: ProcessLock;

  private constructor(folder: string, reporter: Reporter, state: Record<string, unknown>, lock: ProcessLock) {
    this.#lock = lock;
    this.folder = folder;
    this.#reporter = reporter;
    this.#state = state;
  }

  static async open(folder: string, reporter: Reporter): Promise<WorkFolder> {
    const lock = await ProcessLock.take(join(folder, "pid"), "The same import");
    let state: Record<string, unknown> = {};
    try {
      state = JSON.parse(await readFile(join(folder, "state.json"), "utf8"));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT" && !(error instanceof SyntaxError)) throw error;
    }
    return new WorkFolder(folder, reporter, state, lock);
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /**
   * Runs a phase and remembers its result (plain data), or answers what it returned before an interruption.
   * @param times forecasts how long it takes, for a phase that cannot tell how much lies ahead
   */
  async phase<T>(name: string, run: (progress: Progress) => Promise<T>, times?: PhaseTimes): Promise<T> {
    if (name in this.#state) {
      this.#reporter.skipped(name);
      return this.#state[name] as T;
    }
    const began = performance.now();
    const progress = this.#reporter.begin(name, times?.forecast(name));
    const result = await run(progress);
    this.#state[name] = result;
    await writeFile(this.path("state.json.part"), JSON.stringify(this.#state));
    await rename(this.path("state.json.part"), this.path("state.json"));
    progress.end();
    await times?.record(name, (performance.now() - began) / 1000);
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
