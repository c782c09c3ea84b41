import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { type MatchedTrace, match } from "../../../src/core/routing/match/match.ts";
import { roadParts } from "../../../src/core/routing/match/road-attributes.ts";
import { type TracePoint, tidied } from "../../../src/core/routing/match/trace.ts";
import type { Leg, Router } from "../../../src/core/routing/route/router.ts";
import { demoWorld } from "../../../src/demo/world/demo-world.ts";
import { buildGraph } from "../../../src/importer/layers/roads/graph/build-graph.ts";
import { buildRoads, graphOfExtract } from "../../core/routing/graph/road-build.ts";
import { noisyTrace } from "../../core/routing/match/noisy-drives.ts";
import { pointMaker } from "../../core/routing/search/compare.ts";
import type { Report } from "../bench.ts";
import { percentile } from "../support/percentile.ts";
import { seededRandom } from "../support/random.ts";

export const name = "match";
export const summary =
  "Traces of drives and long walks with noise added: share of the way matched right, and time per trace of 93 points.";

const DATA = process.env.GEODATA_DIR ?? resolve(import.meta.dirname, "../../../../shared/data");
const DRIVES = Number(process.env.BENCH_DRIVES ?? 60);
const SIGMAS = [6, 15, 30];
const INTERVALS = [1, 5, 15, 60];
/** Shares to reach at 5 s. */
const GOALS: Record<number, number> = { 6: 0.99, 15: 0.97, 30: 0.93 };
/** Traces without an accuracy: how many have the length of their drive. */
const NOISE = [5, 10, 20, 30];
const NOISE_INTERVALS = [2, 5, 15, 30, 60];
const NEAR = 0.03;
const GOAL_NEAR = 0.95;
const GOAL_MS = 3.9;
const POINTS = 93;

/** BENCH_DRIVES: routes per city (60). `drives`, `walks`: only these; the name of an extract: only there. */
export async function run(report: Report, words: readonly string[] = []): Promise<void> {
  const cities = ["porto", "heidelberg"].filter((city) => existsSync(join(DATA, `${city}.osm.pbf`)));
  const asked = cities.filter((city) => words.includes(city));
  const measures = [...(words.includes("walks") ? [] : [measure]), ...(words.includes("drives") ? [] : [measureWalks])];
  const places: [string, () => Promise<Roads>][] = (asked.length > 0 ? asked : cities).map((city) => [
    city,
    async () => buildRoads(await graphOfExtract(join(DATA, `${city}.osm.pbf`))),
  ]);
  if (places.length === 0) places.push(["demo world", () => buildRoads(buildGraph(demoWorld({ size: 1 })))]);
  for (const [place, open] of places) {
    const roads = await open();
    for (const one of measures) await one(report, place, roads);
  }
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
  for (const sigma of NOISE) {
    for (const interval of NOISE_INTERVALS) {
      const random = seededRandom(sigma * 100 + interval);
      let right = 0;
      for (const drive of drives) {
        const { trace, length } = noisyTrace(drive, interval, sigma, random);
        const { distance: found } = await match(router, trace, { mode: "car" });
        if (Math.abs(found / length - 1) <= NEAR) right++;
      }
      report({
        case: `${city}: σ ${sigma} m, ${interval} s, without accuracy`,
        metric: "length within 3 %",
        value: right / drives.length,
        unit: "of the drives",
        baseline: GOAL_NEAR,
      });
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

/** Walks of half an hour to three, a point every five seconds, and a silence of two minutes in the middle of each. */
const WALKS = 12;
const WALK_INTERVAL = 5;
const SILENCE = 120;
const GAP = 60;

/**
 * Long walks along real footways, as they are asked for with `mode=foot`: how much of the way is found, whether the silence splits it, what
 * `tidy` leaves of the points and of the way, and how far the speed told of each piece is from the one it was walked at.
 */
async function measureWalks(report: Report, city: string, { router, build }: Roads): Promise<void> {
  const point = pointMaker(build, 23);
  const walks: Leg[] = [];
  for (let tries = 0; walks.length < WALKS && tries < WALKS * 60; tries++) {
    const route = await router.route([point(), point()], { mode: "foot", reach: 300 }).catch(() => undefined);
    if (route && route.duration > 1800 && route.duration < 10_800) walks.push(route.legs[0]);
  }
  const hours = walks.reduce((sum, { duration }) => sum + duration, 0) / 3600;
  report({ case: `${city}: ${walks.length} walks`, metric: "walked", value: hours, unit: "h" });
  for (const sigma of [5, 10, 20]) {
    const random = seededRandom(sigma);
    const all = {
      driven: 0,
      right: 0,
      extra: 0,
      tidyRight: 0,
      points: 0,
      kept: 0,
      split: 0,
      pieces: 0,
      speedOff: 0,
      limits: 0,
    };
    const times: number[] = [];
    for (const walk of walks) {
      const middle = walk.duration / 2;
      const trace = traceOf(walk, WALK_INTERVAL, sigma, random).filter(
        ({ time = 0 }) => Math.abs(time - middle) > SILENCE / 2,
      );
      const began = performance.now();
      const found = await match(router, trace, { mode: "foot", gap: GAP });
      times.push((performance.now() - began) / trace.length);
      const score = compare(walk, found);
      all.driven += score.driven;
      all.right += score.right;
      all.extra += score.extra;
      if (found.courses.length === 2) all.split++;
      const kept = tidied(trace);
      const tidy = await match(
        router,
        kept.map((i) => trace[i]),
        { mode: "foot", gap: GAP },
      );
      all.tidyRight += compare(walk, tidy).right;
      all.points += trace.length;
      all.kept += kept.length;
      const pace = walk.distance / walk.duration;
      for (const { speed, speedLimit } of found.courses.flatMap((course) => roadParts(course, (i) => trace[i].time))) {
        all.pieces++;
        if (speed !== undefined) all.speedOff += Math.abs(speed / pace - 1);
        if (speedLimit !== undefined) all.limits++;
      }
    }
    const label = `${city}: walks, σ ${sigma} m`;
    const tell = (metric: string, value: number, unit: string) => report({ case: label, metric, value, unit });
    tell("matched right", all.right / all.driven, "of the length");
    tell("matched wrong", all.extra / all.driven, "of the length");
    tell("split at the silence, in two", all.split / walks.length, "of the walks");
    tell("tidied: points kept", all.kept / all.points, "of the points");
    tell("tidied: matched right", all.tidyRight / all.driven, "of the length");
    tell("pieces", all.pieces, "");
    tell("speed of a piece, off by", all.speedOff / all.pieces, "of the walk's own");
    tell("pieces with a limit", all.limits / all.pieces, "of the pieces");
    tell("time per point", percentile(times, 0.5) * 1000, "µs");
  }
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

/** A trace whose points state their accuracy. */
function traceOf(drive: Leg, interval: number, sigma: number, random: () => number): TracePoint[] {
  return noisyTrace(drive, interval, sigma, random).trace.map((point) => ({ ...point, accuracy: sigma }));
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
