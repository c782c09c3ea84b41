import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { areasOf, buildKey, LIVE_KEY } from "../../../src/core/geo/builds/manifest.ts";
import { LAYERS } from "../../../src/core/geocoding/search/search.ts";
import { searchInTurns } from "../../../src/core/geocoding/search/search-in-turns.ts";
import { writePbf } from "../../../src/importer/osm/pbf/write-pbf.ts";
import type { Bucket } from "../../../src/importer/publish/bucket.ts";
import { silent } from "../../../src/importer/report/reporter.ts";
import { importGeodata } from "../../../src/importer/run/import.ts";
import { layers } from "../../../src/importer/run/layers.ts";
import { addressesToSearch, addressIndexesAt } from "../../../src/worker/geodata/addresses.ts";
import { openBasemap } from "../../../src/worker/geodata/basemap.ts";
import { type Geodata, openGeodata } from "../../../src/worker/geodata/live.ts";
import { airportsWith, placeAt, placesNear } from "../../../src/worker/geodata/places.ts";
import { forgetGeodata } from "../../../src/worker/geodata/r2-source.ts";
import { regionsAt } from "../../../src/worker/geodata/regions.ts";
import { roadsAround } from "../../../src/worker/geodata/roads.ts";
import { wholeFiles } from "../../support/whole-files.ts";
import { FakeBucket } from "./fake-bucket.ts";
import { street } from "./street.ts";

const AT = { latitude: 48.9, longitude: -111.2 };
const EAST = { latitude: 48.9, longitude: -111.19 };

/** All objects of the build, by key within it. */
let objects: Map<string, Uint8Array>;
let live: string;
let id: string;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), "graticule-damage-"));
  const extract = join(folder, "street.osm.pbf");
  await writePbf(extract, street(), { bounds: [-111.25, 48.88, -111.15, 48.92] });
  const published = new Map<string, Uint8Array>();
  const bucket: Bucket = {
    where: "a map",
    get: async (key) => (published.has(key) ? { bytes: published.get(key)!, etag: "" } : undefined),
    list: async () => new Map(),
    folders: async () => [],
    put: async (key, bytes) => published.set(key, bytes).size > 0,
    async putMany(all) {
      for await (const { key, bytes } of all) published.set(key, bytes);
    },
    ...wholeFiles(
      (key) => published.get(key),
      (key, bytes) => published.set(key, bytes),
    ),
    async delete() {},
    close() {},
  };
  const files = { addresses: [] };
  const options = { name: "street", extracts: [extract], files, layers, cache: folder, bucket, reporter: silent };
  ({ id } = (await importGeodata(options)).manifest);
  live = Buffer.from(published.get(LIVE_KEY)!).toString();
  const own = [...published].filter(([key]) => key.startsWith(buildKey(id, "")));
  objects = new Map(own.map(([key, bytes]) => [key.slice(buildKey(id, "").length), bytes]));
  await rm(folder, { recursive: true });
}, 120_000);

/** What is asked of the live world, by layer. */
const QUESTIONS: Record<string, (geodata: Geodata, bucket: FakeBucket) => Promise<unknown>> = {
  regions: async (geodata) => (await regionsAt(geodata, AT))?.regions,
  places: async (geodata) => [
    await placeAt(geodata, AT, () => true),
    (await placesNear(geodata, AT, { radius: 500, limit: 5 })).map(({ place }) => place.name),
    await airportsWith(geodata, "QMX"),
  ],
  addresses: async (geodata) => {
    const options = { layers: new Set(LAYERS), limit: 5, language: "en", open: false } as const;
    const found = await searchInTurns(await addressesToSearch(geodata, "2 Lindenweg", options), "2 Lindenweg", options);
    const near = await Promise.all(addressIndexesAt(geodata, AT).map((index) => index.tileAt(AT)));
    return [found.map(({ name, number }) => [name, number]), near];
  },
  roads: async (geodata) =>
    (await (await roadsAround(geodata, [AT, EAST]))?.distance(AT, EAST, { mode: "car" }))?.distance,
  basemap: async (geodata, bucket) => (await (await openBasemap(geodata, bucket)).tile(14, 3131, 5633))?.length,
};

/** A build of its own, so that nothing is known of it yet. */
let count = 0;
let now: number;

function publish(): { bucket: FakeBucket; restore(): void; keysOf(layer: string): string[] } {
  const bucket = new FakeBucket();
  const fresh = `build${count++}`;
  const restore = () => {
    for (const [key, bytes] of objects) bucket.put(buildKey(fresh, key), bytes);
  };
  restore();
  const { builds } = JSON.parse(live);
  bucket.put(LIVE_KEY, JSON.stringify({ version: 1, builds: [{ ...builds[0], id: fresh }] }));
  const keysOf = (layer: string) =>
    [...bucket.objects.keys()].filter((key) => key.startsWith(buildKey(fresh, `${layer}/`)));
  return { bucket, restore, keysOf };
}

