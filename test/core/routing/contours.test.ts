import { describe, expect, it } from "vitest";
import { ringContains } from "../../../src/core/geo/shapes/polygon.ts";
import { type ContourOptions, contours } from "../../../src/core/routing/reach/contours.ts";
import { reach } from "../../../src/core/routing/reach/reach.ts";
import { Router } from "../../../src/core/routing/route/router.ts";
import { samples } from "../../support/night.ts";
import { seeded } from "./graph/random-town.ts";
import { roadsOfTown } from "./graph/road-build.ts";
import { build } from "./scenario.ts";
import { pointMaker } from "./search/compare.ts";

type Polygons = readonly (readonly (readonly [number, number])[])[][];

const isIn = (polygons: Polygons, latitude: number, longitude: number) =>
  polygons.some((rings) => rings.filter((ring) => ringContains(ring, latitude, longitude)).length % 2 === 1);

/**
 * Corners of one area that are outside another one, and middles of its sides, exactly: on the edge is inside. Holes of the other
 * one must not begin inside it, either.
 */
function outsideOf(inner: Polygons, outer: Polygons): string[] {
  const points = (polygons: Polygons) =>
    polygons.flat().flatMap((ring) =>
      ring.slice(1).flatMap(([x, y], i) => [
        [Math.round(2e6 * x), Math.round(2e6 * y)],
        [Math.round(1e6 * (x + ring[i][0])), Math.round(1e6 * (y + ring[i][1]))],
      ]),
    );
  const doubled = (polygons: Polygons) =>
    polygons.map((rings) => rings.map((ring) => ring.map(([x, y]) => [Math.round(2e6 * x), Math.round(2e6 * y)])));
  const [within, around] = [doubled(inner), doubled(outer)];
  return [
    ...points(inner)
      .filter(([x, y]) => sideOf(around, x, y) < 0)
      .map((at) => `outside: ${at}`),
    ...points(outer)
      .filter(([x, y]) => sideOf(within, x, y) > 0)
      .map((at) => `an edge inside: ${at}`),
  ];
}

/** 1 inside, 0 on an edge, −1 outside; in whole numbers, exactly. */
function sideOf(polygons: readonly (readonly (readonly number[])[])[][], x: number, y: number): number {
  let crossings = 0;
  for (const ring of polygons.flat()) {
    for (let i = 1; i < ring.length; i++) {
      const [[ax, ay], [bx, by]] = [ring[i - 1], ring[i]];
      const side = (bx - ax) * (y - ay) - (by - ay) * (x - ax);
      const isBeside = Math.min(ax, bx) <= x && x <= Math.max(ax, bx) && Math.min(ay, by) <= y && y <= Math.max(ay, by);
      if (side === 0 && isBeside) return 0;
      if (ay > y !== by > y && side > 0 === by > ay) crossings++;
    }
  }
  return crossings % 2 === 1 ? 1 : -1;
}

