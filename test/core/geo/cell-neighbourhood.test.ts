import { describe, expect, it } from "vitest";
import { allCells, cellsTouching } from "../../../src/core/geo/cells/cell-neighbourhood.ts";
import { ancestorOf, cellAt, resolutionOf } from "../../../src/core/geo/cells/cells.ts";
import type { Coordinate } from "../../../src/core/geo/coordinate.ts";
import { destination } from "../../../src/core/geo/distance.ts";
import { random } from "../../../src/demo/world/random.ts";

const draw = random("cell neighbourhood");
/** Anywhere on the Earth, every part equally often. */
const anywhere = (): Coordinate => ({
  latitude: (Math.asin(draw.between(-1, 1)) * 180) / Math.PI,
  longitude: draw.between(-180, 180),
});

describe("the cells of the Earth", () => {
  it("are 122 at resolution 0 and 842 at resolution 1", () => {
    expect(new Set(allCells(0)).size).toBe(122);
    expect(new Set(allCells(1)).size).toBe(842);
    expect(allCells(1).every((cell) => resolutionOf(cell) === 1)).toBe(true);
  });
});

describe("cells touching a circle", () => {
  it("hold every point of it, also at the poles and on the 180th meridian", () => {
    const centers = [
      { latitude: 90, longitude: 0 },
      { latitude: -89.999, longitude: 77 },
      { latitude: 10, longitude: 180 },
      { latitude: -16.5, longitude: -179.999 },
      ...Array.from({ length: 200 }, anywhere),
    ];
    for (const center of centers) {
      const resolution = 7 + draw.below(4);
      const radius = draw.between(0, 3000);
      const cells = new Set(cellsTouching(center, radius, resolution));
      for (let i = 0; i < 40; i++) {
        const point = destination(center, draw.between(0, 360), radius * Math.sqrt(draw.next()));
        expect(cells.has(ancestorOf(cellAt(point), resolution))).toBe(true);
      }
    }
  });
});
