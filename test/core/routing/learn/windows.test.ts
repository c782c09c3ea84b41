import { describe, expect, it } from "vitest";
import type { EdgeSums } from "../../../../src/core/routing/learn/edge-sums.ts";
import { chooseWindows, weekProfile, windowOfHour } from "../../../../src/core/routing/learn/windows.ts";
import { overlap } from "../../../../src/importer/layers/roads/profiles/time-window.ts";
import { seeded } from "../graph/random-town.ts";

/** Traversals of 40 edges, slower by `slowdown(hour)`. */
function week(slowdown: (day: number, hour: number) => number, count = 30, spread = 0.2): EdgeSums {
  const random = seeded(5);
  const sums: EdgeSums = new Map();
  for (let edge = 0; edge < 40; edge++) {
    const usual = -2 + random();
    const hours = Array.from({ length: 168 }, (_, hour) => {
      const log = usual + slowdown(Math.floor(hour / 24), hour % 24);
      return {
        ...{ hour, count, logs: count * log, squares: count * (log ** 2 + spread ** 2) },
        ...{ waits: 0, devices: [1, 2, 3] },
      };
    });
    // Some edges are used in a part of the week only.
    sums.set(String(edge), edge % 4 === 0 ? hours.filter(({ hour }) => hour % 24 > 5) : hours);
  }
  return sums;
}

const rush = (day: number, hour: number) => (day < 5 && (hour === 7 || hour === 8) ? 0.5 : 0);

describe("windows of the week", () => {
  it("cover each hour once, at most eight of them, whatever the data", () => {
    const random = seeded(9);
    for (const sums of [week(rush), week(() => 0), week(() => random() * 0.5), new Map() as EdgeSums]) {
      const windows = chooseWindows(weekProfile(sums));
      expect(windows.length).toBeGreaterThanOrEqual(2);
      expect(windows.length).toBeLessThanOrEqual(8);
      expect([...windowOfHour(windows)].every((window) => window > 0)).toBe(true);
      for (const [i, a] of windows.entries())
        for (const b of windows.slice(i + 1)) expect(overlap(a, b)).toBeUndefined();
    }
  });

  it("find the rush hour of working days, and spend none where nothing differs", () => {
    const windows = chooseWindows(weekProfile(week(rush)));
    expect(windows).toContainEqual({ days: 31, from: 420, until: 540 });
    expect(windows).toHaveLength(4);
    expect(chooseWindows(weekProfile(week(() => 0)))).toHaveLength(2);
  });

  it("keep one for the shoppers of a Saturday, of whom there are few, beside working days with a different speed in each hour", () => {
    const random = seeded(3);
    const ofHour = Array.from({ length: 24 }, () => random() * 0.5);
    const sums = week((day, hour) => (day < 5 ? ofHour[hour] : day === 5 && hour > 10 && hour < 17 ? 0.8 : 0));
    for (const hours of sums.values()) {
      for (const one of hours) {
        if (one.hour < 120) continue;
        // A twentieth of the traversals of a working day.
        one.count /= 20;
        one.logs /= 20;
        one.squares /= 20;
      }
    }
    const known = windowOfHour(chooseWindows(weekProfile(sums)));
    const [noon, morning, monday] = [known[120 + 12], known[120 + 8], known[12]];
    expect(noon).not.toBe(morning);
    expect(noon).not.toBe(monday);
  });

  it("leave out the hours that nobody drove, and give days that nobody drove what is like them", () => {
    const sums = week(rush);
    for (const [key, hours] of sums)
      sums.set(
        key,
        hours.filter(({ hour }) => hour % 24 >= 6 && hour % 24 < 22 && hour < 72),
      );
    const windows = chooseWindows(weekProfile(sums));
    expect(windows).toContainEqual({ days: 31, from: 420, until: 540 });
    const known = windowOfHour(windows);
    expect([known[3], known[23], known[96 + 3]]).toEqual([0, 0, 0]);
    expect(known[96 + 7]).toBe(known[7]);
    expect(known[144 + 7]).not.toBe(known[7]);
  });

  it("compare hours on the same edges: slow edges that are used at night do not slow the night", () => {
    const { slowdown } = weekProfile(week(rush));
    expect(slowdown[3] - slowdown[12]).toBeCloseTo(0, 3);
    expect(slowdown[8] - slowdown[12]).toBeCloseTo(0.5, 3);
  });
});
