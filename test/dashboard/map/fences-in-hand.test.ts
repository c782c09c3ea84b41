import { describe, expect, it } from "vitest";
import {
  bodyOf,
  boxOf,
  draftOf,
  type FenceDraft,
  lackOf,
  NEW_FENCE,
} from "../../../src/dashboard/map/fences/fence-draft.ts";
import { readFenceFile } from "../../../src/dashboard/map/fences/fence-file.ts";
import { ringFault } from "../../../src/dashboard/map/fences/ring-check.ts";
import { ShapeSteps } from "../../../src/dashboard/map/fences/shape-steps.ts";
import { type Bounds, isAnyShown, isShown } from "../../../src/dashboard/map/position.ts";

const NOW = Date.parse("2026-11-22T09:00:00Z");
const SQUARE = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1],
  [0, 0],
];
const BOW_TIE = [
  [0, 0],
  [1, 1],
  [1, 0],
  [0, 1],
  [0, 0],
];

describe("a drawn ring", () => {
  it("that is a square has no fault", () => {
    expect(ringFault(SQUARE)).toBeUndefined();
  });

  it("that is a bow tie is told which of its edges cross, and where they begin", () => {
    expect(ringFault(BOW_TIE)).toBe("The ring crosses itself: its edge 1 (from 0, 0) crosses its edge 3 (from 0, 1).");
  });

  it("that only touches itself, with a corner or along an edge, is taken, as the server takes it", () => {
    const folded = [[0, 0], [2, 0], [1, 0], [1, 1], [0, 0]]; // biome-ignore format: a drawing
    const touching = [[0, 0], [2, 0], [2, 2], [1, 0], [0, 2], [0, 0]]; // biome-ignore format: a drawing
    expect(ringFault(folded)).toBeUndefined();
    expect(ringFault(touching)).toBeUndefined();
  });

  it.each([
    [
      [
        [0, 0],
        [1, 0],
        [0, 0],
      ],
      /at least three corners/,
    ],
    [
      [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 1],
      ],
      /not closed/,
    ],
    [
      [
        [0, 0],
        [1, 0],
        [0, 0],
        [1, 0],
        [0, 0],
      ],
      /three different corners/,
    ],
    [
      [
        [0, 0],
        [1, 0],
        [50, 100],
        [0, 0],
      ],
      /Are latitude and longitude swapped/,
    ],
    [
      [
        [0, 0],
        ["1", 0],
        [1, 1],
        [0, 0],
      ],
      /Position 2: Expected two numbers/,
    ],
    [Array.from({ length: 2002 }, (_, i) => [i / 1e4, i % 2]), /2,002 positions. The limit is 2000/],
  ])("with a mistake is told in words what it is: %#", (ring, words) => {
    expect(ringFault(ring)).toMatch(words);
  });

  it("of 2,000 corners around a centre does not cross itself, and is looked through at once", () => {
    const ring = Array.from({ length: 2000 }, (_, i) => {
      const angle = (i / 1999) * 2 * Math.PI;
      return [Math.cos(angle) * (2 + (i % 2)), Math.sin(angle) * (2 + (i % 2))];
    });
    ring[1999] = ring[0];
    expect(ringFault(ring)).toBeUndefined();
  });
});

const circle: FenceDraft = { ...NEW_FENCE, description: "Depot", center: [-111.2, 48.99], radius: "250" };

