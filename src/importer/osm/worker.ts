import { parentPort } from "node:worker_threads";
import { ImportError } from "../import-error.ts";
import { type FilterJob, runJob } from "./jobs.ts";

/** The thread's side of WorkerPool: a job comes in with its number, a result or a sentence goes back. */
parentPort?.on("message", ({ number, job }: { number: number; job: FilterJob }) => {
  try {
    const result = runJob(job);
    parentPort?.postMessage({ number, result }, [result.block.buffer]);
  } catch (error) {
    const { message, stack } = error as Error;
    parentPort?.postMessage({ number, failure: { refused: error instanceof ImportError, message, stack } });
  }
});
