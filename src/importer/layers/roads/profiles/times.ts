import { BoundedMap } from "../../../../core/geo/bounded-map.ts";
import { type DaySpan, type HoursRule, parseHours, spansOn } from "../../../../core/geo/hours/parse-hours.ts";
import {
  type Calendar,
  lengthOf,
  MAX_SPECIAL_DAYS,
  type SpecialDays,
  WEEK,
} from "../../../../core/routing/graph/calendar.ts";
import type { Span, Times } from "../../../../core/routing/graph/schedule.ts";

const MAX_CACHED_TEXTS = 4096;
const known = new BoundedMap<string, Times | null>(MAX_CACHED_TEXTS);

/**
 * The times that an opening_hours text means, ascending and apart: of the week, or of a calendar where they depend on the date; undefined
 * if the text is not one, is about holidays alone, or has too many special days. Holidays count as the day of the week that they are,
 * and the sun rises at 6 and sets at 18.
 */
export function timesOf(text: string): Times | undefined {
  let times = known.get(text);
  if (times === undefined) {
    times = parsed(text) ?? null;
    known.set(text, times);
  }
  return times ?? undefined;
}

function parsed(text: string): Times | undefined {
  const plain = text
    // "10:30:00-12:30:00": the syntax has no seconds.
    .replaceAll(/(\d:\d\d):\d\d/g, "$1")
    .replaceAll(/\b(dawn|sunrise)\b/g, "06:00")
    .replaceAll(/\b(sunset|dusk)\b/g, "18:00");
  const rules = parseHours(plain);
  return rules && rules.length > 0 ? inCalendar(rules) : undefined;
}

const DAY = 1440;
const ALL_DAYS = 127;

/** A rule of opening hours as the weekdays (bits, 1 Monday) and the special days on which it holds; no special days if undefined. */
interface DatedRule extends HoursRule {
  days: number;
  special: SpecialDays | undefined;
}

function inCalendar(rules: readonly HoursRule[]): Times | undefined {
  const dated = rules.map(datedRule);
  const specials = distinct(dated.flatMap(({ special }) => special ?? []));
  const spills = rules.some(({ spans }) => spans.some(([, until]) => until > DAY));
  const calendar = spills ? [...specials, ...specials.map((one): SpecialDays => ({ ...one, after: 1 }))] : specials;
  if (calendar.length > MAX_SPECIAL_DAYS) return undefined;
  const bitOf = new Map(specials.map((one, i) => [JSON.stringify(one), i]));
  const spansAt = (week: number, weekday: number): DaySpan[] =>
    spansOn(dated, (rule) => {
      const { days, special } = rule as DatedRule;
      return ((days >> weekday) & 1) === 1 && (!special || ((week >> bitOf.get(JSON.stringify(special))!) & 1) === 1);
    });
  const spans: Span[] = [];
  for (let week = 0; week < 1 << calendar.length; week++) {
    for (let weekday = 0; weekday < 7; weekday++) {
      const begin = week * WEEK + weekday * DAY;
      const before = spills ? spansAt(week >> specials.length, (weekday + 6) % 7) : [];
      const all = [...before.map(([from, until]): DaySpan => [from - DAY, until - DAY]), ...spansAt(week, weekday)];
      for (const [from, until] of all)
        if (until > 0 && from < DAY) spans.push([begin + Math.max(0, from), begin + Math.min(DAY, until)]);
    }
  }
  return { ...(calendar.length > 0 && { calendar }), spans: merged(spans) };
}

function datedRule(rule: HoursRule): DatedRule {
  const { years, dates, weeks, weekdays } = rule;
  const isEveryWeek = weekdays.every(([, nth]) => nth === 0);
  const bits = weekdays.reduce((sum, [weekday]) => sum | (1 << weekday), 0);
  const special: SpecialDays = { after: 0, years, dates, weeks, weekdays: isEveryWeek ? [] : weekdays };
  const isSpecial = [years, dates, weeks, special.weekdays].some((list) => list.length > 0);
  return {
    ...rule,
    days: isEveryWeek && weekdays.length > 0 ? bits : ALL_DAYS,
    special: isSpecial ? special : undefined,
  };
}

function distinct(specials: readonly SpecialDays[]): SpecialDays[] {
  const found = new Map<string, SpecialDays>();
  for (const one of specials) if (!found.has(JSON.stringify(one))) found.set(JSON.stringify(one), one);
  return [...found.values()];
}

function merged(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const [from, until] of [...spans].sort(([a], [b]) => a - b)) {
    const last = joined[joined.length - 1];
    if (last && from <= last[1]) joined[joined.length - 1] = [last[0], Math.max(last[1], until)];
    else joined.push([from, until]);
  }
  return joined;
}

/** Calendars are compared by identity where they are used: the same special days have one. */
const calendars = new BoundedMap<string, Calendar>(MAX_CACHED_TEXTS);

/** Times of several calendars in the one that they have in common; undefined if it has too many special days. */
export function inOneCalendar(all: readonly Times[]): { calendar: Calendar | undefined; spans: Span[][] } | undefined {
  const specials = distinct(all.flatMap(({ calendar = [] }) => calendar));
  if (specials.length > MAX_SPECIAL_DAYS) return undefined;
  if (specials.length === 0) return { calendar: undefined, spans: all.map(({ spans }) => [...spans]) };
  const key = JSON.stringify(specials);
  const calendar = calendars.get(key) ?? specials;
  calendars.set(key, calendar);
  const bitOf = new Map(specials.map((one, i) => [JSON.stringify(one), i]));
  const spans = all.map(({ calendar: own = [], spans: old }) => {
    const bits = own.map((one) => bitOf.get(JSON.stringify(one))!);
    return merged(
      Array.from({ length: 1 << specials.length }, (_, week) => {
        const from = bits.reduce((sum, bit, i) => sum | (((week >> bit) & 1) << i), 0);
        return cut(old, from * WEEK, (from + 1) * WEEK).map(
          ([a, b]): Span => [a + (week - from) * WEEK, b + (week - from) * WEEK],
        );
      }).flat(),
    );
  });
  return { calendar, spans };
}

const cut = (spans: readonly Span[], start: number, end: number): Span[] =>
  spans.flatMap(([from, until]): Span[] =>
    Math.max(from, start) < Math.min(until, end) ? [[Math.max(from, start), Math.min(until, end)]] : [],
  );

/** The times that two have in common; undefined as above. */
export function inBoth(one: Times, other: Times): Times | undefined {
  const common = inOneCalendar([one, other]);
  if (!common) return undefined;
  const [a, b] = common.spans;
  return {
    ...(common.calendar && { calendar: common.calendar }),
    spans: a.flatMap(([from, until]) => cut(b, from, until)),
  };
}

/** Do they include every minute? */
export const isAlways = ({ calendar, spans }: Times): boolean =>
  spans.length === 1 && spans[0][0] === 0 && spans[0][1] === lengthOf(calendar);
