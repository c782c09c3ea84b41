import { beforeAll, describe, expect, it, vi } from "vitest";
import type { LocalTime } from "../../../../src/core/routing/graph/traffic.ts";
import type { Vehicle } from "../../../../src/core/routing/graph/vehicle.ts";
import { reach } from "../../../../src/core/routing/reach/reach.ts";
import type { Router } from "../../../../src/core/routing/route/router.ts";
import { buildGraph } from "../../../../src/importer/layers/roads/graph/build-graph.ts";
import type { OsmElement } from "../../../../src/importer/osm/pbf/element.ts";
import { samples } from "../../../support/night.ts";
import { randomTown, townWithTimedTurns } from "../graph/random-town.ts";
import { buildRoads } from "../graph/road-build.ts";
import type { RoadsBuild } from "../graph/whole-graph.ts";
import { pointMaker } from "../search/compare.ts";
import { hourlyTown } from "./hourly-town.ts";

const TUESDAY = 1;
/** Few tiles are as near to a point [m]. */
const OFF_ROAD = 60;

/** A town in which conditions restrict heavy vehicles only. */
function heavyTown(size: number): OsmElement[] {
  return randomTown(size, 6).map((element, i): OsmElement => {
    if (element.type !== "way" || i % 4 > 0) return element;
    const condition = "no @ (Mo-Fr 07:00-09:00 AND weight>5)";
    return { ...element, tags: { ...element.tags, "motor_vehicle:conditional": condition } };
  });
}

const size = samples(24, 34);

describe.each([
  ["any kind", hourlyTown(size, 3), 20],
  ["weights", heavyTown(size), 5],
] as const)("vehicles unlike the default one, in a random town with conditions of %s", (_, elements, most) => {
  let router: Router;
  let town: RoadsBuild;
  beforeAll(async () => {
    const made = await buildRoads(buildGraph(elements), [8, 32, 128, 512]);
    router = made.router;
    town = made.build;
  });

  it("are as fast in searches around a place, the first of which know no cliques of the vehicle", async () => {
    const point = pointMaker(town, 22);
    let hourly = 0;
    for (const minute of [435, 720]) {
      for (let i = 0; i < 10; i++) {
        // Cliques of a maximum speed are those of no other one.
        const vehicle = { weight: 6, maxSpeed: 40 + i };
        const options = { mode: "car" as const, vehicle, departure: { day: TUESDAY, minute } };
        const [origin, points] = [point(), Array.from({ length: 4 }, point)];
        const times = await reach(router, origin, points, { ...options, within: 1200, offRoad: OFF_ROAD });
        for (const [j, to] of points.entries()) {
          const route = await router.route([origin, to], options);
          if (!route || route.legs[0].start.island || route.legs[0].end.island || route.duration > 1200) continue;
          if (route.legs[0].end.distance > OFF_ROAD) continue;
          expect(times[j], `${minute}, ${i} to ${j}`).toBeCloseTo(route.duration, 6);
          const best = await router.distance(origin, to, { mode: "car", vehicle });
          if (Math.abs((best?.duration ?? 0) - route.duration) > 1) hourly++;
        }
      }
    }
    expect(hourly).toBeGreaterThan(most / 2);
  });

  it("have distances and matrices of the same routes", async () => {
    const point = pointMaker(town, 21);
    let hourly = 0;
    for (const minute of [415, 480, 700, 1000, 1380]) {
      for (const [mode, vehicle] of [
        ["car", { maxSpeed: 45 }],
        ["car", { weight: 6 }],
        ["truck", { maxSpeed: 45, weight: 25 }],
      ] as const) {
        const [origins, destinations] = [Array.from({ length: 6 }, point), Array.from({ length: 8 }, point)];
        const options = { mode, vehicle, departure: { day: TUESDAY, minute } };
        // The first search looks into cells, later ones use their cliques.
        for (let i = 0; i < 3; i++) await router.matrix(origins, destinations, options);
        const cells = await router.matrix(origins, destinations, options);
        for (let i = 0; i < origins.length; i++) {
          for (let j = 0; j < destinations.length; j++) {
            const what = `${minute}, ${mode}, ${i} to ${j}`;
            const route = await router.route([origins[i], destinations[j]], options);
            const one = await router.distance(origins[i], destinations[j], options);
            expect(one?.duration ?? 0, what).toBeCloseTo(route?.duration ?? 0, 6);
            // The matrix starts on the mainland.
            if (!route || route.legs[0].start.island || route.legs[0].end.island) continue;
            expect(cells[i][j]?.duration ?? 0, what).toBeCloseTo(route.duration, 6);
            const best = await router.distance(origins[i], destinations[j], { mode, vehicle });
            if (Math.abs((best?.duration ?? 0) - route.duration) > 1) hourly++;
          }
        }
      }
    }
    expect(hourly).toBeGreaterThan(most);
  });
});

it("cost no more with a departure at which nothing is worse", async () => {
  const town = townWithTimedTurns(24, 5, ["Mo-Fr 07:00-09:00"]);
  const { router, build } = await buildRoads(buildGraph(town), [8, 32, 128, 512]);
  const point = pointMaker(build, 3);
  const points = Array.from({ length: 12 }, point);
  const vehicle: Vehicle = { maxSpeed: 45 };
  const work = vi.spyOn(router.store, "spend");
  const workOf = async (departure?: LocalTime) => {
    work.mockClear();
    const options = { mode: "car" as const, vehicle, departure };
    await router.matrix(points.slice(0, 6), points.slice(6), options);
    for (let i = 0; i < 6; i++) await router.distance(points[i], points[i + 6], options);
    return work.mock.calls.reduce((sum, [units]) => sum + units, 0);
  };
  // Cliques of the vehicle are computed by the first.
  for (let i = 0; i < 6; i++) await workOf();
  const without = await workOf();
  expect(await workOf({ day: TUESDAY, minute: 720 })).toBeLessThan(1.02 * without);
  await workOf({ day: TUESDAY, minute: 480 });
  expect(await workOf({ day: TUESDAY, minute: 480 })).toBeLessThan(5 * without);
  work.mockRestore();
});
