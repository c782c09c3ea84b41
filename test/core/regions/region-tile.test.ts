import { describe, expect, it } from "vitest";
import { cellReach, childAt, childrenOf, rootCells } from "../../../src/core/geo/cells/cell-tree.ts";
import { ancestorOf, cellAt } from "../../../src/core/geo/cells/cells.ts";
import type { Coordinate } from "../../../src/core/geo/coordinate.ts";
import { distance } from "../../../src/core/geo/distance.ts";
import { buildTiles } from "../../../src/core/regions/build-tiles.ts";
import type { RegionShape } from "../../../src/core/regions/region-shape.ts";
import { RegionTile } from "../../../src/core/regions/region-tile.ts";
import { samples } from "../../support/night.ts";
import { BruteForce, label, randomFrom, testPoints } from "./brute-force.ts";

function shape(code: string, rings: number[][][], more: Partial<RegionShape> = {}): RegionShape {
  return { kind: "country", rank: "base", code, name: code, country: code, state: "", rings, ...more };
}

const square = (west: number, south: number, east: number, north: number) => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];

/** A jagged ring of `corners` around a centre. */
function star(seed: number, longitude: number, latitude: number, radius: number, corners: number): number[][] {
  const random = randomFrom(seed);
  return Array.from({ length: corners }, (_, i) => {
    const angle = (2 * Math.PI * i) / corners;
    const reach = radius * (0.4 + 0.6 * random());
    return [
      ((((longitude + reach * Math.cos(angle) + 180) % 360) + 360) % 360) - 180,
      latitude + reach * Math.sin(angle),
    ];
  });
}

/** A ring round a pole at about the given latitude. */
const cap = (latitude: number) =>
  Array.from({ length: 72 }, (_, i) => [i * 5 - 180, latitude + 3 * Math.sin((i * 7 * Math.PI) / 36)]);

function lookup(shapes: readonly RegionShape[], resolution: number): (point: Coordinate) => string[] {
  const tiles = new Map<number, RegionTile>();
  for (const { cell, bytes } of buildTiles(shapes, resolution)) tiles.set(cell, new RegionTile(bytes));
  return (point) => {
    const cell = cellAt(point);
    const regions = tiles.get(ancestorOf(cell, resolution))?.regionsAt(point, cell) ?? [];
    return regions.map(label).sort();
  };
}

function differences(shapes: readonly RegionShape[], resolution: number, count: number, seed: number): string[] {
  const clever = lookup(shapes, resolution);
  const simple = new BruteForce(shapes);
  const wrong: string[] = [];
  for (const point of testPoints(shapes, count, seed)) {
    const got = clever(point).join();
    const expected = simple.regionsAt(point).join();
    if (got !== expected) wrong.push(`${point.latitude},${point.longitude}: ${got} instead of ${expected}`);
  }
  return wrong;
}

