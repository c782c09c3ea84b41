import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { solve } from "../../../src/core/fleet/evolve/solve.ts";
import { type Model, modelOf } from "../../../src/core/fleet/model.ts";
import { planOf } from "../../../src/core/fleet/plan.ts";
import type { FleetTask } from "../../../src/core/fleet/problem.ts";
import { unpaced } from "../../../src/core/geo/pace.ts";
import type { Report } from "../bench.ts";
import { type BestKnown, bestKnown, bestOfLines } from "../support/fleet-best-known.ts";
import { judge, modelOfInstance, problemOf, readInstance } from "../support/fleet-instances.ts";
import { checkOut, type Tree } from "../support/older-tree.ts";
import { seededRandom } from "../support/random.ts";

export const name = "fleet";
export const summary =
  "Plans of fleets: 200 jobs for 20 vehicles; with DIR=folder, files of Solomon and Li & Lim against the best known.";

/**
 * Without DIR, days of our own. The published instances come without a licence, so none is kept here: their publishers' files (r101.txt,
 * lc101.txt …) go into a folder, with a `best.csv` of lines `name,vehicles,distance` for others than Solomon's. effort= is in millions
 * of units, a second each at most; only=r1,lc its first letters; part=0/2 every second one, so that two processes share them.
 * base=COMMIT, or the folder of a work tree, also solves each with that solver and the same CPU time.
 */
export async function run(report: Report, words: readonly string[] = []): Promise<void> {
  const told = new Map(words.map((word) => word.split("=", 2) as [string, string]));
  const folder = told.get("DIR") ?? told.get("folder");
  if (!folder) return drawn(report);
  if (!existsSync(folder)) {
    console.log(
      `There is no folder ${folder}: published instances are skipped. docs/decisions/routing.md says where they are.`,
    );
    return;
  }
  const only = told.get("only")?.split(",") ?? [""];
  const [part, parts] = (told.get("part") ?? "0/1").split("/").map(Number);
  const known = bestKnown();
  const file = join(folder, "best.csv");
  if (existsSync(file)) for (const [label, best] of bestOfLines(readFileSync(file, "utf8"))) known.set(label, best);
  const names = readdirSync(folder)
    .filter((one) => one.endsWith(".txt"))
    .map((one) => one.slice(0, -".txt".length))
    .filter((one) => only.some((first) => one.toLowerCase().startsWith(first)))
    .sort()
    .filter((_, i) => i % parts === part);
  if (names.length === 0) console.log(`${folder} holds no instance that was asked for: none is solved.`);
  const effort = Number(told.get("effort") ?? 10) * 1e6;
  const base = told.get("base");
  if (!base) return published(report, folder, names, known, effort);
  const tree = checkOut(base);
  try {
    await besideOlder(report, folder, names, effort, tree);
  } finally {
    tree.discard();
  }
}

/** Both solvers one after the other, so that both have the machine's load of that moment. */
async function besideOlder(
  report: Report,
  folder: string,
  names: readonly string[],
  effort: number,
  tree: Tree,
): Promise<void> {
  let [older, newer, more, fewer, olderPerEffort] = [0, 0, 0, 0, 1e-6];
  for (const label of names) {
    const instance = readInstance(readFileSync(join(folder, `${label}.txt`), "utf8"));
    const { routes, seconds } = await timed(modelOfInstance(instance), effort);
    const now = judge(instance, routes);
    const then = olderPlan(tree, folder, label, seconds / olderPerEffort / 1e6);
    olderPerEffort = then.seconds / then.effort / 1e6;
    const shown = ({ vehicles, distance }: { vehicles: number; distance: number }, spent: number) =>
      `${vehicles} vehicles, ${distance.toFixed(2)} in ${spent.toFixed(1)} s of CPU`;
    const faults = [...now.faults, ...then.faults];
    console.log(
      `${label}: ${shown(now, seconds)}; ${tree.name}: ${shown(then, then.seconds)}; ` +
        `${((now.distance / then.distance - 1) * 100).toFixed(2)} %` +
        (faults.length > 0 ? `; WRONG: ${faults.slice(0, 3).join("; ")}` : ""),
    );
    report({ case: label, metric: "vehicles", value: now.vehicles, unit: "", baseline: then.vehicles });
    report({ case: label, metric: "distance", value: now.distance, unit: "", baseline: then.distance });
    older += then.distance;
    newer += now.distance;
    if (now.vehicles > then.vehicles) more++;
    if (now.vehicles < then.vehicles) fewer++;
  }
  const all = `all ${names.length}`;
  report({ case: all, metric: "with more vehicles", value: more, unit: "" });
  report({ case: all, metric: "with fewer vehicles", value: fewer, unit: "" });
  report({ case: all, metric: "sum of distances", value: newer, unit: "", baseline: older });
}

