import { describe, expect, it } from "vitest";
import { expectWithin } from "../../../support/times.ts";
import {
  call,
  del,
  eventually,
  get,
  type Json,
  makeWorld,
  post,
  put,
  sleep,
  sql,
  type World,
} from "../../../support/world.ts";

/**
 * A street in Brooklyn: 0.001° of latitude is 111 m.
 *
 *        outside (40.710)
 *           |
 *      ( office 40.700, 100 m )
 */
const OFFICE = { latitude: 40.7, longitude: -73.98 };
const INSIDE = { ...OFFICE, accuracy: 5, foreground: true };
const OUTSIDE = { latitude: 40.71, longitude: -73.98, accuracy: 5, foreground: true };

const office = (world: World, extra: Json = {}) =>
  put("/v1/geofences/office/1", world.keys.testSecret, {
    description: "Office",
    type: "circle",
    coordinates: [OFFICE.longitude, OFFICE.latitude],
    radius: 100,
    metadata: { floor: 3 },
    ...extra,
  });

/** A device may report once a second; tests that report more often raise that. */
const fastWorld = () => makeWorld({ settings: { rateLimits: { track: 1000 } } });
const track = (world: World, body: Json, headers: Record<string, string> = {}) =>
  call("POST", "/v1/track", { key: world.keys.testPublishable, json: { deviceId: "phone", ...body }, headers });
const types = (answer: { body: { events: { type: string }[] } }) => answer.body.events.map(({ type }) => type);

