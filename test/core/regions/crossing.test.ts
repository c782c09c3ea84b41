import { describe, expect, it } from "vitest";
import { meetsBox } from "../../../src/core/regions/cell-box.ts";
import { crosses, normalLongitude, secondTurn, shorterWay } from "../../../src/core/regions/crossing.ts";
import {
  area,
  edgeTable,
  inTileOrder,
  type RegionShape,
  regionsHolding,
} from "../../../src/core/regions/region-shape.ts";
import { chainsOf, SetTable } from "../../../src/core/regions/tile-parts.ts";
import { randomFrom } from "./brute-force.ts";

const HALF = 18_000_000;

describe("a difference of longitudes", () => {
  it.each([
    [0, 0],
    [HALF - 1, HALF - 1],
    [HALF, -HALF],
    [-HALF, -HALF],
    [-HALF - 1, HALF - 1],
    [2 * HALF - 5, -5],
    [5 - 2 * HALF, 5],
  ])("of %i goes the shorter way: %i", (difference, way) => {
    expect(shorterWay(difference)).toBe(way);
  });

  it.each([
    [0, 0],
    [HALF, -HALF],
    [-HALF, -HALF],
    [HALF - 1, HALF - 1],
    [3 * HALF + 7, 7 - HALF],
    [-3 * HALF - 7, HALF - 7],
    [4 * HALF, 0],
  ])("%i is within half a turn: %i", (longitude, normal) => {
    expect(normalLongitude(longitude)).toBe(normal);
  });

  it("of an edge that spans the opposite meridian is tested a turn away as well", () => {
    expect([secondTurn(-HALF, HALF - 1), secondTurn(0, 5)]).toEqual([0, 0]);
    expect([secondTurn(-HALF - 1, 0), secondTurn(0, -HALF - 1)]).toEqual([2 * HALF, 2 * HALF]);
    expect([secondTurn(HALF, 0), secondTurn(0, HALF)]).toEqual([-2 * HALF, -2 * HALF]);
  });
});

describe("the path along a meridian and a parallel", () => {
  /** From (0, 0) to (10, 10): up to (0, 10), then to the right. */
  const path = (x1: number, y1: number, x2: number, y2: number) => crosses(x1, y1, x2, y2, 0, 10, 10);

  it.each([
    ["an edge across its first part", -5, 5, 5, 5, true],
    ["an edge across its second part", 5, 5, 5, 15, true],
    ["an edge that cuts its corner", -5, 4, 6, 15, false],
    ["an edge across both parts", -1, 5, 9, 11, false],
    ["an edge beyond its end", 15, 5, 15, 15, false],
    ["an edge below its start", -5, -5, 5, -5, false],
    ["an edge to the left", -5, 5, -5, 15, false],
    ["an edge inside its angle", 2, 2, 8, 8, false],
  ])("crosses %s an odd number of times: %s", (_, x1, y1, x2, y2, odd) => {
    expect([path(x1, y1, x2, y2), path(x2, y2, x1, y1)]).toEqual([odd, odd]);
  });

  it("crosses a closed ring once where one end is inside, wherever its corners are", () => {
    const random = randomFrom(3);
    const ring = [
      [-3, 7],
      [3, 7],
      [3, 13],
      [-3, 13],
    ];
    // The corners on the path itself count for one of the two edges that meet there.
    for (let i = 0; i < 200; i++) {
      const [dx, dy] = i === 0 ? [0, 0] : [Math.floor(random() * 8) - 4, Math.floor(random() * 8) - 4];
      const corners = ring.map(([x, y]) => [x + dx, y + dy]);
      const count = corners.filter(([x1, y1], at) => {
        const [x2, y2] = corners[(at + 1) % 4];
        return crosses(x1, y1, x2, y2, 0, 0, 10);
      }).length;
      const holds = (y: number) => -3 + dx <= 0 && 0 < 3 + dx && 7 + dy <= y && y < 13 + dy;
      expect([dx, dy, count % 2 === 1]).toEqual([dx, dy, holds(0) !== holds(10)]);
    }
  });
});

