import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { circlesIn, importGraph, ROOT } from "../support/imports.ts";

/**
 * Circles of types that stand today, to be opened one by one; none may grow, and none may be added. Such a circle is two files that are
 * one idea, or an idea in the wrong file. Of values there is none: a file would find a name of the other not yet there when it is loaded.
 */
const TYPE_CIRCLES = [
  // The bindings name the classes of the objects, which are made with the bindings.
  [
    "src/env.ts",
    ...["database-writer", "device-tracker", "eta", "geofence-index", "new-trip", "rate-limiter"].map(object),
    ...["stubs", "trip-finder", "webhook-dispatch", "webhook-sender"].map(object),
  ],
  ["src/geocoding/crossing.ts", "src/geocoding/search.ts"],
  ["src/geocoding/north-america/parse.ts", "src/geocoding/parse-address.ts", "src/geocoding/parse-blocks.ts"],
  ["src/geodata/basemap.ts", "src/geodata/operator-archive.ts"],
  ["src/tracking/match-fences.ts", "src/tracking/match-place.ts", "src/tracking/turn.ts"],
];

function object(name: string): string {
  return `src/objects/${name}.ts`;
}

const unknown = (circles: string[][], known: string[][]) =>
  circles.filter((circle) => !known.some((allowed) => circle.every((file) => allowed.includes(file))));

describe("the files of src", () => {
  it("import each other's values in no circle", () => {
    expect(circlesIn(importGraph(join(ROOT, "src"), { types: false }))).toEqual([]);
  });

  it("import each other's types in no circle but those that are named here", () => {
    expect(unknown(circlesIn(importGraph(join(ROOT, "src"), { types: true })), TYPE_CIRCLES)).toEqual([]);
  });
});

describe("a circle", () => {
  it("is found however long it is, and what only leads to it is not part of it", () => {
    const graph = new Map([
      ["a", ["b"]],
      ["b", ["c", "x"]],
      ["c", ["d"]],
      ["d", ["b"]],
      ["x", ["y"]],
      ["y", []],
      ["self", ["self"]],
    ]);
    expect(circlesIn(graph)).toEqual([["b", "c", "d"], ["self"]]);
  });
});
