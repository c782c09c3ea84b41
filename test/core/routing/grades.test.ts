import { describe, expect, it } from "vitest";
import { walkingTime } from "../../../src/core/elevation/effort.ts";
import { memorySource } from "../../../src/core/geo/builds/tile-source.ts";
import { METRES_PER_DEGREE } from "../../../src/core/geo/distance.ts";
import { BIKE, CAR, FOOT, type Mode } from "../../../src/core/routing/graph/modes.ts";
import { Router } from "../../../src/core/routing/route/router.ts";
import { writeRoads } from "../../../src/importer/layers/roads/write/write-roads.ts";
import { seededRandom } from "../../bench/support/random.ts";
import { samples } from "../../support/night.ts";
import { randomTown } from "./graph/random-town.ts";
import { buildRoads } from "./graph/road-build.ts";
import { wholeGraph } from "./graph/whole-graph.ts";
import { type Ground, graphOnGround } from "./hilly.ts";
import { elementsOf, type Scenario, World } from "./scenario.ts";
import { compare, pointMaker } from "./search/compare.ts";

/** Meters right and down of the north-western corner of a drawing. */
const drawn =
  (height: (right: number, down: number) => number): Ground =>
  (latitude, longitude) =>
    height((longitude - 1) * METRES_PER_DEGREE, (1 - latitude) * METRES_PER_DEGREE);

async function worldOn(scenario: Scenario, ground: Ground): Promise<World> {
  const { elements, places } = elementsOf(scenario);
  const graph = await graphOnGround(elements, ground);
  const objects = new Map<string, Uint8Array>();
  const division = await writeRoads(graph, (key, bytes) => void objects.set(key, bytes));
  const router = (await Router.open(memorySource(objects))) as Router;
  return new World(router, wholeGraph(graph, division), places, (scenario.grid ?? 100) / METRES_PER_DEGREE);
}

const seconds = async (world: World, from: string, to: string, mode: Mode) =>
  (await world.find([from, to], { mode }))?.duration ?? Number.NaN;
const ROAD = "highway=residential";

const hillyTown = () =>
  graphOnGround(
    randomTown(18, 9),
    (latitude, longitude) => 300 + 60 * Math.sin(latitude * 900) * Math.cos(longitude * 700),
  );

