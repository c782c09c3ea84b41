import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { circlesIn, importGraph, ROOT } from "../support/imports.ts";

/** Groups of folders that may import each other, each with the reason. At most two. */
const FOLDER_CIRCLES: [folders: string[], reason: string][] = [
  [
    ["src/worker/http/serve", "src/worker/http/serve/callers"],
    "callers are found with the limits and the connection of a request, and serve finds callers",
  ],
];

describe("the files of src", () => {
  // In a circle of values a file could use a name before it is defined; one of types is an idea in the wrong file.
  it("import each other in no circle, of values or of types", () => {
    expect(circlesIn(importGraph(join(ROOT, "src"), { types: true }))).toEqual([]);
  });
});

describe("the folders of src", () => {
  const files = importGraph(join(ROOT, "src"), { types: true });
  const graph = new Map<string, string[]>();
  for (const [file, targets] of files) {
    const folder = dirname(file);
    const others = targets.map(dirname).filter((other) => other !== folder);
    graph.set(folder, [...new Set([...(graph.get(folder) ?? []), ...others])]);
  }

  it("import each other in no circle, but for the listed ones", () => {
    expect(graph.size).toBeGreaterThan(150);
    expect(circlesIn(graph)).toEqual(FOLDER_CIRCLES.map(([folders]) => folders));
    expect(FOLDER_CIRCLES.length).toBeLessThanOrEqual(2);
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
