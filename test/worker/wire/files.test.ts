import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { eventShape } from "../../../src/worker/wire/event.ts";
import { EVENT_COLUMNS, TRIP_COLUMNS, tableRow, USER_COLUMNS } from "../../../src/worker/wire/tables/columns.ts";
import { readCsv } from "../../../src/worker/wire/tables/csv.ts";
import { csvRow, fromHarmless, harmless } from "../../../src/worker/wire/tables/write-csv.ts";
import { againstTheClock, locatedFeature } from "../../../src/worker/wire/traces/geojson.ts";
import { GPX_TAIL, GPX_TRACK_END, gpxHead, gpxPoint, gpxTrack, xmlText } from "../../../src/worker/wire/traces/gpx.ts";
import { tripShape } from "../../../src/worker/wire/trip.ts";
import { userShape } from "../../../src/worker/wire/user.ts";

describe("a table that is written", () => {
  it("is read back as it was, whatever stands in its cells", () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.string({ unit: "binary" }), { minLength: 2, maxLength: 5 })), (rows) => {
        const text = rows.map(csvRow).join("");
        const back = readCsv(text.replace(/^\uFEFF/, "\uFEFF\uFEFF")).map(({ cells }) => cells.map(fromHarmless));
        expect(back).toEqual(rows);
      }),
    );
  });

  it("ends each row with CR LF and doubles quotes, as RFC 4180 says", () => {
    expect(csvRow(["a", 'say "so"', "x,y", "two\nlines", 1.5, true, undefined, { a: 1 }, [2]])).toBe(
      'a,"say ""so""","x,y","two\nlines",1.5,true,,"{""a"":1}",[2]\r\n',
    );
  });

  it.each([
    "=1+1",
    "+1+1",
    "-1-1",
    "-",
    "-1x",
    "@SUM(A1)",
    "\tx",
    "\rx",
    "\nx",
    "＝1",
    "＋1",
    "－1",
    "＠a",
    "'=1",
    "''@",
    " =1",
    "\u00a0=1",
    "\uFEFF=1",
    "\u3000+1",
    "\u2003 \v@x",
    "   -A1",
    "\uFEFF\uFEFF＝1",
    "' =1",
    "\u2028=1",
  ])("puts an apostrophe before %j, which a spreadsheet would run or strip", (text) => {
    expect(harmless(text)).toBe(`'${text}`);
    expect(fromHarmless(harmless(text))).toBe(text);
  });

  it.each([
    ["x;=1+1", "x;'=1+1"],
    ["x; =1+1", "x;' =1+1"],
    ["x\n\u00a0=1;\uFEFF@", "x\n'\u00a0=1;'\uFEFF@"],
    ["x\t@SUM(A1)", "x\t'@SUM(A1)"],
    ["two\n=lines", "two\n'=lines"],
    ["a;'-1;b", "a;''-1;b"],
    [";;=1", ";;'=1"],
    ["\t=1", "\t'=1"],
    ["\t'=1", "\t''=1"],
    ["\t\r\n =1", "\t\r\n' =1"],
    [" \t=1", " \t'=1"],
    ["\tx\t=1", "'\tx\t'=1"],
  ])("puts one into %j too, which a spreadsheet with other separators would cut and run", (text, written) => {
    expect(harmless(text)).toBe(written);
    expect(fromHarmless(written)).toBe(text);
    expect(csvRow([text])).toContain(`"${written}"`);
  });

  it("writes JSON so that no other separator starts a formula in it, and reads the same back", () => {
    const value = { note: "x;=1+1;@a; b" };
    const row = csvRow([value]);
    expect(row).not.toMatch(/;[=+@-]/);
    expect(JSON.parse(readCsv(row)[0].cells[0])).toEqual(value);
  });

  it.each(["a=b", "", "'quoted'", "محمد", "王小明", " x =1", "\u00a0a"])("leaves %j as it is", (text) => {
    expect(harmless(text)).toBe(text);
    expect(fromHarmless(text)).toBe(text);
  });

  it("leaves numbers below zero as they are: a longitude is no formula", () => {
    expect(csvRow([-73.98, "-73.98"])).toBe("-73.98,-73.98\r\n");
  });

  it.each(["-2", "-2.5e3", "+351912345678", " -8.61", "-.5", "-5.", "-8,61", "-1E-7"])(
    "leaves the number %j of a file as it is, and reads it so",
    (text) => {
      expect([harmless(text), fromHarmless(text), fromHarmless(harmless(`'${text}`))]).toEqual([
        text,
        text,
        `'${text}`,
      ]);
    },
  );

  it("is read back as it was, whatever spaces, apostrophes and beginnings of formulas follow each other", () => {
    const unit = fc.constantFrom("\t", "\r", "\n", " ", "\u00a0", "'", "=", "-", ";", "x", "1");
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 24 }), (text) => fromHarmless(harmless(text)) === text),
      { numRuns: 2000 },
    );
  });

  it.each([
    ["users", USER_COLUMNS, userShape],
    ["events", EVENT_COLUMNS, eventShape],
    ["trips", TRIP_COLUMNS, tripShape],
  ] as const)("names columns of %s that the API really shows", (_, columns, shape) => {
    const made = /^(latitude|longitude|destinationLatitude|destinationLongitude)$/;
    const unknown = columns.filter((column) => !made.test(column) && !has(shape, column.split(".")));
    expect([unknown, columns.length]).toEqual([[], new Set(columns).size]);
  });

  it("takes latitude and longitude from the location, and leaves a cell empty where there is none", () => {
    const columns = ["_id", "latitude", "longitude", "user.deviceId", "region.code"];
    const location = { type: "Point", coordinates: [-73.98, 40.7] };
    expect(tableRow(columns, { _id: "a", location, user: { deviceId: "=x" } })).toBe("a,40.7,-73.98,'=x,\r\n");
    expect(tableRow(columns, { _id: "b" })).toBe("b,,,,\r\n");
  });
});

