import { apart, type Track } from "./fixes.ts";

/**
 * Stops of a track. While a device stands, its fixes scatter around one point. How much follows the noise: the reported accuracy, or
 * the scatter of neighboring fixes where that is larger. A slow walk scatters as little within a window, but leaves its own center.
 */

/** A span of fixes at one place. */
export interface Span {
  /** Fixes, by index. */
  first: number;
  last: number;
  /** On the plane of the track [m]. */
  x: number;
  y: number;
  /** Accuracy of its fixes, or what they scatter [m]. */
  noise: number;
}

/** A window has this share of the shortest stop: the rest of a stop is the room for the window to move. */
const WINDOW_SHARE = 0.6;
/** Noise is at least this, and what fixes scatter shows at most this much of it: more is movement [m]. */
const [MIN_NOISE, MAX_SCATTER] = [5, 60];
/** Of coarser fixes, a window is longer by this time: a slow walk leaves their scatter only then [s/m]. */
const COARSE_SECONDS = 4;
/** Standing fixes scatter by at most this [m], or so many times the noise (root mean square; 0.94 expected). */
const [SCATTER, SCATTER_NOISES] = [25, 1.6];
/** Fixes of a window that are compared, at most: evenly spread. */
const MAX_FIXES = 48;
/** Fixes farther apart in time say nothing about noise by their scatter [s]. */
const MAX_NOISE_INTERVAL = 30;
/** Mean second difference of white noise in two dimensions, in standard deviations: √1.5 · √(π/2). */
const MEAN_SECOND_DIFFERENCE = 1.535;
/** A radius of 68 % of a two-dimensional normal distribution, in standard deviations of one. */
const ACCURACY_SIGMAS = 1.51;
/** Fixes this near the center belong to a stop at its ends [m, noises]. */
const [END, END_NOISES] = [30, 1.5];
/** Two stops whose centers are nearer are one place, unless the device left it between [m, noises]. */
const [SAME, SAME_NOISES] = [75, 2];
const [LEFT, LEFT_NOISES] = [120, 3.5];
/** Nor is a shorter absence within this distance a journey: a burst of reflected signals [s, m]. */
const [BURST_SECONDS, BURST_METERS] = [120, 300];
/** A device at a stop that is silent for longer remained there, until it had to leave at this speed for its next fix [s, m/s]. */
const [SILENCE_SECONDS, LEAVING_SPEED] = [300, 8];
/** A silence between fixes this near is a stop [m], if the slowest traveler had time to spare [m/s]. */
const [NEAR, STROLL] = [250, 0.7];

/** Spans in which the device stood for at least `minSeconds`, in order. */
export function findStops(track: Track, minSeconds: number): Span[] {
  const { time } = track;
  const windows = [...stillSpans(track, minSeconds * WINDOW_SHARE), ...silences(track, minSeconds)];
  const spans = windows.map(([first, last]) => trimmed(track, spanOf(track, first, last)));
  spans.sort((a, b) => a.first - b.first || a.last - b.last);
  const isLong = ({ first, last }: Span) => leavingTime(track, last) - time[first] >= minSeconds;
  // Again without those too short to be stops: they may be noise between two parts of one stop.
  return mergeSpans(track, mergeSpans(track, spans).filter(isLong));
}

/**
 * When the device left a stop, of which a fix is the last [s]: that time, or if it was silent then, as phones at rest are, when it had
 * to leave for its next fix.
 */
export function leavingTime(track: Track, last: number): number {
  const { time } = track;
  if (last + 1 >= time.length || time[last + 1] - time[last] <= SILENCE_SECONDS) return time[last];
  return Math.max(time[last], time[last + 1] - apart(track, last, last + 1) / LEAVING_SPEED);
}

/** Fixes before a silence in which the device stood: it reported that, or got so near that it cannot have moved all the time. */
function silences(track: Track, minSeconds: number): [number, number][] {
  const { fixes, time } = track;
  const found: [number, number][] = [];
  for (let i = 0; i + 1 < fixes.length; i++) {
    const seconds = time[i + 1] - time[i];
    if (seconds < minSeconds) continue;
    const far = apart(track, i, i + 1);
    const isNear = far <= NEAR + fixes[i].accuracy + fixes[i + 1].accuracy && seconds - far / STROLL >= minSeconds;
    if (isNear || (fixes[i].stopped && leavingTime(track, i) - time[i] >= minSeconds)) found.push([i, i]);
  }
  return found;
}

