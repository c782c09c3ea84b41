import { describe, expect, it } from "vitest";
import { ringContains } from "../../src/geo/shapes/polygon.ts";
import { contours } from "../../src/routing/reach/contours.ts";
import { reach } from "../../src/routing/reach/reach.ts";
import { pointMaker } from "./compare.ts";
import { roadsOfTown } from "./road-build.ts";
import { build } from "./scenario.ts";

type Polygons = readonly (readonly (readonly [number, number])[])[][];

const isIn = (polygons: Polygons, latitude: number, longitude: number) =>
  polygons.some((rings) => rings.filter((ring) => ringContains(ring, latitude, longitude)).length % 2 === 1);

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

  it("of a longer limit contain those of a shorter one, from every center", { timeout: 120_000 }, async () => {
    let [inside, outside] = [0, 0];
    for (const [size, seed] of [
      [16, 5],
      [24, 8],
      [40, 23],
    ]) {
      const { router, build: made } = await roadsOfTown(size, seed, [16, 64, 500]);
      const point = pointMaker(made, seed);
      for (const [mode, limits] of [
        ["car", [60, 120, 240]],
        ["foot", [300, 600, 1200]],
        ["bike", [120, 240, 480]],
      ] as const) {
        for (let i = 0; i < 3; i++) {
          const center = point();
          const places = Array.from({ length: 100 }, point);
          const [row] = await router.matrix([center], places, { mode });
          let right = 0;
          let clear = 0;
          let shorter: Polygons = [];
          let area = 0;
          for (const limit of limits) {
            const [found] = (await contours(router, center, { mode, limits: [limit], denoise: 0 })) ?? [];
            // Where nothing more is reached, the grid may differ.
            expect(found.area).toBeGreaterThan(0.85 * area);
            places.forEach(({ latitude, longitude }, at) => {
              const isInside = isIn(found.polygons, latitude, longitude);
              const time = row[at]?.duration ?? Number.POSITIVE_INFINITY;
              if (isIn(shorter, latitude, longitude)) {
                inside++;
                // Each limit has a grid of its own: between its corners a yard may be on the other side.
                if (!isInside) outside++;
              }
              if (time > 0.92 * limit && time < 1.08 * limit) return;
              clear++;
              if (isInside === time <= limit) right++;
            });
            shorter = found.polygons;
            area = found.area;
          }
          expect(right / clear).toBeGreaterThan(0.96);
        }
      }
    }
    expect(inside).toBeGreaterThan(300);
    expect(outside / inside).toBeLessThan(0.01);
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
      await ask({ denoise: 1, generalise: 300 }),
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
