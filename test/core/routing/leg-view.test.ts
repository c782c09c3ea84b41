import { describe, expect, it } from "vitest";
import { buildSteps } from "../../../src/core/routing/guidance/steps/build-steps.ts";
import { Router } from "../../../src/core/routing/route/router.ts";
import { samples } from "../../support/night.ts";
import { roadsOfTown } from "./graph/road-build.ts";
import { pointMaker } from "./search/compare.ts";

describe("guidance along roads that other routes took before", () => {
  it("says the same as for the first route", { timeout: 60_000 }, async () => {
    const { source, build } = await roadsOfTown(40, 8);
    const point = pointMaker(build, 6);
    const pairs = Array.from({ length: samples(8, 20) }, () => [point(), point()]);
    const tell = async (router: Router, pair: (typeof pairs)[number], mode: "car" | "bike") => {
      // Of ways that take equally long, tiles that are known by now may tell another one than new tiles do.
      for (let i = 0; i < 3; i++) await router.distance(pair[0], pair[1], { mode });
      const route = await router.route(pair, { mode });
      if (!route) return undefined;
      const { path, network } = router.view(route.legs[0], pair[1]);
      const steps = buildSteps(path, { lang: "en", units: "metric" }, network);
      return steps.map((step) => ({ ...step, intersections: step.intersections(), announce: step.announce(100) }));
    };
    const open = async () => (await Router.open(source))!;
    const warm = await open();
    for (const pair of pairs) await tell(warm, pair, "car");
    let told = 0;
    for (const mode of ["car", "bike"] as const) {
      for (const pair of pairs) {
        const steps = await tell(warm, pair, mode);
        expect(steps).toEqual(await tell(await open(), pair, mode));
        told += steps?.length ?? 0;
      }
    }
    expect(told).toBeGreaterThan(samples(80, 200));
  });
});
