import type { Router } from "../../../src/core/routing/route/router.ts";
import { demoWorld } from "../../../src/demo/world/demo-world.ts";
import type { Report } from "../bench.ts";
import { percentile } from "../support/percentile.ts";
import {
  asMeasured,
  changeOf,
  collect,
  edgeErrors,
  etaError,
  type HeldOutTrip,
  heldOutTrips,
  type Learning,
  learn,
  openTown,
  residualOn,
  routerWith,
  type Town,
} from "./learning-run.ts";
import { localTime } from "./learning-town.ts";

export const name = "learning";
export const summary =
  "Speeds learned from a simulated town's devices: errors of arrival times and edges, and CPU per million updates.";

/** The second seed was never used to tune anything. */
const SEEDS = [36, 2027];
const GOAL_ERROR = 0.08;
const GOAL_EDGES = 0.1;
const GOAL_WALKERS = 0.02;
const GOAL_SECONDS = 30;
const GOAL_RESIDUAL_MS = 1;
const ROUTE_TURNS = 16;

/** `devices=300 weeks=4 trips=1.5 held=1000`; `seed=36` runs one seed only. */
export async function run(report: Report, words: readonly string[] = []): Promise<void> {
  const option = (key: string) => words.find((word) => word.startsWith(`${key}=`))?.slice(key.length + 1);
  const number = (key: string, usual: number) => Number(option(key) ?? usual);
  const seeds = option("seed") === undefined ? SEEDS : [number("seed", SEEDS[0])];
  for (const seed of seeds) {
    const town = await openTown({
      elements: () => demoWorld({ size: 1, seed }),
      seed,
      devices: number("devices", 300),
      weeks: number("weeks", 4),
      trips: number("trips", 1.5),
      heldOut: number("held", 1000),
    });
    await measure(report, `seed ${seed}`, town);
  }
}

/** CPU of a route through each of some builds [ms]: medians of turns, so that the load of the machine is on all alike. */
async function routeCosts(routers: readonly Router[], trips: readonly HeldOutTrip[]): Promise<number[]> {
  const costs: number[][] = routers.map(() => []);
  for (let turn = 0; turn < ROUTE_TURNS; turn++) {
    for (const [i, router] of routers.entries()) {
      const began = cpuMs();
      for (const { from, to, began: departure } of trips) {
        await router.route([from, to], { mode: "car", reach: 300, departure: localTime(departure) });
      }
      // The first turn loads the tiles.
      if (turn > 0) costs[i].push((cpuMs() - began) / trips.length);
    }
  }
  return costs.map((all) => percentile(all, 0.5));
}

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

async function measure(report: Report, label: string, town: Town): Promise<void> {
  const say = (metric: string, value: number, unit: string, baseline: number | null = null) =>
    report({ case: label, metric, value, unit, baseline });
  const cars: Learning = { sums: new Map(), updates: 0, matching: 0, observing: 0 };
  const all = await collect(town, cpuMs, cars);
  const began = cpuMs();
  const learned = learn(town, all.sums);
  const estimating = cpuMs() - began;
  const perMillion = 1e6 / all.updates / 1000;
  const trips = await heldOutTrips(town);
  const learnedRouter = await routerWith(town.options.elements, learned, town.edges);
  say("updates", all.updates, "");
  say("edges learned", learned.edges.size, `of ${town.edges.size}`);
  say("windows", learned.windows.length, "");
  say("mean wait before traffic lights", learned.delays.signals ?? 0, "s");
  say("… before other junctions", learned.delays.others ?? 0, "s");
  const profile = await etaError(town.router, trips, false);
  const eta = await etaError(learnedRouter, trips);
  const floor = await etaError(town.drivers, trips);
  say("mean absolute error by profile", profile.error, "of the duration");
  say("… with learned speeds", eta.error, "of the duration", GOAL_ERROR);
  say("… bias", eta.bias, "of the duration");
  say("… with the true mean speeds in fixed windows", floor.error, "of the duration");
  const residual = await residualOn(learnedRouter, trips);
  say(
    "… with the residual model, on the last quarter of them",
    residual.modelError,
    "of the duration",
    residual.engineError,
  );
  say("residual model in use", residual.model.isEnabled ? 1 : 0, "");
  say("time of the residual per route", residual.milliseconds, "ms", GOAL_RESIDUAL_MS);
  // Eight windows over the week in each: the drivers' build has speeds of all edges, the operator's of those that were learned.
  const operator = await routerWith(town.options.elements, asMeasured(town, learned), town.edges);
  const routers = [town.router, town.drivers, operator, learnedRouter];
  const [plain, everywhere, operators, served] = await routeCosts(routers, trips.slice(0, 300));
  say("CPU of a route without windows", plain, "ms");
  say("… with --speeds of all roads in 8 windows", everywhere, "ms");
  say("… with --speeds of the learned roads in the learned windows", operators, "ms");
  say("… with learned speeds", served, "ms", operators);
  say("median error of edges with ≥ 10 traversals", percentile(edgeErrors(town, learned, 10), 0.5), "", GOAL_EDGES);
  say("p90 of the same", percentile(edgeErrors(town, learned, 10), 0.9), "");
  say(
    "car speeds changed by walkers and cyclists, at most",
    changeOf(learn(town, cars.sums), learned),
    "",
    GOAL_WALKERS,
  );
  say(
    "CPU to learn from a million updates, without matching",
    (all.observing + estimating) * perMillion,
    "s",
    GOAL_SECONDS,
  );
  say("CPU to match them", all.matching * perMillion, "s");
}
