import { MAX_WINDOWS, type TimeWindow } from "../graph/traffic.ts";
import type { EdgeSums } from "./edge-sums.ts";
import { HOURS_OF_WEEK } from "./observations.ts";

/** How much slower the network is in each hour of the week, in logarithms, and from how many traversals. */
export interface WeekProfile {
  slowdown: Float64Array;
  weight: Float64Array;
  /** Variance of a traversal around the slowdown of its hour. */
  variance: number;
}

const ROUNDS = 3;
const EVERY_DAY = 127;

/**
 * The slowdown of the network by hour: the mean difference between a traversal and the mean of its edge. Hour and edge are
 * fitted in turns, because some edges are used at some hours only.
 */
export function weekProfile(sums: EdgeSums): WeekProfile {
  const slowdown = new Float64Array(HOURS_OF_WEEK);
  const weight = new Float64Array(HOURS_OF_WEEK);
  const off = new Float64Array(HOURS_OF_WEEK);
  let squares = 0;
  for (let round = 0; round < ROUNDS; round++) {
    weight.fill(0);
    off.fill(0);
    squares = 0;
    for (const hours of sums.values()) {
      let count = 0;
      let logs = 0;
      for (const one of hours) {
        count += one.count;
        logs += one.logs - one.count * slowdown[one.hour];
      }
      const usual = logs / count;
      for (const one of hours) {
        weight[one.hour] += one.count;
        off[one.hour] += one.logs - one.count * usual;
        const mean = one.logs / one.count;
        squares += one.squares - one.count * mean ** 2 + one.count * (mean - usual - slowdown[one.hour]) ** 2;
      }
    }
    for (let hour = 0; hour < HOURS_OF_WEEK; hour++) slowdown[hour] = weight[hour] > 0 ? off[hour] / weight[hour] : 0;
  }
  const total = weight.reduce((sum, one) => sum + one, 0);
  return { slowdown, weight, variance: total > 0 ? squares / total : 0 };
}

/** A window more must explain this many times the variance of a traversal: traversals of one trip depend on each other. */
const WINDOW_COST = 20;

/**
 * Windows of all hours that somebody drove on some day, at most `most` and chosen from at least two: the default speeds, of hours that nobody
 * drove, stay those of the profile, by which the next learning measures. Days with similar hours share their windows, which are contiguous.
 */
export function chooseWindows(profile: WeekProfile, most = MAX_WINDOWS): TimeWindow[] {
  const { slowdown, weight, variance } = withUndrivenHours(evened(profile));
  let best: { cost: number; windows: TimeWindow[] } | undefined;
  for (const groups of groupings(slowdown, weight)) {
    if (groups.length > most) continue;
    const divided = groups.map((days) => divideDay(dayOf(days, slowdown, weight), most - groups.length + 1));
    for (const counts of shares(groups.length, most)) {
      const count = counts.reduce((sum, one) => sum + one, 0);
      if (count < 2) continue;
      const error = counts.reduce((sum, one, i) => sum + divided[i][one - 1].error, 0);
      const cost = error + count * WINDOW_COST * variance;
      if (best && best.cost <= cost) continue;
      const windows = groups.flatMap((days, i) =>
        divided[i][counts[i] - 1].hours.map(([from, until]) => ({ days, from: from * 60, until: until * 60 })),
      );
      best = { cost, windows };
    }
  }
  return (best?.windows ?? []).flatMap((window) => drivenPart(window, profile.weight));
}

/** Busy hours count more than others, but not by how much more is driven: a trip on Saturday is as long as one on Monday. */
function evened({ slowdown, weight, variance }: WeekProfile): WeekProfile {
  const driven = weight.filter((one) => one > 0);
  const mean = driven.reduce((sum, one) => sum + one, 0) / Math.max(1, driven.length);
  return { slowdown, weight: weight.map((one) => Math.sqrt(one * mean)), variance };
}

/** A window without the hours at its ends that nobody drove on any day. */
function drivenPart({ days, from, until }: TimeWindow, weight: Float64Array): TimeWindow[] {
  const hours = Array.from({ length: (until - from) / 60 }, (_, i) => from / 60 + i);
  const driven = hours.filter((hour) => weight.some((one, at) => one > 0 && at % 24 === hour));
  if (driven.length === 0) return weight.some((one) => one > 0) ? [] : [{ days, from, until }];
  return [{ days, from: driven[0] * 60, until: (driven[driven.length - 1] + 1) * 60 }];
}

/** An hour that nobody drove weighs this much of one that was driven, on average. */
const UNDRIVEN_WEIGHT = 0.5;
/** The share of traffic that is as free as the hours that nobody drove. */
const FREE_SHARE = 0.1;

/**
 * Assumes for hours that nobody drove what the same hour of the working days, or of the weekend, had; and where none of these was driven, that
 * traffic is as free as in the freest hours: it is night.
 */
