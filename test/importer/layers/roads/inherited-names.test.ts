import { expect, it } from "vitest";
import { buildGraph } from "../../../../src/importer/layers/roads/graph/build-graph.ts";

/** Number of edges of a road with this tag, which its nodes have too. */
function edgesWith(key: string, value: string): number {
  const node = (id: number) => ({
    type: "node" as const,
    id,
    latitude: 50 + id / 1000,
    longitude: 7,
    tags: { [key]: value },
  });
  const tags = { highway: "residential", [key]: value };
  return buildGraph([node(1), node(2), { type: "way", id: 9, refs: [1, 2], tags }]).edges.count;
}

it.each([
  "surface",
  "smoothness",
  "tracktype",
  "highway",
  "service",
  "maxspeed",
  "source:maxspeed",
  "barrier",
  "access",
])("%s=constructor, which every object inherits, is like any unknown value", (key) => {
  for (const value of Object.getOwnPropertyNames(Object.prototype))
    expect(edgesWith(key, value), value).toBe(edgesWith(key, "unknownvalue"));
});
