import { type Span, WEEK } from "../../../../core/routing/graph/schedule.ts";
import type { Tags } from "../../../osm/pbf/element.ts";
import { weeklyHours } from "./weekly-hours.ts";

/**
 * A value of a conditional tag, such as "no_left_turn @ (Mo-Fr 07:00-09:00,16:00-18:00); no_u_turn @ (weight>7.5)".
 *
 * Understood are times that are the same in every week, and the weight of a vehicle. A condition with anything else
 * (dates, seasons, weather, permits) is skipped: the tag without a condition applies.
 */
export interface Condition {
  value: string;
  /** Applies to vehicles heavier than this [t]; undefined for all. */
  heavierThan?: number;
  /** Applies at these times of the week; undefined for always. */
  hours?: readonly Span[];
}

/** The conditions of a tag that may apply, in their order: of several that apply, the last one counts. */
export function conditionsOf(text: string): Condition[] {
  const conditions: Condition[] = [];
  for (const match of text.matchAll(/([^;@]+?)\s*@\s*(\([^)]*\)|[^;]+)/g)) {
    const condition: Condition = { value: match[1].trim() };
    const parts = match[2].replace(/^\(|\)$/g, "").split(/\bAND\b|&&/i);
    if (parts.every((part) => limits(condition, part.trim()))) conditions.push(condition);
  }
  return conditions;
}

/** Adds a part of a condition; false if it is not understood, or never applies. */
function limits(condition: Condition, part: string): boolean {
  const weight = /^(?:weight|maxweight)\s*>\s*([\d.]+)/.exec(part);
  if (weight) {
    condition.heavierThan = Number(weight[1]);
    return true;
  }
  const hours = weeklyHours(part);
  if (!hours || hours.length === 0) return false;
  const both = condition.hours ? intersection(condition.hours, hours) : hours;
  const [first] = both;
  // A condition for the entire week is none.
  const isAlways = both.length === 1 && first[0] === 0 && first[1] === WEEK;
  condition.hours = isAlways ? undefined : both;
  return both.length > 0;
}

function intersection(some: readonly Span[], others: readonly Span[]): Span[] {
  return some.flatMap(([from, until]) =>
    others.flatMap(([start, end]): Span[] =>
      Math.max(from, start) < Math.min(until, end) ? [[Math.max(from, start), Math.min(until, end)]] : [],
    ),
  );
}

const DAY_NAMES = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"];

/**
 * Times of the older tags `day_on`, `day_off`, `hour_on`, `hour_off` of a restriction; undefined where it has none that are
 * understood.
 */
export function switchedHours(tags: Tags): readonly Span[] | undefined {
  const { hour_on: on, hour_off: off } = tags;
  const [first, last] = [tags.day_on, tags.day_off].map((day) => day?.trim().slice(0, 2));
  const isDay = (day: string | undefined) => day !== undefined && DAY_NAMES.includes(day);
  if (first !== undefined && !(isDay(first) && isDay(last))) return undefined;
  const days = first === undefined ? "" : `${first}-${last} `;
  const times = on === undefined ? "" : on.includes("-") || off === undefined ? on : `${on}-${off}`;
  if (days + times === "") return undefined;
  return weeklyHours(`${days}${times}`);
}
