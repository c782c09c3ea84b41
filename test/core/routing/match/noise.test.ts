import { describe, expect, it } from "vitest";
import { match } from "../../../../src/core/routing/match/match.ts";
import { buildGraph } from "../../../../src/importer/layers/roads/graph/build-graph.ts";
import { seeded } from "../graph/random-town.ts";
import { buildRoads } from "../graph/road-build.ts";
import { pointMaker } from "../search/compare.ts";
import { blocks, drivesIn, noisyTrace } from "./noisy-drives.ts";

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
