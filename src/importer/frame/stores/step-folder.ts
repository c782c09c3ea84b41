import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { collectGarbage } from "../../common/collect-garbage.ts";
import type { Progress } from "../../common/progress.ts";
import type { PhaseTimes } from "../../report/phase-times.ts";
import type { Reporter } from "../../report/reporter.ts";
import { type Budget, divide } from "../budget.ts";

/**
 * A folder of a job (the elements of the extracts, or a layer) and the steps that are done in it. Its name is a hash of
 * everything that decides the result, so an import that starts again after an interruption finds the finished steps, and
 * only those:
 *
 *     state.json   step → its result, written after the files of the step, by renaming
 *
 * The lock of the job folder keeps other processes out.
 */
export class StepFolder {
  readonly folder: string;
  /** Bytes that a step may hold, and the threads that it may use. */
  readonly memory: number;
  readonly threads: number;
  readonly #reporter: Reporter;
  readonly #state: Record<string, unknown>;
  /** Durations of earlier phases, for phases without their own. */
  times: PhaseTimes | undefined;

  private constructor(
    folder: string,
    reporter: Reporter,
    { layerMemory, threads }: Budget,
    state: Record<string, unknown>,
  ) {
    this.folder = folder;
    this.memory = layerMemory;
    this.threads = threads;
    this.#reporter = reporter;
    this.#state = state;
  }

  static async open(folder: string, reporter: Reporter, budget: Budget = divide()): Promise<StepFolder> {
    await mkdir(folder, { recursive: true });
    return new StepFolder(folder, reporter, budget, await readState(folder));
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /** The data that `remember` stored under the name. */
  recall<T>(name: string): T | undefined {
    return this.#state[name] as T | undefined;
  }

  /** Stores plain data for the next run: all of it or nothing. */
  async remember(entries: Readonly<Record<string, unknown>>): Promise<void> {
    Object.assign(this.#state, entries);
    await writeFile(this.path("state.json.part"), JSON.stringify(this.#state));
    await rename(this.path("state.json.part"), this.path("state.json"));
  }

  /**
   * Runs a phase and remembers its result (plain data), or returns the result from before an interruption.
   * @param times forecasts the duration of a phase that cannot know how much work is left
   */
  async phase<T>(name: string, run: (progress: Progress) => Promise<T>, times = this.times): Promise<T> {
    const done = name in this.#state ? { result: this.#state[name] } : undefined;
    return this.step(name, done, run, times, async (result) => ({
      [name]: result ?? null,
      [unfinished(name)]: undefined,
    }));
  }

  /** Like `phase`, for a caller that knows whether the step is done, and that decides what to remember. */
  async step<T>(
    name: string,
    done: { result: unknown } | undefined,
    run: (progress: Progress) => Promise<T>,
    times: PhaseTimes | undefined,
    entriesOf: (result: T) => Promise<Readonly<Record<string, unknown>>>,
  ): Promise<T> {
    if (done) {
      this.#reporter.skipped(name);
      return done.result as T;
    }
    collectGarbage(this.memory);
    const start = performance.now();
    const resumed = this.#state[unfinished(name)] !== undefined;
    const progress = this.#reporter.begin(name, times?.forecast(name));
    const result = await run(progress);
    await this.remember(await entriesOf(result));
    progress.end();
    // The time does not include the work of an interrupted run.
    if (!resumed) await times?.record(name, (performance.now() - start) / 1000);
    return result;
  }

  /** Removes the folder, once everything is published. */
  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** The key of the finished steps of a phase that is not finished. */
export const unfinished = (phase: string): string => `${phase} in part`;

/** The state of a step folder that is not open. */
export async function readState(folder: string): Promise<Record<string, unknown>> {
  try {
    return JSON.parse(await readFile(join(folder, "state.json"), "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" && !(error instanceof SyntaxError)) throw error;
    return {};
  }
}
