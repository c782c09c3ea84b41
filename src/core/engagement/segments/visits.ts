import type { TrackEvent } from "../../tracking/types/event.ts";
import { type ComputedSegment, countedName, isVisit, MAX_VISIT_DAYS, type Visited } from "./segment.ts";

/**
 * Entries of geofences and places by day, which rules count. Only what a rule of the project mentions is counted, and
 * only as far back as it needs, so that a user's record stays small.
 */

/** Days since 1970 (UTC) and entries on each, in order: [20000, 2, 20003, 1]. */
export type VisitDays = readonly number[];

export const DAY_MS = 24 * 3600_000;
/** Maximum days of one user, of all names together: the earliest are dropped. */
const MAX_DAYS = 500;

export const dayOf = (at: number) => Math.floor(at / DAY_MS);
/** Monday to Sunday: 1970-01-01 was a Thursday. */
export const weekOf = (day: number) => Math.floor((day + 3) / 7);

/** The names that rules count, and how many days back. */
export type Watched = ReadonlyMap<string, number>;

export function watchedBy(segments: readonly Pick<ComputedSegment, "rule">[]): Watched {
  const watched = new Map<string, number>();
  for (const { rule } of segments) {
    for (const condition of rule.conditions) {
      if (!isVisit(condition)) continue;
      const { type, value, days = 1, weeks } = condition;
      const name = countedName(type, value);
      // This week is counted too: it will be one of the last.
      const needed = Math.min(MAX_VISIT_DAYS, weeks === undefined ? days : (weeks + 1) * 7);
      watched.set(name, Math.max(watched.get(name) ?? 0, needed));
    }
  }
  return watched;
}

export type Counts = Readonly<Record<string, VisitDays>>;

/** Entries of one day, as the database has them. */
export interface PastVisits {
  day: number;
  visits: number;
  type: string;
  fence?: string | null;
  tag?: string | null;
  chain?: string | null;
  categories?: readonly string[];
}

/**
 * The counts with earlier entries from the database, which were not counted at their time because no rule needed them.
 * Of a day that both have, the larger count is right: the database may not have the newest events yet.
 */
export function withPastVisits(
  before: Counts | undefined,
  past: readonly PastVisits[],
  watched: Watched,
  now: number,
): Counts | undefined {
  const found: Record<string, VisitDays> = {};
  for (const { day, visits, type, fence, tag, chain, categories = [] } of past) {
    const geofence = { _id: fence ?? undefined, tag: tag ?? undefined };
    for (const name of namesOf(type, geofence, { chain: chain ?? undefined, categories })) {
      const needed = watched.get(name);
      if (needed === undefined || day <= dayOf(now) - needed) continue;
      found[name] = withVisits(found[name] ?? [], day, visits);
    }
  }
  return joinedCounts(before, found);
}

/** The larger count of each day. */
export function joinedCounts(one: Counts | undefined, other: Counts): Counts | undefined {
  const joined: Record<string, VisitDays> = { ...one };
  for (const [name, days] of Object.entries(other)) {
    let all = joined[name] ?? [];
    for (let i = 0; i < days.length; i += 2) {
      const at = all.findIndex((day, place) => place % 2 === 0 && day === days[i]);
      const known = at < 0 ? 0 : all[at + 1];
      if (days[i + 1] > known) all = withVisits(all, days[i], days[i + 1] - known);
    }
    joined[name] = all;
  }
  return Object.keys(joined).length > 0 ? limited(joined) : one;
}

/** The visits of both. */
export function summedCounts(one: Counts | undefined, other: Counts): Counts {
  const summed: Record<string, VisitDays> = { ...one };
  for (const [name, days] of Object.entries(other)) {
    for (let i = 0; i < days.length; i += 2) summed[name] = withVisits(summed[name] ?? [], days[i], days[i + 1]);
  }
  return summed;
}

/** The counts with the entries among some events, without what no rule needs any more. */
export function countVisits(
  before: Counts | undefined,
  events: readonly TrackEvent[],
  watched: Watched,
  now: number,
): Counts | undefined {
  const counted: Record<string, VisitDays> = {};
  let isSame = true;
  for (const [name, days] of Object.entries(before ?? {})) {
    const needed = watched.get(name);
    const from = needed === undefined ? Number.POSITIVE_INFINITY : dayOf(now) - needed + 1;
    let first = 0;
    while (first < days.length && days[first] < from) first += 2;
    if (first > 0) isSame = false;
    if (first < days.length) counted[name] = first > 0 ? days.slice(first) : days;
  }
  for (const event of events) {
    const { geofence, place } = event;
    const found = place && { chain: place.chain?.slug, categories: place.categories };
    for (const name of namesOf(event.type, geofence, found)) {
      const needed = watched.get(name);
      const day = dayOf(event.createdAt);
      if (needed === undefined || day <= dayOf(now) - needed) continue;
      counted[name] = withVisits(counted[name] ?? [], day, 1);
      isSame = false;
    }
  }
  if (isSame) return before;
  return Object.keys(counted).length > 0 ? limited(counted) : undefined;
}

/** Days with some more visits on one of them. */
function withVisits(days: VisitDays, day: number, visits: number): VisitDays {
  const next = [...days];
  let i = next.length;
  while (i > 0 && next[i - 2] > day) i -= 2;
  if (i > 0 && next[i - 2] === day) next[i - 1] += visits;
  else next.splice(i, 0, day, visits);
  return next;
}

/** What an event is an entry of. */
function namesOf(
  type: string,
  geofence: { _id?: string; tag?: string } | undefined,
  place: { chain?: string; categories: readonly string[] } | undefined,
): string[] {
  const names: string[] = [];
  const add = (visited: Visited, value: string | undefined) => {
    if (value !== undefined) names.push(countedName(visited, value));
  };
  if (type === "user.entered_geofence" && geofence) {
    add("geofenceTag", geofence.tag);
    add("geofence", geofence._id);
  } else if (type === "user.entered_place" && place) {
    add("chain", place.chain);
    for (const category of new Set(place.categories)) add("category", category);
  }
  return names;
}

/** Without the earliest days, if there are too many. */
function limited(counted: Record<string, VisitDays>): Counts {
  const all = Object.values(counted).flatMap((days) => days.filter((_, i) => i % 2 === 0));
  if (all.length <= MAX_DAYS) return counted;
  const from = all.sort((a, b) => b - a)[MAX_DAYS - 1];
  const kept = Object.entries(counted).map(([name, days]) => {
    let first = 0;
    while (first < days.length && days[first] <= from) first += 2;
    return [name, days.slice(first)] as const;
  });
  return Object.fromEntries(kept.filter(([, days]) => days.length > 0));
}
