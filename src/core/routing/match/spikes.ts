import { type Coordinate, wrapLongitude } from "../../geo/coordinate.ts";
import { distance, METRES_PER_DEGREE, RADIANS } from "../../geo/distance.ts";
import { sigmaOf, type TracePoint } from "./trace.ts";

/** Accelerations of travelers, standard deviation [m/s²]: drivers use at most half of the friction of dry asphalt, 0.8 g. */
const ACCELERATION = 2.5;
/** Without times, the standard deviation of a point is at least this many times the longest of the steps around it. */
const STEP_SPREAD = 0.4;
/** Steps before and after a point that show how far the traveler moves between two points, and the least number of them. */
const STEPS = 3;
const MIN_STEPS = 3;
/** A spike has at most so many points in a row. */
const MAX_RUN = 3;
/** Negative log-likelihood of a spike, of one at an end of a longer trace, of each point besides its first, and at most of a point kept. */
const SPIKE = 10;
const SPIKE_AT_END = 7.5;
const LONGER = 5;
const SPIKE_GOES_ON = 4;
const MOST = 20;
/** Points no less likely than this have no spike around them. */
const SUSPECT = 4;

/**
 * The trace with its spikes, up to three points in a row that no traveler could reach and leave, moved to where the points before and after
 * them lead. `spikes`: their indices. The likeliest points to keep are found by dynamic programming over pairs that follow each other (Viterbi
 * 1967): a kept point is normally distributed around where its neighbors lead. `noise`: standard deviation of points without an accuracy [m].
 */
export function withoutSpikes(
  trace: readonly TracePoint[],
  noise: number,
): { trace: readonly TracePoint[]; spikes: Set<number> } {
  const spikes = new Set<number>();
  const near = new Uint8Array(trace.length);
  for (let i = 1; i + 1 < trace.length; i++) {
    if (bendAt(trace, i - 1, i, i + 1, noise) > SUSPECT) near.fill(1, Math.max(0, i - MAX_RUN), i + MAX_RUN + 1);
  }
  if (!near.includes(1)) return { trace, spikes };
  const kept = keptPoints(trace, near, noise);
  const cleaned = [...trace];
  for (let k = 0; k <= kept.length; k++) {
    const [before, after] = [kept[k - 1], kept[k]];
    for (let i = (before ?? -1) + 1; i < (after ?? trace.length); i++) {
      spikes.add(i);
      const [a, b] = [trace[before ?? after], trace[after ?? before]];
      cleaned[i] = { ...trace[i], ...between(a, trace[i], b, (i - (before ?? i)) / ((after ?? i) - (before ?? i))) };
    }
  }
  return { trace: cleaned, spikes };
}

/** A state is a point and how many are left out between it and the one kept before; the last state of a point: none is kept before. */
const STATES = MAX_RUN + 2;
const FIRST = MAX_RUN + 1;

const costOf = (run: number, first = SPIKE) => (run > 0 ? first + (run - 1) * SPIKE_GOES_ON : 0);

/** `near`: points that may be left out. */
function keptPoints(trace: readonly TracePoint[], near: Uint8Array, noise: number): number[] {
  const { length } = trace;
  const costAtEnd = (run: number) => costOf(run, length < LONGER ? SPIKE + 1 : SPIKE_AT_END);
  const costs = new Float64Array(length * STATES).fill(Number.POSITIVE_INFINITY);
  const from = new Int32Array(length * STATES).fill(-1);
  /** How many points from the i-th on may be left out. */
  const runFrom = (i: number) => {
    let run = 0;
    while (run < MAX_RUN && near[i + run] === 1) run++;
    return run;
  };
  for (let i = 0; i <= runFrom(0); i++) costs[i * STATES + FIRST] = costAtEnd(i);
  let [best, last] = [Number.POSITIVE_INFINITY, -1];
  for (let i = 0; i < length; i++) {
    const left = length - 1 - i;
    const run = runFrom(i + 1);
    for (let state = 0; state < STATES; state++) {
      const at = i * STATES + state;
      const cost = costs[at];
      if (cost === Number.POSITIVE_INFINITY) continue;
      if (left <= run && cost + costAtEnd(left) < best) [best, last] = [cost + costAtEnd(left), at];
      for (let out = 0; out <= Math.min(run, left - 1); out++) {
        const next = i + out + 1;
        const bend = state === FIRST ? 0 : bendAt(trace, i - 1 - state, i, next, noise);
        const sum = cost + costOf(out) + Math.min(MOST, bend);
        const to = next * STATES + out;
        if (sum >= costs[to]) continue;
        costs[to] = sum;
        from[to] = at;
      }
    }
  }
  const kept: number[] = [];
  for (let at = last; at >= 0; at = from[at]) kept.push(Math.floor(at / STATES));
  return kept.reverse();
}

