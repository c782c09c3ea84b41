import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { selfCrossing } from "../../../src/core/geo/shapes/self-crossing.ts";

const closed = (...corners: number[][]) => [...corners, corners[0]];

describe("a ring", () => {
  //   D───C        C───D
  //   │   │         ╲ ╱
  //   A───B        A─╳─B
  it("of a square does not cross itself, a bow tie does, in its middle", () => {
    expect(selfCrossing(closed([0, 0], [2, 0], [2, 2], [0, 2]))).toBeUndefined();
    expect(selfCrossing(closed([0, 0], [2, 0], [0, 2], [2, 2]))).toEqual({ latitude: 1, longitude: 1, edges: [2, 4] });
  });

  it("that crosses the 180th meridian is looked at in one piece", () => {
    expect(selfCrossing(closed([179, 0], [-179, 0], [-179, 2], [179, 2]))).toBeUndefined();
    const { longitude, ...rest } = selfCrossing(closed([179, 0], [-179, 0], [179, 2], [-179, 2])) ?? { longitude: 0 };
    expect([Math.abs(longitude), rest]).toEqual([180, { latitude: 1, edges: [2, 4] }]);
  });

  it("may touch itself in a corner, run back along an edge, or stand twice on one spot", () => {
    expect(selfCrossing(closed([0, 0], [2, 0], [1, 1], [2, 2], [0, 2], [1, 1]))).toBeUndefined();
    expect(selfCrossing(closed([0, 0], [2, 0], [2, 2], [3, 2], [2, 2], [0, 2]))).toBeUndefined();
    expect(selfCrossing(closed([0, 0], [0, 0], [2, 0], [2, 2], [2, 2]))).toBeUndefined();
  });

  it("whose corners go once around a point never crosses itself", () => {
    const star = fc.array(fc.double({ min: 0.1, max: 5, noNaN: true }), { minLength: 3, maxLength: 60 });
    fc.assert(
      fc.property(star, fc.integer({ min: -180, max: 179 }), (reaches, middle) => {
        const corners = reaches.map((reach, i) => {
          const angle = (2 * Math.PI * i) / reaches.length;
          const longitude = ((middle + reach * Math.cos(angle) + 540) % 360) - 180;
          return [longitude, reach * Math.sin(angle)];
        });
        expect(selfCrossing(closed(...corners))).toBeUndefined();
      }),
    );
  });

  it("crosses itself where comparing every edge with every other finds it", () => {
    const corner = fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 40 })).map((pair) => [...pair]);
    fc.assert(
      fc.property(fc.array(corner, { minLength: 3, maxLength: 25 }), (corners) => {
        const ring = closed(...corners);
        const expected = byHand(ring);
        const found = selfCrossing(ring);
        expect(found?.edges).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });
});

/** The first pair of edges of which each has the other's ends on both sides. */
function byHand(ring: number[][]): number[] | undefined {
  const side = (i: number, [x, y]: number[]) =>
    (ring[i + 1][0] - ring[i][0]) * (y - ring[i][1]) - (ring[i + 1][1] - ring[i][1]) * (x - ring[i][0]);
  for (let i = 0; i < ring.length - 1; i++) {
    for (let j = i + 1; j < ring.length - 1; j++) {
      if (side(i, ring[j]) * side(i, ring[j + 1]) < 0 && side(j, ring[i]) * side(j, ring[i + 1]) < 0)
        return [i + 1, j + 1];
    }
  }
  return undefined;
}