/** What the bench of an older tree prints about one instance. */
function olderPlan({ folder: tree }: Tree, folder: string, label: string, effort: number) {
  const words = ["fleet", `DIR=${resolve(folder)}`, `only=${label.toLowerCase()}`, `effort=${effort}`];
  const printed = execFileSync(process.execPath, [join(tree, "test/bench/run.ts"), ...words], {
    cwd: tree,
    encoding: "utf8",
  });
  const found = printed.match(/: (\d+) vehicles, ([\d.]+) in ([\d.]+) s of CPU(?:.*WRONG: (.*))?/);
  if (!found) throw new Error(`The bench of the older tree printed no plan of ${label}:\n${printed}`);
  const [, vehicles, distance, seconds, wrong] = found;
  return {
    vehicles: Number(vehicles),
    distance: Number(distance),
    seconds: Number(seconds),
    effort,
    faults: wrong ? [wrong] : [],
  };
}

async function published(
  report: Report,
  folder: string,
  names: readonly string[],
  known: ReadonlyMap<string, BestKnown>,
  effort: number,
): Promise<void> {
  let [asFew, gaps, compared, slowest, faulty] = [0, 0, 0, 0, 0];
  for (const label of names) {
    const instance = readInstance(readFileSync(join(folder, `${label}.txt`), "utf8"));
    const model = modelOfInstance(instance);
    const { routes, seconds } = await timed(model, effort);
    const { vehicles, distance, faults } = judge(instance, routes);
    const best = known.get(label.toLowerCase());
    console.log(
      `${label}: ${vehicles} vehicles, ${distance.toFixed(2)} in ${seconds.toFixed(1)} s of CPU` +
        (best ? `; best known ${best.vehicles}, ${best.distance}` : "") +
        (faults.length > 0 ? `; WRONG: ${faults.slice(0, 3).join("; ")}` : ""),
    );
    slowest = Math.max(slowest, seconds);
    if (faults.length > 0) faulty++;
    report({ case: label, metric: "vehicles", value: vehicles, unit: "", baseline: best?.vehicles ?? null });
    report({ case: label, metric: "distance", value: distance, unit: "", baseline: best?.distance ?? null });
    if (!best) continue;
    compared++;
    if (vehicles <= best.vehicles) asFew++;
    gaps += distance / best.distance - 1;
  }
  if (compared === 0) return;
  const all = `all ${compared}`;
  report({ case: all, metric: "as few vehicles as best known", value: asFew / compared, unit: "", baseline: 0.9 });
  report({
    case: all,
    metric: "above the best known distance",
    value: (gaps / compared) * 100,
    unit: "%",
    baseline: 2,
  });
  report({ case: all, metric: "CPU of the slowest", value: slowest, unit: "s", baseline: 10 });
  report({ case: all, metric: "wrong", value: faulty, unit: "" });
}

async function drawn(report: Report): Promise<void> {
  for (const [jobs, vehicles] of [
    [50, 5],
    [200, 20],
  ]) {
    for (const effort of [0, 1e6, 3e6]) {
      const model = randomFleet(jobs, vehicles);
      const { driving, seconds, undone } = await timed(model, effort);
      const label = `${jobs} jobs, ${vehicles} vehicles, effort ${effort / 1e6}`;
      report({ case: label, metric: "driving", value: driving / 3600, unit: "h" });
      report({ case: label, metric: "undone", value: undone, unit: "" });
      report({ case: label, metric: "CPU", value: seconds, unit: "s" });
    }
  }
}

/** Seconds are of CPU, as the machine may be busy with other work: of this process, all its threads. */
async function timed(model: Model, effort: number) {
  const before = process.cpuUsage();
  const found = await solve(model, { seed: 1, effort, pace: unpaced() });
  const { user, system } = process.cpuUsage(before);
  return {
    routes: found.routes.map((nodes) => [...nodes].map((node) => model.location[node])),
    driving: planOf(model, found).reduce((sum, route) => sum + route.duration, 0),
    undone: found.undone.length,
    seconds: (user + system) / 1e6,
  };
}

/** A day of eight hours in a town 40 minutes across. */
function randomFleet(jobs: number, vehicles: number): Model {
  const draw = seededRandom(7);
  const places = Array.from({ length: jobs + 1 }, () => [draw() * 2400, draw() * 2400]);
  const tasks = places.slice(1).map((_, i): FleetTask => {
    const from = draw() * 21_600;
    return {
      stops: [{ location: i + 1, setup: 0, service: 300, windows: draw() < 0.5 ? [[from, from + 7200]] : [] }],
      delivery: [1 + Math.floor(draw() * 5)],
      pickup: [0],
      skills: [],
      priority: 0,
    };
  });
  return modelOf(problemOf(places, tasks, vehicles, { capacity: 40, window: [0, 28_800], fixed: 0 }));
}