describe("a tile's regions", () => {
  it("are those of a count over all edges, for stars that overlap, share borders and cross the 180th meridian", () => {
    const shapes = [
      shape("A", [star(1, 10, 45, 8, 200)]),
      shape("B", [star(2, 14, 47, 9, 31)], { kind: "state" }),
      shape("C", [star(3, 179, -17, 6, 80)]),
      shape("D", [star(4, -179.5, 66, 10, 400)]),
      shape("E", [square(20, 10, 22, 12)]),
      shape("F", [square(22, 10, 25, 12)]),
      shape("G", [star(5, 30, 0.5, 0.02, 60)], { kind: "county" }),
    ];
    for (const resolution of [0, 2, 4]) expect(differences(shapes, resolution, 6000, resolution + 1)).toEqual([]);
  });

  it("are those of a count over all edges for caps round both poles", () => {
    const shapes = [
      shape("N", [cap(80)]),
      shape("S", [cap(-70)]),
      shape("I", [star(6, 0, 86, 3.5, 40)], { kind: "state" }),
    ];
    expect(differences(shapes, 1, 20_000, 9)).toEqual([]);
  });

  it("are those of a count over all edges within a kilometre of a pole", () => {
    const small = (latitude: number, step: number) =>
      Array.from({ length: 360 / step }, (_, i) => [i * step - 179.7, latitude + 0.004 * Math.sin(i * 5)]);
    const shapes = [
      shape("N", [small(89.99, 15)]),
      shape("M", [small(89.97, 40)], { kind: "state" }),
      shape("S", [small(-89.98, 24)]),
      shape("W", [
        [
          [150, 89.9],
          [-140, 89.93],
          [-170, 89.998],
          [100, 89.996],
        ],
      ]),
    ];
    const clever = [0, 2, 4].map((resolution) => lookup(shapes, resolution));
    const simple = new BruteForce(shapes);
    const random = randomFrom(21);
    for (let i = 0; i < samples(900, 3000); i++) {
      const latitude = (i % 3 === 0 ? -1 : 1) * (90 - 0.05 * random());
      const point = { latitude, longitude: 360 * random() - 180 };
      const expected = simple.regionsAt(point);
      expect([point, clever.map((at) => at(point))]).toEqual([point, [expected, expected, expected]]);
    }
  });

  it("do not contain the holes that are cut out of them", () => {
    const at = lookup(
      [shape("Outer", [square(0, 0, 4, 4), square(1, 1, 2, 2)]), shape("Inner", [square(1, 1, 2, 2)])],
      1,
    );
    expect(at({ latitude: 1.5, longitude: 1.5 })).toEqual(["country Inner Inner Inner"]);
    expect(at({ latitude: 3, longitude: 3 })).toEqual(["country Outer Outer Outer"]);
    expect(at({ latitude: 5, longitude: 3 })).toEqual([]);
  });

  it("go on across the 180th meridian whether a ring crosses it or is cut there", () => {
    const crossing = shape("X", [
      [
        [179, 0],
        [-179, 0],
        [-179, 2],
        [179, 2],
      ],
    ]);
    const cut = shape("Y", [square(179, 10, 180, 12), square(-180, 10, -179, 12)]);
    const at = lookup([crossing, cut], 1);
    for (const longitude of [179.5, 180, -180, -179.5]) {
      expect(at({ latitude: 1, longitude })).toEqual(["country X X X"]);
      expect(at({ latitude: 11, longitude })).toEqual(["country Y Y Y"]);
    }
    for (const longitude of [178.9, -178.9, 0]) expect(at({ latitude: 1, longitude })).toEqual([]);
  });

  it("hold the pole itself from every longitude", () => {
    const at = lookup([shape("N", [cap(80)]), shape("S", [cap(-70)])], 1);
    for (const longitude of [-180, -90.5, 0, 13, 180]) {
      expect(at({ latitude: 90, longitude })).toEqual(["country N N N"]);
      expect(at({ latitude: -90, longitude })).toEqual(["country S S S"]);
    }
  });

  it("come smallest first, so an enclave wins over a country drawn without a hole", () => {
    const shapes = [shape("Large", [square(0, 0, 10, 10)]), shape("Small", [square(4, 4, 4.2, 4.2)])];
    const [tile] = [...buildTiles(shapes, 0)]
      .map(({ bytes }) => new RegionTile(bytes))
      .filter((one) => one.regionsAt({ latitude: 4.1, longitude: 4.1 }).length > 0);
    expect(tile.regionsAt({ latitude: 4.1, longitude: 4.1 }).map((region) => region.code)).toEqual(["Small", "Large"]);
  });

  it("survive a region without area, a ring of two corners and a repeated corner", () => {
    const at = lookup(
      [
        shape("Flat", [
          [
            [5, 5],
            [6, 6],
            [5, 5],
          ],
          [
            [1, 1],
            [2, 2],
          ],
        ]),
        shape("Twice", [
          [
            [0, 0],
            [0, 0],
            [3, 0],
            [3, 3],
            [3, 3],
          ],
        ]),
      ],
      2,
    );
    expect(at({ latitude: 1, longitude: 2 })).toEqual(["country Twice Twice Twice"]);
    expect(at({ latitude: 5.5, longitude: 5.5 })).toEqual([]);
  });

  it("are the same bytes for the same shapes in any order", () => {
    const shapes = [shape("A", [star(1, 10, 45, 8, 50)]), shape("B", [star(2, 14, 47, 9, 31)])];
    const bytes = (list: RegionShape[]) =>
      [...buildTiles(list, 2)].map((tile) => Buffer.from(tile.bytes).toString("hex"));
    expect(bytes(shapes)).toEqual(bytes([...shapes].reverse()));
  });
});

