import fc from "fast-check";
import {
  cellToBoundary,
  cellToChildren,
  cellToLatLng,
  cellToParent,
  getPentagons,
  getRes0Cells,
  gridDisk,
  latLngToCell,
} from "h3-js";
import { describe, expect, it } from "vitest";
import {
  ancestorOf,
  ancestors,
  cellAt,
  cellCircle,
  cellRange,
  DESCENDANT_REACH,
  MAX_RESOLUTION,
  packCell,
  resolutionOf,
  unpackCell,
} from "../../../src/core/geo/cells/cells.ts";
import { distance } from "../../../src/core/geo/distance.ts";
import { anywhere, SEED } from "./arbitrary.ts";

const point = fc.oneof(anywhere, fc.constantFrom({ latitude: 90, longitude: 0 }, { latitude: -90, longitude: 0 }));
const resolution = fc.integer({ min: 0, max: MAX_RESOLUTION });

const toCoordinate = ([latitude, longitude]: [number, number]) => ({ latitude, longitude });

/** How far from a cell's centre its descendants reach, in its circumradii: on from those farthest out, level by level. */
function farthestDescendant(h3: string): number {
  const { center, radius } = cellCircle(packCell(h3));
  const away = (cell: string) => distance(center, toCoordinate(cellToLatLng(cell)));
  const own = resolutionOf(packCell(h3));
  let outermost = [h3];
  for (let r = own + 1; r <= Math.min(MAX_RESOLUTION, own + 5); r++) {
    const children = outermost.flatMap((cell) => cellToChildren(cell, r)).map((cell) => ({ cell, far: away(cell) }));
    children.sort((a, b) => b.far - a.far);
    outermost = children.slice(0, 4).map(({ cell }) => cell);
  }
  const corners = outermost.flatMap((cell) => cellToBoundary(cell) as [number, number][]);
  return Math.max(...corners.map((corner) => distance(center, toCoordinate(corner)))) / radius;
}

describe("a packed cell", () => {
  it("is the H3 cell and back, and fits into 47 bits", () => {
    fc.assert(
      fc.property(point, resolution, (at, r) => {
        const h3 = latLngToCell(at.latitude, at.longitude, r);
        const cell = packCell(h3);
        expect(cellAt(at, r)).toBe(cell);
        expect(unpackCell(cell)).toBe(h3);
        expect(resolutionOf(cell)).toBe(r);
        expect(Number.isInteger(cell) && cell >= 0 && cell < 2 ** 47).toBe(true);
      }),
      { seed: SEED, numRuns: 500 },
    );
  });

  it("holds for all base cells and pentagons", () => {
    for (const h3 of [...getRes0Cells(), ...[1, 5, 12].flatMap((r) => getPentagons(r))]) {
      expect(unpackCell(packCell(h3))).toBe(h3);
    }
  });

  it("has the ancestors that H3 gives it", () => {
    fc.assert(
      fc.property(point, resolution, (at, r) => {
        const h3 = latLngToCell(at.latitude, at.longitude, r);
        const expected = Array.from({ length: r + 1 }, (_, i) => packCell(cellToParent(h3, r - i)));
        expect(ancestors(packCell(h3))).toEqual(expected);
        for (const [i, parent] of expected.entries()) expect(ancestorOf(packCell(h3), r - i)).toBe(parent);
        expect(ancestors(packCell(h3), Math.min(4, r))).toEqual(expected.slice(0, r - Math.min(4, r) + 1));
      }),
      { seed: SEED, numRuns: 200 },
    );
  });

  it("has its descendants, and of the finest cells only them, in one range of keys", () => {
    fc.assert(
      fc.property(point, fc.integer({ min: 0, max: 10 }), point, (at, r, other) => {
        const cell = cellAt(at, r);
        const [low, high] = cellRange(cell);
        for (const child of cellToChildren(unpackCell(cell), r + 2)) {
          expect(packCell(child) >= low && packCell(child) < high).toBe(true);
        }
        for (const fine of [cellAt(at), cellAt(other)]) {
          expect(fine >= low && fine < high).toBe(ancestorOf(fine, r) === cell);
        }
      }),
      { seed: SEED, numRuns: 150 },
    );
  });

  it("has descendants that stick out of its circle, and none that reaches farther than is said", () => {
    let farthest = 0;
    for (let r = 0; r < MAX_RESOLUTION; r++) {
      const all = r <= 1 ? getRes0Cells().flatMap((base) => cellToChildren(base, r)) : [];
      const pentagons = getPentagons(r).flatMap((pentagon) => gridDisk(pentagon, r <= 1 ? 1 : 4));
      const random = fc.sample(anywhere, { seed: SEED + r, numRuns: 60 });
      const cells = [...all, ...pentagons, ...random.map((at) => latLngToCell(at.latitude, at.longitude, r))];
      for (const cell of new Set(cells)) farthest = Math.max(farthest, farthestDescendant(cell));
    }
    expect(farthest).toBeGreaterThan(1.06);
    expect(farthest).toBeLessThan(1.07);
    expect(DESCENDANT_REACH).toBeGreaterThan(farthest * 1.03);
  });

  it("has a circle that holds the points that fall into it", () => {
    fc.assert(
      fc.property(point, resolution, (at, r) => {
        const { center, radius } = cellCircle(cellAt(at, r));
        expect(distance(center, at)).toBeLessThanOrEqual(radius * 1.001);
      }),
      { seed: SEED, numRuns: 500 },
    );
  });
});
