import { ByteReader, type ByteWriter } from "../../geo/bytes/bytes.ts";
import { Interned } from "../../geo/bytes/interned.ts";
import { type Calendar, readCalendar, writeCalendar } from "./calendar.ts";
import {
  type EdgeProfile,
  type HourlyPassage,
  isLeftLessFreely,
  isSamePassage,
  type Limit,
  ONLY_TO_STOPS,
  type Passage,
} from "./modes.ts";
import {
  appliesWithin,
  boundariesOf,
  entryAt,
  type FromMinute,
  isWithin,
  minutesUntil,
  type Span,
  type Times,
  type Timetable,
} from "./schedule.ts";
import type { TurnException } from "./topology.ts";

/**
 * What depends on the hour in a tile, after its columns, all numbers of variable length; nothing where nothing does:
 *
 *     passages    how many; each: profile × 8 + mode, + 4 for vehicles without limits, entries; each entry: from, speed, preference, 1 = restricted
 *     turns       how many; each: number of the exception, entries; each entry: from, modes
 *     limits      how many; each: profile × 8 + mode, kind, value, speed, spans; each span: from, until
 *     calendars   how many; each: see `writeCalendar`; then for each of the passages, turns and limits: 0, or the number of its calendar
 *
 * `from` is a minute of the week, or of the calendar; the first entry is from 0. Limits and calendars are absent where nothing follows.
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
    out.unsigned(hours.entries.length);
    for (const { from, speed, preference, restricted } of hours.entries) {
      for (const number of [from, speed, preference, restricted ? 1 : 0]) out.unsigned(number);
    }
  }
  out.unsigned(turns.length);
  for (const { number, hours } of turns) {
    out.unsigned(number);
    out.unsigned(hours.entries.length);
    for (const { from, modes } of hours.entries) for (const value of [from, modes]) out.unsigned(value);
  }
  const calendars = [...passages, ...turns, ...limits].map(({ hours }) => hours.calendar);
  const isDated = calendars.some((one) => one !== undefined);
  if (limits.length === 0 && !isDated) return;
  out.unsigned(limits.length);
  for (const { key, kind, value, speed, hours } of limits) {
    for (const number of [key, kind, value, speed, hours.spans.length, ...hours.spans.flat()]) out.unsigned(number);
  }
  if (isDated) writeCalendars(out, calendars);
}

function writeCalendars(out: ByteWriter, ofEach: readonly (Calendar | undefined)[]): void {
  const calendars = new Interned<Calendar>(JSON.stringify);
  const used = ofEach.map((calendar) => (calendar ? calendars.add(calendar) + 1 : 0));
  out.unsigned(calendars.values.length);
  for (const calendar of calendars.values) writeCalendar(out, calendar);
  for (const number of used) out.unsigned(number);
}

/** A timetable or times whose calendar, if it has one, is known only at the end. */
type Dated = { calendar?: Calendar | undefined };

/** Adds what depends on the hour to the profiles and exceptions of a tile; undefined where nothing does. */
export function readHours(
  bytes: Uint8Array,
  profiles: EdgeProfile[],
  exceptions: readonly TurnException[],
): HoursOfTile | undefined {
  if (bytes.length === 0) return undefined;
  const reader = new ByteReader(bytes);
  const passages = listOf(reader, () => {
    const key = reader.unsigned();
    const hours = entriesOf(reader, () => ({
      speed: reader.unsigned(),
      preference: reader.unsigned(),
      restricted: reader.unsigned() === 1,
    }));
    return { key, hours };
  });
  const turns = listOf(reader, () => ({
    exception: exceptions[reader.unsigned()],
    hours: entriesOf(reader, () => ({ modes: reader.unsigned() })),
  }));
  const has = () => reader.at < bytes.length;
  const limits = has() ? listOf(reader, () => limitOf(reader)) : [];
  if (has()) {
    const calendars = listOf(reader, () => readCalendar(reader));
    const all: { hours: Dated }[] = [...passages, ...turns, ...limits];
    for (const { hours } of all) hours.calendar = calendars[reader.unsigned() - 1];
  }
  return new HoursOfTile([
    ...passages.map(({ key, hours }) => addPassage(profiles, key, hours)),
    ...turns.map(({ exception, hours }) => addTurn(exception, hours)),
    ...limits.map(({ key, ...limit }) => addLimit(profiles, key, limit)),
  ]);
}