describe("POST /v1/track", () => {
  it("walks into a geofence and out again, with all that a client reads", async () => {
    const world = await fastWorld();
    await office(world);
    const first = await track(world, {
      ...OUTSIDE,
      userId: "ann",
      description: "Ann",
      metadata: { vip: true },
      deviceType: "iOS",
    });
    expect(first.status).toBe(200);
    expect(first.body.meta).toEqual({ code: 200 });
    expect(first.body.events).toEqual([]);
    expect(first.body.user).toMatchObject({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      live: false,
      userId: "ann",
      deviceId: "phone",
      description: "Ann",
      metadata: { vip: true },
      location: { type: "Point", coordinates: [OUTSIDE.longitude, OUTSIDE.latitude] },
      locationAccuracy: 5,
      foreground: true,
      deviceType: "iOS",
      geofences: [],
    });
    for (const field of ["createdAt", "updatedAt"]) {
      expect(first.body.user[field]).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
    }
    expect(JSON.stringify(first.body)).not.toContain("null");

    const inside = await track(world, { ...INSIDE, userId: "ann" });
    expect(types(inside)).toEqual(["user.entered_geofence"]);
    const label = { tag: "office", externalId: "1", description: "Office", metadata: { floor: 3 } };
    expect(inside.body.events[0]).toMatchObject({
      _id: expect.stringMatching(/^[0-9a-f]{32}$/),
      live: false,
      user: { _id: first.body.user._id, userId: "ann", deviceId: "phone", metadata: { vip: true } },
      geofence: label,
      location: { type: "Point", coordinates: [INSIDE.longitude, INSIDE.latitude] },
      locationAccuracy: 5,
      confidence: 3,
    });
    const coordinates = [INSIDE.longitude, INSIDE.latitude];
    const form = { type: "circle", geometryCenter: { type: "Point", coordinates }, geometryRadius: 100 };
    expect(inside.body.user.geofences).toEqual([{ _id: expect.any(String), ...label, ...form }]);

    expect(types(await track(world, { ...INSIDE, userId: "ann" }))).toEqual([]);
    const left = await track(world, { ...OUTSIDE, userId: "ann" });
    expect(types(left)).toEqual(["user.exited_geofence"]);
    expect(left.body.events[0].duration).toBeGreaterThanOrEqual(0);
    expect(left.body.user.geofences).toEqual([]);
  });

  it.each([
    ["latitude", 91, "latitude: Invalid latitude. Valid range: [-90, 90]."],
    ["latitude", "north", "latitude: Invalid latitude. Valid range: [-90, 90]."],
    ["longitude", -180.5, "longitude: Invalid longitude. Valid range: [-180, 180]."],
    ["accuracy", 0, "accuracy: Invalid accuracy. Valid range: (0, 20100000]."],
    ["accuracy", -3, "accuracy: Invalid accuracy. Valid range: (0, 20100000]."],
    ["deviceType", "Fridge", "deviceType: Invalid deviceType. Valid values: iOS, Android, Web."],
    ["foreground", "maybe", "foreground: Invalid foreground. Valid values: true, false."],
    ["stopped", 7, "stopped: Invalid stopped. Valid values: true, false."],
    ["replayed", "x", "replayed: Invalid replayed. Valid values: true, false."],
    ["updatedAt", "yesterday", expect.stringContaining("updatedAt: Invalid updatedAt. Expected an ISO 8601 datetime")],
    ["metadata", { list: [1] }, expect.stringContaining("metadata[list]: Invalid metadata.")],
    [
      "metadata",
      Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`k${i}`, i])),
      expect.stringContaining("up to 32 keys"),
    ],
    ["metadata", "no json", expect.stringContaining("metadata: Invalid metadata.")],
    ["deviceId", "", expect.stringContaining("deviceId: Invalid deviceId.")],
    ["deviceId", { a: 1 }, expect.stringContaining("deviceId: Invalid deviceId.")],
  ])("refuses %s = %j by name", async (param, value, message) => {
    const world = await fastWorld();
    const answer = await track(world, { ...INSIDE, [param]: value });
    expect(answer.status).toBe(400);
    expect(answer.body.meta).toEqual({ code: 400, param: expect.stringContaining(param), message });
    await sleep(300);
    expect(await sql("SELECT * FROM user WHERE scope = ?", world.id * 2)).toEqual([]);
  });

  it.each(["deviceId", "latitude", "longitude", "accuracy"])("needs %s", async (param) => {
    const world = await fastWorld();
    const answer = await track(world, { ...INSIDE, [param]: null });
    expect(answer.body.meta).toEqual({ code: 400, param, message: `${param}: Required.` });
  });

  it("takes the metadata keys that the SDK may send, up to 32, and text for numbers and booleans from a form", async () => {
    const world = await fastWorld();
    const answer = await call("POST", "/v1/track", {
      key: world.keys.testPublishable,
      form: {
        deviceId: "form-phone",
        latitude: "40.7",
        longitude: "-73.98",
        accuracy: "12.5",
        foreground: "true",
        stopped: "false",
        "metadata[age]": "42",
        "metadata[vip]": "true",
        "metadata[name]": "Ann",
      },
    });
    expect(answer.status).toBe(200);
    expect(answer.body.user).toMatchObject({
      locationAccuracy: 12.5,
      foreground: true,
      stopped: false,
      metadata: { age: 42, vip: true, name: "Ann" },
    });
    const json = await call("POST", "/v1/track", {
      key: world.keys.testPublishable,
      form: { deviceId: "form-2", latitude: "1", longitude: "2", accuracy: "3", metadata: '{"a":1,"b":false}' },
    });
    expect(json.body.user.metadata).toEqual({ a: 1, b: false });
  });

  it("treats the nulls of the JavaScript SDK as absent and ignores what it does not know", async () => {
    const world = await fastWorld();
    const answer = await track(world, {
      ...INSIDE,
      userId: null,
      metadata: null,
      description: null,
      tripOptions: null,
      sdkVersion: "5.2.0",
      locationAuthorization: "GRANTED_FOREGROUND",
    });
    expect(answer.status).toBe(200);
    expect(answer.body.user).not.toHaveProperty("userId");
  });

  it("refuses more than one update per second and device, and changes nothing by it", async () => {
    const world = await makeWorld();
    await office(world);
    expect((await track(world, OUTSIDE)).status).toBe(200);
    const limited = await track(world, INSIDE);
    expect(limited.status).toBe(429);
    expect(limited.body.meta).toMatchObject({ code: 429, type: "second" });
    expect(limited.headers.get("x-ratelimit-limit")).toBe("1");
    expect(limited.headers.get("retry-after")).toBe("1");
    expect((await track(world, { ...INSIDE, deviceId: "another" })).status).toBe(200);
    await sleep(1050);
    expect(types(await track(world, INSIDE))).toEqual(["user.entered_geofence"]);
  });

  it("answers an update that is sent again as before, without new events", async () => {
    const world = await makeWorld();
    await office(world);
    const update = { ...INSIDE, updatedAt: new Date(Date.now() - 60_000).toISOString() };
    const first = await track(world, update);
    const again = await track(world, update);
    expect(again.status).toBe(200);
    expect(again.body).toEqual(first.body);
    expect(types(first)).toEqual(["user.entered_geofence"]);
    const stored = () => sql("SELECT id FROM event WHERE scope = ?", world.id * 2);
    expect(await eventually(stored, (rows) => rows.length > 0)).toHaveLength(1);
  });

  it("honours an Idempotency-Key", async () => {
    const world = await makeWorld();
    await office(world);
    const first = await track(world, INSIDE, { "idempotency-key": "k1" });
    const again = await track(world, INSIDE, { "idempotency-key": "k1" });
    expect(again.body).toEqual(first.body);
    expect((await track(world, INSIDE, { "idempotency-key": "k2" })).status).toBe(429);
  });

  it("keeps what a device is inside of when an older point arrives late", async () => {
    const world = await fastWorld();
    await office(world);
    await track(world, INSIDE);
    const late = await track(world, {
      ...OUTSIDE,
      updatedAt: new Date(Date.now() - 3_600_000).toISOString(),
      replayed: true,
    });
    expect(late.status).toBe(200);
    expect(types(late)).toEqual([]);
    expect(late.body.user.geofences).toHaveLength(1);
  });

  it("takes historical points in order with their own times", async () => {
    const world = await fastWorld();
    await office(world);
    const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 12, minute)).toISOString();
    await track(world, { ...OUTSIDE, updatedAt: at(0), replayed: true });
    const entered = await track(world, { ...INSIDE, updatedAt: at(10), replayed: true });
    expect(entered.body.events[0]).toMatchObject({ createdAt: at(10), replayed: true });
    expect(entered.body.user.updatedAt).toBe(at(10));
    const left = await track(world, { ...OUTSIDE, updatedAt: at(40), replayed: true });
    expect(left.body.events[0]).toMatchObject({ type: "user.exited_geofence", duration: 30 });
  });

  it("enters a geofence that is made around a device already inside", async () => {
    const world = await fastWorld();
    expect(types(await track(world, INSIDE))).toEqual([]);
    await office(world);
    expect(types(await track(world, INSIDE))).toEqual(["user.entered_geofence"]);
  });

  it("exits a geofence that is deleted or disabled while the device is inside", async () => {
    const world = await fastWorld();
    await office(world);
    await track(world, INSIDE);
    await office(world, { enabled: false });
    expect(types(await track(world, INSIDE))).toEqual(["user.exited_geofence"]);
    await office(world);
    expect(types(await track(world, INSIDE))).toEqual(["user.entered_geofence"]);
    await del("/v1/geofences/office/1", world.keys.testSecret);
    expect(types(await track(world, INSIDE))).toEqual(["user.exited_geofence"]);
  });

  it("dwells once per visit, after the geofence's threshold", async () => {
    const world = await fastWorld();
    await office(world, { dwellThreshold: 5 });
    const at = (minute: number) => new Date(Date.UTC(2026, 0, 2, 8, minute)).toISOString();
    const step = (minute: number, place: Json) =>
      track(world, { ...place, updatedAt: at(minute), replayed: true }).then(types);
    expect(await step(0, INSIDE)).toEqual(["user.entered_geofence"]);
    expect(await step(4, INSIDE)).toEqual([]);
    expect(await step(6, INSIDE)).toEqual(["user.dwelled_in_geofence"]);
    expect(await step(20, INSIDE)).toEqual([]);
    expect(await step(21, OUTSIDE)).toEqual(["user.exited_geofence"]);
  });

  it("gives a userId the record of its device, and another userId another record", async () => {
    const world = await fastWorld();
    const nameless = (await track(world, INSIDE)).body.user;
    const ann = (await track(world, { ...INSIDE, userId: "ann" })).body.user;
    expect(ann._id).toBe(nameless._id);
    const bob = (await track(world, { ...INSIDE, userId: "bob" })).body.user;
    expect(bob._id).not.toBe(ann._id);
    expect((await track(world, { ...INSIDE, userId: "ann" })).body.user._id).toBe(ann._id);
  });

  it("never mixes test and live", async () => {
    const world = await fastWorld();
    await office(world);
    const live = await call("POST", "/v1/track", {
      key: world.keys.livePublishable,
      json: { deviceId: "phone", ...INSIDE },
    });
    expect(live.body.user.live).toBe(true);
    expect(live.body.events).toEqual([]);
    const test = await track(world, INSIDE);
    expect(test.body.user.live).toBe(false);
    expect(test.body.user._id).not.toBe(live.body.user._id);
    expect(types(test)).toEqual(["user.entered_geofence"]);
  });

  it("stores nothing of an anonymous update", async () => {
    const world = await fastWorld();
    await office(world);
    const answer = await track(world, { ...INSIDE, anonymous: true });
    expect(types(answer)).toEqual(["user.entered_geofence"]);
    await sleep(400);
    expect(await sql("SELECT * FROM user WHERE scope = ?", world.id * 2)).toEqual([]);
    expect(await sql("SELECT * FROM event WHERE scope = ?", world.id * 2)).toEqual([]);
  });

  it("refuses a body of more than 64 KB, declared or streamed", async () => {
    const world = await fastWorld();
    const answer = await track(world, { ...INSIDE, description: "x".repeat(70_000) });
    expect(answer.status).toBe(413);
    expect(answer.body.meta.code).toBe(413);
  });

  it("remembers where a device is when its object was put away", async () => {
    const world = await fastWorld();
    const { control } = await import("../../../support/world.ts");
    await office(world);
    await track(world, INSIDE);
    await control("evict", { object: "DEVICE_TRACKER", name: `${world.id * 2}:phone` });
    expect(types(await track(world, INSIDE))).toEqual([]);
    expect(types(await track(world, OUTSIDE))).toEqual(["user.exited_geofence"]);
  });
});