/** Unions of overlapping windows without movement: first and last fix. */
function stillSpans(track: Track, seconds: number): [number, number][] {
  const { fixes, time } = track;
  const spans: [number, number][] = [];
  for (let i = 0; i < time.length; i++) {
    const j = firstFrom(time, time[i] + seconds + COARSE_SECONDS * Math.max(0, fixes[i].accuracy - MAX_SCATTER));
    if (j === time.length || !isStill(track, i, j)) continue;
    const before = spans[spans.length - 1];
    if (before && i <= before[1]) before[1] = Math.max(before[1], j);
    else spans.push([i, j]);
  }
  return spans;
}

/** The index of the first time from a given one on; the length if there is none. */
function firstFrom(time: Float64Array, from: number): number {
  let [low, high] = [0, time.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (time[middle] < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Did the device stand from the i-th fix to the j-th? */
function isStill(track: Track, i: number, j: number): boolean {
  const { fixes, x, y } = track;
  const step = Math.max(1, Math.ceil((j - i) / MAX_FIXES));
  let [n, sx, sy, squares, coarsest] = [0, 0, 0, 0, MAX_SCATTER];
  const add = (k: number) => {
    const [dx, dy] = [x[k] - x[i], y[k] - y[i]];
    n++;
    sx += dx;
    sy += dy;
    squares += dx * dx + dy * dy;
    coarsest = Math.max(coarsest, fixes[k].accuracy);
  };
  for (let k = i; k < j; k += step) add(k);
  add(j);
  const scatter = Math.sqrt(Math.max(0, squares / n - (sx * sx + sy * sy) / (n * n)));
  // No window of real movement passes with the largest noise, so it need not be computed.
  return scatter <= SCATTER_NOISES * coarsest && scatter <= Math.max(SCATTER, SCATTER_NOISES * noiseOf(track, i, j));
}

/** The mean accuracy of fixes, or what they scatter if that is more [m]. */
function noiseOf({ fixes, x, y, time }: Track, i: number, j: number): number {
  let [accuracy, seconds, count, n] = [0, 0, 0, 0];
  const step = Math.max(1, Math.ceil((j - i) / MAX_FIXES));
  for (let k = i; k <= j; k += step) {
    n++;
    accuracy += fixes[k].accuracy;
    if (k === i || k >= j || time[k + 1] - time[k - 1] > 2 * MAX_NOISE_INTERVAL) continue;
    count++;
    seconds += Math.hypot(x[k] - (x[k - 1] + x[k + 1]) / 2, y[k] - (y[k - 1] + y[k + 1]) / 2);
  }
  const scatter = count > 4 ? (seconds / count / MEAN_SECOND_DIFFERENCE) * ACCURACY_SIGMAS : 0;
  return Math.max(MIN_NOISE, accuracy / n, Math.min(MAX_SCATTER, scatter));
}

function spanOf(track: Track, first: number, last: number): Span {
  const { x, y } = track;
  return {
    first,
    last,
    x: median(x.slice(first, last + 1)),
    y: median(y.slice(first, last + 1)),
    noise: noiseOf(track, first, last),
  };
}

const median = (values: Float64Array) => values.sort()[values.length >> 1];

/** A span without the fixes of arriving and leaving at its ends, and with those around it at the same place. */
function trimmed(track: Track, { first, last, ...span }: Span): Span {
  const reach = Math.max(END, END_NOISES * span.noise);
  const isAt = (k: number) => Math.hypot(track.x[k] - span.x, track.y[k] - span.y) <= reach;
  while (first < last && !(isAt(first) && isAt(first + 1))) first++;
  while (last > first && !(isAt(last) && isAt(last - 1))) last--;
  while (first > 0 && isAt(first - 1)) first--;
  while (last < track.time.length - 1 && isAt(last + 1)) last++;
  return { ...span, first, last };
}

function mergeSpans(track: Track, spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const span of spans) {
    const before = merged[merged.length - 1];
    if (!before || !isSamePlace(track, before, span)) merged.push(span);
    else merged[merged.length - 1] = spanOf(track, before.first, Math.max(before.last, span.last));
  }
  return merged;
}

function isSamePlace(track: Track, a: Span, b: Span): boolean {
  const noise = Math.max(a.noise, b.noise);
  if (b.first <= a.last) return true;
  if (Math.hypot(a.x - b.x, a.y - b.y) > Math.max(SAME, SAME_NOISES * noise)) return false;
  const middle = a.last;
  let far = 0;
  for (let k = a.last + 1; k < b.first; k++) far = Math.max(far, apart(track, k, middle));
  const isBurst = track.time[b.first] - track.time[a.last] <= BURST_SECONDS && far <= BURST_METERS;
  return isBurst || far <= Math.max(LEFT, LEFT_NOISES * noise);
}
