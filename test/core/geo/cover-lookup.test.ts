import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { coverCircle } from "../../../src/core/geo/cells/cover.ts";
import { type CoverLookup, lookupAround } from "../../../src/core/geo/cells/cover-lookup.ts";
import { destination, distance } from "../../../src/core/geo/distance.ts";
import { samples } from "../../support/night.ts";
import { SEED, uniform } from "./arbitrary.ts";

const finds = ({ keys, ranges }: CoverLookup, cover: readonly number[]): boolean =>
  cover.some((cell) => keys.includes(cell) || ranges.some(([low, high]) => low <= cell && cell < high));

describe("a lookup around a point", () => {
  it("finds every circle that comes within the radius, and only few others", () => {
    const unit = uniform(0, 1);
    let others = 0;
    let wrong = 0;
    fc.assert(
      fc.property(unit, unit, unit, unit, unit, unit, (a, b, c, d, e, f) => {
        const point = { latitude: a * 178 - 89, longitude: b * 359.9 - 180 };
        const radius = c < 0.2 ? 0 : 10 ** (3 * c);
        const size = 10 ** (1 + 3 * d);
        const center = destination(point, e * 360, (radius + size) * f * 5);
        const found = finds(lookupAround(point, radius), coverCircle(center, size));
        const apart = distance(point, center);
        if (apart <= (radius + size) * 0.999999) expect(found).toBe(true);
        else if (apart > (radius + size) * 3) {
          others++;
          if (found) wrong++;
        }
      }),
      { seed: SEED, numRuns: samples(600, 2000) },
    );
    expect(others).toBeGreaterThan(samples(90, 300));
    expect(wrong / others).toBeLessThan(0.1);
  });
});
