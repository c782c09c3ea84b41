import { describe, expect, it } from "vitest";
import { isNight, samples } from "../../../support/night.ts";
import { roadsOfTown } from "../graph/road-build.ts";
import { compare, pointMaker } from "./compare.ts";

describe("the overlay search", () => {
  it("finds what Dijkstra finds in small towns of every kind", { timeout: 120_000 }, async () => {
    for (const [size, seed] of [
      [2, 1],
      [12, 4],
      [25, 5],
      ...(isNight
        ? [
            [5, 2],
            [11, 3],
            [40, 6],
          ]
        : []),
    ]) {
      const { router, build } = await roadsOfTown(size, seed);
      const { wrong, brokenSums, pairs } = await compare(router, build, samples(1, 2), seed);
      expect(wrong).toEqual([]);
      expect(brokenSums).toEqual([]);
      expect(pairs).toBe(4 * 16 * samples(1, 2));
    }
  });

  it("finds what Dijkstra finds over many levels of cells", { timeout: 180_000 }, async () => {
    // Cells a sixteenth of the usual size: a town has as many levels as a country.
    const { router, build } = isNight
      ? await roadsOfTown(60, 7, [8, 48, 200, 800])
      : await roadsOfTown(40, 8, [8, 32, 128, 512]);
    expect(router.store.manifest.levels).toBe(isNight ? 4 : 3);
    const { wrong, brokenSums, unreachable, pairs } = await compare(router, build, samples(1, 6), 7);
    expect(wrong).toEqual([]);
    expect(brokenSums).toEqual([]);
    expect(unreachable).toBeLessThan(pairs / 4);
  });

  it("fills a matrix as single searches would", { timeout: 60_000 }, async () => {
    const { router, build } = await roadsOfTown(40, 23, [16, 64, 500]);
    const point = pointMaker(build, 8);
    // More origins than destinations, and fewer: the searches of the shorter side cross the network.
    const many = Array.from({ length: 6 }, point);
    const few = Array.from({ length: 4 }, point);
    for (const mode of ["car", "bike"] as const) {
      for (const avoid of [[], ["tolls", "highways"]] as const) {
        const [origins, destinations] = avoid.length > 0 ? [few, many] : [many, few];
        const matrix = await router.matrix(origins, destinations, { mode, avoid });
        for (const [i, origin] of origins.entries()) {
          for (const [j, destination] of destinations.entries()) {
            const route = await router.route([origin, destination], { mode, avoid });
            const leg = route?.legs[0];
            // Where an end lies on an island the matrix goes from mainland to mainland, a route does what it can.
            if (leg && !leg.start.island && !leg.end.island) expect(matrix[i][j]?.weight).toBe(leg.weight);
          }
        }
      }
    }
  });

  it("fills a long row, or a long column, in portions", async () => {
    const { router, build } = await roadsOfTown(40, 8);
    const point = pointMaker(build, 3);
    const one = [point()];
    const many = Array.from({ length: 205 }, point);
    const [row] = await router.matrix(one, many, { mode: "foot" });
    const column = await router.matrix(many, one, { mode: "foot" });
    expect(row).toHaveLength(205);
    expect(column).toHaveLength(205);
    for (const i of [0, 79, 80, 159, 160, 204]) {
      expect(row[i]).toEqual((await router.matrix(one, [many[i]], { mode: "foot" }))[0][0]);
      expect(column[i][0]).toEqual((await router.matrix([many[i]], one, { mode: "foot" }))[0][0]);
    }
  });
});