describe("devices beside each other", () => {
  it("heed a geofence that is changed, made or deleted after they have asked for those around them", async () => {
    const world = await fastWorld();
    await office(world);
    const seen = async (deviceId: string) => types(await track(world, { ...INSIDE, deviceId }));
    expect([await seen("a"), await seen("b")]).toEqual([["user.entered_geofence"], ["user.entered_geofence"]]);
    await office(world, { coordinates: [OFFICE.longitude, OFFICE.latitude + 0.005] });
    const changed = Date.now();
    await eventually(
      () => seen("a"),
      (events) => events.includes("user.exited_geofence"),
    );
    expectWithin(changed, 2_000);
    expect(await seen("b")).toEqual(["user.exited_geofence"]);
    expect(await seen("new")).toEqual([]);
    await put("/v1/geofences/office/2", world.keys.testSecret, {
      description: "Yard",
      type: "circle",
      radius: 50,
      coordinates: [OFFICE.longitude, OFFICE.latitude],
    });
    expect(await seen("b")).toEqual(["user.entered_geofence"]);
    await del("/v1/geofences/office/2", world.keys.testSecret);
    expect([await seen("b"), await seen("newer")]).toEqual([["user.exited_geofence"], []]);
  });

  it("of another project do not see them", async () => {
    const [one, other] = [await fastWorld(), await fastWorld()];
    await office(one);
    await office(other, { coordinates: [OFFICE.longitude, OFFICE.latitude + 0.005] });
    expect(types(await track(one, INSIDE))).toEqual(["user.entered_geofence"]);
    expect(types(await track(other, INSIDE))).toEqual([]);
  });
});

