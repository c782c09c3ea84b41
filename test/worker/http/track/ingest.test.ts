import { describe, expect, it } from "vitest";
import { call, eventually, get, type Json, makeWorld, put, untilLimited, type World } from "../../../support/world.ts";

/** Office, 100 m around 40.7, −73.98; OUTSIDE is 1.1 km north of it. */
const OFFICE = { lat: 40.7, lon: -73.98 };
const OUTSIDE = { lat: 40.71, lon: -73.98 };

async function town(settings: Json = {}): Promise<World> {
  const world = await makeWorld({ settings });
  const fence = { description: "Office", type: "circle", coordinates: [OFFICE.lon, OFFICE.lat], radius: 100 };
  expect((await put("/v1/geofences/office/1", world.keys.testSecret, fence)).status).toBe(200);
  return world;
}

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const seconds = (date: Date) => Math.floor(date.getTime() / 1000);

async function eventsOf({ keys }: World, count: number): Promise<Json[]> {
  const { body } = await eventually(
    () => get("/v1/events", keys.testSecret),
    ({ body }) => body.events.length >= count,
  );
  return body.events;
}

describe("POST /v1/ingest/traccar", () => {
  const at = (place: { lat: number; lon: number }, minutes: number) => ({
    location: {
      timestamp: minutesAgo(minutes).toISOString(),
      coords: { latitude: place.lat, longitude: place.lon, accuracy: 6, speed: 2, heading: 10, altitude: 30 },
      is_moving: false,
    },
    device_id: "traccar-48241179",
  });
  const send = ({ keys }: World, json: Json) =>
    call("POST", `/v1/ingest/traccar?userId=jane&publishableKey=${keys.testPublishable}`, { json });

  it("keeps the device's own times, however fast its queue comes in, and makes the events of then", async () => {
    const world = await town();
    for (const [place, minutes] of [
      [OUTSIDE, 40],
      [OFFICE, 30],
      [OFFICE, 20],
      [OUTSIDE, 10],
    ] as const) {
      const { status, body } = await send(world, at(place, minutes));
      expect([status, body.taken]).toEqual([200, 1]);
    }
    const events = await eventsOf(world, 2);
    expect(events.map(({ type }) => type).sort()).toEqual(["user.entered_geofence", "user.exited_geofence"]);
    expect(events.find(({ type }) => type === "user.exited_geofence")?.duration).toBeCloseTo(20, 0);
    const { body } = await get("/v1/users/traccar-48241179", world.keys.testSecret);
    expect(body.user).toMatchObject({ userId: "jane", stopped: true, foreground: false, locationAccuracy: 6 });
  });

  it("takes the fields of a form and of a query, as OsmAnd and GPSLogger send them", async () => {
    const world = await town();
    const fields = { id: "logger", lat: "40.7", lon: "-73.98", timestamp: String(seconds(minutesAgo(1))), hdop: "1" };
    const key = world.keys.testPublishable;
    const form = await call("POST", `/v1/ingest/traccar?publishableKey=${key}`, { form: fields });
    const query = new URLSearchParams({ ...fields, id: "osmand", publishableKey: key });
    const asked = await get(`/v1/ingest/traccar?${query}`);
    const posted = await call(
      "POST",
      `/v1/ingest/traccar?${new URLSearchParams({ ...fields, id: "old", publishableKey: key })}`,
    );
    expect([form, asked, posted].map(({ status, body }) => [status, body.taken])).toEqual(Array(3).fill([200, 1]));
    for (const id of ["logger", "osmand", "old"]) {
      const { body } = await get(`/v1/users/${id}`, world.keys.testSecret);
      expect(body.user.geofences).toHaveLength(1);
    }
  });

  it("answers 200 to a position that says it is none, and stores nothing", async () => {
    const { keys } = await makeWorld();
    const query = new URLSearchParams({ id: "a", lat: "0", lon: "0", publishableKey: keys.testPublishable });
    expect(await get(`/v1/ingest/traccar?${query}`)).toMatchObject({ status: 200, body: { taken: 0 } });
    expect((await get("/v1/users", keys.testSecret)).body.users).toEqual([]);
  });

  it.each([
    [{ location: { coords: { latitude: 1, longitude: 2 } } }],
    [{ location: { coords: { latitude: 1, longitude: 2 } }, device_id: "x".repeat(300) }],
    [{ location: { coords: { latitude: 91, longitude: 2 } } }],
    [{}],
  ])("answers 400 to an update without a device, which is a mistake in the app's settings: %j", async (json) => {
    const world = await makeWorld();
    const { status, body } = await send(world, json);
    expect([status, body.meta.param]).toEqual([400, "deviceId"]);
  });

  it.each([
    [{ location: { coords: { latitude: 91, longitude: 2 } }, device_id: "a" }, "latitude"],
    [{ location: { coords: { latitude: 1 } }, device_id: "a" }, "longitude"],
    [{ location: { coords: { latitude: 1, longitude: 2 }, timestamp: "yesterday" }, device_id: "a" }, "updatedAt"],
  ])(
    "answers 200 to a position that can never be stored, or the app would send it forever: %j",
    async (json, param) => {
      const { keys } = await makeWorld();
      const { status, body } = await send({ keys } as World, json);
      expect([status, body.taken, body.rejected]).toEqual([200, 0, [expect.objectContaining({ index: 0, param })]]);
      expect((await get("/v1/users", keys.testSecret)).body.users).toEqual([]);
    },
  );

  it.each(["2040-01-31T09:30:00.000Z", 2_208_000_000_000, "1969-12-31T23:00:00.000Z", 0])(
    "stores a position of a phone whose clock says %s, at the time of the server",
    async (timestamp) => {
      const world = await town();
      const position = { ...at(OFFICE, 1).location, timestamp };
      const { body } = await send(world, { location: position, device_id: "phone" });
      expect([body.taken, body.rejected]).toEqual([1, []]);
      const { user } = (await get("/v1/users/phone", world.keys.testSecret)).body;
      expect(Math.abs(Date.now() - Date.parse(user.updatedAt))).toBeLessThan(60_000);
    },
  );

  it("omits a wrong optional field", async () => {
    const world = await town();
    const wrong = { accuracy: 1e12, speed: 1e9, heading: 400, altitude: 1e9 };
    const position = { ...at(OFFICE, 1).location, is_moving: "perhaps" };
    const json = { location: { ...position, coords: { ...position.coords, ...wrong } }, device_id: "phone" };
    const { body } = await send(world, json);
    expect([body.taken, body.rejected]).toEqual([1, []]);
    const { user } = (await get("/v1/users/phone", world.keys.testSecret)).body;
    for (const field of ["speed", "course", "altitude", "stopped"]) expect(user).not.toHaveProperty(field);
  });

  it("refuses a unit of speed that it does not know, and a call without a key", async () => {
    const { keys } = await makeWorld();
    const { status, body } = await get(`/v1/ingest/traccar?speedUnit=mph&publishableKey=${keys.testPublishable}`);
    expect([status, body.meta.param]).toEqual([400, "speedUnit"]);
    expect((await get("/v1/ingest/traccar?id=a&lat=1&lon=2")).status).toBe(401);
  });

  it("lets a device come twenty times a second, and then asks it to wait", async () => {
    const world = await makeWorld();
    const answers = await untilLimited(() =>
      Promise.all(Array.from({ length: 40 }, (_, i) => send(world, at(OUTSIDE, 60 - i)))),
    );
    const statuses = answers.map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(20);
  });
});

