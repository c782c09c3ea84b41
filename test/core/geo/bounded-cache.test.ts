import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BoundedCache } from "../../../src/core/geo/bounded-cache.ts";

describe("a bounded cache", () => {
  it("lets go of what was used longest ago", () => {
    const cache = new BoundedCache(800);
    for (let i = 0; i < 8; i++) cache.put(`k${i}`, i, 100);
    cache.get("k0");
    cache.put("k8", 8, 100);
    expect(cache.get("k0")).toMatchObject({ value: 0 });
    expect(cache.get("k1")).toBeUndefined();
    expect(cache.weight).toBe(800);
  });

  it("lets go of what can be made again before it lets go of what was read", () => {
    const cache = new BoundedCache(100);
    const small = () => 20;
    cache.put("a", "a", 50, small);
    cache.put("b", "b", 50, small);
    cache.put("c", "c", 30);
    expect(cache.weight).toBe(20 + 50 + 30);
    cache.put("d", "d", 30);
    expect(cache.weight).toBe(20 + 20 + 30 + 30);
    // "c" has nothing to let go of, and "a" is small already: now they go, the oldest first.
    cache.put("e", "e", 40);
    expect(["a", "b", "c", "d", "e"].filter((key) => cache.get(key))).toEqual(["b", "d", "e"]);
    expect(cache.weight).toBe(20 + 30 + 40);
  });

  it("lets go of what exceeds a new limit", () => {
    const cache = new BoundedCache(100);
    for (const key of ["a", "b", "c"]) cache.put(key, key, 30);
    cache.setLimit(70);
    expect([cache.limit, cache.weight]).toEqual([70, 60]);
    expect(cache.get("a")).toBeUndefined();
    cache.setLimit(130);
    for (const key of ["d", "e"]) cache.put(key, key, 30);
    expect(cache.weight).toBe(120);
  });

  it("has less room for entries while something else takes of it", () => {
    const cache = new BoundedCache(100);
    for (const key of ["a", "b", "c"]) cache.put(key, key, 30);
    cache.claim("searches", 40);
    expect(["a", "b", "c"].filter((key) => cache.get(key))).toEqual(["b", "c"]);
    expect(cache.weight).toBe(100);
    cache.claim("searches", 10);
    cache.put("d", "d", 30);
    expect(cache.weight).toBe(100);
    cache.clear();
    expect(cache.weight).toBe(10);
    cache.claim("searches", 0);
    expect(cache.weight).toBe(0);
  });

  it("keeps what values are made of for longer than the values", () => {
    const cache = new BoundedCache(10_000);
    cache.put("tile", "made", 4_000);
    cache.putSource("tile", new Uint8Array(800));
    for (let i = 0; i < 10; i++) cache.put(`other ${i}`, i, 4_000);
    expect(cache.get("tile")).toBeUndefined();
    expect(cache.source("tile")?.length).toBe(800);
    // Nobody asks for it while the cache is filled again and again: then it goes, too.
    for (let i = 0; i < 30; i++) cache.put(`more ${i}`, i, 4_000);
    expect(cache.source("tile")).toBeUndefined();
    expect(cache.weight).toBe(8_000);
  });

  it("never gives sources so much room that nothing is left for what is made of them", () => {
    const cache = new BoundedCache(10_000);
    cache.put("tile", "made", 3_000);
    for (let i = 0; i < 20; i++) cache.putSource(`source ${i}`, new Uint8Array(800));
    expect(cache.get("tile")).toBeDefined();
    expect(cache.weight).toBe(3_000 + 7_000);
    expect(cache.source("source 12")).toBeUndefined();
    expect(cache.source("source 19")).toBeDefined();
    cache.clear();
    expect([cache.weight, cache.source("source 19")]).toEqual([0, undefined]);
  });

  it("remembers that there is nothing", () => {
    const cache = new BoundedCache(1000);
    cache.put("sea", undefined, 10);
    expect(cache.get("sea")).toMatchObject({ value: undefined });
    expect(cache.get("land")).toBeUndefined();
  });

  it("does not throw everything out for one giant", () => {
    const cache = new BoundedCache(1000);
    cache.put("small", 1, 100);
    cache.put("giant", 2, 900);
    expect(cache.get("giant")).toBeUndefined();
    expect(cache.get("small")).toBeDefined();
  });

  it("never holds more than its limit, and always knows what it holds", () => {
    const step = fc.record({ key: fc.nat(30), bytes: fc.nat(130), take: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const cache = new BoundedCache(1000);
        const weights = new Map<string, number>();
        for (const { key, bytes, take } of steps) {
          if (take) cache.get(`${key}`);
          else {
            cache.put(`${key}`, key, bytes);
            weights.set(`${key}`, bytes);
          }
          expect(cache.weight).toBeLessThanOrEqual(1000);
        }
        let held = 0;
        for (const [key, bytes] of weights) if (cache.get(key)) held += bytes;
        expect(cache.weight).toBe(held);
      }),
      { seed: 5, numRuns: 100 },
    );
  });

  it("weighs anew what has grown, as long as that is what it keeps", () => {
    const cache = new BoundedCache(100);
    const tile = { name: "tile" };
    cache.put("old", 1, 40);
    cache.put("tile", tile, 40);
    cache.resize("tile", tile, 70);
    expect([cache.get("old"), cache.get("tile")?.value, cache.weight]).toEqual([undefined, tile, 70]);
    cache.resize("tile", { name: "another" }, 5);
    cache.resize("gone", tile, 5);
    expect(cache.weight).toBe(70);
  });
});
