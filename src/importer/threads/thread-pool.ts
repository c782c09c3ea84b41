import { ImportError } from "../common/import-error.ts";
import { endThread, MIN_HEAP_BYTES, startThread, type Thread } from "./reused-threads.ts";
import type { Answer, Task, ThreadModule } from "./thread.ts";

interface PoolOptions {
  /** Bytes that the heaps of all threads may take together (columns and buffers are outside of them). */
  heap?: number;
}

interface Waiting<Job, Result> {
  number: number;
  job: Job;
  transfer: ArrayBuffer[];
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** Jobs a thread has at a time: one it works on, and the next, so that it need not wait for a busy main thread. */
const JOBS_AHEAD = 2;

/**
 * Threads that run the jobs of one module, each started with its first job. A job goes to the thread that has least to
 * do. The pool must be closed; within `reusingThreads` the next pool continues with its threads.
 *
 *     const pool = new ThreadPool<Job, Result>(2, new URL("./jobs.ts", import.meta.url));
 *     for await (const result of pool.inOrder(blobs, (blob) => ({ blob }))) …
 *
 * An error of a job is thrown here, an ImportError as such. A thread that dies or runs out of memory ends all jobs of
 * the pool with an ImportError that says so.
 */
export class ThreadPool<Job, Result> {
  readonly size: number;
  readonly #module: URL;
  readonly #heap: number | undefined;
  readonly #threads: Thread[] = [];
  readonly #queue: Waiting<Job, Result>[] = [];
  readonly #underWay = new Map<number, Waiting<Job, Result>>();
  #next = 0;
  #broken: unknown;
  #inPlace: Promise<ThreadModule<Job, Result>> | undefined;

  /** `size` threads; 0 works in place, without any. */
  constructor(size: number, module: URL, { heap }: PoolOptions = {}) {
    this.size = size;
    this.#module = module;
    this.#heap = heap;
  }

  /** `transfer`: buffers of the job that move to the thread instead of being copied. */
  async run(job: Job, transfer: ArrayBuffer[] = []): Promise<Result> {
    if (this.#broken) throw this.#broken;
    if (this.size === 0) {
      this.#inPlace ??= import(this.#module.href) as Promise<ThreadModule<Job, Result>>;
      return (await this.#inPlace).run(job);
    }
    return new Promise((resolve, reject) => {
      this.#queue.push({ number: this.#next++, job, transfer, resolve, reject });
      this.#handOut();
    });
  }

  /**
   * Runs a job per item with a few in progress at a time, and yields the results in the order of the items. `transfer`
   * names the buffers of a job that move to the thread.
   */
  async *inOrder<T>(
    items: Iterable<T> | AsyncIterable<T>,
    toJob: (item: T) => Job | Promise<Job>,
    transfer: (job: Job) => ArrayBuffer[] = () => [],
  ): AsyncGenerator<Result> {
    const underWay: Promise<Result>[] = [];
    try {
      for await (const item of items) {
        const result = (async () => {
          const job = await toJob(item);
          return this.run(job, transfer(job));
        })();
        // Awaiting the result still throws its error; until then it must not become an unhandled rejection.
        result.catch(() => undefined);
        underWay.push(result);
        if (underWay.length > this.size * 3) yield await (underWay.shift() as Promise<Result>);
      }
      while (underWay.length > 0) yield await (underWay.shift() as Promise<Result>);
    } finally {
      await Promise.allSettled(underWay);
    }
  }

  async close(): Promise<void> {
    this.#fail(new Error("the threads were closed"));
    await Promise.all(this.#threads.splice(0).map(endThread));
  }

  #handOut(): void {
    while (this.#queue.length > 0) {
      const thread = this.#idlest();
      if (!thread) return;
      const waiting = this.#queue.shift() as Waiting<Job, Result>;
      const { number, job, transfer } = waiting;
      try {
        thread.worker.postMessage({ number, module: this.#module.href, job } satisfies Task, transfer);
      } catch (error) {
        // A job that cannot be cloned.
        waiting.reject(error);
        continue;
      }
      thread.busy.add(number);
      this.#underWay.set(number, waiting);
    }
  }

  /** The thread with least to do, a new one where all are busy; undefined when every thread has enough. */
  #idlest(): Thread | undefined {
    const [least] = [...this.#threads].sort((a, b) => a.busy.size - b.busy.size);
    if (least?.busy.size === 0) return least;
    if (this.#threads.length < this.size) return this.#start();
    return least.busy.size < JOBS_AHEAD ? least : undefined;
  }

  #start(): Thread {
    const heapMb = this.#heap && Math.max(MIN_HEAP_BYTES, this.#heap / this.size) / 1024 / 1024;
    const thread = startThread(heapMb, {
      answered: (one, answer) => this.#settle(one, answer),
      failed: (error) => {
        const full = error.code === "ERR_WORKER_OUT_OF_MEMORY";
        this.#fail(full ? outOfMemory(heapMb) : died(error.code ?? error.name, error));
      },
      ended: (code) => this.#fail(died(`exit code ${code}`)),
    });
    this.#threads.push(thread);
    return thread;
  }

  #settle(thread: Thread, { number, result, failure }: Answer): void {
    thread.busy.delete(number);
    const waiting = this.#underWay.get(number);
    this.#underWay.delete(number);
    this.#handOut();
    if (!failure) waiting?.resolve(result as Result);
    else waiting?.reject(failure.full ? outOfMemory() : rebuilt(failure));
  }

  /** Ends all jobs, now and later, with the first error. */
  #fail(error: unknown): void {
    this.#broken ??= error;
    for (const { reject } of [...this.#underWay.values(), ...this.#queue]) reject(this.#broken);
    this.#underWay.clear();
    this.#queue.length = 0;
  }
}

function outOfMemory(heapMb?: number): ImportError {
  const held = heapMb ? ` (it may hold ${Math.round(heapMb)} MB)` : "";
  return new ImportError(
    `A thread of the import ran out of memory${held}. Set a larger --memory; the same command continues from the last finished step.`,
  );
}

function died(why: string, cause?: unknown): ImportError {
  return new ImportError(
    `A thread of the import ended unexpectedly (${why}). The same command continues from the last finished step.`,
    { cause },
  );
}

/** Rebuilds the error of the thread. */
function rebuilt({ isImportError, message, stack, code, path }: NonNullable<Answer["failure"]>): Error {
  if (isImportError) return new ImportError(message);
  return Object.assign(new Error(message), { stack }, code !== undefined && { code }, path !== undefined && { path });
}
