import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Coordinate } from "../../../src/core/geo/coordinate.ts";
import { isochrone } from "../../../src/core/routing/reach/isochrone.ts";
import { reach } from "../../../src/core/routing/reach/reach.ts";
import { optimize } from "../../../src/core/routing/route/optimize.ts";
import type { Router } from "../../../src/core/routing/route/router.ts";
import { pathGeometry } from "../../../src/core/routing/search/path.ts";
import { demoWorld } from "../../../src/demo/world/demo-world.ts";
import { buildGraph } from "../../../src/importer/layers/roads/graph/build-graph.ts";
import { buildRoads, graphOfExtract } from "../../core/routing/graph/road-build.ts";
import { pointMaker } from "../../core/routing/search/compare.ts";
import type { Report } from "../bench.ts";
import { percentile } from "../support/percentile.ts";

export const name = "optimize";
export const summary = "Trips of 10 stops with their lines; 10,000 users by travel time; isochrones.";

const DATA = process.env.GEODATA_DIR ?? resolve(import.meta.dirname, "../../../../shared/data");
const STOPS = 10;
/** [ms] */
const GOAL_TRIP = 4;
const GOAL_REACH = 25;
const USERS = 10_000;

export async function run(report: Report): Promise<void> {
  const porto = join(DATA, "porto.osm.pbf");
  const known = existsSync(porto);
  const graph = known ? await graphOfExtract(porto) : buildGraph(demoWorld({ size: 1 }));
  const label = known ? "porto" : "demo world";
  const { router, build } = await buildRoads(graph);
  const point = pointMaker(build, 17);

  const trips = Array.from({ length: 100 }, () => Array.from({ length: STOPS }, point));
  const trip = await times(trips, 3, (stops) => tripOf(router, stops));
  report({
    case: `${label}: ${STOPS} stops`,
    metric: "p50",
    value: percentile(trip, 0.5),
    unit: "ms",
    baseline: GOAL_TRIP,
  });
  report({ case: `${label}: ${STOPS} stops`, metric: "p95", value: percentile(trip, 0.95), unit: "ms" });

  const users = Array.from({ length: USERS }, point);
  const origins = Array.from({ length: 12 }, point);
  for (const [what, most] of [
    ["100 nearest in time of 10,000", 100],
    ["all of 10,000", USERS],
  ] as const) {
    const ask = (origin: Coordinate) => reach(router, origin, users, { mode: "car", within: 1800, most });
    const took = await times(origins, 4, ask);
    report({
      case: `${label}: ${what}`,
      metric: "p50",
      value: percentile(took, 0.5),
      unit: "ms",
      baseline: GOAL_REACH,
    });
  }
  for (const [mode, minutes] of [
    ["foot", 15],
    ["car", 10],
  ] as const) {
    const took = await times(origins, 3, (origin) => isochrone(router, origin, { mode, within: minutes * 60 }));
    report({
      case: `${label}: isochrone, ${minutes} min by ${mode}`,
      metric: "p50",
      value: percentile(took, 0.5),
      unit: "ms",
    });
  }
}

async function tripOf(router: Router, stops: readonly Coordinate[]): Promise<number> {
  const found = await optimize(router, stops, { mode: "car" }).catch(() => undefined);
  return found?.legs.reduce((sum, leg) => sum + pathGeometry(leg).length, 0) ?? 0;
}

/** Milliseconds of each call, the first round left out. */
async function times<T>(cases: readonly T[], rounds: number, call: (one: T) => Promise<unknown>): Promise<number[]> {
  const out: number[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const one of cases) {
      const began = performance.now();
      await call(one);
      if (round > 0) out.push(performance.now() - began);
    }
  }
  return out;
}
