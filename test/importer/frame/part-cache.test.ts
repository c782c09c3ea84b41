import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NO_CONTEXT } from "../../../src/core/geocoding/entry/entry.ts";
import { AddressCollector } from "../../../src/core/geocoding/index/collector.ts";
import { parseHouseNumber } from "../../../src/core/geocoding/words/house-number.ts";
import { LINE } from "../../../src/core/maps/tiles/mvt.ts";
import { WORLD_SIZE } from "../../../src/core/maps/tiles/plane.ts";
import { quiet } from "../../../src/importer/common/progress.ts";
import { PartCache, publishParts } from "../../../src/importer/frame/stores/part-cache.ts";
import { type PackedBucket, packBucket } from "../../../src/importer/layers/addresses/jobs/pack-bucket.ts";
import { Workers } from "../../../src/importer/layers/addresses/jobs/workers.ts";
import { encodeCollected } from "../../../src/importer/layers/addresses/records/collected-bytes.ts";
import { joinBatch, splitBatches } from "../../../src/importer/layers/basemap/tiles/cached-tiles.ts";
import { packTiles, tilesOf } from "../../../src/importer/layers/basemap/tiles/pack-tiles.ts";
import { PieceSpool } from "../../../src/importer/layers/basemap/tiles/spool.ts";
import { tileBatches } from "../../../src/importer/layers/basemap/tiles/tile-batches.ts";
import { Tiler } from "../../../src/importer/layers/basemap/tiles/tiler.ts";
import { randomFrom } from "../../core/geocoding/sample.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "graticule-parts-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const ROUNDS = 5;

describe("an update that takes what did not change from the import before", () => {
  /** Lines of a map by number; each has a seed, which an edit changes. */
  it("draws the tiles that an import from nothing draws, whatever is edited", async () => {
    const draw = randomFrom(3);
    const lines = Array.from({ length: 60 }, (_, i) => i);
    for (let round = 0; round < ROUNDS; round++) {
      const spool = new PieceSpool((run) => join(folder, `run-${round}-${run}`), 40_000);
      const tiler = new Tiler(spool, { minZoom: 11, maxZoom: 13 });
      for (const seed of lines) {
        const at = randomFrom(seed);
        const [x, y] = [0.5 + at() / 200, 0.3 + at() / 200];
        const corner = (k: number) => [x + k / 40_000, y + (at() - 0.5) / 20_000].map((share) => share * WORLD_SIZE);
        const part = Array.from({ length: 6 }, (_, k) => corner(k)).flat();
        tiler.add({
          layer: "roads",
          type: LINE,
          parts: [part],
          minZoom: 11,
          order: 0,
          properties: () => ({ kind: "minor_road", name: `Street ${seed}` }),
        });
        spool.rest();
      }
      const runs = spool.finish();
      const parts = await PartCache.open(join(folder, "tiles"), "basemap", "p");
      const [updated, whole] = [[], []] as [string, string][][];
      const sorting = { path: join(folder, "list"), memory: 1e6 };
      for (const split of splitBatches(runs, 0, parts, sorting)) {
        for (const { tileId, packed, digest } of joinBatch(split, await packTiles(split.unknown), parts))
          updated.push([`${tileId}`, hex(digest) + hex(packed)]);
      }
      for (const batch of tileBatches(runs)) {
        for (const { tileId, packed, digest } of tilesOf(await packTiles(batch)))
          whole.push([`${tileId}`, hex(digest) + hex(packed)]);
      }
      expect(whole.length).toBeGreaterThan(50);
      expect(updated).toEqual(whole);
      if (round > 0) expect(parts.found).toBeGreaterThan(parts.made);
      parts.close();
      await publishParts(join(folder, "tiles"));
      // One line moves, one goes, one comes.
      lines[Math.floor(draw() * lines.length)] = 1000 + round;
      lines.splice(Math.floor(draw() * lines.length), 1);
      lines.push(2000 + round);
    }
  });

  it("packs the buckets of addresses that an import from nothing packs, whatever is edited", async () => {
    const draw = randomFrom(5);
    const seeds = Array.from({ length: 12 }, (_, i) => i);
    const late = seeds.map(() => new Uint8Array());
    const families = { hashes: new Float64Array(), starts: new Float64Array(), bytes: new Uint8Array() };
    for (let round = 0; round < ROUNDS; round++) {
      const parts = await PartCache.open(join(folder, "buckets"), "addresses", "p");
      const workers = new Workers({
        threads: 0,
        memory: 1e6,
        parts,
        path: (name) => name,
        step: (_, run) => run(quiet),
      });
      const range = [0, Number.MAX_SAFE_INTEGER] as const;
      const jobs = seeds.map((seed, i) => ({
        kind: "pack" as const,
        bytes: bucket(seed),
        more: late[i],
        range,
        families,
      }));
      let i = 0;
      for await (const packed of workers.inOrder<PackedBucket>(jobs)) {
        const whole = packBucket(bucket(seeds[i]), late[i], range, families);
        for (const column of ["tiles", "bytes", "meetings"] as const)
          expect(hex(packed[column])).toBe(hex(whole[column]));
        i++;
      }
      expect(i).toBe(seeds.length);
      expect([parts.found, parts.made]).toEqual(round === 0 ? [0, 12] : [11, 1]);
      await workers.close();
      parts.close();
      await publishParts(join(folder, "buckets"));
      seeds[Math.floor(draw() * seeds.length)] = 100 + round;
    }
  });
});

