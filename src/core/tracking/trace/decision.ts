/** The subject of a decision: a geofence, place, region, chain, beacon or trip, by its id; what is learned of a user; or how it drives. */
export interface Subject {
  kind: "geofence" | "place" | "region" | "chain" | "beacon" | "trip" | "fraud" | "insight" | "driving";
  id: string;
}

export type Figures = Record<string, string | number | boolean>;

/** One decision of the step, as it was made. */
export interface Decision {
  /** The rule: the name of the setting or field that governs it. */
  rule: string;
  /** Absent = the complete update. */
  about?: Subject;
  /** Does it allow the change? */
  passed: boolean;
  /** In plain words, with numbers and units. */
  sentence: string;
  figures: Figures;
}

/**
 * Called for each decision while the step runs. Absent in normal tracking, so that no text is created. The step never
 * reads a result from it, so it can't change the outcome.
 */
export type Trace = (decision: Decision) => void;

/** A length for a sentence: in meters, from 10 km in kilometers. */
export function metres(value: number): string {
  if (!Number.isFinite(value)) return "far";
  return Math.abs(value) >= 10_000 ? `${(value / 1000).toFixed(1)} km` : `${round(value)} m`;
}

/** A span of time for a sentence [ms]. */
export function span(ms: number): string {
  const seconds = Math.abs(ms) / 1000;
  if (seconds < 120) return `${round(seconds)} s`;
  return seconds < 2 * 3600 ? `${round(seconds / 60)} minutes` : `${round(seconds / 3600)} hours`;
}

/** Rounds to one decimal, omitted if it is 0. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** A time for a sentence: 2026-11-22 10:05:00 UTC */
export function instant(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
