import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { haversine } from "../../../src/core/geo/distance.ts";
import { FenceStore } from "../../../src/worker/objects/fences/fence-store.ts";
import type { Report } from "../bench.ts";
import { type BenchFence, fenceRow, makeFences, randomPoint } from "../support/fences.ts";
import { percentile } from "../support/percentile.ts";
import { seededRandom } from "../support/random.ts";
import { memorySql } from "../support/sqlite.ts";

export const name = "geofence-match";
export const summary = "Which of 10k, 100k and 1M geofences hold a point: the H3 index in SQLite against brute force.";

const POINTS = 20_000;
const CHECKED = 300;

export async function run(report: Report): Promise<void> {
  const sizes = (process.env.BENCH_FENCES ?? "10000,100000,1000000").split(",").map(Number);
  for (const size of sizes) await measure(report, size);
}

async function measure(report: Report, size: number): Promise<void> {
  const random = seededRandom(11);
  // A million lie in ten times the area: as dense as a hundred thousand.
  const times = Math.max(1, Math.sqrt(size / 100_000));
  const homes = Array.from({ length: 500 }, () => randomPoint(random, times));
  const fences = makeFences(size, homes, random, times);
  const covers = await coverAll(fences);
  const sql = memorySql();
  const store = new FenceStore(sql);
  sql.transaction(() => {
    for (let i = 0; i < size; i++) store.put(fenceRow(0, fences[i], covers[i]));
  });

  // Half the points where four fences overlap, half anywhere.
  const points = Array.from({ length: POINTS }, (_, i) =>
    i % 2 === 0 ? homes[i % homes.length] : randomPoint(random, times),
  );
  for (const point of points.slice(0, 2000)) store.at(point);
  const began = performance.now();
  let held = 0;
  for (const point of points) held += store.at(point).length;
  const each = ((performance.now() - began) / POINTS) * 1000;

  const brute: number[] = [];
  let differences = 0;
  for (let i = 0; i < CHECKED; i++) {
    const { latitude, longitude } = points[Math.floor(random() * POINTS)];
    const from = performance.now();
    const inside = fences.filter(
      ({ center, radius }) => haversine(latitude, longitude, center.latitude, center.longitude) <= radius,
    );
    brute.push((performance.now() - from) * 1000);
    const found = store.at({ latitude, longitude }).map(({ id }) => id);
    if (
      found.sort().join() !==
      inside
        .map(({ id }) => id)
        .sort()
        .join()
    )
      differences++;
  }
  const label = `${size} fences`;
  report({ case: label, metric: "match", value: each, unit: "µs", baseline: percentile(brute, 0.5) });
  report({ case: label, metric: "fences found per point", value: held / POINTS, unit: "" });
  report({ case: label, metric: `differences in ${CHECKED}`, value: differences, unit: "", baseline: 0 });
  report({
    case: label,
    metric: "cells per fence",
    value: covers.reduce((sum, cover) => sum + cover.length, 0) / size,
    unit: "",
  });
}

/** Covers of all fences, computed on all cores. */
async function coverAll(fences: readonly BenchFence[]): Promise<number[][]> {
  const threads = availableParallelism();
  const share = Math.ceil(fences.length / threads);
  const parts = await Promise.all(
    Array.from({ length: threads }, (_, i) => {
      const worker = new Worker(new URL("../support/cover-worker.ts", import.meta.url), {
        workerData: fences.slice(i * share, (i + 1) * share),
      });
      return new Promise<Float64Array>((resolve, reject) => worker.once("message", resolve).once("error", reject));
    }),
  );
  const covers: number[][] = [];
  for (const part of parts) {
    for (let at = 0; at < part.length; at += part[at] + 1)
      covers.push(Array.from(part.subarray(at + 1, at + 1 + part[at])));
  }
  return covers;
}
