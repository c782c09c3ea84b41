import { ByteReader, type ByteWriter } from "../../geo/bytes/bytes.ts";
import {
  type EdgeProfile,
  type HourlyPassage,
  isLeftLessFreely,
  isSamePassage,
  type Limit,
  ONLY_TO_STOPS,
  type Passage,
} from "./modes.ts";
import { boundariesOf, entryAt, type FromMinute, isWithin, type Span, WEEK } from "./schedule.ts";
import type { TurnException } from "./topology.ts";

/**
 * What depends on the hour in a tile, after its columns, all numbers of variable length; nothing where nothing does:
 *
 *     passages    how many; each: profile × 8 + mode, + 4 for vehicles without limits, entries; each entry: from, speed, preference, 1 = restricted
 *     turns       how many; each: number of the exception, entries; each entry: from, modes
 *     limits      how many; each: profile × 8 + mode, kind, value, speed, spans; each span: from, until; absent where there are none
 *
 * `from` is a minute of the week; the first entry is from 0.
 */
export function writeHours(
  out: ByteWriter,
  profiles: readonly EdgeProfile[],
  exceptions: readonly TurnException[],
): void {
  const passages = profiles.flatMap(({ passages: own, limited = [] }, number) => [
    ...own.flatMap(({ hours }, mode) => (hours ? [{ key: number * 8 + mode, hours }] : [])),
    ...limited.flatMap((one, mode) =>
      one?.open.hours ? [{ key: number * 8 + LIMITED + mode, hours: one.open.hours }] : [],
    ),
  ]);
  const turns = exceptions.flatMap(({ hours }, number) => (hours ? [{ number, hours }] : []));
  const limits = profiles.flatMap(({ limited = [] }, number) =>
    limited.flatMap((one, mode) =>
      (one?.limits ?? []).flatMap(({ hours, ...limit }) =>
        hours ? [{ key: number * 8 + mode, ...limit, hours }] : [],
      ),
    ),
  );
  if (passages.length + turns.length + limits.length === 0) return;
  out.unsigned(passages.length);
  for (const { key, hours } of passages) {
    out.unsigned(key);
    out.unsigned(hours.length);
    for (const { from, speed, preference, restricted } of hours) {
      for (const number of [from, speed, preference, restricted ? 1 : 0]) out.unsigned(number);
    }
  }
  out.unsigned(turns.length);
  for (const { number, hours } of turns) {
    out.unsigned(number);
    out.unsigned(hours.length);
    for (const { from, modes } of hours) for (const value of [from, modes]) out.unsigned(value);
  }
  if (limits.length === 0) return;
  out.unsigned(limits.length);
  for (const { key, kind, value, speed, hours } of limits) {
    for (const number of [key, kind, value, speed, hours.length, ...hours.flat()]) out.unsigned(number);
  }
}

/** Adds what depends on the hour to the profiles and exceptions of a tile; undefined where nothing does. */
export function readHours(
  bytes: Uint8Array,
  profiles: EdgeProfile[],
  exceptions: readonly TurnException[],
): HoursOfTile | undefined {
  if (bytes.length === 0) return undefined;
  const reader = new ByteReader(bytes);
  const schedules: Schedule[] = [];
  for (let count = reader.unsigned(); count > 0; count--) {
    const key = reader.unsigned();
    const [number, mode] = [key >> 3, key & 3];
    const profile = profiles[number];
    const limited = (key & LIMITED) === 0 ? undefined : profile.limited?.[mode];
    const passage = limited?.open ?? profile.passages[mode];
    const hours = entriesOf(reader, () => ({
      ...plain(passage),
      speed: reader.unsigned(),
      preference: reader.unsigned(),
      restricted: reader.unsigned() === 1,
    }));
    // Profiles are shared between tiles; this one is not.
    const hourly = { ...passage, hours };
    profiles[number] = limited
      ? { ...profile, limited: profile.limited?.with(mode, { ...limited, open: hourly }) }
      : { ...profile, passages: profile.passages.with(mode, hourly) };
    const isBest = (entry: HourlyPassage) => isSamePassage(entry, passage) && !isLeftLessFreely(entry, hours);
    schedules.push(scheduleOf({ profile: number }, hours, isSamePassage, (entry) => (isBest(entry) ? 0 : 1 << mode)));
  }
  for (let count = reader.unsigned(); count > 0; count--) {
    const exception = exceptions[reader.unsigned()];
    const hours = entriesOf(reader, () => ({ modes: reader.unsigned() }));
    exception.hours = hours;
    const isSame = (a: { modes: number }, b: { modes: number }) => a.modes === b.modes;
    schedules.push(scheduleOf({ turn: exception }, hours, isSame, ({ modes }) => exception.modes & ~modes));
  }
  for (let count = reader.at < bytes.length ? reader.unsigned() : 0; count > 0; count--) {
    const key = reader.unsigned();
    const [kind, value, speed] = [reader.unsigned(), reader.unsigned(), reader.unsigned()];
    const spans = Array.from({ length: reader.unsigned() }, (): Span => [reader.unsigned(), reader.unsigned()]);
    addLimit(profiles, key, { kind, value, speed, hours: spans });
    const entries = boundariesOf([spans]).map((from) => ({ from, applies: isWithin(spans, from) }));
    schedules.push(
      scheduleOf(
        { profile: key >> 3 },
        entries,
        (a, b) => a.applies === b.applies,
        // At other times, a road that leads only to stops is left less freely than at best.
        ({ applies }) => (applies || speed === ONLY_TO_STOPS ? 1 << (key & 3) : 0),
      ),
    );
  }
  return new HoursOfTile(schedules);
}

