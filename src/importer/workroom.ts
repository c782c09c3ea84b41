import { rmSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";
import type { Workroom } from "./layer.ts";
import type { Progress } from "./progress.ts";

/** What an import takes unless it is told: half of the machine's memory, and never more than 8 GB. */
export const defaultMemory = (): number => Math.min(totalmem() / 2, 8e9);

/** The room of one layer: files named after it in the work folder. */
export class LayerRoom implements Workroom {
  readonly memory: number;
  readonly threads: number;
  readonly #prefix: string;
  readonly #progress: Progress;
  readonly #files = new Set<string>();

  constructor(prefix: string, progress: Progress, { memory = defaultMemory(), threads = availableParallelism() } = {}) {
    this.#prefix = prefix;
    this.#progress = progress;
    this.memory = memory;
    this.threads = threads;
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
