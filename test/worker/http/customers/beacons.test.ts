import { describe, expect, it } from "vitest";
import { call, del, get, type Json, makeWorld, post, put, sql, type World } from "../../../support/world.ts";

/** A shop in Brooklyn with a beacon at its door (iBeacon) and one at its till (Eddystone). */
const SHOP = { latitude: 40.7, longitude: -73.98 };
const UUID = "2F234454-CF6D-4A0F-ADF2-F4911BA9FFA6";
const DOOR = {
  description: "Door",
  type: "ibeacon",
  uuid: UUID,
  major: "1",
  minor: "2",
  tag: "shop",
  externalId: "door",
  coordinates: [SHOP.longitude, SHOP.latitude],
  enabled: true,
  metadata: { floor: 1, open: true, name: "front" },
};
const TILL = {
  description: "Till",
  type: "eddystone",
  uid: "F7826DA64FA24E988024",
  instance: "000000000001",
  coordinates: [SHOP.longitude, SHOP.latitude + 0.001],
  enabled: true,
};
const HEARD_DOOR = { type: "ibeacon", uuid: UUID.toLowerCase(), major: "1", minor: "2", rssi: -60 };
const HEARD_TILL = { type: "eddystone", uid: TILL.uid.toLowerCase(), instance: TILL.instance };

const fastWorld = (settings: Json = {}) =>
  makeWorld({
    settings: { ...settings, rateLimits: { track: 1000, createBeacon: 1000, searchBeacons: 1000, syncRegion: 1000 } },
  });
const place = async (world: World, beacon: Json) => {
  const answer = await post("/v1/beacons", world.keys.testSecret, beacon);
  expect([answer.status, answer.body.meta]).toEqual([200, { code: 200 }]);
  return answer.body.beacon;
};
const track = async (world: World, beacons: unknown, more: Json = {}) => {
  const json = { deviceId: "phone", ...SHOP, accuracy: 5, beacons, ...more };
  const { body, status } = await call("POST", "/v1/track", { key: world.keys.testPublishable, json });
  expect([status, body.meta]).toEqual([200, { code: 200 }]);
  return { ...body, told: body.events.map((event: Json) => [event.type, (event.beacon as Json)?.description]) };
};

