import { describe, expect, it } from "vitest";
import { memorySource } from "../../../src/core/geo/builds/tile-source.ts";

describe("a source in memory", () => {
  it("gives a whole object, a part of it, or nothing", async () => {
    const source = memorySource(new Map([["a/b", new Uint8Array([1, 2, 3, 4])]]));
    expect(await source.read("a/b")).toEqual(new Uint8Array([1, 2, 3, 4]));
    expect(await source.read("a/b", { offset: 1, length: 2 })).toEqual(new Uint8Array([2, 3]));
    expect(await source.read("c")).toBeUndefined();
  });
});
