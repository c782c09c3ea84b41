import { BoundedMap } from "../../geo/bounded-map.ts";
import type { ByteReader, ByteWriter } from "../../geo/bytes/bytes.ts";
import { type Day, type DayFilter, isNamed, type Series, weekdayOf, type YearDay } from "../../geo/hours/day-filter.ts";

/** Minutes of a week. */
export const WEEK = 7 * 1440;

/** Days that differ from others: those that a filter names, or with `after` 1 those after them. */
export interface SpecialDays extends DayFilter {
  after: 0 | 1;
}

/**
 * What makes days of the same weekday differ. Its minutes are those of 2ⁿ weeks, n special days: a day on which the special days of
 * some bits are given is in the week of that number.
 *
 *     no @ (Nov-May)      week 0: open │ week 1, of days from November to May: closed
 *
 * Absent, or without special days: the minutes of one week.
 */
export type Calendar = readonly SpecialDays[];

/** Weeks double with each. */
export const MAX_SPECIAL_DAYS = 8;

export const lengthOf = (calendar: Calendar | undefined): number => WEEK << (calendar?.length ?? 0);

const MAX_KNOWN_DAYS = 64;
const knownWeeks = new WeakMap<Calendar, BoundedMap<Day, number>>();

/** @param minute local, since Monday 5 January 1970 00:00 */
export function minuteIn(calendar: Calendar | undefined, minute: number): number {
  const ofWeek = ((minute % WEEK) + WEEK) % WEEK;
  return calendar ? weekOf(calendar, Math.floor(minute / 1440)) * WEEK + ofWeek : ofWeek;
}

function weekOf(calendar: Calendar, day: Day): number {
  let known = knownWeeks.get(calendar);
  if (!known) {
    known = new BoundedMap(MAX_KNOWN_DAYS);
    knownWeeks.set(calendar, known);
  }
  let week = known.get(day);
  if (week === undefined) {
    week = calendar.reduce((bits, special, i) => bits | (isNamed(special, day - special.after) ? 1 << i : 0), 0);
    known.set(day, week);
  }
  return week;
}

/** The local minutes after `minute`, up to so many later, at which another week of the calendar, or one of some minutes of it, begins. */
export function* beginningsIn(
  calendar: Calendar,
  froms: readonly number[],
  minute: number,
  minutes: number,
): Generator<number> {
  for (let day = Math.floor(minute / 1440); day * 1440 <= minute + minutes; day++) {
    if (day * 1440 > minute) yield day * 1440;
    const first = weekOf(calendar, day) * WEEK + weekdayOf(day) * 1440;
    for (const from of froms) {
      const at = day * 1440 + from - first;
      if (from > first && from < first + 1440 && at > minute && at <= minute + minutes) yield at;
    }
  }
}

/** All numbers are signed; the lists of a filter begin with their lengths. */
export function writeCalendar(out: ByteWriter, calendar: Calendar): void {
  out.unsigned(calendar.length);
  for (const { after, ...filter } of calendar) {
    out.unsigned(after);
    for (const list of [filter.years, filter.dates.map((range) => range.flat()), filter.weeks, filter.weekdays]) {
      out.unsigned(list.length);
      for (const number of list.flat()) out.signed(number);
    }
  }
}

export function readCalendar(reader: ByteReader): Calendar {
  const list = <T>(width: number, of: (numbers: number[]) => T): T[] =>
    Array.from({ length: reader.unsigned() }, () => of(Array.from({ length: width }, () => reader.signed())));
  return Array.from({ length: reader.unsigned() }, (): SpecialDays => {
    const after = reader.unsigned() === 1 ? 1 : 0;
    const years = list(3, seriesOf);
    const dates = list(10, (numbers) => [yearDayOf(numbers), yearDayOf(numbers.slice(5))] as const);
    const weeks = list(3, seriesOf);
    const weekdays = list(2, ([weekday, nth]) => [weekday, nth] as const);
    return { after, years, dates, weeks, weekdays };
  });
}

const seriesOf = ([from, to, step]: readonly number[]): Series => [from, to, step];
const yearDayOf = ([year, month, date, weekday, nth]: readonly number[]): YearDay => [year, month, date, weekday, nth];
