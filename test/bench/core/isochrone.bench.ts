import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { BoundedCache } from "../../../src/core/geo/bounded-cache.ts";
import type { Coordinate } from "../../../src/core/geo/coordinate.ts";
import { ringContains } from "../../../src/core/geo/shapes/polygon.ts";
import { MODES } from "../../../src/core/routing/graph/modes.ts";
import { type ContourOptions, contours } from "../../../src/core/routing/reach/contours.ts";
import { Router } from "../../../src/core/routing/route/router.ts";
import { snap } from "../../../src/core/routing/store/snap.ts";
import { demoWorld } from "../../../src/demo/world/demo-world.ts";
import { buildGraph } from "../../../src/importer/layers/roads/graph/build-graph.ts";
import { ISOLATE_CACHE_BYTES } from "../../../src/worker/geodata/isolate-cache.ts";
import { buildRoads, graphOfExtract } from "../../core/routing/graph/road-build.ts";
import { pointMaker } from "../../core/routing/search/compare.ts";
import type { Report } from "../bench.ts";
import { percentile } from "../support/percentile.ts";

export const name = "isochrone";
export const summary =
  "Areas of travel time around places in Porto, and their agreement with the matrix. isochrone [porto malta demo=60].";

const DATA = process.env.GEODATA_DIR ?? resolve(import.meta.dirname, "../../../../shared/data");
const ORIGINS = 40;
const GOAL_MS = 40;
const GOAL_PERCENT = 98.5;
/** A place lies in the city where a road is at most this far [m]. */
const NEAR = 60;
/** Origins and destinations whose times are compared with the area, and how near its edge [share of the limit] either is right. */
const COMPARED = 20;
const DESTINATIONS = 200;
const EDGE = 0.08;

const CASES: { label: string; options: Pick<ContourOptions, "mode" | "limits">; goal?: number }[] = [
  { label: "5 min by car", options: { mode: "car", limits: [300] } },
  { label: "15 min by car", options: { mode: "car", limits: [900] }, goal: GOAL_MS },
  { label: "60 min by car", options: { mode: "car", limits: [3600] } },
  { label: "5, 10 and 15 min by car", options: { mode: "car", limits: [900, 600, 300] } },
  { label: "15 min by bike", options: { mode: "bike", limits: [900] } },
  { label: "15 min on foot", options: { mode: "foot", limits: [900] } },
  { label: "30 min on foot", options: { mode: "foot", limits: [1800] } },
];

/**
 * Each origin is asked for once in each case, after as many that warm up the isolate's cache. Reported are the clock and the CPU time
 * of this thread's process, because a busy machine makes the one longer, and how many destinations are on the same side of the limit
 * as in the matrix.
 */
export async function run(report: Report, towns: readonly string[] = []): Promise<void> {
  for (const town of towns.length > 0 ? towns : ["porto", "malta"]) await measureTown(report, town);
}

async function measureTown(report: Report, town: string): Promise<void> {
  const path = join(DATA, `${town}.osm.pbf`);
  const isReal = existsSync(path);
  const size = Number(/^demo=(\d+)$/.exec(town)?.[1] ?? 1);
  const { build, source } = await buildRoads(isReal ? await graphOfExtract(path) : buildGraph(demoWorld({ size })));
  const router = (await Router.open(source, new BoundedCache(ISOLATE_CACHE_BYTES))) as Router;
  const point = pointMaker(build, 5);
  const isInTown = async (place: Coordinate, mode: number) => {
    const { mainland } = await snap(router.store, place, { mode });
    return mainland.length > 0 && mainland[0].distance < NEAR;
  };
  const origins: Coordinate[] = [];
  for (let tries = 0; origins.length < 2 * ORIGINS && tries < 5000; tries++) {
    const origin = point();
    if (await isInTown(origin, 0)) origins.push(origin);
  }
  let [allRight, all] = [0, 0];
  for (const { label, options, goal } of CASES) {
    const [times, cpu]: number[][] = [[], []];
    let [right, clear] = [0, 0];
    for (const [i, origin] of origins.entries()) {
      const [began, before] = [performance.now(), process.cpuUsage()];
      const found = await contours(router, origin, { ...options, denoise: 0.02 });
      const { user, system } = process.cpuUsage(before);
      if (i >= ORIGINS) {
        times.push(performance.now() - began);
        cpu.push((user + system) / 1000);
      } else if (i < COMPARED && found && found.length === 1) {
        const { limit, polygons } = found[0];
        const places: Coordinate[] = [];
        for (let k = 0; k < DESTINATIONS; k++) {
          // Places are drawn towards the center: else most of a town is far outside.
          const [place, share] = [point(), limit > 300 && options.mode === "car" ? 1 : 0.25];
          const latitude = origin.latitude + (place.latitude - origin.latitude) * share;
          const longitude = origin.longitude + (place.longitude - origin.longitude) * share;
          if (await isInTown({ latitude, longitude }, MODES.indexOf(options.mode)))
            places.push({ latitude, longitude });
        }
        const [row] = await router.matrix([origin], places, { mode: options.mode });
        for (const [k, { latitude, longitude }] of places.entries()) {
          const time = row[k]?.duration ?? Number.POSITIVE_INFINITY;
          if (Math.abs(time - limit) < EDGE * limit) continue;
          clear++;
          const isInside = polygons.some(
            (rings) => rings.filter((ring) => ringContains(ring, latitude, longitude)).length % 2 === 1,
          );
          if (isInside === time <= limit) right++;
        }
      }
    }
    const name = `${isReal ? town : "demo world"}: ${label}`;
    report({ case: name, metric: "p50", value: percentile(times, 0.5), unit: "ms", baseline: goal ?? null });
    report({ case: name, metric: "p95", value: percentile(times, 0.95), unit: "ms" });
    report({ case: name, metric: "CPU, p50", value: percentile(cpu, 0.5), unit: "ms", baseline: goal ?? null });
    if (clear === 0) continue;
    report({ case: name, metric: `as the matrix, of ${clear}`, value: (100 * right) / clear, unit: "%" });
    [allRight, all] = [allRight + right, all + clear];
  }
  const value = (100 * allRight) / all;
  report({ case: town, metric: `as the matrix, of ${all}`, value, unit: "%", baseline: GOAL_PERCENT });
}
