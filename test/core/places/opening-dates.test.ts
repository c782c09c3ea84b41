import { describe, expect, it } from "vitest";
import { openState } from "../../../src/core/places/opening-hours.ts";

/** Is it open at 11:00 on these days (month-day of 2026)? */
const openOn = (dates: string, ...days: string[]) =>
  days.map((day) => openState(`${dates} 10:00-12:00`, `2026-${day}T11:00`)?.open);

describe("dates of opening hours include their first and their last day", () => {
  it.each([
    ["Apr-Oct", ["03-31", "04-01", "10-31", "11-01"], [false, true, true, false]],
    ["Apr 05-Oct", ["04-04", "04-05", "10-31", "11-01"], [false, true, true, false]],
    ["Apr-Oct 15", ["03-31", "04-01", "10-15", "10-16"], [false, true, true, false]],
    ["Apr 05-07", ["04-04", "04-05", "04-07", "04-08"], [false, true, true, false]],
    ["Apr 05", ["04-04", "04-05", "04-06"], [false, true, false]],
    ["Apr", ["03-31", "04-01", "04-30", "05-01"], [false, true, true, false]],
    ["Jul,Sep", ["06-30", "07-01", "08-15", "09-30", "10-01"], [false, true, false, true, false]],
    ["Dec 24-Jan 06", ["12-23", "12-24", "12-31", "01-06", "01-07"], [false, true, true, true, false]],
    ["Nov-Feb", ["10-31", "11-01", "02-28", "03-01"], [false, true, true, false]],
  ])("%s", (dates, days, open) => {
    expect(openOn(dates, ...days)).toEqual(open);
  });
});
