import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { BoundedCache } from "../../../src/core/geo/bounded-cache.ts";
import type { TileSource } from "../../../src/core/geo/builds/tile-source.ts";
import { Router } from "../../../src/core/routing/route/router.ts";
import type { HeapUse } from "./heap.ts";

/** One look at so many reads: every one collects garbage. */
const EVERY_READS = 12;

/**
 * How much more is in use while a question about roads is answered than before [bytes], at the most of `count` questions: what
 * an answer holds until it is told is beside the bound of the cache. All are asked once before, so that the cache is full.
 *
 * In this process, looked at where something is read: in workerd a local R2 answers so fast that nobody else comes to a turn
 * until the request is over. Objects take about twice what they take there (its pointers are half as long), buffers the same.
 * @param cacheBytes what the router may keep
 * @param ask the n-th question
 * @returns undefined where the roads are so few that hardly any was read again
 */
export async function moreOnTheWay(
  source: TileSource,
  cacheBytes: number,
  count: number,
  ask: (router: Router, n: number) => Promise<unknown>,
): Promise<HeapUse | undefined> {
  const collect = collector();
  let most: HeapUse | undefined;
  let reads = 0;
  const watched: TileSource = {
    async read(key, range) {
      const bytes = await source.read(key, range);
      if (most && ++reads % EVERY_READS === 0) {
        const now = look(collect);
        if (now.objects + now.buffers > most.objects + most.buffers) most = now;
      }
      return bytes;
    },
  };
  const router = await Router.open(watched, new BoundedCache(cacheBytes));
  if (!router) throw new Error("there are no roads");
  for (let n = 0; n < count; n++) await ask(router, n);
  // What is freed by a collection may be counted until some turns later.
  for (let i = 0; i < 3; i++) {
    collect();
    await sleep(50);
  }
  const before = look(collect);
  most = before;
  for (let n = 0; n < count; n++) await ask(router, n);
  if (reads < EVERY_READS) return undefined;
  return { objects: most.objects - before.objects, buffers: most.buffers - before.buffers };
}

function look(collect: () => void): HeapUse {
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return { objects: heapUsed, buffers: arrayBuffers };
}

function collector(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
}
