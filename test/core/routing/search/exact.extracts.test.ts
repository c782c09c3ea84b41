import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { buildRoads, graphOfExtract } from "../graph/road-build.ts";
import { compareByTrees } from "./compare.ts";

const DATA = process.env.GEODATA_DIR ?? resolve(import.meta.dirname, "../../../../../shared/data");

/** EVERY_EXTRACT=1 takes all four. */
const TOWNS = ["heidelberg", ...(process.env.EVERY_EXTRACT ? ["porto", "milan-small", "vancouver"] : [])];

/** Five destinations to one origin for each of the 64 metrics; `npm run bench -- routing-exact` asks 10,000 of each. */
describe("the overlay search over real roads", () => {
  for (const name of TOWNS) {
    const path = join(DATA, `${name}.osm.pbf`);
    const title = `finds what Dijkstra finds in ${name}`;
    if (!existsSync(path)) it.skip(`${title} (skipped: no extract)`, () => {});
    else {
      it(title, { timeout: 240_000 }, async () => {
        const { router, build } = await buildRoads(await graphOfExtract(path));
        const { wrong, brokenSums, pairs } = await compareByTrees(router, build, 5, 9);
        expect(wrong).toEqual([]);
        expect(brokenSums).toEqual([]);
        expect(pairs).toBe(320);
      });
    }
  }
});
