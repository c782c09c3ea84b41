import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Tile } from "../../../src/core/routing/graph/tile.ts";
import type { LocalTime, TimeWindow } from "../../../src/core/routing/graph/traffic.ts";
import type { TimedPoint } from "../../../src/core/routing/learn/clean.ts";
import { edgesOfTile, type KnownEdge } from "../../../src/core/routing/learn/edge-facts.ts";
import type { EdgeKey } from "../../../src/core/routing/learn/edge-key.ts";
import { addDevice, type EdgeSums } from "../../../src/core/routing/learn/edge-sums.ts";
import { type LearnedSpeeds, SpeedEstimate } from "../../../src/core/routing/learn/estimate.ts";
import { featuresOf } from "../../../src/core/routing/learn/features.ts";
import { Observations } from "../../../src/core/routing/learn/observations.ts";
import { observe } from "../../../src/core/routing/learn/observe.ts";
import { residualFactor } from "../../../src/core/routing/learn/residual.ts";
import { SegmentIds } from "../../../src/core/routing/learn/segment-ids.ts";
import { speedLines } from "../../../src/core/routing/learn/speed-csv.ts";
import { type Example, trainResidual } from "../../../src/core/routing/learn/train-residual.ts";
import { chooseWindows, weekProfile } from "../../../src/core/routing/learn/windows.ts";
import type { Leg, Router } from "../../../src/core/routing/route/router.ts";
import { buildGraph } from "../../../src/importer/layers/roads/graph/build-graph.ts";
import { OperatorSpeeds } from "../../../src/importer/layers/roads/profiles/apply-speeds.ts";
import { readSpeedFile } from "../../../src/importer/layers/roads/profiles/speed-file.ts";
import type { OsmElement } from "../../../src/importer/osm/pbf/element.ts";
import { buildRoads } from "../../core/routing/graph/road-build.ts";
import { pointMaker } from "../../core/routing/search/compare.ts";
import { seededRandom } from "../support/random.ts";
import {
  departureOf,
  drive,
  localTime,
  parked,
  type Random,
  type Reporting,
  SECONDS_PER_WEEK,
  TrueTimes,
  tilesOf,
  travel,
} from "./learning-town.ts";

export interface TownOptions {
  elements: () => Iterable<OsmElement>;
  seed: number;
  devices: number;
  weeks: number;
  /** Trips of a device on a weekday. */
  trips: number;
  /** Trips of the held-out week. */
  heldOut: number;
  /** Shorter drives are not made [s]. */
  minTripSeconds?: number;
  /** How long edges take in truth. */
  truth?: (tiles: readonly Tile[], seed: number) => TrueTimes;
}

export interface Town {
  options: TownOptions;
  router: Router;
  truth: TrueTimes;
  edges: Map<EdgeKey, KnownEdge>;
  /** The router of drivers, who know the true times. */
  drivers: Router;
  point: () => { latitude: number; longitude: number };
}

const SIGMA = 8;
const MIN_TRIP_SECONDS = 240;

export async function openTown(options: TownOptions): Promise<Town> {
  const { router, build } = await buildRoads(buildGraph(options.elements()));
  const tiles = await tilesOf(router);
  const edges = new Map(tiles.flatMap((tile) => [...edgesOfTile(tile)]));
  const truth = options.truth?.(tiles, options.seed) ?? new TrueTimes(tiles, options.seed);
  const windows: TimeWindow[] = [
    ...[0, 6, 9, 15, 19].map((from, i, all) => ({ days: 31, from: from * 60, until: (all[i + 1] ?? 24) * 60 })),
    ...[0, 9, 20].map((from, i, all) => ({ days: 96, from: from * 60, until: (all[i + 1] ?? 24) * 60 })),
  ];
  const true_: LearnedSpeeds = {
    ...{ windows, edges: new Map(), classes: new Map(), signals: new Map() },
    delays: { signals: undefined, others: undefined },
  };
  for (const [key, { meters }] of edges) {
    const speedsKmh = windows.map(({ days, from, until }) => {
      const hour = (days === 31 ? 48 : 120) + (from + until) / 120;
      return Math.max(1, (meters / truth.mean(key, hour)) * 3.6);
    });
    true_.edges.set(key, { speedsKmh, traversals: 0, devices: 0, ratio: 1 });
  }
  const drivers = await routerWith(options.elements, true_, edges);
  return { options, router, truth, edges, drivers, point: pointMaker(build, options.seed) };
}

