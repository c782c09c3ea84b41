import { describe, expect, it } from "vitest";
import type { GeofenceRow } from "../../../src/worker/db/schema.ts";
import { readCsv, readCsvPiece, separatorOf } from "../../../src/worker/wire/tables/csv.ts";
import { GEOFENCE_COLUMNS, geofenceFeature, geofenceTableRow } from "../../../src/worker/wire/tables/geofence-file.ts";
import {
  featuresOf,
  fieldsOfFeatures,
  fieldsOfTable,
  foreignSystem,
} from "../../../src/worker/wire/tables/geofence-import.ts";
import { csvRow } from "../../../src/worker/wire/tables/write-csv.ts";

const tableOf = (text: string) => {
  const separator = separatorOf(text);
  const [head, ...rows] = readCsvPiece(text, 1, true, separator).rows;
  return fieldsOfTable(head.cells, rows, separator);
};
const feature = (geometry: unknown, properties: unknown = { description: "Yard" }) =>
  fieldsOfFeatures([{ type: "Feature", geometry, properties }]).rows[0];
const RING = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 0],
];

describe("the separator of a table", () => {
  it.each([
    ["a,b,c\n1;2;3;4\n", ","],
    ["a;b;c\n1,5;2;3\n", ";"],
    ["a\tb\tc\n", "\t"],
    ["one", ","],
    ["", ","],
    ['"a;b;c;d",e,f\n', ","],
    ["\n\n\uFEFFa;b\n", ";"],
  ] as const)("of %j is %j: what the first row has most of", (text, separator) => {
    expect(separatorOf(text)).toBe(separator);
  });

  it("separates, and a comma is then a sign like others", () => {
    expect(readCsvPiece('a;b\n"1,5";2,5\n', 1, true, ";").rows.map(({ cells }) => cells)).toEqual([
      ["a", "b"],
      ["1,5", "2,5"],
    ]);
  });

  it("a quote that is never closed is told with the line of its row", () => {
    expect(readCsvPiece('a,b\n1,2\n3,"4\n5,6\n', 1, true)).toMatchObject({ unclosed: 3 });
    expect(readCsvPiece('a,b\n1,"2"', 1, true).unclosed).toBeUndefined();
  });
});

describe("a row of a table of geofences", () => {
  it("has its columns in any order and writing", () => {
    const { rows, ignored } = tableOf(
      'External ID,RADIUS,tag,Coordinates,Colour,name\n7,100,shop,"[13.4,52.5]",red,متجر\n',
    );
    expect(rows).toEqual([
      {
        row: 1,
        line: 2,
        fields: {
          externalId: "7",
          radius: "100",
          tag: "shop",
          coordinates: "[13.4,52.5]",
          type: "circle",
          description: "متجر",
        },
      },
    ]);
    expect(ignored).toEqual(["Colour"]);
  });

  it("may have latitude and longitude, with the decimal comma of its country", () => {
    const { rows } = tableOf("description;latitude;longitude;radius\n王家花园;52,5;-13,4;99,5\n");
    expect(rows[0].fields).toEqual({
      description: "王家花园",
      coordinates: ["-13.4", "52.5"],
      radius: "99.5",
      type: "circle",
    });
  });

  it("is a polygon where its coordinates are a ring, and has no field of an empty cell", () => {
    const { rows } = tableOf(`description,coordinates,metadata\nYard,"${JSON.stringify(RING)}",\n`);
    expect(rows[0].fields).toEqual({ description: "Yard", coordinates: JSON.stringify(RING), type: "polygon" });
  });

  it("with more cells than there are columns has none", () => {
    expect(tableOf("description,coordinates\na,b,c\n").rows[0]).toMatchObject({
      row: 1,
      line: 2,
      wrong: { message: "The row has more cells than the file has columns." },
    });
  });
});

