import { findJourneys } from "../../../src/core/tracking/journeys/journeys.ts";
import { simulateDay } from "../../core/tracking/journeys/simulated-day.ts";
import type { Report } from "../bench.ts";

export const name = "journeys";
export const summary = "Stops and journeys of a user's day of 10,000 positions: CPU, against the goal of 50 ms.";

const POINTS = 10_000;
const GOAL_MS = 50;
const [DAYS, RUNS] = [5, 10];

/** Days of the worst density: a position every few seconds, with errors in an urban canyon. */
export function run(report: Report): void {
  for (const standing of [8, 30]) {
    let [cpu, found, points] = [0, 0, 0];
    for (let seed = 1; seed <= DAYS; seed++) {
      const options = { seed, standing, moving: 15, memory: 20, interval: 4, stops: 12 };
      const { fixes } = simulateDay(options);
      const day = fixes.slice(0, POINTS);
      findJourneys(day);
      const from = process.cpuUsage();
      for (let k = 0; k < RUNS; k++) found += findJourneys(day).journeys.length;
      const { user, system } = process.cpuUsage(from);
      cpu += user + system;
      points += day.length;
    }
    const label = `${Math.round(points / DAYS).toLocaleString("en-US")} positions, errors of ${standing} m while standing`;
    report({ case: label, metric: "CPU", value: cpu / 1000 / DAYS / RUNS, unit: "ms", baseline: GOAL_MS });
    report({ case: label, metric: "journeys", value: found / DAYS / RUNS, unit: "" });
  }
}
