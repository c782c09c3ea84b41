import { parentPort, workerData } from "node:worker_threads";
import { coverCircle } from "../../../src/core/geo/cells/cover.ts";
import type { BenchFence } from "./fences.ts";

/** Covers its share of the fences in a thread of its own; one list of numbers, each cover behind its length. */
const covers: number[] = [];
for (const { center, radius } of workerData as BenchFence[]) {
  const cover = coverCircle(center, radius);
  covers.push(cover.length, ...cover);
}
const flat = Float64Array.from(covers);
parentPort?.postMessage(flat, [flat.buffer]);
