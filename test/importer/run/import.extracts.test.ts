import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { scanPbf } from "../../../src/importer/osm/read/read-pbf.ts";
import type { Bucket } from "../../../src/importer/publish/bucket.ts";
import { openLocalBucket } from "../../../src/importer/publish/local-bucket.ts";
import { silent } from "../../../src/importer/report/reporter.ts";
import { type ImportOptions, importGeodata } from "../../../src/importer/run/import.ts";
import { selects } from "../osm/selects.ts";
import { census } from "./census-layer.ts";

// Processes and real files: minutes on a machine that is busy with other things, seconds else.
vi.setConfig({ testTimeout: 120_000 });

let folder: string;
let bucket: Bucket;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "import-"));
  bucket = openLocalBucket(join(folder, "state"), "geodata");
});
afterEach(async () => {
  bucket.close();
  await rm(folder, { recursive: true });
});

function run(extracts: string[], options: Partial<ImportOptions> = {}): ReturnType<typeof importGeodata> {
  return importGeodata({
    name: "town",
    extracts,
    files: { addresses: [] },
    layers: [census],
    cache: join(folder, "cache"),
    bucket,
    reporter: silent,
    ...options,
  });
}

const data = process.env.GEODATA_DIR ?? resolve(import.meta.dirname, "../../../../shared/data");
/** EVERY_EXTRACT=1 takes all. */
const SOME = /^(malta|monaco|queens)/;
const extracts = existsSync(data)
  ? readdirSync(data).filter((name) => name.endsWith(".osm.pbf") && (process.env.EVERY_EXTRACT || SOME.test(name)))
  : [];
describe.skipIf(extracts.length === 0)(`real extracts${extracts.length === 0 ? " (skipped: no extract)" : ""}`, () => {
  it.each(extracts)("%s imports, with as many ways and areas as a plain count finds", async (name) => {
    const path = join(data, name);
    const wanted = new Set<number>();
    let relations = 0;
    await scanPbf(path, {
      way: ({ id, tags }) => void (selects(census.reads.ways, tags) && wanted.add(id)),
      relation: ({ tags }) => void (selects(census.reads.relations, tags) && relations++),
    });
    const { manifest, elements } = await run([path]);
    const { counts } = manifest.layers.census;
    expect(counts.ways).toBe(wanted.size);
    expect((counts.areas ?? 0) + (counts["no areas"] ?? 0)).toBe(relations);
    expect(elements.nodes).toBeGreaterThan(50_000);
    const [west, south, east, north] = manifest.bounds;
    expect(west < east && south < north).toBe(true);
    expect((east - west) * (north - south)).toBeLessThan(3);
  });
});
