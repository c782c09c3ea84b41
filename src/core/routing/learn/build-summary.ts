import type { Coordinate } from "../../geo/coordinate.ts";
import type { EdgeKey } from "./edge-key.ts";
import type { LearnedSpeeds } from "./estimate.ts";

/** What was learned for a build, for people: no figures of single roads but their speed, so no device can be recognized. */
export interface BuildSummary {
  version: 1;
  name: string;
  /** When it was learned [ms]. */
  at: number;
  edges: number;
  /** Traversals, those of older weeks counted less. */
  traversals: number;
  /** Weeks that it was learned from, and the number of devices that an edge needed. */
  weeks: number;
  minimumDevices: number;
  windows: { days: number; from: number; until: number }[];
  /** By class of road: mean speed as a share of the profile's. */
  classes: Record<string, number>;
  /** Mean time standing before signals, and before other junctions [s]; absent where there is too little data. */
  delays: { signals?: number; others?: number };
  /** Edges without a traversal for weeks, after many before: perhaps closed. */
  quiet: Coordinate[][];
  /** The roads with most traffic: speed as a share of the profile's, and their line. */
  roads: { ratio: number; line: Coordinate[] }[];
}

const MAX_ROADS = 4000;

export function summarize(
  { edges, windows, classes }: LearnedSpeeds,
  lineOf: (key: EdgeKey) => Coordinate[] | undefined,
  facts: Pick<BuildSummary, "name" | "at" | "weeks" | "minimumDevices" | "quiet" | "delays">,
): BuildSummary {
  const busiest = [...edges].sort(([, a], [, b]) => b.traversals - a.traversals).slice(0, MAX_ROADS);
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const rounded = (value: number) => Math.round(value * 100) / 100;
  return {
    version: 1,
    ...facts,
    edges: edges.size,
    traversals: Math.round([...edges.values()].reduce((sum, { traversals }) => sum + traversals, 0)),
    windows,
    classes: Object.fromEntries([...classes].sort().map(([name, factors]) => [name, rounded(mean(factors))])),
    roads: busiest.flatMap(([key, { ratio }]) => {
      const line = lineOf(key);
      return line ? [{ ratio: rounded(ratio), line }] : [];
    }),
  };
}

export function parseSummary(text: string): BuildSummary | undefined {
  try {
    const summary = JSON.parse(text) as BuildSummary;
    return summary.version === 1 && Array.isArray(summary.roads) ? summary : undefined;
  } catch {
    return undefined;
  }
}
