import { describe, expect, it } from "vitest";
import { isAround } from "../../../../src/core/maps/tiles/around.ts";

describe("tiles around positions", () => {
  it("are those within eight columns and rows, at every zoom", () => {
    for (const z of [5, 10, 15]) {
      // The corner at 0, 0 belongs to the tile in the middle.
      const middle = 2 ** (z - 1);
      for (const [dx, dy, is] of [
        [0, 0, true],
        [8, 8, true],
        [-8, -8, true],
        [9, 0, false],
        [0, 9, false],
        [-9, 8, false],
      ] as [number, number, boolean][])
        expect([z, dx, dy, isAround([{ latitude: 0, longitude: 0 }], z, middle + dx, middle + dy)]).toEqual([
          ...[z, dx, dy, is],
        ]);
    }
  });

  it("reach over the 180th meridian, and not over a pole", () => {
    const edge = [{ latitude: 0, longitude: 179.999 }];
    expect([isAround(edge, 10, 7, 512), isAround(edge, 10, 8, 512)]).toEqual([true, false]);
    const pole = [{ latitude: 90, longitude: 0 }];
    expect([isAround(pole, 10, 512, 0), isAround(pole, 10, 512, 8), isAround(pole, 10, 512, 1023)]).toEqual([
      ...[true, true, false],
    ]);
  });

  it("are all at low zooms, and none without a position", () => {
    for (let z = 0; z <= 3; z++)
      for (let x = 0; x < 2 ** z; x++)
        for (let y = 0; y < 2 ** z; y++) expect(isAround([{ latitude: 60, longitude: 170 }], z, x, y)).toBe(true);
    expect(isAround([], 0, 0, 0)).toBe(false);
  });
});
