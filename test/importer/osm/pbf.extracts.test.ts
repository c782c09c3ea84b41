import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { OsmElement } from "../../../src/importer/osm/pbf/element.ts";
import { scanPbf } from "../../../src/importer/osm/read/read-pbf.ts";

vi.setConfig({ testTimeout: 60_000 });

const data = process.env.GEODATA_DIR ?? resolve(import.meta.dirname, "../../../../shared/data");
describe.skipIf(!existsSync(data))(existsSync(data) ? "a real extract" : "a real extract (skipped: no extract)", () => {
  // As counted by another reader, osm-pbf-parser-node 1.1.4.
  it.each([
    ["baltimore", 51_385, 7_230, 167],
    ["heidelberg", 221_009, 31_619, 1_700],
    ["malta", 333_684, 56_021, 950],
    ["milan-small", 262_352, 69_043, 2_350],
    ["monaco", 180_118, 27_377, 212],
    ["porto", 347_944, 51_458, 357],
    ["queens-village-ny", 279_371, 53_381, 200],
    ["vancouver", 320_720, 52_072, 672],
  ])("%s has all its elements", async (name, nodes, ways, relations) => {
    const count = { node: 0, way: 0, relation: 0 };
    const add = ({ type }: OsmElement) => void count[type]++;
    await scanPbf(join(data, `${name}.osm.pbf`), { node: add, way: add, relation: add });
    expect(count).toEqual({ node: nodes, way: ways, relation: relations });
  });
});