describe("what a track leaves behind", () => {
  it("is found by search, in the list of users and in the events", async () => {
    const world = await fastWorld();
    await office(world);
    const { body } = await track(world, { ...INSIDE, userId: "ann", metadata: { team: "blue" } });
    const near = `near=${OFFICE.latitude},${OFFICE.longitude}`;
    const started = Date.now();
    const found = await eventually(
      () => get(`/v1/search/users?${near}`, world.keys.testSecret),
      (answer) => answer.body.users?.length === 1,
    );
    expectWithin(started, 1000);
    expect(found.body.users[0]).toEqual(body.user);
    for (const name of [body.user._id, "ann", "phone"]) {
      expect((await get(`/v1/users/${name}`, world.keys.testSecret)).body.user).toEqual(body.user);
    }
    expect((await get("/v1/users", world.keys.testSecret)).body).toEqual({
      meta: { code: 200, hasMore: false },
      users: [body.user],
    });
    const events = await get("/v1/events", world.keys.testSecret);
    expect(events.body.events).toEqual(body.events);
    expect((await get(`/v1/events/${body.events[0]._id}`, world.keys.testSecret)).body.event).toEqual(body.events[0]);
    expect((await get("/v1/geofences/office/1/users", world.keys.testSecret)).body.users).toEqual([body.user]);
    expect((await get(`/v1/geofences/${body.user.geofences[0]._id}/users`, world.keys.testSecret)).body.users).toEqual([
      body.user,
    ]);
  });

  it("goes with the user when it is deleted, and the device starts anew", async () => {
    const world = await fastWorld();
    await office(world);
    const before = (await track(world, { ...INSIDE, userId: "ann" })).body.user;
    const rows = () =>
      sql("SELECT id FROM user WHERE scope = ?1 UNION ALL SELECT id FROM event WHERE scope = ?1", world.id * 2);
    await eventually(rows, (found) => found.length === 2);
    expect((await del("/v1/users/ann", world.keys.testSecret)).body).toEqual({ meta: { code: 200 } });
    expect(await rows()).toEqual([]);
    expect((await del("/v1/users/ann", world.keys.testSecret)).status).toBe(404);
    const after = await track(world, { ...INSIDE, userId: "ann" });
    expect(after.body.user._id).not.toBe(before._id);
    expect(types(after)).toEqual(["user.entered_geofence"]);
  });
});

