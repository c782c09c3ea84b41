import type { Calendar } from "../../../../core/routing/graph/calendar.ts";
import type { Span, Times } from "../../../../core/routing/graph/schedule.ts";
import { LIMIT } from "../../../../core/routing/graph/vehicle.ts";
import type { Tags } from "../../../osm/pbf/element.ts";
import { TRUCK_SIZE } from "./tables.ts";
import { parseLength, parseWeight } from "./tag-values.ts";
import { inBoth, inOneCalendar, isAlways, timesOf } from "./times.ts";

/**
 * A value of a conditional tag, such as "no_left_turn @ (Mo-Fr 07:00-09:00,16:00-18:00); no @ (Nov-May); no_u_turn @ (weight>7.5)".
 *
 * Understood are times, and one measure of the vehicle. A condition with anything else (weather, permits, holidays) is skipped: the
 * tag without a condition applies.
 */
export interface Condition {
  value: string;
  /** Applies to vehicles above a limit: its kind, and its value in the units of that; undefined for all. */
  over?: { kind: number; limit: number };
  /** Applies at these times; undefined for always. */
  hours?: Times;
}

/** More are no longer a sign that a driver could read. */
const MAX_CLAUSES = 20;

/**
 * The conditions of a tag that may apply, in their order: of several that apply, the last one counts. `skip` is called with the text of
 * each that is not understood.
 */
export function conditionsOf(text: string, skip?: (condition: string) => void): Condition[] {
  const conditions: Condition[] = [];
  for (const [i, clause] of clausesOf(text).entries()) {
    const at = clause.indexOf("@");
    const own: Condition = { value: clause.slice(0, Math.max(0, at)).trim() };
    const parts = clause
      .slice(at + 1)
      .trim()
      .replace(/^\(|\)$/g, "")
      .split(/\bAND\b|&&/i);
    const isRead = own.value !== "" && i < MAX_CLAUSES && parts.every((part) => limits(own, part.trim()));
    if (!isRead) skip?.(clause);
    else if (own.hours?.spans.length !== 0) conditions.push(own);
  }
  return conditions;
}

/** Between semicolons outside of brackets. One without "@" after one without brackets has more of its times: "no @ Mo-Fr 7:00-9:00; Sa 8:00-9:00". */
function clausesOf(text: string): string[] {
  const clauses: string[] = [];
  for (const part of text.split(/;(?![^(]*\))/).map((one) => one.trim())) {
    const last = clauses.length - 1;
    if (part === "") continue;
    if (last >= 0 && !part.includes("@") && /@[^(]*$/.test(clauses[last])) clauses[last] += `; ${part}`;
    else clauses.push(part);
  }
  return clauses;
}

const MEASURES: Readonly<Record<string, number>> = {
  weight: LIMIT.weight,
  maxweight: LIMIT.weight,
  weightrating: LIMIT.weight,
  maxweightrating: LIMIT.weight,
  grossweight: LIMIT.weight,
  axleload: LIMIT.axleLoad,
  height: LIMIT.height,
  width: LIMIT.width,
  length: LIMIT.length,
  axles: LIMIT.axles,
};

/** Limits are compared in hundredths of a meter and of a ton. */
export const HUNDREDTHS = 100;

/** Adds a part of a condition; false if it is not understood. */
function limits(condition: Condition, part: string): boolean {
  const [measure, orEqual, amount] = /^[a-z]+\s*>(=?)(.*)$/.exec(part) ?? [];
  if (measure !== undefined) {
    const kind = MEASURES[part.slice(0, part.indexOf(">")).trim()];
    if (kind === undefined || condition.over || !/^\s*[\d.]+\s*[a-z'"]*$/.test(amount)) return false;
    const isWeight = kind === LIMIT.weight || kind === LIMIT.axleLoad;
    const number = isWeight ? parseWeight(amount) : parseLength(amount);
    if (number === undefined) return false;
    const limit = kind === LIMIT.axles ? number : number * HUNDREDTHS;
    // Widths are limits that must be stayed below, the others such that must not be exceeded.
    condition.over = { kind, limit: limit + (kind === LIMIT.width ? 1 : 0) - (orEqual ? 1 : 0) };
    return true;
  }
  const hours = timesOf(part);
  const both = hours && condition.hours ? inBoth(condition.hours, hours) : hours;
  if (!both) return false;
  if (isAlways(both)) delete condition.hours;
  else condition.hours = both;
  return true;
}

const TRUCK_MEASURES: Readonly<Record<number, number>> = {
  [LIMIT.weight]: TRUCK_SIZE.weight * HUNDREDTHS,
  [LIMIT.height]: TRUCK_SIZE.height * HUNDREDTHS,
  [LIMIT.width]: TRUCK_SIZE.width * HUNDREDTHS,
  [LIMIT.length]: TRUCK_SIZE.length * HUNDREDTHS,
};

/** Does a condition apply to the default truck, at its times? It never does to other modes if it is about the size of a vehicle. */
export const appliesToTrucks = ({ over }: Condition): boolean => !over || TRUCK_MEASURES[over.kind] > over.limit;

const SUFFIX = ":conditional";

/** A condition, the key of the tag that it replaces, and its times in the calendar of all conditions; absent for always. */
export interface KeyedCondition extends Condition {
  key: string;
  spans?: readonly Span[];
}

/** All conditions of some tags, with times in one calendar. Those that would need too many special days are skipped. */
export interface TagConditions {
  calendar: Calendar | undefined;
  list: readonly KeyedCondition[];
}

const NO_CONDITIONS: TagConditions = { calendar: undefined, list: [] };

/** `isRead`: of the keys that matter, without the suffix. */
export function conditionsIn(
  tags: Tags,
  isRead: (key: string) => boolean = () => true,
  skip?: (condition: string) => void,
): TagConditions {
  let list: KeyedCondition[] | undefined;
  for (const name in tags) {
    if (!name.endsWith(SUFFIX)) continue;
    const key = name.slice(0, -SUFFIX.length);
    if (!isRead(key)) continue;
    list ??= [];
    for (const one of conditionsOf(tags[name], skip)) list.push({ ...one, key });
  }
  if (!list) return NO_CONDITIONS;
  for (;;) {
    const timed = list.flatMap(({ hours }) => hours ?? []);
    const common = inOneCalendar(timed);
    if (common) {
      const spans = common.spans.values();
      return {
        calendar: common.calendar,
        list: list.map((one) => (one.hours ? { ...one, spans: spans.next().value! } : one)),
      };
    }
    const last: KeyedCondition = list.findLast(({ hours }) => hours?.calendar)!;
    skip?.(last.value);
    list = list.filter((one): boolean => one !== last);
  }
}

const DAY_NAMES = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"];

/**
 * Times of the older tags `day_on`, `day_off`, `hour_on`, `hour_off` of a restriction; undefined where it has none that are
 * understood.
 */
export function switchedHours(tags: Tags): Times | undefined {
  const { hour_on: on, hour_off: off } = tags;
  const [first, last] = [tags.day_on, tags.day_off].map((day) => day?.trim().slice(0, 2));
  const isDay = (day: string | undefined) => day !== undefined && DAY_NAMES.includes(day);
  if (first !== undefined && !(isDay(first) && isDay(last))) return undefined;
  const days = first === undefined ? "" : `${first}-${last} `;
  const times = on === undefined ? "" : on.includes("-") || off === undefined ? on : `${on}-${off}`;
  if (days + times === "") return undefined;
  return timesOf(`${days}${times}`);
}
