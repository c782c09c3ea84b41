import { parentPort, workerData } from "node:worker_threads";
import { ImportError } from "../common/import-error.ts";

/** Exports of a module for the threads of a pool. */
export interface ThreadModule<Job, Result> {
  run(job: Job): Result | Promise<Result>;
  /** Buffers of a result that move to the main thread instead of being copied. */
  transfers?(result: Result): ArrayBuffer[];
}

export interface ThreadSetup {
  /** The module whose `run` does the jobs. */
  module: string;
}

export interface Task {
  number: number;
  job: unknown;
}

export interface Answer {
  number: number;
  result?: unknown;
  failure?: { isImportError: boolean; full: boolean; message: string; stack?: string; code?: string; path?: string };
}

/** The thread's side of ThreadPool: a job comes in with its number, a result or what went wrong goes back. */
const { module } = workerData as ThreadSetup;
const loaded = import(module) as Promise<ThreadModule<unknown, unknown>>;

/** V8 rejects a buffer outside its heap with a RangeError, where it would end the thread for one inside. */
const isFull = (error: unknown) => error instanceof RangeError && /allocation failed/i.test(error.message);

parentPort?.on("message", async ({ number, job }: Task) => {
  const answer = (one: Omit<Answer, "number">, transfer: ArrayBuffer[] = []) =>
    parentPort?.postMessage({ number, ...one } satisfies Answer, transfer);
  try {
    const { run, transfers } = await loaded;
    const result = await run(job);
    answer({ result }, transfers?.(result) ?? []);
  } catch (error) {
    const { message, stack, code, path } = error as NodeJS.ErrnoException;
    answer({
      failure: { isImportError: error instanceof ImportError, full: isFull(error), message, stack, code, path },
    });
  }
});
