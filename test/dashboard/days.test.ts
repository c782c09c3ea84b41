import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { dayAfter, dayOf, dayOr, daysRange } from "../../src/dashboard/parts/values/days.ts";

const HOUR = 3600_000;

describe.each([
  ["Europe/Berlin", "2026-03-29", 23],
  ["Europe/Berlin", "2026-10-25", 25],
  ["America/New_York", "2026-11-01", 25],
  ["Australia/Lord_Howe", "2026-10-04", 23.5],
  ["Asia/Kathmandu", "2026-06-01", 24],
  ["Pacific/Kiritimati", "2026-12-31", 24],
])("a day in %s", (zone, day, hours) => {
  let before: string | undefined;
  beforeEach(() => {
    before = process.env.TZ;
    process.env.TZ = zone;
  });
  afterEach(() => {
    if (before === undefined) delete process.env.TZ;
    else process.env.TZ = before;
  });

  it(`lasts ${hours} hours on ${day}, and is followed by the next one`, () => {
    const { from, to } = daysRange(day);
    expect((Date.parse(to) - Date.parse(from)) / HOUR).toBe(hours);
    expect([dayOf(Date.parse(from)), dayOf(Date.parse(to) - 1), dayOf(Date.parse(to))]).toEqual([
      day,
      day,
      dayAfter(day),
    ]);
    expect(dayAfter(dayAfter(day), -1)).toBe(day);
    const week = Array.from({ length: 7 }, (_, i) => daysRange(dayAfter(day, i - 3)));
    for (const [i, { from: next }] of week.slice(1).entries()) expect(next).toBe(week[i].to);
    expect(daysRange(dayAfter(day, -3), dayAfter(day, 3))).toEqual({ from: week[0].from, to: week[6].to });
  });
});

it("an address that names no day has the usual one", () => {
  const usual = "2026-11-30";
  expect(dayOr("2026-02-28", usual)).toBe("2026-02-28");
  for (const text of [null, "", "abc", "2026-13-01", "2026-1-1", "9999-99-99", "2026-11-30 x"])
    expect(dayOr(text, usual)).toBe(usual);
});
