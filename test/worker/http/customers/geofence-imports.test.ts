import { describe, expect, inject, it } from "vitest";
import { call, get, type Json, makeWorld, post, put, sql, type World } from "../../../support/world.ts";

/** Files of geofences, as spreadsheets and drawing programs make them: what they become, row by row. */
const PATH = "/v1/imports/geofences";
const YARD = [
  [-73.99, 40.7],
  [-73.98, 40.7],
  [-73.98, 40.71],
  [-73.99, 40.71],
  [-73.99, 40.7],
];
const BOW_TIE = [
  [-73.99, 40.7],
  [-73.98, 40.7],
  [-73.99, 40.71],
  [-73.98, 40.71],
  [-73.99, 40.7],
];
const feature = (geometry: Json, properties: Json) => ({ type: "Feature", geometry, properties });
const point = (properties: Json) =>
  feature({ type: "Point", coordinates: [-73.98, 40.7] }, { description: "Door", radius: 100, ...properties });
const area = (coordinates: unknown, properties: Json = {}) =>
  feature({ type: "Polygon", coordinates: [coordinates] }, { description: "Yard", ...properties });
const collection = (...features: Json[]) => ({ type: "FeatureCollection", features });

const open = () => makeWorld({ settings: { rateLimits: { importGeofences: 1000, listGeofences: 1000, track: 1000 } } });
const send = async (world: World, file: Json | string, query = "") => {
  const isText = typeof file === "string";
  return call("POST", `${PATH}${query}`, {
    key: world.keys.testSecret,
    body: isText ? file : JSON.stringify(file),
    headers: { "content-type": isText ? "text/csv" : "application/geo+json" },
  });
};
const importFile = async (world: World, file: Json | string, query = "") => {
  const { status, body } = await send(world, file, query);
  expect([status, body.meta]).toEqual([200, { code: 200 }]);
  const { created, updated, unchanged, failed } = body.import;
  return { ...body, counts: [created, updated, unchanged, failed] };
};
const geofences = async (world: World, key = world.keys.testSecret): Promise<Json[]> =>
  (await get("/v1/geofences?limit=1000", key)).body.geofences;
const epochOf = (world: World) => sql("SELECT epoch FROM fence_epoch WHERE scope = ?", world.id * 2);