describe("an edge and a box", () => {
  /** From −10 to 10 in both directions. */
  const BOX = { x: 0, y: 0, south: -10, north: 10, halfWidth: 10 };

  it.each([
    ["through it", -20, 0, 20, 0, true],
    ["inside it", 1, 1, 2, 2, true],
    ["along its side", -20, 10, 20, 10, true],
    ["above it", -20, 11, 20, 11, false],
    ["below it", -20, -11, 20, -11, false],
    ["to its left", -11, -20, -11, 20, false],
    ["to its right", 11, -20, 11, 20, false],
    ["past its corner", 5, 20, 20, 5, false],
    ["through its corner", 0, 15, 15, 0, true],
    ["touching its corner", 0, 20, 20, 0, true],
    ["slanting past it on the other side", -20, 5, -5, 20, false],
    ["from outside into it", 0, 30, 0, 5, true],
    ["ending before it", 0, 30, 0, 11, false],
  ])("%s meets: %s", (_, x1, y1, x2, y2, meets) => {
    expect([meetsBox(BOX, x1, y1, x2, y2), meetsBox(BOX, x2, y2, x1, y1)]).toEqual([meets, meets]);
  });
});

const shape = (rings: number[][][], more: Partial<RegionShape> = {}): RegionShape => ({
  kind: "country",
  rank: "base",
  code: "A",
  name: "A",
  country: "A",
  state: "",
  rings,
  ...more,
});
const square = (west: number, south: number, east: number, north: number) => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
];
/** Around (10, 10), one degree to each side. */
const BOX = { x: 1_000_000, y: 1_000_000, south: 900_000, north: 1_100_000, halfWidth: 100_000 };

describe("the edges of rings", () => {
  it.each([
    ["around the box", square(0, 0, 20, 20), true],
    ["inside the box", square(9.9, 9.9, 10.1, 10.1), true],
    ["reaching in from the west", square(0, 9, 9.5, 11), true],
    ["reaching in from the east", square(10.5, 9, 20, 11), true],
    ["reaching in from the south", square(9, 0, 11, 9.5), true],
    ["reaching in from the north", square(9, 10.5, 11, 20), true],
    ["to the west", square(0, 9, 8.9, 11), false],
    ["to the east", square(11.1, 9, 20, 11), false],
    ["to the south", square(9, 0, 11, 8.9), false],
    ["to the north", square(9, 11.1, 11, 20), false],
    ["reaching around the back from the west", [...square(9.5, 9, 8, 11)].map(([x, y]) => [x - 360, y]), true],
    ["on the other side of the Earth", square(170, -20, -150, 20), false],
    ["around a pole", [square(-120, 60, 0, 60)[0], [0, 60], [120, 60]], true],
    ["with two corners", [square(0, 0, 20, 20)[0], [20, 20]], false],
  ])("%s count: %s", (_, ring, counts) => {
    const turned = ring.map((_, i) => ring[(i + 2) % ring.length]);
    const tables = [ring, turned, [...ring].reverse()].map((one) => edgeTable([shape([one])], [BOX]).length > 0);
    expect(tables).toEqual([counts, counts, counts]);
  });

  it("count for a box on the 180th meridian from both sides", () => {
    const box = { ...BOX, x: -HALF, halfWidth: 100_000 };
    const length = (west: number, east: number) => edgeTable([shape([square(west, 9, east, 11)])], [box]).length;
    expect([length(170, 178.9), length(170, 179.1), length(-179.1, -170), length(-178.9, -170)]).toEqual([0, 4, 4, 0]);
    expect(length(175, -175)).toBe(4);
  });

  it("are those of one region among several, with the step to the next corner", () => {
    const table = edgeTable([shape([square(30, 0, 40, 5)]), shape([square(9, 9, 11, 11)])], [BOX]);
    const column = (name: "x" | "y" | "dx" | "dy" | "region") => [...table[name].subarray(0, table.length)];
    expect(column("x")).toEqual([900_000, 900_000, 1_100_000, 1_100_000]);
    expect(column("y")).toEqual([1_100_000, 900_000, 900_000, 1_100_000]);
    expect(column("dx")).toEqual([0, 200_000, 0, -200_000]);
    expect(column("dy")).toEqual([-200_000, 0, 200_000, 0]);
    expect(column("region")).toEqual([1, 1, 1, 1]);
  });

  it("without length and along a pole are left out", () => {
    const repeated = [...square(9, 9, 11, 11), [9, 11]];
    expect(edgeTable([shape([repeated])], [BOX]).length).toBe(4);
    const north = { x: 0, y: 8_900_000, south: 8_800_000, north: 9_000_000, halfWidth: HALF };
    expect(edgeTable([shape([square(-10, 85, 10, 90)])], [north]).length).toBe(3);
    const flat = edgeTable([shape([square(-10, 85, 10, 89)])], [north]);
    expect(flat.length).toBe(4);
  });

  it("return the regions that contain a point, the south pole included", () => {
    const cap = Array.from({ length: 12 }, (_, i) => [i * 30 - 180, -70]);
    const shapes = [shape([cap]), shape([square(0, 0, 20, 20), square(5, 5, 6, 6)]), shape([square(170, 0, -170, 9)])];
    const everywhere = { x: 0, y: 0, south: -9_000_000, north: 9_000_000, halfWidth: HALF };
    const table = edgeTable(shapes, [everywhere]);
    const holding = (longitude: number, latitude: number) =>
      [...regionsHolding(table, longitude * 1e5, latitude * 1e5)].sort();
    expect([...table.holdsSouthPole]).toEqual([1, 0, 0]);
    expect([holding(0, -80), holding(100, -71), holding(0, -69)]).toEqual([[0], [0], []]);
    expect([holding(10, 10), holding(5.5, 5.5), holding(10, 21), holding(-1, 10)]).toEqual([[1], [], [], []]);
    expect([holding(179, 5), holding(-179, 5), holding(169, 5), holding(-169, 5)]).toEqual([[2], [2], [], []]);
  });
});

