import { describe, expect, it } from "vitest";
import { readGeojson } from "../../../../src/core/maps/overlay-geojson.ts";
import { SectionError } from "../../../../src/core/maps/overlay-sections.ts";

const feature = (geometry: unknown, properties: unknown = {}) => ({ type: "Feature", properties, geometry });
const collection = (...features: unknown[]) => ({ type: "FeatureCollection", features });
const SQUARE = [
  [0, 0],
  [4, 0],
  [4, 4],
  [0, 0],
];

describe("GeoJSON on a map", () => {
  it("looks as simplestyle says where it says nothing itself", () => {
    const { markers, paths } = readGeojson(
      collection(
        feature({ type: "Point", coordinates: [-111.2, 48.99] }),
        feature({ type: "LineString", coordinates: SQUARE }),
        feature({ type: "Polygon", coordinates: [SQUARE] }),
      ),
    );
    const grey = [0x55, 0x55, 0x55];
    expect(markers).toEqual([
      {
        color: [0x7e, 0x7e, 0x7e, 1],
        size: "normal",
        icon: undefined,
        locations: [{ latitude: 48.99, longitude: -111.2 }],
      },
    ]);
    expect(paths).toMatchObject([
      { stroke: [...grey, 1], width: 2, borderWidth: 0 },
      { stroke: [...grey, 1], width: 2, borderWidth: 0, fill: [...grey, 0.6], holes: [] },
    ]);
    expect(paths[0].fill).toBeUndefined();
  });

  it("takes its looks from its properties, as text or as numbers, and passes over all others", () => {
    const { markers, paths } = readGeojson(
      collection(
        feature(
          { type: "MultiPoint", coordinates: SQUARE.slice(0, 2) },
          { "marker-color": "f00", "marker-size": "large", "marker-symbol": "b", title: "Any" },
        ),
        feature(
          { type: "Point", coordinates: [0, 0, 12] },
          { "marker-symbol": "restaurant", "marker-color": "#00ff0088" },
        ),
        feature({ type: "Point", coordinates: [0, 0] }, { "marker-symbol": "volcano" }),
        feature(
          { type: "MultiPolygon", coordinates: [[SQUARE, SQUARE], [SQUARE]] },
          { stroke: "#00f", "stroke-opacity": "0.5", "stroke-width": 7, fill: "tomato", "fill-opacity": 0.25 },
        ),
      ),
    );
    expect(markers).toMatchObject([
      { color: [255, 0, 0, 1], size: "large", label: "B", locations: [{}, {}] },
      { color: [0, 255, 0, 0x88 / 255], symbol: "food" },
      { size: "normal" },
    ]);
    expect(Object.keys(markers[2])).not.toContain("label");
    expect(paths).toHaveLength(2);
    expect(paths[0]).toMatchObject({ stroke: [0, 0, 255, 0.5], width: 7, fill: [255, 99, 71, 0.25] });
    expect(paths.map(({ holes }) => holes?.length)).toEqual([1, 0]);
  });

  it("may be a geometry alone, a collection of them, or nothing at all", () => {
    expect(readGeojson({ type: "LineString", coordinates: SQUARE }).paths).toHaveLength(1);
    const parts = [
      { type: "Point", coordinates: [1, 2] },
      { type: "MultiLineString", coordinates: [SQUARE, SQUARE] },
    ];
    const both = readGeojson(feature({ type: "GeometryCollection", geometries: parts }, { "stroke-width": 5 }));
    expect([both.markers.length, both.paths.map(({ width }) => width)]).toEqual([1, [5, 5]]);
    expect(readGeojson(collection(feature(null)))).toEqual({ markers: [], paths: [] });
  });

  let deep: unknown = { type: "Point", coordinates: [0, 0] };
  for (let i = 0; i < 12; i++) deep = { type: "GeometryCollection", geometries: [deep] };

  it.each<[unknown, string]>([
    [null, "Expected an object of GeoJSON."],
    [[], "Expected an object of GeoJSON."],
    [{ type: "Circle" }, "type: No such type of GeoJSON."],
    [collection({}), "features[0].type: No such type"],
    [{ type: "FeatureCollection" }, "features: Expected a list."],
    [{ type: "Point", coordinates: [0, 91] }, "coordinates: Expected [longitude, latitude]"],
    [{ type: "LineString", coordinates: [[0, 0]] }, "coordinates: At least 2 positions."],
    [{ type: "Polygon", coordinates: [] }, "coordinates: At least one ring."],
    [{ type: "Polygon", coordinates: [SQUARE.slice(1)] }, "coordinates[0]: At least 4 positions."],
    [collection(feature({ type: "Point", coordinates: ["1", "2"] })), "features[0].geometry.coordinates: Expected"],
    [
      collection(feature({ type: "LineString", coordinates: SQUARE }, { stroke: "rot" })),
      "features[0].properties.stroke: Expected 0xRRGGBB",
    ],
    [
      collection(feature({ type: "LineString", coordinates: SQUARE }, { "stroke-width": -1 })),
      "properties.stroke-width: Valid range: [0, 64].",
    ],
    [
      collection(feature({ type: "Point", coordinates: [0, 0] }, { "marker-size": "huge" })),
      "properties.marker-size: Valid values: small, medium, large.",
    ],
    [deep, "Nested too deeply."],
  ])("is refused, with its place named: %j", (geojson, message) => {
    expect(() => readGeojson(geojson)).toThrow(SectionError);
    expect(() => readGeojson(geojson)).toThrow(message);
  });
});
