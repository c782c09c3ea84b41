import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseMarkers, parsePath } from "../../src/core/maps/overlay-parameters.ts";
import { colorIn } from "../../src/core/maps/overlay-sections.ts";
import {
  type Draft,
  drawnOf,
  markersText,
  missingIn,
  NEW_DRAFT,
  NEW_MARKER,
  NEW_PATH,
  pathText,
  readDraft,
  requestOf,
  withClick,
  writeDraft,
} from "../../src/dashboard/pages/static-map/draft.ts";

const at = fc
  .tuple(fc.integer({ min: -80, max: 80 }), fc.integer({ min: -180, max: 180 }))
  .map(([latitude, longitude]) => ({ latitude, longitude }));
const places = fc.array(at, { minLength: 1, maxLength: 4 });
const lines = (points: { latitude: number; longitude: number }[]) =>
  points.map(({ latitude, longitude }) => `${latitude}, ${longitude} `).join("\n\n");
const color = fc.constantFrom("red", "0x2a9d8f80", "#abc");

describe("a static map that is put together", () => {
  it("says markers and paths as the API reads them", () => {
    const marker = fc.record({
      places,
      color: fc.option(color),
      size: fc.constantFrom("", "small", "large"),
      ...{
        label: fc.constantFrom("", "A", "99"),
        anchor: fc.constantFrom("", "top"),
        text: fc.constantFrom("", "Café: 2"),
      },
    });
    fc.assert(
      fc.property(marker, ({ places, color, size, label, anchor, text }) => {
        const draft = { ...NEW_MARKER, locations: lines(places), color: color ?? "", size, label, anchor, text };
        const read = parseMarkers(markersText(draft)!);
        expect(read.locations).toEqual(places);
        expect([read.size, read.label ?? "", read.anchor ?? "", read.text ?? ""]).toEqual([
          ...[size || "normal", label, anchor, text],
        ]);
        if (color) expect(read.color).toEqual(colorIn(color));
      }),
    );
    const path = fc.record({
      places,
      fill: fc.option(color),
      width: fc.constantFrom("", "0", "7.5"),
      geodesic: fc.boolean(),
      holes: fc.array(places, { maxLength: 2 }),
    });
    fc.assert(
      fc.property(path, ({ places, fill, width, geodesic, holes }) => {
        const shape = { ...NEW_PATH, locations: lines(places), fill: fill ?? "", width, geodesic };
        const read = parsePath(pathText({ ...shape, holes: ["", ...holes.map(lines)] })!);
        expect(read.points).toEqual(places);
        expect(read.width).toBe(width === "" ? 3 : Number(width));
        expect(read.geodesic ?? false).toBe(geodesic);
        // Holes of what is no area are kept in the form, and not sent.
        expect(read.holes).toEqual(fill ? holes : undefined);
      }),
    );
  });

  it("is the same map when its address is opened again, and a new one where the address is nonsense", () => {
    const draft: Draft = {
      ...NEW_DRAFT,
      view: "fit",
      padding: "8,16",
      style: "black",
      attribution: "false",
      markers: [{ ...NEW_MARKER, locations: "Meridale", label: "ž" }, NEW_MARKER],
      paths: [{ ...NEW_PATH, locations: "1,2\n3,4", fill: "gold", holes: ["1,2"] }],
      geojson: '{"type":"Point"}',
    };
    expect(readDraft(writeDraft(draft))).toEqual(draft);
    expect(writeDraft(NEW_DRAFT)).toBe("");
    for (const text of ["{", "null", "[]", '{"markers":3,"zoom":7,"paths":null}'])
      expect(readDraft(text)).toEqual(NEW_DRAFT);
    expect(readDraft('{"paths":[{"holes":[1,"2,3"]},7]}').paths).toEqual([{ ...NEW_PATH, holes: ["2,3"] }, NEW_PATH]);
  });

  it("is asked for with what was chosen, and posted where no address holds it", () => {
    const draft: Draft = {
      ...NEW_DRAFT,
      view: "fit",
      padding: "20",
      zoom: "3",
      language: "ja",
      beforeLayer: "buildings",
      transit: true,
      streetsNote: true,
      markers: ["1,2", "3,4"].map((locations) => ({ ...NEW_MARKER, locations })),
    };
    expect(requestOf(draft)).toEqual({
      method: "GET",
      path: "/maps/static?width=600&height=400&padding=20&language=ja&before_layer=buildings&transit=true&streets_note=true&markers=1,2&markers=3,4",
      level: "publishable",
    });
    const long = { ...draft, attribution: "false", geojson: JSON.stringify({ note: "x".repeat(20_000) }) };
    expect(requestOf(long)).toMatchObject({
      method: "POST",
      path: "/maps/static",
      level: "secret",
      body: {
        width: 600,
        padding: "20",
        attribution: "false",
        transit: true,
        streets_note: true,
        markers: ["1,2", "3,4"],
        geojson: long.geojson,
      },
    });
    expect(requestOf(long).body).not.toHaveProperty("zoom");
  });

  it("says what is missing before anything is asked", () => {
    expect(missingIn(NEW_DRAFT)).toContain("center");
    expect(missingIn({ ...NEW_DRAFT, view: "fit", markers: [NEW_MARKER] })).toContain("Add a marker");
    expect(missingIn({ ...NEW_DRAFT, view: "bbox" })).toContain("box");
    expect(missingIn({ ...NEW_DRAFT, center: "1,2" })).toBeUndefined();
  });

  it("takes clicks on the map: a centre, two corners across the 180th meridian, points of a path and of its hole", () => {
    const click = (latitude: number, longitude: number) => ({ latitude, longitude });
    expect(withClick(NEW_DRAFT, { of: "center" }, click(1, 2)).center).toBe("1.000000,2.000000");
    const corner = withClick(NEW_DRAFT, { of: "bbox" }, click(10, 179));
    expect(withClick(corner, { of: "bbox" }, click(-5, -178)).bbox).toBe("-5.000000,179.000000,10.000000,-178.000000");
    const draft: Draft = { ...NEW_DRAFT, paths: [NEW_PATH, { ...NEW_PATH, fill: "red", holes: ["0,0", ""] }] };
    let area = draft;
    for (const [latitude, longitude] of [
      [0, 0],
      [9, 0],
      [9, 9],
    ])
      area = withClick(area, { of: "path", index: 1 }, click(latitude, longitude));
    area = withClick(area, { of: "path", index: 1, hole: 1 }, click(5, 4));
    expect(area.paths[0]).toEqual(NEW_PATH);
    expect(area.paths[1].holes).toEqual(["0,0", "5.000000,4.000000"]);
    expect(drawnOf(area).areas).toEqual([
      {
        rings: [
          [
            [0, 0],
            [0, 9],
            [9, 9],
            [0, 0],
          ],
        ],
      },
    ]);
  });
});
