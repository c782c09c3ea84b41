import { describe, expect, inject, it } from "vitest";
import { readCsv } from "../../../../src/worker/wire/tables/csv.ts";
import { eventually, get, type Json, makeWorld, post, put, sql, type World } from "../../../support/world.ts";

/** Tables as people take them away: complete, in their own scope only, and harmless in a spreadsheet. */
const AT = { latitude: 40.7, longitude: -73.98 };
const CIRCLE = { description: "Door", type: "circle", coordinates: [-73.98, 40.7], radius: 100 };
/** With the clock, as some maps draw. */
const RING = [
  [-73.99, 40.7],
  [-73.99, 40.71],
  [-73.98, 40.71],
  [-73.98, 40.7],
  [-73.99, 40.7],
];

const exported = async (world: World, path: string, key = world.keys.testSecret) => {
  const answer = await fetch(`${inject("baseUrl")}/v1/exports/${path}`, { headers: { authorization: key } });
  expect(answer.status).toBe(200);
  return { headers: answer.headers, text: await answer.text() };
};
const lines = (text: string): Json[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
const table = (text: string): Record<string, string>[] => {
  const [head, ...rows] = readCsv(text);
  return rows.map(({ cells }) => Object.fromEntries(head.cells.map((name, i) => [name, cells[i]])));
};

/** When the first of these events was. Not long ago: another test may begin the hourly round, which deletes what is old. */
const BEGAN = Date.now() - 3_600_000;

/** Puts `count` events into a scope, some of them in one millisecond. */
async function withEvents(scope: number, count: number): Promise<void> {
  await sql(
    `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?1 - 1)
     INSERT INTO event SELECT ?2, printf('%024x', i), 'user.entered_geofence', 'u', ?3 + i / 7,
       json_object('_id', printf('%024x', i), 'type', 'user.entered_geofence', 'createdAt', ?3 + i / 7, 'actualCreatedAt', ?3,
         'live', json('false'), 'user', json_object('_id', 'u', 'deviceId', 'd'), 'location', json_object('latitude', 40.7, 'longitude', -73.98),
         'locationAccuracy', 5, 'confidence', 3) FROM n`,
    ...[count, scope, BEGAN],
  );
}

describe("an export", () => {
  it("of events holds every one once and in order, however many pages it takes", async () => {
    const world = await makeWorld();
    await withEvents(world.id * 2, 1234);
    const { headers, text } = await exported(world, "events?format=ndjson");
    const ids = lines(text).map(({ _id }) => Number.parseInt(String(_id), 16));
    expect(ids).toEqual(Array.from({ length: 1234 }, (_, i) => 1233 - i));
    expect(headers.get("x-graticule-rows")).toBe("1234");
    expect(headers.get("content-type")).toBe("application/x-ndjson");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("content-disposition")).toMatch(
      /^attachment; filename="graticule-events-test-\d{4}-\d\d-\d\d\.ndjson"$/,
    );
  });

  it("of events ends where a page ends, and has the filters of the list", async () => {
    const world = await makeWorld();
    await withEvents(world.id * 2, 600);
    expect(lines((await exported(world, "events?format=ndjson")).text)).toHaveLength(600);
    const after = new Date(BEGAN + 50).toISOString();
    const before = new Date(BEGAN + 52).toISOString();
    const { headers, text } = await exported(world, `events?createdAfter=${after}&createdBefore=${before}`);
    expect([headers.get("x-graticule-rows"), table(text).length]).toEqual(["7", 7]);
    expect(table(text)[0]).toMatchObject({
      type: "user.entered_geofence",
      "user.deviceId": "d",
      latitude: "40.7",
      longitude: "-73.98",
      createdAt: new Date(BEGAN + 51).toISOString(),
      confidence: "3",
    });
  });

  it("leaves out a row that cannot be read, and goes on", async () => {
    const world = await makeWorld();
    await withEvents(world.id * 2, 3);
    await sql("UPDATE event SET doc = '{' WHERE scope = ? AND id LIKE '%1'", world.id * 2);
    const { text } = await exported(world, "events?format=geojson");
    expect(JSON.parse(text).features.map(({ id }: Json) => String(id).slice(-1))).toEqual(["2", "0"]);
  });

  it("of nothing is an empty table, no line, or a collection without features", async () => {
    const world = await makeWorld();
    for (const kind of ["users", "events", "geofences", "trips"]) {
      expect(readCsv((await exported(world, kind)).text)).toHaveLength(1);
      expect((await exported(world, `${kind}?format=ndjson`)).text).toBe("");
      const { headers, text } = await exported(world, `${kind}?format=geojson`);
      expect(JSON.parse(text)).toEqual({ type: "FeatureCollection", features: [] });
      expect([headers.get("content-type"), headers.get("x-graticule-rows")]).toEqual(["application/geo+json", "0"]);
    }
  });

  it("of users writes what devices said so that no spreadsheet runs it, in every script", async () => {
    const world = await makeWorld();
    const names = ["=HYPERLINK(1)", "+1+1", "محمد", "王小明, Ltd.", 'say "so"', "two\nlines"];
    for (const [i, description] of names.entries()) {
      await post("/v1/track", world.keys.testPublishable, { deviceId: `d${i}`, ...AT, accuracy: 5, description });
    }
    const { text } = await exported(world, "users");
    const cells = table(text).sort((a, b) => (a.deviceId < b.deviceId ? -1 : 1));
    expect(cells.map(({ description }) => description)).toEqual(["'=HYPERLINK(1)", "'+1+1", ...names.slice(2)]);
    expect(cells[0]).toMatchObject({ latitude: "40.7", longitude: "-73.98", locationAccuracy: "5", geofences: "[]" });
    expect(text.startsWith("_id,")).toBe(true);
    const users = lines((await exported(world, "users?format=ndjson")).text);
    expect(users.map(({ description }) => description).sort()).toEqual([...names].sort());
    const shown = (await get("/v1/users", world.keys.testSecret)).body.users;
    expect(users.sort((a, b) => (String(a._id) < String(b._id) ? -1 : 1))).toEqual(
      shown.sort((a: Json, b: Json) => (String(a._id) < String(b._id) ? -1 : 1)),
    );
    const later = new Date(Date.now() + 60_000).toISOString();
    expect(table((await exported(world, `users?updatedAfter=${later}`)).text)).toEqual([]);
    expect(table((await exported(world, `users?updatedBefore=${later}`)).text)).toHaveLength(6);
  });

  it("of geofences has circles as points with a radius, rings against the clock, and the filters of the list", async () => {
    const world = await makeWorld();
    const { testSecret: key } = world.keys;
    const circle = { ...CIRCLE, metadata: { floor: 1 }, operatingHours: { Mon: [["09:00", "17:00"]] } };
    const made = await put("/v1/geofences/door/1", key, circle);
    await put("/v1/geofences/area/1", key, { description: "Yard", type: "polygon", coordinates: RING, enabled: false });
    const { features } = JSON.parse((await exported(world, "geofences?format=geojson")).text);
    const [area, door] = features;
    expect(door).toEqual({
      type: "Feature",
      id: made.body.geofence._id,
      geometry: { type: "Point", coordinates: [-73.98, 40.7] },
      properties: {
        _id: made.body.geofence._id,
        description: "Door",
        type: "circle",
        radius: 100,
        tag: "door",
        externalId: "1",
        metadata: { floor: 1 },
        operatingHours: { Mon: [["09:00", "17:00"]] },
        enabled: true,
        createdAt: made.body.geofence.createdAt,
        updatedAt: made.body.geofence.updatedAt,
      },
    });
    expect(area.geometry).toEqual({ type: "Polygon", coordinates: [[...RING].reverse()] });
    expect(area.properties).toMatchObject({ description: "Yard", type: "polygon", enabled: false });
    const rows = table((await exported(world, "geofences?tag=area")).text);
    expect(rows.map(({ description, coordinates, radius }) => [description, coordinates, radius])).toEqual([
      ["Yard", JSON.stringify(RING), ""],
    ]);
    for (const [query, count] of [
      ["tag=door&externalId=1", 1],
      ["externalId=1", 2],
      ["metadata[floor]=1", 1],
      ["metadata[floor]=2", 0],
      ["createdAfter=2100-01-01", 0],
      ["updatedBefore=2100-01-01", 2],
      ["updatedAfter=2100-01-01", 0],
      ["createdBefore=1990-01-01", 0],
    ] as const) {
      const { headers, text } = await exported(world, `geofences?format=ndjson&${query}`);
      expect([query, lines(text).length, headers.get("x-graticule-rows")]).toEqual([query, count, String(count)]);
    }
  });

  it("of trips has the way each went, and the filters of the list", async () => {
    const world = await makeWorld({ settings: { rateLimits: { track: 1000, exportTrips: 1000 } } });
    const { testSecret: key, testPublishable } = world.keys;
    for (const externalId of ["one", "two"]) {
      await post("/v1/trips", key, { externalId, userId: externalId, mode: "foot", metadata: { box: 3 } });
    }
    for (const latitude of [40.7, 40.71, 40.72]) {
      const update = { deviceId: "d", userId: "one", ...AT, latitude, accuracy: 5, foreground: true };
      expect((await post("/v1/track", testPublishable, update)).status).toBe(200);
    }
    const { features } = await eventually(
      async () => JSON.parse((await exported(world, "trips?format=geojson")).text),
      (file) => JSON.stringify(file).includes("40.72"),
    );
    const of = (name: string) => features.find(({ properties }: Json) => (properties as Json).externalId === name);
    expect(of("one").geometry).toEqual({
      type: "LineString",
      coordinates: [
        [-73.98, 40.7],
        [-73.98, 40.71],
        [-73.98, 40.72],
      ],
    });
    expect([of("two").geometry, of("two").properties.status]).toEqual([null, "pending"]);
    for (const [query, names] of [
      ["status=pending", ["two"]],
      ["status=started,pending", ["one", "two"]],
      ["externalId=one", ["one"]],
      ["userId=two", ["two"]],
      ["delayed=true", []],
      ["destinationGeofenceTag=x", []],
      ["destinationGeofenceExternalId=x", []],
      ["createdAfter=2100-01-01", []],
      ["createdBefore=2100-01-01", ["one", "two"]],
    ] as const) {
      const rows = table((await exported(world, `trips?${query}`)).text);
      expect([query, rows.map(({ externalId }) => externalId).sort()]).toEqual([query, names]);
    }
    expect(table((await exported(world, "trips?externalId=one")).text)[0]).toMatchObject({
      status: "started",
      mode: "foot",
      userId: "one",
      "user.deviceId": "d",
      metadata: '{"box":3}',
    });
  });

  it("begins with a byte order mark only where it is asked for", async () => {
    const world = await makeWorld();
    const first = async (query: string) => {
      const headers = { authorization: world.keys.testSecret };
      const answer = await fetch(`${inject("baseUrl")}/v1/exports/users${query}`, { headers });
      return [...new Uint8Array(await answer.arrayBuffer()).subarray(0, 4)];
    };
    expect(await first("?bom=true")).toEqual([0xef, 0xbb, 0xbf, 0x5f]);
    expect(await first("")).toEqual([..."_id,"].map((sign) => sign.charCodeAt(0)));
  });

  it("shows one scope its own rows only, and a publishable key none", async () => {
    const [world, other] = [await makeWorld(), await makeWorld()];
    await withEvents(world.id * 2, 2);
    for (const key of [world.keys.liveSecret, other.keys.testSecret, other.keys.liveSecret]) {
      for (const kind of ["users", "events", "geofences", "trips"]) {
        expect((await exported(world, `${kind}?format=ndjson`, key)).text).toBe("");
      }
    }
    for (const kind of ["users", "events", "geofences", "trips"]) {
      expect((await get(`/v1/exports/${kind}`, world.keys.testPublishable)).status).toBe(403);
    }
  });

  it.each([
    ["format=pdf", "format", "csv, ndjson, geojson"],
    ["bom=maybe", "bom", "true, false"],
    ["createdAfter=soon", "createdAfter", "ISO 8601"],
    ["createdBefore=2026-02-30", "createdBefore", "ISO 8601"],
  ])("refuses %s by name", async (query, param, rule) => {
    const { keys } = await makeWorld();
    const { status, body } = await get(`/v1/exports/events?${query}`, keys.testSecret);
    expect([status, body.meta]).toEqual([400, { code: 400, param, message: expect.stringContaining(rule) }]);
  });
});

