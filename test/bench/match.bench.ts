import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Coordinate } from "../../src/geo/coordinate.ts";
import { destination, distance } from "../../src/geo/distance.ts";
import { demoWorld } from "../../src/importer/demo/demo-world.ts";
import { buildGraph } from "../../src/importer/roads/build-graph.ts";
import { type MatchedTrace, match } from "../../src/routing/match/match.ts";
import type { TracePoint } from "../../src/routing/match/trace.ts";
import { edgeGeometry } from "../../src/routing/path.ts";
import type { Leg, Router } from "../../src/routing/router.ts";
import { pointMaker } from "../routing/compare.ts";
import { buildRoads, graphOfExtract } from "../routing/road-build.ts";
import type { Report } from "./bench.ts";
import { percentile } from "./percentile.ts";
import { seededRandom } from "./random.ts";

export const name = "match";
export const summary =
  "Traces made by driving routes and adding noise: share of the way matched right, and time per trace of 93 points.";

const DATA = process.env.GEODATA_DIR ?? resolve(import.meta.dirname, "../../../shared/data");
const DRIVES = Number(process.env.BENCH_DRIVES ?? 60);
const SIGMAS = [6, 15, 30];
const INTERVALS = [1, 5, 15, 60];
/** Shares to reach at 5 s. */
const GOALS: Record<number, number> = { 6: 0.99, 15: 0.97, 30: 0.93 };
const GOAL_MS = 3.9;
const POINTS = 93;

/** BENCH_DRIVES: routes per city (60). */
export async function run(report: Report): Promise<void> {
  let measured = 0;
  for (const city of ["porto", "heidelberg"]) {
    const path = join(DATA, `${city}.osm.pbf`);
    if (!existsSync(path)) continue;
    await measure(report, city, await buildRoads(await graphOfExtract(path)));
    measured++;
  }
  if (measured === 0) await measure(report, "demo world", await buildRoads(buildGraph(demoWorld({ size: 1 }))));
}

type Roads = Awaited<ReturnType<typeof buildRoads>>;

async function measure(report: Report, city: string, { router, build }: Roads): Promise<void> {
  const drives = await drivesOf(router, build);
  for (const sigma of SIGMAS) {
    for (const interval of INTERVALS) {
      const random = seededRandom(sigma * 100 + interval);
      let driven = 0;
      let right = 0;
      let extra = 0;
      for (const drive of drives) {
        const found = await match(router, traceOf(drive, interval, sigma, random), { mode: "car" });
        const score = compare(drive, found);
        driven += score.driven;
        right += score.right;
        extra += score.extra;
      }
      const label = `${city}: σ ${sigma} m, ${interval} s`;
      const baseline = interval === 5 ? GOALS[sigma] : null;
      report({ case: label, metric: "matched right", value: right / driven, unit: "of the length", baseline });
      report({ case: label, metric: "matched wrong", value: extra / driven, unit: "of the length" });
    }
  }
  const random = seededRandom(93);
  const traces = drives
    .map((drive) => traceOf(drive, 5, 6, random).slice(0, POINTS))
    .filter(({ length }) => length === POINTS);
  if (traces.length === 0) return;
  const times: number[] = [];
  for (let round = 0; round < 6; round++) {
    for (const trace of traces) {
      const began = performance.now();
      await match(router, trace, { mode: "car" });
      if (round > 1) times.push(performance.now() - began);
    }
  }
  report({
    case: `${city}: ${POINTS} points`,
    metric: "p50",
    value: percentile(times, 0.5),
    unit: "ms",
    baseline: GOAL_MS,
  });
  report({ case: `${city}: ${POINTS} points`, metric: "p95", value: percentile(times, 0.95), unit: "ms" });
}

/** Routes of ten minutes and more, so that a point every 5 s makes a trace. */
async function drivesOf(router: Router, build: Roads["build"]): Promise<Leg[]> {
  const point = pointMaker(build, 11);
  const drives: Leg[] = [];
  for (let tries = 0; drives.length < DRIVES && tries < DRIVES * 40; tries++) {
    const route = await router.route([point(), point()], { mode: "car", reach: 300 }).catch(() => undefined);
    if (route && route.duration > 480) drives.push(route.legs[0]);
  }
  return drives;
}

/** A point every `interval` seconds of the drive, with normal noise of `sigma` metres each way. */
function traceOf({ edges }: Leg, interval: number, sigma: number, random: () => number): TracePoint[] {
  const noise = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()) * sigma;
  const trace: TracePoint[] = [];
  let next = 0;
  let clock = 0;
  for (const { view, edge, from, to, duration } of edges) {
    while (next <= clock + duration) {
      const share = duration > 0 ? (next - clock) / duration : 0;
      const line = edgeGeometry(view.tile, edge, from, to);
      const place = placeAt(line, share);
      const moved = destination(destination(place, 0, noise()), 90, noise());
      trace.push({ ...moved, time: next, accuracy: sigma });
      next += interval;
    }
    clock += duration;
  }
  return trace;
}

function placeAt(line: readonly Coordinate[], share: number): Coordinate {
  const lengths = line.slice(1).map((point, i) => distance(line[i], point));
  let left = lengths.reduce((sum, length) => sum + length, 0) * share;
  for (const [i, length] of lengths.entries()) {
    if (left <= length && length > 0) {
      const at = left / length;
      return {
        latitude: line[i].latitude + (line[i + 1].latitude - line[i].latitude) * at,
        longitude: line[i].longitude + (line[i + 1].longitude - line[i].longitude) * at,
      };
    }
    left -= length;
  }
  return line[line.length - 1];
}

/** Directed pieces of road, wherever their tile numbers them. */
function keyOf(tile: Leg["edges"][number]["view"]["tile"], edge: number): string {
  const original = tile.originalOf(edge);
  return tile.crossingOf(original) >= 0 ? `x${tile.crossingOf(original)}` : `${tile.index}/${original}`;
}

/** Of the driven length [m] the part that was matched, in its direction; and what was matched but not driven. */
function compare(drive: Leg, found: MatchedTrace): { driven: number; right: number; extra: number } {
  const left = new Map<string, number>();
  let driven = 0;
  for (const { view, edge, distance: metres } of drive.edges) {
    const key = keyOf(view.tile, edge);
    left.set(key, (left.get(key) ?? 0) + metres);
    driven += metres;
  }
  let right = 0;
  let extra = 0;
  for (const { stretches } of found.courses) {
    for (const { tile, edge, from, to } of stretches) {
      const metres = (tile.lengthOf(edge) * (to - from)) / 10;
      const key = keyOf(tile, edge);
      const open = left.get(key) ?? 0;
      right += Math.min(open, metres);
      extra += Math.max(0, metres - open);
      left.set(key, Math.max(0, open - metres));
    }
  }
  return { driven, right, extra };
}
