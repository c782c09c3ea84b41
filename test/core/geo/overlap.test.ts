import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wrapLongitude } from "../../../src/core/geo/coordinate.ts";
import { destination, METRES_PER_DEGREE } from "../../../src/core/geo/distance.ts";
import { circleShare, ringShare } from "../../../src/core/geo/shapes/overlap.ts";
import { type Ring, ringContains } from "../../../src/core/geo/shapes/polygon.ts";
import { samples } from "../../support/night.ts";
import { SEED, uniform } from "./arbitrary.ts";

describe("the share of a circle in a circle", () => {
  it.each([
    { radius: 10, other: 100, apart: 90, share: 1 },
    { radius: 10, other: 100, apart: 110, share: 0 },
    { radius: 10, other: 100, apart: 500, share: 0 },
    { radius: 100, other: 50, apart: 0, share: 0.25 },
    { radius: 100, other: 50, apart: 50, share: 0.25 },
    { radius: 1, other: 1, apart: 0, share: 1 },
    // Two unit circles a radius apart: 2π/3 − √3/2 of π.
    { radius: 1, other: 1, apart: 1, share: (2 * Math.PI) / 3 / Math.PI - Math.sqrt(3) / 2 / Math.PI },
    // A very large circle is a straight edge.
    { radius: 1, other: 1e6, apart: 1e6, share: 0.5 },
  ])("$radius in $other, $apart apart: $share", ({ radius, other, apart, share }) => {
    expect(circleShare(radius, other, apart)).toBeCloseTo(share, 6);
  });

  it("is the same area seen from both circles, and falls with the distance", () => {
    const size = uniform(0.5, 1e4);
    fc.assert(
      fc.property(size, size, uniform(0, 1.1), (a, b, t) => {
        const apart = (a + b) * t;
        const share = circleShare(a, b, apart);
        expect(share * a * a).toBeCloseTo(circleShare(b, a, apart) * b * b, -Math.log10(a * a + b * b) + 4);
        expect(share).toBeGreaterThanOrEqual(circleShare(a, b, apart * 1.01) - 1e-9);
      }),
      { seed: SEED },
    );
  });
});

describe("the share of a circle in a ring", () => {
  const many = (count: number): [number, number][] =>
    Array.from({ length: count }, (_, i) => [Math.sqrt((i + 0.5) / count), i * 137.50776405]);

  it("equals what counting points gives, for rings of every form", () => {
    const sunflower = many(4000);
    const corner = fc.tuple(uniform(0, 360), uniform(5, 300));
    const center = fc.constantFrom(
      { latitude: 40.7, longitude: -73.95 },
      { latitude: -17, longitude: 179.9999 },
      { latitude: -17, longitude: -180 },
      { latitude: 0, longitude: 0 },
      { latitude: 78, longitude: 15 },
    );
    fc.assert(
      fc.property(center, fc.array(corner, { minLength: 3, maxLength: 10 }), (from, corners) => {
        // Corners in any order: most rings cross themselves.
        const ring: Ring = corners.map(([bearing, metres]) => {
          const { latitude, longitude } = destination(from, bearing, metres);
          return [longitude, latitude];
        });
        let inside = 0;
        for (const [r, bearing] of sunflower) {
          const { latitude, longitude } = destination(from, bearing, r * 100);
          if (ringContains(ring, latitude, longitude)) inside++;
        }
        expect(Math.abs(ringShare(ring, from, 100) - inside / sunflower.length)).toBeLessThan(0.012);
      }),
      { seed: SEED, numRuns: samples(25, 60) },
    );
  });

  it.each([0, 0.1, 0.25, 0.5, 0.9])(
    "of a half plane with its edge at %f of the radius is the circle's segment",
    (d) => {
      const center = { latitude: 10, longitude: 179.99 };
      const edge = center.latitude + (d * 100) / METRES_PER_DEGREE;
      const ring: Ring = [
        [178, 9],
        [-178, 9],
        [-178, edge],
        [178, edge],
      ];
      const segment = Math.acos(d) - d * Math.sqrt(1 - d * d);
      expect(ringShare(ring, center, 100)).toBeCloseTo(1 - segment / Math.PI, 3);
    },
  );

  it("is exactly 1 within and 0 without, also around a pole", () => {
    const box: Ring = [
      [10, 10],
      [11, 10],
      [11, 11],
      [10, 11],
    ];
    expect(ringShare(box, { latitude: 10.5, longitude: 10.5 }, 1000)).toBe(1);
    expect(ringShare(box, { latitude: 12, longitude: 10.5 }, 1000)).toBe(0);
    const quarter: Ring = [
      [0, 80],
      [90, 80],
      [90, 90],
      [0, 90],
    ];
    expect(ringShare(quarter, { latitude: 90, longitude: 0 }, 1000)).toBeCloseTo(0.25, 6);
    const cap = Array.from({ length: 360 }, (_, i) => [wrapLongitude(i), 80]);
    expect(ringShare([...cap.slice(0, 360), [180, 90]], { latitude: 89, longitude: 0 }, 10)).toBeLessThanOrEqual(1);
  });
});
