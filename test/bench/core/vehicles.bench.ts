import { join, resolve } from "node:path";
import { BoundedCache } from "../../../src/core/geo/bounded-cache.ts";
import type { Coordinate } from "../../../src/core/geo/coordinate.ts";
import { type RouteOptions, Router } from "../../../src/core/routing/route/router.ts";
import { demoWorld } from "../../../src/demo/world/demo-world.ts";
import { buildGraph } from "../../../src/importer/layers/roads/graph/build-graph.ts";
import type { RoadGraph } from "../../../src/importer/layers/roads/graph/road-graph.ts";
import type { OsmElement, Tags } from "../../../src/importer/osm/pbf/element.ts";
import { ISOLATE_CACHE_BYTES } from "../../../src/worker/geodata/isolate-cache.ts";
import { seeded } from "../../core/routing/graph/random-town.ts";
import { buildRoads, graphOfExtract } from "../../core/routing/graph/road-build.ts";
import { pointMaker } from "../../core/routing/search/compare.ts";
import type { Report } from "../bench.ts";

export const name = "vehicles";
export const summary =
  "Routes of vehicles in comparison with those of the default car, same pairs in turn: the first ones, and later ones.";

const DATA = process.env.GEODATA_DIR ?? resolve(import.meta.dirname, "../../../../shared/data");
const PAIRS = 1200;
/** Routes of a vehicle until its cells are known. */
const FIRST = 400;

const VEHICLES: readonly [label: string, options: RouteOptions][] = [
  ["truck, default", { mode: "truck" }],
  ["truck 7.5 t, 3.4 m", { mode: "truck", vehicle: { weight: 7.5, height: 3.4, length: 8, width: 2.4 } }],
  ["truck 40 t, 4.2 m, code C", { mode: "truck", vehicle: { weight: 40, height: 4.2, axleLoad: 11.5, hazmat: 1 } }],
  ["car, trailer, 2.8 m", { mode: "car", vehicle: { height: 2.8, weight: 3.4, trailer: true } }],
  ["car, at most 80 km/h", { mode: "car", vehicle: { maxSpeed: 80 } }],
  ["car, at most 30 km/h", { mode: "car", vehicle: { maxSpeed: 30 } }],
];

/** `words`: names of extracts, or demo=SIZE for a demo world with random limits; porto and heidelberg if absent. */
export async function run(report: Report, words: readonly string[] = []): Promise<void> {
  for (const extract of words.length > 0 ? words : ["porto", "heidelberg"]) {
    const demo = /^demo=(\d+)$/.exec(extract);
    const graph = demo ? demoGraph(Number(demo[1])) : await graphOfExtract(join(DATA, `${extract}.osm.pbf`));
    const { build, source } = await buildRoads(graph);
    const point = pointMaker(build, 17);
    const pairs = Array.from({ length: PAIRS }, (): [Coordinate, Coordinate] => [point(), point()]);
    const router = (await Router.open(source, new BoundedCache(ISOLATE_CACHE_BYTES)))!;
    await measure(report, extract, router, pairs);
  }
}

/** The demo world has no limits: here, three of a hundred ways have one. */
function demoGraph(size: number): RoadGraph {
  const random = seeded(size);
  const limits: Tags[] = [
    { maxheight: "3.8" },
    { maxweight: "7.5" },
    { maxweight: "38" },
    { maxaxleload: "8" },
    { trailer: "no" },
  ];
  function* elements(): Generator<OsmElement> {
    for (const element of demoWorld({ size })) {
      if (element.type !== "way" || random() > 0.03) yield element;
      else yield { ...element, tags: { ...element.tags, ...limits[Math.floor(random() * limits.length)] } };
    }
  }
  return buildGraph(elements());
}

type Pairs = readonly [Coordinate, Coordinate][];

async function measure(report: Report, extract: string, router: Router, pairs: Pairs): Promise<void> {
  const car = { mode: "car" } as const;
  const services = {
    distance: (options: RouteOptions, i: number) => router.distance(...pairs[i], options),
    route: (options: RouteOptions, i: number) => router.route(pairs[i], options),
    "matrix 10 × 10": (options: RouteOptions, i: number) => {
      const some = Array.from({ length: 10 }, (_, k) => pairs[(i * 10 + k) % PAIRS][0]);
      return router.matrix(some, some, options);
    },
  };
  const time = async (ask: () => Promise<unknown>) => {
    const from = process.threadCpuUsage();
    await ask();
    const { user, system } = process.threadCpuUsage(from);
    return (user + system) / 1000;
  };
  for (let i = 0; i < PAIRS; i++) for (const ask of [services.distance, services.route]) await ask(car, i);
  for (const [label, options] of VEHICLES) {
    const first: number[] = [];
    for (let i = 0; i < FIRST; i++) first.push(await time(() => services.route(options, i)));
    const line = { case: `${extract}: ${label}`, unit: "ms" };
    report({ ...line, metric: "first route", value: first[0] });
    report({ ...line, metric: `sum of the first ${FIRST}`, value: first.reduce((sum, one) => sum + one, 0) });
    for (const [service, ask] of Object.entries(services)) {
      const own: number[] = [];
      const usual: number[] = [];
      for (let i = FIRST; i < (service.startsWith("matrix") ? FIRST + 100 : PAIRS); i++) {
        usual.push(await time(() => ask(car, i)));
        own.push(await time(() => ask(options, i)));
      }
      report({
        ...line,
        metric: `${service}, mean next to the car's`,
        value: own.reduce((sum, one) => sum + one, 0) / own.length,
        baseline: usual.reduce((sum, one) => sum + one, 0) / usual.length,
      });
    }
  }
}
