import type { Router } from "../../../src/core/routing/route/router.ts";
import { demoWorld } from "../../../src/demo/world/demo-world.ts";
import type { Report } from "../bench.ts";
import { type Collected, collectDays, errorAt, HiddenTimes, type Trip, tripsByHour } from "./learning-days.ts";
import { learn, openTown, routerWith, type Town } from "./learning-run.ts";

export const name = "learning-hours";
export const summary =
  "Errors of learned speeds by hour after days of a town's traffic, on trips that nobody learned from.";

/** Never used to tune anything. */
const SEEDS = [31_337, 8080, 424_242];
const GOALS = new Map([
  [3, 0.12],
  [14, 0.08],
]);
/** Three working days, these and a Saturday, and two weeks. */
const AFTER = [3, 5, 6, 14];

/** `seed=5417 devices=40 trips=25 verbose` */
export async function run(report: Report, words: readonly string[] = []): Promise<void> {
  const option = (key: string) => words.find((word) => word.startsWith(`${key}=`))?.slice(key.length + 1);
  const seeds = option("seed") ? [Number(option("seed"))] : SEEDS;
  const fleets = option("devices") ? [Number(option("devices"))] : [40, 1];
  for (const seed of seeds) {
    for (const devices of fleets) {
      const town = await openTown({
        elements: () => demoWorld({ size: 1, seed }),
        ...{ seed, devices, weeks: 2, trips: 0, heldOut: 0 },
        truth: (tiles, own) => new HiddenTimes(tiles, own),
      });
      const trips = await tripsByHour(town, Number(option("trips") ?? 25));
      const collected = await collectDays(town, Math.max(...AFTER));
      const label = `seed ${seed}, ${devices === 1 ? "one device" : `${devices} devices`}`;
      const map = await errorsBy(town.router, trips, false);
      for (const days of AFTER) {
        await measure(report, `${label}, ${days} days`, town, collected[days - 1], trips, map, {
          goal: GOALS.get(days),
          verbose: words.includes("verbose"),
        });
      }
    }
  }
}

async function errorsBy(router: Router, trips: Trip[][], withTime = true): Promise<number[]> {
  const errors: number[] = [];
  for (const own of trips) errors.push(await errorAt(router, own, withTime));
  return errors;
}

async function measure(
  report: Report,
  label: string,
  town: Town,
  { sums, drivers }: Collected,
  trips: Trip[][],
  map: number[],
  { goal, verbose }: { goal: number | undefined; verbose: boolean },
): Promise<void> {
  const say = (metric: string, value: number, baseline: number | null = null, unit = "of the duration") =>
    report({ case: label, metric, value, unit, baseline });
  const minimum = town.options.devices === 1 ? 1 : 3;
  const learned = learn(town, sums, minimum);
  const errors = await errorsBy(await routerWith(town.options.elements, learned, town.edges), trips);
  // Each kind of day counts as driven at the hours of its own: Monday to Friday, Saturday, Sunday.
  const kindOf = (hour: number) => Math.max(0, Math.floor(hour / 24) - 4) * 24 + (hour % 24);
  const kinds = new Set([...drivers.keys()].filter((hour) => drivers[hour] >= minimum).map(kindOf));
  const hours = errors.map((_, hour) => hour);
  for (const isDriven of [true, false]) {
    const some = hours.filter((hour) => kinds.has(kindOf(hour)) === isDriven);
    if (some.length === 0) continue;
    const byKind = new Map<number, number[]>();
    for (const hour of some) byKind.set(kindOf(hour), [...(byKind.get(kindOf(hour)) ?? []), hour]);
    const mean = (of: number[], list: number[]) => list.reduce((sum, hour) => sum + of[hour], 0) / list.length;
    const rows = [...byKind].map(([kind, list]) => ({ kind, learned: mean(errors, list), map: mean(map, list) }));
    const badness = (row: (typeof rows)[number]) => (isDriven ? row.learned : row.learned - row.map);
    const worst = rows.reduce((a, b) => (badness(b) > badness(a) ? b : a));
    const told = `${["Mo-Fr", "Sa", "Su"][Math.floor(worst.kind / 24)]} ${worst.kind % 24}:00`;
    const where = isDriven ? "driven hours" : "hours that nobody drove";
    say(`${where}, mean`, mean(errors, some), mean(map, some));
    say(`… worst (${told})`, worst.learned, isDriven ? (goal ?? null) : worst.map);
    if (verbose) for (const row of rows) console.error(where, row.kind, row.learned.toFixed(3), row.map.toFixed(3));
  }
  say("windows", learned.windows.length, null, "");
  if (verbose) console.error(JSON.stringify(learned.windows));
}
