import { entryAt, type Times, type Timetable } from "./schedule.ts";

/** Modes of travel. The order is the order of the modes in every routing object. */
export const MODES = ["car", "truck", "foot", "bike"] as const;
export type Mode = (typeof MODES)[number];

export const CAR = 0;
export const TRUCK = 1;
export const FOOT = 2;
export const BIKE = 3;

/** Road types that can be avoided; an avoid set is the sum of these bits. */
export const AVOID_BITS = { tolls: 1, highways: 2, ferries: 4, borderCrossings: 8 } as const;
export type Avoid = keyof typeof AVOID_BITS;

/**
 * Avoided roads cost this many times their time when routes are compared; reported durations are unaffected. A penalty,
 * not a ban: a start on a toll road still has a way out, and any combination has a result.
 */
export const AVOID_FACTOR = 20;

export function avoidBits(avoid: readonly Avoid[] = []): number {
  let bits = 0;
  for (const name of avoid) bits |= AVOID_BITS[name];
  return bits;
}

/**
 * The quantity to minimize: a mode, the sum of the bits to avoid, and the times (see `traffic.ts`; default speeds if
 * absent).
 */
export interface Metric {
  mode: number;
  avoid: number;
  bucket?: number;
  /**
   * Local minutes (`minuteOf`) at which conditional restrictions are considered: the worst of them counts. Absent: the best that is
   * possible at some hour, as the overlay has it. Only for the roads of single tiles.
   */
  minutes?: readonly number[];
  /** What differs from the default vehicle of the mode. */
  variant?: Variant | undefined;
}

/**
 * A vehicle unlike the default one of its mode. Stored cliques are those of the default vehicle: they are exact in a cell in
 * which no limit has another verdict (`keyOf`), and computed again in the others.
 */
export interface Variant {
  /** Variants with the same id have the same passages. */
  readonly id: string;
  /**
   * Which of the limits in a cell have another verdict than for the default vehicle, as a text; empty if none. Where two
   * variants have the same key, everything is the same for both.
   */
  keyOf(codes: Iterable<number>): string;
  passage(profile: EdgeProfile, mode: number): Passage;
  /** The vehicle's speed [0.1 km/h] on an edge, of which `profile` is stored, in traffic with the given speed. */
  inTraffic(speed: number, profile: EdgeProfile, mode: number): number;
}

/** A limit of an edge: a vehicle that exceeds it goes at most at `speed`. */
export interface Limit {
  kind: number;
  /** In the units of its kind (`vehicle.ts`). */
  value: number;
  /** [0.1 km/h]; 0 closed, ONLY_TO_STOPS, AVOIDED. */
  speed: number;
  /** Applies at these times; absent for always. */
  hours?: Times | undefined;
}

/** The speed of a limit that opens the road only to vehicles that start or end there. */
export const ONLY_TO_STOPS = 65535;

/** The speed of a limit that makes the road as expensive as others that are avoided. */
export const AVOIDED = 65534;

/** An edge for one mode, if it has limits: its passage for a vehicle that exceeds none, and the limits. */
export interface Limited {
  open: Passage;
  limits: readonly Limit[];
}

/** How an edge is passed by a mode. */
export const TRAVEL = { normal: 0, ferry: 1, pushing: 2, train: 3 } as const;
export type Travel = (typeof TRAVEL)[keyof typeof TRAVEL];

/** Properties of an edge for one mode in one direction. Where these depend on the hour, the best of each. */
export interface Passage extends HourlyPassage {
  /** Properties by the hour; absent if they are always the same. */
  hours?: Timetable<HourlyPassage>;
}

/** Properties at some time. */
export interface HourlyPassage {
  /** [0.1 km/h], 1 … 65535; 0 = may not be used. */
  speed: number;
  /** Weight = duration × 100 / preference: 100 neutral, 50 twice as unattractive. 1 … 255. */
  preference: number;
  travel: Travel;
  /** Only for traffic that starts or ends here (destination, private, customers, delivery). */
  restricted: boolean;
  /** No journey starts or ends here: the private drives of others. */
  private: boolean;
  /** Sum of AVOID_BITS that this edge carries for the mode. */
  avoid: number;
}

/** An edge in one direction for all modes, in the order of MODES. Edges share equal records. */
export interface EdgeProfile {
  passages: readonly Passage[];
  leftHand: boolean;
  /** Time until a ferry leaves after arriving at it [min], 1 … 127; absent elsewhere. */
  boarding?: number;
  /** By mode, for cars and trucks: where vehicles differ. `passages` are those of the default vehicles. */
  limited?: readonly (Limited | undefined)[];
}

const PROPERTIES = ["speed", "preference", "restricted"] as const;

/** What differs between two passages of one edge: only these properties depend on the hour. */
export const isSamePassage = (a: HourlyPassage, b: HourlyPassage): boolean =>
  PROPERTIES.every((name) => a[name] === b[name]);

/** Is a road open to through traffic only if that starts or ends there? */
const isOnlyToStops = ({ speed, restricted }: HourlyPassage): boolean => speed > 0 && restricted;

/**
 * Does leaving a road for another one that is restricted cost more at this hour than at best? That is free from a road that is restricted,
 * and at best from one that is at some hour.
 */
export const isLeftLessFreely = (entry: HourlyPassage, hours: readonly HourlyPassage[]): boolean =>
  !isOnlyToStops(entry) && hours.some(isOnlyToStops);

/** A passage at these local minutes, the worst of them; the best of all hours if there are none. */
export function passageAt(passage: Passage, minutes: readonly number[]): HourlyPassage {
  const { hours } = passage;
  if (!hours || minutes.length === 0) return passage;
  const all = minutes.map((minute) => entryAt(hours, minute));
  return all.length === 1 ? all[0] : all.reduce<HourlyPassage>(worse, all[0]);
}

function worse(a: HourlyPassage, b: HourlyPassage): HourlyPassage {
  if (a.speed === 0 || b.speed === 0) return a.speed === 0 ? a : b;
  return {
    ...a,
    speed: Math.min(a.speed, b.speed),
    preference: Math.min(a.preference, b.preference),
    restricted: a.restricted || b.restricted,
  };
}

/** A passage changed in the same way at all hours when it is open. */
export function mapPassage(passage: Passage, change: (own: HourlyPassage) => HourlyPassage): Passage {
  const { hours, ...best } = passage;
  const mapped = best.speed > 0 ? change(best) : best;
  if (!hours) return mapped;
  const entries = hours.entries.map(({ from, ...own }) => ({ ...(own.speed > 0 ? change(own) : own), from }));
  return { ...mapped, hours: { ...hours, entries } };
}

/** The best of some passages in every respect: none of them is faster or lighter. */
export function bestPassage(passages: readonly HourlyPassage[]): HourlyPassage {
  const open = passages.filter(({ speed }) => speed > 0);
  if (open.length === 0) return passages[0];
  const fastest = open.reduce((best, one) => (one.speed > best.speed ? one : best));
  return {
    speed: fastest.speed,
    preference: Math.max(...open.map(({ preference }) => preference)),
    travel: fastest.travel,
    restricted: open.every(({ restricted }) => restricted),
    private: open.every((one) => one.private),
    avoid: open.reduce((bits, { avoid }) => bits & avoid, open[0].avoid),
  };
}
