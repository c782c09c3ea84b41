import { expect, test } from "vitest";
import type { RegionShape } from "../../../src/core/regions/region-shape.ts";
import { shapeFinder } from "../../../src/importer/world/shape-finder.ts";
import { seededRandom } from "../../bench/support/random.ts";

interface Square {
  west: number;
  south: number;
  size: number;
}

const holeOf = ({ west, south, size }: Square): Square => ({
  ...{ west: west + size / 4, south: south + size / 4 },
  size: size / 2,
});

const isWithin = (x: number, y: number, { west, south, size }: Square) =>
  x > west && x < west + size && y > south && y < south + size;

const ringOf = ({ west, south, size }: Square): [number, number][] => [
  [west, south],
  [west + size, south],
  [west + size, south + size],
  [west, south + size],
];

const shapeOf = (square: Square, i: number): RegionShape => ({
  ...{ kind: "state", rank: "base", code: `${i}`, name: `${i}`, country: "XX", state: `${i}` },
  rings: [ringOf(square), ringOf(holeOf(square))],
});

test("the first shape around a place is found whichever rows its rings cross, and not in its holes unless whole", () => {
  const random = seededRandom(8);
  const squares = Array.from({ length: 60 }, () => ({
    ...{ west: random() * 40 - 20, south: random() * 40 - 20 },
    size: 1 + random() * 9,
  }));
  const shapes = squares.map(shapeOf);
  const [solid, whole] = [shapeFinder(shapes), shapeFinder(shapes, true)];
  let found = 0;
  for (let i = 0; i < 3000; i++) {
    const [x, y] = [random() * 44 - 22, random() * 44 - 22];
    const first = squares.findIndex((square) => isWithin(x, y, square) && !isWithin(x, y, holeOf(square)));
    expect(solid([x, y])).toBe(shapes[first]);
    expect(whole([x, y])).toBe(shapes[squares.findIndex((square) => isWithin(x, y, square))]);
    if (first >= 0) found++;
  }
  expect(found).toBeGreaterThan(1000);
});
