import { chooseBuilds } from "../../src/geocoding/choose-builds.ts";
import type { SearchOptions } from "../../src/geocoding/search.ts";
import { searchInTurns } from "../../src/geocoding/search-in-turns.ts";
import { FORWARD, TYPING } from "../geocoding/demo-index.ts";
import { type TownBuild, townBuilds } from "../geocoding/many-builds.ts";
import { mistyped, randomFrom } from "../geocoding/sample.ts";
import type { Report } from "./bench.ts";
import { percentile } from "./percentile.ts";

export const name = "builds";
export const summary =
  "Forward geocoding without a position in 1, 15 and 100 live builds: time, and objects read when cold.";

const ROUNDS = 400;

export async function run(report: Report): Promise<void> {
  const one = new Map<string, number>();
  for (const count of [1, 15, 100]) {
    const builds = townBuilds(count, 120);
    for (const [label, textOf, options] of CASES) {
      const draw = randomFrom(7);
      const texts = Array.from({ length: ROUNDS }, () => textOf(builds[Math.floor(draw() * count)], draw));
      // Once to warm the code and what is kept.
      for (const text of texts.slice(0, 100)) await find(builds, text, options);
      const times: number[] = [];
      for (const text of texts) {
        const began = performance.now();
        await find(builds, text, options);
        times.push(performance.now() - began);
      }
      const p50 = percentile(times, 0.5);
      if (count === 1) one.set(label, p50);
      report({ case: `${label}, ${count} live`, metric: "p50", value: p50, unit: "ms", baseline: one.get(label) });
      report({ case: `${label}, ${count} live`, metric: "p99", value: percentile(times, 0.99), unit: "ms" });
    }
    await cold(count, report);
  }
}

type Case = [label: string, textOf: (build: TownBuild, draw: () => number) => string, options: SearchOptions];
const houseOf = ({ houses }: TownBuild, draw: () => number) => houses[Math.floor(draw() * houses.length)];
const CASES: Case[] = [
  ["a complete address", (build, draw) => houseOf(build, draw).text, FORWARD],
  ["a town", ({ town }) => `${town.name}, ${town.state}`, FORWARD],
  [
    "a town with a mistake",
    (build, draw) => {
      const { number, street } = houseOf(build, draw);
      return `${number} ${street}, ${mistyped(build.town.name, draw)}, ${build.town.state}`;
    },
    FORWARD,
  ],
  ["a street that all have", () => "Main Street", FORWARD],
  ["still being typed", (build, draw) => houseOf(build, draw).text.slice(0, -12), TYPING],
];

async function find(builds: readonly TownBuild[], text: string, options: SearchOptions) {
  const candidates = builds.map(({ candidate }) => candidate);
  const turns = await chooseBuilds(candidates, text, options);
  return searchInTurns(
    turns.map((turn) => turn.map(({ index }) => index)),
    text,
    options,
  );
}

async function cold(count: number, report: Report): Promise<void> {
  const builds = townBuilds(count, 120);
  const [filters, others] = [(key: string) => key.includes("/filter"), (key: string) => !key.includes("/filter")];
  await find(builds, builds[count - 1].houses[5].text, FORWARD);
  const reads = builds.flatMap((build) => build.reads);
  const label = `a complete address, ${count} live, cold`;
  report({ case: label, metric: "filters read", value: reads.filter(filters).length, unit: "objects" });
  report({ case: label, metric: "other objects", value: reads.filter(others).length, unit: "objects" });
  const bytes = builds.flatMap(({ objects }) => [...objects].filter(([key]) => filters(key)));
  const size = bytes.reduce((sum, [, object]) => sum + object.length, 0);
  report({ case: label, metric: "all filters", value: size / 1024, unit: "KB" });
}
