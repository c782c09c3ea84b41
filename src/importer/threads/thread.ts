import { parentPort } from "node:worker_threads";
import { collectNow } from "../common/collect-garbage.ts";
import { ImportError } from "../common/import-error.ts";

/** Exports of a module for the threads of a pool. */
export interface ThreadModule<Job, Result> {
  run(job: Job): Result | Promise<Result>;
  /** Buffers of a result that move to the main thread instead of being copied. */
  transfers?(result: Result): ArrayBuffer[];
  /** Forgets what it keeps from job to job: there are none for now. */
  release?(): void;
}

export interface Task {
  number: number;
  /** The module whose `run` does the job. */
  module: string;
  job: unknown;
}

/** The pool was closed; the thread waits for another one. */
export interface Release {
  release: true;
}

export interface Answer {
  number: number;
  result?: unknown;
  failure?: { isImportError: boolean; full: boolean; message: string; stack?: string; code?: string; path?: string };
}

/** The thread's side of ThreadPool: a job comes in with its number, a result or what went wrong goes back. */
const loaded = new Map<string, Promise<ThreadModule<unknown, unknown>>>();

function load(module: string): Promise<ThreadModule<unknown, unknown>> {
  const known = loaded.get(module) ?? import(module);
  loaded.set(module, known);
  return known;
}

/** V8 rejects a buffer outside its heap with a RangeError, where it would end the thread for one inside. */
const isFull = (error: unknown) => error instanceof RangeError && /allocation failed/i.test(error.message);

parentPort?.on("message", async (message: Task | Release) => {
  if ("release" in message) return release();
  const { number, module, job } = message;
  const answer = (one: Omit<Answer, "number">, transfer: ArrayBuffer[] = []) =>
    parentPort?.postMessage({ number, ...one } satisfies Answer, transfer);
  try {
    const { run, transfers } = await load(module);
    const result = await run(job);
    answer({ result }, transfers?.(result) ?? []);
  } catch (error) {
    const { message, stack, code, path } = error as NodeJS.ErrnoException;
    answer({
      failure: { isImportError: error instanceof ImportError, full: isFull(error), message, stack, code, path },
    });
  }
});

/** Columns of the jobs before, which the main thread has forgotten, would stay until this thread collects its garbage. */
async function release(): Promise<void> {
  for (const module of await Promise.allSettled(loaded.values())) {
    if (module.status === "fulfilled") module.value.release?.();
  }
  collectNow();
}
