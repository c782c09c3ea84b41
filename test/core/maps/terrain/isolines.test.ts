import { describe, expect, it } from "vitest";
import { type Grid, type Isoline, IsolineTracer } from "../../../../src/core/maps/terrain/isolines.ts";
import { simplifyLine } from "../../../../src/core/maps/terrain/simplify-line.ts";
import { ringArea } from "../../../../src/core/maps/tiles/mvt.ts";
import { seededRandom } from "../../../bench/support/random.ts";

const gridOf = (columns: number, rows: number, value: (x: number, y: number) => number): Grid => ({
  columns,
  rows,
  values: Float32Array.from({ length: columns * rows }, (_, i) => value(i % columns, Math.floor(i / columns))),
});
const isRing = (line: Isoline) => line[0] === line[line.length - 2] && line[1] === line[line.length - 1];

/** Value of a grid on the side of a cell. */
function valueAt({ columns, values }: Grid, x: number, y: number): number {
  const [column, row] = [Math.floor(x), Math.floor(y)];
  const at = (dx: number, dy: number) => values[(row + dy) * columns + column + dx];
  return x > column
    ? at(0, 0) + (at(1, 0) - at(0, 0)) * (x - column)
    : y > row
      ? at(0, 0) + (at(0, 1) - at(0, 0)) * (y - row)
      : at(0, 0);
}

describe("isolines", () => {
  it("of a cone are rings around its top, clockwise on the screen; of a pit, counterclockwise", () => {
    const cone = gridOf(41, 41, (x, y) => 20 - Math.hypot(x - 20.3, y - 19.8));
    const [ring, ...more] = new IsolineTracer(cone).trace(10);
    expect(more).toEqual([]);
    expect(isRing(ring)).toBe(true);
    expect(ringArea(ring.slice(0, -2)) / 2).toBeCloseTo(Math.PI * 100, -1);
    const pit = gridOf(41, 41, (x, y) => Math.hypot(x - 20.3, y - 19.8));
    expect(ringArea(new IsolineTracer(pit).trace(10)[0].slice(0, -2))).toBeLessThan(0);
  });

  it("of a slope lead from edge to edge, with the greater values on their right", () => {
    const [line, ...more] = new IsolineTracer(gridOf(9, 5, (_, y) => y)).trace(2.25);
    expect(more).toEqual([]);
    expect(line).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8].flatMap((x) => [x, 2.25]));
  });

  it("cross every side of a cell between a lower and a greater value once, where the value is", () => {
    const random = seededRandom(7);
    for (let round = 0; round < 20; round++) {
      const [columns, rows] = [5 + Math.floor(12 * random()), 5 + Math.floor(12 * random())];
      const grid = gridOf(columns, rows, () => random());
      const lines = new IsolineTracer(grid).trace(0.5);
      const sides = new Set<string>();
      for (const line of lines) {
        for (let i = 0; i < line.length - (isRing(line) ? 2 : 0); i += 2) {
          const [x, y] = [line[i], line[i + 1]];
          expect(valueAt(grid, x, y)).toBeCloseTo(0.5, 4);
          sides.add(`${x},${y}`);
        }
      }
      let crossed = 0;
      for (let y = 0; y < rows; y++) {
        for (let x = 0; x < columns; x++) {
          const isHigh = (dx: number, dy: number) => grid.values[(y + dy) * columns + x + dx] >= 0.5;
          if (x < columns - 1 && isHigh(0, 0) !== isHigh(1, 0)) crossed++;
          if (y < rows - 1 && isHigh(0, 0) !== isHigh(0, 1)) crossed++;
        }
      }
      expect(sides.size).toBe(crossed);
      // A second trace begins with nothing of the first.
      expect(new Set(new IsolineTracer(grid).trace(0.5).map(String))).toEqual(new Set(lines.map(String)));
    }
  });

  it("end at unknown values, and join or separate the corners of a saddle by its middle", () => {
    const hole = gridOf(9, 5, (x, y) => (x === 4 ? Number.NaN : y));
    const around = new IsolineTracer(hole).trace(2.25);
    expect([around.length, around.flat().every(Number.isFinite)]).toEqual([2, true]);
    const saddle = (corner: number) => gridOf(2, 2, (x, y) => (x === y ? corner : 0));
    for (const [corner, rightOf] of [
      [3, true],
      [1.2, false],
    ] as const) {
      const lines = new IsolineTracer(saddle(corner)).trace(1);
      expect(lines).toHaveLength(2);
      // With a high middle the lines cut off the low corners.
      const cutsLow = lines.some((line) => line.every((value, i) => (i % 2 === 0 ? value >= 0.5 : value <= 0.5)));
      expect(cutsLow).toBe(rightOf);
    }
  });
});

describe("a simplified line", () => {
  it("keeps its ends and corners, and stays within the tolerance", () => {
    expect(simplifyLine([0, 0, 1, 0.1, 2, 0, 3, 3, 4, 3], 0.5)).toEqual([0, 0, 2, 0, 3, 3, 4, 3]);
    expect(simplifyLine([0, 0, 5, 5], 1)).toEqual([0, 0, 5, 5]);
    // A ring repeats its first point.
    expect(simplifyLine([0, 0, 9, 0, 9, 9, 0, 9, 0, 0], 1)).toEqual([0, 0, 9, 0, 9, 9, 0, 9, 0, 0]);
  });
});
