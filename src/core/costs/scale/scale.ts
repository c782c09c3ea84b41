import { billOf, PRICES, type Usage } from "../prices.ts";
import { type Load, loadOf } from "./load.ts";
import {
  campaignIndex,
  geofenceIndex,
  meetingCells,
  rateLimits,
  trackers,
  webhookSenders,
  writers,
} from "./objects.ts";
import type { Check, Part } from "./part.ts";
import { type ScaleProject, times } from "./project.ts";
import { bucket, database, firstDatabase, rounds, worker } from "./stores.ts";

const PARTS = [
  ...[worker, trackers, geofenceIndex, campaignIndex, writers, database, firstDatabase],
  ...[bucket, rateLimits, webhookSenders, meetingCells, rounds],
];

/** A limit that a project reaches, and at which share of its size. */
export interface Wall extends Check {
  part: string;
  /** How many times the limit it uses. */
  utilization: number;
  /** The part of the project's size up to which the limit holds. */
  holds: number;
}

export interface Scale {
  load: Load;
  parts: (Part & { dollars: number })[];
  /** All limits, the first to break before the others. */
  walls: Wall[];
  /** What it costs in a month [$], with what the plan includes. */
  total: number;
  usage: Usage;
}

/** Calls, bytes, objects and dollars of a project part by part, and what breaks first. */
export function scaleOf(project: ScaleProject): Scale {
  const load = loadOf(project);
  const parts = partsOf(project);
  const usage = sumOf(parts);
  const walls = parts.flatMap((part, i) =>
    part.checks.map((check, n): Wall => {
      const utilization = check.used / check.limit;
      return { part: part.name, ...check, utilization, holds: holdsUpTo(project, i, n, utilization) };
    }),
  );
  walls.sort((a, b) => a.holds - b.holds || b.utilization - a.utilization);
  return {
    load,
    parts: parts.map((part) => ({ ...part, dollars: dollarsOf(part.usage) })),
    walls,
    total: billOf(usage).total,
    usage,
  };
}

function partsOf(project: ScaleProject): Part[] {
  const load = loadOf(project);
  return PARTS.map((part) => part(project, load));
}

function sumOf(parts: readonly Part[]): Usage {
  const usage = Object.fromEntries(Object.keys(PRICES).map((item) => [item, 0])) as Usage;
  usage.plan = 1;
  for (const part of parts) for (const [item, value] of Object.entries(part.usage)) usage[item as keyof Usage] += value;
  return usage;
}

/** At the price of each. What the plan includes is not subtracted, because it belongs to no part. */
function dollarsOf(usage: Partial<Usage>): number {
  return Object.entries(usage).reduce((sum, [item, value]) => {
    const { per, dollars } = PRICES[item as keyof Usage];
    return sum + (value / per) * dollars;
  }, 0);
}

/** Sizes are searched between these, as times the project's: steps of halves are exact enough for a plan. */
const [SMALLEST, LARGEST, STEPS] = [1e-7, 1e4, 50];

/** Use grows with size, if not always in proportion. */
function holdsUpTo(project: ScaleProject, part: number, check: number, utilization: number): number {
  if (utilization === 0) return Number.POSITIVE_INFINITY;
  const isHeld = (factor: number) => {
    const scaled = times(project, factor);
    const { used, limit } = PARTS[part](scaled, loadOf(scaled)).checks[check];
    return used <= limit;
  };
  if (isHeld(LARGEST)) return Number.POSITIVE_INFINITY;
  let [low, high] = [Math.log(SMALLEST), Math.log(LARGEST)];
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2;
    if (isHeld(Math.exp(middle))) low = middle;
    else high = middle;
  }
  return Math.exp(low);
}
