import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { circlesIn, importGraph, ROOT } from "../support/imports.ts";

describe("the files of src", () => {
  // In a circle of values a file could use a name before it is defined; one of types is an idea in the wrong file.
  it("import each other in no circle, of values or of types", () => {
    expect(circlesIn(importGraph(join(ROOT, "src"), { types: true }))).toEqual([]);
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
