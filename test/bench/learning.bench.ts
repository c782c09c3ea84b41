import { demoWorld } from "../../src/importer/demo/world/demo-world.ts";
import type { Report } from "./bench.ts";
import {
  changeOf,
  collect,
  edgeErrors,
  etaError,
  heldOutTrips,
  type Learning,
  learn,
  openTown,
  residualOn,
  routerWith,
  type Town,
} from "./learning-run.ts";
import { percentile } from "./percentile.ts";

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
