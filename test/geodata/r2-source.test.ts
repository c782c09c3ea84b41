import { beforeEach, describe, expect, it, vi } from "vitest";
import type { LiveBuild } from "../../src/geo/manifest.ts";
import { BuildSource, forgetGeodata, r2Reads } from "../../src/geodata/r2-source.ts";
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
