import { describe, expect, it } from "vitest";
import { METRES_PER_DEGREE } from "../../../../src/core/geo/distance.ts";
import { match } from "../../../../src/core/routing/match/match.ts";
import type { Leg, Router } from "../../../../src/core/routing/route/router.ts";
import { buildGraph } from "../../../../src/importer/layers/roads/graph/build-graph.ts";
import type { OsmElement } from "../../../../src/importer/osm/pbf/element.ts";
import { seeded } from "../graph/random-town.ts";
import { buildRoads } from "../graph/road-build.ts";
import { pointMaker } from "../search/compare.ts";
import { noisyTrace } from "./noisy-drives.ts";

const SIDE = 32;
/** Between two crossings [m]. */
const BLOCK = 220;

/** Streets between crossings that are not quite a grid, some of them missing, some one-way. */
function blocks(seed: number): OsmElement[] {
  const random = seeded(seed);
  const step = BLOCK / METRES_PER_DEGREE;
  const elements: OsmElement[] = [];
  const id = (row: number, column: number) => row * SIDE + column + 1;
  const street = (from: number, to: number, isMain: boolean) => {
    if (random() < 0.1) return;
    const tags = isMain
      ? { highway: "secondary" }
      : { highway: "residential", ...(random() < 0.1 && { oneway: "yes" }) };
    elements.push({ type: "way", id: elements.length + 1, refs: [from, to], tags });
  };
  for (let row = 0; row < SIDE; row++) {
    for (let column = 0; column < SIDE; column++) {
      elements.push({
        type: "node",
        id: id(row, column),
        latitude: 1 + (row + random() * 0.4) * step,
        longitude: 1 + (column + random() * 0.4) * step,
        tags: {},
      });
    }
  }
  for (let row = 0; row < SIDE; row++) {
    for (let column = 0; column < SIDE; column++) {
      if (column + 1 < SIDE) street(id(row, column), id(row, column + 1), row % 4 === 0);
      if (row + 1 < SIDE) street(id(row, column), id(row + 1, column), column % 4 === 0);
    }
  }
  return elements;
}

async function drivesIn(router: Router, point: () => { latitude: number; longitude: number }): Promise<Leg[]> {
  const drives: Leg[] = [];
  for (let i = 0; i < 400 && drives.length < 20; i++) {
    const route = await router.route([point(), point()], { mode: "car" });
    if (route && route.duration > 600) drives.push(route.legs[0]);
  }
  return drives;
}

describe("a trace without accuracies", () => {
  it("is as long as the drive, whatever its noise and the time between its points", { timeout: 120_000 }, async () => {
    const { router, build } = await buildRoads(buildGraph(blocks(4)));
    const drives = await drivesIn(router, pointMaker(build, 9));
    expect(drives.length).toBe(20);
    for (const sigma of [5, 10, 20, 30]) {
      for (const interval of [2, 5, 15, 30, 60]) {
        const random = seeded(sigma * 100 + interval);
        let right = 0;
        for (const drive of drives) {
          const { trace, length } = noisyTrace(drive, interval, sigma, random);
          const found = await match(router, trace, { mode: "car" });
          if (Math.abs(found.distance / length - 1) <= 0.03) right++;
        }
        expect(right / drives.length, `σ ${sigma} m, a point every ${interval} s`).toBeGreaterThanOrEqual(0.95);
      }
    }
  });
});