describe("a region tile", () => {
  const [{ bytes }] = [...buildTiles([shape("A", [square(0, 0, 1, 1)])], 2)];

  it("is rejected with another magic or version, or cut short", () => {
    const changed = (at: number, value: number) => bytes.map((byte, i) => (i === at ? value : byte));
    expect(() => new RegionTile(changed(0, 0))).toThrow("wrong magic");
    expect(() => new RegionTile(changed(4, 9))).toThrow("version 9");
    expect(() => new RegionTile(bytes.subarray(0, 12))).toThrow("ends before its time");
  });
});

describe("the tree of cells", () => {
  it("covers every point below a cell with the cell's reach, pentagons too", () => {
    const random = randomFrom(11);
    for (let i = 0; i < samples(1500, 5000); i++) {
      const point = { latitude: (Math.asin(2 * random() - 1) * 180) / Math.PI, longitude: random() * 360 - 180 };
      const own = cellAt(point);
      for (let resolution = 0; resolution < 12; resolution++) {
        const { center, radius } = cellReach(ancestorOf(own, resolution));
        expect(distance(center, point)).toBeLessThan(radius);
      }
    }
  });

  it("has 122 roots with 842 children", () => {
    const children = rootCells().flatMap(childrenOf);
    expect(children.filter((child) => child !== undefined)).toHaveLength(842);
    expect(children).toHaveLength(854);
  });

  it("knows a child by its digit without asking H3", () => {
    const random = randomFrom(12);
    for (let i = 0; i < 300; i++) {
      const point = { latitude: (Math.asin(2 * random() - 1) * 180) / Math.PI, longitude: random() * 360 - 180 };
      const cell = cellAt(point, i % 12);
      childrenOf(cell).forEach((child, digit) => {
        if (child !== undefined) expect(childAt(cell, digit)).toBe(child);
      });
    }
  });
});

