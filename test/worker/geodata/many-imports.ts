import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LIVE_KEY, type LiveList, parseLiveList } from "../../../src/core/geo/builds/manifest.ts";
import { type DemoWorldOptions, demoBounds } from "../../../src/demo/world/demo-world.ts";
import { writeDemoWorld } from "../../../src/demo/world/write.ts";
import type { Layer } from "../../../src/importer/frame/layer.ts";
import { addressesLayer } from "../../../src/importer/layers/addresses/addresses-layer.ts";
import { worldAddresses } from "../../../src/importer/layers/addresses/world-addresses.ts";
import { basemapLayer } from "../../../src/importer/layers/basemap/basemap-layer.ts";
import { placesLayer } from "../../../src/importer/layers/places/places-layer.ts";
import { osmRegions } from "../../../src/importer/layers/regions/osm-regions.ts";
import type { Bucket } from "../../../src/importer/publish/bucket.ts";
import { silent } from "../../../src/importer/report/reporter.ts";
import { buildWorld } from "../../../src/importer/run/ensure-world.ts";
import { importGeodata } from "../../../src/importer/run/import.ts";
import { findSources } from "../../../src/importer/sources/sources.ts";
import { isNight } from "../../support/night.ts";
import { wholeFiles } from "../../support/whole-files.ts";
import { replayedLayer } from "../../support/worlds/kept-layers.ts";
import { FakeBucket } from "./fake-bucket.ts";

export const LAYERS: readonly Layer[] = [osmRegions, placesLayer, addressesLayer, basemapLayer];

/** Where imports are published to and read from, in memory. */
export class ManyImports {
  readonly bucket = new FakeBucket();
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async open(): Promise<ManyImports> {
    return new ManyImports(await mkdtemp(join(tmpdir(), "graticule-many-")));
  }

  async close(): Promise<void> {
    await rm(this.#folder, { recursive: true });
  }

  /** The names and cities that everybody has; without the outlines of regions, which every import brings along. */
  world(layers: readonly Layer[] = [worldAddresses]): Promise<unknown> {
    // By day, layers that other tests look at as well, so they are built once per run.
    const shared = isNight ? layers : layers.map(replayedLayer);
    return buildWorld(this.#publisher(), this.#folder, silent, shared);
  }

  /** Files as an operator names them: extracts or OpenAddresses. */
  async files(name: string, paths: readonly string[], layers = LAYERS): Promise<void> {
    const { extracts, addresses } = await findSources(paths, { cache: this.#folder, reporter: silent });
    const bucket = this.#publisher();
    const options = { name, extracts, files: { addresses }, layers, cache: this.#folder, bucket, reporter: silent };
    await importGeodata(options);
  }

  async demo(name: string, options: DemoWorldOptions, layers = LAYERS): Promise<void> {
    const path = join(this.#folder, `${name}.osm.pbf`);
    await writeDemoWorld(path, options);
    await this.files(name, [path], layers);
  }

  live(): LiveList {
    return parseLiveList(new TextDecoder().decode(this.bucket.objects.get(LIVE_KEY)));
  }

  #publisher(): Bucket {
    const { objects } = this.bucket;
    const under = (prefix: string) => [...objects].filter(([key]) => key.startsWith(prefix));
    return {
      where: "memory",
      async get(key) {
        const bytes = objects.get(key);
        return bytes && { bytes, etag: createHash("md5").update(bytes).digest("hex") };
      },
      list: async (prefix) => new Map(under(prefix).map(([key, bytes]) => [key, bytes.length])),
      folders: async (prefix) => [...new Set(under(prefix).map(([key]) => key.slice(prefix.length).split("/")[0]))],
      async put(key, bytes) {
        objects.set(key, bytes.slice());
        return true;
      },
      async putMany(list, done) {
        for await (const { key, bytes } of list) {
          objects.set(key, bytes.slice());
          done(bytes.length);
        }
      },
      ...wholeFiles(
        (key) => objects.get(key),
        (key, bytes) => objects.set(key, bytes),
      ),
      async delete() {},
      close() {},
    };
  }
}

/** Where the demo world number `i` lies: side by side along the 49th parallel, each with street names of its own. */
export const demoAt = (i: number): DemoWorldOptions => ({ size: 1, seed: 100 + i, east: -2.7 + i * 0.45 });
export const demoBoundsAt = (i: number) => demoBounds(demoAt(i));
