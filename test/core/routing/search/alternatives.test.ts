import { describe, expect, it } from "vitest";
import type { Route, RouteOptions, Router } from "../../../../src/core/routing/route/router.ts";
import { samples } from "../../../support/night.ts";
import { roadsOfTown } from "../graph/road-build.ts";
import { build } from "../scenario.ts";
import { pointMaker } from "./compare.ts";

const roadsOf = (router: Router, route: Route) => [
  ...new Set(route.legs.flatMap((leg) => router.view(leg).path.pieces.map(({ road }) => road.name))),
];

describe("alternative routes", () => {
  it("go another way that is not much longer", async () => {
    const world = await build({
      map: `
        a--b-----------c--d
           e-----------f
           |           |
           |           |
           |           |
           |           |
           |           |
           g-----------h
      `,
      ways: { ab: "", bc: "", cd: "", be: "", ef: "", fc: "", eg: "", gh: "", hf: "" },
      grid: 300,
    });
    const routes = await world.router.routeWithAlternatives(world.at("ab"), world.at("cd"), { mode: "car" });
    expect(routes.map((route) => roadsOf(world.router, route).join())).toEqual(["ab,bc,cd", "ab,be,ef,fc,cd"]);
  });

  it("are not offered where there is one way only", async () => {
    const world = await build({ map: "a--b--c--d", ways: { ab: "", bc: "", cd: "" } });
    expect(await world.router.routeWithAlternatives(world.at("a"), world.at("d"), { mode: "car" })).toHaveLength(1);
  });

  it("are none where there is no way at all", async () => {
    const world = await build({ map: "a--b   c--d", ways: { ab: "", cd: "" } });
    expect(await world.router.routeWithAlternatives(world.at("a"), world.at("d"), { mode: "car" })).toEqual([]);
  });

  it("begin with the best route, are not 1.25 times its weight, differ from it, and heed what is avoided", async () => {
    const { router, build: made } = await roadsOfTown(40, 8);
    const point = pointMaker(made, 5);
    let offered = 0;
    for (let i = 0; i < samples(30, 60); i++) {
      const [origin, destination] = [point(), point()];
      const options: RouteOptions = { mode: "car", avoid: i % 2 === 0 ? ["tolls"] : [] };
      const single = await router.route([origin, destination], options);
      const routes = await router.routeWithAlternatives(origin, destination, options);
      expect(routes.length > 0).toBe(single !== undefined);
      if (!single) continue;
      const [best, ...others] = routes.map(({ legs }) => legs[0]);
      expect(best.weight).toBe(single.legs[0].weight);
      for (const other of others) {
        offered++;
        expect(other.weight).toBeGreaterThan(best.weight);
        expect(other.weight).toBeLessThanOrEqual(best.weight * 1.25);
      }
    }
    expect(offered).toBeGreaterThan(samples(2, 5));
  });
});
