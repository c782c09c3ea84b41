import { readdirSync, readFileSync } from "node:fs";
import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { type LoadRequest, send } from "../bench/support/load.ts";

/** A Worker in a workerd of its own. */
interface Probed {
  url: string;
  pid: number;
}

/** The longest work between two turns, and all of it [ms of CPU]. */
export interface Slices {
  longest: number;
  total: number;
  status: number;
  text: string;
}

/**
 * Sends a request, and pings beside it one after the other. What counts is the CPU time of the isolate's thread while one ping waited,
 * not the clock: other processes do not make it longer. It includes the ping, and more than one slice if this process reads the time
 * late, so the least of several attempts is nearest to the truth.
 */
export async function slicesOf(worker: Probed, request: LoadRequest): Promise<Slices> {
  const agent = new Agent({ keepAlive: true });
  const ping = () => send(worker, { path: "/v1/ping" }, agent);
  try {
    await ping();
    let isDone = false;
    const began = threadTimes(worker.pid);
    const answered = send(worker, request).finally(() => {
      isDone = true;
    });
    answered.catch(() => undefined);
    let longest = 0;
    for (let before = began; !isDone; ) {
      await ping();
      const after = threadTimes(worker.pid);
      longest = Math.max(longest, busiest(before, after));
      before = after;
    }
    const { status, text } = await answered;
    return { longest, total: busiest(began, threadTimes(worker.pid)), status, text };
  } finally {
    agent.destroy();
  }
}

/** CPU of the isolate's thread in some time [ms]. */
export async function cpuDuring(worker: Probed, forMs: number): Promise<number> {
  const before = threadTimes(worker.pid);
  await sleep(forMs);
  return busiest(before, threadTimes(worker.pid));
}

/** CPU of each thread of a process [ms]. Linux only. */
function threadTimes(pid: number): Map<string, number> {
  const times = new Map<string, number>();
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      const [nanoseconds] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ");
      times.set(thread, Number(nanoseconds) / 1e6);
    } catch {
      // ended while we looked
    }
  }
  return times;
}

/** Of the thread that worked most: the isolate's. */
const busiest = (before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>) =>
  Math.max(...[...after].map(([thread, time]) => time - (before.get(thread) ?? 0)));
