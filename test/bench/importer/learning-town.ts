import { destination } from "../../../src/core/geo/distance.ts";
import type { Tile } from "../../../src/core/routing/graph/tile.ts";
import type { LocalTime } from "../../../src/core/routing/graph/traffic.ts";
import type { TimedPoint } from "../../../src/core/routing/learn/clean.ts";
import { edgesOfTile, type KnownEdge } from "../../../src/core/routing/learn/edge-facts.ts";
import type { EdgeKey } from "../../../src/core/routing/learn/edge-key.ts";
import { edgeKey } from "../../../src/core/routing/learn/edge-key.ts";
import type { Leg, Router } from "../../../src/core/routing/route/router.ts";
import { edgeGeometry } from "../../../src/core/routing/search/path.ts";
import { placeAt } from "../../core/routing/match/noisy-drives.ts";

/** True speeds as a share of the profile's, by class of road, and how much traffic slows each down. */
const CLASS_SHARE: Record<string, number> = {
  motorway: 1.02,
  motorway_link: 0.9,
  trunk: 0.92,
  primary: 0.8,
  secondary: 0.78,
  tertiary: 0.85,
  residential: 0.78,
  unclassified: 0.9,
  service: 0.65,
};
const CLASS_TRAFFIC: Record<string, number> = { motorway: 1.3, trunk: 1.2, primary: 1, secondary: 0.9, tertiary: 0.7 };
/** Weekday traffic by hour, 0 … 1, and that of a Saturday or Sunday. */
const WEEKDAY = [
  0, 0, 0, 0, 0.02, 0.1, 0.35, 0.85, 1, 0.7, 0.45, 0.4, 0.45, 0.45, 0.5, 0.6, 0.85, 1, 0.8, 0.45, 0.25, 0.15, 0.08,
  0.02,
];
const WEEKEND = [
  0.05, 0.02, 0, 0, 0, 0, 0.02, 0.05, 0.1, 0.2, 0.35, 0.45, 0.5, 0.45, 0.4, 0.4, 0.4, 0.35, 0.3, 0.2, 0.15, 0.1, 0.08,
  0.05,
];
/** When people travel. */
const DEPARTURES = [1, 1, 0, 0, 1, 3, 8, 16, 18, 10, 8, 8, 9, 9, 9, 11, 16, 18, 13, 8, 6, 4, 3, 2];
/** Standard deviations, in logarithms, of edges of one class, and of drivers on one day. */
const EDGE_SPREAD = 0.16;
const DRIVER_SPREAD = 0.06;
/** A signal is red with this probability, and then for a time of up to this [s]. */
const RED_SHARE = 0.5;
const MAX_RED_SECONDS = 40;
/** What the engine counts for a signal [s]. */
const ENGINE_SIGNAL_SECONDS = 2;

export type Random = () => number;

/** The true times of a simulated town: they differ from the profile by class, hour, and edge, and signals add random waits. */
export class TrueTimes {
  readonly edges = new Map<EdgeKey, KnownEdge & { signal: boolean; own: number }>();
  readonly #seed: number;

