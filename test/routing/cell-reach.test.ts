import { describe, expect, it } from "vitest";
import { CellReach } from "../../src/routing/reach/cell-reach.ts";
import { contours } from "../../src/routing/reach/contours.ts";
import { reach } from "../../src/routing/reach/reach.ts";
import { Router } from "../../src/routing/route/router.ts";
import { pointMaker } from "./compare.ts";
import { roadsOfTown } from "./road-build.ts";

/** Tiles of at most seven junctions: there are more than 200 of them. */
const SIZES = [4, 7, 24, 100];

describe("what is known of whole cells", () => {
  it("tells most places on the right side of each limit without a look at their roads", {
    timeout: 120_000,
  }, async () => {
    const { router, build } = await roadsOfTown(40, 7, SIZES);
    const point = pointMaker(build, 3);
    const limits = [60, 150];
    for (const few of [0, 1e-9]) {
      let [told, clear, wrong] = [0, 0, 0];
      for (let n = 0; n < 4; n++) {
        const origin = point();
        const points = Array.from({ length: 150 }, point);
        const asked = { mode: "car", within: 150, offRoad: 300 } as const;
        const exact = await reach(router, origin, points, { ...asked, within: 400 });
        const cells = await CellReach.around(router, origin, { mode: "car", limits, radius: 10_000 }, few);
        const times = await reach(router, origin, points, { ...asked, cells });
        points.forEach((place, i) => {
          if (cells?.timeAmong(router.store.tilesAround(place, 300)) !== undefined) told++;
          if (limits.some((limit) => Math.abs(exact[i] - limit) < 0.2 * limit)) return;
          clear++;
          if (limits.some((limit) => exact[i] <= limit !== times[i] <= limit)) wrong++;
        });
      }
      expect(told).toBeGreaterThan(150);
      expect(clear).toBeGreaterThan(200);
      expect(wrong / clear).toBeLessThan(0.01);
    }
  });

  it("makes areas over any number of tiles, of which few are read", { timeout: 120_000 }, async () => {
    const { source, build } = await roadsOfTown(40, 7, SIZES);
    const read = new Set<string>();
    const router = (await Router.open({
      read: (key, options) => {
        read.add(key);
        return source.read(key, options);
      },
    })) as Router;
    const { tileCount } = router.store.manifest;
    expect(tileCount).toBeGreaterThan(200);
    const center = pointMaker(build, 5)();
    const [found] = (await contours(router, center, { mode: "car", limits: [3600], denoise: 0 })) ?? [];
    expect(found.area).toBeGreaterThan(1e6);
    // The town fills the grid: most of its tiles are less than two corners wide.
    expect([...read].filter((key) => key.includes("/tiles/")).length).toBeLessThan(tileCount * 0.7);
  });
});