describe("POST /v1/beacons", () => {
  it("creates an iBeacon with the identifiers of its type, as strings", async () => {
    const world = await fastWorld();
    const beacon = await place(world, { ...DOOR, major: 1, uid: "not mine" });
    expect(beacon).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
      live: false,
      type: "ibeacon",
      uuid: UUID.toLowerCase(),
      major: "1",
      minor: "2",
      description: "Door",
      tag: "shop",
      externalId: "door",
      geometry: { type: "Point", coordinates: [SHOP.longitude, SHOP.latitude] },
      enabled: true,
      metadata: { floor: 1, open: true, name: "front" },
    });
  });

  it("takes a form with JSON texts as it takes JSON, also under /api", async () => {
    const world = await fastWorld();
    const form = {
      description: "Till",
      type: "eddystone",
      uid: "aa",
      instance: "01",
      enabled: "true",
      coordinates: "[-73.98,40.7]",
      metadata: '{"floor": 2}',
    };
    const { status, body } = await call("POST", "/api/v1/beacons", { key: world.keys.testSecret, form });
    expect([status, body.beacon]).toEqual([
      200,
      expect.objectContaining({ type: "eddystone", uid: "aa", instance: "01", enabled: true, metadata: { floor: 2 } }),
    ]);
    const path = "/api/v1/beacons/shop/till";
    const again = await call("PUT", path, { key: world.keys.testSecret, form: { ...form, enabled: "false" } });
    expect(again.body.beacon).toMatchObject({ tag: "shop", externalId: "till", enabled: false });
  });

  it("updates the beacon with the same tag and externalId", async () => {
    const world = await fastWorld();
    const first = await place(world, DOOR);
    const second = await place(world, { ...DOOR, minor: "3", enabled: false });
    expect(second).toMatchObject({ _id: first._id, createdAt: first.createdAt, minor: "3", enabled: false });
    expect((await get("/v1/beacons", world.keys.testSecret)).body.beacons).toHaveLength(1);
  });

  it("keeps beacons apart that have no full pair", async () => {
    const world = await fastWorld();
    await place(world, TILL);
    await place(world, TILL);
    await place(world, { ...TILL, tag: "shop" });
    expect((await get("/v1/beacons", world.keys.testSecret)).body.beacons).toHaveLength(3);
  });

  it.each([
    ["description", undefined, "description: Required."],
    ["type", undefined, "type: Required."],
    ["type", "wifi", "type: Invalid type. Valid values: ibeacon, eddystone."],
    ["uuid", undefined, "uuid: Required."],
    ["uuid", "aa", "uuid: Invalid uuid. Must be a UUID such as "],
    ["uuid", `${UUID}0`, "uuid: Invalid uuid. Must be a UUID such as "],
    ["uuid", UUID.replaceAll("-", ""), "uuid: Invalid uuid. Must be a UUID such as "],
    ["uuid", UUID.replace("2F", "2G"), "uuid: Invalid uuid. Must be a UUID such as "],
    ["major", undefined, "major: Required."],
    ["minor", undefined, "minor: Required."],
    ["coordinates", undefined, "coordinates: Required."],
    ["coordinates", "-73.98,40.7", "coordinates: Invalid coordinates. Expected [longitude, latitude]."],
    ["coordinates", [-73.98, 91], "coordinates: Invalid coordinates. Expected [longitude, latitude]."],
    ["coordinates", [-73.98], "coordinates: Invalid coordinates. Expected [longitude, latitude]."],
    ["enabled", undefined, "enabled: Required."],
    ["enabled", "maybe", "enabled: Invalid enabled. Valid values: true, false."],
    ["metadata", Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`k${i}`, i])), "up to 16 keys"],
    ["metadata", { list: [1] }, "metadata[list]: Invalid metadata."],
    ["tag", ".", 'neither "." nor ".."'],
    ["externalId", "..", 'neither "." nor ".."'],
  ])("refuses %s = %j by name", async (param, value, message) => {
    const world = await fastWorld();
    const answer = await post("/v1/beacons", world.keys.testSecret, { ...DOOR, [param]: value });
    expect(answer.status).toBe(400);
    expect(answer.body.meta.param).toContain(param);
    expect(answer.body.meta.message).toContain(message);
  });

  it.each(["uid", "instance"])("asks an Eddystone beacon for its %s", async (param) => {
    const world = await fastWorld();
    const { status, body } = await post("/v1/beacons", world.keys.testSecret, { ...TILL, [param]: undefined });
    expect([status, body.meta]).toEqual([400, { code: 400, param, message: `${param}: Required.` }]);
  });
});

describe("a beacon", () => {
  it("is found, replaced and deleted by its pair and by its id, in its own environment only", async () => {
    const world = await fastWorld();
    const { testSecret: key, liveSecret } = world.keys;
    const { _id } = (await put("/v1/beacons/shop/door", key, { ...DOOR, tag: undefined, externalId: undefined })).body
      .beacon;
    expect((await get("/v1/beacons/shop/door", key)).body.beacon).toMatchObject({ _id, tag: "shop" });
    expect((await get(`/v1/beacons/${_id}`, key)).body.beacon).toMatchObject({ _id, externalId: "door" });
    expect((await get(`/v1/beacons/${_id}`, liveSecret)).status).toBe(404);
    const moved = await put(`/v1/beacons/${_id}`, key, { ...DOOR, description: "Back door" });
    expect(moved.body.beacon).toMatchObject({ _id, description: "Back door", tag: "shop" });
    expect((await put("/v1/beacons/nowhere", key, DOOR)).status).toBe(404);
    const other = await place(world, { ...DOOR, externalId: "gate" });
    expect((await put(`/v1/beacons/${other._id}`, key, DOOR)).status).toBe(409);
    expect((await del("/v1/beacons/shop/door", liveSecret)).status).toBe(404);
    expect((await del("/v1/beacons/shop/door", key)).body).toEqual({ meta: { code: 200 } });
    expect((await del("/v1/beacons/shop/door", key)).status).toBe(404);
    expect((await del(`/v1/beacons/${other._id}`, key)).body).toEqual({ meta: { code: 200 } });
  });

  it("is listed newest first, by tag, externalId and time of making, up to a limit", async () => {
    const world = await fastWorld();
    const { testSecret: key } = world.keys;
    for (const n of ["1", "2", "3"]) await place(world, { ...DOOR, externalId: n, tag: n === "3" ? "home" : "shop" });
    await sql("UPDATE beacon SET created_at = external_id * 1000 WHERE scope = ?", world.id * 2);
    const list = async (query: string) => {
      const { body } = await get(`/v1/beacons?${query}`, key);
      return [body.beacons.map((beacon: Json) => beacon.externalId).join(), body.meta.hasMore];
    };
    expect(await list("")).toEqual(["3,2,1", false]);
    expect(await list("limit=2")).toEqual(["3,2", true]);
    expect(await list("tag=shop")).toEqual(["2,1", false]);
    expect(await list("externalId=1")).toEqual(["1", false]);
    expect(await list("createdAfter=1970-01-01T00:00:01Z")).toEqual(["3,2", false]);
    expect(await list("createdBefore=1970-01-01T00:00:02Z")).toEqual(["1", false]);
  });
});

