import { describe, expect, it } from "vitest";
import type { LiveBuild, Manifest } from "../../../src/core/geo/builds/manifest.ts";
import { wireBuild } from "../../../src/worker/wire/geodata.ts";
import {
  fieldsOfRow,
  guessColumns,
  ROW_FIELDS,
  resultColumns,
  resultRow,
} from "../../../src/worker/wire/tables/geocode-row.ts";
import { pointOf, timed } from "../../../src/worker/wire/traces/file-point.ts";
import { againstTheClock } from "../../../src/worker/wire/traces/geojson.ts";
import { GPX_BREAK, gpxHead, gpxPlace, gpxPoint, gpxTrack } from "../../../src/worker/wire/traces/gpx.ts";
import { readGeoJson } from "../../../src/worker/wire/traces/read-geojson-trace.ts";

describe("columns of a file of addresses", () => {
  it.each<[kind: "forward" | "reverse" | "validate", names: string[], mapping: object]>([
    ["forward", ["query"], { query: [0] }],
    [
      "forward",
      ["Number", "STREET", "city", "Postal Code", "state", "country_code", "near"],
      {
        number: [0],
        street: [1],
        city: [2],
        postalCode: [3],
        state: [4],
        countryCode: [5],
        near: [6],
      },
    ],
    ["forward", ["Adresse"], { query: [0] }],
    ["forward", ["Adresse", "PLZ", "Ort"], { query: [0, 2, 1] }],
    [
      "forward",
      ["Hausnummer", "Straße", "PLZ", "Stadt", "Bundesland", "Land"],
      {
        number: [0],
        street: [1],
        postalCode: [2],
        city: [3],
        state: [4],
        countryCode: [5],
      },
    ],
    ["forward", ["address", "street", "zip"], { street: [1], postalCode: [2] }],
    ["forward", ["address", "housenumber", "town", "zip", "province"], { query: [0, 1, 2, 3, 4] }],
    ["forward", ["notes"], {}],
    ["reverse", ["coordinates"], { coordinates: [0] }],
    ["reverse", ["lat", "lng"], { latitude: [0], longitude: [1] }],
    ["reverse", ["y", "x"], { latitude: [0], longitude: [1] }],
    ["reverse", ["latlon"], { coordinates: [0] }],
    [
      "validate",
      ["Address 1", "Address 2", "City", "State", "ZIP", "Country"],
      {
        addressLabel: [0],
        unit: [1],
        city: [2],
        stateCode: [3],
        postalCode: [4],
        countryCode: [5],
      },
    ],
    ["validate", ["addressLabel", "unit", "stateCode"], { addressLabel: [0], unit: [1], stateCode: [2] }],
    ["validate", ["province"], { stateCode: [0] }],
    ["forward", ["city", "town"], { city: [0] }],
  ])("for %s, %j are %j", (kind, names, mapping) => expect(guessColumns(kind, names)).toEqual(mapping));

  const OTHERS = {
    forward: {
      query: "address fulladdress adresse direccion indirizzo endereco adres",
      number: "housenumber hausnummer streetnumber numero nr",
      street: "streetname road strasse straße rue calle via rua straat",
      city: "town locality ort stadt ville ciudad citta cidade plaats",
      postalCode: "zip zipcode postcode postal plz codepostal codigopostal cap cep",
      state: "statecode province region bundesland",
      countryCode: "country land pays pais",
    },
    reverse: { latitude: "lat y", longitude: "lon lng long x", coordinates: "coordinate latlng latlon position" },
    validate: {
      addressLabel: "address address1 addressline1 street1",
      unit: "apartment suite address2 addressline2",
      stateCode: "state province",
    },
  };
  it.each(
    Object.entries(OTHERS).flatMap(([kind, fields]) =>
      Object.entries(fields).map(([field, names]) => [kind as "forward", field, names] as const),
    ),
  )("for %s, %s is called %s as well", (kind, field, names) => {
    for (const name of names.split(" ")) expect([name, guessColumns(kind, [name])]).toEqual([name, { [field]: [0] }]);
  });

  it("each parameter of the endpoint is found by its own name", () => {
    for (const kind of ["forward", "reverse", "validate"] as const)
      for (const field of ROW_FIELDS[kind]) expect(guessColumns(kind, [field])).toEqual({ [field]: [0] });
    expect(ROW_FIELDS).toEqual({
      forward: ["query", "number", "street", "city", "postalCode", "state", "countryCode", "near"],
      reverse: ["coordinates", "latitude", "longitude"],
      validate: ["addressLabel", "number", "street", "unit", "city", "stateCode", "postalCode", "countryCode"],
    });
  });

  it("give their cells, joined with commas, without blanks and empty ones", () => {
    const fields = fieldsOfRow(
      [" 20 Jay St ", "", "NY"],
      { query: [0, 1, 2], city: [1], state: [9] },
      { country: "US" },
    );
    expect(fields).toEqual({ country: "US", query: "20 Jay St, NY" });
  });
});

