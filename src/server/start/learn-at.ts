import { UsageError } from "../base/command.ts";

/** After the hourly run has collected the last updates of the day, UTC. */
export const DEFAULT_LEARN_AT = "07:41";

/** The cron expression of a time of the day. @throws UsageError */
export function learnAt(text: string): string {
  const [, hour, minute] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (hour === undefined) throw new UsageError(`--learn-at must be a time in UTC, such as 07:41, not "${text}".`);
  return `${Number(minute)} ${Number(hour)} * * *`;
}
