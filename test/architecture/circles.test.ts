import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { circlesIn, importGraph, ROOT } from "../support/imports.ts";

/**
 * Circles of types that exist today. They are to be opened one by one: none may grow, none may be added. Such a circle is two files that
 * are one idea, or an idea in the wrong file. Circles of values are not allowed at all: a file could use a name before it is defined.
 */
const TYPE_CIRCLES = [
  ["src/geocoding/crossing.ts", "src/geocoding/search.ts"],
  ["src/geocoding/north-america/parse.ts", "src/geocoding/parse-address.ts", "src/geocoding/parse-blocks.ts"],
  ["src/geodata/basemap.ts", "src/geodata/operator-archive.ts"],
];

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