describe("a row of the result of a job", () => {
  const ADDRESS_COLUMNS = [
    ...["layer", "confidence", "latitude", "longitude", "formattedAddress", "number", "street", "unit", "city"],
    ...["postalCode", "county", "state", "stateCode", "countryCode", "distance", "id"],
  ];
  const VALIDATED_COLUMNS = [
    ...["verificationStatus", "analysis", "corrections", "addressLabel", "number", "street", "unit", "city"],
    ...["stateCode", "postalCode", "plus4", "county", "countryCode", "formattedAddress"],
  ];
  /** Each field with its own name as its value. */
  const named = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, `<${name}>`]));

  it("has the columns of its kind", () => {
    const columns = (own: readonly string[]) => ["status", ...own, "message"].map((name) => `result_${name}`);
    expect(resultColumns("forward")).toEqual(columns(ADDRESS_COLUMNS));
    expect(resultColumns("reverse")).toEqual(columns(ADDRESS_COLUMNS));
    expect(resultColumns("validate")).toEqual(columns(VALIDATED_COLUMNS));
  });

  it("has its own cells, and those of the first address", () => {
    const answer = { status: "ok", addresses: [named(ADDRESS_COLUMNS), {}] } as never;
    expect(resultRow("forward", ["a", "b"], 3, answer)).toBe(
      `a,b,,ok,${ADDRESS_COLUMNS.map((name) => `<${name}>`).join()},\r\n`,
    );
    const blank = ",".repeat(ADDRESS_COLUMNS.length);
    expect(resultRow("forward", ["a"], 1, { status: "ok", addresses: [] })).toBe(`a,none,${blank}\r\n`);
    expect(resultRow("reverse", ["a"], 1, { status: "failed", code: 400, message: "No." })).toBe(
      `a,failed,${blank}No.\r\n`,
    );
  });

  it("has the verdict and the address in standard form", () => {
    const [verdict, analysis, corrections, ...own] = VALIDATED_COLUMNS;
    const answer = {
      status: "ok",
      address: named(own),
      result: { [verdict]: "verified", [analysis]: "unit:missing", [corrections]: ["city", "street"] },
    } as never;
    expect(resultRow("validate", ["a"], 1, answer)).toBe(
      `a,ok,verified,unit:missing,city street,${own.map((name) => `<${name}>`).join()},\r\n`,
    );
    const blank = ",".repeat(VALIDATED_COLUMNS.length);
    expect(resultRow("validate", ["a"], 1, { status: "failed", code: 400, message: "No." })).toBe(
      `a,failed,${blank}No.\r\n`,
    );
  });
});