describe("POST /v1/ingest/owntracks", () => {
  const basic = (user: string, key: string) => `Basic ${Buffer.from(`${user}:${key}`).toString("base64")}`;
  const send = (user: string, key: string, json: unknown, { device = "phone", query = "" } = {}) =>
    call("POST", `/v1/ingest/owntracks${query}`, {
      json,
      headers: { authorization: basic(user, key), "x-limit-d": device },
    });
  const location = (place: { lat: number; lon: number }, minutes: number) => ({
    _type: "location",
    ...place,
    acc: 5,
    tst: seconds(minutesAgo(minutes)),
    tid: "JA",
    batt: 80,
    vel: 4,
  });

  it("takes the key as password and the user's name as userId, and answers with an empty list", async () => {
    const world = await town();
    const { testPublishable, testSecret } = world.keys;
    for (const [place, minutes] of [
      [OUTSIDE, 30],
      [OFFICE, 20],
    ] as const) {
      expect(await send("Зоя", testPublishable, location(place, minutes))).toMatchObject({ status: 200, body: [] });
    }
    const [event] = await eventsOf(world, 1);
    expect(event).toMatchObject({ type: "user.entered_geofence", user: { userId: "Зоя", deviceId: "Зоя/phone" } });
    const { body } = await get(`/v1/users/${encodeURIComponent("Зоя/phone")}`, testSecret);
    expect(body.user).toMatchObject({ userId: "Зоя", locationAccuracy: 5 });
  });

  it("takes a transition as a position", async () => {
    const world = await town();
    const { _type, ...place } = location(OFFICE, 1);
    const message = { ...place, _type: "transition", event: "enter", desc: "Work", wtst: 1, t: "c" };
    expect((await send("jane", world.keys.testPublishable, message)).status).toBe(200);
    expect(await eventsOf(world, 1)).toMatchObject([{ type: "user.entered_geofence" }]);
  });

  it.each([
    [{ _type: "status", android: { wifi: 1 } }],
    [{ _type: "lwt", tst: 1 }],
    [{ _type: "waypoint", desc: "Home", lat: 1, lon: 2, rad: 50, tst: 3 }],
    [{}],
  ])("takes %j and does nothing", async (message) => {
    const { keys } = await makeWorld();
    expect(await send("jane", keys.testPublishable, message)).toMatchObject({ status: 200, body: [] });
    expect((await get("/v1/users", keys.testSecret)).body.users).toEqual([]);
    expect((await get("/v1/geofences", keys.testSecret)).body.geofences).toEqual([]);
  });

  it("takes a message without a body, which the app sends for a friend who was deleted", async () => {
    const { keys } = await makeWorld();
    const headers = { authorization: basic("jane", keys.testPublishable), "content-type": "application/json" };
    expect(await call("POST", "/v1/ingest/owntracks", { headers, body: "" })).toMatchObject({ status: 200, body: [] });
  });

  it("makes geofences of regions, with a secret key alone", async () => {
    const { keys } = await makeWorld();
    const home = { _type: "waypoint", desc: "Home", lat: 52.5, lon: 13.4, rad: 50, tst: 1700000000 };
    await send("jane", keys.testSecret, { _type: "waypoints", waypoints: [home, { ...home, rad: 3, tst: 5 }] });
    await send("jane", keys.testSecret, { ...home, desc: "Our home" });
    const { body } = await get("/v1/geofences", keys.testSecret);
    expect(body.geofences).toHaveLength(2);
    expect(body.geofences.find(({ externalId }: Json) => externalId === "1700000000")).toMatchObject({
      tag: "owntracks",
      description: "Our home",
      geometryRadius: 50,
    });
    expect(body.geofences.find(({ externalId }: Json) => externalId === "5")).toMatchObject({ geometryRadius: 10 });
  });

  it("answers where friends are if it is asked to, with a secret key alone", async () => {
    const { keys } = await makeWorld();
    await send("anna", keys.testPublishable, location(OFFICE, 2));
    await eventually(
      () => get("/v1/users", keys.testSecret),
      ({ body }) => body.users.length === 1,
    );
    const friends = { query: "?friends=true" };
    const answer = await send("jane", keys.testSecret, location(OUTSIDE, 1), friends);
    expect(answer.body).toEqual([
      expect.objectContaining({ _type: "location", topic: "owntracks/anna/phone", tid: "AN", ...OFFICE, acc: 5 }),
      { _type: "card", topic: "owntracks/anna/phone", tid: "AN", name: "anna" },
    ]);
    const refused = await send("jane", keys.testPublishable, location(OUTSIDE, 0), friends);
    expect([refused.status, refused.body.meta.param]).toEqual([403, "friends"]);
  });

  it.each([
    { _type: "location", lat: 91, lon: 0, tst: 1 },
    { _type: "location", lon: 0, tst: 1 },
    { _type: "location", lat: 1, lon: 0, tst: 1e300 },
  ])("answers 200 to %j, which can never be stored, or the app would send it forever", async (message) => {
    const { keys } = await makeWorld();
    expect(await send("jane", keys.testPublishable, message)).toMatchObject({ status: 200, body: [] });
    expect((await get("/v1/users", keys.testSecret)).body.users).toEqual([]);
  });

  it("refuses what it cannot read, and names it", async () => {
    const { keys } = await makeWorld();
    const tooLong = await send("j".repeat(300), keys.testPublishable, location(OFFICE, 1), { device: "x" });
    expect(tooLong).toMatchObject({ status: 400 });
    const { status, body } = await send("jane", keys.testPublishable, { _type: "encrypted", data: "x" });
    expect([status, body.meta.param]).toEqual([400, "_type"]);
    const nameless = await send(
      "",
      keys.testPublishable,
      { _type: "location", lat: 1, lon: 0, tst: 1 },
      { device: "" },
    );
    expect([nameless.status, nameless.body.meta.param]).toEqual([400, "deviceId"]);
    expect((await send("jane", "prj_test_pk_wrong", location(OFFICE, 1))).status).toBe(401);
  });
});

