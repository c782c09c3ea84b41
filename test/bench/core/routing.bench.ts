import { existsSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { BoundedCache } from "../../../src/core/geo/bounded-cache.ts";
import type { Coordinate } from "../../../src/core/geo/coordinate.ts";
import { Router } from "../../../src/core/routing/route/router.ts";
import { endsOf, startsOf } from "../../../src/core/routing/search/end-points.ts";
import { snap } from "../../../src/core/routing/store/snap.ts";
import { demoWorld } from "../../../src/demo/world/demo-world.ts";
import { buildGraph } from "../../../src/importer/layers/roads/graph/build-graph.ts";
import type { RoadGraph } from "../../../src/importer/layers/roads/graph/road-graph.ts";
import { ISOLATE_CACHE_BYTES } from "../../../src/worker/geodata/isolate-cache.ts";
import { buildRoads, CountingSource, graphOfExtract } from "../../core/routing/graph/road-build.ts";
import { compare, pointMaker } from "../../core/routing/search/compare.ts";
import { Dijkstra } from "../../core/routing/search/dijkstra.ts";
import { wireRoute } from "../../worker/wire/whole-route.ts";
import type { Report } from "../bench.ts";
import { percentile } from "../support/percentile.ts";

export const name = "routing";
export const summary =
  "Routes, directions and matrices against Dijkstra on the same graph; bytes read cold; size and time of the import.";

const DATA = process.env.GEODATA_DIR ?? resolve(import.meta.dirname, "../../../../shared/data");
const ROUNDS = 1000;
const WARM_UP = 2000;
/** Distances asked of an isolate that has seen nothing but the manifest. */
const COLD = 300;

/**
 * BENCH_EXTRACTS: paths, comma separated (porto when absent and at hand). BENCH_DEMO: size of a demo world to measure as
 * well (1 when there is no extract). BENCH_PAIRS: pairs compared with Dijkstra for each of the 64 metrics (2).
 */
export async function run(report: Report): Promise<void> {
  const porto = join(DATA, "porto.osm.pbf");
  const extracts =
    process.env.BENCH_EXTRACTS?.split(",").filter((path) => path !== "") ?? (existsSync(porto) ? [porto] : []);
  for (const path of extracts) {
    await measure(report, basename(path).replace(".osm.pbf", ""), () => graphOfExtract(path), statSync(path).size);
  }
  const demo = Number(process.env.BENCH_DEMO ?? (extracts.length > 0 ? 0 : 1));
  if (demo > 0) await measure(report, `demo world ${demo}`, async () => buildGraph(demoWorld({ size: demo })));
}

async function measure(report: Report, label: string, load: () => Promise<RoadGraph>, extractBytes?: number) {
  let began = performance.now();
  const graph = await load();
  report({ case: label, metric: "read into a graph", value: (performance.now() - began) / 1000, unit: "s" });
  began = performance.now();
  const { build, objects, source } = await buildRoads(graph);
  // All that is asked for stays at hand, as the engines one compares with have it.
  const router = (await Router.open(source, new BoundedCache(1e9))) as Router;
  const edges = graph.edges.count;
  report({ case: label, metric: `build (${edges} edges)`, value: (performance.now() - began) / 1000, unit: "s" });
  report({
    case: label,
    metric: "peak memory",
    value: process.resourceUsage().maxRSS / 1024,
    unit: "MB",
    baseline: 3072,
  });

  const bytes = (prefix: string) => {
    let sum = 0;
    for (const [key, value] of objects) if (key.startsWith(prefix)) sum += value.length;
    return sum;
  };
  const tiles = bytes("roads/tiles/");
  report({
    case: label,
    metric: "tiles",
    value: tiles / 1e6,
    unit: "MB",
    baseline: extractBytes ? (1.2 * extractBytes) / 1e6 : null,
  });
  const { manifest } = router.store;
  const topLevels = Array.from({ length: manifest.levels }, (_, level) => level).filter(
    (level) => level >= manifest.districtLevel && !manifest.isBundled(level),
  );
  /** The packs above bundles that avoid nothing. */
  const above = (mode: number) =>
    topLevels.reduce((sum, level) => {
      const parents = Array.from({ length: manifest.cellCounts[level + 1] ?? 1 }, (_, parent) => parent);
      return parents.reduce((all, one) => all + manifest.packRange({ mode, avoid: 0 }, level, one).length, sum);
    }, 0);
  const modes = [0, 1, 2, 3].map((mode) => bytes(`roads/bundles/${mode}/0/`) + above(mode));
  report({
    case: label,
    metric: "overlay, largest mode",
    value: Math.max(...modes) / 1e6,
    unit: "MB",
    baseline: tiles / 1e7,
  });
  report({
    case: label,
    metric: "overlay, mean of 64 metrics",
    value: (bytes("roads/bundles/") + bytes("roads/packs/")) / 64e6,
    unit: "MB",
    baseline: tiles / 1e7,
  });

  const point = pointMaker(build, 17);
  const pairs = Array.from({ length: ROUNDS }, (): [Coordinate, Coordinate] => [point(), point()]);
  const car = { mode: "car" } as const;
  const time = async (count: number, what: (i: number) => Promise<unknown>) => {
    const took: number[] = [];
    for (let i = 0; i < count; i++) {
      const from = performance.now();
      JSON.stringify(await what(i));
      took.push(performance.now() - from);
    }
    return percentile(took, 0.5);
  };
  const dijkstra = new Dijkstra(build);
  const plain = await time(40, async (i) => {
    const [from, to] = [
      await snap(router.store, pairs[i][0], { mode: 0 }),
      await snap(router.store, pairs[i][1], { mode: 0 }),
    ];
    return dijkstra.weight(
      { mode: 0, avoid: 0 },
      await startsOf(router.store, from.nearest),
      await endsOf(router.store, to.nearest),
    );
  });
  const distance = (i: number) => router.distance(...pairs[i % ROUNDS], car);
  const wire = { units: "metric", geometry: "polyline6", lang: "en", mode: "car" } as const;
  const directionsOf = (from: Router) => async (i: number) => {
    const route = await from.route(pairs[i % ROUNDS], car);
    return route && wireRoute(from.guide(route, pairs[i % ROUNDS], wire), wire);
  };
  const directions = directionsOf(router);
  await time(WARM_UP, distance);
  await time(ROUNDS, directions);
  report({ case: label, metric: "distance p50", value: await time(ROUNDS, distance), unit: "ms", baseline: plain });
  report({
    case: label,
    metric: "route p50",
    value: await time(ROUNDS, (i) =>
      router.route(pairs[i], car).then((route) => route && { duration: route.duration, distance: route.distance }),
    ),
    unit: "ms",
    baseline: plain,
  });
  report({ case: label, metric: "directions p50", value: await time(ROUNDS, directions), unit: "ms", baseline: plain });
  report({
    case: label,
    metric: "with alternatives p50",
    value: await time(ROUNDS / 4, async (i) => (await router.routeWithAlternatives(...pairs[i], car)).length),
    unit: "ms",
    baseline: plain,
  });
  const square = (i: number) => {
    const at = (i % 20) * 50;
    const points = pairs.slice(at, at + 25);
    return router.matrix(
      points.map(([origin]) => origin),
      points.map(([, destination]) => destination),
      car,
    );
  };
  await time(20, square);
  report({
    case: label,
    metric: "matrix 25 × 25 p50",
    value: await time(40, square),
    unit: "ms",
    baseline: plain * 625,
  });

  const small = (await Router.open(source, new BoundedCache(ISOLATE_CACHE_BYTES))) as Router;
  await time(ROUNDS, (i) => small.distance(...pairs[i], car));
  report({
    case: label,
    metric: "distance p50, in an isolate's cache",
    value: await time(ROUNDS, (i) => small.distance(...pairs[i], car)),
    unit: "ms",
  });
  report({
    case: label,
    metric: "directions p50, in an isolate's cache",
    value: await time(ROUNDS / 2, directionsOf(small)),
    unit: "ms",
  });

  const counting = new CountingSource(source);
  const cold = { objects: [] as number[], bytes: [] as number[], rounds: [] as number[] };
  for (let i = 0; i < COLD; i++) {
    const fresh = await Router.open(counting);
    counting.reset();
    await fresh?.distance(...pairs[i], car);
    cold.objects.push(counting.objects);
    cold.bytes.push(counting.bytes / 1024);
    cold.rounds.push(counting.rounds);
  }
  for (const [at, share] of Object.entries({ p50: 0.5, p99: 0.99 })) {
    report({
      case: label,
      metric: `cold objects, ${at}`,
      value: percentile(cold.objects, share),
      unit: "",
      baseline: 8,
    });
    report({ case: label, metric: `cold rounds, ${at}`, value: percentile(cold.rounds, share), unit: "", baseline: 2 });
    report({
      case: label,
      metric: `cold bytes, ${at}`,
      value: percentile(cold.bytes, share),
      unit: "KB",
      baseline: 256,
    });
  }

  const { wrong, brokenSums, pairs: compared } = await compare(router, build, Number(process.env.BENCH_PAIRS ?? 2), 23);
  report({ case: label, metric: `unlike Dijkstra, of ${compared}`, value: wrong.length, unit: "", baseline: 0 });
  report({ case: label, metric: "sums that do not add up", value: brokenSums.length, unit: "", baseline: 0 });
}
