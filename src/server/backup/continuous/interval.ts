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
