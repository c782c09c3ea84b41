import { distance } from "../../geo/distance.ts";
import type { Confidence } from "../types/event.ts";
import type { Base, FoundBase, Insights, Spot, Stay } from "../types/insights.ts";
import { localTime } from "../types/operating-hours.ts";
import { towards } from "./stays.ts";

/** The places of a user's stays, and which of them are home and work. */

const MAX_SPOTS = 8;
/** A stay moves its spot as one of at most so many. */
const MAX_CREDITS = 20;
/** A base that moves less is the same [m]. */
const SAME_BASE = 20;
/** Stays this near are at the same spot [m]. */
const SAME_SPOT = 200;
/** Days that count. */
const DAYS = 14;
/** So many nights, or workdays, make a home, or a place of work. */
const MIN_DAYS = 3;
/** So many minutes make a night, or a workday. */
const MIN_MINUTES = 180;
const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

/** Nights are from 22 to 6, in hours from two hours before midnight; workdays from 9 to 17, Monday to Friday. */
const NIGHT = { begin: 0, end: 8 * 60, shift: 2 * 60 };
const WORK = { begin: 9 * 60, end: 17 * 60, shift: 0 };

/** Credits the time of a stay, since it was credited last, to its spot. */
export function creditStay(
  spots: readonly Spot[],
  stay: Stay,
  timeZone: string,
  kept: readonly (FoundBase | undefined)[],
): readonly Spot[] {
  const { location, credited, last } = stay;
  const index = spotAt(spots, location);
  const spot: Spot =
    index < 0
      ? { location, credits: 1, lastAt: last, nights: [], workdays: [] }
      : { ...spots[index], ...meanOf(spots[index], location), lastAt: last };
  for (const { day, night, work } of localDays(credited, last, timeZone)) {
    addMinutes(spot, "night", "nights", day, night);
    addMinutes(spot, "work", "workdays", day, work);
  }
  if (index >= 0) return spots.map((one, i) => (i === index ? spot : one));
  const all = [...spots, spot];
  if (all.length <= MAX_SPOTS) return all;
  const least = all
    .filter((one) => one !== spot && !kept.some((base) => base && distance(base.location, one.location) <= SAME_SPOT))
    .sort(
      (a, b) => a.nights.length + a.workdays.length - b.nights.length - b.workdays.length || a.lastAt - b.lastAt,
    )[0];
  return all.filter((one) => one !== least);
}

function meanOf({ location, credits }: Spot, stay: Spot["location"]): Pick<Spot, "location" | "credits"> {
  const next = Math.min(credits + 1, MAX_CREDITS);
  return { location: towards(location, stay, next), credits: next };
}

function spotAt(spots: readonly Spot[], location: Spot["location"]): number {
  let found = -1;
  let least = SAME_SPOT;
  for (const [i, spot] of spots.entries()) {
    const far = distance(spot.location, location);
    if (far > least) continue;
    least = far;
    found = i;
  }
  return found;
}

function addMinutes(
  spot: Spot,
  open: "night" | "work",
  days: "nights" | "workdays",
  day: number,
  minutes: number,
): void {
  if (minutes <= 0) return;
  const before = spot[open]?.day === day ? spot[open].minutes : 0;
  spot[open] = { day, minutes: before + minutes };
  if (before + minutes >= MIN_MINUTES && !spot[days].includes(day)) spot[days] = [...spot[days], day].slice(-DAYS);
}

interface LocalDay {
  /** Days since 1970, of the night that ends on it, or of the workday. */
  day: number;
  night: number;
  work: number;
}

/** The minutes of a span of time in nights and in working hours, by local day. */
export function localDays(from: number, to: number, timeZone: string): LocalDay[] {
  if (to <= from) return [];
  const offset = offsetOf(to, timeZone);
  const found = new Map<number, LocalDay>();
  const at = (day: number) => {
    const known = found.get(day) ?? { day, night: 0, work: 0 };
    found.set(day, known);
    return known;
  };
  const [begin, end] = [from / MINUTE_MS + offset, to / MINUTE_MS + offset];
  for (const [what, { begin: opens, end: closes, shift }] of [
    ["night", NIGHT],
    ["work", WORK],
  ] as const) {
    for (let day = Math.floor((begin + shift) / DAY_MINUTES); day * DAY_MINUTES < end + shift; day++) {
      // 1970-01-01 was a Thursday.
      if (what === "work" && (day + 3) % 7 >= 5) continue;
      const start = day * DAY_MINUTES - shift;
      const minutes = Math.min(end, start + closes) - Math.max(begin, start + opens);
      if (minutes > 0) at(day)[what] += minutes;
    }
  }
  return [...found.values()];
}

/** Minutes that a zone's clock is ahead of UTC. */
function offsetOf(at: number, timeZone: string): number {
  const { day, minute } = localTime(at, timeZone);
  const utc = Math.floor(at / MINUTE_MS);
  const weekday = (Math.floor(utc / DAY_MINUTES) + 3) % 7;
  const ahead = ((day - weekday + 10) % 7) - 3;
  return ahead * DAY_MINUTES + minute - (utc % DAY_MINUTES);
}

/** Home by nights and work by workdays; the one before remains unless another has more. */
export function findBases({ spots, home, work }: Insights, now: number, timeZone: string): Pick<Insights, Base> {
  const today = Math.floor((now / MINUTE_MS + offsetOf(now, timeZone)) / DAY_MINUTES);
  const found: Pick<Insights, Base> = {};
  const nextHome = baseOf(spots, "nights", home, today, now);
  if (nextHome) found.home = nextHome;
  const others = spots.filter((spot) => !nextHome || distance(spot.location, nextHome.location) > SAME_SPOT);
  const nextWork = baseOf(others, "workdays", work, today, now);
  if (nextWork) found.work = nextWork;
  return found;
}

function baseOf(
  spots: readonly Spot[],
  days: "nights" | "workdays",
  before: FoundBase | undefined,
  today: number,
  now: number,
): FoundBase | undefined {
  let best: { spot: Spot; count: number } | undefined;
  for (const spot of spots) {
    const count = spot[days].filter((day) => day > today - DAYS).length;
    if (count < MIN_DAYS) continue;
    const isBefore = before !== undefined && distance(before.location, spot.location) <= SAME_SPOT;
    if (!best || count > best.count || (count === best.count && isBefore)) best = { spot, count };
  }
  if (!best) return undefined;
  const confidence: Confidence = best.count >= 8 ? 3 : best.count >= 5 ? 2 : 1;
  const { location } = best.spot;
  const isSame = before?.confidence === confidence && distance(before.location, location) <= SAME_BASE;
  return isSame ? before : { location, confidence, updatedAt: now };
}
