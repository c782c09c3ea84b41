import {
  AVOID_FACTOR,
  AVOIDED,
  CAR,
  type EdgeProfile,
  type HourlyPassage,
  isSamePassage,
  type Limit,
  type Limited,
  mapPassage,
  ONLY_TO_STOPS,
  type Passage,
  TRUCK,
  type Variant,
} from "./modes.ts";
import { boundariesOf, entryFrom, isWithin, joinedEntries } from "./schedule.ts";

/** Kinds of limits. Values: cm; 10 kg; a number of axles; a tunnel category, 1 (B) … 4 (E); 1; 0.1 km/h; a number. */
export const LIMIT = {
  height: 0,
  width: 1,
  length: 2,
  weight: 3,
  axleLoad: 4,
  axles: 5,
  hazmat: 6,
  trailer: 7,
  /** Not a limit of a road: the highest speed in a cell, for vehicles with a lower one. */
  topSpeed: 8,
  /** A low-emission zone (`zones.ts`); it concerns only those who avoid it. */
  zone: 9,
} as const;

/** Low-emission zones to avoid: all, or some numbers. */
export type AvoidedZones = "all" | readonly number[];

/** What limits are compared with: the values of a vehicle by kind, and the zones to avoid. */
interface Judge {
  own: Float64Array;
  zones: AvoidedZones;
}

/** Tunnel restriction codes of dangerous goods (ADR 8.6.4), the most dangerous first. */
export const TUNNEL_CODES = ["B", "C", "D", "E"] as const;

/** Properties of a vehicle; an absent one is that of the default vehicle of the mode. */
export interface Vehicle {
  /** [m] */
  height?: number;
  width?: number;
  length?: number;
  /** [t] */
  weight?: number;
  axleLoad?: number;
  axles?: number;
  /** Dangerous goods: the index of their code in TUNNEL_CODES. */
  hazmat?: number;
  trailer?: boolean;
  /** [km/h] */
  maxSpeed?: number;
}

/** The largest vehicle that a mode stands for without parameters. */
const DEFAULT_VEHICLES: Readonly<Record<number, Vehicle>> = {
  [CAR]: { height: 2, width: 1.9, length: 4.8, weight: 2 },
  [TRUCK]: { height: 4.11, width: 2.6, length: 18, weight: 36 },
};

/** A limit's kind and value as one number. */
const limitCode = ({ kind, value }: Pick<Limit, "kind" | "value">): number => kind * 65536 + value;

/** The values of a vehicle by kind, in units of limits; NaN, which exceeds nothing, where it has none. */
function measures(vehicle: Vehicle): Float64Array {
  const own = new Float64Array(8).fill(Number.NaN);
  const set = (kind: number, value: number | undefined, units: number) => {
    // Products such as 4.11 × 100 are not exact.
    if (value !== undefined) own[kind] = Math.round(value * units * 1000) / 1000;
  };
  set(LIMIT.height, vehicle.height, 100);
  set(LIMIT.width, vehicle.width, 100);
  set(LIMIT.length, vehicle.length, 100);
  set(LIMIT.weight, vehicle.weight, 100);
  set(LIMIT.axleLoad, vehicle.axleLoad, 100);
  set(LIMIT.axles, vehicle.axles, 1);
  set(LIMIT.hazmat, vehicle.hazmat, 1);
  set(LIMIT.trailer, vehicle.trailer ? 1 : undefined, 1);
  return own;
}

function exceeds({ own, zones }: Judge, kind: number, value: number): boolean {
  if (kind === LIMIT.zone) return zones === "all" || zones.includes(value);
  // A gap as wide as the vehicle is too narrow.
  if (kind === LIMIT.width || kind === LIMIT.trailer) return own[kind] >= value;
  // A tunnel of category D is closed to codes B, C and D.
  if (kind === LIMIT.hazmat) return own[kind] < value;
  return own[kind] > value;
}

/** The lowest of the speeds of exceeded limits that apply at all hours; one above all speeds if none is. */
function slowest(judge: Judge, limited: Limited | undefined): number {
  let speed = ONLY_TO_STOPS;
  for (const limit of limited?.limits ?? [])
    if (!limit.hours && limit.speed < speed && exceeds(judge, limit.kind, limit.value)) speed = limit.speed;
  return speed;
}

/** A passage for a vehicle that exceeds some limits. */
function slowed(one: HourlyPassage, exceeded: readonly Limit[]): HourlyPassage {
  const has = (special: number) => exceeded.some(({ speed }) => speed === special);
  return {
    ...one,
    speed: exceeded.reduce((most, { speed }) => Math.min(most, speed === AVOIDED ? most : speed), one.speed),
    restricted: one.restricted || has(ONLY_TO_STOPS),
    preference: has(AVOIDED) ? one.preference / AVOID_FACTOR : one.preference,
  };
}

