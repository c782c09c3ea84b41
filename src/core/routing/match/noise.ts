import type { Coordinate } from "../../geo/coordinate.ts";
import { distance, METRES_PER_DEGREE, RADIANS } from "../../geo/distance.ts";
import type { MatchedPoint } from "./course.ts";
import { MAX_SIGMA, MIN_SIGMA, type TracePoint } from "./trace.ts";

/** The noise of this many points says that of all [points]. */
const MAX_SAMPLE = 80;
/** The noise that is assumed before any point is seen [m], and the number of points that it weighs. */
const PRIOR_SIGMA = 7;
const PRIOR_POINTS = 2;
/** The sample is matched with at least and at most this noise [m]: a path through it must neither miss its road nor follow every error. */
const MIN_ASSUMED = 6;
const MAX_ASSUMED = 30;

/** Median of the absolute value of a normal distribution, in standard deviations. */
const NORMAL_MEDIAN = 0.6745;
/** Median of the length of p − 2 q + r, for three points with normal errors in both directions: 1.1774 √6 standard deviations. */
const BEND_MEDIAN = 2.884;

/** The points to estimate the noise of a trace by: a run in its middle. */
export function sampleOf(trace: readonly TracePoint[]): readonly TracePoint[] {
  const first = Math.max(0, (trace.length - MAX_SAMPLE) >> 1);
  return trace.slice(first, first + MAX_SAMPLE);
}

/**
 * An upper bound of the noise of a trace [m]: how far each point is from the middle of its neighbors. It is the noise itself where points
 * are so dense that the traveler hardly turns or changes speed between them.
 */
export function assumedNoise(trace: readonly TracePoint[]): number {
  const bends = trace.slice(2).map((point, i) => bendOf(trace[i], trace[i + 1], point));
  const bound = bends.length > 0 ? medianOf(bends) / BEND_MEDIAN : MAX_ASSUMED;
  return Math.min(MAX_ASSUMED, Math.max(MIN_ASSUMED, bound));
}

/** Length of a − 2 b + c [m]. */
function bendOf(a: Coordinate, b: Coordinate, c: Coordinate): number {
  const north = (a.latitude - 2 * b.latitude + c.latitude) * METRES_PER_DEGREE;
  const wrapped = (degrees: number) => ((degrees + 540) % 360) - 180;
  const turned = wrapped(a.longitude - b.longitude) + wrapped(c.longitude - b.longitude);
  return Math.hypot(north, turned * METRES_PER_DEGREE * Math.cos(b.latitude * RADIANS));
}

/**
 * The standard deviation of the points of a trace without an accuracy [m], by their distances from the roads that they
 * were matched to, which are the errors across the road.
 */
export function noiseOf(trace: readonly TracePoint[], matched: readonly MatchedPoint[]): number {
  const off = matched
    .filter(({ index }) => trace[index].accuracy === undefined)
    .map(({ index, location }) => distance(trace[index], location));
  const sigma = off.length > 0 ? medianOf(off) / NORMAL_MEDIAN : 0;
  const squares = off.length * sigma ** 2 + PRIOR_POINTS * PRIOR_SIGMA ** 2;
  return Math.min(MAX_SIGMA, Math.max(MIN_SIGMA, Math.sqrt(squares / (off.length + PRIOR_POINTS))));
}

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
