import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { BoundedCache } from "../../src/geo/bounded-cache.ts";
import { ISOLATE_CACHE_BYTES } from "../../src/geodata/isolate-cache.ts";
import { demoWorld } from "../../src/importer/demo/world/demo-world.ts";
import { buildGraph } from "../../src/importer/layers/roads/graph/build-graph.ts";
import { type ContourOptions, contours } from "../../src/routing/reach/contours.ts";
import { Router } from "../../src/routing/route/router.ts";
import { snap } from "../../src/routing/store/snap.ts";
import { pointMaker } from "../routing/compare.ts";
import { buildRoads, graphOfExtract } from "../routing/road-build.ts";
import type { Report } from "./bench.ts";
import { percentile } from "./percentile.ts";

export const name = "isochrone";
export const summary =
  "Areas of travel time around places in Porto: fifteen minutes by car, and others. Goal: 60 ms, p50.";

const DATA = process.env.GEODATA_DIR ?? resolve(import.meta.dirname, "../../../shared/data");
const ORIGINS = 40;
const GOAL_MS = 60;
/** A place lies in the city where a road is at most this far [m]. */
const NEAR = 60;

const CASES: { label: string; options: Pick<ContourOptions, "mode" | "limits">; goal?: number }[] = [
  { label: "15 min by car", options: { mode: "car", limits: [900] }, goal: GOAL_MS },
  { label: "5, 10 and 15 min by car", options: { mode: "car", limits: [900, 600, 300] } },
  { label: "30 min on foot", options: { mode: "foot", limits: [1800] } },
];

/**
 * Each origin is asked for once in each case, after as many that warm up the isolate's cache. Told are the clock and the CPU of this thread's process, as
 * a busy machine makes the one longer.
 */
export async function run(report: Report): Promise<void> {
  const porto = join(DATA, "porto.osm.pbf");
  const graph = existsSync(porto) ? await graphOfExtract(porto) : buildGraph(demoWorld({ size: 1 }));
  const place = existsSync(porto) ? "Porto" : "demo world";
  const { build, source } = await buildRoads(graph);
  const router = (await Router.open(source, new BoundedCache(ISOLATE_CACHE_BYTES))) as Router;
  const point = pointMaker(build, 5);
  const origins: ReturnType<typeof point>[] = [];
  for (let tries = 0; origins.length < 2 * ORIGINS && tries < 5000; tries++) {
    const origin = point();
    const { mainland } = await snap(router.store, origin, { mode: 0 });
    if (mainland.length > 0 && mainland[0].distance < NEAR) origins.push(origin);
  }
  for (const { label, options, goal } of CASES) {
    const [times, cpu]: number[][] = [[], []];
    for (const [i, origin] of origins.entries()) {
      const [began, before] = [performance.now(), process.cpuUsage()];
      await contours(router, origin, { ...options, denoise: 0.02 });
      const { user, system } = process.cpuUsage(before);
      if (i < ORIGINS) continue;
      times.push(performance.now() - began);
      cpu.push((user + system) / 1000);
    }
    const all = `${place}: ${label}`;
    report({ case: all, metric: "p50", value: percentile(times, 0.5), unit: "ms", baseline: goal ?? null });
    report({ case: all, metric: "p95", value: percentile(times, 0.95), unit: "ms" });
    report({ case: all, metric: "CPU, p50", value: percentile(cpu, 0.5), unit: "ms", baseline: goal ?? null });
  }
}
