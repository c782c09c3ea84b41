import { expect, it } from "vitest";
import type { Selection } from "../../../src/importer/osm/pbf/selection.ts";
import { covers } from "../../../src/importer/osm/pbf/selection-cover.ts";

it.each<[string, Selection, Selection, boolean]>([
  ["itself", { ways: ["highway"] }, { ways: ["highway"] }, true],
  ["nothing", {}, {}, true],
  ["fewer keys", { ways: ["building", "highway"] }, { ways: ["highway"] }, true],
  ["fewer kinds", { nodes: ["shop"], ways: ["highway"] }, { ways: ["highway"] }, true],
  ["a value of its key", { relations: ["type"] }, { relations: ["type=multipolygon"] }, true],
  ["no more keys", { ways: ["highway"] }, { ways: ["building", "highway"] }, false],
  ["no other kind", { ways: ["highway"] }, { nodes: ["highway"] }, false],
  ["no key by one of its values", { relations: ["type=multipolygon"] }, { relations: ["type"] }, false],
  ["anything, when it has all", { ways: true }, { ways: ["highway"] }, true],
  ["no all, when it has some", { ways: ["highway"] }, { ways: true }, false],
])("a selection covers %s", (_, wide, narrow, expected) => {
  expect(covers(wide, narrow)).toBe(expected);
});