  constructor(tiles: Iterable<Tile>, seed: number) {
    this.#seed = seed;
    for (const tile of tiles) {
      for (const [key, known] of edgesOfTile(tile)) {
        this.edges.set(key, { ...known, signal: known.hasSignal, own: Math.exp(EDGE_SPREAD * this.#spread(key)) });
      }
    }
  }

  /** A number for each edge, normally distributed. */
  #spread(key: EdgeKey): number {
    let hash = this.#seed | 1;
    for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
    let sum = 0;
    for (let i = 0; i < 6; i++) {
      hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
      sum += (hash >>> 0) / 2 ** 32;
    }
    return (sum - 3) * Math.SQRT2;
  }

  /** Time on an edge at an hour of the week, without waits [s]. */
  moving(key: EdgeKey, hour: number): number {
    const { pace, meters, roadClass, own } = this.edges.get(key)!;
    const day = Math.floor(hour / 24);
    const traffic = (day < 5 ? WEEKDAY : WEEKEND)[Math.floor(hour) % 24] * (CLASS_TRAFFIC[roadClass] ?? 0.5);
    const share = (CLASS_SHARE[roadClass] ?? 0.8) * (1 - 0.42 * traffic) * own;
    return (pace * meters) / Math.min(1.15, share);
  }

  /** Mean time, with the wait at its end beyond what the engine counts [s]. */
  mean(key: EdgeKey, hour: number): number {
    const wait = this.edges.get(key)!.signal ? (RED_SHARE * MAX_RED_SECONDS) / 2 - ENGINE_SIGNAL_SECONDS : 0;
    return this.moving(key, hour) + wait;
  }

  /** Mean time of a route that begins at `began` [s]. */
  expected({ edges }: Leg, began: number): number {
    let seconds = 0;
    for (const [i, { view, edge, from, to, duration }] of edges.entries()) {
      const key = edgeKey(view.tile, edge);
      const driven = (view.arcs.duration[edge] * (to - from)) / 10;
      const turn = i === 0 ? 0 : Math.max(0, duration - driven);
      const before = i > 0 ? this.edges.get(edgeKey(edges[i - 1].view.tile, edges[i - 1].edge)) : undefined;
      const wait = before?.signal ? (RED_SHARE * MAX_RED_SECONDS) / 2 : 0;
      seconds += Math.max(0, turn - (before?.signal ? ENGINE_SIGNAL_SECONDS : 0)) + wait;
      seconds += this.edges.has(key) ? this.moving(key, hourOfWeek(began + seconds)) * (to - from) : duration - turn;
    }
    return seconds;
  }

  wait(key: EdgeKey, random: Random): number {
    if (!this.edges.get(key)?.signal) return 0;
    return random() < RED_SHARE ? random() * MAX_RED_SECONDS : 0;
  }
}

export interface Drive {
  trace: TimedPoint[];
  /** [s] */
  duration: number;
}

export const SECONDS_PER_WEEK = 604_800;

export const hourOfWeek = (time: number): number =>
  Math.floor((((time % SECONDS_PER_WEEK) + SECONDS_PER_WEEK) % SECONDS_PER_WEEK) / 3600);

/** Times of the simulation begin on a Monday at midnight. */
export function localTime(time: number): LocalTime {
  const minutes = Math.floor((((time % SECONDS_PER_WEEK) + SECONDS_PER_WEEK) % SECONDS_PER_WEEK) / 60);
  return { day: Math.floor(minutes / 1440), minute: minutes % 1440 };
}

/** A departure of a day [s since its midnight]. */
export function departureOf(random: Random): number {
  const total = DEPARTURES.reduce((sum, one) => sum + one, 0);
  let left = random() * total;
  let hour = 0;
  while (hour < 23 && left >= DEPARTURES[hour]) left -= DEPARTURES[hour++];
  return (hour + random()) * 3600;
}

export interface Reporting {
  /** Between points [s], and noise [m]. */
  interval: number;
  sigma: number;
}

/** Drives a route at the true speeds; the turns take as long as the engine counts, signals a random time. */
export function drive(
  leg: Leg,
  truth: TrueTimes,
  began: number,
  { interval, sigma }: Reporting,
  random: Random,
): Drive {
  const driver = Math.exp(DRIVER_SPREAD * normal(random));
  const trace: TimedPoint[] = [];
  let clock = began;
  let next = began;
  const report = (place: { latitude: number; longitude: number }) => {
    trace.push({ ...shifted(place, sigma, random), time: next });
    next += interval;
  };
  leg.edges.forEach(({ view, edge, from, to, duration }, i) => {
    const { tile } = view;
    const key = edgeKey(tile, edge);
    const turn = i === 0 ? 0 : Math.max(0, duration - (view.arcs.duration[edge] * (to - from)) / 10);
    const known = truth.edges.has(key);
    const seconds = known ? truth.moving(key, hourOfWeek(clock)) * driver * (to - from) : duration - turn;
    // The engine's time of a turn includes that of a signal, whose true wait is random.
    const passed = i > 0 ? edgeKey(leg.edges[i - 1].view.tile, leg.edges[i - 1].edge) : "";
    const wait = i > 0 ? truth.wait(passed, random) : 0;
    const signal = truth.edges.get(passed)?.signal ?? false;
    const stood = Math.max(0, turn - (signal ? ENGINE_SIGNAL_SECONDS : 0)) + wait;
    const line = edgeGeometry(tile, edge, from, to);
    while (next <= clock + stood) report(line[0]);
    clock += stood;
    while (next <= clock + seconds) report(placeAt(line, seconds > 0 ? (next - clock) / seconds : 0));
    clock += seconds;
  });
  return { trace, duration: clock - began };
}

/** Someone on foot or on a bike. */
export function travel(
  leg: Leg,
  speedShare: number,
  began: number,
  { interval, sigma }: Reporting,
  random: Random,
): TimedPoint[] {
  const trace: TimedPoint[] = [];
  let clock = began;
  let next = began;
  for (const { view, edge, from, to, duration } of leg.edges) {
    const seconds = duration * speedShare;
    const line = edgeGeometry(view.tile, edge, from, to);
    while (next <= clock + seconds) {
      trace.push({ ...shifted(placeAt(line, seconds > 0 ? (next - clock) / seconds : 0), sigma, random), time: next });
      next += interval;
    }
    clock += seconds;
  }
  return trace;
}

/** Parked, reporting once a minute. */
export function parked(last: TimedPoint, seconds: number, sigma: number, random: Random): TimedPoint[] {
  const count = Math.floor(seconds / 60);
  return Array.from({ length: count }, (_, i) => ({ ...shifted(last, sigma, random), time: last.time + 60 * (i + 1) }));
}

function shifted<T extends { latitude: number; longitude: number }>(place: T, sigma: number, random: Random) {
  return destination(destination(place, 0, normal(random) * sigma), 90, normal(random) * sigma);
}

export const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** All tiles of a build. */
export async function tilesOf({ store }: Router): Promise<Tile[]> {
  const tiles: Tile[] = [];
  for (let index = 0; index < store.manifest.tileCount; index++) {
    const tile = await store.tile(index);
    if (tile) tiles.push(tile);
  }
  return tiles;
}