/** The file of an operator that knows the true speeds of the learned roads, in the learned windows. */
export function asMeasured({ truth, edges }: Town, learned: LearnedSpeeds): LearnedSpeeds {
  const hours = learned.windows.map(({ days, from, until }) => {
    const day = [0, 1, 2, 3, 4, 5, 6].find((one) => (days >> one) & 1)!;
    return day * 24 + (from + (until > from ? until : until + 1440)) / 120;
  });
  const speedsOf = (key: EdgeKey) =>
    hours.map((hour) => Math.max(1, (edges.get(key)!.meters / truth.mean(key, hour)) * 3.6));
  return {
    ...learned,
    edges: new Map(Array.from(learned.edges, ([key, one]) => [key, { ...one, speedsKmh: speedsOf(key) }])),
    signals: new Map(Array.from(learned.signals.keys(), (key) => [key, speedsOf(key)])),
  };
}

/** The router of a build with learned speeds, through the CSV that an operator would import. */
export async function routerWith(
  elements: () => Iterable<OsmElement>,
  learned: LearnedSpeeds,
  edges: ReadonlyMap<EdgeKey, KnownEdge>,
): Promise<Router> {
  const ids = new SegmentIds();
  for (const key of [...learned.edges.keys(), ...learned.signals.keys()]) ids.need(key, edges.get(key)!.line);
  for (const element of elements()) if (element.type === "node") ids.addNode(element);
  const folder = await mkdtemp(join(tmpdir(), "learning-"));
  try {
    const path = join(folder, "speeds.csv");
    await writeFile(path, [...speedLines(learned, (key) => ids.of(key))].join("\n"));
    const table = await readSpeedFile(path, (line, reason) => {
      throw new Error(`line ${line}: ${reason}`);
    });
    const speeds = new OperatorSpeeds(table);
    const { router } = await buildRoads(buildGraph(elements(), { speeds }));
    return router;
  } finally {
    await rm(folder, { recursive: true });
  }
}

export type Kind = "car" | "foot" | "bike";

export interface DeviceDay {
  device: number;
  kind: Kind;
  week: number;
  trace: TimedPoint[];
}

/** The days of all devices, one after the other. Some report rarely, some trips have gaps, and all park between trips. */
export async function* daysOf(town: Town): AsyncGenerator<DeviceDay> {
  const { options } = town;
  const random = seededRandom(options.seed * 7 + 1);
  for (let device = 0; device < options.devices; device++) {
    const kind: Kind = device % 10 < 8 ? "car" : device % 10 === 8 ? "foot" : "bike";
    const rate = random();
    const reporting: Reporting = { interval: rate < 0.1 ? 2 : rate < 0.7 ? 5 : rate < 0.93 ? 10 : 45, sigma: SIGMA };
    for (let day = 0; day < options.weeks * 7; day++) {
      const expected = options.trips * (day % 7 < 5 ? 1 : 0.6);
      const trips = Math.floor(expected) + (random() < expected % 1 ? 1 : 0);
      const starts = Array.from({ length: trips }, () => departureOf(random)).sort((a, b) => a - b);
      const trace: TimedPoint[] = [];
      for (const start of starts) {
        const began = Math.max(day * 86_400 + start, (trace[trace.length - 1]?.time ?? 0) + 1200);
        trace.push(...(await tripOf(town, kind, began, reporting, random)));
      }
      if (trace.length > 0) yield { device, kind, week: Math.floor(day / 7), trace };
    }
  }
}

async function tripOf(town: Town, kind: Kind, began: number, reporting: Reporting, random: Random) {
  const leg = await legOf(town, kind, began);
  if (!leg) return [];
  let trace =
    kind === "car"
      ? drive(leg, town.truth, began, reporting, random).trace
      : travel(leg, kind === "foot" ? 1 + random() * 0.4 : 0.75 + random() * 0.4, began, reporting, random);
  if (random() < 0.1) {
    const gap = began + random() * 600;
    trace = trace.filter(({ time }) => time < gap || time > gap + 150);
  }
  return trace.length > 0 ? [...trace, ...parked(trace[trace.length - 1], 900, SIGMA, random)] : [];
}

async function legOf({ drivers, point, options }: Town, mode: Kind, began: number): Promise<Leg | undefined> {
  for (let tries = 0; tries < 20; tries++) {
    const departure = localTime(began);
    const route = await drivers.route([point(), point()], { mode, reach: 300, departure }).catch(() => undefined);
    const least = options.minTripSeconds ?? MIN_TRIP_SECONDS;
    if (route && route.duration > least && route.duration < 2400) return route.legs[0];
  }
  return undefined;
}

export interface Learning {
  sums: EdgeSums;
  updates: number;
  /** [ms] */
  matching: number;
  observing: number;
}