describe("a live build", () => {
  const layer = (bytes: number) => ({ formatVersion: 1, objects: 1, bytes, counts: {} });
  const manifest = {
    version: 1,
    id: "b1",
    name: "berlin",
    bounds: [13, 52, 14, 53],
    sources: [],
    objectsSha256: "",
    inputs: [
      { name: "new.pbf", bytes: 5, sha256: "", timestamp: "2026-03-01T00:00:00Z" },
      { name: "old.pbf", bytes: 6, sha256: "", timestamp: "2026-02-01" },
      { name: "none.csv", bytes: 7, sha256: "" },
    ],
    layers: { roads: layer(100), places: layer(20) },
  } as unknown as Manifest;
  const live = {
    name: "berlin",
    id: "b1",
    areas: [[13, 52, 14, 53]],
    layers: { roads: 1, places: 2 },
    previous: ["b0", "a9"],
    layerAreas: { roads: [[13, 52, 13.5, 53]] },
    liveSince: "2026-04-01T00:00:00Z",
    sources: [{ name: "OSM", url: "u", licence: "ODbL", date: "not a date" }],
  } as unknown as LiveBuild;
  const at = (day: number) => Date.UTC(2026, 3, day);

  it("is shown with its size, its dates, and the builds before it", () => {
    const shown = wireBuild(live, { manifest, importedAt: at(2) }, [{ manifest, importedAt: at(1) }, undefined]);
    expect(JSON.parse(JSON.stringify(shown))).toEqual({
      id: "b1",
      name: "berlin",
      importedAt: "2026-04-02T00:00:00.000Z",
      bytes: 120,
      areas: [[13, 52, 14, 53]],
      liveSince: "2026-04-01T00:00:00.000Z",
      dataDate: "2026-02-01T00:00:00.000Z",
      layers: ["places", "roads"],
      layerAreas: { roads: [[13, 52, 13.5, 53]] },
      sources: [{ name: "OSM", url: "u", licence: "ODbL" }],
      inputs: [
        { name: "new.pbf", bytes: 5, timestamp: "2026-03-01T00:00:00.000Z" },
        { name: "old.pbf", bytes: 6, timestamp: "2026-02-01T00:00:00.000Z" },
        { name: "none.csv", bytes: 7 },
      ],
      previous: [{ id: "b0", importedAt: "2026-04-01T00:00:00.000Z", bytes: 120 }, { id: "a9" }],
    });
  });

  it("that is not in the bucket is shown as far as it is known", () => {
    const bare = { ...live, layerAreas: undefined, liveSince: undefined, previous: [] };
    expect(JSON.parse(JSON.stringify(wireBuild(bare, undefined, [])))).toEqual({
      id: "b1",
      name: "berlin",
      areas: [[13, 52, 14, 53]],
      layers: ["places", "roads"],
      inputs: [],
      previous: [],
      sources: [{ name: "OSM", url: "u", licence: "ODbL" }],
    });
  });
});

describe("a trace as GeoJSON", () => {
  const A = { latitude: 1, longitude: 2 };
  const B = { latitude: 3, longitude: 4 };
  const LINE = [
    [2, 1],
    [4, 3],
  ];
  const at = Date.UTC(2026, 0, 31);
  const times = ["2026-01-31T00:00:00Z", at + 60_000];
  const timedLine = [
    { ...A, at },
    { ...B, at: at + 60_000 },
  ];
  const feature = (geometry: unknown, properties?: unknown) => ({ type: "Feature", geometry, properties });
  const line = { type: "LineString", coordinates: LINE };

  it.each<[what: string, value: unknown, points: unknown]>([
    ["a line", line, [A, B]],
    ["points of one geometry", { type: "MultiPoint", coordinates: LINE }, [A, B]],
    ["a point", { type: "Point", coordinates: [2, 1, 30] }, [A]],
    ["a feature", feature(line), [A, B]],
    ["a feature with coordTimes", feature(line, { coordTimes: times }), timedLine],
    ["a feature with times", feature(line, { times }), timedLine],
    ["a feature with timestamps", feature(line, { timestamps: times }), timedLine],
    ["a feature with coordinateProperties", feature(line, { coordinateProperties: { times } }), timedLine],
    ["fewer times than corners", feature(line, { times: times.slice(0, 1) }), [timedLine[0], B]],
    ["no list of times", feature(line, { times: "2026" }), [A, B]],
    ["a point with its time", feature({ type: "Point", coordinates: [2, 1] }, { time: times[0] }), [timedLine[0]]],
    ["a point with its timestamp", feature({ type: "Point", coordinates: [2, 1] }, { timestamp: at }), [timedLine[0]]],
    [
      "lines of one geometry, with times for each",
      feature({ type: "MultiLineString", coordinates: [LINE, LINE] }, { times: [times] }),
      [...timedLine, A, B],
    ],
    [
      "a collection",
      { type: "FeatureCollection", features: [feature(line), feature(line, { times })] },
      [A, B, ...timedLine],
    ],
    ["an empty collection", { type: "FeatureCollection", features: [] }, []],
    ["nothing", null, undefined],
    ["an object without coordinates", { type: "LineString" }, undefined],
    ["a feature without geometry", feature(null), undefined],
    ["a polygon", { type: "Polygon", coordinates: [LINE] }, undefined],
    ["a place that there is not", { type: "LineString", coordinates: [[2, 91]] }, undefined],
    ["a corner that is no pair", { type: "LineString", coordinates: [5] }, undefined],
    ["a corner of texts", { type: "LineString", coordinates: [["2", "1"]] }, undefined],
    ["a part that is no line", { type: "MultiLineString", coordinates: [LINE, 5] }, undefined],
    ["a collection with something else in it", { type: "FeatureCollection", features: [feature(line), 5] }, undefined],
    [
      "a collection in a collection",
      { type: "FeatureCollection", features: [{ type: "FeatureCollection", features: [feature(line)] }] },
      undefined,
    ],
  ])("of %s is read", (_, value, points) => expect(readGeoJson(value)).toEqual(points));
});

