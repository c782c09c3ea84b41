import { describe, expect, it } from "vitest";
import type { Properties } from "../../../../src/core/maps/tiles/mvt.ts";
import { areaClass, isArea } from "../../../../src/importer/layers/basemap/features/areas.ts";
import { poiFeature } from "../../../../src/importer/layers/basemap/features/pois.ts";
import { roadFeature } from "../../../../src/importer/layers/basemap/features/roads.ts";
import { Drawer } from "../../../../src/importer/layers/basemap/steps/drawer.ts";
import type { Tags } from "../../../../src/importer/osm/pbf/element.ts";

const LINE = [[0, 0, 100, 0]];
/** Properties of a way at a zoom, and its first zoom and order. */
function way(tags: Tags, zoom = 15) {
  const feature = roadFeature(tags, LINE);
  const { properties, minZoom, order } = feature as NonNullable<typeof feature>;
  const all = (typeof properties === "function" ? properties(zoom) : properties) as Properties;
  return { ...all, minZoom, order } as Properties & { minZoom: number; order: number | undefined };
}

describe("ways on foot", () => {
  it.each<[string, Tags, string]>([
    ["a pavement", { highway: "footway", footway: "sidewalk" }, "sidewalk"],
    ["a marked crossing", { highway: "footway", footway: "crossing", crossing: "zebra" }, "crossing"],
    ["a crossing of a cycle path", { highway: "cycleway", cycleway: "crossing" }, "crossing"],
    ["a crossing without marks", { highway: "footway", footway: "crossing", crossing: "unmarked" }, "sidewalk"],
    ["a footway", { highway: "footway" }, "footway"],
    ["a street with a lane for cycles", { highway: "residential", cycleway: "crossing" }, "residential"],
  ])("%s has its detail, and is only in the finest tiles if it is a part of a road", (_, tags, detail) => {
    const { kind_detail, minZoom } = way(tags);
    expect(kind_detail).toBe(detail);
    if (detail === "sidewalk" || detail === "crossing") expect(minZoom).toBe(15);
    else expect(minZoom).toBeLessThan(15);
  });

  it.each<[Tags, true | undefined]>([
    [{ highway: "footway", name: "Katzengasse", surface: "sett" }, true],
    [{ highway: "path", name: "Calle", surface: "paving_stones" }, true],
    [{ highway: "footway", surface: "sett" }, undefined],
    [{ highway: "footway", name: "Waldweg" }, undefined],
    [{ highway: "footway", name: "Waldweg", surface: "gravel" }, undefined],
    [{ highway: "residential", name: "Gasse", surface: "sett" }, undefined],
  ])("%j is an alley: %s", (tags, isPaved) => {
    expect(way(tags).is_paved).toBe(isPaved);
    expect(way(tags, 13).is_paved).toBeUndefined();
  });

  it.each<[Tags, boolean]>([
    [{ tunnel: "building_passage" }, true],
    [{ covered: "arcade" }, true],
    [{ covered: "yes" }, true],
    [{ tunnel: "yes" }, false],
  ])("%j is open to its street: %s, and then not ordered below the ground", (tags, isCovered) => {
    const { is_tunnel, is_covered, order } = way({ highway: "pedestrian", ...tags });
    expect([is_tunnel, is_covered]).toEqual([true, isCovered || undefined]);
    expect(order).toBe(isCovered ? 140 : -860);
  });
});

describe("squares and car parks", () => {
  const AREA = 10_000;
  const kind = (tags: Tags, area: number) => poiFeature(tags, LINE, area)?.properties;

  it("a square is an area with a name, its outline a street without place=square", () => {
    expect(isArea({ highway: "pedestrian", place: "square" })).toBe(true);
    expect(isArea({ highway: "pedestrian" })).toBe(false);
    expect(areaClass({ "area:highway": "pedestrian" })).toMatchObject({ layer: "landuse", kind: "pedestrian" });
    expect(kind({ highway: "pedestrian", name: "Markt" }, AREA)).toMatchObject({ kind: "square", name: "Markt" });
    expect(kind({ highway: "pedestrian", name: "Hauptstraße" }, 0)).toBeUndefined();
    expect(kind({ place: "square", leisure: "park", name: "Park" }, AREA)).toMatchObject({ kind: "park" });
  });

  it("a public car park needs no name, one for residents, at the curb or too small for a sign is omitted", () => {
    const parking: Tags = { amenity: "parking" };
    expect(kind(parking, AREA)).toMatchObject({ kind: "parking", min_zoom: 17 });
    expect(kind(parking, 0)).toMatchObject({ kind: "parking" });
    expect(kind(parking, 1000)).toBeUndefined();
    expect(kind({ ...parking, access: "private" }, AREA)).toBeUndefined();
    expect(kind({ ...parking, parking: "street_side" }, AREA)).toBeUndefined();
    expect(kind({ amenity: "cafe" }, 0)).toBeUndefined();
  });
});

describe("what is drawn of a town", () => {
  const drawn = (draw: (drawer: Drawer) => void) => {
    const pieces: { order: number; properties: Properties }[] = [];
    const list: Properties[] = [];
    const spool = {
      propertyId: (properties: Properties) => list.push(properties) - 1,
      add: (piece: { order: number; properties: number }) =>
        void pieces.push({ order: piece.order, properties: list[piece.properties] }),
      rest: () => undefined,
    };
    const drawer = new Drawer(spool as never, { bounds: [[-1, -1, 1, 1]], minZoom: 15, maxZoom: 15 });
    draw(drawer);
    return { pieces, units: [...drawer.names.counts.keys()].sort() };
  };
  const SQUARE = Int32Array.from([0, 0, 10_000, 0, 10_000, 10_000, 0, 10_000, 0, 0]);
  const CLOSED = [1, 2, 3, 4, 1];

  it("higher parts of a building are above lower ones, and all above the building", () => {
    const { pieces } = drawn((drawer) => {
      const buildings: Tags[] = [
        { "building:part": "yes", height: "80" },
        { building: "yes", height: "90" },
        { "building:part": "yes", "building:levels": "4" },
        { "building:part": "yes" },
      ];
      for (const [id, tags] of buildings.entries()) drawer.way({ type: "way", id, refs: CLOSED, tags }, SQUARE);
    });
    expect([...new Set(pieces.map(({ order }) => order))]).toEqual([81, 0, 13, 1]);
  });

  it("names of streets and house numbers have glyphs, as other names do", () => {
    const { units } = drawn((drawer) => {
      const tags = { highway: "residential", name: "柳通り" };
      drawer.way({ type: "way", id: 1, refs: [1, 2], tags }, SQUARE.subarray(0, 4));
      drawer.node({ type: "node", id: 1, latitude: 0, longitude: 0, tags: { "addr:housenumber": "七" } });
    });
    expect(units).toEqual(["ja:柳", "ja:通", "zh:七", "り"].sort());
  });

  it("a fountain has no name of a water", () => {
    const names = (tags: Tags) =>
      drawn((drawer) => drawer.way({ type: "way", id: 1, refs: CLOSED, tags: { ...tags, name: "Neptun" } }, SQUARE))
        .pieces.filter(({ properties }) => properties.name !== undefined)
        .map(({ properties }) => properties.kind);
    expect(names({ natural: "water", water: "pond" })).toEqual(["water"]);
    expect(names({ natural: "water", water: "fountain" })).toEqual([]);
    expect(names({ amenity: "fountain" })).toEqual(["fountain"]);
  });
});
