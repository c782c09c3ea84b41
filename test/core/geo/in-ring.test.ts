import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { crossingAt, inFlatRing, inRing } from "../../../src/core/geo/shapes/in-ring.ts";
import { SEED } from "./arbitrary.ts";

const square = [
  [0, 0],
  [4, 0],
  [4, 4],
  [0, 4],
];

describe("a point in a ring", () => {
  it("is inside an outline and outside its notch, however the ring runs and whether it is closed", () => {
    const notched = [
      [0, 0],
      [6, 0],
      [6, 6],
      [3, 2],
      [0, 6],
    ];
    for (const ring of [notched, [...notched].reverse(), [...notched, notched[0]]]) {
      expect(inRing(ring, 1, 1)).toBe(true);
      expect(inRing(ring, 5, 4)).toBe(true);
      expect(inRing(ring, 3, 3)).toBe(false);
      expect(inRing(ring, 7, 1)).toBe(false);
      expect(inRing(ring, -1, 0)).toBe(false);
      expect(inRing(ring, 3, -1)).toBe(false);
    }
  });

  it("at the height of corners counts each corner once", () => {
    const diamond = [
      [0, -2],
      [2, 0],
      [0, 2],
      [-2, 0],
    ];
    expect(inRing(diamond, 0, 0)).toBe(true);
    expect(inRing(diamond, -3, 0)).toBe(false);
    expect(inRing(diamond, -1, 2)).toBe(false);
    expect(inRing(diamond, -1, -2)).toBe(false);
  });

  it("follows the even-odd rule where a ring overlaps itself", () => {
    const twice = [...square, [0, 0], [2, 0], [2, 2], [0, 2]];
    expect(inRing(twice, 1, 1)).toBe(false);
    expect(inRing(twice, 3, 3)).toBe(true);
  });

  it("gives the same for pairs and for a flat list, and agrees with the sum of angles", () => {
    const corner = fc.tuple(fc.integer({ min: -8, max: 8 }), fc.integer({ min: -8, max: 8 }));
    const ring = fc.array(corner, { minLength: 3, maxLength: 12 });
    // Halves are at no corner's height; points on an edge are left out.
    const point = fc.tuple(fc.integer({ min: -9, max: 9 }), fc.integer({ min: -9, max: 9 }));
    fc.assert(
      fc.property(ring, point, (corners, [column, row]) => {
        const [x, y] = [column + 0.5, row + 0.5];
        const isInside = inRing(corners, x, y);
        expect(inFlatRing(corners.flat(), x, y)).toBe(isInside);
        let angle = 0;
        for (const [i, [ax, ay]] of corners.entries()) {
          const [bx, by] = corners[(i + 1) % corners.length];
          const cross = (ax - x) * (by - y) - (ay - y) * (bx - x);
          const dot = (ax - x) * (bx - x) + (ay - y) * (by - y);
          if (cross === 0 && dot <= 0) return;
          angle += Math.atan2(cross, dot);
        }
        expect(isInside).toBe(Math.round(angle / (2 * Math.PI)) % 2 !== 0);
      }),
      { seed: SEED, numRuns: 3000 },
    );
  });
});

describe("an edge", () => {
  it("meets a line that one of its ends is above", () => {
    expect(crossingAt(0, 0, 2, 4, 1)).toBe(0.5);
    expect(crossingAt(2, 4, 0, 0, 1)).toBe(0.5);
    expect(crossingAt(0, 0, 2, 4, 0)).toBe(0);
    expect(crossingAt(0, 0, 2, 4, 4)).toBeNaN();
    expect(crossingAt(0, 1, 2, 1, 1)).toBeNaN();
  });
});
