import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { ImportError } from "../import-error.ts";
import { type Job, type JobResult, runJob } from "./jobs.ts";

interface Answer {
  number: number;
  result?: JobResult;
  failure?: { refused: boolean; message: string; stack?: string };
}

interface Waiting {
  resolve(result: JobResult): void;
  reject(error: unknown): void;
}

/** Below this many bytes of PBF, starting threads takes longer than what they save. */
const WORTH_THREADS = 5_000_000;

/** How many threads to read so many bytes of PBF with: one per core, or none for what a single thread reads sooner. */
export const threadsFor = (bytes: number): number => (bytes < WORTH_THREADS ? 0 : availableParallelism());

/** Threads that work on blobs. They start with the first job and must be closed. */
export class WorkerPool {
  readonly size: number;
  readonly #workers: Worker[] = [];
  readonly #waiting = new Map<number, Waiting>();
  #next = 0;

  /** `size` threads; 0 works in place, without any. */
  constructor(size: number) {
    this.size = size;
  }

  run(job: Job): Promise<JobResult> {
    if (this.size === 0) return new Promise((resolve) => resolve(runJob(job)));
    const number = this.#next++;
    const worker = this.#worker(number % this.size);
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      worker.postMessage({ number, job }, [job.blob.buffer]);
    });
  }

  /** Runs a job per item with a few under way at a time, and yields the results in the order of the items. */
  async *inOrder<T>(items: Iterable<T>, job: (item: T) => Promise<Job>): AsyncGenerator<JobResult> {
    const underWay: Promise<JobResult>[] = [];
    try {
      for (const item of items) {
        const result = job(item).then((made) => this.run(made));
        // Awaiting the result still throws its error; until then that must not count as an unhandled rejection.
        result.catch(() => undefined);
        underWay.push(result);
        if (underWay.length > this.size * 3) yield await (underWay.shift() as Promise<JobResult>);
      }
      while (underWay.length > 0) yield await (underWay.shift() as Promise<JobResult>);
    } finally {
      await Promise.allSettled(underWay);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
    this.#workers.length = 0;
    for (const { reject } of this.#waiting.values()) reject(new Error("the worker threads were closed"));
    this.#waiting.clear();
  }

  #worker(index: number): Worker {
    const known = this.#workers[index];
    if (known) return known;
    const worker = new Worker(new URL("./worker.ts", import.meta.url));
    worker.on("message", (answer: Answer) => this.#settle(answer));
    worker.on("error", (error) => {
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
    });
    this.#workers[index] = worker;
    return worker;
  }

  #settle({ number, result, failure }: Answer): void {
    const waiting = this.#waiting.get(number);
    if (!waiting) return;
    this.#waiting.delete(number);
    if (result) waiting.resolve(result);
    else if (failure?.refused) waiting.reject(new ImportError(failure.message));
    else waiting.reject(Object.assign(new Error(failure?.message), { stack: failure?.stack }));
  }
}