describe("POST /v1/ingest/overland", () => {
  const feature = (place: { lat: number; lon: number }, minutes: number, more: Json = {}) => ({
    type: "Feature",
    geometry: { type: "Point", coordinates: [place.lon, place.lat] },
    properties: {
      timestamp: minutesAgo(minutes).toISOString(),
      horizontal_accuracy: 5,
      speed: 3,
      motion: ["walking"],
      device_id: "jane-overland",
      battery_level: 0.5,
      ...more,
    },
  });
  const send = ({ keys }: World, json: unknown, query = "?userId=jane") =>
    call("POST", `/v1/ingest/overland${query}`, {
      json,
      headers: { authorization: `Bearer ${keys.testPublishable}` },
    });

  it("takes a batch at the times of its points, says ok, and makes the events of then", async () => {
    const world = await town();
    const locations = [feature(OUTSIDE, 30), feature(OFFICE, 20), feature(OUTSIDE, 10)];
    const trip = { mode: "walk", start: minutesAgo(40).toISOString() };
    const { status, body } = await send(world, { locations, trip });
    expect([status, body]).toEqual([200, { meta: { code: 200 }, result: "ok", taken: 3, skipped: 0 }]);
    const events = await eventsOf(world, 2);
    expect(events.every(({ user }) => (user as Json).userId === "jane")).toBe(true);
    expect(events.find(({ type }) => type === "user.exited_geofence")?.duration).toBeCloseTo(10, 0);
  });

  it("lets a bad point cost itself alone, or the app would send the batch for ever", async () => {
    const world = await town();
    const bad = [feature({ lat: 91, lon: 0 }, 5), feature(OFFICE, 5, { timestamp: "soon" }), { type: "Feature" }, 7];
    const { body } = await send(world, { locations: [...bad, feature(OFFICE, 4)] });
    expect([body.result, body.taken, body.skipped]).toEqual(["ok", 1, 4]);
    expect((await get("/v1/users/jane-overland", world.keys.testSecret)).body.user.geofences).toHaveLength(1);
  });

  it("takes more than a thousand points at once, and the deviceId of the address where the app has none", async () => {
    const world = await makeWorld();
    const locations = Array.from({ length: 1100 }, (_, i) => feature(OUTSIDE, 1200 - i, { device_id: "" }));
    const { body } = await send(world, { locations }, "?deviceId=nameless");
    expect([body.taken, body.skipped]).toEqual([1100, 0]);
    expect((await get("/v1/users/nameless", world.keys.testSecret)).status).toBe(200);
  });

  it("answers 400 to a batch without a device, which would be lost otherwise", async () => {
    const world = await makeWorld();
    const { status, body } = await send(world, { locations: [feature(OFFICE, 1, { device_id: "" })] });
    expect([status, body.meta.param]).toEqual([400, "deviceId"]);
  });

  it("omits a wrong optional field", async () => {
    const world = await makeWorld();
    const wrong = { altitude: 1e9, speed: 1e9, course: 400 };
    const { body } = await send(world, { locations: [feature(OFFICE, 1, wrong)] });
    expect([body.taken, body.skipped]).toEqual([1, 0]);
  });

  it("refuses what is no batch", async () => {
    const world = await makeWorld();
    for (const json of [{}, { locations: "x" }, { locations: Array(2001).fill(1) }]) {
      const { status, body } = await send(world, json);
      expect([status, body.meta.param]).toEqual([400, "locations"]);
    }
  });
});
