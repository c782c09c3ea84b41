import fc from "fast-check";
import { getPentagons } from "h3-js";
import { describe, expect, it } from "vitest";
import {
  ancestors,
  cellAt,
  cellCircle,
  cellRange,
  type PackedCell,
  packCell,
  resolutionOf,
} from "../../../src/core/geo/cells/cells.ts";
import { coverCircle, coverPolygon } from "../../../src/core/geo/cells/cover.ts";
import { type Coordinate, wrapLongitude } from "../../../src/core/geo/coordinate.ts";
import { destination } from "../../../src/core/geo/distance.ts";
import { type Ring, ringContains } from "../../../src/core/geo/shapes/polygon.ts";
import { samples } from "../../support/night.ts";
import { anywhere, bearing, SEED, uniform } from "./arbitrary.ts";

/** The places where grids break: poles, the 180th meridian, pentagons (one in the sea off Norway, one near Antarctica). */
const SPOTS: Coordinate[] = [
  { latitude: 90, longitude: 0 },
  { latitude: -90, longitude: 0 },
  { latitude: 89.999, longitude: 120 },
  { latitude: -89.9, longitude: -60 },
  { latitude: 0, longitude: 180 },
  { latitude: -17, longitude: -179.9999 },
  { latitude: 64.7, longitude: 10.536 },
  { latitude: 58.40154, longitude: -5.24539 },
  { latitude: -50.1032, longitude: -143.47849 },
  { latitude: 0, longitude: 0 },
];

const near = fc
  .record({
    spot: fc.constantFrom(...SPOTS),
    bearing,
    k: uniform(0, 5),
  })
  .map(({ spot, bearing, k }) => destination(spot, bearing, 10 ** k));
const place = fc.oneof(anywhere, near, fc.constantFrom(...SPOTS));
const share = uniform(0, 1);

function holds(cover: ReadonlySet<PackedCell>, { latitude, longitude }: Coordinate): boolean {
  return ancestors(cellAt({ latitude, longitude: wrapLongitude(longitude) })).some((cell) => cover.has(cell));
}

/** Random points of the circle, many of them on its very edge. */
const points = fc.array(fc.tuple(bearing, fc.oneof(share, fc.constantFrom(1, 0.9999, 0))), {
  minLength: 50,
  maxLength: 50,
});

