import { beforeAll, describe, expect, it } from "vitest";
import type { Coordinate } from "../../../../src/core/geo/coordinate.ts";
import { Pace, TooMuchWork } from "../../../../src/core/geo/pace.ts";
import { match } from "../../../../src/core/routing/match/match.ts";
import { isochrone } from "../../../../src/core/routing/reach/isochrone.ts";
import { reach } from "../../../../src/core/routing/reach/reach.ts";
import { optimize } from "../../../../src/core/routing/route/optimize.ts";
import type { Router } from "../../../../src/core/routing/route/router.ts";
import { pathGeometry } from "../../../../src/core/routing/search/path.ts";
import { roadsOfTown } from "../graph/road-build.ts";
import { pointMaker } from "./compare.ts";

const car = { mode: "car" } as const;
let router: Router;
let points: Coordinate[];
let trace: Coordinate[];

beforeAll(async () => {
  const made = await roadsOfTown(40, 23, [16, 64, 500]);
  router = made.router;
  const point = pointMaker(made.build, 9);
  points = Array.from({ length: 400 }, point);
  const route = await router.route(points.slice(0, 2), car);
  trace = pathGeometry(route!.legs[0]);
}, 120_000);

/** Everything that may be long, each as one number or text to compare. */
const questions: [name: string, ask: (router: Router) => Promise<unknown>][] = [
  ["a matrix", (asked) => asked.matrix(points.slice(0, 25), points.slice(25, 50), car)],
  ["a long row", (asked) => asked.matrix(points.slice(0, 1), points.slice(1, 200), car)],
  ["a reach", async (asked) => [...(await reach(asked, points[3], points, { mode: "bike", within: 3000 }))]],
  ["an isochrone", (asked) => isochrone(asked, points[4], { mode: "foot", within: 900 })],
  ["an order", async (asked) => (await optimize(asked, points.slice(0, 8), car))?.order],
  ["a match", async (asked) => (await match(asked, trace, car)).distance],
  [
    "alternatives",
    async (asked) => (await asked.routeWithAlternatives(points[5], points[10], car)).map(({ distance }) => distance),
  ],
  [
    "directions",
    async (asked) => {
      const said: string[] = [];
      for await (const leg of asked.guidedLegs(points.slice(0, 6), car, { lang: "en", units: "metric" })) {
        for (const { instructions } of leg?.steps ?? []) said.push(instructions);
      }
      return said;
    },
  ],
];

/** A router whose every step of work lets all others have a turn. */
function polite(): { asked: Router; turns: () => number } {
  let turns = 0;
  const giveWay = () => {
    turns++;
    return new Promise<void>((resolve) => setImmediate(resolve));
  };
  return {
    asked: router.forQuery({ pace: new Pace(giveWay, { slice: 1 }), missed: () => undefined }),
    turns: () => turns,
  };
}

describe("long work over the roads", () => {
  it("has the same outcome when all sorts of it take turns in one isolate", async () => {
    // Tiles that are new are searched in another way, and sums of decimals then differ in the last digit.
    for (let round = 0; round < 5; round++) for (const [, ask] of questions) await ask(router);
    const alone: unknown[] = [];
    for (const [, ask] of questions) alone.push(await ask(router));
    const twice = [...questions, ...questions];
    const together = await Promise.all(twice.map(([, ask]) => ask(polite().asked)));
    twice.forEach(([name], i) => {
      expect(together[i], name).toEqual(alone[i % questions.length]);
    });
  });

  it.each(questions)("%s gives way on the way", async (_, ask) => {
    const { asked, turns } = polite();
    await ask(asked);
    expect(turns()).toBeGreaterThan(1);
  });

  it.each(questions)("%s ends when it costs more than a request may", async (_, ask) => {
    const pace = new Pace(async () => undefined, { slice: 1, budget: 30 });
    await expect(ask(router.forQuery({ pace, missed: () => undefined }))).rejects.toThrow(TooMuchWork);
  });
});
