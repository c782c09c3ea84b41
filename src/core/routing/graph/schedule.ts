import { beginningsIn, type Calendar, lengthOf, minuteIn, WEEK } from "./calendar.ts";

/** From a minute of the week (0 = Monday 00:00), or of a calendar, until another, exclusive; from < until. */
export type Span = readonly [from: number, until: number];

/** Times of the week, or of a calendar. */
export interface Times {
  calendar?: Calendar | undefined;
  spans: readonly Span[];
}

/** What applies from a minute of the week, or of a calendar, on, until the next entry. */
export interface FromMinute {
  from: number;
}

/** What applies when. The entries cover the week, or the calendar: the first is from 0. */
export interface Timetable<T> {
  calendar?: Calendar | undefined;
  entries: readonly (T & FromMinute)[];
}

/** @param minute local, since some Monday 00:00; for calendars, since Monday 5 January 1970 */
export const entryAt = <T>({ calendar, entries }: Timetable<T>, minute: number): T & FromMinute =>
  entryFrom(entries, minuteIn(calendar, minute));

/** The entry that applies at a minute of the week or of the calendar. */
export function entryFrom<T extends FromMinute>(entries: readonly T[], minute: number): T {
  let found = entries[0];
  for (const entry of entries) {
    if (entry.from > minute) break;
    found = entry;
  }
  return found;
}

export const isWithin = (spans: readonly Span[], minute: number): boolean =>
  spans.some(([from, until]) => from <= minute && minute < until);

/** The minutes at which some of these spans begin or end, and 0. `calendar`: that all of them are in. */
export function boundariesOf(all: Iterable<readonly Span[]>, calendar?: Calendar): number[] {
  const minutes = new Set([0]);
  const end = lengthOf(calendar);
  for (const spans of all) for (const span of spans) for (const minute of span) if (minute < end) minutes.add(minute);
  return [...minutes].sort((a, b) => a - b);
}

/** Entries that each last from a minute until the next one, the last to the end, as the spans of some of them. */
export function spansWhere<T>(
  { calendar, entries }: Timetable<T>,
  applies: (entry: T & FromMinute) => boolean,
): Span[] {
  const spans: Span[] = [];
  entries.forEach((entry, i) => {
    if (!applies(entry)) return;
    const until = entries[i + 1]?.from ?? lengthOf(calendar);
    const last = spans[spans.length - 1];
    if (last?.[1] === entry.from) spans[spans.length - 1] = [last[0], until];
    else spans.push([entry.from, until]);
  });
  return spans;
}

/** Entries without those that are the same as the one before. */
export const joinedEntries = <T>(entries: readonly T[], isSame: (a: T, b: T) => boolean): T[] =>
  entries.filter((entry, i) => i === 0 || !isSame(entry, entries[i - 1]));

/**
 * After how many minutes, at most so many, an entry of which this is true applies; 0: at the minute itself. Infinity: not until then.
 */
export function minutesUntil<T>(
  table: Timetable<T>,
  minute: number,
  minutes: number,
  isSought: (entry: T & FromMinute) => boolean,
): number {
  if (isSought(entryAt(table, minute))) return 0;
  const { calendar, entries } = table;
  let soonest = Number.POSITIVE_INFINITY;
  if (!calendar) {
    for (const entry of entries) if (isSought(entry)) soonest = Math.min(soonest, minutesLater(entry.from, minute));
    return soonest <= minutes ? soonest : Number.POSITIVE_INFINITY;
  }
  const froms = entries.map(({ from }) => from);
  for (const at of beginningsIn(calendar, froms, minute, minutes))
    if (at - minute < soonest && isSought(entryAt(table, at))) soonest = at - minute;
  return soonest;
}

/** Does an entry of which this is true apply at a minute, or at one up to so many later? */
export const appliesWithin = <T>(
  table: Timetable<T>,
  minute: number,
  minutes: number,
  isSought: (entry: T & FromMinute) => boolean,
): boolean => minutesUntil(table, minute, minutes, isSought) <= minutes;

/** How long after a minute another one of the week comes, 0 < minutes ≤ WEEK. */
const minutesLater = (at: number, minute: number): number => ((((at - minute) % WEEK) + WEEK - 1) % WEEK) + 1;

/**
 * Segments of the week, as bits: shortcuts say in which of them they may be slower than stored. From their minutes of the
 * day, on Monday to Friday, and on Saturday and Sunday.
 */
const WORKDAY = [0, 360, 600, 900, 1140, 1320];
const WORKDAY_BITS = [1, 2, 4, 8, 16, 1];
const WEEKEND = [0, 360, 1320];

/** The bit of the segment that a minute is in, since some Monday 00:00. */
export function segmentAt(minute: number): number {
  const day = Math.floor(minute / 1440) % 7;
  const time = minute % 1440;
  if (day < 5) return WORKDAY_BITS[WORKDAY.findLastIndex((from) => from <= time)];
  const isDay = time >= WEEKEND[1] && time < WEEKEND[2];
  return isDay ? (day === 5 ? 32 : 64) : 128;
}

/** Bits of all segments from a minute until another [minutes later]. */
export function segmentsFrom(minute: number, minutes: number): number {
  let bits = 0;
  for (let at = 0; at < Math.min(minutes, WEEK); at += STEP) bits |= segmentAt(minute + at);
  return bits | segmentAt(minute + Math.min(minutes, WEEK));
}

/** No segment is shorter [min]. */
const STEP = 60;
