import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { demoWorld } from "../../../src/demo/world/demo-world.ts";
import { buildGraph } from "../../../src/importer/layers/roads/graph/build-graph.ts";
import type { RoadGraph } from "../../../src/importer/layers/roads/graph/road-graph.ts";
import { buildRoads, graphOfExtract } from "../../core/routing/graph/road-build.ts";
import { compareByTrees } from "../../core/routing/search/compare.ts";
import type { Report } from "../bench.ts";

export const name = "routing-exact";
export const summary =
  "Routes of every mode with every avoid set against Dijkstra on the same graph, and the sums of their edges and turns.";

const DATA = process.env.GEODATA_DIR ?? resolve(import.meta.dirname, "../../../../shared/data");
const EXTRACTS = ["porto", "milan-small", "vancouver", "heidelberg"];

/**
 * BENCH_PAIRS: pairs per metric, of which there are 64 (10,000). BENCH_EXTRACTS: paths, comma separated (those of the list
 * above that are at hand). BENCH_DEMO: size of the demo world to compare in as well (1; 0 for none).
 */
export async function run(report: Report): Promise<void> {
  const pairs = Number(process.env.BENCH_PAIRS ?? 10_000);
  const demo = Number(process.env.BENCH_DEMO ?? 1);
  const extracts =
    process.env.BENCH_EXTRACTS?.split(",").filter((path) => path !== "") ??
    EXTRACTS.map((city) => join(DATA, `${city}.osm.pbf`)).filter((path) => existsSync(path));
  if (demo > 0) await compareIn(report, `demo world ${demo}`, buildGraph(demoWorld({ size: demo })), pairs);
  for (const path of extracts) {
    await compareIn(report, basename(path).replace(".osm.pbf", ""), await graphOfExtract(path), pairs);
  }
}

async function compareIn(report: Report, label: string, graph: RoadGraph, pairs: number): Promise<void> {
  const { router, build } = await buildRoads(graph);
  const began = performance.now();
  let shown = 0;
  const found = await compareByTrees(router, build, pairs, 41, (done, of, { pairs: so, wrong, brokenSums }) => {
    const now = performance.now();
    if (now - shown < 10_000 && done < of) return;
    shown = now;
    const left = ((now - began) / done) * (of - done);
    console.error(
      `${label}: ${so.toLocaleString("en-US")} pairs, ${wrong.length} differ, ${brokenSums.length} sums broken; ${Math.ceil(left / 60_000)} min left`,
    );
  });
  for (const line of [...found.wrong, ...found.brokenSums].slice(0, 20)) console.error(`${label}: ${line}`);
  report({ case: label, metric: "pairs, of 64 metrics", value: found.pairs, unit: "" });
  report({ case: label, metric: "without a way", value: found.unreachable, unit: "" });
  report({ case: label, metric: "unlike Dijkstra", value: found.wrong.length, unit: "", baseline: 0 });
  report({ case: label, metric: "sums that do not add up", value: found.brokenSums.length, unit: "", baseline: 0 });
}
