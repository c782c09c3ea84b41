import { dayOfDate } from "../geo/hours/day-filter.ts";
import { DAY_MINUTES, parseHours, spansOfDay } from "../geo/hours/parse-hours.ts";

/** How far the next change is looked for [days]. */
const AHEAD = 8;

export interface OpenState {
  open: boolean;
  /** When that changes next, local time as "2026-07-04T18:00"; absent where it does not within a week. */
  changesAt?: string;
}

/**
 * Returns whether a place is open at a local time, by the text of its `opening_hours`. Undefined if the text cannot be parsed
 * completely: no result rather than a wrong one.
 * @param local the wall-clock time, "2026-07-04T08:30"
 */
export function openState(text: string, local: string): OpenState | undefined {
  const rules = parseHours(text);
  const now = Date.parse(`${local.slice(0, 16)}:00Z`);
  if (!rules || Number.isNaN(now)) return undefined;
  const midnight = Math.floor(now / 86_400_000) * 86_400_000;
  const today = dayOfDate(1970, 1, 1) + midnight / 86_400_000;
  const spans: [from: number, until: number][] = [];
  for (let day = -1; day <= AHEAD; day++) {
    for (const [from, until] of spansOfDay(rules, today + day))
      spans.push([day * DAY_MINUTES + from, day * DAY_MINUTES + until]);
  }
  const minute = (now - midnight) / 60_000;
  let at = minute;
  const within = (time: number) => spans.filter(([from, until]) => from <= time && time < until);
  const open = within(minute).length > 0;
  if (open)
    for (let inside = within(at); inside.length > 0; inside = within(at))
      at = Math.max(...inside.map(([, until]) => until));
  else at = Math.min(...spans.map(([from]) => from).filter((from) => from > minute));
  if (!Number.isFinite(at) || at >= AHEAD * DAY_MINUTES) return { open };
  return { open, changesAt: new Date(midnight + at * 60_000).toISOString().slice(0, 16) };
}
