import { Worker } from "node:worker_threads";
import type { Answer, Release } from "./thread.ts";

/** Below this much heap a thread spends its time collecting garbage [bytes]. */
export const MIN_HEAP_BYTES = 48 * 1024 * 1024;
/** Of a thread's heap, what new objects may take. V8's own choice would be three times this. */
const YOUNG_MB = 16;

/** What a pool does with the events of its threads. */
interface Owner {
  answered(thread: Thread, answer: Answer): void;
  failed(error: NodeJS.ErrnoException): void;
  ended(exitCode: number): void;
}

/** A thread that works for one pool at a time. */
export interface Thread {
  readonly worker: Worker;
  /** Numbers of the jobs it has. */
  readonly busy: Set<number>;
  /** Limit of its heap; undefined where the process's applies. */
  readonly heapMb: number | undefined;
  owner: Owner | undefined;
}

let scopes = 0;
const idle: Thread[] = [];

/**
 * Within `work` the threads of a closed pool wait for the next one: a new thread loads and compiles all of its code again, a second of CPU
 * or two. Afterwards those that wait are ended.
 */
export async function reusingThreads<T>(work: () => Promise<T>): Promise<T> {
  scopes++;
  try {
    return await work();
  } finally {
    scopes--;
    if (scopes === 0) await Promise.all(idle.splice(0).map(({ worker }) => worker.terminate()));
  }
}

/** An idle thread whose heap may be as large, or else a new one. */
export function startThread(heapMb: number | undefined, owner: Owner): Thread {
  const at = idle.findIndex((thread) => isEnough(thread.heapMb, heapMb));
  if (at < 0) return newThread(heapMb, owner);
  const [thread] = idle.splice(at, 1);
  thread.worker.ref();
  thread.owner = owner;
  return thread;
}

/** Ends a thread, or lets it wait for the next pool; one that still has jobs is ended. */
export async function endThread(thread: Thread): Promise<void> {
  thread.owner = undefined;
  if (scopes === 0 || thread.busy.size > 0) {
    await thread.worker.terminate();
    return;
  }
  thread.worker.postMessage({ release: true } satisfies Release);
  thread.worker.unref();
  idle.push(thread);
}

/** Where the process was started with a limit of the heap (`nodeFlags`), V8 applies that to every thread. */
const LIMITED = process.execArgv.some((flag) => flag.startsWith("--max-old-space-size"));

const isEnough = (has: number | undefined, needed: number | undefined) =>
  LIMITED || has === undefined || (needed !== undefined && has >= needed);

function newThread(heapMb: number | undefined, owner: Owner): Thread {
  const worker = new Worker(new URL("./thread.ts", import.meta.url), {
    ...(heapMb && {
      resourceLimits: { maxOldGenerationSizeMb: Math.round(heapMb - YOUNG_MB), maxYoungGenerationSizeMb: YOUNG_MB },
    }),
  });
  const thread: Thread = { worker, busy: new Set(), heapMb, owner };
  worker.on("message", (answer: Answer) => thread.owner?.answered(thread, answer));
  worker.on("error", (error: NodeJS.ErrnoException) => thread.owner?.failed(error));
  worker.on("exit", (code) => {
    if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1);
    thread.owner?.ended(code);
  });
  return thread;
}
