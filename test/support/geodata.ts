import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeDemoWorld } from "../../src/importer/demo/write.ts";
import { buildWorld } from "../../src/importer/ensure-world.ts";
import { importGeodata } from "../../src/importer/import.ts";
import { layers } from "../../src/importer/layers.ts";
import { writePbf } from "../../src/importer/osm/write-pbf.ts";
import type { Bucket } from "../../src/importer/publish/bucket.ts";
import { silent } from "../../src/importer/reporter.ts";
import { randomTown } from "../routing/random-town.ts";
import { wholeFiles } from "./whole-files.ts";

/** As much of a bucket as publishing needs. */
export interface R2 {
  get(key: string): Promise<{ arrayBuffer(): Promise<ArrayBuffer> } | null>;
  put(key: string, bytes: Uint8Array): Promise<unknown>;
}

/** Publishes into the bucket of the Worker under test, through the importer as any operator would. */
export function testGeodata(r2: R2) {
  const made = new Map<string, Promise<unknown>>();
  const bucket = bindingBucket(r2);
  const build: Record<string, () => Promise<unknown>> = {
    world: () => inScratch((cache) => buildWorld(bucket, cache, silent)),
    demo: () =>
      inScratch(async (cache) => {
        const path = join(cache, "demo.osm.pbf");
        await writeDemoWorld(path);
        await importGeodata({
          name: "demo",
          extracts: [path],
          files: { addresses: [] },
          layers,
          cache,
          bucket,
          reporter: silent,
        });
      }),
    /** A town in the north of Portugal where on working days from eight to nine nothing moves. */
    traffic: () =>
      inScratch(async (cache) => {
        const town = randomTown(20, 4);
        const path = join(cache, "traffic.osm.pbf");
        await writePbf(path, town, { bounds: [-8.01, 40.99, -7.96, 41.03], writingProgram: "graticule tests" });
        const speeds = join(cache, "speeds.csv");
        const ways = town.filter(({ type }) => type === "way");
        writeFileSync(
          speeds,
          `way_id,days,hours,speed\n${ways.map(({ id }) => `${id},Mo-Fr,08:00-09:00,4`).join("\n")}`,
        );
        const files = { addresses: [], speeds };
        await importGeodata({ name: "traffic", extracts: [path], files, layers, cache, bucket, reporter: silent });
      }),
  };
  /** Each build once for the whole suite, one after the other: live.json is theirs in common. */
  let last: Promise<unknown> = Promise.resolve();
  return async (name: string): Promise<void> => {
    if (!made.has(name)) {
      last = last.then(() => build[name]());
      made.set(name, last);
    }
    await made.get(name);
  };
}

async function inScratch<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "graticule-geodata-"));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function bindingBucket(r2: R2): Bucket {
  const sizes = new Map<string, number>();
  const put = async (key: string, bytes: Uint8Array) => {
    await r2.put(key, bytes);
    sizes.set(key, bytes.byteLength);
  };
  const under = (prefix: string) => [...sizes].filter(([key]) => key.startsWith(prefix));
  return {
    where: "the bucket of the Worker under test",
    async get(key) {
      const object = await r2.get(key);
      if (!object) return undefined;
      const bytes = new Uint8Array(await object.arrayBuffer());
      return { bytes, etag: createHash("md5").update(bytes).digest("hex") };
    },
    list: async (prefix) => new Map(under(prefix)),
    folders: async (prefix) => [...new Set(under(prefix).map(([key]) => key.slice(prefix.length).split("/")[0]))],
    async put(key, bytes) {
      await put(key, bytes);
      return true;
    },
    async putMany(objects, done) {
      for await (const { key, bytes } of objects) {
        await put(key, bytes);
        done(bytes.byteLength);
      }
    },
    ...wholeFiles(async (key) => {
      const object = await r2.get(key);
      return object ? new Uint8Array(await object.arrayBuffer()) : undefined;
    }, put),
    async delete() {},
    close() {},
  };
}
