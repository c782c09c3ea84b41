import { join } from "node:path";
import { demoBounds } from "../../src/demo/world/demo-world.ts";
import { demoExtract } from "../../src/demo/world/write.ts";
import { silent } from "../../src/importer/report/reporter.ts";
import type { Report } from "./bench.ts";
import { bringRoads, importedRoads, KEPT } from "./importer/imported-roads.ts";
import { extract } from "./support/geodata-platform.ts";
import { type LoadRequest, send } from "./support/load.ts";
import { checkOut, here, type Tree } from "./support/older-tree.ts";
import { residentBytes } from "./support/process-cpu.ts";
import { seededRandom } from "./support/random.ts";
import { measureBeside, reportBeside, type Side } from "./support/slices.ts";
import type { PlatformWorker } from "./worker.ts";

export const name = "routes";
export const summary =
  "Distance, directions, matrix and optimize over HTTP beside the Worker of an older commit, and what memory both leave.";

/** The state of the issue "Serving a country" before its work began. */
const BASE = "b693fde";

/** west, south, east, north */
type Area = readonly [number, number, number, number];

/** Endpoints by the names that limits go by. */
const ENDPOINTS = ["distance", "directions", "matrix", "optimize"];

/** Requests of a case before they begin anew, and places that they lead between. */
const DIFFERENT = 2_000;
const PLACES = 1_500;

/**
 *     npm run bench -- routes                       Porto, where its extract is at hand, and a demo world of 60 townships (1.0M edges)
 *     npm run bench -- routes base=HEAD~3 demo=2    beside that commit; a smaller world. demo= and porto= leave one out
 *     npm run bench -- routes base=../older         beside a work tree that is there, with its libraries
 *     npm run bench -- routes only=distance,optimize
 *
 * CPU of workerd, one caller, with key, limits and log. Both Workers answer the same requests, in slices that alternate. Each serves what its own program has
 * imported, which is kept below .geodata/bench.
 */
export async function run(report: Report, words: readonly string[] = []): Promise<void> {
  const defaults = { base: BASE, demo: "60", porto: "yes", only: "" };
  const asked = { ...defaults, ...Object.fromEntries(words.map((word) => word.split("=", 2))) } as typeof defaults;
  const only = asked.only.split(",").filter((part) => part !== "");
  const older = checkOut(asked.base);
  try {
    const porto = asked.porto && extract("porto");
    if (!porto && asked.porto) console.error("Porto's extract is not at hand: GEODATA_DIR names its folder.");
    if (porto) await beside(report, older, "porto", porto, [-8.68, 41.14, -8.59, 41.18], only);
    if (asked.demo) {
      const size = Number(asked.demo);
      await beside(report, older, `demo-${size}`, await demoExtract(KEPT, size, silent), demoBounds({ size }), only);
    }
  } finally {
    older.discard();
  }
}

async function beside(
  report: Report,
  older: Tree,
  world: string,
  path: string,
  area: Area,
  only: readonly string[],
): Promise<void> {
  const started: PlatformWorker[] = [];
  try {
    for (const tree of [older, here]) started.push(await serve(tree, importedRoads(tree, path, world)));
    const [was, is] = started;
    const places = await placesByRoad(is, area);
    for (const { label, requests, paths } of casesAmong(places)) {
      if (only.length > 0 && !only.some((part) => label.startsWith(part))) continue;
      const [before, now] = [sideOf(was, paths), sideOf(is, paths)];
      reportBeside(
        report,
        `${world}: ${label}`,
        await measureBeside(before, now, { parallel: 1, warmUp: 3 * requests, sliceRequests: requests }),
      );
    }
    const [baseline, value] = started.map(({ pid }) => residentBytes(pid) / 2 ** 20);
    report({ case: `${world}: after all of them`, metric: "memory of workerd", value, unit: "MB", baseline });
  } finally {
    for (const worker of started) await worker.stop();
  }
}

/** Starts the Worker of a tree by that tree's own bench tools: tables and settings are as it knows them. */
async function serve(tree: Tree, imported: string): Promise<PlatformWorker> {
  const { startPlatform } = (await import(join(tree.folder, "test/bench/worker.ts"))) as typeof import("./worker.ts");
  return startPlatform({
    unlimited: ENDPOINTS,
    prepare: async (_database, _project, state) => bringRoads(imported, state),
  });
}

function sideOf(worker: PlatformWorker, paths: readonly string[]): Side {
  const headers = { Authorization: worker.keys.testPublishable };
  return { worker, make: (n): LoadRequest => ({ path: paths[n % paths.length], headers }) };
}

/** Seeded places anywhere in an area, but those without a road within reach, as in the middle of a lake. */
async function placesByRoad(worker: PlatformWorker, [west, south, east, north]: Area): Promise<string[]> {
  const random = seededRandom(9);
  const { make } = sideOf(worker, [""]);
  const places: string[] = [];
  while (places.length < PLACES) {
    const place = `${(south + random() * (north - south)).toFixed(6)},${(west + random() * (east - west)).toFixed(6)}`;
    const path = `/v1/route/distance?modes=car&origin=${place}&destination=${place}`;
    const { text } = await send(worker, { ...make(0), path });
    if (text.includes('"car"') && !text.includes('"unavailable"')) places.push(place);
  }
  return places;
}

/** Seeded requests among some places; `requests`: how many a slice has, half a second's or more. */
function casesAmong(places: readonly string[]): { label: string; requests: number; paths: string[] }[] {
  const random = seededRandom(10);
  const point = () => places[Math.floor(random() * places.length)];
  const points = (n: number) => Array.from({ length: n }, point).join("%7C");
  const square = (n: number) => () => `/v1/route/matrix?mode=car&origins=${points(n)}&destinations=${points(n)}`;
  const cases: [string, number, () => string][] = [
    ["distance", 800, () => `/v1/route/distance?modes=car&origin=${point()}&destination=${point()}`],
    ["directions", 400, () => `/v1/route/directions?locations=${points(2)}`],
    ["directions, alternatives", 200, () => `/v1/route/directions?alternatives=true&locations=${points(2)}`],
    ["matrix 10 × 10", 100, square(10)],
    ["matrix 25 × 25", 40, square(25)],
    ["optimize 10", 100, () => `/v1/route/optimize?locations=${points(10)}`],
  ];
  return cases.map(([label, requests, path]) => ({ label, requests, paths: Array.from({ length: DIFFERENT }, path) }));
}
