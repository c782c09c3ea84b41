import { type Coordinate, wrapLongitude } from "../../geo/coordinate.ts";
import { distance } from "../../geo/distance.ts";
import { sigmaOf, type TracePoint } from "./trace.ts";

/** A traveler turns back no faster than this [m/s²]: drivers use half of the friction of dry asphalt, 0.8 g. */
const MAX_ACCELERATION = 4;
/** A measurement is off by at most so much [standard deviations]. */
const FAR = 3;
/** Without times, a spike is so far out [longest of the steps around it]. */
const FAR_STEPS = 1.5;
/** Steps before and after a point that show how far the traveler moves between two points, and the least number of them. */
const STEPS = 3;
const MIN_STEPS = 3;

/**
 * The trace with each spike, a single point that no traveler could reach and leave, moved to where the points before and after it lead.
 * `spikes`: their indices. To be `off` meters beside the way and back on it takes an acceleration of 2 × off ÷ time² at least. Without
 * times, a spike is much farther out than the steps around it are long; of a point with an accuracy, three on each side must show that.
 * `noise`: standard deviation of points without an accuracy [m].
 */
export function withoutSpikes(
  trace: readonly TracePoint[],
  noise: number,
): { trace: readonly TracePoint[]; spikes: Set<number> } {
  const spikes = new Set<number>();
  const expected = trace.map((point, i) =>
    trace[i - 1] && trace[i + 1] ? between(trace[i - 1], point, trace[i + 1]) : point,
  );
  const off = trace.map((point, i) => distance(point, expected[i]));
  let cleaned: TracePoint[] | undefined;
  for (let i = 1; i + 1 < trace.length; i++) {
    // The points beside a spike are half as far out.
    if (off[i] <= off[i - 1] || off[i] < off[i + 1] || off[i] <= reachable(trace, i, noise)) continue;
    cleaned ??= [...trace];
    cleaned[i] = { ...trace[i], ...expected[i] };
    spikes.add(i);
  }
  return { trace: cleaned ?? trace, spikes };
}

/** How far a traveler can be beside the way from the point before to the point after the i-th [m]. */
function reachable(trace: readonly TracePoint[], i: number, noise: number): number {
  const [before, point, after] = [trace[i - 1], trace[i], trace[i + 1]];
  if (before.time !== undefined && point.time !== undefined && after.time !== undefined) {
    const seconds = Math.max(point.time - before.time, after.time - point.time);
    const errors = Math.hypot(sigmaOf(point, noise), Math.hypot(sigmaOf(before, noise), sigmaOf(after, noise)) / 2);
    return (MAX_ACCELERATION / 2) * seconds ** 2 + FAR * errors;
  }
  const steps = [distance(before, after) / 2];
  for (let k = 1; k <= STEPS; k++) {
    if (i - k - 1 >= 0) steps.push(distance(trace[i - k - 1], trace[i - k]));
    if (i + k + 1 < trace.length) steps.push(distance(trace[i + k], trace[i + k + 1]));
  }
  const isKnown = steps.length > (point.accuracy === undefined ? MIN_STEPS : 2 * STEPS);
  return isKnown ? Math.max(FAR * sigmaOf(point, noise), FAR_STEPS * Math.max(...steps)) : Number.POSITIVE_INFINITY;
}

/** Where the traveler was on the way from `a` to `b`, by the times. */
function between(a: TracePoint, { time }: TracePoint, b: TracePoint): Coordinate {
  const isTimed = a.time !== undefined && b.time !== undefined && time !== undefined && b.time > a.time;
  const share = isTimed ? Math.min(1, Math.max(0, (time - a.time!) / (b.time! - a.time!))) : 0.5;
  return {
    latitude: a.latitude + (b.latitude - a.latitude) * share,
    longitude: wrapLongitude(a.longitude + wrapLongitude(b.longitude - a.longitude) * share),
  };
}
