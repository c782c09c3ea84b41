import { Agent, request } from "node:http";
import type { BenchWorker } from "../worker.ts";
import { percentile } from "./percentile.ts";
import { cpuSeconds } from "./process-cpu.ts";

export interface LoadRequest {
  method?: "GET" | "POST" | "PUT" | "DELETE" | "PATCH";
  path: string;
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
}

export interface LoadFigures {
  /** CPU of the worker process per request [µs], user and kernel, all threads. */
  cpu: number;
  /** Requests answered per second. */
  perSecond: number;
  /** Time to the end of the answer [ms]. */
  p50: number;
  p99: number;
}

/**
 * Sends requests over kept connections and measures what they cost the worker process.
 * @throws when an answer is not a success: a refusal is cheap, and would look like speed
 * @param make the n-th request; called before the clock of that request starts
 * @param parallel requests on the way at any moment
 * @param warmUp requests sent before, not counted: the first thousands run uncompiled
 */
export async function measureLoad(
  worker: BenchWorker,
  make: (n: number) => LoadRequest,
  { count, parallel = 8, warmUp = Math.min(2000, count) }: { count: number; parallel?: number; warmUp?: number },
): Promise<LoadFigures> {
  const agent = new Agent({ keepAlive: true, maxSockets: parallel });
  const round = async (from: number, to: number, seen?: (ms: number) => void) => {
    let next = from;
    const lane = async () => {
      while (next < to) {
        const sent = make(next++);
        const start = performance.now();
        const { status, text } = await send(worker, sent, agent);
        seen?.(performance.now() - start);
        if (status >= 300 && status !== 304) throw new Error(`${sent.path} answered ${status}: ${text.slice(0, 300)}`);
      }
    };
    await Promise.all(Array.from({ length: parallel }, lane));
  };

  await round(0, warmUp);
  const times: number[] = [];
  const cpuBefore = cpuSeconds(worker.pid);
  const began = performance.now();
  await round(warmUp, warmUp + count, (ms) => times.push(ms));
  const seconds = (performance.now() - began) / 1000;
  const cpu = ((cpuSeconds(worker.pid) - cpuBefore) / count) * 1e6;
  agent.destroy();
  return { cpu, perSecond: count / seconds, p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}

/** One request; its status and the text of its answer. */
export function send(
  worker: { url: string },
  { method = "GET", path, headers = {}, body }: LoadRequest,
  agent?: Agent,
): Promise<{ status: number; text: string }> {
  const payload = body === undefined ? undefined : JSON.stringify(body);
  const sent = payload === undefined ? headers : { "Content-Type": "application/json", ...headers };
  return new Promise((resolve, reject) => {
    const outgoing = request(worker.url + path, { method, headers: sent, agent }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("end", () => resolve({ status: incoming.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
      incoming.on("error", reject);
    });
    outgoing.on("error", reject);
    outgoing.end(payload);
  });
}