const listOf = <T>(reader: ByteReader, read: () => T): T[] => Array.from({ length: reader.unsigned() }, read);

function entriesOf<T>(reader: ByteReader, read: () => T): Timetable<T> {
  return { entries: listOf(reader, () => ({ from: reader.unsigned(), ...read() })) };
}

function limitOf(reader: ByteReader): { key: number; hours: Times } & Limit {
  const [key, kind, value, speed] = [reader.unsigned(), reader.unsigned(), reader.unsigned(), reader.unsigned()];
  return {
    key,
    kind,
    value,
    speed,
    hours: { spans: listOf(reader, (): Span => [reader.unsigned(), reader.unsigned()]) },
  };
}

function addPassage(
  profiles: EdgeProfile[],
  key: number,
  { calendar, entries }: Timetable<Pick<HourlyPassage, "speed" | "preference" | "restricted">>,
): Schedule {
  const [number, mode] = [key >> 3, key & 3];
  const profile = profiles[number];
  const limited = (key & LIMITED) === 0 ? undefined : profile.limited?.[mode];
  const passage = limited?.open ?? profile.passages[mode];
  const own = plain(passage);
  const hours: Timetable<HourlyPassage> = { calendar, entries: entries.map((entry) => ({ ...own, ...entry })) };
  // Profiles are shared between tiles; this one is not.
  const hourly = { ...passage, hours };
  profiles[number] = limited
    ? { ...profile, limited: profile.limited?.with(mode, { ...limited, open: hourly }) }
    : { ...profile, passages: profile.passages.with(mode, hourly) };
  const isBest = (entry: HourlyPassage) => isSamePassage(entry, passage) && !isLeftLessFreely(entry, hours.entries);
  return scheduleOf({ profile: number }, hours, isSamePassage, (entry) => (isBest(entry) ? 0 : 1 << mode));
}

function addTurn(exception: TurnException, hours: Timetable<{ modes: number }>): Schedule {
  exception.hours = hours;
  const isSame = (a: { modes: number }, b: { modes: number }) => a.modes === b.modes;
  return scheduleOf({ turn: exception }, hours, isSame, ({ modes }) => exception.modes & ~modes);
}

function addLimit(profiles: EdgeProfile[], key: number, limit: Limit & { hours: Times }): Schedule {
  const { calendar, spans } = limit.hours;
  const entries = boundariesOf([spans], calendar).map((from) => ({ from, applies: isWithin(spans, from) }));
  const profile = profiles[key >> 3];
  const own = profile.limited?.[key & 3];
  if (own) {
    const limited = { ...own, limits: [...own.limits, limit] };
    profiles[key >> 3] = { ...profile, limited: profile.limited?.with(key & 3, limited) };
  }
  // At other times, a road that leads only to stops is left less freely than at best.
  const worse = ({ applies }: { applies: boolean }) => (applies || limit.speed === ONLY_TO_STOPS ? 1 << (key & 3) : 0);
  return scheduleOf({ profile: key >> 3 }, { calendar, entries }, (a, b) => a.applies === b.applies, worse);
}

const LIMITED = 4;

const plain = ({ hours: _, ...passage }: Passage): HourlyPassage => passage;

/** What depends on the hour: edges of a profile, or a turn. */
export type HourlySubject =
  | { readonly profile: number; readonly turn?: undefined }
  | { readonly turn: TurnException; readonly profile?: undefined };

