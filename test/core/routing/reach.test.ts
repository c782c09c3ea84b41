import { describe, expect, it } from "vitest";
import type { Coordinate } from "../../../src/core/geo/coordinate.ts";
import { distance } from "../../../src/core/geo/distance.ts";
import { TooFar } from "../../../src/core/routing/reach/contours.ts";
import { isochrone } from "../../../src/core/routing/reach/isochrone.ts";
import { reach } from "../../../src/core/routing/reach/reach.ts";
import { snap } from "../../../src/core/routing/store/snap.ts";
import { isNight } from "../../support/night.ts";
import { roadsOfTown } from "./graph/road-build.ts";
import { build } from "./scenario.ts";
import { pointMaker } from "./search/compare.ts";

describe("the reach of a point", () => {
  it("holds the times that single searches find, for every mode, over several levels of cells", {
    timeout: 60_000,
  }, async () => {
    const towns: [size: number, seed: number, levels?: number[]][] = [
      [40, 23, [16, 64, 500]],
      ...(isNight ? [[30, 21] as [number, number]] : []),
    ];
    for (const [size, seed, levels] of towns) {
      const { router, build: made } = await roadsOfTown(size, seed, levels);
      const point = pointMaker(made, seed);
      const points = Array.from({ length: 60 }, point);
      const within = 1200;
      let reached = 0;
      for (const mode of ["car", "truck", "foot", "bike"] as const) {
        for (const origin of [point(), point()]) {
          const times = await reach(router, origin, points, { mode, within });
          const [row] = await router.matrix([origin], points, { mode });
          const metric = router.metric({ mode });
          const isOnIsland = async (at: Coordinate) =>
            (await snap(router.store, at, { mode: metric.mode, metric })).nearest.some(({ island }) => island);
          // A route begins on the nearest road, also of an island; a reach leaves those out.
          if (await isOnIsland(origin)) continue;
          for (const [i, cell] of row.entries()) {
            if (await isOnIsland(points[i])) continue;
            // The best way may take longer than allowed while a less comfortable one arrives in time.
            if (!cell || cell.duration > within) expect(times[i] <= within || times[i] === Infinity).toBe(true);
            else {
              expect(times[i]).toBeCloseTo(cell.duration, 6);
              reached++;
            }
          }
        }
      }
      expect(reached).toBeGreaterThan(100);
    }
  });

  it("returns the nearest by time of many points, whatever it omits", { timeout: 60_000 }, async () => {
    for (const [seed, drawn] of isNight
      ? [
          [8, 12],
          [8, 13],
          [23, 14],
          [21, 15],
        ]
      : [[8, 12]]) {
      const { router, build: made } = await roadsOfTown(40, seed, [8, 32, 128, 512]);
      const point = pointMaker(made, drawn);
      const points = Array.from({ length: 300 }, point);
      for (const mode of ["car", "foot", "bike"] as const) {
        for (const origin of [point(), point(), point(), point()]) {
          const timesOf = async (within: number, most?: number) =>
            [...(await reach(router, origin, points, { mode, within, most }))]
              .map((time, i) => ({ time, i }))
              .filter(({ time }) => Number.isFinite(time))
              .sort((a, b) => a.time - b.time);
          const all = await timesOf(3600);
          const some = await timesOf(3600, 10);
          expect(all.length).toBeGreaterThan(100);
          expect(some.length).toBeLessThan(all.length);
          expect(some.slice(0, 10)).toEqual(all.slice(0, 10));
          // A shorter limit omits points: the lightest route to them takes longer than a heavier one that is in time.
          const within = all[40].time;
          expect(await timesOf(within)).toEqual(all.filter(({ time }) => time <= within));
        }
      }
    }
  });

  it("is not asked over more tiles than a request may read", async () => {
    const { router, build: made } = await roadsOfTown(40, 23, [16, 64, 500]);
    const center = pointMaker(made, 2)();
    const ask = (mostTiles: number) => isochrone(router, center, { mode: "car", within: 900 }, mostTiles);
    await expect(ask(10)).rejects.toThrow(TooFar);
    expect(await ask(1000)).toEqual(await isochrone(router, center, { mode: "car", within: 900 }));
  });

  it("as a ring around it is inside that of a longer time, in each direction", async () => {
    const { router, build: made } = await roadsOfTown(40, 23, [16, 64, 500]);
    const point = pointMaker(made, 4);
    for (const mode of ["car", "foot"] as const) {
      const center = point();
      let shorter: number[] = [];
      for (const within of [30, 60, 150, 240, 500, 900]) {
        const ring = (await isochrone(router, center, { mode, within }))!;
        expect(ring[0]).toEqual(ring[ring.length - 1]);
        const radii = ring.map(([longitude, latitude]) => distance(center, { latitude, longitude }));
        expect(radii.filter((radius, ray) => radius < (shorter[ray] ?? 0) - 1e-6)).toEqual([]);
        shorter = radii;
      }
      expect(Math.min(...shorter)).toBeGreaterThan(200);
    }
  });

  it("ends at the time given", async () => {
    const world = await build({ map: "a----b----c----d", ways: { abcd: "" }, grid: 200 });
    const points = ["b", "c", "d"].map((place) => world.at(place));
    const ask = (within: number) => reach(world.router, world.at("a"), points, { mode: "foot", within });
    const [toB, toC, toD] = await ask(3600);
    expect([toB, toC, toD].every(Number.isFinite)).toBe(true);
    expect(toC / toB).toBeCloseTo(2, 1);
    expect([...(await ask(toC + 1))].map(Number.isFinite)).toEqual([true, true, false]);
  });

  it("holds what lies on the same road ahead, and goes round for what lies behind on a one-way street", async () => {
    const world = await build({
      map: "a----b\n|    |\nc----d",
      ways: { ab: "oneway=yes", bd: "oneway=yes", dc: "oneway=yes", ca: "oneway=yes" },
    });
    const [ahead, behind] = await reach(world.router, world.at("ab"), [world.at("abb"), world.at("aab")], {
      mode: "car",
      within: 600,
    });
    expect(ahead).toBeLessThan(10);
    expect(behind).toBeGreaterThan(4 * ahead);
  });

  it("does not hold what no road leads to, nor what is far from the road", async () => {
    const world = await build({ map: "a--b   c--d", ways: { ab: "", cd: "" } });
    const points = [world.at("c"), world.at("b+0,9"), world.at("b")];
    const times = await reach(world.router, world.at("a"), points, { mode: "car", within: 600, offRoad: 300 });
    expect([...times].map(Number.isFinite)).toEqual([false, false, true]);
    const nowhere = await reach(world.router, { latitude: 40, longitude: 10 }, points, { mode: "car", within: 600 });
    expect([...nowhere].some(Number.isFinite)).toBe(false);
  });
});