/** A passage with limits that apply at some hours. The best of all hours stays what it is without them. */
function slowedAtTimes(passage: Passage, timed: readonly Limit[]): Passage {
  const { hours, ...best } = passage;
  // All that depends on the hour on an edge is in one calendar.
  const calendar = hours?.calendar ?? timed[0].hours?.calendar;
  const spansOf = (limit: Limit) => limit.hours?.spans ?? [];
  const own = hours?.entries ?? [{ ...best, from: 0 }];
  const minutes = new Set([...boundariesOf(timed.map(spansOf), calendar), ...own.map(({ from }) => from)]);
  const entries = [...minutes]
    .sort((a, b) => a - b)
    .map((from) => {
      const { from: _, ...one } = entryFrom(own, from);
      const applying = timed.filter((limit) => isWithin(spansOf(limit), from));
      return { ...(one.speed > 0 ? slowed(one, applying) : one), from };
    });
  return { ...best, hours: { calendar, entries: joinedEntries(entries, isSamePassage) } };
}

function passageOf(judge: Judge, { passages, limited }: EdgeProfile, mode: number): Passage {
  const limits = limited?.[mode];
  if (!limits) return passages[mode];
  const exceeded = limits.limits.filter(({ kind, value }) => exceeds(judge, kind, value));
  const passage = mapPassage(limits.open, (one) =>
    slowed(
      one,
      exceeded.filter(({ hours }) => !hours),
    ),
  );
  const timed = exceeded.filter(({ hours }) => hours);
  return timed.length > 0 ? slowedAtTimes(passage, timed) : passage;
}

const DEFAULTS: Readonly<Record<number, Judge | undefined>> = {
  [CAR]: { own: measures(DEFAULT_VEHICLES[CAR]), zones: [] },
  [TRUCK]: { own: measures(DEFAULT_VEHICLES[TRUCK]), zones: [] },
};

/** The passage of the default vehicle of a mode. */
export function defaultPassage(profile: EdgeProfile, mode: number): Passage {
  const judge = DEFAULTS[mode];
  return judge ? passageOf(judge, profile, mode) : profile.passages[mode];
}

const NO_VEHICLE: Vehicle = {};

/**
 * A vehicle, and the low-emission zones it avoids, as a variant of its mode; undefined if nothing differs, or for a mode
 * without vehicles.
 */
export function variantOf(mode: number, vehicle: Vehicle = NO_VEHICLE, zones: AvoidedZones = []): Variant | undefined {
  const byDefault = DEFAULTS[mode];
  if (!byDefault || (vehicle === NO_VEHICLE && zones.length === 0)) return undefined;
  const own = measures({ ...DEFAULT_VEHICLES[mode], ...vehicle });
  const { maxSpeed } = vehicle;
  const cap = maxSpeed === undefined ? Number.POSITIVE_INFINITY : Math.max(1, Math.round(maxSpeed * 10));
  const isDefault = own.every((value, kind) => Object.is(value, byDefault.own[kind]));
  if (isDefault && maxSpeed === undefined && zones.length === 0) return undefined;
  const judge: Judge = { own, zones };
  return {
    id: `${own.join()},${cap},${zones === "all" ? zones : [...zones].sort((a, b) => a - b).join("+")}`,
    keyOf(codes) {
      let key = "";
      for (const code of codes) {
        const kind = code >> 16;
        const value = code & 65535;
        if (kind === LIMIT.topSpeed) {
          if (cap < value) key += `s${cap}`;
        } else if (exceeds(judge, kind, value) !== exceeds(byDefault, kind, value)) key += `,${code}`;
      }
      return key;
    },
    passage(profile, edgeMode) {
      const passage = passageOf(judge, profile, edgeMode);
      if (passage.speed <= cap) return passage;
      return mapPassage(passage, (one) => ({ ...one, speed: Math.min(one.speed, cap) }));
    },
    inTraffic: (speed, profile, edgeMode) => Math.min(speed, cap, slowest(judge, profile.limited?.[edgeMode])),
  };
}

/**
 * The codes of the limits on edges with some profiles, and the highest speed there, ascending: what `Variant.keyOf` decides by.
 * `fastest`: the highest speed of traffic [0.1 km/h].
 */
export function limitCodes(profiles: Iterable<EdgeProfile>, mode: number, fastest = 0): Int32Array {
  const codes = new Set<number>();
  let top = fastest;
  for (const { passages, limited } of profiles) {
    const limits = limited?.[mode];
    top = Math.max(top, (limits?.open ?? passages[mode]).speed);
    for (const limit of limits?.limits ?? []) codes.add(limitCode(limit));
  }
  if (top > 0) codes.add(limitCode({ kind: LIMIT.topSpeed, value: top }));
  return Int32Array.from(codes).sort();
}

/** The codes of several cells together. */
export function joinedCodes(cells: readonly Int32Array[]): Int32Array {
  const codes = new Set<number>();
  let top = 0;
  for (const cell of cells) {
    for (const code of cell) {
      if (code >> 16 === LIMIT.topSpeed) top = Math.max(top, code);
      else codes.add(code);
    }
  }
  if (top > 0) codes.add(top);
  return Int32Array.from(codes).sort();
}
