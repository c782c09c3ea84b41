import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { LiveBuild } from "../../../src/core/geo/builds/manifest.ts";
import { seal } from "../../../src/core/geo/builds/sealed.ts";
import { type TileSource, UnreadableObject } from "../../../src/core/geo/builds/tile-source.ts";
import { BuildSource, forgetGeodata, r2Reads } from "../../../src/worker/geodata/r2-source.ts";
import { FakeBucket } from "./fake-bucket.ts";

const build: LiveBuild = { name: "town", id: "abc", areas: [], layers: {}, sources: [], previous: [] };

let bucket: FakeBucket;
let source: BuildSource;
beforeEach(() => {
  forgetGeodata();
  bucket = new FakeBucket();
  bucket.put("builds/abc/places/1", new Uint8Array([10, 11, 12, 13, 14]));
  source = new BuildSource(bucket, build);
});

describe("the objects of a build", () => {
  it("are read from under the build's id, and counted", async () => {
    const before = { ...r2Reads };
    expect(await source.read("places/1")).toEqual(new Uint8Array([10, 11, 12, 13, 14]));
    expect(r2Reads.count - before.count).toBe(1);
    expect(r2Reads.bytes - before.bytes).toBe(5);
  });

  it("are read once, and so is their absence", async () => {
    for (let i = 0; i < 3; i++) {
      expect(await source.read("places/1")).toHaveLength(5);
      expect(await source.read("places/2")).toBeUndefined();
    }
    expect(bucket.asked).toEqual(["builds/abc/places/1", "builds/abc/places/2"]);
  });

  it("come in ranges, each kept by itself", async () => {
    for (let i = 0; i < 2; i++) {
      expect(await source.read("places/1", { offset: 1, length: 2 })).toEqual(new Uint8Array([11, 12]));
      expect(await source.read("places/1", { offset: 3, length: 2 })).toEqual(new Uint8Array([13, 14]));
    }
    expect(bucket.asked).toHaveLength(2);
  });

  it("are decoded once, each decoder by itself", async () => {
    const sum = vi.fn((bytes: Uint8Array) => ({ sum: bytes.reduce((a, b) => a + b, 0) }));
    const first = await source.cached("places/1", sum, { as: "sum" });
    expect(first).toEqual({ sum: 60 });
    expect(await source.cached("places/1", sum, { as: "sum" })).toBe(first);
    expect(sum).toHaveBeenCalledTimes(1);
    expect(await source.cached("places/1", (bytes) => bytes.length, { as: "length" })).toBe(5);
    expect(await source.cached("places/9", sum, { as: "sum" })).toBeUndefined();
  });

  it("of another build are other objects", async () => {
    bucket.put("builds/def/places/1", new Uint8Array([1]));
    const other = new BuildSource(bucket, { ...build, id: "def" });
    expect(await source.read("places/1")).toHaveLength(5);
    expect(await other.read("places/1")).toHaveLength(1);
  });

  it("are asked for once when many requests want them at the same time", async () => {
    const results = await Promise.all(Array.from({ length: 50 }, () => source.cached("places/1", (bytes) => [bytes])));
    expect(bucket.asked).toHaveLength(1);
    expect(new Set(results).size).toBe(1);
  });

  it("are read again by a request whose forerunner never comes back", async () => {
    let first = true;
    bucket.pause = () => {
      if (!first) return Promise.resolve();
      first = false;
      return new Promise<void>(() => undefined);
    };
    void source.read("places/1");
    expect(await source.read("places/1")).toHaveLength(5);
    expect(bucket.asked).toHaveLength(2);
    expect(await source.read("places/1")).toHaveLength(5);
    expect(bucket.asked).toHaveLength(2);
  });

  it("are asked for again after a read that failed", async () => {
    let fail = true;
    bucket.pause = async () => {
      if (fail) throw new Error("R2 is away");
    };
    await expect(Promise.all([source.read("places/1"), source.read("places/1")])).rejects.toThrow("R2 is away");
    fail = false;
    expect(await source.read("places/1")).toHaveLength(5);
  });
});

