import { readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ProcessLock } from "../../common/process-lock.ts";
import type { Selection } from "../../osm/pbf/selection.ts";
import { covers } from "../../osm/pbf/selection-cover.ts";
import type { Reporter } from "../../report/reporter.ts";
import { type Budget, divide } from "../budget.ts";
import { readState, StepFolder } from "./step-folder.ts";

/** Entries in the state of a folder of elements: its selection, and a summary once it is complete. */
const SELECTION = "selection";
export const COMPLETE = "whole";
/** Interval at which the size of the folder is measured [ms]. */
const MEASURE_INTERVAL_MS = 1000;

/**
 * The folder of all imports of the same extracts, whichever layers they build, and the steps that are done:
 *
 *     work/town.pid            lock of the imports of this name
 *     work/1f3a…/              named after the extracts and the program
 *         pid                  lock of the imports of these extracts
 *         elements-5c…/        named after the selection from the extracts
 *         roads-9e…/           named after the layer and the operator files that it reads
 *             state.json       the finished steps
 *             roads.pack …     the staged output of the layer
 *             temporary/       its temporary files, while it runs
 */
export class JobFolder {
  readonly folder: string;
  readonly #reporter: Reporter;
  readonly #budget: Budget;
  readonly #lock: ProcessLock;
  readonly #opened: StepFolder[] = [];
  readonly #timer: NodeJS.Timeout;
  #maxBytes = 0;

  private constructor(folder: string, reporter: Reporter, budget: Budget, lock: ProcessLock) {
    this.folder = folder;
    this.#reporter = reporter;
    this.#budget = budget;
    this.#lock = lock;
    this.#timer = setInterval(() => void this.measure(), MEASURE_INTERVAL_MS);
    this.#timer.unref();
  }

  static async open(folder: string, reporter: Reporter, budget: Budget = divide()): Promise<JobFolder> {
    const lock = await ProcessLock.take(join(folder, "pid"), "An import of the same files");
    return new JobFolder(folder, reporter, budget, lock);
  }

  /**
   * Opens the folder of the elements that layers with this selection need. A folder for more layers works too. Order of
   * preference: a finished folder, a folder that was started for exactly this selection, a new one.
   */
  async elements(selection: Selection, key: string): Promise<StepFolder> {
    const own = `elements-${key}`;
    const names = (await readdir(this.folder)).filter((name) => name.startsWith("elements-")).sort();
    const states = await Promise.all(names.map((name) => readState(join(this.folder, name))));
    const wide = names.filter((_, i) => SELECTION in states[i] && covers(states[i][SELECTION] as Selection, selection));
    const finished = wide.filter((name) => COMPLETE in states[names.indexOf(name)]);
    const work = await this.#open(finished.includes(own) ? own : (finished[0] ?? own));
    if (work.recall(SELECTION) === undefined) await work.remember({ [SELECTION]: selection });
    return work;
  }

  layer(name: string, key: string): Promise<StepFolder> {
    return this.#open(`${name}-${key}`);
  }

  async #open(name: string): Promise<StepFolder> {
    const work = await StepFolder.open(join(this.folder, name), this.#reporter, this.#budget);
    this.#opened.push(work);
    return work;
  }

  /** Measures the folder and returns its largest measured size [bytes]. */
  async measure(): Promise<number> {
    this.#maxBytes = Math.max(this.#maxBytes, await folderSize(this.folder));
    return this.#maxBytes;
  }

  /**
   * Removes the folder after the build is published. If other imports of the same extracts left unpublished layers, the folder
   * stays, with the elements that they need.
   * @returns bytes that stay
   */
  async finish(): Promise<number> {
    const own = new Set(this.#opened.map(({ folder }) => folder));
    const layers = (await readdir(this.folder, { withFileTypes: true })).filter(
      (entry) => entry.isDirectory() && !entry.name.startsWith("elements-"),
    );
    if (layers.some(({ name }) => !own.has(join(this.folder, name)))) return folderSize(this.folder);
    await rm(this.folder, { recursive: true, force: true });
    return 0;
  }

  /** Releases the lock. The finished steps stay. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#lock.release();
  }
}

/** Bytes in the other job folders: of imports that were interrupted or did not publish. */
export async function otherJobsSize(folder: string): Promise<number> {
  const parent = dirname(folder);
  const others = await readdir(parent, { withFileTypes: true }).catch(() => []);
  const sizes = others
    .filter((entry) => entry.isDirectory() && join(parent, entry.name) !== folder)
    .map(({ name }) => folderSize(join(parent, name)));
  return (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0);
}

/** Size of all files below a folder [bytes]; files that are removed meanwhile are not counted. */
export async function folderSize(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        (entry) => (entry.isFile() ? entry.size : 0),
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, bytes) => sum + bytes, 0);
}
