import { describe, expect, it } from "vitest";
import { ask, makeMember } from "../../support/members.ts";
import { call, eventually, get, type Json, makeWorld, post, put, type World } from "../../support/world.ts";

/** What a publishable key may add per hour: events, bytes of its project and of one device, and the size of metadata. */

const HERE = { latitude: 40.7, longitude: -73.98 };
const FAST = { track: 1000, logConversion: 1000, createTrip: 1000, updateTrip: 1000, setTripLegs: 1000 };
const worldWith = (rateLimits: Json) => makeWorld({ settings: { rateLimits: { ...FAST, ...rateLimits } } });
const keyOf = (world: World) => world.keys.testPublishable;
const track = (key: string, deviceId: string, more: Json = {}) =>
  post("/v1/track", key, { deviceId, ...HERE, accuracy: 5, ...more });
const buy = (key: string, deviceId: string, more: Json = {}) =>
  post("/v1/events", key, { name: "bought", deviceId, ...more });

/** Metadata of `bytes` bytes as JSON, of as many keys as that needs. */
function metadataOf(bytes: number, letter = "x"): Json {
  const size = new TextEncoder().encode(letter).length;
  const full = Array.from({ length: 5 }, (_, i) => [`k${i}`, ""]);
  const empty = JSON.stringify(Object.fromEntries(full)).length;
  let left = Math.floor((bytes - empty) / size);
  const texts = full.map(([key]) => {
    const length = Math.min(left, 4000);
    left -= length;
    return [key, letter.repeat(length)];
  });
  const odd = (bytes - empty) % size;
  texts[4][1] += "x".repeat(odd);
  return Object.fromEntries(texts);
}

describe("metadata", () => {
  const LIMIT = 16_384;

  it.each([
    ["POST /v1/track", (key: string, metadata: Json) => track(key, "a", { metadata }), "metadata"],
    ["POST /v1/events", (key: string, metadata: Json) => buy(key, "a", { metadata }), "metadata"],
    [
      "POST /v1/trips",
      (key: string, metadata: Json) => post("/v1/trips", key, { externalId: "t", metadata }),
      "metadata",
    ],
    [
      "tripOptions",
      (key: string, metadata: Json) => track(key, "b", { tripOptions: { externalId: "o", metadata } }),
      "tripOptions[metadata]",
    ],
    [
      "a leg",
      (key: string, metadata: Json) =>
        post("/v1/trips", key, { externalId: "l", legs: [{ destination: { coordinates: [1, 2] }, metadata }] }),
      "legs[0][metadata]",
    ],
  ])("of %s has at most 16 kB as JSON in UTF-8", async (_, send, param) => {
    const key = keyOf(await worldWith({}));
    for (const letter of ["x", "é", "区"]) {
      const above = await send(key, metadataOf(LIMIT + 1, letter));
      expect([above.status, above.body.meta.param]).toEqual([400, param]);
      expect(above.body.meta.message).toContain("at most 16384 bytes");
    }
    expect((await send(key, metadataOf(LIMIT, "区"))).status).toBe(200);
  });

  it("of the legs of a trip together has as much", async () => {
    const key = keyOf(await worldWith({}));
    const legs = (bytes: number) =>
      Array.from({ length: 4 }, () => ({ destination: { coordinates: [1, 2] }, metadata: metadataOf(bytes / 4) }));
    const above = await post("/v1/trips", key, { externalId: "a", legs: legs(LIMIT + 4) });
    expect([above.status, above.body.meta.param]).toEqual([400, "legs"]);
    expect((await post("/v1/trips", key, { externalId: "a", legs: legs(LIMIT) })).status).toBe(200);
  });

  it("of an update of a batch rejects only that update", async () => {
    const key = keyOf(await worldWith({}));
    const replays = [LIMIT, LIMIT + 1].map((bytes, i) => ({
      ...{ deviceId: "a", ...HERE, accuracy: 5, updatedAtMsDiff: 1000 - i, metadata: metadataOf(bytes) },
    }));
    const { status, body } = await post("/v1/track/replay", key, { replays });
    expect([status, body.accepted, body.rejected]).toEqual([
      ...[200, 1],
      [{ index: 1, param: "metadata", message: expect.stringContaining("16384 bytes") }],
    ]);
  });
});

