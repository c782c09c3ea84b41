import { type Day, type DayFilter, isNamed, ofYearOf, type Series, type YearDay } from "./day-filter.ts";

export const DAY_MINUTES = 1440;

/** A part of a day [minutes since midnight]; the end may be on the next one. */
export type DaySpan = readonly [from: number, until: number];

/** A rule of opening hours: on its days, it replaces the rules before it, or adds to them, or closes some of their time. */
export interface HoursRule extends DayFilter {
  spans: readonly DaySpan[];
  kind: "replaces" | "adds" | "closes";
}

/**
 * The rules of an `opening_hours` text, or of a condition about time (OpenStreetMap's specification, version 0.7): years, months, dates,
 * Easter, weeks, weekdays and the nth of a month, times also past midnight, `off`, `24/7`. There is no calendar of holidays: a holiday
 * is the weekday that it is, and rules for holidays alone are left out. Undefined if something else is in the text, such as
 * sunrise, open ends and comments; `[]` if it is about holidays alone.
 *
 * Why not the library `opening_hours` (LGPL-3.0): 1.18 MB, most of it holidays and the position of the sun.
 */
export function parseHours(text: string): HoursRule[] | undefined {
  const tokens = tokensOf(text);
  if (!tokens) return undefined;
  try {
    return new HoursParser(tokens).rules();
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

/** The times of a day that the rules mean, not joined. `isOn`: does a rule name the day? */
export function spansOn(rules: readonly HoursRule[], isOn: (rule: HoursRule) => boolean): DaySpan[] {
  let spans: DaySpan[] = [];
  for (const rule of rules) {
    if (!isOn(rule)) continue;
    if (rule.kind === "replaces") spans = [];
    if (rule.kind === "closes") spans = rule.spans.reduce<DaySpan[]>(without, spans);
    else spans.push(...rule.spans);
  }
  return spans;
}

export const spansOfDay = (rules: readonly HoursRule[], day: Day): DaySpan[] =>
  spansOn(rules, (rule) => isNamed(rule, day));

const without = (spans: readonly DaySpan[], [from, until]: DaySpan): DaySpan[] =>
  spans.flatMap(([start, end]): DaySpan[] => [
    ...(start < Math.min(end, from) ? [[start, Math.min(end, from)] as const] : []),
    ...(Math.max(start, until) < end ? [[Math.max(start, until), end] as const] : []),
  ]);

class Unreadable extends Error {}

const WEEKDAYS = ["mo", "tu", "we", "th", "fr", "sa", "su"];
const DAY_NAMES = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const MONTH_NAMES = [
  ...["january", "february", "march", "april", "may", "june"],
  ...["july", "august", "september", "october", "november", "december"],
];
const ALWAYS: DaySpan = [0, DAY_MINUTES];
/** Longer texts are no sign that a driver could read. */
const MAX_TOKENS = 400;
/** Years from which on, without an end. */
const LAST_YEAR = 9999;

/** Times, numbers, words and single signs. */
const TOKEN = /\s*(?:(\d{1,2}[:.]\d{2}|\d+|[a-z]+|[-,;:/+[\]]))/y;

function tokensOf(text: string): string[] | undefined {
  const plain = text.toLowerCase().replace(/[‐–—]/g, "-").trim();
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < plain.length) {
    const found = TOKEN.exec(plain);
    if (!found || tokens.push(found[1]) > MAX_TOKENS) return undefined;
  }
  return tokens;
}

const isTime = (token = "") => /^\d+[:.]\d{2}$/.test(token);
/** "15.10-15.04" are days and months, not times. */
const isDottedDate = (token = "") => /^\d+\.(0[1-9]|1[0-2])$/.test(token);
const isYear = (token = "") => /^(19|2\d)\d\d$/.test(token);
const monthOf = (token = "") =>
  token.length < 3 ? 0 : MONTH_NAMES.findIndex((name) => name === token || name.slice(0, 3) === token) + 1;
const weekdayNamed = (token = "") => {
  const short = WEEKDAYS.indexOf(token);
  return short >= 0 || token.length < 3 ? short : DAY_NAMES.findIndex((name) => name.startsWith(token));
};
const isHoliday = (token = "") => token === "ph" || token === "sh";

class HoursParser {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  rules(): HoursRule[] {
    const rules: HoursRule[] = [];
    let isAny = false;
    for (let adds = false; this.#at < this.#tokens.length; ) {
      if (this.#takes(";")) {
        adds = false;
        continue;
      }
      isAny = true;
      const rule = this.#rule(adds);
      if (rule) rules.push(rule);
      adds = this.#takes(",");
      if (!adds && this.#at < this.#tokens.length) this.#expect(";");
    }
    if (!isAny) throw new Unreadable();
    return rules;
  }

  /** Undefined for a rule about holidays alone. */
  #rule(adds: boolean): HoursRule | undefined {
    const begin = this.#at;
    const years: Series[] = [];
    const dates: [YearDay, YearDay][] = [];
    const weeks: Series[] = [];
    const weekdays: [number, number][] = [];
    if (this.#is("24") && this.#is("/", 1) && this.#is("7", 2)) {
      this.#at += 3;
    } else {
      if (isYear(this.#peek()) && !this.#isDatedYear()) this.#list(() => years.push(this.#series(isYear, LAST_YEAR)));
      if (this.#isDate()) this.#dates(dates);
      if (this.#takes("week") || this.#takes("weeks")) this.#list(() => weeks.push(this.#series(isNumber)));
      this.#takes(":");
    }
    const named = this.#weekdays(weekdays);
    this.#takes(":");
    const isTimed = isTime(this.#peek());
    const spans: DaySpan[] = [];
    if (isTimed)
      do spans.push(this.#span());
      while (this.#is(",") && isTime(this.#peek(1)) && this.#takes(","));
    const isOff = this.#takes("off") || this.#takes("closed");
    if (!isOff) this.#takes("open");
    if (this.#at === begin) throw new Unreadable();
    if (named && weekdays.length === 0) return undefined;
    const kind = isOff && isTimed ? "closes" : adds ? "adds" : "replaces";
    return { years, dates, weeks, weekdays, spans: isTimed ? spans : isOff ? [] : [ALWAYS], kind };
  }

  /** "2026 Nov 15": the year belongs to the date. */
  #isDatedYear = () => monthOf(this.#peek(1)) > 0 || this.#is("easter", 1);
  #isDate = (ahead = 0): boolean =>
    monthOf(this.#peek(ahead)) > 0 || this.#is("easter", ahead) || (isYear(this.#peek(ahead)) && this.#isDatedYear());

  #dates(dates: [YearDay, YearDay][]): void {
    do {
      const from = this.#yearDay();
      if (this.#takes("-")) dates.push([beginOf(from), ended(beginOf(from), endOf(this.#yearDay(from)))]);
      else dates.push([beginOf(from), endOf(from)]);
      // "Dec 24,26"
      while (from[2] > 0 && this.#is(",") && isNumber(this.#peek(1)) && !isYear(this.#peek(1)) && this.#takes(",")) {
        const other = withDate(from, this.#number());
        dates.push([other, other]);
      }
    } while (this.#is(",") && this.#isDate(1) && this.#takes(","));
  }

  /** A day, or a month: its date is then 0. `from`: where the range began, whose month a number alone is in. */
  #yearDay(from?: YearDay): YearDay {
    const year = isYear(this.#peek()) ? this.#number() : 0;
    if (this.#takes("easter")) return [year, 0, this.#offset(), 0, 0];
    if (from && from[2] > 0 && year === 0 && isNumber(this.#peek())) return withDate(from, this.#number());
    const month = monthOf(this.#next());
    if (month === 0) throw new Unreadable();
    const weekday = weekdayNamed(this.#peek());
    if (weekday >= 0 && this.#is("[", 1) && (from ? from[4] !== 0 : this.#isNthToMonth())) {
      this.#at += 2;
      const nth = this.#signed();
      this.#expect("]");
      if (nth === 0 || Math.abs(nth) > 5) throw new Unreadable();
      return [year, month, 0, weekday, nth];
    }
    const whole: YearDay = [year, month, 0, 0, 0];
    return isNumber(this.#peek()) && !isYear(this.#peek()) ? withDate(whole, this.#number()) : whole;
  }

  /** "Su[-1]-Oct": in "Mar-Oct Su[-1]", the weekday is one of each month. */
  #isNthToMonth(): boolean {
    const end = this.#tokens.indexOf("]", this.#at);
    return this.#tokens[end + 1] === "-" && this.#isDate(end + 2 - this.#at);
  }

  /** "-2 days", "+1 day" */
  #offset(): number {
    if (!(this.#is("-") || this.#is("+")) || !isNumber(this.#peek(1)) || !/^days?$/.test(this.#peek(2) ?? "")) return 0;
    const days = this.#signed();
    this.#at++;
    return days;
  }

  /** Returns whether there are any; holidays are named, but no weekday. */
  #weekdays(found: [number, number][]): boolean {
    const isName = (token: string | undefined) => weekdayNamed(token) >= 0 || isHoliday(token);
    if (!isName(this.#peek())) return false;
    do {
      const name = this.#next();
      if (isHoliday(name)) continue;
      const from = weekdayNamed(name);
      if (this.#takes("[")) {
        this.#list(() => {
          const nth = this.#signed();
          const last = nth > 0 && this.#takes("-") ? this.#number() : nth;
          if (nth === 0 || Math.abs(nth) > 5 || last < nth || last > 5) throw new Unreadable();
          for (let one = nth; one <= last; one++) found.push([from, one]);
        });
        this.#expect("]");
        continue;
      }
      const to = this.#takes("-") ? weekdayNamed(this.#next()) : from;
      if (to < 0) throw new Unreadable();
      for (let day = from; ; day = (day + 1) % 7) {
        found.push([day, 0]);
        if (day === to) break;
      }
    } while (this.#is(",") && isName(this.#peek(1)) && this.#takes(","));
    return true;
  }

  #span(): DaySpan {
    if (isDottedDate(this.#peek()) && isDottedDate(this.#peek(2))) throw new Unreadable();
    const from = this.#time();
    this.#expect("-");
    const to = this.#time();
    if (from >= DAY_MINUTES || to > 2 * DAY_MINUTES) throw new Unreadable();
    return [from, to <= from ? to + DAY_MINUTES : to];
  }

  #time(): number {
    const token = this.#next();
    const [hour, minute] = isTime(token) ? token.split(/[:.]/).map(Number) : [Number.NaN, 0];
    if (!(minute < 60) || Number.isNaN(hour)) throw new Unreadable();
    return hour * 60 + minute;
  }

  /** "1-20", "1-53/2", "2026+" where `last` says until when. */
  #series(isPart: (token: string | undefined) => boolean, last?: number): Series {
    if (!isPart(this.#peek())) throw new Unreadable();
    const from = this.#number();
    if (last !== undefined && this.#takes("+")) return [from, last, 1];
    if (!this.#is("-") || !isPart(this.#peek(1))) return [from, from, 1];
    this.#at++;
    const to = this.#number();
    const step = this.#takes("/") ? this.#number() : 1;
    if (to < from || step === 0) throw new Unreadable();
    return [from, to, step];
  }

  #list(read: () => void): void {
    do read();
    while (this.#is(",") && /^[-\d]/.test(this.#peek(1) ?? "") && !isTime(this.#peek(1)) && this.#takes(","));
  }

  #signed(): number {
    const sign = this.#takes("-") ? -1 : 1;
    this.#takes("+");
    return sign * this.#number();
  }

  #number(): number {
    const token = this.#next();
    if (!isNumber(token)) throw new Unreadable();
    return Number(token);
  }

  #peek(ahead = 0): string | undefined {
    return this.#tokens[this.#at + ahead];
  }

  #is(token: string, ahead = 0): boolean {
    return this.#peek(ahead) === token;
  }

  #takes(token: string): boolean {
    if (!this.#is(token)) return false;
    this.#at++;
    return true;
  }

  #next(): string {
    const token = this.#peek();
    if (token === undefined) throw new Unreadable();
    this.#at++;
    return token;
  }

  #expect(token: string): void {
    if (!this.#takes(token)) throw new Unreadable();
  }
}

const isNumber = (token = "") => /^\d+$/.test(token);

function withDate([year, month, , weekday, nth]: YearDay, date: number): YearDay {
  if (date < 1 || date > 31) throw new Unreadable();
  return [year, month, date, weekday, nth];
}

const isMonth = ([, month, date, , nth]: YearDay) => month > 0 && date === 0 && nth === 0;
const beginOf = (day: YearDay) => (isMonth(day) ? withDate(day, 1) : day);
const endOf = (day: YearDay) => (isMonth(day) ? withDate(day, 31) : day);

/** The end of a range that has a year if its begin has one: the next such day. */
function ended(from: YearDay, to: YearDay): YearDay {
  if (from[0] === 0 || to[0] > 0) {
    if (from[0] === 0 && to[0] > 0) throw new Unreadable();
    return to;
  }
  const year = ofYearOf(to, from[0]) < ofYearOf(from, from[0]) ? from[0] + 1 : from[0];
  return [year, to[1], to[2], to[3], to[4]];
}
