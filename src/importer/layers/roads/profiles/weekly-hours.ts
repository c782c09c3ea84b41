import { createRequire } from "node:module";
import type OpeningHours from "opening_hours";
import { BoundedMap } from "../../../../core/geo/bounded-map.ts";
import { type Span, WEEK } from "../../../../core/routing/graph/schedule.ts";

/**
 * Mondays of weeks without holidays, school holidays and clock changes in the country below. Only what holds in the same
 * way in all of them is weekly: dates, seasons and numbered weeks differ between them.
 */
const WEEKS = [
  [2026, 1, 2],
  [2026, 5, 15],
  [2026, 8, 14],
  [2026, 10, 9],
] as const;
/** The library needs a country where a text mentions holidays; none is in these weeks. */
const PLACE = { lat: 0, lon: 0, address: { country_code: "de", state: "Nordrhein-Westfalen" } };

const MAX_CACHED_TEXTS = 4096;
const known = new BoundedMap<string, readonly Span[] | null>(MAX_CACHED_TEXTS);

/**
 * The times of the week that an opening_hours text means, as minutes since Monday 00:00, ascending and apart; undefined if the
 * text is not one, or does not mean the same times in every week. Holidays count as the day of the week that they are.
 */
export function weeklyHours(text: string): readonly Span[] | undefined {
  // "10:30:00-12:30:00": the syntax has no seconds.
  const plain = text.trim().replaceAll(/(\d:\d\d):\d\d/g, "$1");
  let spans = known.get(plain);
  if (spans === undefined) {
    spans = parsed(plain) ?? null;
    known.set(plain, spans);
  }
  return spans ?? undefined;
}

/** Loaded with the first condition: most extracts have a few, and the library is large. */
let library: typeof OpeningHours | undefined;

function parsed(text: string): readonly Span[] | undefined {
  library ??= createRequire(import.meta.url)("opening_hours") as typeof OpeningHours;
  try {
    const hours = new library(text, PLACE as never, 0 as never);
    const [first, ...others] = WEEKS.map(([year, month, day]) => spansIn(hours, new Date(year, month, day)));
    return others.every((spans) => String(spans) === String(first)) ? first : undefined;
  } catch {
    return undefined;
  }
}

function spansIn(hours: OpeningHours, monday: Date): Span[] {
  const sunday = new Date(monday);
  sunday.setDate(monday.getDate() + 7);
  const minuteOf = (time: Date) => {
    if (time >= sunday) return WEEK;
    return ((time.getDay() + 6) % 7) * 1440 + time.getHours() * 60 + time.getMinutes();
  };
  return hours
    .getOpenIntervals(monday, sunday)
    .filter(([, , isUnknown]) => !isUnknown)
    .map(([from, until]) => [minuteOf(from), minuteOf(until)]);
}