describe("an object that is not as it was written", () => {
  const content = new Uint8Array([1, 2, 3, 4]);
  const key = "builds/abc/places/1";
  let now: number;
  beforeEach(() => {
    now = 1_000_000;
    vi.spyOn(Date, "now").mockImplementation(() => now);
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    bucket.put(key, seal(content));
    source = new BuildSource(bucket, { ...build, checksum: "crc32c" });
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });
  const flipped = () => {
    const bytes = seal(content);
    bytes[2] ^= 16;
    return bytes;
  };
  const decode = (bytes: Uint8Array) => [...bytes];

  it("is told from one that is, whose seal nobody sees", async () => {
    expect(await source.read("places/1")).toEqual(content);
    expect(await source.cached("places/1", decode)).toEqual([1, 2, 3, 4]);
  });

  it.each([
    ["flipped", () => bucket.put(key, flipped())],
    ["cut short", () => bucket.put(key, seal(content).slice(0, -3))],
    ["empty", () => bucket.put(key, new Uint8Array())],
    ["another object's", () => bucket.put(key, content)],
    ["missing though it is required", () => bucket.objects.delete(key)],
  ])(
    "is read twice when it is %s, then refused without a read for seconds, then as good as its repair",
    async (_, damage) => {
      damage();
      const ask = () => source.cached("places/1", decode, { required: true });
      await expect(ask()).rejects.toThrow(UnreadableObject);
      expect(bucket.asked).toHaveLength(2);
      await expect(ask()).rejects.toThrow(/builds\/abc\/places\/1/);
      expect(bucket.asked).toHaveLength(2);
      bucket.put(key, seal(content));
      now += 5000;
      expect(await ask()).toEqual([1, 2, 3, 4]);
      await ask();
      expect(bucket.asked).toHaveLength(3);
      expect(console.warn).toHaveBeenCalledTimes(1);
    },
  );

  it("on its way only is read again and answers", async () => {
    bucket.put(key, flipped());
    let reads = 0;
    bucket.pause = async () => {
      if (++reads === 2) bucket.put(key, seal(content));
    };
    expect(await source.cached("places/1", decode)).toEqual([1, 2, 3, 4]);
  });

  it("may be one that its format cannot read: then it is as damaged", async () => {
    const ask = () =>
      source.cached("places/1", () => {
        throw new Error("places of version 9");
      });
    await expect(ask()).rejects.toThrow(/version 9/);
    await expect(ask()).rejects.toThrow(UnreadableObject);
  });

  it("does not spoil its neighbours, nor other ranges of it", async () => {
    bucket.put("builds/abc/basemap/tiles.pmtiles", new Uint8Array(100));
    await expect(source.read("basemap/tiles.pmtiles", { offset: 90, length: 20 })).rejects.toThrow(/cut short/);
    expect(await source.read("basemap/tiles.pmtiles", { offset: 10, length: 20 })).toHaveLength(20);
    expect(await source.read("places/1")).toEqual(content);
  });

  it("that was not there is found within ten seconds after it came", async () => {
    expect(await source.cached("places/2", decode)).toBeUndefined();
    bucket.put("builds/abc/places/2", seal(content));
    expect(await source.cached("places/2", decode)).toBeUndefined();
    now += 8001;
    expect(await source.cached("places/2", decode)).toEqual([1, 2, 3, 4]);
  });

  it("lets go of ranges that did not check, and tries them past the cache", async () => {
    bucket.put("builds/abc/basemap/tiles.pmtiles", new Uint8Array(100).fill(7));
    const work = async (from: TileSource) => {
      const bytes = await from.read("basemap/tiles.pmtiles", { offset: 0, length: 10 });
      if (bytes?.[0] !== 9) throw new Error("incorrect data check");
      return bytes.length;
    };
    await expect(source.checked("basemap/tiles.pmtiles", "1/0/0", work)).rejects.toThrow(UnreadableObject);
    bucket.put("builds/abc/basemap/tiles.pmtiles", new Uint8Array(100).fill(9));
    now += 5000;
    expect(await source.checked("basemap/tiles.pmtiles", "1/0/0", work)).toBe(10);
    expect(bucket.asked).toHaveLength(3);
  });

  it("is not what one calls it when the bucket does not answer", async () => {
    bucket.pause = () => Promise.reject(new Error("R2 is away"));
    await expect(source.cached("places/1", decode)).rejects.not.toThrow(UnreadableObject);
    bucket.pause = async () => {};
    expect(await source.cached("places/1", decode)).toEqual([1, 2, 3, 4]);
  });
});
