import { distance } from "../../../src/core/geo/distance.ts";
import type { Tile } from "../../../src/core/routing/graph/tile.ts";
import type { TimedPoint } from "../../../src/core/routing/learn/clean.ts";
import type { EdgeKey } from "../../../src/core/routing/learn/edge-key.ts";
import { addDevice, type EdgeSums } from "../../../src/core/routing/learn/edge-sums.ts";
import { Observations } from "../../../src/core/routing/learn/observations.ts";
import { observe } from "../../../src/core/routing/learn/observe.ts";
import { isCollectedWith } from "../../../src/core/routing/learn/weeks.ts";
import type { Leg, Router } from "../../../src/core/routing/route/router.ts";
import { seededRandom } from "../support/random.ts";
import type { Town } from "./learning-run.ts";
import { drive, localTime, normal, parked, type Random, type Reporting, TrueTimes, travel } from "./learning-town.ts";

/** The importance of a class for traffic: how much of its speed a jam can take. */
const JAM_DEPTH: Record<string, number> = { motorway: 0.7, trunk: 0.7, primary: 0.65, secondary: 0.55, tertiary: 0.4 };
const SIDE_DEPTH = 0.15;
/** 30 zones are squares of this many degrees, about 500 m; in them cars are driven at this pace [s/m]. */
const ZONE_DEGREES = 0.005;
const ZONE_SHARE = 0.4;
const ZONE_PACE = 3.6 / 26;

/**
 * A town whose true speeds nothing was tuned by: each class has a random share of the map's speed, main roads jam toward the center in the
 * morning and out of it in the evening, each edge to its own degree, some squares are 30 zones, and weekends have shoppers at noon.
 */
export class HiddenTimes extends TrueTimes {
  readonly #seed: number;
  readonly #shares = new Map<string, number>();
  readonly #jams = new Map<EdgeKey, { depth: number; inbound: boolean; inZone: boolean }>();
  readonly #peaks: { morning: number; evening: number };

  constructor(tiles: readonly Tile[], seed: number) {
    super(tiles, seed);
    this.#seed = seed;
    const random = seededRandom(seed * 13 + 5);
    this.#peaks = { morning: 7.2 + random() * 1.2, evening: 16.2 + random() * 1.5 };
    const ends = [...this.edges.values()].map(({ line }) => line[0]);
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const center = {
      latitude: mean(ends.map(({ latitude }) => latitude)),
      longitude: mean(ends.map(({ longitude }) => longitude)),
    };
    for (const name of [...new Set([...this.edges.values()].map(({ roadClass }) => roadClass))].sort()) {
      this.#shares.set(name, 0.6 + random() * 0.4);
    }
    for (const [key, { line, roadClass }] of this.edges) {
      const depth = (JAM_DEPTH[roadClass] ?? SIDE_DEPTH) * this.#hash(key);
      const inbound = distance(line[line.length - 1], center) < distance(line[0], center);
      const square = line[0].latitude / ZONE_DEGREES;
      const zone = `${Math.floor(square)},${Math.floor(line[0].longitude / ZONE_DEGREES)}`;
      const inZone = !(roadClass in JAM_DEPTH) && this.#hash(zone) < ZONE_SHARE;
      this.#jams.set(key, { depth, inbound, inZone });
    }
  }

  /** 0 ≤ x < 1 by a text and the seed. */
  #hash(text: string): number {
    let hash = Math.imul(this.#seed | 1, 0x9e3779b1);
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
  }

  #traffic(hour: number, inbound: boolean): number {
    const day = Math.floor(hour / 24);
    const at = (Math.floor(hour) % 24) + 0.5;
    const peak = (middle: number, width: number) => Math.exp(-(((at - middle) / width) ** 2));
    if (day === 5) return 0.6 * peak(13, 3);
    if (day === 6) return 0.25 * peak(15, 4);
    const early = day === 4 ? 1.5 : 0;
    const { morning, evening } = this.#peaks;
    const noon = 0.25 * peak(13, 3.5);
    return Math.min(
      1,
      noon + (inbound ? 1 : 0.4) * peak(morning, 1.2) + (inbound ? 0.4 : 1) * peak(evening - early, 1.5),
    );
  }

  override moving(key: EdgeKey, hour: number): number {
    const { pace, meters, roadClass, own } = this.edges.get(key)!;
    const { depth, inbound, inZone } = this.#jams.get(key)!;
    const free = Math.min(1.1, this.#shares.get(roadClass)! * own) * (1 - depth * this.#traffic(hour, inbound));
    const seconds = (pace * meters) / free;
    return inZone ? Math.max(seconds, ZONE_PACE * meters) : seconds;
  }
}