function has(shape: z.ZodType, path: readonly string[]): boolean {
  let inner: z.ZodType = shape;
  while ("unwrap" in inner) inner = (inner as unknown as { unwrap(): z.ZodType }).unwrap();
  if (path.length === 0) return true;
  const fields = (inner as unknown as { shape?: Record<string, z.ZodType> }).shape;
  return fields !== undefined && path[0] in fields && has(fields[path[0]], path.slice(1));
}

describe("a feature", () => {
  it("has the location as its geometry and not once more among its properties", () => {
    const location = { type: "Point", coordinates: [1, 2] };
    expect(locatedFeature({ _id: "a", location, type: "user.entered_geofence" } as never)).toEqual({
      type: "Feature",
      id: "a",
      geometry: location,
      properties: { _id: "a", type: "user.entered_geofence" },
    });
    expect(locatedFeature({ _id: "b" }).geometry).toBeNull();
  });

  it("has a ring against the clock, also across the 180th meridian", () => {
    const square = (west: number) => [
      [west, 0],
      [west + 2 > 180 ? west - 358 : west + 2, 0],
      [west + 2 > 180 ? west - 358 : west + 2, 2],
      [west, 2],
      [west, 0],
    ];
    for (const west of [10, 179]) {
      expect(againstTheClock(square(west))).toEqual(square(west));
      expect(againstTheClock([...square(west)].reverse())).toEqual(square(west));
    }
  });
});

describe("a way as GPX", () => {
  const at = Date.UTC(2026, 10, 22, 10);

  it("is one track, with a new segment after a silence", () => {
    const first = { at, latitude: 52.5, longitude: -0.0000001, altitude: 34.5 };
    const second = { at: at + 60_000, latitude: 52.6, longitude: 13 };
    const third = { at: at + 3_600_000, latitude: 52.7, longitude: 13 };
    const points = gpxPoint(first) + gpxPoint(second, first) + gpxPoint(third, second);
    const text = gpxHead() + gpxTrack("Ann") + points + GPX_TRACK_END + GPX_TAIL;
    expect(text).toContain(
      '<trkpt lat="52.5" lon="-0.0000001"><ele>34.5</ele><time>2026-11-22T10:00:00.000Z</time></trkpt>\n<trkpt lat="52.6"',
    );
    expect(text.match(/<trkseg>/g)).toHaveLength(2);
    expect(text.match(/<\/trkseg>/g)).toHaveLength(2);
    expect(text.endsWith("</trkseg>\n</trk>\n</gpx>\n")).toBe(true);
  });

  it("holds any name as XML can hold it", () => {
    expect(xmlText('<a href="x">&\u0000\u000b محمد 王 \ud800 😀')).toBe(
      "&lt;a href=&quot;x&quot;&gt;&amp; محمد 王  😀",
    );
  });
});