describe("POST /v1/imports/geofences", () => {
  it("makes circles of points and polygons of rings, as POST /v1/geofences would", async () => {
    const world = await open();
    const hours = { Mon: [["09:00", "17:00"]] };
    const done = await importFile(
      world,
      collection(
        point({ tag: "shop", externalId: "1", metadata: { floor: 1 }, operatingHours: hours, enabled: false }),
        area(YARD, {
          description: "王家花园",
          userIds: ["ann"],
          segments: ["vip"],
          dwellThreshold: 5,
          speedLimit: 20,
          stopDetection: true,
        }),
      ),
      "?filename=places.geojson",
    );
    expect([done.counts, done.import]).toEqual([
      [2, 0, 0, 0],
      {
        _id: expect.stringMatching(/^[0-9a-f]{24}$/),
        createdAt: expect.stringMatching(/Z$/),
        live: false,
        filename: "places.geojson",
        format: "geojson",
        ignored: [],
        dryRun: false,
        failures: [],
        total: 2,
        created: 2,
        updated: 0,
        unchanged: 0,
        failed: 0,
      },
    ]);
    expect(done.rows).toEqual([
      { row: 1, status: "created", _id: expect.any(String), tag: "shop", externalId: "1", description: "Door" },
      { row: 2, status: "created", _id: expect.any(String), description: "王家花园" },
    ]);
    const [yard, door] = await geofences(world);
    expect(door).toMatchObject({
      _id: done.rows[0]._id,
      type: "circle",
      geometryRadius: 100,
      metadata: { floor: 1 },
      enabled: false,
      operatingHours: hours,
      geometryCenter: { type: "Point", coordinates: [-73.98, 40.7] },
    });
    expect(yard).toMatchObject({
      type: "polygon",
      geometry: { type: "Polygon", coordinates: [YARD] },
      userIds: ["ann"],
      segments: ["vip"],
      enabled: true,
      dwellThreshold: 5,
      speedLimit: 20,
      stopDetection: true,
    });
  });

  it("makes geofences that devices enter", async () => {
    const world = await open();
    await importFile(world, collection(area(YARD)));
    const update = { deviceId: "d", latitude: 40.705, longitude: -73.985, accuracy: 5, foreground: true };
    const { body } = await post("/v1/track", world.keys.testPublishable, update);
    expect(body.events.map(({ type }: Json) => type)).toEqual(["user.entered_geofence"]);
    await importFile(world, collection(area(YARD.map(([x, y]) => [x + 1, y]))), "");
    const { _id } = (await geofences(world)).find(({ geometryCenter }) =>
      JSON.stringify(geometryCenter).includes("-73.98"),
    ) as Json;
    await importFile(
      world,
      collection(
        area(
          YARD.map(([x, y]) => [x + 2, y]),
          { _id },
        ),
      ),
    );
    const left = await post("/v1/track", world.keys.testPublishable, update);
    expect(left.body.events.map(({ type }: Json) => type)).toEqual(["user.exited_geofence"]);
  });

  it("reads tables as German, Arabic and Chinese spreadsheets write them", async () => {
    const world = await open();
    const german =
      "\uFEFFRadius;Description;External ID;Tag;Latitude;Longitude;Farbe\r\n99,5;Tür;1;shop;40,7;-73,98;rot\r\n";
    const done = await importFile(world, german);
    expect([done.counts, done.import.ignored, done.import.format]).toEqual([[1, 0, 0, 0], ["Farbe"], "csv"]);
    expect(done.rows[0]).toMatchObject({ row: 1, line: 2, tag: "shop", externalId: "1", description: "Tür" });
    const others = `coordinates,metadata,description,radius\n"[-73.98,40.7]","{""حي"": ""وسط""}",متجر,50\n"[-73.98,40.7]",,"王, 小明",60\n`;
    expect((await importFile(world, others)).counts).toEqual([2, 0, 0, 0]);
    const tabs = `description\tcoordinates\nYard\t${JSON.stringify(YARD)}\n`;
    expect((await importFile(world, tabs)).counts).toEqual([1, 0, 0, 0]);
    const all = await geofences(world);
    expect(all.map(({ description }) => description).sort()).toEqual(["Tür", "Yard", "متجر", "王, 小明"].sort());
    expect(all.find(({ description }) => description === "Tür")).toMatchObject({ geometryRadius: 99.5 });
    expect(all.find(({ description }) => description === "متجر")).toMatchObject({ metadata: { حي: "وسط" } });
  });

  it("changes nothing when the same file comes again, with names or without", async () => {
    const world = await open();
    const file = collection(point({ tag: "shop", externalId: "1" }), point({ description: "loose" }), area(YARD));
    await importFile(world, file);
    const [before, epoch] = [await geofences(world), await epochOf(world)];
    expect((await importFile(world, file)).counts).toEqual([0, 0, 3, 0]);
    expect([await geofences(world), await epochOf(world)]).toEqual([before, epoch]);
  });

  it("changes nothing when an exported file comes back, whatever the format", async () => {
    const world = await open();
    const { testSecret: key } = world.keys;
    const clockwise = [...YARD].reverse();
    const hours = { Mon: [["09:00", "17:00"]] };
    for (const fence of [
      { description: "=1+1", type: "circle", coordinates: [-73.98, 40.7], radius: 12.5, metadata: { a: "=x", b: 1 } },
      { description: "Yard", type: "polygon", coordinates: clockwise, tag: "yard", externalId: "'=1" },
      { description: 'Late, "x"', type: "circle", coordinates: [179.99, -40], radius: 500, operatingHours: hours },
      { description: "All", type: "circle", coordinates: [0, 0], radius: 10, userIds: ["ann"], ip: ["192.0.2.1"] },
    ]) {
      const more = { dwellThreshold: 5, stopDetection: false, tripApproachingThreshold: 2, mode: "car" };
      const dates = { disableAfter: "2036-01-01T00:00:00.000Z", deleteAfter: "2037-01-01T00:00:00.000Z" };
      expect((await post("/v1/geofences", key, { ...fence, ...more, ...dates })).status).toBe(200);
    }
    const before = await geofences(world);
    for (const format of ["csv", "csv&bom=true", "geojson"]) {
      const answer = await fetch(`${inject("baseUrl")}/v1/exports/geofences?format=${format}`, {
        headers: { authorization: key },
      });
      const text = await answer.text();
      const done = await importFile(world, format === "geojson" ? JSON.parse(text) : text);
      expect([format, done.counts, done.import.ignored]).toEqual([format, [0, 0, 4, 0], []]);
    }
    expect(await geofences(world)).toEqual(before);
    // And in another project the file makes the same geofences.
    const other = await open();
    const answer = await fetch(`${inject("baseUrl")}/v1/exports/geofences`, { headers: { authorization: key } });
    expect((await importFile(other, await answer.text())).counts).toEqual([4, 0, 0, 0]);
    const shape = ({ description, geometry, metadata, operatingHours }: Json) =>
      JSON.stringify([description, geometry, metadata, operatingHours]);
    expect((await geofences(other)).map(shape).sort()).toEqual(before.map(shape).sort());
  });

  it("updates the geofence that a row names by _id, else by its pair", async () => {
    const world = await open();
    const made = await put("/v1/geofences/shop/1", world.keys.testSecret, {
      description: "Old",
      type: "circle",
      coordinates: [0, 0],
      radius: 100,
    });
    const { _id } = made.body.geofence;
    const byPair = await importFile(world, collection(point({ tag: "shop", externalId: "1" })));
    expect([byPair.counts, byPair.rows[0]._id]).toEqual([[0, 1, 0, 0], _id]);
    const renamed = await importFile(world, collection(point({ _id, tag: "shop", externalId: "2" })));
    expect([renamed.counts, renamed.rows[0]._id]).toEqual([[0, 1, 0, 0], _id]);
    await importFile(world, collection(point({ tag: "shop", externalId: "3" })));
    const taken = await importFile(world, collection(point({ _id, tag: "shop", externalId: "3" })));
    expect([taken.counts, taken.rows[0]]).toEqual([
      [0, 0, 0, 1],
      expect.objectContaining({ param: "externalId", message: "Another geofence has this tag and externalId." }),
    ]);
    expect(await geofences(world)).toHaveLength(2);
    const [{ createdAt }] = (await geofences(world)).filter((one) => one._id === _id);
    expect(createdAt).toBe(made.body.geofence.createdAt);
  });

  it("takes the last of two rows for one geofence, and a name that a row before gave away", async () => {
    const world = await open();
    const pair = { tag: "shop", externalId: "1" };
    const done = await importFile(world, collection(point({ ...pair }), point({ ...pair, description: "Last" })));
    expect(done.counts).toEqual([1, 1, 0, 0]);
    const [{ _id, description }] = await geofences(world);
    expect(description).toBe("Last");
    const swapped = await importFile(
      world,
      collection(point({ _id, tag: "shop", externalId: "2" }), point({ ...pair, description: "Next" })),
    );
    expect(swapped.counts).toEqual([1, 1, 0, 0]);
    expect((await geofences(world)).map(({ externalId, description }) => [externalId, description]).sort()).toEqual([
      ["1", "Next"],
      ["2", "Door"],
    ]);
  });

  it("with dryRun tells what it would do, and does nothing", async () => {
    const world = await open();
    const done = await importFile(
      world,
      collection(point({ tag: "a", externalId: "1" }), area(BOW_TIE)),
      "?dryRun=true",
    );
    expect([done.counts, done.import.dryRun]).toEqual([[1, 0, 0, 1], true]);
    expect(await geofences(world)).toEqual([]);
    expect((await get(PATH, world.keys.testSecret)).body.imports).toEqual([]);
    expect(await epochOf(world)).toEqual([]);
    const asField = await post(PATH, world.keys.testSecret, { geojson: collection(point({})), dryRun: true });
    expect(asField.body.import).toMatchObject({ dryRun: true, created: 1 });
  });

  it("refuses a polygon that crosses itself, and says where", async () => {
    const world = await open();
    const done = await importFile(world, collection(area(BOW_TIE), area(YARD)));
    expect(done.counts).toEqual([1, 0, 0, 1]);
    expect(done.rows[0]).toEqual({
      row: 1,
      status: "failed",
      description: "Yard",
      param: "coordinates",
      message:
        "coordinates: Invalid coordinates. The polygon crosses itself at [-73.985000, 40.705000], where its edges 2 and 4 meet.",
    });
  });

  it("reports each bad row with its reason, and lets the good ones through", async () => {
    const world = await open();
    const head = "description,coordinates,radius,tag,externalId,metadata,enabled,operatingHours";
    const rows: [row: string, status: string, param?: string][] = [
      ['Door,"[-73.98,40.7]",100,,,,,', "created"],
      [',"[-73.98,40.7]",100,,,,,', "failed", "description"],
      ["Door,,100,,,,,", "failed", "type"],
      ['Door,"[-73.98]",100,,,,,', "failed", "coordinates"],
      ['Door,"[-73.98,400]",100,,,,,', "failed", "coordinates"],
      ['Door,"[-73.98,40.7",100,,,,,', "failed", "coordinates"],
      ['Door,"[-73.98,40.7]",,,,,,', "failed", "radius"],
      ['Door,"[-73.98,40.7]",5,,,,,', "failed", "radius"],
      ['Door,"[-73.98,40.7]",far,,,,,', "failed", "radius"],
      ['Door,"[-73.98,40.7]",100,,7,,,', "failed", "tag"],
      ['Door,"[-73.98,40.7]",100,,,no json,,', "failed", "metadata"],
      ['Door,"[-73.98,40.7]",100,,,,maybe,', "failed", "enabled"],
      ['Door,"[-73.98,40.7]",100,,,,,"{""Someday"":[]}"', "failed", "operatingHours"],
      ['Door,"[[0,0],[1,0],[1,1],[0,1]]",,,,,,', "failed", "coordinates"],
      ['Door,"[-73.98,40.7]",100,,,,,,,too,many', "failed", undefined],
      ['Door,"[-73.98,40.71]",100,,,,TRUE,', "created"],
    ];
    const done = await importFile(world, [head, ...rows.map(([row]) => row)].join("\n"));
    expect(done.rows.map(({ line, status, param }: Json) => [line, status, param])).toEqual(
      rows.map(([, status, param], i) => [i + 2, status, param]),
    );
    for (const row of done.rows) expect(typeof row.message).toBe(row.status === "failed" ? "string" : "undefined");
    expect(await geofences(world)).toHaveLength(2);
    const kept = (await get(`${PATH}/${done.import._id}`, world.keys.testSecret)).body.import;
    expect(kept.failures).toEqual(done.rows.filter(({ status }: Json) => status === "failed"));
  });

  it.each<[what: string, file: Json | string, param: string | undefined, rule: string]>([
    ["an empty table", " \n", "geojson", "Send a GeoJSON FeatureCollection, or CSV"],
    ["no columns", "a,b\n1,2\n", "csv", "description, coordinates not found"],
    ["no place", "description,latitude\nx,1\n", "csv", "coordinates not found"],
    ["a column twice", "description,coordinates,tag,tag\n", "csv", "Line 1: the column tag is duplicated."],
    ["a quote left open", 'description,coordinates\na,b\nx,"[1,2]\n', "csv", "Line 3: a quote is not closed."],
    ["another encoding", "description,coordinates\nT\uFFFDr,1\n", "csv", "Line 2: the file is not in UTF-8."],
    ["another format", { type: "Topology", objects: {} }, "geojson", "Must be a GeoJSON FeatureCollection or Feature."],
    ["a list that is none", { type: "FeatureCollection", features: 3 }, "geojson", "FeatureCollection or Feature"],
    [
      "metres",
      { ...collection(), crs: { type: "name", properties: { name: "urn:ogc:def:crs:EPSG::3857" } } },
      ...(["geojson", "Its coordinates are in urn:ogc:def:crs:EPSG::3857"] as const),
    ],
    [
      "too many",
      { type: "FeatureCollection", features: Array(10_001).fill(0) },
      "geojson",
      "At most 10000 features; the file has 10001.",
    ],
    ["too many rows", `description,coordinates\n${"a,b\n".repeat(10_001)}`, "csv", "At most 10000 rows."],
  ])("refuses a file with %s", async (_, file, param, rule) => {
    const { status, body } = await send(await open(), file);
    expect([status, body.meta]).toEqual([400, { code: 400, param, message: expect.stringContaining(rule) }]);
  });

  it("refuses a file above 10 MB and one that is no JSON, and a hundred and first isochrone", async () => {
    const world = await open();
    expect((await send(world, `description,coordinates\n${"x".repeat(10 * 1024 * 1024)}`)).status).toBe(413);
    const broken = await call("POST", PATH, { key: world.keys.testSecret, body: '{"type": "FeatureColl' });
    expect([broken.status, broken.body.meta.message]).toEqual([400, "The request body is not valid JSON."]);
    const many = Array.from({ length: 101 }, () => point({ type: "isochrone", radius: 5 }));
    const { status, body } = await send(world, collection(...many));
    expect([status, body.meta.message]).toEqual([400, expect.stringContaining("At most 100 isochrones in a file.")]);
  });

  it("keeps a history, newest first, of its own scope", async () => {
    const world = await open();
    const { testSecret, liveSecret, testPublishable } = world.keys;
    await importFile(world, collection(point({})), "?filename=one");
    await new Promise((resolve) => setTimeout(resolve, 5));
    await importFile(world, 'description,coordinates,radius\nx,"[0,0]",50\n', "?filename=two");
    const { body } = await get(PATH, testSecret);
    expect(body.imports.map(({ filename, format }: Json) => [filename, format])).toEqual([
      ["two", "csv"],
      ["one", "geojson"],
    ]);
    const { imports, meta } = (await get(`${PATH}?limit=1`, testSecret)).body;
    expect([imports.length, meta.hasMore]).toEqual([1, true]);
    expect((await get(PATH, liveSecret)).body.imports).toEqual([]);
    expect((await get(`${PATH}/${imports[0]._id}`, testSecret)).status).toBe(200);
    expect((await get(`${PATH}/${imports[0]._id}`, liveSecret)).status).toBe(404);
    expect((await get(PATH, testPublishable)).status).toBe(403);
    expect(await geofences(world, liveSecret)).toEqual([]);
    // An _id of another scope names nothing here.
    const [{ _id }] = await geofences(world);
    const foreign = await call("POST", PATH, {
      key: liveSecret,
      json: collection(point({ _id, description: "mine" })),
    });
    expect([foreign.body.import.created, foreign.body.rows[0]._id === _id]).toEqual([1, false]);
    expect((await geofences(world)).map(({ description }) => description)).not.toContain("mine");
  });

  it("writes thousands of geofences, each with a time of its own, so that lists can be paged", async () => {
    const world = await open();
    const many = Array.from({ length: 1200 }, (_, i) =>
      feature(
        { type: "Point", coordinates: [i / 100, 40] },
        { description: `n${i}`, radius: 50, tag: "n", externalId: `${i}` },
      ),
    );
    expect((await importFile(world, collection(...many))).counts).toEqual([1200, 0, 0, 0]);
    expect((await importFile(world, collection(...many))).counts).toEqual([0, 0, 1200, 0]);
    const [{ times }] = await sql(
      "SELECT count(DISTINCT created_at) AS times FROM geofence WHERE scope = ?",
      world.id * 2,
    );
    expect(times).toBe(1200);
    expect((await geofences(world))[0].externalId).toBe("1199");
  });
});
