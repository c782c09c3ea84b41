import { UsageError } from "../../base/command.ts";

/** Less often, more than an hour would be lost; more often, a backup would not end before the next. */
const [MIN_SECONDS, MAX_SECONDS] = [5, 3600];

/** @param text "60s", "5m" @returns [ms] @throws UsageError */
export function parseInterval(text: string): number {
  const [, count, unit] = /^(\d{1,5})(s|m)$/.exec(text) ?? [];
  const seconds = Number(count) * (unit === "m" ? 60 : 1);
  if (!(seconds >= MIN_SECONDS && seconds <= MAX_SECONDS))
    throw new UsageError(
      `--every must be between ${MIN_SECONDS}s and ${MAX_SECONDS / 60}m, such as 60s, not "${text}".`,
    );
  return seconds * 1000;
}

/** A backup that failed is tried again so soon, then after twice that time, and at last once an interval [ms]. */
const FIRST_RETRY_MS = 1000;

/**
 * The time from the beginning of a backup to that of the next [ms]. Most failures pass within seconds (workerd starts again, a bucket was busy),
 * and a moment that comes an interval later doubles what a loss of the machine costs.
 * @param failures how many have failed since the last that did not
 */
export function untilNext(everyMs: number, failures: number): number {
  return failures === 0 ? everyMs : Math.min(everyMs, FIRST_RETRY_MS * 2 ** (failures - 1));
}