/** Negative log-likelihood of the point `i`, where `a` and `b` are the points kept before and after it. */
function bendAt(trace: readonly TracePoint[], a: number, i: number, b: number, noise: number): number {
  const [before, point, after] = [trace[a], trace[i], trace[b]];
  const isTimed = before.time !== undefined && point.time !== undefined && after.time !== undefined;
  const share = shareOf(before, point, after, (i - a) / (b - a));
  const north = point.latitude - before.latitude - (after.latitude - before.latitude) * share;
  const east =
    wrapLongitude(point.longitude - before.longitude) - wrapLongitude(after.longitude - before.longitude) * share;
  const off = Math.hypot(north, east * Math.cos(point.latitude * RADIANS)) * METRES_PER_DEGREE;
  const sigma = sigmaOf(point, noise);
  if (!isTimed) return 0.5 * (off / Math.max(sigma, stepsAround(trace, a, i, b))) ** 2;
  // A constant acceleration between the two leads so far from the straight line.
  const seconds2 = Math.max(1, point.time! - before.time!) * Math.max(1, after.time! - point.time!);
  const errors = Math.hypot(sigma, (1 - share) * sigmaOf(before, noise), share * sigmaOf(after, noise));
  return 0.5 * (off / Math.hypot((ACCELERATION / 2) * seconds2, errors)) ** 2;
}

/** The standard deviation of a point by the steps around it [m]; of one with an accuracy, three on each side must show that. */
function stepsAround(trace: readonly TracePoint[], a: number, i: number, b: number): number {
  let longest = distance(trace[a], trace[b]) / (b - a);
  let count = 1;
  for (let k = 1; k <= STEPS; k++) {
    for (const [from, to] of [
      [a - k, a - k + 1],
      [b + k - 1, b + k],
    ]) {
      if (from < 0 || to >= trace.length) continue;
      longest = Math.max(longest, distance(trace[from], trace[to]));
      count++;
    }
  }
  const isKnown = count > (trace[i].accuracy === undefined ? MIN_STEPS : 2 * STEPS);
  return isKnown ? (STEP_SPREAD * longest * 2 * (i - a) * (b - i)) / (b - a) : Number.POSITIVE_INFINITY;
}

/** Which part of the way from `a` to `b` is behind the traveler, by the times; `usual` where there are none. */
function shareOf(a: TracePoint, { time }: TracePoint, b: TracePoint, usual: number): number {
  const isTimed = a.time !== undefined && b.time !== undefined && time !== undefined && b.time > a.time;
  return isTimed ? Math.min(1, Math.max(0, (time - a.time!) / (b.time! - a.time!))) : usual;
}

function between(a: TracePoint, point: TracePoint, b: TracePoint, usual: number): Coordinate {
  const share = a === b ? 0 : shareOf(a, point, b, usual);
  return {
    latitude: a.latitude + (b.latitude - a.latitude) * share,
    longitude: wrapLongitude(a.longitude + wrapLongitude(b.longitude - a.longitude) * share),
  };
}
