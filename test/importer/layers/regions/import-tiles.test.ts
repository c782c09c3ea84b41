import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { PackedRings, PackedShape } from "../../../../src/core/regions/packed-shape.ts";
import type { RegionShape } from "../../../../src/core/regions/region-shape.ts";
import type { Bounds } from "../../../../src/importer/frame/layer.ts";
import { PartCache, publishParts } from "../../../../src/importer/frame/stores/part-cache.ts";
import { importTiles } from "../../../../src/importer/layers/regions/import-tiles.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "import-tiles-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const BOXES: Bounds[] = [[7, 47, 7.4, 47.3]];

function shape(name: string, east: number, packed = true): RegionShape {
  const region = { kind: "locality", rank: "import", code: "", name, country: "CH", state: "" } as const;
  const ring: [number, number][] = [
    [7.1, 47.1],
    [east, 47.1],
    [east, 47.2],
    [7.1, 47.2],
    [7.1, 47.1],
  ];
  return packed ? new PackedShape(region, new PackedRings([ring])) : { ...region, rings: [ring] };
}

const BASE: RegionShape[] = [{ ...shape("Base", 7.3, false), kind: "country", rank: "base", code: "CH" }];

it("tiles of regions are those of an import from nothing, taken from the one before where no region is another", async () => {
  const cases: [fresh: RegionShape[], known: boolean][] = [
    [[shape("Biel", 7.2)], false],
    [[shape("Biel", 7.2)], true],
    [[shape("Biel", 7.2001)], false],
    [[shape("Bienne", 7.2001)], false],
    [[shape("Bienne", 7.2001, false)], false],
    [[shape("Bienne", 7.2001, false)], true],
  ];
  for (const [fresh, known] of cases) {
    const parts = await PartCache.open(folder, "regions", "p");
    const tiles = [...importTiles(BASE, fresh, BOXES, parts)];
    const whole = [...importTiles(BASE, fresh, BOXES)];
    expect(whole.length).toBeGreaterThan(0);
    const plain = (list: typeof tiles) => list.map(({ cell, bytes }) => [cell, Buffer.from(bytes).toString("hex")]);
    expect(plain(tiles)).toEqual(plain(whole));
    expect(parts.found).toBe(known ? 1 : 0);
    parts.close();
    await publishParts(folder);
  }
});