describe("a feature", () => {
  it("is a circle, a polygon, or the one part of a multipolygon, without altitudes", () => {
    expect(feature({ type: "Point", coordinates: [1, 2, 30] }).fields).toMatchObject({
      type: "circle",
      coordinates: [1, 2],
    });
    const high = RING.map((pair) => [...pair, 9]);
    expect(feature({ type: "Polygon", coordinates: [high] }).fields).toMatchObject({
      type: "polygon",
      coordinates: RING,
    });
    expect(feature({ type: "MultiPolygon", coordinates: [[RING]] }).fields).toMatchObject({ coordinates: RING });
  });

  it.each([
    [null, "The feature has no geometry."],
    [{ type: "LineString", coordinates: RING }, "A LineString is no area. Use a Polygon, or a Point with a radius."],
    [
      { type: "MultiPolygon", coordinates: [[RING], [RING]] },
      "A MultiPolygon of 2 parts: a geofence has one. Make a feature of each part.",
    ],
    [
      { type: "Polygon", coordinates: [RING, RING] },
      "A polygon with 1 hole: a geofence has none. Leave them out, or cut it into parts.",
    ],
    [{ type: "Polygon", coordinates: [] }, "The polygon has no ring."],
  ])("with the geometry %j is none of ours", (geometry, message) => {
    expect(feature(geometry).wrong).toEqual({ message, param: "coordinates" });
  });

  it("has its properties as fields, and tells which ones mean nothing", () => {
    const { rows, ignored } = fieldsOfFeatures([
      {
        type: "Feature",
        geometry: { type: "Point", coordinates: [1, 2] },
        properties: {
          Title: "Shop",
          external_id: 7,
          radius: 50,
          colour: "red",
          metadata: { a: 1 },
          tag: null,
          _id: "x",
        },
      },
      { type: "Banana" },
    ]);
    expect(rows).toEqual([
      {
        row: 1,
        id: "x",
        fields: {
          ...{
            description: "Shop",
            externalId: 7,
            radius: 50,
            metadata: { a: 1 },
            type: "circle",
            coordinates: [1, 2],
          },
        },
      },
      { row: 2, wrong: { message: "This is not a GeoJSON Feature." } },
    ]);
    expect(ignored).toEqual(["colour"]);
  });

  it("stands in a collection or alone, in degrees", () => {
    const one = { type: "Feature" };
    expect(featuresOf({ type: "FeatureCollection", features: [one, one] })).toHaveLength(2);
    expect(featuresOf(one)).toEqual([one]);
    for (const other of [null, [], "x", { type: "Topology" }, { type: "FeatureCollection" }]) {
      expect(featuresOf(other)).toBeUndefined();
    }
    const crs = (name: string) => ({ crs: { type: "name", properties: { name } } });
    expect(foreignSystem(crs("urn:ogc:def:crs:OGC:1.3:CRS84"))).toBeUndefined();
    expect(foreignSystem(crs("urn:ogc:def:crs:EPSG::4326"))).toBeUndefined();
    expect(foreignSystem({})).toBeUndefined();
    expect(foreignSystem(crs("urn:ogc:def:crs:EPSG::3857"))).toBe("urn:ogc:def:crs:EPSG::3857");
  });
});

it("a geofence that is written to a file is read as the same fields", () => {
  const row: Omit<GeofenceRow, "cover"> = {
    ...{
      scope: 1,
      id: "0123",
      tag: "shop",
      externalId: "=7",
      description: '\'=x, "y"',
      type: "isochrone",
      mode: "foot",
    },
    latitude: 0.5,
    longitude: 0.7,
    radius: 12,
    ring: JSON.stringify(RING),
    metadata: '{"a":1}',
    enabled: false,
    ...{
      dwellThreshold: 5,
      stopDetection: true,
      tripApproachingThreshold: null,
      operatingHours: '{"Mon":[["09:00","17:00"]]}',
    },
    disableAfter: null,
    deleteAfter: 9e12,
    userIds: '["ann"]',
    segments: '["regulars"]',
    speedLimit: 20,
    ip: null,
    createdAt: 1,
    updatedAt: 2,
    epoch: 3,
  };
  const expected = {
    description: row.description,
    tag: "shop",
    externalId: "=7",
    type: "isochrone",
    mode: "foot",
  };
  const text = csvRow(GEOFENCE_COLUMNS) + geofenceTableRow(row);
  const [head, ...rows] = readCsv(text);
  const fromTable = fieldsOfTable(head.cells, rows, ",").rows[0];
  expect(fromTable).toMatchObject({ id: "0123", fields: { ...expected, coordinates: "[0.7,0.5]", radius: "12" } });
  const fromFeature = fieldsOfFeatures([JSON.parse(JSON.stringify(geofenceFeature(row)))]);
  expect(fromFeature.rows[0]).toMatchObject({
    id: "0123",
    fields: { ...expected, coordinates: [0.7, 0.5], radius: 12 },
  });
  expect(fromFeature.rows[0].fields).toMatchObject({ deleteAfter: "2255-03-14T16:00:00.000Z", stopDetection: true });
  expect(fromFeature.ignored).toEqual([]);
});
