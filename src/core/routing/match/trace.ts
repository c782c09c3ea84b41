import { type Coordinate, wrapLongitude } from "../../geo/coordinate.ts";
import { distance } from "../../geo/distance.ts";
import type { Mode } from "../graph/modes.ts";

export interface TracePoint extends Coordinate {
  /** Time of the point [s]. */
  time?: number;
  /** [m] */
  accuracy?: number;
}

/**
 * A position of the traveler: a point of the trace, or the mean of several that are too close together to show a
 * direction.
 */
export interface Fix extends Coordinate {
  /** Indices of its points in the trace. */
  points: number[];
  time: number | undefined;
  /** Standard deviation of the measurement [m]. */
  sigma: number;
}

/** Bounds of the standard deviation of a measurement [m]. */
export const MIN_SIGMA = 3;
export const MAX_SIGMA = 50;
/** A point that requires a higher speed is wrong [m/s]. */
const TOP_SPEED: Record<Mode, number> = { car: 75, truck: 50, foot: 8, bike: 28 };

/** Points this close to those before are measurements of one place [standard deviations]. */
const SAME_PLACE = 1.5;
/** Maximum number of points that form one fix while the traveler moves. */
const MAX_POINTS = 16;
/** Minimum distance between the means of two groups of k points that shows a direction [standard deviations × √k]. */
const APART = 12;
/** How far the traveler may move within a group [standard deviations]. */
const SPREAD = 5;

/**
 * Joins points that show no direction, because they are within their own error of each other (Newson & Krumm 2009 drop
 * them): their mean is more precise than any of them. The first and the last point are not joined: the course begins
 * and ends there. `noise`: standard deviation of points without an accuracy [m].
 */
export function fixesOf(trace: readonly TracePoint[], noise: number): Fix[] {
  const sums = runningSums(trace);
  const fixes: Fix[] = [];
  const last = trace.length - 1;
  let usual = 1;
  for (let i = 0; i <= last; ) {
    // What follows the last groups is too short to show a direction.
    const size = i === 0 || i === last ? 1 : (groupSize(trace, sums, i, sigmaOf(trace[i], noise)) ?? usual);
    const count = Math.min(size, Math.max(1, last - i));
    if (i > 0) usual = size;
    const { latitude, longitude } = meanOf(sums, i, count);
    const points = Array.from({ length: count }, (_, k) => i + k);
    // The error of a mean, but at least half: a traveler who moves meanwhile is not at one position.
    const sigma = Math.max(MIN_SIGMA, sigmaOf(trace[i], noise) / Math.min(2, Math.sqrt(count)));
    const fix = { latitude, longitude, points, time: trace[i + ((count - 1) >> 1)].time, sigma };
    const before = fixes[fixes.length - 1];
    const metres = before ? distance(before, fix) : Number.POSITIVE_INFINITY;
    if (metres === 0 || (fixes.length > 1 && i < last && metres < SAME_PLACE * sigma)) join(before, fix);
    else fixes.push(fix);
    i += count;
  }
  return fixes;
}

function join(fix: Fix, { latitude, longitude, points }: Fix): void {
  fix.points.push(...points);
  const share = points.length / fix.points.length;
  fix.latitude += (latitude - fix.latitude) * share;
  fix.longitude += (longitude - fix.longitude) * share;
}

/**
 * Returns how many points from the i-th on are needed to show a direction, fewer if a mean of so many would blur the course; undefined
 * near the end of the trace.
 */
function groupSize(trace: readonly TracePoint[], sums: Sums, i: number, sigma: number): number | undefined {
  for (let count = 1; count <= MAX_POINTS; count++) {
    if (i + 2 * count >= trace.length) return undefined;
    const moved = distance(meanOf(sums, i, count), meanOf(sums, i + count, count));
    if ((moved * (count - 1)) / count > SPREAD * sigma) return Math.max(1, count - 1);
    if (moved * Math.sqrt(count) >= APART * sigma) return count;
  }
  return MAX_POINTS;
}

interface Sums {
  latitude: Float64Array;
  longitude: Float64Array;
}

function runningSums(trace: readonly TracePoint[]): Sums {
  const latitude = new Float64Array(trace.length + 1);
  const longitude = new Float64Array(trace.length + 1);
  trace.forEach((point, i) => {
    latitude[i + 1] = latitude[i] + point.latitude;
    // Unrolled past the 180th meridian, so that means are between their points.
    longitude[i + 1] = longitude[i] + trace[0].longitude + wrapLongitude(point.longitude - trace[0].longitude);
  });
  return { latitude, longitude };
}

function meanOf({ latitude, longitude }: Sums, first: number, count: number): Coordinate {
  const end = first + count;
  return {
    latitude: (latitude[end] - latitude[first]) / count,
    longitude: wrapLongitude((longitude[end] - longitude[first]) / count),
  };
}

export function sigmaOf({ accuracy }: TracePoint, noise: number): number {
  return Math.min(MAX_SIGMA, Math.max(MIN_SIGMA, accuracy ?? noise));
}

/** Points nearer than this to the previous kept one add little [m]. */
const TIDY = 10;

/** Indexes of the points that remain when those too near each other are dropped; the first and last always remain. */
export function tidied(trace: readonly TracePoint[]): number[] {
  const kept: number[] = [];
  trace.forEach((point, i) => {
    const before = kept.length > 0 ? trace[kept[kept.length - 1]] : undefined;
    if (!before || i === trace.length - 1 || distance(before, point) >= TIDY) kept.push(i);
  });
  return kept;
}

/**
 * Returns whether the distance is too large for the time between, even if both are off by three standard deviations.
 */
export function isTooFast(a: Fix, b: Fix, mode: Mode): boolean {
  if (a.time === undefined || b.time === undefined || b.time <= a.time) return false;
  return distance(a, b) - 3 * (a.sigma + b.sigma) > (b.time - a.time) * TOP_SPEED[mode];
}
