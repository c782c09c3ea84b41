/** Minutes of a week. */
export const WEEK = 7 * 1440;

/** From a minute of the week (0 = Monday 00:00) until another, exclusive; from < until. */
export type Span = readonly [from: number, until: number];

/** What applies from a minute of the week on, until the next entry. */
export interface FromMinute {
  from: number;
}

/** The entry that applies at a minute. The entries cover the week: the first is from 0. */
export function entryAt<T extends FromMinute>(entries: readonly T[], minute: number): T {
  let found = entries[0];
  for (const entry of entries) {
    if (entry.from > minute) break;
    found = entry;
  }
  return found;
}

export const isWithin = (spans: readonly Span[], minute: number): boolean =>
  spans.some(([from, until]) => from <= minute && minute < until);

/** The minutes at which some of these spans begin or end, and 0. */
export function boundariesOf(all: Iterable<readonly Span[]>): number[] {
  const minutes = new Set([0]);
  for (const spans of all) for (const span of spans) for (const minute of span) if (minute < WEEK) minutes.add(minute);
  return [...minutes].sort((a, b) => a - b);
}

/**
 * Segments of the week, as bits: shortcuts say in which of them they may be slower than stored. From their minutes of the
 * day, on Monday to Friday, and on Saturday and Sunday.
 */
const WORKDAY = [0, 360, 600, 900, 1140, 1320];
const WORKDAY_BITS = [1, 2, 4, 8, 16, 1];
const WEEKEND = [0, 360, 1320];

/** The bit of the segment that a minute of the week is in. */
export function segmentAt(minute: number): number {
  const day = Math.floor(minute / 1440);
  const time = minute % 1440;
  if (day < 5) return WORKDAY_BITS[WORKDAY.findLastIndex((from) => from <= time)];
  const isDay = time >= WEEKEND[1] && time < WEEKEND[2];
  return isDay ? (day === 5 ? 32 : 64) : 128;
}

/** Bits of all segments from a minute of the week until another [minutes later]. */
export function segmentsFrom(minute: number, minutes: number): number {
  let bits = 0;
  for (let at = 0; at < Math.min(minutes, WEEK); at += STEP) bits |= segmentAt((minute + at) % WEEK);
  return bits | segmentAt((minute + Math.min(minutes, WEEK)) % WEEK);
}

/** No segment is shorter [min]. */
const STEP = 60;
