/** Days since Monday 5 January 1970: a multiple of 7 is a Monday. */
export type Day = number;

const DAY_MS = 86_400_000;
/** Thursday 1 January 1970 was four days before. */
const EPOCH = 4;

const dateOf = (day: Day): Date => new Date((day + EPOCH) * DAY_MS);

/** `month` 1 … 12. */
export const dayOfDate = (year: number, month: number, date: number): Day =>
  Math.round(Date.UTC(year, month - 1, date) / DAY_MS) - EPOCH;

/** The day of the week, 0 Monday … 6 Sunday. */
export const weekdayOf = (day: Day): number => ((day % 7) + 7) % 7;

/** From a number to another, both included, every `step`. */
export type Series = readonly [from: number, to: number, step: number];

/**
 * A day of the year. `month` 0: so many days (`date`) after Easter. `nth` ≠ 0: the nth `weekday` (0 Monday) of the month, counted from
 * its end if negative. `year` 0: of any year.
 */
export type YearDay = readonly [year: number, month: number, date: number, weekday: number, nth: number];

/** Days that a part of opening hours names: those that all of its lists have in common. An empty list names all days. */
export interface DayFilter {
  years: readonly Series[];
  /** From a day to another, both included; past New Year if that is earlier in the year. Both have a year, or none has. */
  dates: readonly (readonly [from: YearDay, to: YearDay])[];
  /** Of ISO 8601. */
  weeks: readonly Series[];
  /** Pairs of a weekday (0 Monday) and which of those in its month: the first is 1, the last −1; 0 every one. */
  weekdays: readonly (readonly [weekday: number, nth: number])[];
}

export function isNamed({ years, dates, weeks, weekdays }: DayFilter, day: Day): boolean {
  const date = dateOf(day);
  const [year, month, ofMonth] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
  if (years.length > 0 && !years.some((one) => isIn(one, year))) return false;
  if (weeks.length > 0 && !weeks.some((one) => isIn(one, weekOf(day)))) return false;
  if (weekdays.length > 0 && !weekdays.some(([weekday, nth]) => isNth(day, weekday, nth))) return false;
  return dates.length === 0 || dates.some(([from, to]) => isBetween(from, to, year, month * 100 + ofMonth));
}

const isIn = ([from, to, step]: Series, value: number): boolean =>
  from <= value && value <= to && (value - from) % step === 0;

/** The number of its week: that of the week's Thursday in its year. */
function weekOf(day: Day): number {
  const thursday = day - weekdayOf(day) + 3;
  return Math.floor((thursday - dayOfDate(dateOf(thursday).getUTCFullYear(), 1, 1)) / 7) + 1;
}

function isNth(day: Day, weekday: number, nth: number): boolean {
  if (weekdayOf(day) !== weekday) return false;
  if (nth === 0) return true;
  const date = dateOf(day);
  const left = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate() - date.getUTCDate();
  return nth > 0 ? Math.ceil(date.getUTCDate() / 7) === nth : Math.floor(left / 7) + 1 === -nth;
}

/** `ofYear`: month × 100 + day of the month. */
function isBetween(from: YearDay, to: YearDay, year: number, ofYear: number): boolean {
  if (from[0] > 0) {
    const at = year * 10_000 + ofYear;
    return from[0] * 10_000 + ofYearOf(from, from[0]) <= at && at <= to[0] * 10_000 + ofYearOf(to, to[0]);
  }
  const [first, last] = [ofYearOf(from, year), ofYearOf(to, year)];
  return first <= last ? first <= ofYear && ofYear <= last : ofYear >= first || ofYear <= last;
}

/** Month × 100 + day of the month; of a month without such a day, one past its last. */
export function ofYearOf([, month, date, weekday, nth]: YearDay, year: number): number {
  if (month > 0 && nth === 0) return month * 100 + date;
  const first = month === 0 ? easterOf(year) + date : nthOf(year, month, weekday, nth);
  const found = dateOf(first);
  return (found.getUTCMonth() + 1) * 100 + found.getUTCDate();
}

function nthOf(year: number, month: number, weekday: number, nth: number): Day {
  const edge = nth > 0 ? dayOfDate(year, month, 1) : dayOfDate(year, month + 1, 0);
  return nth > 0
    ? edge + ((weekday - weekdayOf(edge) + 7) % 7) + (nth - 1) * 7
    : edge - ((weekdayOf(edge) - weekday + 7) % 7) + (nth + 1) * 7;
}

/** Easter Sunday (Anonymous Gregorian algorithm, Nature 1876). */
function easterOf(year: number): Day {
  const golden = year % 19;
  const [century, ofCentury] = [Math.floor(year / 100), year % 100];
  const correction = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - Math.floor(century / 4) - correction + 15) % 30;
  const sunday = (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - epact - (ofCentury % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * sunday) / 451);
  const sum = epact + sunday - 7 * late + 114;
  return dayOfDate(year, Math.floor(sum / 31), (sum % 31) + 1);
}