describe("GET /v1/search/beacons", () => {
  const near = `near=${SHOP.latitude},${SHOP.longitude}`;

  it("finds enabled beacons within a kilometre, nearest first, at most ten", async () => {
    const world = await fastWorld();
    await place(world, TILL);
    await place(world, DOOR);
    await place(world, { ...DOOR, externalId: "off", enabled: false });
    await place(world, { ...DOOR, externalId: "far", coordinates: [SHOP.longitude, SHOP.latitude + 0.0095] });
    const search = async (query = "") => {
      const { body } = await get(`/v1/search/beacons?${near}${query}`, world.keys.testPublishable);
      expect(body.meta.settings).toEqual({ beacons: { uuids: [], uids: [] } });
      return body.beacons.map((beacon: Json) => beacon.externalId ?? beacon.description);
    };
    expect(await search()).toEqual(["door", "Till"]);
    expect(await search("&limit=1")).toEqual(["door"]);
    expect(await search("&radius=1100")).toEqual(["door", "Till", "far"]);
    expect(await search("&radius=50")).toEqual(["door"]);
    for (let i = 0; i < 12; i++) await place(world, { ...TILL, instance: String(i) });
    expect(await search()).toHaveLength(10);
  });

  it("lists only iBeacons for an iPhone, by its header or else its user agent, before the limit counts", async () => {
    const world = await fastWorld();
    await place(world, { ...TILL, coordinates: DOOR.coordinates });
    await place(world, { ...DOOR, coordinates: TILL.coordinates });
    const types = async (headers: Record<string, string>, query = "") => {
      const key = world.keys.testPublishable;
      const { body } = await call("GET", `/v1/search/beacons?${near}${query}`, { key, headers });
      const json = { ...SHOP };
      const { body: region } = await call("POST", "/v1/sync/region", { key, headers, json });
      if (query === "") expect(region.beacons).toEqual(body.beacons);
      return body.beacons.map(({ type }: Json) => type);
    };
    const both = ["eddystone", "ibeacon"];
    const agent = (name: string) => ({ "user-agent": name });
    const safari = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15";
    for (const headers of [
      { "x-radar-device-type": "iOS" },
      { "x-radar-device-type": "ios", ...agent("okhttp/4.12") },
      agent("Shop/12 CFNetwork/3826.500 Darwin/24.5.0"),
      agent(safari),
    ]) {
      expect(await types(headers)).toEqual(["ibeacon"]);
      expect(await types(headers, "&limit=1")).toEqual(["ibeacon"]);
      expect(await types(headers, "&type=eddystone")).toEqual(["eddystone"]);
    }
    for (const headers of [
      { "x-radar-device-type": "Android" },
      { "x-radar-device-type": "Web", ...agent(safari) },
      agent("Dalvik/2.1.0 (Linux; U; Android 16; Pixel 10)"),
    ])
      expect(await types(headers)).toEqual(both);
  });

  it("tells the uuids and uids by which alone to listen, as the project has set them", async () => {
    const world = await fastWorld();
    const beacons = { uuids: [UUID.toLowerCase()], uids: ["f7826da64fa24e988024"] };
    await call("PATCH", "/v1/settings", { key: world.keys.testSecret, json: { beacons } });
    const { body } = await get(`/v1/search/beacons?${near}`, world.keys.testPublishable);
    expect(body).toEqual({ meta: { code: 200, settings: { beacons } }, beacons: [] });
  });
});

