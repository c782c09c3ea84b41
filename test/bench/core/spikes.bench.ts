import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Coordinate } from "../../../src/core/geo/coordinate.ts";
import { destination } from "../../../src/core/geo/distance.ts";
import { match } from "../../../src/core/routing/match/match.ts";
import type { TracePoint } from "../../../src/core/routing/match/trace.ts";
import type { Router } from "../../../src/core/routing/route/router.ts";
import { pathGeometry } from "../../../src/core/routing/search/path.ts";
import { buildRoads, graphOfExtract } from "../../core/routing/graph/road-build.ts";
import { placeAt } from "../../core/routing/match/noisy-drives.ts";
import { pointMaker } from "../../core/routing/search/compare.ts";
import type { Report } from "../bench.ts";
import { percentile } from "../support/percentile.ts";
import { seededRandom } from "../support/random.ts";

export const name = "spikes";
export const summary =
  "Drives of 60 points, 25 m every 2 s, with one to three points 50 to 300 m off: the length that it adds.";

const DATA = process.env.GEODATA_DIR ?? resolve(import.meta.dirname, "../../../../shared/data");
const POINTS = 60;
const STEP = 25;
const SECONDS = 2;
const NOISE = 5;
const GOAL = 0.02;
const METERS = [50, 75, 100, 150, 200, 300];
const LENGTH = (POINTS - 1) * STEP;
/** Where a spike begins, and how many points it has. */
const inside = (count: number) => (random: () => number) =>
  [3 + Math.floor(random() * (POINTS - 6 - count)), count] as const;
const KINDS: readonly [string, (random: () => number) => readonly [number, number]][] = [
  ["one point", inside(1)],
  ["two in a row", inside(2)],
  ["three in a row", inside(3)],
  ["the first", () => [0, 1]],
  ["the first two", () => [0, 2]],
  ["the last", () => [POINTS - 1, 1]],
];

/** `porto heidelberg drives=40 seed=1 verbose` */
export async function run(report: Report, words: readonly string[] = []): Promise<void> {
  const option = (key: string) => words.find((word) => word.startsWith(`${key}=`))?.slice(key.length + 1);
  const all = ["porto", "heidelberg", "malta", "vancouver"];
  const asked = all.filter((place) => words.includes(place));
  for (const place of (asked.length > 0 ? asked : all).filter((one) => existsSync(join(DATA, `${one}.osm.pbf`)))) {
    const { router, build } = await buildRoads(await graphOfExtract(join(DATA, `${place}.osm.pbf`)));
    const seed = Number(option("seed") ?? 1);
    const drives = await drivesOf(router, pointMaker(build, seed * 31), Number(option("drives") ?? 40));
    await measure(report, place, router, drives, seed, words.includes("verbose"));
  }
}

/** Places on routes, each STEP meters from the one before. */
async function drivesOf(router: Router, point: () => Coordinate, count: number): Promise<Coordinate[][]> {
  const drives: Coordinate[][] = [];
  while (drives.length < count) {
    const route = await router.route([point(), point()], { mode: "car", reach: 300 }).catch(() => undefined);
    if (!route || route.distance < STEP * (POINTS + 1)) continue;
    const line = pathGeometry(route.legs[0]);
    drives.push(Array.from({ length: POINTS }, (_, k) => placeAt(line, ((k + 1) * STEP) / route.distance)));
  }
  return drives;
}

async function measure(
  report: Report,
  place: string,
  router: Router,
  drives: Coordinate[][],
  seed: number,
  verbose: boolean,
): Promise<void> {
  for (const isTimed of [true, false]) {
    for (const accuracy of [undefined, 5, 10, 20]) {
      const random = seededRandom(seed);
      const traces = drives.map((places) => places.map((at, i) => reported(at, i, accuracy, isTimed, random)));
      const plain: number[] = [];
      for (const trace of traces) plain.push((await match(router, trace, { mode: "car" })).distance);
      // Without times, nothing says how fast a traveler must have been at the ends, or for several points.
      for (const [kind, spikeAt] of isTimed ? KINDS : KINDS.slice(0, 1)) {
        const extras: number[] = [];
        for (const [drive, trace] of traces.entries()) {
          for (const meters of METERS) {
            const [from, count] = spikeAt(random);
            const bearing = random() * 360;
            const isOff = (i: number) => i >= from && i < from + count;
            const spiked = trace.map((one, i) => (isOff(i) ? { ...one, ...destination(one, bearing, meters) } : one));
            const found = await match(router, spiked, { mode: "car" });
            const extra = (found.distance - plain[drive]) / LENGTH;
            extras.push(extra);
            if (!verbose || extra <= GOAL) continue;
            const { latitude, longitude } = trace[from];
            console.error(
              `${place} ${kind}, times ${isTimed}, accuracy ${accuracy}, drive ${drive}: ${meters} m at ${from}, ` +
                `${bearing.toFixed(0)}° of ${latitude.toFixed(5)},${longitude.toFixed(5)}: ${extra.toFixed(3)}`,
            );
          }
        }
        const say = (metric: string, value: number, unit: string, baseline: number | null = null) =>
          report({
            case: `${place}, ${kind}, ${isTimed ? "times" : "no times"}, accuracy ${accuracy ?? "none"}`,
            ...{ metric, value, unit, baseline },
          });
        say("extra length, worst", Math.max(...extras), "of the length", GOAL);
        say("… p95", percentile(extras, 0.95), "of the length");
        say("lost length, worst", Math.max(0, -Math.min(...extras)), "of the length");
        say("spikes that add more than 2 %", extras.filter((extra) => extra > GOAL).length / extras.length, "of them");
      }
    }
  }
}

function reported(
  at: Coordinate,
  i: number,
  accuracy: number | undefined,
  isTimed: boolean,
  random: () => number,
): TracePoint {
  // The noise is that which the accuracy tells.
  const sigma = accuracy ?? NOISE;
  const noise = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()) * sigma;
  const place = destination(destination(at, 0, noise()), 90, noise());
  return { ...place, ...(isTimed && { time: i * SECONDS }), ...(accuracy !== undefined && { accuracy }) };
}
