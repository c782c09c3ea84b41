import { beforeAll, describe, expect, it, vi } from "vitest";
import { MODES } from "../../../../src/core/routing/graph/modes.ts";
import type { LocalTime } from "../../../../src/core/routing/graph/traffic.ts";
import { contours } from "../../../../src/core/routing/reach/contours.ts";
import { reach } from "../../../../src/core/routing/reach/reach.ts";
import type { Router } from "../../../../src/core/routing/route/router.ts";
import { buildGraph } from "../../../../src/importer/layers/roads/graph/build-graph.ts";
import { samples } from "../../../support/night.ts";
import { townWithTimedTurns } from "../graph/random-town.ts";
import { buildRoads } from "../graph/road-build.ts";
import type { RoadsBuild } from "../graph/whole-graph.ts";
import { pointMaker } from "../search/compare.ts";
import { hourlyTown } from "./hourly-town.ts";

const TUESDAY = 1;

describe("a random town with conditions", () => {
  let router: Router;
  let town: RoadsBuild;
  beforeAll(async () => {
    const made = await buildRoads(buildGraph(hourlyTown(samples(24, 34), 3)), [8, 32, 128, 512]);
    router = made.router;
    town = made.build;
  });

  /** Nothing changes within 20 minutes. */
  const STEADY = [7 * 60 + 15, 12 * 60, 16 * 60 + 30, 23 * 60];

  it("is reached as fast as routes get there", async () => {
    const point = pointMaker(town, 31);
    let hourly = 0;
    for (const minute of STEADY) {
      for (const mode of MODES) {
        const options = { mode, departure: { day: TUESDAY, minute } };
        const [origin, points] = [point(), Array.from({ length: 12 }, point)];
        const times = await reach(router, origin, points, { ...options, within: 1200 });
        for (const [i, to] of points.entries()) {
          const route = await router.route([origin, to], options);
          if (!route || route.legs[0].start.island || route.legs[0].end.island || route.duration > 1200) continue;
          expect(times[i], `${minute}, ${mode}, ${i}`).toBeCloseTo(route.duration, 6);
          const best = await router.distance(origin, to, { mode });
          if (Math.abs((best?.duration ?? 0) - route.duration) > 1) hourly++;
        }
      }
    }
    expect(hourly).toBeGreaterThan(20);
  });

  it("has matrices of many restricted cells that routes agree with", async () => {
    const point = pointMaker(town, 32);
    let hourly = 0;
    for (const minute of STEADY) {
      const options = { mode: "car" as const, departure: { day: TUESDAY, minute } };
      const [origins, destinations] = [Array.from({ length: 8 }, point), Array.from({ length: 8 }, point)];
      const cells = await router.matrix(origins, destinations, options);
      const best = await router.matrix(origins, destinations, { mode: "car" });
      for (let i = 0; i < origins.length; i++) {
        for (let j = 0; j < destinations.length; j++) {
          const route = await router.route([origins[i], destinations[j]], options);
          if (!route || route.legs[0].start.island || route.legs[0].end.island) continue;
          expect(cells[i][j]?.duration ?? 0, `${minute}, ${i} to ${j}`).toBeCloseTo(route.duration, 6);
          if (Math.abs((best[i][j]?.duration ?? 0) - route.duration) > 1) hourly++;
        }
      }
    }
    expect(hourly).toBeGreaterThan(40);
  });
});

it("costs a search around a place little where nothing is worse at that hour, or few ways depend on it", async () => {
  // One restriction in six.
  const elements = townWithTimedTurns(40, 5, ["Mo-Fr 07:00-09:00"]);
  const few = elements.filter(({ type, id }) => type !== "relation" || id % 6 === 0);
  const { router, build } = await buildRoads(buildGraph(few), [8, 32, 128, 512]);
  const point = pointMaker(build, 3);
  const points = Array.from({ length: 12 }, point);
  const tiles = await Promise.all(
    Array.from({ length: router.store.manifest.tileCount }, (_, i) => router.store.tile(i)),
  );
  expect(tiles.filter((tile) => tile?.hours).length).toBeGreaterThan(tiles.length / 5);
  const work = vi.spyOn(router.store, "spend");
  const workOf = async (departure?: LocalTime) => {
    work.mockClear();
    const options = { mode: "car" as const, departure };
    await reach(router, points[0], points.slice(1, 4), { ...options, within: 1200, offRoad: 60 });
    await contours(router, points[0], { ...options, limits: [60], denoise: 1 });
    return work.mock.calls.reduce((sum, [units]) => sum + units, 0);
  };
  // Views and cliques are made by the first.
  for (let i = 0; i < 6; i++) await workOf();
  const without = await workOf();
  expect(await workOf({ day: TUESDAY, minute: 720 })).toBeLessThan(1.02 * without);
  for (let i = 0; i < 6; i++) await workOf({ day: TUESDAY, minute: 480 });
  expect(await workOf({ day: TUESDAY, minute: 480 })).toBeLessThan(1.3 * without);
  work.mockRestore();
});