describe("a device that ranges beacons", () => {
  it("enters the first time it hears one, stays, and exits when the list no longer holds it", async () => {
    const world = await fastWorld();
    const door = await place(world, DOOR);
    await place(world, TILL);
    const first = await track(world, [HEARD_DOOR, HEARD_TILL, { type: "wifi" }, "noise", { type: "ibeacon" }]);
    expect(first.told).toEqual([
      ["user.entered_beacon", "Door"],
      ["user.entered_beacon", "Till"],
    ]);
    expect(first.events[0].beacon).toEqual({
      _id: door._id,
      type: "ibeacon",
      uuid: UUID.toLowerCase(),
      major: "1",
      minor: "2",
      description: "Door",
      tag: "shop",
      externalId: "door",
      enabled: true,
      metadata: DOOR.metadata,
    });
    expect(first.user.beacons).toHaveLength(2);
    expect((await track(world, [HEARD_TILL, HEARD_DOOR])).told).toEqual([]);
    const left = await track(world, [HEARD_TILL]);
    expect(left.told).toEqual([["user.exited_beacon", "Door"]]);
    expect(left.events[0].duration).toBeGreaterThanOrEqual(0);
    expect(left.user.beacons).toEqual([expect.objectContaining({ description: "Till" })]);
  });

  it("leaves nothing when it does not listen, and everything when it hears nothing", async () => {
    const world = await fastWorld();
    await place(world, DOOR);
    await track(world, [HEARD_DOOR]);
    const deaf = await track(world, undefined);
    expect([deaf.told, deaf.user.beacons.length]).toEqual([[], 1]);
    expect((await track(world, null)).told).toEqual([]);
    expect((await track(world, [])).told).toEqual([["user.exited_beacon", "Door"]]);
  });

  it("hears a beacon whatever the case of its identifiers, and numbers for strings", async () => {
    const world = await fastWorld();
    await place(world, DOOR);
    const loud = { type: "iBeacon", uuid: UUID, major: 1, minor: 2 };
    expect((await track(world, [loud])).told).toEqual([["user.entered_beacon", "Door"]]);
  });

  it("makes no events with a disabled beacon, not even when it goes, and again when it is enabled", async () => {
    const world = await fastWorld();
    await place(world, DOOR);
    await track(world, [HEARD_DOOR]);
    await place(world, { ...DOOR, enabled: false });
    const off = await track(world, [HEARD_DOOR]);
    expect([off.told, off.user.beacons]).toEqual([[], []]);
    await place(world, DOOR);
    expect((await track(world, [HEARD_DOOR])).told).toEqual([["user.entered_beacon", "Door"]]);
  });

  it("hears the rotated identifiers of a beacon as the same beacon", async () => {
    const world = await fastWorld();
    await place(world, DOOR);
    await track(world, [HEARD_DOOR]);
    await place(world, { ...DOOR, minor: "77" });
    expect((await track(world, [{ ...HEARD_DOOR, minor: "77" }])).told).toEqual([]);
    expect((await track(world, [HEARD_DOOR])).told).toEqual([["user.exited_beacon", "Door"]]);
  });

  it("exits a beacon that was deleted", async () => {
    const world = await fastWorld();
    await place(world, DOOR);
    await track(world, [HEARD_DOOR]);
    await del("/v1/beacons/shop/door", world.keys.testSecret);
    expect((await track(world, [HEARD_DOOR])).told).toEqual([["user.exited_beacon", "Door"]]);
  });

  it("shows no list of beacons where the project has none, and never those of the other environment", async () => {
    const world = await fastWorld();
    expect((await track(world, [HEARD_DOOR])).user).not.toHaveProperty("beacons");
    await post("/v1/beacons", world.keys.liveSecret, DOOR);
    expect((await track(world, [HEARD_DOOR])).told).toEqual([]);
  });

  it("is not listened to where the project has switched beacons off", async () => {
    const world = await fastWorld();
    await place(world, DOOR);
    await track(world, [HEARD_DOOR]);
    const json = { tracking: { beacons: false } };
    await call("PATCH", "/v1/settings", { key: world.keys.testSecret, json });
    const { told, user } = await track(world, [HEARD_DOOR]);
    expect([told, user.beacons]).toEqual([[], undefined]);
  });
});