type Kind = "commuter" | "driver" | "van" | "bike" | "foot";

interface Device {
  id: number;
  kind: Kind;
  /** Home, work, and other places that the device visits; empty: any. */
  places: { latitude: number; longitude: number }[];
  reporting: Reporting;
  /** The share of its days whose updates arrive late. */
  lateShare: number;
  random: Random;
}

const HOUR = 3600;
const DAY = 86_400;

/** The devices of a town; one alone drives all day between the same places, and delivers. */
export function devicesOf({ point, options }: Town): Device[] {
  const random = seededRandom(options.seed * 7 + 1);
  return Array.from({ length: options.devices }, (_, id): Device => {
    const roll = id % 20;
    const kind: Kind =
      options.devices === 1 || (roll >= 13 && roll < 17)
        ? "van"
        : roll < 7
          ? "commuter"
          : roll < 13
            ? "driver"
            : roll < 19
              ? "bike"
              : "foot";
    const count = options.devices === 1 ? 8 : kind === "commuter" ? 2 : 0;
    const interval = [2, 5, 5, 5, 10, 10, 20, 40][Math.floor(random() * (options.devices === 1 ? 5 : 8))];
    return {
      ...{ id, kind, places: Array.from({ length: count }, point), reporting: { interval, sigma: 4 + random() * 6 } },
      ...{ lateShare: random() < 0.3 ? 0.5 : 0.05, random: seededRandom(options.seed * 1009 + id) },
    };
  });
}

/** The hours at which a device sets out on a day of the week, ascending [h]. */
function departures({ kind, places, random }: Device, day: number): number[] {
  const between = (from: number, until: number) => from + random() * (until - from);
  const isWeekend = day % 7 >= 5;
  const all: number[] = [];
  if (isWeekend && kind !== "bike") {
    for (let trip = places.length > 2 ? 6 : 1.2; trip > random(); trip--) all.push(between(9, 22));
  } else if (kind === "commuter") {
    all.push(between(6.3, 8.7), between(15.5, 18.5));
    if (random() < 0.4) all.push(between(19, 21.9));
  } else if (kind === "van" && places.length > 0) for (let h = 6; h < 22; h += 1) all.push(between(h, h + 0.4));
  else if (kind === "van") all.push(between(8, 9), between(12, 13.5), 15.5);
  else for (let trip = 3; trip > random(); trip--) all.push(between(6, 22));
  return all.sort((a, b) => a - b);
}

type Places = Device["places"];

/** A drive by those who know the true times. */
export async function driveFrom(
  town: Town,
  began: number,
  choose: () => Places[number],
  mode: "car" | "bike" | "foot" = "car",
  [least, most] = [240, 2400],
): Promise<Leg | undefined> {
  for (let tries = 0; tries < 30; tries++) {
    const options = { mode, reach: 300, departure: localTime(began) };
    const route = await town.drivers.route([choose(), choose()], options).catch(() => undefined);
    if (route && route.duration > least && route.duration < most) return route.legs[0];
  }
  return undefined;
}

/** Stops of a delivery round, each some hundred meters on, with the vehicle standing for up to four minutes. */
async function round(town: Town, device: Device, began: number, stops: number): Promise<TimedPoint[]> {
  const { random, reporting } = device;
  const trace: TimedPoint[] = [];
  let clock = began;
  let at = device.places[0] ?? town.point();
  for (let stop = 0; stop < stops; stop++) {
    const shift = () => (random() - 0.5) * 0.012;
    const next = { latitude: at.latitude + shift(), longitude: at.longitude + shift() };
    const options = { mode: "car" as const, reach: 300, departure: localTime(clock) };
    const route = await town.drivers.route([at, next], options).catch(() => undefined);
    if (!route || route.duration < 20 || route.duration > 600) continue;
    const { trace: way, duration } = drive(route.legs[0], town.truth, clock, reporting, random);
    trace.push(...way);
    clock += duration;
    at = route.legs[0].end.location;
    const stood = 25 + random() * 215;
    for (let s = reporting.interval; s < stood; s += reporting.interval) {
      trace.push({ ...jittered(at, reporting.sigma, random), time: clock + s });
    }
    clock += stood;
  }
  return trace;
}

function jittered<T extends Places[number]>(place: T, sigma: number, random: Random): Places[number] {
  return {
    latitude: place.latitude + (normal(random) * sigma) / 111_000,
    longitude: place.longitude + (normal(random) * sigma) / 80_000,
  };
}