describe("GET /v1/search/users", () => {
  it("sorts by distance and honours radius, limit and metadata with inferred types", async () => {
    const world = await fastWorld();
    const people: [string, number, Json][] = [
      ["far", 0.0085, { working: true, level: 2 }],
      ["near", 0.001, { working: true, level: 1 }],
      ["middle", 0.004, { working: false, level: "2" }],
      ["away", 0.05, { working: true }],
    ];
    for (const [userId, north, metadata] of people) {
      await post("/v1/track", world.keys.testPublishable, {
        deviceId: userId,
        userId,
        latitude: OFFICE.latitude + north,
        longitude: OFFICE.longitude,
        accuracy: 5,
        metadata,
      });
    }
    const search = async (query: string) =>
      (await get(`/v1/search/users?near=40.7,-73.98${query}`, world.keys.testSecret)).body.users?.map(
        (user: Json) => user.userId,
      );
    await eventually(
      () => search("&radius=10000"),
      (found) => found.length === 4,
    );
    expect(await search("")).toEqual(["near", "middle", "far"]);
    expect(await search("&radius=10000")).toEqual(["near", "middle", "far", "away"]);
    expect(await search("&radius=200")).toEqual(["near"]);
    expect(await search("&radius=10000&limit=2")).toEqual(["near", "middle"]);
    expect(await search("&metadata[working]=true")).toEqual(["near", "far"]);
    expect(await search("&metadata[level]=2")).toEqual(["far"]);
    expect(await search("&metadata=[object Object]")).toEqual(["near", "middle", "far"]);
    const mode = await get("/v1/search/users?near=40.7,-73.98&mode=car", world.keys.testSecret);
    expect(mode.body.meta).toMatchObject({ code: 400, param: "mode", message: expect.stringContaining("road data") });
    expect((await get("/v1/search/users?near=40.7", world.keys.testSecret)).body.meta).toMatchObject({ param: "near" });
  });
});
