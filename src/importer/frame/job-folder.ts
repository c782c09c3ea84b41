import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ProcessLock } from "../common/process-lock.ts";
import type { Selection } from "../osm/pbf/selection.ts";
import { covers } from "../osm/pbf/selection-cover.ts";
import type { Reporter } from "../report/reporter.ts";
import { type Budget, divide } from "./budget.ts";
import { readState, WorkFolder } from "./work-folder.ts";

/** What a folder of elements was made for, and that it holds all of it. */
const SELECTION = "selection";
export const WHOLE = "whole";
/** How often it is looked how much the folder holds, while it works [ms]. */
const LOOK = 1000;

/**
 * Where imports of the same extracts keep what they have done, whichever layers they build:
 *
 *     work/town.pid            an import of this name is at work
 *     work/1f3a…/              named after the extracts and the program
 *         pid                  an import of these extracts is at work
 *         elements-5c…/        named after what was selected of the extracts
 *         roads-9e…/           named after the layer and the operator files it reads
 *             state.json       what is done
 *             roads.pack …     what it has written
 *             room/            its temporary files, while it works
 */
export class JobFolder {
  readonly folder: string;
  readonly #reporter: Reporter;
  readonly #budget: Budget;
  readonly #lock: ProcessLock;
  readonly #opened: WorkFolder[] = [];
  readonly #looks: NodeJS.Timeout;
  #largest = 0;

  private constructor(folder: string, reporter: Reporter, budget: Budget, lock: ProcessLock) {
    this.folder = folder;
    this.#reporter = reporter;
    this.#budget = budget;
    this.#lock = lock;
    this.#looks = setInterval(() => void this.look(), LOOK);
    this.#looks.unref();
  }

  static async open(folder: string, reporter: Reporter, budget: Budget = divide()): Promise<JobFolder> {
    const lock = await ProcessLock.take(join(folder, "pid"), "An import of the same files");
    return new JobFolder(folder, reporter, budget, lock);
  }

  /**
   * The folder of the elements that layers with this selection need. One that was made for more layers serves as well: one
   * that is finished before any other, one that was begun for exactly these before a new one.
   */
  async elements(selection: Selection, key: string): Promise<WorkFolder> {
    const own = `elements-${key}`;
    const names = (await readdir(this.folder)).filter((name) => name.startsWith("elements-")).sort();
    const states = await Promise.all(names.map((name) => readState(join(this.folder, name))));
    const wide = names.filter((_, i) => SELECTION in states[i] && covers(states[i][SELECTION] as Selection, selection));
    const finished = wide.filter((name) => WHOLE in states[names.indexOf(name)]);
    const work = await this.#open(finished.includes(own) ? own : (finished[0] ?? own));
    if (work.recall(SELECTION) === undefined) await work.remember({ [SELECTION]: selection });
    return work;
  }

  layer(name: string, key: string): Promise<WorkFolder> {
    return this.#open(`${name}-${key}`);
  }

  async #open(name: string): Promise<WorkFolder> {
    await mkdir(join(this.folder, name), { recursive: true });
    const work = await WorkFolder.open(join(this.folder, name), this.#reporter, this.#budget);
    this.#opened.push(work);
    return work;
  }

  /** Looks how much the folder holds, and answers the most it ever held while somebody looked [bytes]. */
  async look(): Promise<number> {
    this.#largest = Math.max(this.#largest, await folderSize(this.folder));
    return this.#largest;
  }

  /**
   * The build is published. What other imports of the same extracts have done and not published yet stays, with the elements they
   * need; else nothing stays.
   * @returns bytes that stay
   */
  async finish(): Promise<number> {
    const mine = new Set(this.#opened.map(({ folder }) => folder));
    const layers = (await readdir(this.folder, { withFileTypes: true })).filter(
      (entry) => entry.isDirectory() && !entry.name.startsWith("elements-"),
    );
    if (layers.some(({ name }) => !mine.has(join(this.folder, name)))) return folderSize(this.folder);
    await rm(this.folder, { recursive: true, force: true });
    return 0;
  }

  /** Lets another process take over; what was done stays. */
  async close(): Promise<void> {
    clearInterval(this.#looks);
    for (const work of this.#opened) await work.close();
    await this.#lock.release();
  }
}

/** Bytes in other folders beside this one: of imports that were interrupted, or did not publish. */
export async function leftBehind(folder: string): Promise<number> {
  const around = dirname(folder);
  const others = await readdir(around, { withFileTypes: true }).catch(() => []);
  const sizes = others
    .filter((entry) => entry.isDirectory() && join(around, entry.name) !== folder)
    .map(({ name }) => folderSize(join(around, name)));
  return (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0);
}

/** Bytes on the disk of all files below a folder; files that vanish meanwhile do not count. */
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