describe("the form of a geofence", () => {
  it("sends a circle with what was filled in, and leaves out what was not", () => {
    expect(bodyOf(circle, NOW)).toEqual({
      body: { description: "Depot", type: "circle", coordinates: [-111.2, 48.99], radius: 250, enabled: true },
    });
  });

  it("comes back from the API as it was typed", () => {
    const draft: FenceDraft = {
      ...circle,
      tag: "depot",
      externalId: "7",
      metadata: [
        { key: "floor", value: "3", kind: "number" },
        { key: "open", value: "yes", kind: "yes/no" },
        { key: "zip", value: "01234", kind: "text" },
      ],
      stopDetection: "false",
      dwellThreshold: "5",
      hours: { Mon: [["09:00", "17:30"]] },
      userIds: "anna\nboris",
    };
    const sent = bodyOf(draft, NOW);
    if (!("body" in sent)) throw new Error(JSON.stringify(sent));
    const { coordinates, radius, ...rest } = sent.body as Record<string, never>;
    expect(sent.body.metadata).toEqual({ floor: 3, open: true, zip: "01234" });
    const written = { _id: "1", ...rest, geometryCenter: { coordinates }, geometryRadius: radius };
    expect(draftOf(written as never)).toEqual(draft);
  });

  it("names each field that is wrong, by the API's name for it", () => {
    const wrong: FenceDraft = {
      ...NEW_FENCE,
      radius: "5",
      externalId: "7",
      dwellThreshold: "soon",
      metadata: [{ key: "floor", value: "third", kind: "number" }],
      hours: { Tue: [["09:00", ""]] },
      deleteAfter: "2020-01-01T00:00",
    };
    const { faults } = bodyOf(wrong, NOW) as { faults: Record<string, string> };
    expect(Object.keys(faults).sort()).toEqual([
      "coordinates",
      "deleteAfter",
      "description",
      "dwellThreshold",
      "metadata",
      "operatingHours",
      "radius",
      "tag",
    ]);
    expect(faults.radius).toBe("Expected 10 to 10,000 meters.");
    expect(faults.metadata).toBe('"floor": "third" is not a number.');
  });

  it("does not send a polygon that crosses itself", () => {
    const draft: FenceDraft = { ...NEW_FENCE, description: "Yard", type: "polygon", ring: BOW_TIE };
    expect(bodyOf(draft, NOW)).toMatchObject({ faults: { coordinates: expect.stringContaining("crosses itself") } });
    expect(bodyOf({ ...draft, ring: SQUARE }, NOW)).toMatchObject({ body: { type: "polygon", coordinates: SQUARE } });
  });
});

describe("a file of geofences, looked at before it is sent", () => {
  const feature = (geometry: unknown, properties: unknown = { description: "Yard" }) => ({
    type: "Feature",
    geometry,
    properties,
  });
  const file = (...features: unknown[]) => JSON.stringify({ type: "FeatureCollection", features });

  it("of GeoJSON tells row by row what cannot be right, and draws a crossing ring all the same", () => {
    const text = file(
      feature({ type: "Polygon", coordinates: [SQUARE] }),
      feature({ type: "Polygon", coordinates: [BOW_TIE] }, { description: "Tie" }),
      feature({ type: "MultiPolygon", coordinates: [] }, null),
      feature({ type: "Point", coordinates: [7, 50] }, { description: "Circle", radius: 100 }),
    );
    const { format, rows } = readFenceFile("areas.geojson", text);
    expect(format).toBe("geojson");
    expect(rows.map(({ fault }) => fault?.slice(0, 30))).toEqual([
      undefined,
      "The ring crosses itself: its e",
      "Expected a Polygon, or a Point",
      undefined,
    ]);
    expect(rows[1]).toMatchObject({ row: 2, name: "Tie", geometry: { type: "Polygon" } });
    expect(rows[2].name).toBe("Feature 3");
  });

  it("of CSV reads coordinates in cells, circles and polygons alike", () => {
    const csv = [
      "description,type,coordinates,radius",
      'Depot,circle,"[-111.2,48.99]",200',
      `Yard,polygon,"${JSON.stringify(SQUARE)}",`,
      `Tie,polygon,"${JSON.stringify([BOW_TIE])}",`,
      "Nowhere,circle,here,200",
      "Short,circle",
    ].join("\r\n");
    const { format, rows } = readFenceFile("fences.csv", csv);
    expect(format).toBe("csv");
    expect(rows.map(({ name, fault }) => [name, fault?.slice(0, 24)])).toEqual([
      ["Depot", undefined],
      ["Yard", undefined],
      ["Tie", "The ring crosses itself:"],
      ["Nowhere", "coordinates: expected JS"],
      ["Short", "coordinates: expected JS"],
    ]);
    expect(rows[0].geometry).toEqual({ type: "Point", coordinates: [-111.2, 48.99] });
  });

  it("of a spreadsheet with semicolons, other names, places in two columns and decimal commas is read as the server reads it", () => {
    const csv = ["Name;External ID;Lat;Lng;Radius", "Köln;7;50,94;6,96;100", "مستودع;8;95,1;6,96;100"].join("\r\n");
    const { rows } = readFenceFile("fences.csv", csv);
    expect(rows[0]).toEqual({ row: 1, name: "Köln", geometry: { type: "Point", coordinates: [6.96, 50.94] } });
    expect([rows[1].name, rows[1].fault?.slice(0, 20)]).toEqual(["مستودع", "The latitude is 95.1"]);
  });

  it.each([
    ["a.geojson", "", "The file is empty."],
    ["a.geojson", '{"type":', /This is not valid JSON/],
    ["a.geojson", '{"type":"Polygon"}', /Expected a GeoJSON FeatureCollection, but this is a Polygon/],
    ["a.geojson", '{"type":"FeatureCollection","features":[]}', /has no features/],
    ["a.csv", "name,where\nDepot,here", /including "coordinates", or "latitude" and "longitude". It is "name, where"/],
    ["a.csv", "what,coordinates\nDepot,here", /including "description". It is "what, coordinates"/],
    ["a.csv", "description,coordinates\n", /no rows after/],
  ])("%s that cannot be used says why: %#", (name, text, words) => {
    expect(() => readFenceFile(name, text)).toThrow(words);
  });
});

