import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeDemoWorld } from "../../../src/demo/world/write.ts";
import type { Bucket } from "../../../src/importer/publish/bucket.ts";
import { readLiveList } from "../../../src/importer/publish/live-list.ts";
import { openLocalBucket } from "../../../src/importer/publish/local-bucket.ts";
import { silent } from "../../../src/importer/report/reporter.ts";
import { buildWorld } from "../../../src/importer/run/ensure-world.ts";
import { importGeodata } from "../../../src/importer/run/import.ts";
import { layers } from "../../../src/importer/run/layers.ts";
import { geodataBucketName } from "../../../src/server/geodata/geodata-bucket.ts";
import { Geodata } from "../../../src/worker/geodata/live.ts";
import type { ObjectBucket } from "../../../src/worker/geodata/object-bucket.ts";
import { forgetGeodata, r2Reads } from "../../../src/worker/geodata/r2-source.ts";
import { type PlatformWorker, startPlatform } from "../worker.ts";

/** The Worker with the world base, the demo world and, where the extract is at hand, Porto. */
export async function startWithGeodata(unlimited: string[]): Promise<PlatformWorker> {
  return startPlatform({
    unlimited,
    async prepare(_database, _project, state) {
      const bucket = openLocalBucket(state, geodataBucketName());
      const cache = mkdtempSync(join(tmpdir(), "graticule-bench-geodata-"));
      try {
        await buildWorld(bucket, cache, silent);
        const demo = join(cache, "demo.osm.pbf");
        await writeDemoWorld(demo);
        await publish(bucket, cache, "demo", demo);
        const porto = extract("porto");
        if (porto) await publish(bucket, cache, "porto", porto);
      } finally {
        bucket.close();
        rmSync(cache, { recursive: true, force: true });
      }
    },
  });
}

function publish(bucket: Bucket, cache: string, name: string, path: string) {
  return importGeodata({ name, extracts: [path], files: { addresses: [] }, layers, cache, bucket, reporter: silent });
}

/** Path of a real extract, or undefined where there is none. */
export function extract(name: string): string | undefined {
  const path = join(process.env.GEODATA_DIR ?? join(import.meta.dirname, "../../../../shared/data"), `${name}.osm.pbf`);
  return existsSync(path) ? path : undefined;
}

/** What one call asks of R2 when nothing is in memory yet: reads and bytes, beside the list of live builds. */
export async function coldReads(
  platform: PlatformWorker,
  ask: (geodata: Geodata) => Promise<unknown>,
): Promise<{ reads: number; bytes: number }> {
  const bucket = openLocalBucket(platform.state, geodataBucketName());
  try {
    const { list } = await readLiveList(bucket);
    forgetGeodata();
    const before = { ...r2Reads };
    await ask(Geodata.of(asObjects(bucket), list.builds));
    return { reads: r2Reads.count - before.count, bytes: r2Reads.bytes - before.bytes };
  } finally {
    bucket.close();
  }
}

export function asObjects(bucket: Bucket): ObjectBucket {
  return {
    async get(key, options) {
      const found = await bucket.get(key);
      if (!found) return null;
      const { offset, length } = options?.range ?? { offset: 0, length: found.bytes.byteLength };
      // A Buffer's own slice would share the memory, and `buffer` be all of it.
      const bytes = new Uint8Array(found.bytes.subarray(offset, offset + length));
      return { etag: found.etag, arrayBuffer: async () => bytes.buffer };
    },
  };
}
