import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { blockOf, encodeBlock } from "../../../src/core/elevation/block.ts";
import { type BlockId, blockKey, columnsOf, ROWS } from "../../../src/core/elevation/grid.ts";
import type { LiveBuild } from "../../../src/core/geo/builds/manifest.ts";
import type { GroundPlan } from "../../../src/importer/common/ground-plan.ts";
import type { Layer } from "../../../src/importer/frame/layer.ts";
import { blocksOfPlan } from "../../../src/importer/layers/roads/grades/smooth-ground.ts";
import type { Bucket } from "../../../src/importer/publish/bucket.ts";
import { groundFor } from "../../../src/importer/publish/live-ground.ts";
import { readLiveList, readManifest } from "../../../src/importer/publish/live-list.ts";
import { openLocalBucket } from "../../../src/importer/publish/local-bucket.ts";
import { roadsWithoutHills } from "../../../src/importer/publish/road-neighbours.ts";
import { silent } from "../../../src/importer/report/reporter.ts";
import { importGeodata } from "../../../src/importer/run/import.ts";

/** Blocks of an elevation, without an archive. */
const flatBlocks = (ids: readonly BlockId[], meters: number, bounds: [number, number, number, number]): Layer => ({
  name: "elevation",
  formatVersion: 1,
  summary: "",
  reads: {},
  async build(_, out) {
    for (const id of ids) {
      const samples = new Float64Array(ROWS * columnsOf(id)).fill(meters);
      await out.write(
        blockKey(id),
        encodeBlock(blockOf(id, samples), (bytes) => deflateRawSync(bytes)),
      );
    }
    out.area(bounds);
    out.source({ name: `Elevation ${meters}`, url: "", licence: "", attribution: "© Ground" });
  },
});
const roads = (bounds: [number, number, number, number]): Layer => ({
  name: "roads",
  formatVersion: 1,
  summary: "",
  reads: {},
  files: ["ground"],
  async build({ files }, out) {
    await out.write("roads/x", Buffer.from(String(files.ground !== undefined)));
    out.area(bounds);
  },
});

let folder: string;
let bucket: Bucket;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ground-"));
  bucket = openLocalBucket(join(folder, "state"), "geodata");
});
afterAll(async () => {
  bucket.close();
  await rm(folder, { recursive: true });
});

const SHARED = { extracts: [], reporter: silent };
const importOf = (name: string, layer: Layer, ground?: string) =>
  importGeodata({
    ...SHARED,
    ...{ name, layers: [layer], bucket, cache: join(folder, "cache") },
    files: { addresses: [], ...(ground !== undefined && { ground }) },
  });
const AREA: [number, number, number, number] = [8.61, 49.41, 8.78, 49.49];
const [WEST, EAST] = [
  { row: 1394, column: 1886 },
  { row: 1394, column: 1887 },
];

describe("the elevations for an import of roads", () => {
  it("are those of the live builds around it, of the smallest where several have them; and an import tells which it had", async () => {
    const advice = async () => {
      const { list } = await readLiveList(bucket);
      const inputsOf = async (id: string) => (await readManifest(bucket, id)).inputs;
      return (await roadsWithoutHills(list.builds, inputsOf, join(folder, "cache"))).map(({ names }) => names.join());
    };
    // Roads first.
    await importOf("town", roads(AREA));
    expect([await groundFor(bucket, [AREA], join(folder, "cache")), await advice()]).toEqual([undefined, []]);
    await importOf("elevation-large", flatBlocks([WEST, EAST], 100, [8.6, 49.4, 8.8, 49.5]));
    expect(await advice()).toEqual(["town,elevation-large"]);
    const ground = await groundFor(bucket, [AREA], join(folder, "cache"));
    expect(ground?.builds).toEqual(["elevation-large"]);
    await importOf("town", roads(AREA), ground?.path);
    expect(await advice()).toEqual([]);

    // A better source for a part of it.
    await importOf("elevation-small", flatBlocks([WEST], 250, [8.6, 49.4, 8.7, 49.5]));
    expect(await advice()).toEqual(["town,elevation-small"]);
    const both = await groundFor(bucket, [AREA], join(folder, "cache"));
    expect(both?.builds).toEqual(["elevation-small", "elevation-large"]);
    const plan = JSON.parse(await readFile(both?.path ?? "", "utf8")) as GroundPlan;
    expect(plan.sources.map(({ attribution }) => attribution)).toEqual(["© Ground", "© Ground"]);
    const open = blocksOfPlan(both?.path ?? "", plan);
    expect([(await open(WEST))?.base, (await open(EAST))?.base, await open({ row: 1, column: 1 })]).toEqual([
      250,
      100,
      undefined,
    ]);
    // Far away there is none; without an area of the extracts, all.
    expect(await groundFor(bucket, [[2, 40, 3, 41]], join(folder, "cache"))).toBeUndefined();
    expect(Object.keys(plan.blocks)).toHaveLength(2);
    const everywhere = await groundFor(bucket, undefined, join(folder, "other"));
    expect(JSON.parse(await readFile(everywhere?.path ?? "", "utf8")).blocks).toEqual(plan.blocks);
  });

  it("names the command that imports the roads again, without the files of elevations", async () => {
    const live = (name: string, id: string, layers: Record<string, number>): LiveBuild =>
      ({ name, id, areas: [AREA], layers, sources: [], previous: [] }) as unknown as LiveBuild;
    const builds = [
      live("town", "aaaaaaaaaaaaaaaa", { roads: 1 }),
      live("hills", "bbbbbbbbbbbbbbbb", { elevation: 1 }),
    ];
    const inputs = [
      { name: "old town.osm.pbf", bytes: 1, sha256: "" },
      { name: "elevations-cccccccc.json", bytes: 1, sha256: "" },
    ];
    const [{ text }] = await roadsWithoutHills(builds, async () => inputs, join(folder, "nothing"));
    expect(text).toContain("npm run import -- 'old town.osm.pbf' --name town");
    const current = [...inputs, { name: "elevations-bbbbbbbb-cccccccc.json", bytes: 1, sha256: "" }];
    expect(await roadsWithoutHills(builds, async () => current, join(folder, "nothing"))).toEqual([]);
  });
});
