import { describe, expect, it } from "vitest";
import { ClearSquares } from "../../src/regions/clear-squares.ts";
import { GRID } from "../../src/regions/crossing.ts";

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
});
