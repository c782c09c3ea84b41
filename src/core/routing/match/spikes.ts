import type { Coordinate } from "../../geo/coordinate.ts";
import { distance } from "../../geo/distance.ts";
import { MAX_SIGMA, MIN_SIGMA, type TracePoint } from "./trace.ts";

/** The standard deviation of a point without an accuracy [m]. */
const USUAL_SIGMA = 8;
/** A spike is so far from where the points around it lead [standard deviations, and the longest step around it]. */
const FAR_SIGMAS = 4;
const FAR_STEPS = 1.2;
/** Steps before and after a spike that show how far the traveler moves between two points. */
const STEPS = 2;

/**
 * The trace with each spike, a single point far off the way, moved to where the points before and after it lead. No way leads out and back
 * in two steps that are longer than those around them. `spikes`: their indices.
 */
export function withoutSpikes(trace: readonly TracePoint[]): { trace: readonly TracePoint[]; spikes: Set<number> } {
  const spikes = new Set<number>();
  const cleaned = [...trace];
  for (let i = 1; i + 1 < trace.length; i++) {
    const expected = between(trace[i - 1], trace[i], trace[i + 1]);
    const off = distance(trace[i], expected);
    const sigma = Math.min(MAX_SIGMA, Math.max(MIN_SIGMA, trace[i].accuracy ?? USUAL_SIGMA));
    if (off <= FAR_SIGMAS * sigma || off <= FAR_STEPS * longestStep(trace, i)) continue;
    spikes.add(i);
    cleaned[i] = { ...trace[i], ...expected };
    i++;
  }
  return { trace: cleaned, spikes };
}

/** Where the traveler was on the way from `a` to `b`, by the times. */
function between(a: TracePoint, { time }: TracePoint, b: TracePoint): Coordinate {
  const isTimed = a.time !== undefined && b.time !== undefined && time !== undefined && b.time > a.time;
  const share = isTimed ? Math.min(1, Math.max(0, (time - a.time!) / (b.time! - a.time!))) : 0.5;
  return {
    latitude: a.latitude + (b.latitude - a.latitude) * share,
    longitude: a.longitude + (b.longitude - a.longitude) * share,
  };
}

/** The longest step near a point, without the two that lead to it and away; at least half of the way between its neighbors. */
function longestStep(trace: readonly TracePoint[], i: number): number {
  let longest = distance(trace[i - 1], trace[i + 1]) / 2;
  for (let k = 1; k <= STEPS; k++) {
    if (i - k - 1 >= 0) longest = Math.max(longest, distance(trace[i - k - 1], trace[i - k]));
    if (i + k + 1 < trace.length) longest = Math.max(longest, distance(trace[i + k], trace[i + k + 1]));
  }
  return longest;
}
