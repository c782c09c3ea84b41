import { distance, lengthOfLine } from "../../geo/distance.ts";
import type { TracePoint } from "../match/trace.ts";

/** A point of a device with its time [s], and the activity by its motion sensors ("foot", "car"). */
export type TimedPoint = TracePoint & { time: number; activity?: string | undefined };

/** A part of a trace in which the traveler moved, and was reported often enough. */
export interface TracePiece {
  points: TimedPoint[];
  /** Points are so far apart that only the time of the complete path means anything. */
  isSparse: boolean;
}

/** A longer silence ends a piece [s]. For trackers that report rarely: this many times their median interval. */
const MAX_SILENCE_SECONDS = 60;
const MAX_SPARSE_SILENCE_SECONDS = 300;
const MAX_INTERVALS = 2.5;
/** Two points farther apart than this end a piece [m]. */
const MAX_GAP_METERS = 1000;
/** A traveler who remains in a disc of this radius [m] for so long [s] has stayed: the time is not travel time. */
const STAY_METERS = 50;
const STAY_SECONDS = 120;
/** A higher speed between two points means that one of them is wrong [m/s]. */
const MAX_SPEED = 200 / 3.6;
/** Points this inaccurate say nothing about a road [m]. */
const MAX_ACCURACY_METERS = 60;
/** A median interval above this makes a piece sparse [s]. */
const SPARSE_SECONDS = 30;
const MIN_POINTS = 4;
const MIN_METERS = 300;

/**
 * The parts of a trace in which the traveler moved: cut at silences, gaps, stays, and impossible speeds. `trace` may be in
 * any order, and may contain a time twice.
 */
export function cleanTrace(trace: readonly TimedPoint[]): TracePiece[] {
  const usable = trace.filter(({ accuracy }) => accuracy === undefined || accuracy <= MAX_ACCURACY_METERS);
  const ordered = [...usable].sort((a, b) => a.time - b.time);
  const points = ordered.filter(({ time }, i) => i === 0 || time > ordered[i - 1].time);
  if (points.length < MIN_POINTS) return [];
  const silence = maxSilence(points);
  const staying = stays(points);
  const pieces: TracePiece[] = [];
  let piece: TimedPoint[] = [];
  const end = () => {
    if (piece.length >= MIN_POINTS && lengthOfLine(piece) >= MIN_METERS) {
      pieces.push({ points: piece, isSparse: medianInterval(piece) > SPARSE_SECONDS });
    }
    piece = [];
  };
  points.forEach((point, i) => {
    const before = piece[piece.length - 1];
    if (before) {
      const meters = distance(before, point);
      const seconds = point.time - before.time;
      if (seconds > silence || meters > MAX_GAP_METERS || meters > MAX_SPEED * seconds) end();
    }
    if (staying[i] === 1) end();
    else piece.push(point);
  });
  end();
  return pieces;
}

function maxSilence(points: readonly TimedPoint[]): number {
  const usual = medianInterval(points);
  return Math.min(MAX_SPARSE_SILENCE_SECONDS, Math.max(MAX_SILENCE_SECONDS, usual * MAX_INTERVALS));
}

function medianInterval(points: readonly TimedPoint[]): number {
  const intervals = points.slice(1).map(({ time }, i) => time - points[i].time);
  intervals.sort((a, b) => a - b);
  return intervals[intervals.length >> 1] ?? 0;
}

/**
 * 1 for the points of stays. A stay begins at a point from which the traveler does not leave the disc for STAY_SECONDS, and ends
 * when the traveler leaves it. Linear: each stay continues after its end.
 */
function stays(points: readonly TimedPoint[]): Uint8Array {
  const marks = new Uint8Array(points.length);
  let end = 0;
  for (let start = 0; start < points.length; start++) {
    const left = (i: number) => distance(points[start], points[i]) > STAY_METERS;
    // Points of this disc were seen from the start before, but a disc has few: a minute or two of them.
    end = start + 1;
    while (end < points.length && !left(end)) end++;
    if (points[end - 1].time - points[start].time < STAY_SECONDS) continue;
    marks.fill(1, start, end);
    start = end - 1;
  }
  return marks;
}

