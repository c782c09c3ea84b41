import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { unpaced } from "../../src/geo/pace.ts";
import { modelOf, NEVER } from "../../src/routing/fleet/model.ts";
import { planOf } from "../../src/routing/fleet/plan.ts";
import type { FleetProblem, FleetTask } from "../../src/routing/fleet/problem.ts";
import { solve } from "../../src/routing/fleet/solve.ts";
import type { Report } from "./bench.ts";
import { seededRandom } from "./random.ts";

export const name = "fleet";
export const summary =
  "Plans of fleets: 200 jobs for 20 vehicles; with folder=DIR, files of Solomon and of Li & Lim against best.csv there.";

/** Published distances have decimals, the solver's seconds have none. */
const SCALE = 1000;
/** Far more than any distance: fewer vehicles come first, as in the published tables. */
const PER_VEHICLE = 1e7;

/**
 * The instances are not kept here, as they come without a licence: their publishers' files go into a folder, beside a `best.csv` with
 * lines `name,vehicles,distance`. effort= is in millions of units, a second each.
 */
export async function run(report: Report, words: readonly string[] = []): Promise<void> {
  const told = new Map(words.map((word) => word.split("=", 2) as [string, string]));
  const effort = Number(told.get("effort") ?? 10) * 1e6;
  const folder = told.get("folder");
  if (!folder) return drawn(report);
  const best = bestOf(join(folder, "best.csv"));
  for (const file of readdirSync(folder)
    .filter((one) => one.endsWith(".txt"))
    .sort()) {
    const label = file.slice(0, -".txt".length).toLowerCase();
    const lines = readFileSync(join(folder, file), "utf8").split("\n");
    const { vehicles, distance, seconds, undone } = await solved(published(lines), effort);
    const [fewest, shortest] = best.get(label) ?? [null, null];
    report({ case: label, metric: "vehicles", value: vehicles, unit: "", baseline: fewest });
    report({ case: label, metric: "distance", value: distance / SCALE, unit: "", baseline: shortest });
    report({ case: label, metric: "undone", value: undone, unit: "" });
    report({ case: label, metric: "CPU", value: seconds, unit: "s" });
  }
}

async function drawn(report: Report): Promise<void> {
  for (const [jobs, vehicles] of [
    [50, 5],
    [200, 20],
  ]) {
    for (const effort of [0, 1e6, 3e6]) {
      const { distance, seconds, undone } = await solved(randomFleet(jobs, vehicles), effort);
      const label = `${jobs} jobs, ${vehicles} vehicles, effort ${effort / 1e6}`;
      report({ case: label, metric: "driving", value: distance / 3600, unit: "h" });
      report({ case: label, metric: "undone", value: undone, unit: "" });
      report({ case: label, metric: "CPU", value: seconds, unit: "s" });
    }
  }
}

async function solved(problem: FleetProblem, effort: number) {
  const before = process.cpuUsage();
  const model = modelOf(problem);
  const found = await solve(model, { seed: 1, effort, pace: unpaced() });
  const { user, system } = process.cpuUsage(before);
  const routes = planOf(model, found);
  const distance = routes.reduce((sum, route) => sum + route.duration, 0);
  return { vehicles: routes.length, distance, undone: found.undone.length, seconds: (user + system) / 1e6 };
}

function bestOf(path: string): Map<string, [number, number]> {
  if (!existsSync(path)) return new Map();
  const rows = readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split(","));
  return new Map(
    rows.map(([label, vehicles, distance]) => [label.toLowerCase(), [Number(vehicles), Number(distance)]]),
  );
}

/** Solomon's files have a heading and seven columns; those of Li & Lim a first line, and two more that name the other stop. */
function published(lines: readonly string[]): FleetProblem {
  const rows = lines
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter((row) => row.length > 1 && row.every(Number.isFinite));
  const isPaired = rows[rows.length - 1].length === 9;
  const [[vehicles, capacity], ...places] = rows;
  const stop = ([id, , , , from, to, service]: number[]) => ({
    ...{ location: id, setup: 0, service: service * SCALE },
    windows: [[from * SCALE, to * SCALE] as const],
  });
  const tasks = places.slice(1).flatMap((row): FleetTask[] => {
    const rest = { skills: [], priority: 0 };
    if (!isPaired) return [{ stops: [stop(row)], delivery: [row[3]], pickup: [0], ...rest }];
    const brought = row[8];
    return brought > 0 ? [{ stops: [stop(row), stop(places[brought])], delivery: [0], pickup: [row[3]], ...rest }] : [];
  });
  const home = places[0];
  return problemOf(
    places.map(([, x, y]) => [x * SCALE, y * SCALE]),
    tasks,
    vehicles,
    { capacity, window: [home[4] * SCALE, home[5] * SCALE], fixed: PER_VEHICLE },
  );
}

/** A day of eight hours in a town 40 minutes across. */
function randomFleet(jobs: number, vehicles: number): FleetProblem {
  const draw = seededRandom(7);
  const places = Array.from({ length: jobs + 1 }, () => [draw() * 2400, draw() * 2400]);
  const tasks = places.slice(1).map((_, i): FleetTask => {
    const from = draw() * 21_600;
    return {
      stops: [{ location: i + 1, setup: 0, service: 300, windows: draw() < 0.5 ? [[from, from + 7200]] : [] }],
      ...{ delivery: [1 + Math.floor(draw() * 5)], pickup: [0], skills: [], priority: 0 },
    };
  });
  return problemOf(places, tasks, vehicles, { capacity: 40, window: [0, 28_800], fixed: 0 });
}

function problemOf(
  places: number[][],
  tasks: FleetTask[],
  vehicles: number,
  { capacity, window, fixed }: { capacity: number; window: [number, number]; fixed: number },
): FleetProblem {
  const size = places.length;
  const duration = new Float64Array(size * size);
  places.forEach(([x, y], i) => {
    places.forEach(([a, b], j) => {
      duration[i * size + j] = Math.hypot(a - x, b - y);
    });
  });
  const vehicle = {
    ...{
      matrix: 0,
      speedFactor: 1,
      start: 0,
      end: 0,
      capacity: [capacity],
      skills: new Set<number>(),
      window,
      breaks: [],
    },
    ...{ maxTasks: NEVER, maxTravelTime: NEVER, maxDistance: NEVER, costs: { fixed, perHour: 3600, perKm: 0 } },
  };
  return {
    matrices: [{ size, duration, distance: duration }],
    vehicles: Array.from({ length: vehicles }, () => vehicle),
    tasks,
    dimensions: 1,
  };
}