describe("the areas around a point", () => {
  it("hold the places that are reached in time, and no others but at their edge", { timeout: 120_000 }, async () => {
    const { router, build: made } = await roadsOfTown(40, 23, [16, 64, 500]);
    const point = pointMaker(made, 7);
    for (const [mode, limits] of [
      ["car", [60, 180]],
      ["foot", [300, 900]],
    ] as const) {
      const center = point();
      const found = await contours(router, center, { mode, limits, denoise: 0 });
      expect(found?.map(({ limit }) => limit)).toEqual(limits);
      const places = Array.from({ length: 250 }, point);
      const times = await reach(router, center, places, { mode, within: 1.5 * limits[1] });
      for (const { limit, polygons } of found ?? []) {
        let right = 0;
        let clear = 0;
        places.forEach(({ latitude, longitude }, i) => {
          // Near the edge either may be right: corners of the grid are told by the road that is nearest to them.
          if (times[i] > 0.8 * limit && times[i] < 1.2 * limit) return;
          clear++;
          if (isIn(polygons, latitude, longitude) === times[i] <= limit) right++;
        });
        expect(clear).toBeGreaterThan(100);
        expect(right / clear).toBeGreaterThan(0.97);
      }
      const [near, far] = found ?? [];
      expect(far.area).toBeGreaterThan(near.area);
    }
  });

  it("of a longer limit contain those of a shorter one, wherever the center is", { timeout: 120_000 }, async () => {
    let [compared, holes] = [0, 0];
    const towns = Array.from({ length: samples(1, 12) }, (_, n) => [
      [16, 5 + n, 16, 64, 500],
      [30, 8 + n, 16, 64, 500],
      [40, 7 + n, 4, 7, 24, 100],
    ]);
    for (const [size, seed, ...levels] of towns.flat()) {
      const { router, build: made } = await roadsOfTown(size, seed, levels);
      const point = pointMaker(made, seed);
      const random = seeded(seed);
      for (const travel of [
        { mode: "car", unit: 1 },
        { mode: "car", unit: 1, avoid: ["tolls", "highways"] },
        { mode: "truck", unit: 1, vehicle: { height: 2.9 } },
        { mode: "foot", unit: 4 },
        { mode: "bike", unit: 2 },
        { mode: "car", unit: 10, byLength: true },
      ] as const) {
        const { unit, ...options }: { unit: number } & Omit<ContourOptions, "limits" | "denoise"> = travel;
        const center = point();
        const limits = Array.from({ length: 5 }, () => unit * (10 + Math.floor(random() ** 2 * 250))).sort(
          (a, b) => a - b,
        );
        for (const more of [{ denoise: 0.02 }, { denoise: 0, generalise: 100 }, { denoise: 0 }].slice(
          0,
          samples(2, 3),
        )) {
          const together = await contours(router, center, { ...options, ...more, limits });
          let shorter: Polygons = [];
          for (const [i, limit] of limits.entries()) {
            const [found] = (await contours(router, center, { ...options, ...more, limits: [limit] })) ?? [];
            if (!found) continue;
            const where = JSON.stringify({ size, seed, center, options, more, limit });
            // Of two quickest ways, each of the two may count the length of another one.
            if (!options.byLength) expect(together?.[i], where).toEqual(found);
            expect(outsideOf(shorter, found.polygons), where).toEqual([]);
            shorter = found.polygons;
            compared++;
            holes += found.polygons.flat().length - found.polygons.length;
          }
        }
      }
    }
    expect(compared).toBeGreaterThan(samples(150, 200));
    expect(holes).toBeGreaterThan(samples(5, 10));
  });

  it("reach as far as the fastest road does, wherever it runs", async () => {
    // A short block of streets, and a motorway of 25 km that passes between the corners of a coarse grid.
    const row = (letters: string, at: number) => " ".repeat(at) + letters;
    for (const down of [1, 3, 5, 8]) {
      const map = ["a-c", ...Array.from({ length: down }, (_, i) => row(i + 1 === down ? "b" : "", 25))].join("\n");
      const ways = { ac: "", ab: "highway=motorway oneway=no maxspeed=130" };
      const world = await build({ map, ways, grid: 1000 });
      const time = (await world.find(["a", "aabbbb"], { mode: "car" }))!.duration;
      const [found] = (await contours(world.router, world.at("a"), { mode: "car", limits: [time], denoise: 0 })) ?? [];
      for (const place of ["aaab", "ab", "aabbb"]) {
        const { latitude, longitude } = world.at(place);
        expect(isIn(found.polygons, latitude, longitude), `${place}, ${down} km down`).toBe(true);
      }
      const { latitude, longitude } = world.at("b");
      expect(isIn(found.polygons, latitude, longitude)).toBe(false);
    }
  });

  it("have a hole where no road leads to in time", async () => {
    // A ring road of four sides of 800 m around fields, with one lane into their middle, where walking is slow.
    const map = "a-------b\n|       |\n|       |\n|       |\n|       |\n|       |\n|       |\n|       |\nc-------d";
    const world = await build({ map, ways: { ab: "", bd: "", dc: "", ca: "" }, grid: 100 });
    const options = { mode: "foot", limits: [3000], denoise: 0 } as const;
    const [found] = (await contours(world.router, world.at("a"), options)) ?? [];
    const { latitude, longitude } = world.at("a");
    const { latitude: south, longitude: east } = world.at("d");
    expect(isIn(found.polygons, (latitude + south) / 2, (longitude + east) / 2)).toBe(false);
    expect(isIn(found.polygons, south, east)).toBe(true);
    expect(found.polygons[0]).toHaveLength(2);
  });

  it("cross any number of tiles, of which few are read", { timeout: 120_000 }, async () => {
    const { source, build: made } = await roadsOfTown(40, 7, [4, 7, 24, 100]);
    const read = new Set<string>();
    const router = (await Router.open({
      read: (key, options) => {
        read.add(key);
        return source.read(key, options);
      },
    })) as Router;
    const { tileCount } = router.store.manifest;
    expect(tileCount).toBeGreaterThan(200);
    const center = pointMaker(made, 5)();
    const [found] = (await contours(router, center, { mode: "car", limits: [3600], denoise: 0 })) ?? [];
    expect(found.area).toBeGreaterThan(1e6);
    expect([...read].filter((key) => key.includes("/tiles/")).length).toBeLessThan(tileCount * 0.7);
  });

  it("may be those of lengths of way", async () => {
    const world = await build({ map: "a----b----c----d", ways: { abcd: "" }, grid: 100 });
    const limits = [1100, 600];
    const found = await contours(world.router, world.at("a"), { mode: "car", limits, byLength: true, denoise: 0 });
    const holds = (at: number, place: string) => {
      const { latitude, longitude } = world.at(place);
      return isIn(found?.[at].polygons ?? [], latitude, longitude);
    };
    expect(["b", "c", "d"].map((place) => holds(0, place))).toEqual([true, true, false]);
    expect(["b", "c", "d"].map((place) => holds(1, place))).toEqual([true, false, false]);
  });

  it("lose small parts and holes to denoise, and corners to generalise", async () => {
    const { router, build: made } = await roadsOfTown(30, 21);
    const center = pointMaker(made, 3)();
    const ask = async (more: { denoise: number; generalise?: number }) =>
      ((await contours(router, center, { mode: "car", limits: [240], ...more })) ?? [])[0].polygons;
    const corners = (polygons: Polygons) => polygons.flat().reduce((sum, ring) => sum + ring.length, 0);
    const [all, clean, plain] = [
      await ask({ denoise: 0 }),
      await ask({ denoise: 1 }),
      await ask({ denoise: 1, generalise: 600 }),
    ];
    expect(clean).toHaveLength(1);
    expect(clean[0]).toHaveLength(1);
    expect(corners(clean)).toBeLessThanOrEqual(corners(all));
    expect(corners(plain)).toBeLessThan(corners(clean) / 2);
  });

  it("are unknown where no road is near", async () => {
    const world = await build({ map: "a----b", ways: { ab: "" }, grid: 100 });
    const { latitude, longitude } = world.at("a");
    const far = { latitude: latitude + 0.5, longitude };
    expect(await contours(world.router, far, { mode: "car", limits: [600], denoise: 0 })).toBeUndefined();
  });
});
