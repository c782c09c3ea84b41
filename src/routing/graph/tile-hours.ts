import { ByteReader, type ByteWriter } from "../../geo/bytes/bytes.ts";
import { type EdgeProfile, type HourlyPassage, isSamePassage, type Limit, type Passage } from "./modes.ts";
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
    schedules.push(scheduleOf(hours, isSamePassage, (entry) => isSamePassage(entry, passage)));
  }
  for (let count = reader.unsigned(); count > 0; count--) {
    const exception = exceptions[reader.unsigned()];
    const hours = entriesOf(reader, () => ({ modes: reader.unsigned() }));
    exception.hours = hours;
    const isSame = (a: { modes: number }, b: { modes: number }) => a.modes === b.modes;
    schedules.push(scheduleOf(hours, isSame, (entry) => isSame(entry, exception)));
  }
  for (let count = reader.at < bytes.length ? reader.unsigned() : 0; count > 0; count--) {
    const key = reader.unsigned();
    const [kind, value, speed] = [reader.unsigned(), reader.unsigned(), reader.unsigned()];
    const spans = Array.from({ length: reader.unsigned() }, (): Span => [reader.unsigned(), reader.unsigned()]);
    addLimit(profiles, key, { kind, value, speed, hours: spans });
    const entries = boundariesOf([spans]).map((from) => ({ from, applies: isWithin(spans, from) }));
    schedules.push(
      scheduleOf(
        entries,
        (a, b) => a.applies === b.applies,
        ({ applies }) => !applies,
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

/** Entries with the number of the first one that is the same, and whether they are the best of all. */
type Schedule = readonly (FromMinute & { state: number; isBest: boolean })[];

function scheduleOf<T extends FromMinute>(
  hours: readonly T[],
  isSame: (a: T, b: T) => boolean,
  isBest: (entry: T) => boolean,
): Schedule {
  return hours.map((entry) => ({
    from: entry.from,
    state: hours.findIndex((other) => isSame(entry, other)),
    isBest: isBest(entry),
  }));
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
    return this.#schedules.some((schedule) =>
      schedule.some(({ from }) => {
        const after = (from - minute + WEEK) % WEEK;
        return after > 0 && after <= minutes;
      }),
    );
  }

  /** Returns whether everything is at its best at these minutes of the week. */
  isBestAt(minutes: readonly number[]): boolean {
    return minutes.every((minute) => this.#schedules.every((schedule) => entryAt(schedule, minute).isBest));
  }

  /** The number of the state at these minutes of the week, 0 if there are none. */
  stateAt(minutes: readonly number[]): number {
    if (minutes.length === 0) return 0;
    const states = new Set(
      minutes.map((minute) => this.#schedules.map((schedule) => entryAt(schedule, minute).state).join()),
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
