import type { Course, Stretch } from "../match/course.ts";
import type { FreeFlow } from "./free-flow.ts";
import { nondecreasing } from "./isotonic.ts";

/** The passage of one complete edge. */
export interface Traversal {
  /** Index among the stretches of the course. */
  stretch: number;
  /** When its middle was passed [s]. */
  time: number;
  /** Time of driving on it, without the turns that the profile includes [s]. */
  seconds: number;
  meters: number;
  /** Time standing at its end, besides [s]. */
  waited: number;
}

/** Times over less than this reflect the errors of points more than the travel: shorter edges are measured with their neighbors [m]. */
const MIN_MEASURED_METERS = 60;
/** A traveler this close behind a junction stands before it: points have errors [m]. */
const STOP_LINE_METERS = 15;
/** … and this close before it waits for it. */
const WAITING_METERS = 40;
const MIN_STAND_SECONDS = 4;
/** Whoever stands so long where no junction is near [s], and drives before and after at this share of free flow, has stopped to deliver. */
const MIN_HALT_SECONDS = 20;
const MIN_FLOWING_SHARE = 0.5;
/** Standing: slower than this [m/s]. */
const STANDING_SPEED = 1.2;
/** Driving takes at least so much of the time at free flow. */
const MIN_FREE_SHARE = 0.8;
/** However large the delay of turns, so much of the time between two points is on edges. */
const MIN_EDGE_SHARE = 0.2;

/**
 * Distributes the time of a traveler over the complete edges of a course: between two points in proportion to free flow, after
 * the delays of turns. The first and the last edge are ignored. `isSparse`: points mean nothing but the time of the complete path.
 */
export function driveTimes(
  { stretches }: Pick<Course, "stretches">,
  flow: FreeFlow,
  timeOf: (index: number) => number,
  isSparse = false,
): Traversal[] {
  if (stretches.length < 3) return [];
  const clock = new DriveClock(stretches, flow, timeOf);
  if (!clock.isUsable) return [];
  const traversals: Traversal[] = [];
  for (const group of groupsOf(stretches, flow, isSparse, (i) => clock.covers(i))) {
    const first = group[0];
    const last = group[group.length - 1];
    const free = group.reduce((sum, i) => sum + flow.seconds[i], 0);
    const elapsed = clock.secondsBetween(first, last);
    const halted = isSparse ? 0 : group.reduce((sum, i) => sum + clock.haltedOn(i), 0);
    const isHalt = halted >= MIN_HALT_SECONDS && (elapsed - halted) * MIN_FLOWING_SHARE <= free;
    const seconds = isHalt ? elapsed - halted : elapsed;
    if (!(seconds > 0) || free === 0) continue;
    const stood = isSparse ? 0 : group.reduce((sum, i) => sum + clock.waitedOn(i), 0);
    // However long it stood, the distance took a vehicle some time.
    const waited = Math.min(stood, Math.max(0, seconds - free * MIN_FREE_SHARE));
    for (const i of group) {
      traversals.push({
        stretch: i,
        time: clock.middleOf(i),
        seconds: ((seconds - waited) * flow.seconds[i]) / free,
        meters: flow.meters[i],
        waited: stood > 0 ? (waited * clock.waitedOn(i)) / stood : 0,
      });
    }
  }
  return traversals;
}

/** Consecutive complete edges that are measured together: single ones where they are long enough. */
function groupsOf(
  stretches: readonly Stretch[],
  { meters, seconds }: FreeFlow,
  isSparse: boolean,
  covers: (stretch: number) => boolean,
): number[][] {
  const groups: number[][] = [];
  let group: number[] = [];
  let length = 0;
  const end = () => {
    if (length >= MIN_MEASURED_METERS) groups.push(group);
    else if (group.length > 0) {
      // What is left of a run joins the group before, if that is adjacent.
      const before = groups[groups.length - 1];
      if (before && before[before.length - 1] === group[0] - 1) before.push(...group);
    }
    group = [];
    length = 0;
  };
  for (let i = 1; i < stretches.length - 1; i++) {
    const { from, to } = stretches[i];
    if (from !== 0 || to !== 1 || seconds[i] === 0 || !covers(i)) {
      end();
      continue;
    }
    group.push(i);
    length += meters[i];
    if (!isSparse && length >= MIN_MEASURED_METERS) end();
  }
  end();
  return groups;
}

/** Position along the course by time. */
class DriveClock {
  readonly #flow: FreeFlow;
  /** By stretch: where it begins [m]; one more for the end. */
  readonly #starts: Float64Array;
  /** By point in order of time: position [m], stretch, and time [s]. */
  readonly #at: Float64Array;
  readonly #times: Float64Array;
  /** By stretch + 1 boundary: time of driving until there, without turns [s]; NaN outside the points. */
  readonly #driven: Float64Array;
  readonly #passed: Float64Array;
  readonly #waited: Float64Array;
  /** By stretch: time standing farther from its end [s]. */
  readonly #halted: Float64Array;

