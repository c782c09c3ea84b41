import { beforeAll, describe, expect, it } from "vitest";
import type { Coordinate } from "../../../../src/core/geo/coordinate.ts";
import { destination, distance } from "../../../../src/core/geo/distance.ts";
import type { Mode } from "../../../../src/core/routing/graph/modes.ts";
import { match } from "../../../../src/core/routing/match/match.ts";
import { withoutSpikes } from "../../../../src/core/routing/match/spikes.ts";
import type { TracePoint } from "../../../../src/core/routing/match/trace.ts";
import { pathGeometry } from "../../../../src/core/routing/search/path.ts";
import { buildGraph } from "../../../../src/importer/layers/roads/graph/build-graph.ts";
import { seeded } from "../graph/random-town.ts";
import { buildRoads, roadsOfTown } from "../graph/road-build.ts";
import { build } from "../scenario.ts";
import { pointMaker } from "../search/compare.ts";
import { blocks, placeAt } from "./noisy-drives.ts";

const POINTS = 60;
const SPIKE = 30;
/** [m/s] */
const SPEEDS = { car: 12.5, bike: 5 } as const;
type Town = Awaited<ReturnType<typeof buildRoads>>;

/** Places on drives through a town, `step` meters apart. */
async function drives({ router, build }: Town, mode: Mode, step: number): Promise<Coordinate[][]> {
  const point = pointMaker(build, 9);
  const found: Coordinate[][] = [];
  for (let i = 0; i < 200 && found.length < 6; i++) {
    const route = await router.route([point(), point()], { mode });
    if (!route || route.distance < step * (POINTS + 1)) continue;
    const line = pathGeometry(route.legs[0]);
    found.push(Array.from({ length: POINTS }, (_, k) => placeAt(line, ((k + 1) * step) / route.distance)));
  }
  return found;
}

/** The drive as a receiver with 5 m of noise reports it. */
function reported(places: readonly Coordinate[], seconds: number, accuracy: number | undefined, random: () => number) {
  const noise = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()) * 5;
  return places.map((place, i): TracePoint => {
    const at = destination(destination(place, 0, noise()), 90, noise());
    return { ...at, time: i * seconds, ...(accuracy !== undefined && { accuracy }) };
  });
}

describe("a spike of one point", () => {
  const towns: Town[] = [];
  beforeAll(async () => {
    towns.push(await buildRoads(buildGraph(blocks(7))), await roadsOfTown(24, 3));
  });

  it("adds at most 2 % of length, and the other points are found", { timeout: 120_000 }, async () => {
    for (const town of towns) {
      for (const mode of ["car", "bike"] as const) {
        const step = SPEEDS[mode] * 2;
        const traveled = await drives(town, mode, step);
        expect(traveled.length).toBeGreaterThan(2);
        for (const [accuracy, isTimed] of [
          [undefined, true],
          [10, true],
          [10, false],
        ] as const) {
          const random = seeded(11);
          for (const places of traveled) {
            for (const meters of isTimed ? [50, 100, 200, 300] : [100, 200, 300]) {
              const timed = reported(places, 2, accuracy, random);
              const trace = isTimed ? timed : timed.map(({ time: _, ...point }) => point);
              const spike = destination(trace[SPIKE], Math.floor(random() * 8) * 45, meters);
              const spiked = trace.map((point, i) => (i === SPIKE ? { ...point, ...spike } : point));
              const [plain, found] = [
                await match(town.router, trace, { mode }),
                await match(town.router, spiked, { mode }),
              ];
              const extra = (found.distance - plain.distance) / ((POINTS - 1) * step);
              expect(extra, `${mode}, ${meters} m, accuracy ${accuracy}`).toBeLessThanOrEqual(0.02);
              const rows = found.points.map(({ index }) => index);
              const own = plain.points.map(({ index }) => index);
              expect(own.filter((index) => index !== SPIKE && !rows.includes(index))).toEqual([]);
              // A point that is on no road has no row.
              if (meters > 120) expect(rows).not.toContain(SPIKE);
            }
          }
        }
      }
    }
  });

  it("is seen in no drive without one, however it bends, but for a sharp turn at full speed", async () => {
    let [points, wrong] = [0, 0];
    for (const town of towns) {
      for (const seconds of [1, 2, 5, 10, 30]) {
        for (const places of await drives(town, "car", 12.5 * seconds)) {
          for (const accuracy of [undefined, 5, 10]) {
            const trace = reported(places, seconds, accuracy, seeded(seconds));
            points += trace.length;
            wrong += withoutSpikes(trace, 5).spikes.size;
          }
        }
      }
    }
    expect(points).toBeGreaterThan(5000);
    expect(wrong / points).toBeLessThan(0.0005);
  });
});