describe("an export that takes several answers", () => {
  /** As a script does with curl: each answer behind the one before. */
  const inParts = async (world: World, path: string, limit: number) => {
    let [file, place, answers] = ["", "", 0];
    const left: number[] = [];
    do {
      const { headers, text } = await exported(world, `${path}&limit=${limit}${place && `&after=${place}`}`);
      file += text;
      place = headers.get("x-graticule-next") ?? "";
      left.push(Number(headers.get("x-graticule-rows")));
      if (++answers > 50) throw new Error("it does not end");
    } while (place !== "");
    return { file, left };
  };

  // Parts come as fast as they are answered.
  const fast = { rateLimits: { exportUsers: 1000, exportEvents: 1000, exportGeofences: 1000, exportTrips: 1000 } };

  it.each(["csv", "csv&bom=true", "ndjson", "geojson"])(
    "of events as %s is the same file, byte by byte",
    async (format) => {
      const world = await makeWorld({ settings: fast });
      await withEvents(world.id * 2, 100);
      const whole = await exported(world, `events?format=${format}`);
      expect(whole.headers.get("x-graticule-next")).toBe(null);
      // Parts of 7 cut through events of the same millisecond; of 50 the last part ends where the file does.
      for (const limit of [7, 50, 100]) {
        const { file, left } = await inParts(world, `events?format=${format}`, limit);
        expect(file).toBe(whole.text);
        expect(left).toEqual(Array.from({ length: Math.ceil(100 / limit) }, (_, i) => 100 - i * limit));
      }
    },
  );

  it("of users, geofences and trips, too, and while rows are added and taken away", async () => {
    const world = await makeWorld({ settings: fast });
    const { testPublishable, testSecret } = world.keys;
    for (let i = 0; i < 5; i++) {
      await post("/v1/track", testPublishable, { deviceId: `d${i}`, ...AT, accuracy: 5 });
      await put(`/v1/geofences/door/${i}`, testSecret, CIRCLE);
      await post("/v1/trips", testSecret, { externalId: `trip-${i}`, userId: "u" });
    }
    for (const kind of ["users", "geofences", "trips"]) {
      const whole = await exported(world, `${kind}?format=geojson`);
      expect(JSON.parse(whole.text).features).toHaveLength(5);
      expect((await inParts(world, `${kind}?format=geojson`, 2)).file).toBe(whole.text);
    }
    const first = await exported(world, "geofences?format=ndjson&limit=2");
    const [, second] = lines(first.text);
    await sql("DELETE FROM geofence WHERE scope = ? AND id = ?", world.id * 2, second._id);
    await put("/v1/geofences/door/new", testSecret, CIRCLE);
    const rest = await exported(world, `geofences?format=ndjson&after=${first.headers.get("x-graticule-next")}`);
    expect(lines(rest.text).map(({ externalId }) => externalId)).toEqual(["2", "1", "0"]);
  });

  it("refuses a place that no answer has named", async () => {
    const world = await makeWorld({ settings: fast });
    const { status, body } = await get("/v1/exports/events?after=here", world.keys.testSecret);
    expect([status, body.meta.param]).toEqual([400, "after"]);
  });

  it("of rows of very different sizes holds each once", async () => {
    const world = await makeWorld({ settings: fast });
    await withEvents(world.id * 2, 3000);
    await sql(
      `UPDATE event SET doc = json_set(doc, '$.user.description', printf('%.*c', 20000, 'x')) WHERE scope = ? AND CAST(created_at AS int) % 5 = 0`,
      world.id * 2,
    );
    const { text } = await exported(world, "events?format=ndjson");
    const ids = lines(text).map(({ _id }) => Number.parseInt(String(_id), 16));
    expect(ids).toEqual(Array.from({ length: 3000 }, (_, i) => 2999 - i));
  });
});
