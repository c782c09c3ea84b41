import { expect, it } from "vitest";
import type { Coordinate } from "../../../src/core/geo/coordinate.ts";
import { distance } from "../../../src/core/geo/distance.ts";
import { NoRoad } from "../../../src/core/routing/route/router.ts";
import { seeded } from "./graph/random-town.ts";
import { roadsOfTown } from "./graph/road-build.ts";
import { pointMaker } from "./search/compare.ts";

/** Points by roads that can be reached but not left, or left but not reached, are on islands of the network. */
it("a cell of a matrix is the route that the distance has, also where the nearest road can only be reached, or only be left", async () => {
  let [cells, islands] = [0, 0];
  for (const seed of [3, 5, 8]) {
    const { router, build } = await roadsOfTown(24, seed);
    const point = pointMaker(build, seed);
    const random = seeded(seed);
    for (const mode of ["car", "truck", "bike"] as const) {
      const points: Coordinate[] = Array.from({ length: 60 }, point);
      const snaps = await router.snapAll(points, { mode });
      const byIsland = points.filter((_, i) => snaps[i].nearest[0]?.island);
      islands += byIsland.length;
      const some = [...byIsland, ...points].slice(0, 14);
      const [origins, destinations] = [some.slice(0, 9), some.slice(4).sort(() => random() - 0.5)];
      const found = await router.matrix(origins, destinations, { mode });
      for (const [i, origin] of origins.entries()) {
        for (const [j, destination] of destinations.entries()) {
          const expected = await router.distance(origin, destination, { mode }).catch((error: unknown) => {
            if (!(error instanceof NoRoad)) throw error;
          });
          cells++;
          // −1: no route.
          const [cell, other] = [found[i][j]?.duration ?? -1, expected?.duration ?? -1];
          expect(Math.abs(cell - other), `${mode} ${seed} ${i} ${j}`).toBeLessThan(0.01);
        }
      }
    }
  }
  expect(islands).toBeGreaterThan(20);
  expect(cells).toBeGreaterThan(700);
});

it("a leg begins where the one before ended, also by roads that can only be reached, or only be left", async () => {
  let [vias, routes] = [0, 0];
  for (const seed of [3, 5, 8]) {
    const { router, build } = await roadsOfTown(24, seed);
    const point = pointMaker(build, seed + 1);
    for (const mode of ["car", "truck"] as const) {
      const points = Array.from({ length: 120 }, point);
      const snaps = await router.snapAll(points, { mode });
      const byIsland = points.filter((_, i) => snaps[i].nearest[0]?.island && snaps[i].mainland.length > 0);
      for (const [i, via] of byIsland.entries()) {
        const route = await router.route([points[i], via, points[i + 1]], { mode });
        if (!route) continue;
        routes++;
        const [into, out] = route.legs;
        expect(distance(into.end.location, out.start.location), `${mode} ${seed} ${i}`).toBeLessThan(0.1);
        if (into.end.nearer !== undefined) vias++;
      }
    }
  }
  expect(routes).toBeGreaterThan(20);
  // Some are passed on the mainland, others where they are.
  expect(vias).toBeGreaterThan(3);
});
