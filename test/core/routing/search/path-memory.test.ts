import { describe, expect, it } from "vitest";
import { PathMemory } from "../../../../src/core/routing/store/path-memory.ts";

describe("the passages a tile remembers", () => {
  it("come back as they were kept", () => {
    const memory = new PathMemory();
    const paths = Array.from({ length: 40 }, (_, i) => Uint16Array.from({ length: i * 7 }, (_, k) => i * 1000 + k));
    paths.forEach((path, i) => {
      memory.keep(i * 65536 + 4294967296, path);
    });
    expect(paths.map((_, i) => memory.get(i * 65536 + 4294967296))).toEqual(paths);
    expect(memory.get(3)).toBeUndefined();
  });

  it("are all forgotten when they grow too many, and never held in part", () => {
    const memory = new PathMemory();
    const long = new Uint16Array(5000).fill(7);
    memory.keep(1, long);
    memory.keep(2, long);
    expect(memory.get(1)).toBeUndefined();
    expect(memory.get(2)).toEqual(long);
    expect(memory.keep(3, new Uint16Array(9000))).toHaveLength(9000);
    expect(memory.get(3)).toBeUndefined();
    expect(memory.size).toBeLessThan(20_000);
  });
});
