import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { unseal } from "../../../../src/core/geo/builds/sealed.ts";
import { memorySource } from "../../../../src/core/geo/builds/tile-source.ts";
import type { Coordinate } from "../../../../src/core/geo/coordinate.ts";
import { MANIFEST_KEY } from "../../../../src/core/routing/graph/pack.ts";
import { Router } from "../../../../src/core/routing/route/router.ts";
import { writeDemoWorld } from "../../../../src/demo/world/write.ts";
import { countryFinder, keepsLeft } from "../../../../src/importer/layers/roads/profiles/driving-side.ts";
import { roadsLayer } from "../../../../src/importer/layers/roads/roads-layer.ts";
import { openLocalBucket } from "../../../../src/importer/publish/local-bucket.ts";
import { silent } from "../../../../src/importer/report/reporter.ts";
import { importGeodata } from "../../../../src/importer/run/import.ts";

let folder: string;
let router: Router;
let counts: Record<string, number>;
let bytes: Map<string, Uint8Array>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "roads-"));
  const path = join(folder, "demo.osm.pbf");
  await writeDemoWorld(path);
  const bucket = openLocalBucket(join(folder, "state"), "geodata");
  const { manifest } = await importGeodata({
    name: "demo",
    extracts: [path],
    files: { addresses: [] },
    layers: [roadsLayer],
    cache: join(folder, "cache"),
    bucket,
    reporter: silent,
  });
  counts = manifest.layers.roads.counts;
  bytes = new Map();
  const prefix = `builds/${manifest.id}/`;
  for (const key of (await bucket.list(prefix)).keys()) {
    const stored = await bucket.get(key);
    const object = stored && unseal(new Uint8Array(stored.bytes));
    if (object) bytes.set(key.slice(prefix.length), object);
  }
  bucket.close();
  const opened = await Router.open(memorySource(bytes));
  if (!opened) throw new Error("no roads in the build");
  router = opened;
});
afterAll(() => rm(folder, { recursive: true }));

describe("the roads of the demo world", () => {
  it("go through the importer's door into tiles that route", async () => {
    expect(bytes.has(MANIFEST_KEY)).toBe(true);
    expect(counts.junctions).toBeGreaterThan(500);
    expect(counts["turn restrictions"]).toBeGreaterThan(0);
    const tile = (await router.store.tile(0))!;
    const corner = (node: number) => ({
      latitude: tile.latitude[node] / 1e6,
      longitude: tile.longitude[node] / 1e6,
    });
    for (const mode of ["car", "truck", "foot", "bike"] as const) {
      const route = await router.route([corner(0), corner(tile.insideCount - 1)], { mode });
      expect(route?.distance, mode).toBeGreaterThan(100);
    }
  });
});

describe("traffic", () => {
  it("keeps to the side of its country", () => {
    const country = countryFinder();
    const left = (at: Coordinate) => keepsLeft(country(at));
    const at = (latitude: number, longitude: number) => left({ latitude, longitude });
    expect(at(51.5, -0.12)).toBe(true);
    expect(at(53.35, -6.26)).toBe(true);
    expect(at(35.9, 14.5)).toBe(true);
    expect(at(35.68, 139.76)).toBe(true);
    expect(at(-33.87, 151.2)).toBe(true);
    expect(at(22.29, 114.17)).toBe(true);
    expect(at(48.85, 2.35)).toBe(false);
    expect(at(41.15, -8.6)).toBe(false);
    expect(at(49.28, -123.1)).toBe(false);
    expect(at(37.57, 126.98)).toBe(false);
    // Either side of a border that runs through a town, and a coast.
    expect(country({ latitude: 47.59, longitude: 7.57 })).toBe("FR");
    expect(country({ latitude: 47.6, longitude: 7.62 })).toBe("DE");
    expect(country({ latitude: 47.55, longitude: 7.59 })).toBe("CH");
    expect(country({ latitude: 0, longitude: -30 })).toBeUndefined();
  });
});