/** Collects what devices saw, as the scheduled runs and the merge do. `cars`: collects those of cars once more, apart. */
export async function collect(town: Town, now: () => number = () => 0, cars?: Learning): Promise<Learning> {
  const learning: Learning = { sums: new Map(), updates: 0, matching: 0, observing: 0 };
  for await (const day of daysOf(town)) {
    const began = now();
    const seen = new Observations();
    const { matching } = await observe(day.trace, { routerFor: () => town.router, localTime, now }, seen);
    const weight = 0.5 ** ((town.options.weeks - 1 - day.week) / 4);
    addDevice(learning.sums, day.device, seen, weight);
    learning.updates += day.trace.length;
    learning.matching += matching;
    learning.observing += now() - began - matching;
    if (cars && day.kind === "car") addDevice(cars.sums, day.device, seen, weight);
  }
  return learning;
}

export function learn({ edges }: Pick<Town, "edges">, sums: EdgeSums, minimumDevices = 3): LearnedSpeeds {
  const estimate = new SpeedEstimate(chooseWindows(weekProfile(sums)), minimumDevices);
  estimate.add(sums, (key) => edges.get(key));
  for (const [key, known] of edges) if (known.hasSignal) estimate.addSignal(key, known);
  return estimate.finish();
}

export interface HeldOutTrip {
  from: { latitude: number; longitude: number };
  to: { latitude: number; longitude: number };
  began: number;
  duration: number;
}

/** Trips of the week after the last one that was learned. */
export async function heldOutTrips(town: Town): Promise<HeldOutTrip[]> {
  const random = seededRandom(town.options.seed * 7 + 3);
  const trips: HeldOutTrip[] = [];
  while (trips.length < town.options.heldOut) {
    const day = Math.floor(random() * 7);
    const began = town.options.weeks * SECONDS_PER_WEEK + day * 86_400 + departureOf(random);
    const leg = await legOf(town, "car", began);
    if (!leg) continue;
    const { duration } = drive(leg, town.truth, began, { interval: 60, sigma: 0 }, random);
    trips.push({ from: leg.start.location, to: leg.end.location, began, duration });
  }
  return trips;
}

/** Mean absolute error of arrival times, and bias, as shares of the true durations. */
export async function etaError(router: Router, trips: readonly HeldOutTrip[], withTime = true) {
  let [error, bias, count] = [0, 0, 0];
  for (const { from, to, began, duration } of trips) {
    const departure = withTime ? { departure: localTime(began) } : {};
    const route = await router.route([from, to], { mode: "car", reach: 300, ...departure });
    if (!route) continue;
    error += Math.abs(route.duration / duration - 1);
    bias += route.duration / duration - 1;
    count++;
  }
  return { error: error / count, bias: bias / count };
}

/** Errors of learned edges by at least so many traversals, as shares of the true mean times. */
export function edgeErrors({ truth }: Town, { edges, windows }: LearnedSpeeds, least: number): number[] {
  const errors: number[] = [];
  for (const [key, { speedsKmh, traversals }] of edges) {
    const known = truth.edges.get(key);
    if (!known || traversals < least) continue;
    // The window in the middle of a working day.
    const w = windows.findIndex(({ days, from, until }) => (days & 4) !== 0 && from <= 13 * 60 && until > 13 * 60);
    const { from, until } = windows[w];
    let true_ = 0;
    for (let hour = from / 60; hour < until / 60; hour++) true_ += truth.mean(key, 48 + hour);
    true_ /= (until - from) / 60;
    errors.push(Math.abs((known.meters / speedsKmh[w]) * 3.6 - true_) / true_);
  }
  return errors;
}

/** The largest change of a speed of an edge with at least ten traversals. */
export function changeOf(without: LearnedSpeeds, withAll: LearnedSpeeds): number {
  let most = 0;
  for (const [key, { speedsKmh, traversals }] of without.edges) {
    if (traversals < 10) continue;
    const other = withAll.edges.get(key)!;
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    most = Math.max(most, Math.abs(mean(other.speedsKmh) / mean(speedsKmh) - 1));
  }
  return most;
}

/** The residual model, trained on the first three quarters of trips in time and tested on the rest; and what it costs. */
export async function residualOn(router: Router, trips: readonly HeldOutTrip[]) {
  const examples: Example[] = [];
  const routes: { legs: Leg[]; departure: LocalTime }[] = [];
  for (const { from, to, began, duration } of [...trips].sort((a, b) => a.began - b.began)) {
    const departure = localTime(began);
    const route = await router.route([from, to], { mode: "car", reach: 300, departure });
    if (!route) continue;
    routes.push({ legs: route.legs, departure });
    examples.push({ features: featuresOf(route.legs, departure), predicted: route.duration, actual: duration });
  }
  const trained = trainResidual(examples);
  const before = performance.now();
  for (const { legs, departure } of routes) residualFactor(trained.model, featuresOf(legs, departure));
  return { ...trained, milliseconds: (performance.now() - before) / routes.length };
}
