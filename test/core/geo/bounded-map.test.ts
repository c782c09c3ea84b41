import { describe, expect, it } from "vitest";
import { BoundedMap } from "../../../src/core/geo/bounded-map.ts";

describe("a bounded map", () => {
  it("replaces its oldest entry when it is full", () => {
    const map = new BoundedMap<string, number>(2);
    map.set("a", 1).set("b", 2).set("c", 3);
    expect([...map]).toEqual([
      ["b", 2],
      ["c", 3],
    ]);
  });

  it("keeps all entries when a value changes", () => {
    const map = new BoundedMap<string, number>(2);
    map.set("a", 1).set("b", 2).set("a", 3);
    expect([...map]).toEqual([
      ["a", 3],
      ["b", 2],
    ]);
  });
});