function withUndrivenHours({ slowdown, weight, variance }: WeekProfile): WeekProfile {
  const driven = Array.from(weight.keys()).filter((hour) => weight[hour] > 0);
  if (driven.length === 0 || driven.length === HOURS_OF_WEEK) return { slowdown, weight, variance };
  const total = driven.reduce((sum, hour) => sum + weight[hour], 0);
  const byFreedom = driven.toSorted((a, b) => slowdown[a] - slowdown[b]);
  let left = FREE_SHARE * total;
  const isLast = (hour: number) => {
    left -= weight[hour];
    return left <= 0;
  };
  const free = slowdown[byFreedom.find(isLast) ?? driven[0]];
  const filled = { slowdown: slowdown.slice(), weight: weight.slice(), variance };
  for (let hour = 0; hour < HOURS_OF_WEEK; hour++) {
    if (weight[hour] > 0) continue;
    const like = driven.filter((other) => other % 24 === hour % 24 && isWeekend(other) === isWeekend(hour));
    const sum = like.reduce((all, other) => all + weight[other], 0);
    filled.slowdown[hour] =
      sum > 0 ? like.reduce((all, other) => all + weight[other] * slowdown[other], 0) / sum : free;
    filled.weight[hour] = (UNDRIVEN_WEIGHT * total) / driven.length;
  }
  return filled;
}

const isWeekend = (hour: number): boolean => hour >= 120;

/** The window of each hour of the week, from 1. */
export function windowOfHour(windows: readonly TimeWindow[]): Uint8Array {
  return Uint8Array.from({ length: HOURS_OF_WEEK }, (_, at) => {
    const [day, minute] = [Math.floor(at / 24), (at % 24) * 60];
    return (
      windows.findIndex(({ days, from, until }) => ((days >> day) & 1) === 1 && from <= minute && minute < until) + 1
    );
  });
}

interface DayProfile {
  slowdown: Float64Array;
  weight: Float64Array;
  /** Weighted sums of squares of the days: where they differ, a window of all of them has an error. */
  squares: Float64Array;
}

/** The mean day of some days (bits, Monday 1). */
function dayOf(days: number, slowdown: Float64Array, weight: Float64Array): DayProfile {
  const day = { slowdown: new Float64Array(24), weight: new Float64Array(24), squares: new Float64Array(24) };
  for (let hour = 0; hour < HOURS_OF_WEEK; hour++) {
    if (((days >> Math.floor(hour / 24)) & 1) === 0) continue;
    day.weight[hour % 24] += weight[hour];
    day.slowdown[hour % 24] += weight[hour] * slowdown[hour];
    day.squares[hour % 24] += weight[hour] * slowdown[hour] ** 2;
  }
  for (let hour = 0; hour < 24; hour++) if (day.weight[hour] > 0) day.slowdown[hour] /= day.weight[hour];
  return day;
}

/** The days in one group, in two, and in three: groups that differ least are joined first (Ward 1963). */
function groupings(slowdown: Float64Array, weight: Float64Array): number[][] {
  let groups = Array.from({ length: 7 }, (_, day) => 1 << day);
  const all: number[][] = [];
  while (groups.length > 1) {
    let least = Number.POSITIVE_INFINITY;
    let pair = [0, 1];
    for (let a = 0; a < groups.length; a++) {
      for (let b = a + 1; b < groups.length; b++) {
        const increase = wardIncrease(dayOf(groups[a], slowdown, weight), dayOf(groups[b], slowdown, weight));
        if (increase < least) [least, pair] = [increase, [a, b]];
      }
    }
    const joined = groups[pair[0]] | groups[pair[1]];
    groups = [...groups.filter((_, i) => !pair.includes(i)), joined].sort((a, b) => (a & -a) - (b & -b));
    if (groups.length <= 3) all.push(groups);
  }
  return all.length > 0 ? all : [[EVERY_DAY]];
}

function wardIncrease(a: DayProfile, b: DayProfile): number {
  let sum = 0;
  for (let hour = 0; hour < 24; hour++) {
    const both = a.weight[hour] + b.weight[hour];
    if (both > 0) sum += ((a.weight[hour] * b.weight[hour]) / both) * (a.slowdown[hour] - b.slowdown[hour]) ** 2;
  }
  return sum;
}

interface Division {
  error: number;
  /** Pieces of the day [h]. */
  hours: [from: number, until: number][];
}

/** The best division of a day into 1, 2 … `most` pieces, by dynamic programming over their ends. */
function divideDay({ slowdown, weight, squares }: DayProfile, most: number): Division[] {
  const cost = (from: number, until: number): number => {
    let [w, x, xx] = [0, 0, 0];
    for (let hour = from; hour < until; hour++) {
      w += weight[hour];
      x += weight[hour] * slowdown[hour];
      xx += squares[hour];
    }
    return w > 0 ? Math.max(0, xx - (x * x) / w) : 0;
  };
  let rows: Division[] = Array.from({ length: 25 }, (_, until) => ({ error: cost(0, until), hours: [[0, until]] }));
  const divisions = [rows[24]];
  for (let pieces = 2; pieces <= most; pieces++) {
    rows = rows.map((_, until) => {
      let best: Division = { error: Number.POSITIVE_INFINITY, hours: [] };
      for (let from = pieces - 1; from < until; from++) {
        const error = rows[from].error + cost(from, until);
        if (error < best.error) best = { error, hours: [...rows[from].hours, [from, until]] };
      }
      return best;
    });
    divisions.push(rows[24]);
  }
  return divisions;
}

/** All ways to give each of `groups` at least one of at most `most` windows. */
function shares(groups: number, most: number): number[][] {
  if (groups === 1) return Array.from({ length: most }, (_, i) => [i + 1]);
  return Array.from({ length: most - groups + 1 }, (_, i) => i + 1).flatMap((own) =>
    shares(groups - 1, most - own).map((rest) => [own, ...rest]),
  );
}