describe("the cover of a circle", () => {
  it.each([
    ["of 10 m to 10 km", 1, 4],
    ["of a centimetre to 10 m", -2, 1],
    ["of 10 km to 10,000 km", 4, 7],
  ])("%s finds every point inside, at poles, pentagons and the 180th meridian", (_, from, to) => {
    const radius = uniform(from, to).map((k) => 10 ** k);
    fc.assert(
      fc.property(place, radius, points, (center, metres, inside) => {
        const cover = new Set(coverCircle(center, metres));
        for (const [direction, part] of inside) {
          const point = destination(center, direction, metres * part * 0.999999999);
          if (!holds(cover, point)) throw new Error(`${JSON.stringify(point)} is not covered`);
        }
      }),
      { seed: SEED, numRuns: samples(70, 200) },
    );
  });

  it("beside a pentagon of any resolution finds every point inside", () => {
    const pentagon = fc.integer({ min: 0, max: 11 }).chain((r) => fc.constantFrom(...getPentagons(r)));
    fc.assert(
      fc.property(pentagon, bearing, uniform(0, 3), uniform(-2, 0), points, (h3, direction, away, k, inside) => {
        const { center, radius } = cellCircle(packCell(h3));
        const middle = destination(center, direction, radius * away);
        const metres = radius * 10 ** k;
        const cover = new Set(coverCircle(middle, metres));
        for (const [turn, part] of inside) {
          const point = destination(middle, turn, metres * part * 0.999999999);
          if (!holds(cover, point)) throw new Error(`${JSON.stringify(point)} is not covered`);
        }
      }),
      { seed: SEED, numRuns: samples(80, 250) },
    );
  });

  it("has few cells, none of them within another", () => {
    fc.assert(
      fc.property(anywhere, uniform(1, 4), (center, k) => {
        const cover = coverCircle(center, 10 ** k);
        expect(cover.length).toBeLessThanOrEqual(24);
        const cells = new Set(cover);
        for (const cell of cover) {
          expect(
            ancestors(cell)
              .slice(1)
              .some((above) => cells.has(above)),
          ).toBe(false);
        }
      }),
      { seed: SEED, numRuns: samples(50, 150) },
    );
  });

  it("hugs the circle: little that is far away is found", () => {
    const count = samples(150, 500);
    for (const radius of [50, 200, 1000, 10_000]) {
      let found = 0;
      for (let i = 0; i < count; i++) {
        const center = { latitude: -60 + (i % 40) * 3, longitude: -170 + (i * 340) / count };
        const cover = new Set(coverCircle(center, radius));
        if (holds(cover, destination(center, i * 7, radius * 2.5))) found++;
      }
      expect(found).toBeLessThan(count / 10);
    }
  });

  it("gets tighter with more cells and stays a cover with one", () => {
    const center = { latitude: 40.7, longitude: -73.95 };
    const sizes = [1, 7, 24, 100].map((most) => coverCircle(center, 1000, most));
    for (const cover of sizes) expect(holds(new Set(cover), center)).toBe(true);
    const finest = sizes.map((cover) => Math.max(...cover.map(resolutionOf)));
    expect(finest).toEqual([...finest].sort((a, b) => a - b));
    expect(finest[3]).toBeGreaterThan(finest[0]);
  });

  it("shares a cell, or a cell of it an ancestor, with the cover of whatever it overlaps", () => {
    fc.assert(
      fc.property(place, uniform(0, 4), uniform(0, 3), bearing, share, (center, j, k, direction, part) => {
        const [large, small] = [10 ** j, 10 ** k];
        const other = destination(center, direction, (large + small) * part * 0.999);
        const ranges = coverCircle(center, large).map(cellRange);
        const meet = coverCircle(other, small, 7)
          .map(cellRange)
          .some(([low, high]) => ranges.some(([from, to]) => low < to && from < high));
        expect(meet).toBe(true);
      }),
      { seed: SEED, numRuns: samples(50, 150) },
    );
  });
});

/** A ring of n corners around a centre, its radius wandering between 0.3 and 1 of `metres`. */
function rock(center: Coordinate, metres: number, corners: number, seed: number): Ring {
  const ring: [number, number][] = [];
  for (let i = 0; i < corners; i++) {
    const wave = 0.65 + 0.2 * Math.sin(i * 0.37 + seed) + 0.15 * Math.sin(i * 2.9 + seed * 2);
    const { latitude, longitude } = destination(center, (i * 360) / corners, metres * wave);
    ring.push([longitude, latitude]);
  }
  return ring;
}

/** Random points inside the ring, by trial around its corners and centre. */
function pointsInside(ring: Ring, center: Coordinate, metres: number, tries: [number, number][]): Coordinate[] {
  const out: Coordinate[] = [];
  for (const [direction, part] of tries) {
    const point = destination(center, direction, metres * part);
    if (ringContains(ring, point.latitude, point.longitude)) out.push(point);
  }
  for (let i = 0; i < ring.length; i += Math.ceil(ring.length / 40)) {
    const [a, b] = [ring[i], ring[(i + 1) % ring.length]];
    if (Math.abs(a[0] - b[0]) > 180) continue;
    // A hair to either side of the edge.
    for (const side of [-1e-9, 1e-9]) {
      const point = { latitude: (a[1] + b[1]) / 2 + side, longitude: (a[0] + b[0]) / 2 + side };
      if (ringContains(ring, point.latitude, point.longitude)) out.push(point);
    }
  }
  return out;
}