function addLimit(profiles: EdgeProfile[], key: number, limit: Limit): void {
  const profile = profiles[key >> 3];
  const own = profile.limited?.[key & 3];
  if (!own) return;
  const limited = { ...own, limits: [...own.limits, limit] };
  profiles[key >> 3] = { ...profile, limited: profile.limited?.with(key & 3, limited) };
}

const LIMITED = 4;

const plain = ({ hours: _, ...passage }: Passage): HourlyPassage => passage;

function entriesOf<T>(reader: ByteReader, read: () => T): (T & FromMinute)[] {
  return Array.from({ length: reader.unsigned() }, () => ({ from: reader.unsigned(), ...read() }));
}

/** What depends on the hour: edges of a profile, or a turn. */
export type HourlySubject =
  | { readonly profile: number; readonly turn?: undefined }
  | { readonly turn: TurnException; readonly profile?: undefined };

/** Its entries with the number of the first one that is the same, and the modes (bits) for which it is worse than the best of all hours. */
interface Schedule {
  subject: HourlySubject;
  entries: readonly (FromMinute & { state: number; worse: number })[];
}

function scheduleOf<T extends FromMinute>(
  subject: HourlySubject,
  hours: readonly T[],
  isSame: (a: T, b: T) => boolean,
  worse: (entry: T) => number,
): Schedule {
  const entries = hours.map((entry) => ({
    from: entry.from,
    state: hours.findIndex((other) => isSame(entry, other)),
    worse: worse(entry),
  }));
  return { subject, entries };
}

/** The states of all that depends on the hour in a tile: views of the tile at different hours are the same in one state. */
export class HoursOfTile {
  readonly #schedules: readonly Schedule[];
  readonly #numbers = new Map<string, number>();

  constructor(schedules: readonly Schedule[]) {
    this.#schedules = schedules;
  }

  /** Returns whether something may change within so many minutes from a minute of the week on. */
  changesWithin(minute: number, minutes: number): boolean {
    return this.#schedules.some(({ entries }) => entries.some(({ from }) => isAfter(from, minute, minutes)));
  }

  /**
   * What is worse for a mode than the best of all hours at some time from a minute of the week on until so many minutes later. Everything
   * else costs then what it does at best.
   */
  worseWithin(mode: number, minute: number, minutes: number): HourlySubject[] {
    const bit = 1 << mode;
    const isWorse = ({ entries }: Schedule) =>
      (entryAt(entries, minute).worse & bit) !== 0 ||
      entries.some(({ from, worse }) => (worse & bit) !== 0 && isAfter(from, minute, minutes));
    return this.#schedules.filter(isWorse).map(({ subject }) => subject);
  }

  /** Returns whether everything is at its best for these modes (bits), all if absent, at these minutes of the week. */
  isBestAt(minutes: readonly number[], modes = -1): boolean {
    const isBest = (minute: number) =>
      this.#schedules.every(({ entries }) => (entryAt(entries, minute).worse & modes) === 0);
    return minutes.every(isBest);
  }

  /** The number of the state at these minutes of the week; 0 if there are none, and if everything is at its best. */
  stateAt(minutes: readonly number[]): number {
    if (minutes.length === 0 || this.isBestAt(minutes)) return 0;
    const states = new Set(
      minutes.map((minute) => this.#schedules.map(({ entries }) => entryAt(entries, minute).state).join()),
    );
    const key = [...states].sort().join(" ");
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#numbers.size + 1;
      this.#numbers.set(key, number);
    }
    return number;
  }
}

/** Returns whether a minute of the week comes within so many minutes after another. */
function isAfter(at: number, minute: number, minutes: number): boolean {
  const after = (at - minute + WEEK) % WEEK;
  return after > 0 && after <= minutes;
}
