import { readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { circlesIn, importGraph, ROOT } from "../support/imports.ts";

/** The folders of src/importer, and the folders that each may import. Files in a folder may always import each other. */
const MAY_IMPORT: Record<string, string[]> = {
  common: [],
  sort: [],
  threads: ["common"],
  world: [],
  osm: ["common", "sort", "threads"],
  report: ["common"],
  sources: ["common", "osm", "report", "world"],
  frame: ["common", "sort", "osm", "report"],
  glyphs: ["frame"],
  publish: ["common", "frame"],
  layers: ["common", "sort", "threads", "osm", "report", "frame", "glyphs", "sources", "world"],
  update: ["common", "osm", "report", "frame", "sources"],
  run: ["common", "osm", "report", "frame", "publish", "sources", "threads"],
};

/** Addresses have regions and contain places, so they use the readers of both layers. */
const LAYERS_OF_LAYER: Record<string, string[]> = { addresses: ["places", "regions"] };

/** The only file outside of `layers` that imports layers. */
const LIST_OF_LAYERS = "run/layers.ts";

/** A folder with more files is divided. */
const MAX_FILES = 30;

const importer = join(ROOT, "src/importer");
const name = (path: string) => relative(importer, join(ROOT, path));
const arrows = [...importGraph(importer, { types: true })].flatMap(([from, targets]) =>
  targets.map((to) => ({ from: name(from), to: name(to) })).filter(({ to }) => !to.startsWith("..")),
);

const folderOf = (path: string) => path.split("/")[0];
const layerOf = (path: string) => path.split("/")[1];

function isAllowed(from: string, to: string): boolean {
  const [own, other] = [folderOf(from), folderOf(to)];
  if (own === "layers" && other === "layers")
    return layerOf(from) === layerOf(to) || (LAYERS_OF_LAYER[layerOf(from)] ?? []).includes(layerOf(to));
  return own === other || (MAY_IMPORT[own] ?? []).includes(other) || (from === LIST_OF_LAYERS && other === "layers");
}

/** Imports between folders, where folders below `depth` count as part of the folder that contains them. */
function folderGraph(depth: number): Map<string, string[]> {
  const at = (path: string) => dirname(path).split("/").slice(0, depth).join("/");
  const graph = new Map<string, string[]>();
  for (const { from, to } of arrows) {
    if (at(from) !== at(to)) graph.set(at(from), [...(graph.get(at(from)) ?? []), at(to)]);
  }
  return graph;
}

const filesByFolder = readdirSync(importer, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .reduce(
    (counts, { parentPath }) => counts.set(parentPath, (counts.get(parentPath) ?? 0) + 1),
    new Map<string, number>(),
  );

describe("the folders of the importer", () => {
  it("import only what they may", () => {
    expect(arrows.length).toBeGreaterThan(500);
    expect(arrows.filter(({ from, to }) => !isAllowed(from, to))).toEqual([]);
    expect(isAllowed("osm/read/pass.ts", "frame/layer.ts")).toBe(false);
    expect(isAllowed("layers/roads/a.ts", "layers/places/b.ts")).toBe(false);
    expect(isAllowed("frame/layer.ts", "layers/places/b.ts")).toBe(false);
  });

  it.each([1, 2, 3, 4])("have no import cycle at depth %i", (depth) => {
    expect(circlesIn(folderGraph(depth))).toEqual([]);
  });

  it("contain no loose files but the README, and at most 30 files each", () => {
    const loose = readdirSync(importer, { withFileTypes: true }).filter((entry) => entry.isFile());
    expect(loose.map((entry) => entry.name)).toEqual(["README.md"]);
    expect([...filesByFolder].filter(([, count]) => count > MAX_FILES)).toEqual([]);
  });
});