/** The trace of a device's day. */
async function dayOfDevice(town: Town, device: Device, day: number): Promise<TimedPoint[]> {
  const { kind, places, reporting, random } = device;
  const trace: TimedPoint[] = [];
  for (const [i, hour] of departures(device, day).entries()) {
    const last = trace[trace.length - 1];
    const began = Math.max(day * DAY + hour * HOUR, last ? last.time + 600 : 0);
    if (kind === "van" && i % 3 === 1) {
      trace.push(...(await round(town, device, began, places.length > 0 ? 8 : 25)));
      continue;
    }
    let turn = i;
    const anywhere = () => places[Math.floor(random() * places.length)] ?? town.point();
    const choose = kind === "commuter" && i < 2 ? () => places[turn++ % 2] : anywhere;
    const mode = kind === "bike" || kind === "foot" ? kind : "car";
    const leg = await driveFrom(town, began, choose, mode, mode === "car" ? [120, 2400] : [300, 2400]);
    if (!leg) continue;
    const way =
      mode === "car"
        ? drive(leg, town.truth, began, reporting, random).trace
        : travel(leg, 0.8 + random() * 0.4, began, reporting, random);
    if (way.length > 0) trace.push(...way, ...parked(way[way.length - 1], 480, reporting.sigma, random));
  }
  return trace;
}

export interface Collected {
  sums: EdgeSums;
  /** By hour of the week: devices that drove. */
  drivers: number[];
}

/** Collects `days` as the scheduled runs do; what arrives late counts with the next day. */
export async function collectDays(town: Town, days: number): Promise<Collected[]> {
  const after: Collected[] = [];
  const devices = devicesOf(town).map((device) => ({ ...device, drives: false, left: [] as TimedPoint[] }));
  const weeks: { device: number; week: number; seen: Observations }[] = [];
  const drivers = Array.from({ length: 168 }, () => new Set<number>());
  for (let day = 0; day < days; day++) {
    for (const device of devices) {
      const made = await dayOfDevice(town, device, day);
      const late = device.random() < device.lateShare ? (3 + device.random() * 17) * HOUR : 0;
      const isDriver = device.kind !== "bike" && device.kind !== "foot";
      for (const { time } of made) if (isDriver) drivers[Math.floor(time / HOUR) % 168].add(device.id);
      const own = made.filter(({ time }) => isCollectedWith(day, time * 1000, (time + late) * 1000));
      const trace = [...device.left, ...own];
      device.left = made.filter((point) => !own.includes(point));
      if (trace.length === 0) continue;
      const seen = new Observations();
      const observing = { routerFor: () => town.router, localTime, isDriver: device.drives };
      const { traversals } = await observe(trace, observing, seen);
      device.drives ||= traversals > 0;
      weeks.push({ device: device.id, week: Math.floor(day / 7), seen });
    }
    const sums: EdgeSums = new Map();
    for (const { device, week, seen } of weeks)
      addDevice(sums, device, seen, 0.5 ** ((Math.floor(day / 7) - week) / 4));
    after.push({ sums, drivers: drivers.map(({ size }) => size) });
  }
  return after;
}

/** The mean error of a router's durations of trips at an hour of the week, as a share of the true mean duration. */
export async function errorAt(router: Router, trips: readonly Trip[], withTime = true): Promise<number> {
  let error = 0;
  for (const { from, to, began, duration } of trips) {
    const options = { mode: "car" as const, reach: 300, ...(withTime && { departure: localTime(began) }) };
    const route = await router.route([from, to], options);
    error += Math.abs((route?.duration ?? 0) / duration - 1);
  }
  return error / trips.length;
}

export interface Trip {
  from: Places[number];
  to: Places[number];
  began: number;
  duration: number;
}

/** Trips of each hour of the week that nobody learned from; of one device, between its places. */
export async function tripsByHour(town: Town, count: number): Promise<Trip[][]> {
  const random = seededRandom(town.options.seed * 7 + 3);
  const [{ places }] = devicesOf(town);
  const choose = () => (town.options.devices === 1 ? places[Math.floor(random() * places.length)] : town.point());
  const hours: Trip[][] = [];
  for (let hour = 0; hour < 168; hour++) {
    const trips: Trip[] = [];
    while (trips.length < count) {
      const began = (hour + random()) * HOUR;
      const leg = await driveFrom(town, began, choose);
      if (!leg) continue;
      trips.push({ from: leg.start.location, to: leg.end.location, began, duration: town.truth.expected(leg, began) });
    }
    hours.push(trips);
  }
  return hours;
}
