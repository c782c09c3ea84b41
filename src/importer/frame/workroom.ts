import { rmSync } from "node:fs";
import type { Progress } from "../common/progress.ts";
import { divide } from "./budget.ts";
import type { Workroom } from "./layer.ts";

/** A room without a memory of what was done: for a layer that is built by itself. Its files are named after it. */
export class LayerRoom implements Workroom {
  readonly memory: number;
  readonly threads: number;
  readonly #prefix: string;
  readonly #progress: Progress;
  readonly #files = new Set<string>();

  constructor(prefix: string, progress: Progress, { memory, threads }: { memory?: number; threads?: number } = {}) {
    const budget = divide();
    this.#prefix = prefix;
    this.#progress = progress;
    this.memory = memory ?? budget.room;
    this.threads = threads ?? budget.threads;
  }

  path(name: string): string {
    const path = `${this.#prefix}.${name}`;
    this.#files.add(path);
    return path;
  }

  step<T>(_name: string, run: (progress: Progress) => Promise<T>): Promise<T> {
    return run(this.#progress);
  }

  /** The layer is done: its files go. */
  clear(): void {
    for (const path of this.#files) rmSync(path, { force: true });
  }
}
