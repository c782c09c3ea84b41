import { expect, it } from "vitest";
import { nextRun } from "../../../../src/server/start/cron.ts";

const at = (text: string) => Date.parse(`${text}Z`);
const next = (expression: string, now: string) => new Date(nextRun(expression, at(now))).toISOString().slice(0, 16);

it.each([
  ["every hour at seven past", "7 * * * *", "2026-11-22T10:06:59", "2026-11-22T10:07"],
  ["the minute that has begun is over", "7 * * * *", "2026-11-22T10:07:00", "2026-11-22T11:07"],
  ["every quarter of an hour", "*/15 * * * *", "2026-11-22T23:50", "2026-11-23T00:00"],
  ["lists and ranges", "0 1-3,22 * * *", "2026-11-22T03:00", "2026-11-22T22:00"],
  ["a day of the month", "30 4 1 * *", "2026-11-22T00:00", "2026-12-01T04:30"],
  ["a day of the week, which Sunday ends and begins", "0 0 * * 7", "2026-11-22T00:00", "2026-11-29T00:00"],
  ["a day of the month or of the week, where both are named", "0 0 13 * 5", "2026-11-22T00:00", "2026-11-27T00:00"],
  ["the 29th of February", "0 0 29 2 *", "2026-11-22T00:00", "2028-02-29T00:00"],
])("%s", (_, expression, now, then) => {
  expect(next(expression, now)).toBe(then);
});

it.each(["7 * * *", "60 * * * *", "* 24 * * *", "x * * * *", "*/0 * * * *", "5-3 * * * *", "0 0 31 2 *"])(
  "%s is refused",
  (expression) => {
    expect(() => nextRun(expression, 0)).toThrow(/cron/);
  },
);
