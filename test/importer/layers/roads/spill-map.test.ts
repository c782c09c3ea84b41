import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { SpillMap } from "../../../../src/importer/layers/roads/overlay/spill-map.ts";

const folder = mkdtempSync(join(tmpdir(), "spill-map-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bytes = (length: number, value: number) => new Uint8Array(length).fill(value);

describe("a spill map", () => {
  it("returns every object, whether it is in memory or in the file", () => {
    const path = join(folder, "objects");
    const map = new SpillMap<number>(path, 25);
    for (let i = 0; i < 5; i++) map.put(i, bytes(10, i));
    for (let i = 0; i < 5; i++) {
      expect(map.get(i)).toEqual(bytes(10, i));
      expect(map.take(i)).toEqual(bytes(10, i));
      expect(() => map.get(i)).toThrow(`no object has the key ${i}`);
    }
    expect(statSync(path).size).toBe(30);
    map.close();
    expect(existsSync(path)).toBe(false);
  });

  it("has memory again once an object is taken, and needs no file then", () => {
    const path = join(folder, "reused");
    const map = new SpillMap<string>(path, 10);
    for (const key of ["a", "b", "c"]) {
      map.put(key, bytes(10, 1));
      map.take(key);
    }
    expect(existsSync(path)).toBe(false);
    map.close();
  });

  it("stays in memory without a path", () => {
    const map = new SpillMap<string>(undefined, 0);
    map.put("a", bytes(100, 7));
    expect(map.get("a")).toEqual(bytes(100, 7));
    map.close();
  });
});