describe("undo of a shape", () => {
  it("is offered only while a change can be taken back", () => {
    const steps = new ShapeSteps<{ radius: string }>();
    expect([steps.canUndo, steps.undo()]).toEqual([false, undefined]);
    steps.note({ radius: "100" }, { radius: "100" }, 0);
    expect(steps.canUndo).toBe(false);
    steps.note({ radius: "100" }, { radius: "200" }, 1000);
    steps.note({ radius: "200" }, { radius: "300" }, 2000);
    expect([steps.undo(), steps.canUndo]).toEqual([{ radius: "200" }, true]);
    expect([steps.undo(), steps.canUndo]).toEqual([{ radius: "100" }, false]);
    expect(steps.undo()).toBeUndefined();
  });

  it("takes the moves of one drag as one, and a change right after an undo as another", () => {
    const steps = new ShapeSteps<number>();
    for (let move = 0; move < 20; move++) steps.note(move, move + 1, move * 50);
    expect(steps.undo()).toBe(0);
    steps.note(0, 7, 1000);
    expect(steps.undo()).toBe(0);
  });
});

describe("the box that a typed shape needs", () => {
  it("is around its circle, its corners, or its start", () => {
    const box = (draft: Partial<FenceDraft>) =>
      boxOf({ ...NEW_FENCE, ...draft })?.map((value) => Number(value.toFixed(3)));
    expect(box({ center: [13.405, 52.52], radius: "10000" })).toEqual([13.257, 52.43, 13.553, 52.61]);
    expect(box({ center: [13.405, 52.52], radius: "" })).toEqual([13.405, 52.52, 13.405, 52.52]);
    expect(box({ type: "polygon", ring: SQUARE, center: [13, 52] })).toEqual([0, 0, 1, 1]);
    expect(box({ type: "isochrone", center: [13, 52], radius: "60" })).toEqual([13, 52, 13, 52]);
    expect([box({}), box({ type: "polygon" })]).toEqual([undefined, undefined]);
  });
});

describe("a typed position", () => {
  const HERE: Bounds = [8, 49, 9, 50];
  it.each<[what: string, isThere: boolean, box: Bounds, view: Bounds]>([
    ["in view", true, [8.2, 49.2, 8.8, 49.8], HERE],
    ["in view, a point", true, [8.5, 49.5, 8.5, 49.5], HERE],
    ["elsewhere", false, [13.4, 52.5, 13.5, 52.6], HERE],
    ["across the edge", false, [8.8, 49.2, 9.2, 49.4], HERE],
    ["south of the edge", false, [8.2, 48.9, 8.4, 49.4], HERE],
    ["too small to be seen", false, [8.5, 49.5, 8.501, 49.501], HERE],
    ["in another copy of the world", true, [8.2, 49.2, 8.8, 49.8], [368, 49, 369, 50]],
    ["across the 180th meridian", true, [179, -18, 181, -16], [-182, -20, -178, -15]],
  ])("is left where it is only %s", (_, isThere, box, view) => {
    expect(isShown(box, view)).toBe(isThere);
  });

  it("is one of several that a view must show", () => {
    expect(
      isAnyShown(
        [
          [0, 0],
          [8.5, 49.5],
        ],
        HERE,
      ),
    ).toBe(true);
    expect(
      isAnyShown(
        [
          [0, 0],
          [8.5, 50.5],
        ],
        HERE,
      ),
    ).toBe(false);
    expect(isAnyShown([], HERE)).toBe(false);
  });
});

it("a travel-time area without a preview says why", () => {
  expect(lackOf(undefined, [])).toMatch(/no imported road/);
  expect(lackOf("Roads are being loaded.", undefined)).toBe("No preview: Roads are being loaded.");
  expect([lackOf(undefined, undefined), lackOf(undefined, [{}])]).toEqual([undefined, undefined]);
});