describe("events of a publishable key", () => {
  it("are limited per hour and by name; secret keys, other projects and the live half are not", async () => {
    const world = await worldWith({ newEvents: 3 });
    const other = await worldWith({ newEvents: 3 });
    const statuses = [];
    for (let i = 0; i < 4; i++) statuses.push((await buy(keyOf(world), `d${i}`)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const refused = await buy(keyOf(world), "d0");
    expect(refused.body.meta).toMatchObject({
      type: "newEvents",
      message: "Rate limit exceeded: 3 new events per hour with a publishable key (newEvents).",
    });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(60);
    expect(refused.headers.get("x-ratelimit-limit")).toBe("3");
    for (const key of [world.keys.testSecret, world.keys.livePublishable, keyOf(other)])
      expect((await buy(key, "d0")).status).toBe(200);
    // Tracking goes on.
    expect((await track(keyOf(world), "d0")).status).toBe(200);
  });

  it("of phones without a network count, too", async () => {
    const world = await worldWith({ newEvents: 1 });
    const fence = { description: "Home", type: "circle", coordinates: [HERE.longitude, HERE.latitude], radius: 100 };
    const { geofence } = (await put("/v1/geofences/home/one", world.keys.testSecret, fence)).body;
    await track(keyOf(world), "a", { latitude: 41 });
    const report = (eventId: string) =>
      buy(keyOf(world), "a", {
        ...{ name: "user.entered_geofence", geofenceId: geofence._id, eventId },
        ...{ createdAt: new Date().toISOString(), metadata: { offline: true } },
      });
    expect((await report("one")).status).toBe(200);
    expect((await report("two")).body.meta).toMatchObject({ code: 429, type: "newEvents" });
  });
});

describe("megabytes of a publishable key", () => {
  const large = { metadata: metadataOf(16_000) };

  it("are limited per project: conversions, new users and trips wait, positions of known users do not", async () => {
    const world = await worldWith({ newMegabytes: 1 });
    const [key, secret] = [keyOf(world), world.keys.testSecret];
    await track(key, "known");
    const sent = [];
    for (let i = 0; i < 80; i++) sent.push((await buy(key, `d${i}`, large)).status);
    const first = sent.indexOf(429);
    // 16 kB each, and a row: the last one may exceed the limit.
    expect(first).toBeGreaterThan(50);
    expect(first).toBeLessThan(66);
    const refused = await buy(key, "known", large);
    expect(refused.body.meta).toMatchObject({
      type: "newMegabytes",
      message: "Rate limit exceeded: 1 MB of new data per hour with a publishable key (newMegabytes).",
    });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    const replays = [{ deviceId: "new2", ...HERE, accuracy: 5, ...large }];
    for (const answer of [
      await track(key, "new", large),
      await post("/v1/track/replay", key, { replays }),
      await track(key, "known", large),
      await post("/v1/trips", key, { externalId: "t", ...large }),
    ])
      expect([answer.status, answer.body.meta.type]).toEqual([429, "newMegabytes"]);
    const fix = (deviceId: string) => ({
      type: "Feature",
      geometry: { type: "Point", coordinates: [HERE.longitude, HERE.latitude] },
      properties: { timestamp: new Date().toISOString(), horizontal_accuracy: 5, device_id: deviceId },
    });
    const ingest = (deviceId: string) => post("/v1/ingest/overland", key, { locations: [fix(deviceId)] });
    expect([(await ingest("new4")).status, (await ingest("known")).status]).toEqual([429, 200]);
    // Nothing is stored.
    expect((await post("/v1/sync/region", key, HERE)).status).toBe(200);
    expect((await track(key, "anyone", { anonymous: true })).status).toBe(200);
    const named = await track(key, "known", { tripOptions: { externalId: "named" } });
    expect([named.status, named.body.user.trip]).toEqual([200, undefined]);
    expect((await track(key, "known", { latitude: 40.8 })).status).toBe(200);
    for (const own of [secret, world.keys.livePublishable]) {
      expect((await buy(own, "known", large)).status).toBe(200);
      expect((await track(own, "new3", large)).status).toBe(200);
      expect((await post("/v1/trips", own, { externalId: "t", ...large })).status).toBe(200);
    }
  });

  it("are limited per device, whatever it adds; another device goes on", async () => {
    const world = await worldWith({ newMegabytesPerDevice: 1 });
    const key = keyOf(world);
    const sent = [];
    for (let i = 0; i < 70; i++) sent.push((await buy(key, "a", large)).status);
    expect(sent.indexOf(429)).toBeGreaterThan(50);
    const refused = await buy(key, "a");
    expect(refused.body.meta).toMatchObject({
      type: "newMegabytesPerDevice",
      message:
        "Rate limit exceeded: 1 MB of new data per device per hour with a publishable key (newMegabytesPerDevice).",
    });
    expect((await track(key, "a")).body.meta.type).toBe("newMegabytesPerDevice");
    for (const answer of [
      await buy(key, "b", large),
      await track(key, "c", large),
      await buy(world.keys.testSecret, "a"),
    ])
      expect(answer.status).toBe(200);
  });

  it("count metadata that changes with every update, in the history of a device", async () => {
    const key = keyOf(await worldWith({ newMegabytesPerDevice: 1 }));
    const change = (i: number) => track(key, "a", { metadata: metadataOf(16_000, String.fromCharCode(97 + (i % 26))) });
    const sent = [];
    for (let i = 0; i < 70; i++) sent.push((await change(i)).status);
    expect(sent.indexOf(429)).toBeGreaterThan(50);
    expect((await track(key, "a", { latitude: 41 })).status).toBe(200);
  });

  it("count a batch of a phone that was offline as a whole: it is stored, and the next additions wait", async () => {
    const key = keyOf(await worldWith({ newMegabytesPerDevice: 1 }));
    const batch = (from: number) =>
      Array.from({ length: 100 }, (_, i) => ({
        ...{ deviceId: "a", ...HERE, accuracy: 5, metadata: metadataOf(16_000, String.fromCharCode(97 + (i % 26))) },
        ...{ updatedAt: new Date(Date.now() - 1000 * (from - i)).toISOString(), replayed: true },
      }));
    const whole = await post("/v1/track/replay", key, { replays: batch(1000) });
    expect([whole.status, (await buy(key, "a")).body.meta.type]).toEqual([200, "newMegabytesPerDevice"]);
    const next = await post("/v1/track/replay", key, { replays: batch(500) });
    expect([next.status, next.body.meta.type]).toEqual([429, "newMegabytesPerDevice"]);
  });

  it("count the events of a trip's changes; a trip can always end", async () => {
    const world = await worldWith({ newMegabytes: 1 });
    const key = keyOf(world);
    await track(key, "a", { tripOptions: { externalId: "t", legs: [{ destination: { coordinates: [1, 2] } }] } });
    const path = "/v1/trips/t/update";
    const patch = (json: Json) => call("PATCH", path, { key, json: { deviceId: "a", ...json } });
    await eventually(
      () => get("/v1/trips/t", world.keys.testSecret),
      ({ status }) => status === 200,
    );
    const grown = await patch({ metadata: metadataOf(16_000) });
    expect(grown.status).toBe(200);
    for (let i = 0; i < 70; i++) await buy(key, `d${i}`, large);
    const refused = await patch({ metadata: metadataOf(16_001) });
    expect([refused.status, refused.body.meta.type]).toEqual([429, "newMegabytes"]);
    expect((await patch({ status: "canceled" })).status).toBe(200);
  });
});

describe("the storage of the databases", () => {
  it("is in the status of the deployment, with the size that D1 allows", async () => {
    const world = await makeWorld();
    const { cookie } = await makeMember({ [world.id]: "owner" });
    const { status, body } = await ask("GET", "/dashboard/api/status", { cookie, project: world.id });
    expect(status).toBe(200);
    const [first] = body.storage;
    expect(first).toMatchObject({ database: "DB", limit: 10_000_000_000 });
    expect(first.bytes).toBeGreaterThan(100_000);
    for (const rows of Object.values(first.rows ?? {})) expect(rows).toBeGreaterThanOrEqual(0);
  });
});