/** The speeds by which a mode is recognized [m/s], between points at least so many seconds apart. */
const SPEED_SECONDS = 10;
const MIN_MOTOR_PEAK = 38 / 3.6;
const MIN_MOTOR_MEDIAN = 11 / 3.6;
/** A runner is slower than this, at the fastest; a driver in a jam moves at some time. */
const MAX_RUNNER_PEAK = 15 / 3.6;
const PEAK = 0.95;
/** Cyclists keep their speed: half of the time they ride at more than this share of their fastest. */
const STEADY_SHARE = 0.62;
/** Only a cyclist in a hurry is as fast. */
const MAX_CYCLIST_PEAK = 29 / 3.6;
/** A driver covers at least so much of the distance, walks apart, at a driver's speeds. */
const MIN_DRIVEN_SHARE = 0.5;

interface Pace {
  piece: TracePiece;
  meters: number;
  /** The 95th percentile and the median of speed [m/s]. */
  peak: number;
  median: number;
}

/**
 * The pieces that were driven. By speed alone, only a motor vehicle is faster than a cyclist in a town and not just for a moment.
 * The slower pieces of a device that drives are also driven, such as those in a jam or on a delivery round, if it does not move like
 * a walker, nor steadily like a cyclist, unless it drives most of its way. What the motion sensors say replaces the speeds.
 * @param isDriver whether the device drove on other days
 */
export function drivenPieces(pieces: readonly TracePiece[], isDriver = false): TracePiece[] {
  const paces = pieces.map(paceOf);
  const isFast = ({ peak, median }: Pace) => peak >= MIN_MOTOR_PEAK && median >= MIN_MOTOR_MEDIAN;
  const lengthOf = (some: readonly Pace[]) => some.reduce((sum, { meters }) => sum + meters, 0);
  const fast = lengthOf(paces.filter(isFast));
  const drives = isDriver || fast > 0;
  const isMostlyDriver =
    isDriver || fast >= MIN_DRIVEN_SHARE * lengthOf(paces.filter(({ peak }) => peak > MAX_RUNNER_PEAK));
  const isDriven = (pace: Pace): boolean => {
    const told = sensedDriving(pace.piece);
    if (told !== undefined) return told;
    if (isFast(pace)) return true;
    if (!drives || pace.peak <= MAX_RUNNER_PEAK) return false;
    const isSteady = pace.median > STEADY_SHARE * pace.peak && pace.peak < MAX_CYCLIST_PEAK;
    return isMostlyDriver || !isSteady;
  };
  return paces.filter(isDriven).map(({ piece }) => piece);
}

const ON_FOOT_OR_BIKE = new Set(["foot", "walking", "running", "bike", "cycling"]);

/** What the motion sensors say of most points; undefined if they say nothing of half of them. */
function sensedDriving({ points }: TracePiece): boolean | undefined {
  let [driving, others] = [0, 0];
  for (const { activity } of points) {
    if (activity === "car") driving++;
    else if (activity !== undefined && ON_FOOT_OR_BIKE.has(activity)) others++;
  }
  return (driving + others) * 2 < points.length ? undefined : driving >= others;
}

function paceOf(piece: TracePiece): Pace {
  const { points } = piece;
  const speeds: number[] = [];
  let from = 0;
  for (let i = 1; i < points.length; i++) {
    const seconds = points[i].time - points[from].time;
    if (seconds < SPEED_SECONDS) continue;
    speeds.push(distance(points[from], points[i]) / seconds);
    from = i;
  }
  speeds.sort((a, b) => a - b);
  const at = (share: number) => speeds[Math.min(speeds.length - 1, Math.floor(speeds.length * share))] ?? 0;
  return { piece, meters: lengthOfLine(points), peak: at(PEAK), median: at(0.5) };
}
