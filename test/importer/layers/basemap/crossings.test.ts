import { describe, expect, it } from "vitest";
import { decodeTile, LINE, POINT, type Properties } from "../../../../src/core/maps/tiles/mvt.ts";
import { crossingPoint } from "../../../../src/importer/layers/basemap/features/crossing.ts";
import { LAYERS } from "../../../../src/importer/layers/basemap/features/feature.ts";
import { assembleTile } from "../../../../src/importer/layers/basemap/tiles/assemble-tile.ts";
import type { Piece } from "../../../../src/importer/layers/basemap/tiles/piece.ts";
import type { Tags } from "../../../../src/importer/osm/pbf/element.ts";
import { importBasemap, Sketch } from "./import-basemap.ts";

/** Lines of crossings in the finest tile with these roads and a crossing at 200, 300. */
function crossings(...roads: [line: number[], properties: Properties][]): number[][] {
  const all: Properties[] = [{ kind: "path", kind_detail: "crossing" }, ...roads.map(([, tags]) => tags)];
  const layer = LAYERS.indexOf("roads");
  const pieces: Piece[] = [
    { layer, order: 400, type: POINT, properties: 0, parts: [[200, 300]] },
    ...roads.map(([line], i): Piece => ({ layer, order: i, type: LINE, properties: i + 1, parts: [line] })),
  ];
  const [{ features }] = decodeTile(assembleTile(15, pieces, (id) => all[id]));
  const found = features.filter(({ properties }) => properties.kind_detail === "crossing");
  return found.flatMap(({ parts }) => parts as number[][]);
}

describe("a crossing that is a node of its road", () => {
  it("is a line across the road, as long as the road is wide", () => {
    expect(crossings([[0, 300, 4000, 301], { kind: "minor_road", kind_detail: "residential" }])).toEqual([
      [200, 291, 200, 309],
    ]);
    expect(crossings([[200, 0, 200, 600], { kind: "minor_road", kind_detail: "service" }])).toEqual([
      [204, 300, 196, 300],
    ]);
    expect(crossings([[100, 200, 300, 400], { kind: "major_road", kind_detail: "primary" }])).toEqual([
      [208, 292, 192, 308],
    ]);
  });

  it("is on the nearest of two roads, and not drawn without a road, or where a way is the crossing", () => {
    const road: [number[], Properties] = [[0, 300, 400, 300], { kind: "minor_road" }];
    expect(crossings([[202, 0, 202, 600], { kind: "minor_road" }], road)).toEqual([[200, 291, 200, 309]]);
    expect(crossings([[0, 310, 400, 310], { kind: "minor_road" }])).toEqual([]);
    expect(crossings([[0, 300, 400, 300], { kind: "path", kind_detail: "footway" }])).toEqual([]);
    const way: [number[], Properties] = [[203, 290, 203, 310], { kind: "path", kind_detail: "crossing" }];
    expect(crossings(road, way)).toEqual([way[0]]);
  });

  it("is in the finest tiles of an import", async () => {
    const sketch = new Sketch();
    sketch.node(8.001, 49, { highway: "crossing", crossing: "zebra" });
    const corners = [8, 8.001, 8.002].map((longitude) => [longitude, 49] as const);
    sketch.way(corners, { highway: "residential", name: "Uferweg" });
    const { features } = await importBasemap(sketch.elements, [7.99, 48.99, 8.01, 49.01]);
    const crossings = (await features("roads", 15, 8.001, 49)).filter(
      ({ properties }) => properties.kind_detail === "crossing",
    );
    expect(crossings).toMatchObject([{ type: LINE, parts: [{ length: 4 }] }]);
    expect((await features("roads", 14, 8.001, 49)).map(({ properties }) => properties.kind)).toEqual(["minor_road"]);
  });

  it("needs stripes", () => {
    const isDrawn = (tags: Partial<Record<string, string>>) =>
      crossingPoint({ highway: "crossing", ...tags } as Tags, [[0, 0]]) !== undefined;
    expect([{ crossing: "zebra" }, { crossing: "uncontrolled" }, { "crossing:markings": "yes" }].map(isDrawn)).toEqual([
      ...[true, true, true],
    ]);
    expect(
      [{}, { crossing: "unmarked" }, { crossing: "no" }, { crossing: "zebra", "crossing:markings": "no" }].map(isDrawn),
    ).toEqual([...[false, false, false, false]]);
    expect(crossingPoint({ crossing: "zebra" }, [[0, 0]])).toBeUndefined();
  });
});
