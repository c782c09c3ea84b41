import type { Workroom } from "../layer.ts";
import { ThreadPool } from "../threads/thread-pool.ts";
import { type Job, type Result, run } from "./jobs.ts";

/** Below this many bytes of jobs, starting threads takes longer than what they save. */
const WORTH_THREADS = 3_000_000;

/** What threads may take of the room's memory for their heaps. */
const HEAP_SHARE = 0.4;

/** The threads of a layer, which start when there is enough to do. */
export class Workers {
  readonly #pool: ThreadPool<Job, Result>;
  #seen: number;

  /** @param ahead bytes that will surely be handed over */
  constructor({ threads, memory }: Workroom, ahead = 0) {
    this.#pool = new ThreadPool(threads, new URL("./jobs.ts", import.meta.url), { heap: memory * HEAP_SHARE });
    this.#seen = ahead;
  }

  get size(): number {
    return this.#pool.size;
  }

  run(job: Job, transfer: ArrayBuffer[] = []): Promise<Result> {
    this.#seen += job.bytes.length;
    if (this.#pool.size === 0 || this.#seen < WORTH_THREADS) return inPlace(job);
    return this.#pool.run(job, transfer);
  }

  /** The results in the order of the jobs. */
  async *inOrder<R extends Result>(jobs: Iterable<Job>): AsyncGenerator<R> {
    const underWay: Promise<Result>[] = [];
    try {
      for (const job of jobs) {
        const result = this.run(job, [job.bytes.buffer]);
        result.catch(() => undefined);
        underWay.push(result);
        if (underWay.length > this.#pool.size * 2) yield (await underWay.shift()) as R;
      }
      while (underWay.length > 0) yield (await underWay.shift()) as R;
    } finally {
      await Promise.allSettled(underWay);
    }
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

async function inPlace(job: Job): Promise<Result> {
  return run(job);
}