/** Its entries with the number of the first one that is the same, and the modes (bits) for which it is worse than the best of all hours. */
interface Schedule extends Timetable<{ state: number; worse: number }> {
  subject: HourlySubject;
}

function scheduleOf<T extends FromMinute>(
  subject: HourlySubject,
  hours: { calendar?: Calendar | undefined; entries: readonly T[] },
  isSame: (a: T, b: T) => boolean,
  worse: (entry: T) => number,
): Schedule {
  const entries = hours.entries.map((entry) => ({
    from: entry.from,
    state: hours.entries.findIndex((other) => isSame(entry, other)),
    worse: worse(entry),
  }));
  return { subject, calendar: hours.calendar, entries };
}

const NOTHING: readonly HourlySubject[] = [];
/** Most journeys end within this time, so that all that begin in a minute look up the same. */
const LOOK_AHEAD_MINUTES = 180;

/** After how many minutes from a local minute on each schedule is worse than the best of all hours; known for the next `minutes`. */
interface FirstWorse {
  minute: number;
  minutes: number;
  until: readonly number[];
  soonest: number;
}

/** The states of all that depends on the hour in a tile: views of the tile at different hours are the same in one state. */
export class HoursOfTile {
  readonly #schedules: readonly Schedule[];
  readonly #numbers = new Map<string, number>();
  readonly #turns: readonly TurnException[];
  /** By mode, of the departure that was asked for last: many requests begin in the same minute. */
  readonly #worse: (FirstWorse | undefined)[] = [];

  constructor(schedules: readonly Schedule[]) {
    this.#schedules = schedules;
    this.#turns = schedules.flatMap(({ subject }) => subject.turn ?? []);
  }

  /** Returns whether a turn itself depends on the hour. */
  isHourlyTurn(from: number, to: number): boolean {
    for (const turn of this.#turns) if (turn.from === from && turn.to === to) return true;
    return false;
  }

  /** Returns whether something changes within so many minutes from a local minute on. */
  changesWithin(minute: number, minutes: number): boolean {
    return this.#schedules.some((own) => {
      const { state } = entryAt(own, minute);
      return appliesWithin(own, minute, minutes, (entry) => entry.state !== state);
    });
  }

  /**
   * What is worse for a mode than the best of all hours at some time from a local minute on until so many minutes later. Everything
   * else costs then what it does at best.
   */
  worseWithin(mode: number, minute: number, minutes: number): readonly HourlySubject[] {
    let known = this.#worse[mode];
    if (known?.minute !== minute || known.minutes < minutes) {
      known = this.#firstWorse(1 << mode, minute, Math.max(minutes, LOOK_AHEAD_MINUTES));
      this.#worse[mode] = known;
    }
    if (known.soonest > minutes) return NOTHING;
    const { until } = known;
    return this.#schedules.filter((_, i) => until[i] <= minutes).map(({ subject }) => subject);
  }

  #firstWorse(bit: number, minute: number, minutes: number): FirstWorse {
    const isWorse = ({ worse }: { worse: number }) => (worse & bit) !== 0;
    const until = this.#schedules.map((own) => minutesUntil(own, minute, minutes, isWorse));
    return { minute, minutes, until, soonest: Math.min(...until) };
  }

  /** Returns whether everything is at its best for these modes (bits), all if absent, at these local minutes. */
  isBestAt(minutes: readonly number[], modes = -1): boolean {
    const isBest = (minute: number) => this.#schedules.every((own) => (entryAt(own, minute).worse & modes) === 0);
    return minutes.every(isBest);
  }

  /** The number of the state at these local minutes; 0 if there are none, and if everything is at its best. */
  stateAt(minutes: readonly number[]): number {
    if (minutes.length === 0 || this.isBestAt(minutes)) return 0;
    const states = new Set(minutes.map((minute) => this.#schedules.map((own) => entryAt(own, minute).state).join()));
    const key = [...states].sort().join(" ");
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#numbers.size + 1;
      this.#numbers.set(key, number);
    }
    return number;
  }
}
