import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contourRings, doubleArea, type Grid, polygonSteps } from "../../../src/core/geo/shapes/contour.ts";
import { atOnce } from "../../../src/core/geo/steps.ts";

const polygonsOf = (rings: ReturnType<typeof contourRings>) => atOnce(polygonSteps(rings));
const gridOf = (rows: number[][]): Grid => ({
  columns: rows[0].length,
  rows: rows.length,
  values: Float64Array.from(rows.flat()),
});

const grid = fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 })).chain(([columns, rows]) =>
  fc
    .array(fc.oneof(fc.double({ min: 0, max: 10, noNaN: true }), fc.constant(Number.POSITIVE_INFINITY)), {
      minLength: columns * rows,
      maxLength: columns * rows,
    })
    .map((values): Grid => ({ columns, rows, values: Float64Array.from(values) })),
);

function isInside(polygons: number[][][][], x: number, y: number): boolean {
  let inside = false;
  for (const ring of polygons.flat()) {
    let [px, py] = ring[ring.length - 1];
    for (const [qx, qy] of ring) {
      if (py > y !== qy > y && x < px + ((y - py) * (qx - px)) / (qy - py)) inside = !inside;
      [px, py] = [qx, qy];
    }
  }
  return inside;
}

describe("lines of equal value", () => {
  it("have every corner of the grid on the side where its value belongs", () => {
    fc.assert(
      fc.property(grid, fc.double({ min: 0.01, max: 9.99, noNaN: true }), (grid, level) => {
        const polygons = polygonsOf(contourRings(grid, level));
        for (let y = 0; y < grid.rows; y++) {
          for (let x = 0; x < grid.columns; x++) {
            const value = grid.values[y * grid.columns + x];
            // A corner whose value is the level lies on the line itself.
            if (Math.abs(value - level) < 1e-6) continue;
            expect([x, y, isInside(polygons, x, y)]).toEqual([x, y, value <= level]);
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it("run counter-clockwise around what is inside, and clockwise around holes, which belong to what lies around them", () => {
    const ring = (value: (x: number, y: number) => number) =>
      gridOf(Array.from({ length: 9 }, (_, y) => Array.from({ length: 9 }, (_, x) => value(x - 4, y - 4))));
    // A disc in a hole in a larger disc.
    const [outer, inner] = polygonsOf(
      contourRings(
        ring((x, y) => (Math.hypot(x, y) < 1.2 || Math.hypot(x, y) > 2.5 ? 0 : 9) + (Math.hypot(x, y) > 4.2 ? 9 : 0)),
        5,
      ),
    );
    expect([outer.length, inner.length]).toEqual([2, 1]);
    expect(doubleArea(outer[0])).toBeGreaterThan(0);
    expect(doubleArea(outer[1])).toBeLessThan(0);
    expect(doubleArea(inner[0])).toBeLessThan(-doubleArea(outer[1]));
  });

  it("meet the level between two values where a straight line would", () => {
    const [ring] = contourRings(gridOf([[0, 10]]), 2.5);
    expect(Math.max(...ring.map(([x]) => x))).toBeCloseTo(0.25, 9);
  });

  it("are not there where nothing, and around everything where all is inside", () => {
    expect(contourRings(gridOf([[5, 5]]), 1)).toEqual([]);
    expect(
      contourRings(
        gridOf([
          [1, 1],
          [1, 1],
        ]),
        1,
      ),
    ).toHaveLength(1);
  });
});