async function askAll(bucket: FakeBucket): Promise<{ answers: Record<string, unknown>; leftOut: string[] }> {
  const leftOut = new Set<string>();
  const geodata = await openGeodata(bucket, { now, waitUntil: undefined, leftOut: (what) => leftOut.add(what) });
  const answers: Record<string, unknown> = {};
  for (const [layer, ask] of Object.entries(QUESTIONS)) answers[layer] = await ask(geodata, bucket);
  return { answers, leftOut: [...leftOut] };
}

const DAMAGES: [how: string, damage: (bucket: FakeBucket, key: string) => void][] = [
  [
    "flipped",
    (bucket, key) => {
      // Every 50th byte, so that it meets whatever part is read.
      bucket.put(
        key,
        bucket.objects.get(key)!.map((byte, i) => (i % 50 === 20 ? byte ^ 1 : byte)),
      );
    },
  ],
  ["cut short", (bucket, key) => bucket.put(key, bucket.objects.get(key)!.slice(0, -9))],
  [
    "cut to a third",
    (bucket, key) => bucket.put(key, bucket.objects.get(key)!.slice(0, bucket.objects.get(key)!.length / 3)),
  ],
  ["missing", (bucket, key) => bucket.objects.delete(key)],
];

let whole: Record<string, unknown>;
beforeEach(() => {
  now = 1_000_000;
  vi.spyOn(Date, "now").mockImplementation(() => now);
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  forgetGeodata();
});
afterEach(() => {
  vi.restoreAllMocks();
});

it("roads next to their import's edge are found from a point a centimeter outside", async () => {
  const { bucket } = publish();
  const geodata = await openGeodata(bucket, { now, waitUntil: undefined });
  const [west, south] = areasOf(JSON.parse(live).builds[0], "roads")[0];
  const [inside, edge, far] = [0, 1e-7, 0.01].map((out) => ({ latitude: south, longitude: west - out }));
  const found = await roadsAround(geodata, [inside]);
  expect(found).toBeDefined();
  expect((await roadsAround(geodata, [edge]))?.store.manifest).toBe(found?.store.manifest);
  expect(await roadsAround(geodata, [far])).toBeUndefined();
});

describe("a live build", () => {
  it("answers every question while it is whole, and leaves nothing out", async () => {
    const { answers, leftOut } = await askAll(publish().bucket);
    expect(leftOut).toEqual([]);
    expect(answers.regions).toMatchObject({ country: { code: "US" }, state: { code: "MT" } });
    expect(answers.places).toMatchObject([{ name: "Bakery" }, ["Bakery", "Field"], [{ name: "Field" }]]);
    expect(answers.addresses).toMatchObject([[["Lindenweg", "2"]], [0]]);
    expect(answers.roads).toBeGreaterThan(700);
    expect(answers.basemap).toBeGreaterThan(50);
    whole = answers;
  });

  describe.each(Object.keys(QUESTIONS))("whose %s are damaged", (layer) => {
    it.each(DAMAGES)("(%s) answers without them, names them, and is whole soon after a repair", async (how, damage) => {
      const { bucket, restore, keysOf } = publish();
      for (const key of keysOf(layer)) damage(bucket, key);
      const { answers, leftOut } = await askAll(bucket);
      const others = ({ [layer]: _, ...rest }: Record<string, unknown>) => rest;
      expect(others(answers)).toEqual(others(whole));
      // The last bytes of an archive are its seal, which is never read.
      const unharmed = layer === "basemap" && how === "cut short";
      expect(leftOut).toEqual(unharmed ? [] : [layer]);
      if (unharmed) expect(answers).toEqual(whole);
      else expect(answers[layer]).not.toEqual(whole[layer]);

      restore();
      now += 9000;
      expect(await askAll(bucket)).toEqual({ answers: whole, leftOut: [] });
    });
  });

  // What routes do without a tile stands in test/core/routing.
  it("loses one object of each kind, one after the other, and never an answer that does not need it", async () => {
    const { bucket, restore } = publish();
    for (const key of [...bucket.objects.keys()].filter((one) => one !== LIVE_KEY && !one.includes("/roads/"))) {
      forgetGeodata();
      bucket.objects.delete(key);
      const { answers, leftOut } = await askAll(bucket);
      const [, , layer] = key.split("/");
      for (const [other, answer] of Object.entries(answers)) if (other !== layer) expect(answer).toEqual(whole[other]);
      expect([[], [layer]], key).toContainEqual(leftOut);
      // What is missing is told, wherever something of the answer is.
      if (leftOut.length === 0) expect(answers, key).toEqual(whole);
      restore();
      now += 9000;
    }
  });
});
