import fc from "fast-check";
import { expect, it } from "vitest";
import { isDeviceTime, placeInTime } from "../../../src/core/tracking/replay-times.ts";

const NOW = Date.UTC(2026, 6, 1, 12);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const YEAR = 365 * 24 * HOUR;

it("accepts times up to five minutes ahead, and none from before 2000", () => {
  expect(isDeviceTime(NOW + 5 * MINUTE, NOW)).toBe(true);
  expect(isDeviceTime(NOW + 5 * MINUTE + 1, NOW)).toBe(false);
  expect(isDeviceTime(Date.UTC(2000, 0, 1), NOW)).toBe(true);
  expect(isDeviceTime(Date.UTC(2000, 0, 1) - 1, NOW)).toBe(false);
});

it.each<[string, (number | undefined)[], number[]]>([
  ["keeps times that can be true, whatever their order", [NOW - HOUR, NOW - 2 * HOUR], [NOW - HOUR, NOW - 2 * HOUR]],
  ["moves a clock that is ahead to now", [NOW + YEAR - HOUR, NOW + YEAR], [NOW - HOUR, NOW]],
  ["moves a clock that begins at 1970 to now", [0, HOUR], [NOW - HOUR, NOW]],
  [
    "lets a run end directly before the next true time",
    [NOW + YEAR, NOW + YEAR + HOUR, NOW - 2 * HOUR],
    [NOW - 3 * HOUR - 1, NOW - 2 * HOUR - 1, NOW - 2 * HOUR],
  ],
  ["moves each run by itself", [5, NOW - HOUR, NOW + YEAR], [NOW - HOUR - 1, NOW - HOUR, NOW]],
  ["puts what has no time before the next", [undefined, NOW - HOUR, undefined], [NOW - HOUR - 1, NOW - HOUR, NOW]],
  ["keeps the order where a wrong clock was set back", [NOW + YEAR, NOW + YEAR - HOUR], [NOW - 1, NOW]],
  ["goes no farther back than clocks do", [1000, 8.64e15], [Date.UTC(2000, 0, 1), NOW]],
  ["has nothing to do", [], []],
])("%s", (_, claimed, placed) => {
  expect(placeInTime(claimed, NOW)).toEqual(placed);
});

it("gives every batch times that can be true, in order where the clock was wrong throughout", () => {
  const wrong = fc.integer({ min: NOW + HOUR, max: NOW + 100 * YEAR });
  fc.assert(
    fc.property(fc.array(wrong, { minLength: 1, maxLength: 120 }), (claimed) => {
      const placed = placeInTime(claimed, NOW);
      expect(placed.every((time) => isDeviceTime(time, NOW))).toBe(true);
      expect(placed.at(-1)).toBe(NOW);
    }),
  );
});