const hex = (bytes: Uint8Array | Float64Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");

/** Some houses and a town. */
function bucket(seed: number): Uint8Array<ArrayBuffer> {
  const draw = randomFrom(seed);
  const collector = new AddressCollector();
  const context = collector.context({ ...NO_CONTEXT, city: `Town ${seed}`, stateCode: "MT", countryCode: "US" });
  for (let i = 0; i < 40; i++) {
    const at = { latitude: 48 + draw() / 20, longitude: -111 + draw() / 20 };
    const street = collector.street(`Street ${Math.floor(draw() * 6)}`, context, "59474");
    collector.house(street, parseHouseNumber(`${1 + Math.floor(draw() * 99)}`)!, at);
  }
  return new Uint8Array(encodeCollected(collector));
}

describe("parts of an import", () => {
  const open = (program = "p") => PartCache.open(join(folder, "own"), "layer", program);
  const text = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes);

  it("are found by all that went in, the program and where one input ends included, once they are live", async () => {
    const first = await open();
    for (let i = 0; i < 5000; i++) first.put(first.key("a", `${i}`), Buffer.from(`made of ${i}`));
    expect(text(first.find(first.key("a", "77")))).toBe("made of 77");
    first.close();
    const unpublished = await open();
    expect(unpublished.find(unpublished.key("a", "77"))).toBeUndefined();
    for (let i = 0; i < 5000; i++) unpublished.put(unpublished.key("a", `${i}`), Buffer.from(`made of ${i}`));
    unpublished.close();
    await publishParts(join(folder, "own"));
    const next = await open();
    for (let i = 0; i < 4000; i++) expect(text(next.find(next.key("a", `${i}`)))).toBe(`made of ${i}`);
    expect(next.find(next.key("a7", "7"))).toBeUndefined();
    const other = await PartCache.open(join(folder, "own"), "layer", "another program");
    expect(other.find(other.key("a", "77"))).toBeUndefined();
    expect([next.found, next.made]).toEqual([4000, 0]);
    for (const one of [next, other]) one.close();
  });

  it("that no import used any more are gone, and those of one that failed change nothing", async () => {
    const failed = await open();
    expect(text(failed.find(failed.key("a", "1")))).toBe("made of 1");
    failed.close();
    const next = await open();
    expect(text(next.find(next.key("a", "4999")))).toBe("made of 4999");
    next.close();
    await publishParts(join(folder, "own"));
    const last = await open();
    expect([text(last.find(last.key("a", "4999"))), last.find(last.key("a", "1"))]).toEqual([
      "made of 4999",
      undefined,
    ]);
    last.close();
  });

  it("are added behind those before, whatever failed in between, and written anew once half of them are used no more", async () => {
    const path = join(folder, "grown");
    const round = async (numbers: readonly number[], publish = true) => {
      const parts = await PartCache.open(path, "layer", "p");
      for (const i of numbers) {
        const key = parts.key(`${i}`);
        const found = parts.find(key);
        if (found) expect(text(found)).toBe(`made of ${i}`.padEnd(1000));
        else parts.put(key, Buffer.from(`made of ${i}`.padEnd(1000)));
        expect(text(parts.find(key))).toBe(`made of ${i}`.padEnd(1000));
      }
      parts.close();
      if (publish) await publishParts(path);
      return [parts.found, parts.made, (await stat(join(path, "layer.parts"))).size];
    };
    const some = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i);
    expect(await round(some(0, 300))).toEqual([0, 300, 300_000]);
    expect(await round(some(50, 300))).toEqual([250, 50, 350_000]);
    expect(await round(some(100, 400), false)).toEqual([250, 150, 500_000]);
    expect(await round(some(330, 20))).toEqual([20, 0, 350_000]);
    expect(await round(some(330, 21))).toEqual([20, 1, 21_000]);
  });

  it("go on under another name, without being written again", async () => {
    const path = join(folder, "named");
    const given = Buffer.from("made of a".padEnd(1000));
    for (const [from, to, size] of [
      ["a", "a", 1000],
      ["a", "b", 1000],
      ["b", "c", 1000],
    ] as const) {
      const parts = await PartCache.open(path, "layer", "p");
      if (!parts.find(parts.key(from), parts.key(to))) parts.put(parts.key(to), given);
      expect(text(parts.find(parts.key(to)))).toBe(text(given));
      parts.close();
      await publishParts(path);
      expect((await stat(join(path, "layer.parts"))).size).toBe(size);
    }
    const last = await PartCache.open(path, "layer", "p");
    expect([last.find(last.key("b")), text(last.find(last.key("c")))]).toEqual([undefined, text(given)]);
    last.close();
  });
});