describe("routes on slopes", () => {
  it("take Tobler's time on foot, longer by bike uphill and shorter downhill, and the same by car", async () => {
    const road: Scenario = { map: "a--b--c", ways: { abc: ROAD } };
    const flat = await worldOn(road, () => 200);
    const hill = await worldOn(
      road,
      drawn((right) => 200 + 0.08 * right),
    );
    const ratio = async (from: string, to: string, mode: Mode) =>
      (await seconds(hill, from, to, mode)) / (await seconds(flat, from, to, mode));
    expect(Math.abs((await ratio("a", "c", "foot")) / walkingTime(0.08) - 1)).toBeLessThan(0.03);
    expect(Math.abs((await ratio("c", "a", "foot")) / walkingTime(-0.08) - 1)).toBeLessThan(0.03);
    expect(await ratio("a", "c", "bike")).toBeGreaterThan(1.5);
    expect(await ratio("c", "a", "bike")).toBeLessThan(0.98);
    expect([await ratio("a", "c", "car"), await ratio("c", "a", "truck")]).toEqual([1, 1]);
  });

  it("go around a hill where that is faster", async () => {
    // b is 60 m up, in the middle of the straight road; the one around is flat and a third longer.
    const road: Scenario = {
      map: `
a-----b-----c
|           |
d-----------e`,
      ways: { ab: ROAD, bc: ROAD, ad: ROAD, de: ROAD, ec: ROAD },
    };
    const world = await worldOn(
      road,
      drawn((right, down) => 100 + 60 * Math.max(0, 1 - Math.hypot(right - 600, down - 100) / 180)),
    );
    expect(await world.names("a c", { mode: "bike" })).toBe("ad,de,ec");
    expect(await world.names("a c", { mode: "car" })).toBe("ab,bc");
    const [[down]] = await world.router.matrix([world.at("b")], [world.at("a")], { mode: "bike" });
    const [[up]] = await world.router.matrix([world.at("a")], [world.at("b")], { mode: "bike" });
    expect(down?.distance).toBe(up?.distance);
    expect(up?.duration).toBeGreaterThan(1.2 * (down?.duration ?? 0));
  });

  it("are flat on bridges and in tunnels, also where these consist of several ways", async () => {
    // A ravine 60 m deep, 200 m wide, from 300 to 500 m; flat on both sides.
    const ravine = drawn((right) => 200 - 60 * Math.max(0, Math.min(1, (100 - Math.abs(right - 400)) / 20)));
    const hill = drawn((right) => 200 + 60 * Math.max(0, Math.min(1, (100 - Math.abs(right - 400)) / 20)));
    const times = async (ground: Ground, tags: string) => {
      const world = await worldOn(
        { map: "a-b--cd-e-f", ways: { ab: ROAD, bc: tags, cd: tags, de: tags, ef: ROAD } },
        ground,
      );
      return (await seconds(world, "a", "f", "bike")) + (await seconds(world, "f", "a", "foot"));
    };
    const level = await times(() => 200, ROAD);
    // The approaches have a share of the slopes, because the ground is smoothed.
    expect(Math.abs((await times(ravine, `${ROAD} bridge=yes`)) / level - 1)).toBeLessThan(0.01);
    expect(Math.abs((await times(hill, `${ROAD} tunnel=yes`)) / level - 1)).toBeLessThan(0.01);
    expect(await times(ravine, ROAD)).toBeGreaterThan(1.2 * level);
    expect(await times(hill, ROAD)).toBeGreaterThan(1.2 * level);
  });

  it("take no longer by lift and escalator", async () => {
    const lift: Scenario = { map: "a-b--c-d", ways: { ab: ROAD, bc: "highway=steps conveying=yes", cd: ROAD } };
    const cliff = drawn((right) => 100 + 100 * Math.max(0, Math.min(1, (right - 200) / 300)));
    const up = async (ground: Ground) => seconds(await worldOn(lift, ground), "b", "c", "foot");
    expect(await up(cliff)).toBe(await up(() => 100));
  });

  it("are the same on flat ground with the noise of a satellite, and where no ground is known", async () => {
    const elements = randomTown(10, 3);
    const random = seededRandom(4);
    const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const on = async (ground: Ground) => buildRoads(await graphOnGround(elements, ground));
    const unknown = await on(() => Number.NaN);
    const noisy = await on(() => 512 + 1.5 * normal());
    const points = Array.from({ length: 8 }, pointMaker(unknown.build, 5));
    for (const mode of ["foot", "bike"] as const) {
      const sum = async ({ router }: Awaited<ReturnType<typeof on>>) =>
        (await router.matrix(points, points, { mode })).flat().reduce((all, cell) => all + (cell?.duration ?? 0), 0);
      expect(Math.abs((await sum(noisy)) / (await sum(unknown)) - 1)).toBeLessThan(0.01);
    }
    const level = await graphOnGround(elements, () => 512);
    expect([level.report.graded, unknown.build.graph.report.graded]).toEqual([0, 0]);
  });

  it("are exact: what Dijkstra finds, single and as a matrix, in both directions", { timeout: 120_000 }, async () => {
    const graph = await hillyTown();
    expect(graph.report.graded).toBeGreaterThan(graph.pieceCount / 2);
    const { router, build } = await buildRoads(graph, [16, 64, 500]);
    const { wrong, brokenSums } = await compare(router, build, samples(1, 6), 9);
    expect([wrong, brokenSums]).toEqual([[], []]);
    const points = Array.from({ length: 5 }, pointMaker(build, 3));
    let differs = 0;
    for (const mode of ["foot", "bike"] as const) {
      const matrix = await router.matrix(points, points, { mode });
      for (const [i, from] of points.entries()) {
        for (const [j, to] of points.entries()) {
          const leg = i === j ? undefined : (await router.route([from, to], { mode }))?.legs[0];
          if (!leg) continue;
          expect(matrix[i][j]?.weight).toBe(leg.weight);
          if (matrix[i][j]?.duration !== matrix[j][i]?.duration) differs++;
        }
      }
    }
    expect(differs).toBeGreaterThan(5);
  });

  it("share profiles: a town of hills has a few hundred", async () => {
    const { profiles } = await hillyTown();
    expect(profiles.length).toBeLessThan(1000);
    const flat = await graphOnGround(randomTown(18, 9), () => 5);
    const key = ({ passages }: (typeof profiles)[number]) => [passages[CAR].speed, passages[CAR].preference].join();
    expect(new Set(profiles.map(key))).toEqual(new Set(flat.profiles.map(key)));
    expect(Math.max(...profiles.map(({ passages }) => passages[FOOT].speed))).toBeLessThanOrEqual(60);
    expect(Math.max(...profiles.map(({ passages }) => passages[BIKE].speed))).toBeLessThan(300);
  });
});
