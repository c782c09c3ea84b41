import type { Coordinate } from "../../geo/coordinate.ts";
import { distance } from "../../geo/distance.ts";
import { shifted, type TimedFix, type Track, trackOf } from "./fixes.ts";
import { smooth } from "./smooth.ts";
import { findStops, leavingTime, type Span } from "./stops.ts";

/** A time during which the user was at one place. */
export interface Stop {
  /** [ms] */
  from: number;
  to: number;
  location: Coordinate;
  /** It is the last that is known: the user may still be there. */
  isLast?: boolean;
}

/** A time without fixes during a journey: its way is not known. */
export interface Gap {
  from: number;
  to: number;
  /** Straight [m]. */
  distance: number;
}

/** A time during which the user moved. */
export interface Journey {
  from: number;
  to: number;
  /** Smoothed fixes, from the stop before to the stop after it. */
  line: Coordinate[];
  /** Time of each point of the line [ms]. */
  times: number[];
  /** Along the line [m]. */
  distance: number;
  /** [m/s] */
  topSpeed: number;
  gaps: Gap[];
}

/** A user's time, in order: stops and the journeys between them. */
export interface Diary {
  stops: Stop[];
  journeys: Journey[];
}

export const DEFAULT_MIN_STOP_SECONDS = 300;
/** A longer silence in a journey is a gap [s]. */
const GAP_SECONDS = 180;
/** A journey goes at least this far from its start [m]: the rest is noise before the first stop or after the last one. */
const MIN_METERS = 100;
/** … or so many times the accuracy of its fixes. */
const MIN_ACCURACIES = 3;

/**
 * Divides a user's fixes, in any order, into stops and journeys. Deterministic and linear in the number of fixes but for their sorting.
 * @param minStopSeconds a shorter stand, such as at a traffic light, is part of a journey
 */
export function findJourneys(fixes: readonly TimedFix[], minStopSeconds = DEFAULT_MIN_STOP_SECONDS): Diary {
  const track = trackOf(fixes);
  const spans = findStops(track, minStopSeconds);
  const stops = spans.map((span) => stopOf(track, span));
  const journeys: Journey[] = [];
  const end = track.fixes.length - 1;
  for (let k = 0; k <= spans.length; k++) {
    const first = k === 0 ? 0 : spans[k - 1].last;
    const last = k === spans.length ? end : spans[k].first;
    if (last <= first) continue;
    const journey = journeyOf(track, first, last, stops[k - 1], stops[k]);
    // Between two stops there is one always: merging has decided that the user left.
    if (journey && ((k > 0 && k < spans.length) || isAway(track, first, last, journey))) journeys.push(journey);
  }
  const final = stops[stops.length - 1];
  if (final && (journeys[journeys.length - 1]?.from ?? 0) < final.to) final.isLast = true;
  return { stops, journeys };
}

function stopOf(track: Track, { first, last, x, y }: Span): Stop {
  const { fixes } = track;
  const location = shifted(fixes[first].location, x - track.x[first], y - track.y[first]);
  return { from: fixes[first].at, to: Math.round(leavingTime(track, last) * 1000), location };
}

function journeyOf(track: Track, first: number, last: number, before?: Stop, after?: Stop): Journey | undefined {
  const { fixes } = track;
  const { x, y, speed, way } = smooth(track, first, last);
  const line: Coordinate[] = [];
  const times: number[] = [];
  for (let k = first; k <= last; k++) {
    const i = k - first;
    const isEnd = (k === first && before) || (k === last && after);
    const own = shifted(fixes[k].location, x[i] - track.x[k], y[i] - track.y[k]);
    line.push(isEnd ? (k === first && before ? before : (after as Stop)).location : own);
    times.push(k === first && before ? before.to : fixes[k].at);
  }
  const gaps: Gap[] = [];
  let [topSpeed, metres] = [0, 0];
  for (let i = 1; i < line.length; i++) {
    metres += (i === 1 && before) || (i === line.length - 1 && after) ? distance(line[i - 1], line[i]) : way[i];
    const isGap = times[i] - times[i - 1] > GAP_SECONDS * 1000;
    if (isGap) {
      const gap = { from: times[i - 1], to: times[i], distance: distance(line[i - 1], line[i]) };
      gaps.push(gap);
      topSpeed = Math.max(topSpeed, meanSpeed(gap));
    } else topSpeed = Math.max(topSpeed, (speed[i] + speed[i - 1]) / 2);
  }
  const whole = { from: times[0], to: times[times.length - 1], distance: metres };
  if (whole.to <= whole.from) return undefined;
  return { ...whole, line, times, topSpeed: Math.max(topSpeed, meanSpeed(whole)), gaps };
}

/** At some moment, the user was at least as fast [m/s]. */
export const meanSpeed = ({ from, to, distance: metres }: Gap): number => (metres / (to - from)) * 1000;

/** Did the user go anywhere? By its smoothed fixes: a single one may lie anywhere. */
function isAway({ fixes }: Track, first: number, last: number, { line }: Journey): boolean {
  let accuracy = 0;
  for (let k = first; k <= last; k++) accuracy += fixes[k].accuracy / (last - first + 1);
  const [start, end] = [line[0], line[line.length - 1]];
  const away = Math.max(MIN_METERS, MIN_ACCURACIES * accuracy);
  const isFar = (one: Coordinate) => distance(start, one) > away && distance(end, one) > away;
  return distance(start, end) > away || line.some(isFar);
}