describe("shapes in the order of a tile", () => {
  const small = square(0, 0, 1, 1);
  const large = square(0, 0, 2, 2);

  it("are by kind, rank, size, country, code and name", () => {
    const names = (shapes: RegionShape[]) => inTileOrder(shapes).map(({ name }) => name);
    const pairs: [Partial<RegionShape> & { rings?: number[][][] }, Partial<RegionShape> & { rings?: number[][][] }][] =
      [
        [{ kind: "country", rings: [large] }, { kind: "state" }],
        [{ rank: "import", rings: [large] }, { rank: "base" }],
        [{ rank: "base", rings: [large] }, { rank: "replaced" }],
        [{ rings: [small] }, { rings: [large] }],
        [{ country: "CA" }, { country: "US" }],
        [{ code: "1" }, { code: "2" }],
      ];
    for (const [first, second] of pairs) {
      const [a, b] = [shape([small], { ...first, name: "z" }), shape([small], { ...second, name: "a" })];
      expect([names([a, b]), names([b, a])]).toEqual([
        ["z", "a"],
        ["z", "a"],
      ]);
    }
    const [a, b] = [shape([small], { name: "a" }), shape([small], { name: "b" })];
    expect([names([a, b]), names([b, a])]).toEqual([
      ["a", "b"],
      ["a", "b"],
    ]);
  });

  it("have an area that does not depend on where they begin, how they turn, or the 180th meridian", () => {
    const one = area(shape([small]));
    expect(one).toBeCloseTo(2 * Math.sin(Math.PI / 180), 6);
    expect(area(shape([[...small].reverse()]))).toBeCloseTo(one, 9);
    expect(area(shape([square(179.5, 0, -179.5, 1)]))).toBeCloseTo(one, 9);
    expect(area(shape([small, square(3, 0, 4, 1)]))).toBeCloseTo(2 * one, 9);
    expect(area(shape([square(0, 60, 1, 61)]))).toBeLessThan(0.5 * one);
  });
});

describe("the chains of a tile", () => {
  const around = { x: 0, y: 0, south: -9_000_000, north: 9_000_000, halfWidth: HALF };
  const chains = (...rings: number[][][]) => {
    const table = edgeTable(
      rings.map((ring) => shape([ring])),
      [around],
    );
    const sets = new SetTable();
    const found = chainsOf(table, [...Array(table.length).keys()], sets);
    const { sets: lists } = sets.compact();
    return found.map(({ set, xs, ys }) => [lists[set], xs.map((x, i) => [x / 1e5, ys[i] / 1e5])]);
  };

  it("are one for a ring, also across the 180th meridian", () => {
    const closed = (ring: number[][]) => [ring[3], ...ring];
    expect(chains(square(5, 0, 6, 1))).toEqual([[[0], closed(square(5, 0, 6, 1))]]);
    const crossing = square(179, 0, -179, 1).map(([x, y]) => [x < 0 ? x + 360 : x, y]);
    expect(chains(square(179, 0, -179, 1))).toEqual([[[0], closed(crossing)]]);
  });

  it("have a border of two regions once, with both in its set, and leave out an edge that a region has twice", () => {
    const both = chains(square(0, 0, 1, 1), square(1, 0, 2, 1));
    expect(both.filter(([set]) => String(set) === "0,1").map(([, corners]) => corners)).toEqual([
      [
        [1, 0],
        [1, 1],
      ],
    ]);
    expect(both.map(([set]) => set)).toEqual([[0], [0, 1], [0], [1]]);
    const table = edgeTable([shape([square(0, 0, 1, 1), square(1, 0, 2, 1)])], [around]);
    const once = chainsOf(table, [...Array(table.length).keys()], new SetTable());
    expect(once.flatMap(({ xs }) => xs.slice(1)).length).toBe(6);
  });
});
