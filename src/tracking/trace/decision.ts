/** What a decision is about: a geofence, place, region, chain, beacon or trip by its id. */
export interface Subject {
  kind: "geofence" | "place" | "region" | "chain" | "beacon" | "trip" | "fraud";
  id: string;
}

export type Figures = Record<string, string | number | boolean>;

/** One decision of the step, as it was made. */
export interface Decision {
  /** Which rule: the name of the setting or field that governs it. */
  rule: string;
  /** Absent = the whole update. */
  about?: Subject;
  /** Does it let the change go on? */
  passed: boolean;
  /** In plain words, with figures and units. */
  sentence: string;
  figures: Figures;
}

/**
 * Hears of each decision while the step runs. Absent in tracking itself: nothing is made for nobody. The step never asks
 * it anything, so that it changes no outcome.
 */
export type Trace = (decision: Decision) => void;

/** A length for a sentence: metres, from 10 km on kilometres. */
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

/** One digit behind the point, none when it is 0. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** A time for a sentence: 2026-11-22 10:05:00 UTC */
export function instant(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
