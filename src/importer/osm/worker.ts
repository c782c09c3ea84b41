import { parentPort } from "node:worker_threads";
import { ImportError } from "../import-error.ts";
import { type Job, runJob } from "./jobs.ts";

/** The thread's side of WorkerPool: a job comes in with its number, a result or an error message goes back. */
parentPort?.on("message", ({ number, job }: { number: number; job: Job }) => {
  try {
    const result = runJob(job);
    const transfer = result.refs ? [result.block.buffer, result.refs.buffer] : [result.block.buffer];
    parentPort?.postMessage({ number, result }, transfer);
  } catch (error) {
    const { message, stack } = error as Error;
    parentPort?.postMessage({ number, failure: { refused: error instanceof ImportError, message, stack } });
  }
});
