import { describe, expect, it } from "vitest";
import { ClearSquares } from "../../../src/core/regions/clear-squares.ts";
import { GRID } from "../../../src/core/regions/crossing.ts";

/** A border from south to north along a meridian [grid units], in a box of 20,000 on either side. */
function squaresWithBorder(meridian: number, halfWidth = 20_000) {
  const [x, y, dx, dy, set] = [meridian, -15_000, 0, 30_000, 0].map((value) => Int32Array.of(value));
  return new ClearSquares({ x, y, dx, dy, set }, { x: 0, y: 0, south: -20_000, north: 20_000, halfWidth });
}

const at = (x: number, y: number) => ({ longitude: x / GRID, latitude: y / GRID });

describe("squares of a tile", () => {
  const squares = squaresWithBorder(150);

  it("are numbered where no border passes through, the same for all points of a square", () => {
    const number = squares.of(at(1_000, 1_000));
    expect(number).toBeTypeOf("number");
    expect(squares.of(at(1_100, 1_100))).toBe(number);
    expect(squares.of(at(901, 901))).toBe(number);
    const others = [at(1_300, 1_000), at(1_000, 1_300), at(-1_000, 1_000), at(1_000, -1_000)].map((point) =>
      squares.of(point),
    );
    expect(new Set([number, ...others]).size).toBe(5);
  });

  it("have no number where a border passes through", () => {
    expect([at(10, 10), at(290, -14_000), at(150, 14_999)].map((point) => squares.of(point))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(squares.of(at(150, 16_000))).toBeTypeOf("number");
  });

  it("beside a border that runs a metre from their side have none either", () => {
    const border = squaresWithBorder(300);
    expect(border.of(at(310, 0))).toBeUndefined();
    expect(border.of(at(290, 0))).toBeUndefined();
    expect(border.of(at(610, 0))).toBeTypeOf("number");
    expect(border.of(at(-10, 0))).toBeTypeOf("number");
  });

  it("of a tile as wide as those near a pole have none", () => {
    expect(squaresWithBorder(150, 2e6 + 1).of(at(1_000, 1_000))).toBeUndefined();
  });

  it.each([
    [9_000, 18_000],
    [-9_000, 18_000],
    [9_000, -18_000],
    [3_000, 18_000],
    [9_000, 5_000],
  ])("along a border that slants by %i and %i have none, and those beside it have one", (dx, dy) => {
    const [x, y] = [150 - dx / 2, -dy / 2];
    const column = (value: number) => Int32Array.of(value);
    const edge = { x: column(x), y: column(y), dx: column(dx), dy: column(dy), set: column(0) };
    const squares = new ClearSquares(edge, { x: 0, y: 0, south: -20_000, north: 20_000, halfWidth: 20_000 });
    for (let t = 0; t <= 1; t += 0.01) {
      const [onX, onY] = [x + t * dx, y + t * dy];
      expect([t, squares.of(at(onX, onY))]).toEqual([t, undefined]);
      // A square and a half to either side, across the border.
      const far = (900 * Math.hypot(dx, dy)) / Math.max(Math.abs(dx), Math.abs(dy));
      const [sideX, sideY] = Math.abs(dx) > Math.abs(dy) ? [0, far] : [far, 0];
      expect(squares.of(at(onX + sideX, onY + sideY))).toBeTypeOf("number");
      expect(squares.of(at(onX - sideX, onY - sideY))).toBeTypeOf("number");
    }
  });
});