  constructor(stretches: readonly Stretch[], flow: FreeFlow, timeOf: (index: number) => number) {
    this.#flow = flow;
    const count = stretches.length;
    this.#starts = new Float64Array(count + 1);
    const points: { index: number; at: number }[] = [];
    stretches.forEach(({ from, to, points: own }, i) => {
      const start = this.#starts[i];
      for (const { index, share } of own) points.push({ index, at: start + flow.meters[i] * (share - from) });
      this.#starts[i + 1] = start + flow.meters[i] * (to - from);
    });
    points.sort((a, b) => a.index - b.index);
    this.#times = Float64Array.from(points, ({ index }) => timeOf(index));
    this.#at = nondecreasing(points.map(({ at }) => at));
    this.#driven = new Float64Array(count + 1).fill(Number.NaN);
    this.#passed = new Float64Array(count + 1).fill(Number.NaN);
    this.#waited = new Float64Array(count);
    this.#halted = new Float64Array(count);
    if (this.isUsable) this.#run();
  }

  get isUsable(): boolean {
    return this.#times.length > 1;
  }

  /** Walks from point to point, and notes when each boundary between stretches was passed. */
  #run(): void {
    const [at, times, starts] = [this.#at, this.#times, this.#starts];
    const { turns } = this.#flow;
    const count = starts.length - 1;
    this.#holdAtStopLines();
    let stretch = 0;
    while (stretch < count - 1 && starts[stretch + 1] < at[0]) stretch++;
    let driven = 0;
    let stood = 0;
    for (let p = 1; p < times.length; p++) {
      const elapsed = times[p] - times[p - 1];
      const from = at[p - 1];
      const to = at[p];
      let last = stretch;
      let delay = 0;
      while (last < count - 1 && starts[last + 1] < to) delay += turns[++last];
      const onEdges = Math.max(elapsed - delay, elapsed * MIN_EDGE_SHARE);
      const onTurns = delay > 0 ? (elapsed - onEdges) / delay : 0;
      const free = this.#freeBetween(from, to, stretch, last);
      const stands = to - from < STANDING_SPEED * elapsed && last === stretch;
      if (stands) stood += elapsed;
      else {
        this.#noteStand(stretch, from, stood);
        stood = 0;
      }
      let clock = times[p - 1];
      for (let i = stretch, begin = from; i <= last; i++) {
        const end = Math.min(to, starts[i + 1]);
        const share = free > 0 ? this.#freeOf(begin, end, i) / free : i === stretch ? 1 : 0;
        driven += onEdges * share;
        clock += onEdges * share;
        if (i < last) {
          this.#driven[i + 1] = driven;
          this.#passed[i + 1] = clock;
          clock += turns[i + 1] * onTurns;
        }
        begin = end;
      }
      stretch = last;
    }
  }

  /** Standing before a junction is waiting, unless it takes long and there are no traffic lights. */
  #noteStand(stretch: number, at: number, seconds: number): void {
    const isNear = this.#starts[stretch + 1] - at < WAITING_METERS;
    if (seconds >= MIN_HALT_SECONDS && !(isNear && this.#flow.signals[stretch] === 1)) this.#halted[stretch] += seconds;
    else if (isNear) this.#waited[stretch] += seconds;
  }

  /** Points that stand just behind a junction are moved before it. */
  #holdAtStopLines(): void {
    const [at, times, starts] = [this.#at, this.#times, this.#starts];
    let boundary = 1;
    for (let p = 0; p < at.length; ) {
      let end = p + 1;
      while (end < at.length && at[end] - at[p] < STANDING_SPEED * (times[end] - times[p])) end++;
      const stood = end > p + 1 && times[end - 1] - times[p] >= MIN_STAND_SECONDS;
      if (!stood) {
        p++;
        continue;
      }
      while (boundary < starts.length - 1 && starts[boundary + 1] <= at[p]) boundary++;
      const behind = at[end - 1] - starts[boundary];
      const isFirst = p === 0 || at[p - 1] <= starts[boundary];
      if (isFirst && behind > 0 && behind < STOP_LINE_METERS && boundary < starts.length - 1) {
        for (let i = p; i < end; i++) at[i] = Math.min(at[i], starts[boundary]);
      }
      p = end;
    }
  }

  #freeBetween(from: number, to: number, first: number, last: number): number {
    let sum = 0;
    for (let i = first, begin = from; i <= last; i++) {
      const end = Math.min(to, this.#starts[i + 1]);
      sum += this.#freeOf(begin, end, i);
      begin = end;
    }
    return sum;
  }

  /** Free-flow time of a part of a stretch [s]. */
  #freeOf(from: number, to: number, stretch: number): number {
    const meters = this.#flow.meters[stretch];
    return meters > 0 ? (Math.max(0, to - from) / meters) * this.#flow.seconds[stretch] : 0;
  }

  covers(stretch: number): boolean {
    return !Number.isNaN(this.#driven[stretch]) && !Number.isNaN(this.#driven[stretch + 1]);
  }

  secondsBetween(first: number, last: number): number {
    return this.#driven[last + 1] - this.#driven[first];
  }

  middleOf(stretch: number): number {
    return (this.#passed[stretch] + this.#passed[stretch + 1]) / 2;
  }

  haltedOn(stretch: number): number {
    return this.#halted[stretch];
  }

  waitedOn(stretch: number): number {
    return this.#waited[stretch];
  }
}
