import type { UserState } from "../../tracking/types/state.ts";
import { type Condition, countedName, isVisit, type SegmentRule } from "./segment.ts";
import { type Counts, DAY_MS, dayOf, summedCounts, type VisitDays, weekOf } from "./visits.ts";

/** The data of a user that rules compare. */
export type Person = Pick<
  UserState,
  "metadata" | "updatedAt" | "createdAt" | "deviceType" | "userTags" | "segments" | "regions" | "visitDays"
>;

/** What the records of a person's other devices have. */
export interface Others {
  /** The latest, and the first [ms]. */
  updatedAt: number;
  createdAt: number;
  visits: readonly Counts[];
}

/** A user's record with the visits and times of the person's other devices: rules compare people. */
export function asPerson<T extends Pick<Person, "updatedAt" | "createdAt" | "visitDays">>(
  record: T,
  others: Others | undefined,
): T {
  if (!others) return record;
  return {
    ...record,
    updatedAt: Math.max(record.updatedAt, others.updatedAt),
    createdAt: Math.min(record.createdAt, others.createdAt),
    visitDays: others.visits.reduce<Counts | undefined>(summedCounts, record.visitDays),
  };
}

/** Does a user meet a rule at a time [ms]? */
export function meetsRule({ match, conditions }: SegmentRule, person: Person, now: number): boolean {
  for (const condition of conditions) {
    const holds = meets(condition, person, now) !== (condition.not === true);
    if (holds === (match === "any")) return holds;
  }
  return match === "all";
}

/**
 * The earliest time [ms] after `now` at which a condition may begin or cease to hold without an update of the user;
 * undefined: time alone changes nothing.
 */
export function nextChange({ conditions }: SegmentRule, person: Person, now: number): number | undefined {
  let next: number | undefined;
  for (const condition of conditions) {
    const at = changesAt(condition, person, now);
    if (at !== undefined && at > now && (next === undefined || at < next)) next = at;
  }
  return next;
}

function meets(condition: Condition, person: Person, now: number): boolean {
  if (isVisit(condition)) {
    const days = daysOf(condition, person);
    if (condition.weeks !== undefined) return visitedWeekly(days, weekOf(dayOf(now)), condition.weeks);
    const from = firstDay(condition.days, now);
    let count = 0;
    for (let i = 0; i < days.length; i += 2) if (days[i] >= from) count += days[i + 1];
    return count >= (condition.visits ?? 1);
  }
  switch (condition.type) {
    case "metadata":
      return Object.entries(condition.metadata).every(
        ([key, value]) =>
          person.metadata !== undefined && Object.hasOwn(person.metadata, key) && person.metadata[key] === value,
      );
    case "lastSeen":
      return now < person.updatedAt + condition.days * DAY_MS;
    case "created":
      return now < person.createdAt + condition.days * DAY_MS;
    case "deviceType":
      return person.deviceType !== undefined && condition.values.includes(person.deviceType);
    case "userTag":
      return (person.userTags ?? []).some((tag) => condition.values.includes(tag));
    case "segment":
      return (person.segments ?? []).some(({ externalId }) => condition.values.includes(externalId));
    default: {
      const code = person.regions[condition.type]?.region.code;
      return code !== undefined && condition.values.includes(code);
    }
  }
}

function changesAt(condition: Condition, person: Person, now: number): number | undefined {
  if (isVisit(condition)) {
    const days = daysOf(condition, person);
    // Without visits, time changes nothing; a week that begins may be one too many without a visit.
    if (days.length === 0) return undefined;
    if (condition.weeks !== undefined) return mondayAfter(now);
    const from = firstDay(condition.days, now);
    for (let i = 0; i < days.length; i += 2) if (days[i] >= from) return (days[i] + (condition.days ?? 1)) * DAY_MS;
    return undefined;
  }
  if (condition.type === "lastSeen") return person.updatedAt + condition.days * DAY_MS;
  if (condition.type === "created") return person.createdAt + condition.days * DAY_MS;
  return undefined;
}

function daysOf(condition: Extract<Condition, { value: string }>, { visitDays }: Person): VisitDays {
  const name = countedName(condition.type, condition.value);
  return visitDays !== undefined && Object.hasOwn(visitDays, name) ? visitDays[name] : [];
}

/** The first day that counts: today is the last one. */
const firstDay = (days = 1, now: number) => dayOf(now) - days + 1;

/** Was there a visit in each of the weeks before this one? */
function visitedWeekly(days: VisitDays, current: number, weeks: number): boolean {
  let wanted = current - weeks;
  for (let i = 0; i < days.length && wanted < current; i += 2) {
    const week = weekOf(days[i]);
    if (week > wanted) return false;
    if (week === wanted) wanted++;
  }
  return wanted === current;
}

/** 1970-01-01 was a Thursday: weeks begin on day 4, 11 … */
const mondayAfter = (now: number) => ((weekOf(dayOf(now)) + 1) * 7 - 3) * DAY_MS;