describe("spikes at the ends, and several points in a row", () => {
  it.each([
    ["the first", [0]],
    ["the first two", [0, 1]],
    ["the last", [POINTS - 1]],
    ["two in a row", [SPIKE, SPIKE + 1]],
    ["three in a row", [SPIKE, SPIKE + 1, SPIKE + 2]],
  ] as const)("%s: are found, and hardly another point", async (_, off) => {
    const town = await roadsOfTown(24, 3);
    let [others, cases] = [0, 0];
    for (const accuracy of [undefined, 5]) {
      const random = seeded(12);
      for (const places of await drives(town, "car", 25)) {
        const trace = reported(places, 2, accuracy, random);
        for (const meters of [120, 150, 300, 800]) {
          const bearing = Math.floor(random() * 8) * 45;
          const isOff = (i: number) => (off as readonly number[]).includes(i);
          const spiked = trace.map((point, i) =>
            isOff(i) ? { ...point, ...destination(point, bearing, meters) } : point,
          );
          const { spikes, trace: cleaned } = withoutSpikes(spiked, 5);
          expect([...spikes], `${meters} m`).toEqual(expect.arrayContaining([...off]));
          const usual = withoutSpikes(trace, 5).spikes;
          others += [...spikes].filter((i) => !isOff(i) && !usual.has(i)).length;
          cases++;
          // Where the points around lead, or the nearest of them at an end.
          for (const i of off) expect(distance(cleaned[i], places[i])).toBeLessThan(90);
        }
      }
    }
    expect(others / cases).toBeLessThan(0.2);
  });

  it("two in different directions are found", async () => {
    const random = seeded(13);
    for (const places of await drives(await roadsOfTown(24, 3), "car", 25)) {
      const trace = reported(places, 2, undefined, random);
      const spiked = trace.map((point, i) =>
        i === SPIKE || i === SPIKE + 1 ? { ...point, ...destination(point, i === SPIKE ? 70 : 200, 250) } : point,
      );
      expect([...withoutSpikes(spiked, 5).spikes]).toEqual(expect.arrayContaining([SPIKE, SPIKE + 1]));
    }
  });
});

describe("a point off the way is kept", () => {
  const GRID = `
    a--b--c--d--e
       |
       f`;
  const WAYS = { abcde: "", bf: "" };
  it.each([
    ["there and back in three points", "ab b+0,1 ab", 60, undefined],
    ["a street's end and back, slowly", "a b b+0,1 f b+0,1 b c", 20, undefined],
    ["a side street that could be reached in time", "a a+1,0 b b+0,2 b b+1,0 c c+1,0 d", 40, undefined],
    ["a precise point without a time", "a a+1,0 b b+0,2 b b+1,0 c c+1,0 d", undefined, 3],
  ] as const)("%s", async (_, places, seconds, accuracy) => {
    const world = await build({ map: GRID, ways: WAYS });
    const trace = places.split(" ").map((place, i): TracePoint => {
      return { ...world.at(place), ...(seconds && { time: i * seconds }), ...(accuracy && { accuracy }) };
    });
    expect(withoutSpikes(trace, 7).spikes.size).toBe(0);
  });
});