describe("the distance to a border", () => {
  const nearest = (shapes: readonly RegionShape[], point: Coordinate, code: string, kind = "country") =>
    Math.min(
      ...[...buildTiles(shapes, 1)].map(
        ({ bytes }) =>
          new RegionTile(bytes).nearestBorder(point, (region) => region.code === code && region.kind === kind)
            ?.distance ?? Number.POSITIVE_INFINITY,
      ),
    );
  const west = shape("WW", [square(10, 50, 11, 51)]);
  const east = shape("EE", [square(11, 50, 12, 51)]);

  it("is that of the nearest point of the nearest edge to another country, inside and outside", () => {
    const point = { latitude: 50.4, longitude: 10.9 };
    const toEast = distance(point, { latitude: 50.4, longitude: 11 });
    expect(nearest([west, east], point, "WW")).toBeCloseTo(toEast, -1);
    expect(nearest([west, east], point, "EE")).toBeCloseTo(toEast, -1);
    const south = { latitude: 50.001, longitude: 10.5 };
    expect(nearest([west, east], south, "WW")).toBeCloseTo(distance(south, { latitude: 50, longitude: 11 }), -2);
    const corner = { latitude: 51.1, longitude: 9.9 };
    expect(nearest([west, east], corner, "WW")).toBeCloseTo(distance(corner, { latitude: 51, longitude: 11 }), -2);
    expect(nearest([west, east], point, "XX")).toBe(Number.POSITIVE_INFINITY);
  });

  it("of a country follows the imported states on both sides, where only a coarse outline of the country is known", () => {
    const coarse = shape("WW", [square(10, 50, 10.98, 51)], { rank: "replaced" });
    const near = shape("NS", [square(10.5, 50, 11, 51)], { kind: "state", country: "WW", rank: "import" });
    const inland = shape("IS", [square(10, 50, 10.5, 51)], { kind: "state", country: "WW", rank: "import" });
    const abroad = shape("AS", [square(11, 50, 11.5, 51)], { kind: "state", country: "EE", rank: "import" });
    const point = { latitude: 50.5, longitude: 10.9 };
    const toAbroad = distance(point, { latitude: 50.5, longitude: 11 });
    expect(nearest([coarse, inland, near, abroad], point, "WW")).toBeCloseTo(toAbroad, -1);
    const toOutline = distance(point, { latitude: 50.5, longitude: 10.98 });
    const beyond = shape("EE", [square(10.98, 50, 12, 51)]);
    expect(nearest([coarse, inland, near, beyond], point, "WW")).toBeCloseTo(toOutline, -1);
  });

  it("is that of the kind that is asked for", () => {
    const state = shape("ST", [square(10.4, 50.4, 10.6, 50.6)], { kind: "state", country: "WW" });
    const next = shape("NX", [square(10.6, 50.4, 10.7, 50.6)], { kind: "state", country: "WW" });
    const point = { latitude: 50.5, longitude: 10.5 };
    const toState = distance(point, { latitude: 50.5, longitude: 10.6 });
    expect(nearest([west, state, next], point, "ST", "state")).toBeCloseTo(toState, -1);
    expect(nearest([west, east, state, next], point, "WW")).toBeGreaterThan(4 * toState);
  });

  it("goes by the outline that is drawn best", () => {
    const coarse = shape("WW", [square(10, 50, 10.91, 51)], { rank: "replaced" });
    const point = { latitude: 50.5, longitude: 10.9 };
    const fine = distance(point, { latitude: 50.5, longitude: 11 });
    expect(nearest([{ ...west, rank: "import" }, coarse], point, "WW")).toBeCloseTo(fine, -1);
  });

  it("is that of an enclave in a country that is drawn without a hole, on both sides, but not that of an island", () => {
    const enclave = shape("EN", [square(10.4, 50.4, 10.41, 50.41)]);
    const inside = { latitude: 50.405, longitude: 10.402 };
    const outside = { latitude: 50.405, longitude: 10.398 };
    const metres = distance(inside, { latitude: 50.405, longitude: 10.4 });
    for (const rank of ["base", "import"] as const) {
      const shapes = [west, enclave].map((one) => ({ ...one, rank }));
      expect(nearest(shapes, inside, "EN")).toBeCloseTo(metres, -1);
      expect(nearest(shapes, outside, "WW")).toBeCloseTo(metres, -1);
    }
    expect(nearest([enclave, east], inside, "EN")).toBe(Number.POSITIVE_INFINITY);
    const county = shape("CO", [square(10.4, 50.4, 10.41, 50.41)], { kind: "county", country: "WW" });
    expect(nearest([west, county], outside, "WW")).toBe(Number.POSITIVE_INFINITY);
  });

  it("crosses the 180th meridian", () => {
    const island = shape("FJ", [square(179, -18, 179.999, -16)]);
    const point = { latitude: -17, longitude: -179.99 };
    const toIsland = distance(point, { latitude: -17, longitude: 179.999 });
    const neighbor = shape("XX", [square(179.999, -18, 180, -16)]);
    expect(nearest([island, neighbor], point, "FJ")).toBeCloseTo(toIsland, -1);
  });
});
