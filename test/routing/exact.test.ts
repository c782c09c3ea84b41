import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { memorySource } from "../../src/geo/tile-source.ts";
import { scanPbf } from "../../src/importer/osm/read-pbf.ts";
import { buildGraph, GraphBuilder } from "../../src/importer/roads/build-graph.ts";
import type { RoadGraph } from "../../src/importer/roads/road-graph.ts";
import { type RoadsBuild, writeRoads } from "../../src/importer/roads/write-roads.ts";
import { Router } from "../../src/routing/router.ts";
import { compare, pointMaker } from "./compare.ts";
import { randomTown } from "./random-town.ts";

const DATA = process.env.GEODATA_DIR ?? resolve(import.meta.dirname, "../../../shared/data");

async function routerOf(graph: RoadGraph): Promise<{ router: Router; build: RoadsBuild }> {
  const objects = new Map<string, Uint8Array>();
  const build = await writeRoads(graph, (key, bytes) => {
    objects.set(key, bytes);
  });
  const router = await Router.open(memorySource(objects));
  if (!router) throw new Error("the build has no manifest");
  return { router, build };
}

async function graphOf(path: string): Promise<RoadGraph> {
  const builder = new GraphBuilder();
  await scanPbf(path, {
    way: (way) => builder.addWay(way),
    relation: (relation) => builder.addRelation(relation),
  });
  await scanPbf(path, { node: (node) => (builder.needs(node.id) ? builder.addNode(node) : undefined) });
  return builder.finish();
}

describe("the overlay search", () => {
  it("finds what Dijkstra finds in small towns of every kind", { timeout: 120_000 }, async () => {
    for (const [size, seed] of [
      [2, 1],
      [5, 2],
      [11, 3],
      [12, 4],
      [25, 5],
      [40, 6],
    ]) {
      const { router, build } = await routerOf(buildGraph(randomTown(size, seed)));
      const { wrong, brokenSums, pairs } = await compare(router, build, 8, seed);
      expect(wrong).toEqual([]);
      expect(brokenSums).toEqual([]);
      expect(pairs).toBe(4 * 16 * 8);
    }
  });

  it("finds what Dijkstra finds over four levels of cells", { timeout: 180_000 }, async () => {
    const { router, build } = await routerOf(buildGraph(randomTown(135, 7)));
    expect(router.store.manifest.levels).toBeGreaterThanOrEqual(3);
    const { wrong, brokenSums, unreachable, pairs } = await compare(router, build, 10, 7);
    expect(wrong).toEqual([]);
    expect(brokenSums).toEqual([]);
    expect(unreachable).toBeLessThan(pairs / 4);
  });

  it("fills a matrix as single searches would", { timeout: 60_000 }, async () => {
    const { router, build } = await routerOf(buildGraph(randomTown(60, 8)));
    const point = pointMaker(build, 8);
    const origins = Array.from({ length: 12 }, point);
    const destinations = Array.from({ length: 9 }, point);
    for (const mode of ["car", "bike"] as const) {
      for (const avoid of [[], ["tolls", "highways"]] as const) {
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

  for (const name of ["porto", "milan-small", "vancouver", "heidelberg"]) {
    const path = join(DATA, `${name}.osm.pbf`);
    const title = `finds what Dijkstra finds in ${name}`;
    if (!existsSync(path)) it.skip(`${title} (skipped: no extract)`, () => {});
    else {
      it(title, { timeout: 240_000 }, async () => {
        const { router, build } = await routerOf(await graphOf(path));
        const { wrong, brokenSums, pairs } = await compare(router, build, 5, 9);
        expect(wrong).toEqual([]);
        expect(brokenSums).toEqual([]);
        expect(pairs).toBe(320);
      });
    }
  }
});