describe("a point of a file", () => {
  it("has a position on Earth and, where it is known, a time", () => {
    expect([pointOf(90, -180), pointOf(90.1, 0), pointOf("1", 2), pointOf(1, undefined)]).toEqual([
      ...[{ latitude: 90, longitude: -180 }, undefined, undefined, undefined],
    ]);
    expect([timed(1e11 - 1), timed(1e11), timed("1970-01-01T00:00:01Z")]).toEqual([
      ...[{ at: 1e14 - 1000 }, { at: 1e11 }, { at: 1000 }],
    ]);
    for (const other of [undefined, null, "", "soon", {}, Number.NaN]) expect(timed(other)).toEqual({});
    // Date.parse reads comments in brackets.
    const long = (length: number) => `1 Jan 1970 00:00:01 UTC (${"x".repeat(length - 26)})`;
    expect([timed(long(64)), timed(long(65))]).toEqual([{ at: 1000 }, {}]);
  });
});

describe("a file that is written", () => {
  it("has small rings against the clock too", () => {
    const ring: [number, number][] = [
      [0, 0],
      [0.01, 0],
      [0.01, 0.01],
      [0, 0],
    ];
    expect(againstTheClock(ring)).toEqual(ring);
    expect(againstTheClock([...ring].reverse())).toEqual(ring);
  });

  it("as GPX begins with its schema, and breaks a track after a silence of a quarter of an hour", () => {
    expect(gpxHead()).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<gpx version="1\.1" creator="Graticule" /);
    expect(gpxHead().endsWith('http://www.topografix.com/GPX/1/1/gpx.xsd">\n')).toBe(true);
    expect(gpxTrack("a<b")).toBe("<trk><name>a&lt;b</name>\n<trkseg>\n");
    const point = { at: 0, latitude: 1, longitude: 2 };
    const isBroken = (ms: number) => gpxPoint({ ...point, at: ms }, point).startsWith(GPX_BREAK);
    expect([isBroken(900_000), isBroken(900_001)]).toEqual([false, true]);
    expect(GPX_BREAK).toBe("</trkseg>\n<trkseg>\n");
    expect([gpxPlace({ latitude: 1e-7, longitude: -2 }), gpxPlace(point)]).toEqual([
      ...[
        '<trkpt lat="0.0000001" lon="-2"></trkpt>\n',
        '<trkpt lat="1" lon="2"><time>1970-01-01T00:00:00.000Z</time></trkpt>\n',
      ],
    ]);
    expect(gpxPoint(point)).toBe('<trkpt lat="1" lon="2"><time>1970-01-01T00:00:00.000Z</time></trkpt>\n');
  });
});