describe("the cover of a polygon", () => {
  const temperate = place.filter(({ latitude }) => Math.abs(latitude) < 85);

  it.each([
    ["of 10 m to 10 km with few corners", 1, 4, 3, 12, samples(100, 300)],
    ["of 2,000 corners", 2, 4, 2000, 2000, samples(8, 20)],
    ["of the size of a country", 4, 6, 3, 60, samples(35, 100)],
  ])("%s finds every point inside", (_, from, to, least, most, runs) => {
    const size = uniform(from, to).map((k) => 10 ** k);
    let seen = 0;
    fc.assert(
      fc.property(
        temperate,
        size,
        fc.integer({ min: least, max: most }),
        fc.nat(1000),
        points,
        (center, metres, corners, seed, tries) => {
          // A country near a pole would wind around it: such rings have no inside.
          fc.pre(metres < (90 - Math.abs(center.latitude)) * 100_000);
          const ring = rock(center, metres, corners, seed);
          const cover = new Set(coverPolygon(ring));
          for (const point of pointsInside(ring, center, metres, tries)) {
            seen++;
            if (!holds(cover, point)) throw new Error(`${JSON.stringify(point)} is not covered`);
          }
        },
      ),
      { seed: SEED, numRuns: runs },
    );
    expect(seen).toBeGreaterThan(runs * 10);
  });

  it("holds long edges, which run along parallels and not along great circles", () => {
    const belt: Ring = [
      [-120, 49],
      [-60, 49],
      [-60, 60],
      [-120, 60],
    ];
    const cover = new Set(coverPolygon(belt));
    for (let longitude = -119.9; longitude < -60; longitude += 0.7) {
      for (const latitude of [49.0001, 54, 59.9999]) expect(holds(cover, { latitude, longitude })).toBe(true);
    }
    expect(holds(cover, { latitude: 30, longitude: -90 })).toBe(false);
    expect(cover.size).toBeLessThanOrEqual(24);
  });

  it("holds a slanted sliver from the equator to the Arctic", () => {
    const sliver: Ring = [
      [0, 0],
      [150, 80],
      [150, 80.01],
      [0, 0.01],
    ];
    const cover = new Set(coverPolygon(sliver, 200));
    for (let t = 0.0005; t < 1; t += 0.001) {
      expect(holds(cover, { latitude: 80 * t + 0.005, longitude: 150 * t })).toBe(true);
    }
  });

  it("holds the inside of a hemisphere, of a ring on the 180th meridian, of one that crosses itself, of a line", () => {
    const hemisphere: Ring = [
      [0, -89],
      [90, -89],
      [179, -89],
      [179, 89],
      [90, 89],
      [0, 89],
    ];
    const fiji: Ring = [
      [177, -19],
      [-178, -19],
      [-178, -16],
      [177, -16],
      [177, -19],
    ];
    const bow: Ring = [
      [0, 0],
      [1, 1],
      [1, 0],
      [0, 1],
    ];
    const cases: [Ring, Coordinate[]][] = [
      [
        hemisphere,
        [
          { latitude: 0, longitude: 90 },
          { latitude: 88, longitude: 1 },
          { latitude: -88, longitude: 178 },
        ],
      ],
      [
        fiji,
        [
          { latitude: -17, longitude: 179.99 },
          { latitude: -17, longitude: -179.99 },
          { latitude: -18.9, longitude: -178.1 },
        ],
      ],
      [
        bow,
        [
          { latitude: 0.5, longitude: 0.1 },
          { latitude: 0.5, longitude: 0.9 },
        ],
      ],
      [
        [
          [5, 5],
          [5.1, 5.1],
        ],
        [{ latitude: 5.05, longitude: 5.05 }],
      ],
    ];
    for (const [ring, inside] of cases) {
      const cover = new Set(coverPolygon(ring));
      for (const point of inside) expect(holds(cover, point)).toBe(true);
    }
  });
});
