import { describe, expect, it } from "vitest";
import { percentile } from "./support/percentile.ts";
import { seededRandom } from "./support/random.ts";

describe("a percentile", () => {
  it.each([
    [0.5, 50],
    [0.99, 99],
    [1, 100],
    [0, 1],
  ])("of 1 to 100 at %f is %d, whatever their order", (share, expected) => {
    const values = Array.from({ length: 100 }, (_, i) => ((i * 37) % 100) + 1);
    expect(percentile(values, share)).toBe(expected);
  });

  it("of a single value is that value, and of none there is none", () => {
    expect(percentile([7], 0.99)).toBe(7);
    expect(() => percentile([], 0.5)).toThrow("no values");
  });
});

describe("seeded random numbers", () => {
  const first = (seed: number, count: number) => {
    const next = seededRandom(seed);
    return Array.from({ length: count }, next);
  };

  it("are the same for the same seed and others for another", () => {
    expect(first(1, 20)).toEqual(first(1, 20));
    expect(first(1, 20)).not.toEqual(first(2, 20));
  });

  it("fill [0, 1) evenly", () => {
    const buckets = new Array<number>(10).fill(0);
    for (const value of first(3, 100_000)) buckets[Math.floor(value * 10)]++;
    for (const count of buckets) expect(count).toBeGreaterThan(9_600);
    expect(buckets.reduce((sum, count) => sum + count)).toBe(100_000);
  });
});
