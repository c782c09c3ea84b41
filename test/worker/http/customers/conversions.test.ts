import { describe, expect, it } from "vitest";
import { call, eventually, get, type Json, makeWorld, post, put, type World } from "../../../support/world.ts";

const HERE = { latitude: 40.7, longitude: -73.98 };
const fastWorld = (settings: Json = {}) =>
  makeWorld({ settings: { ...settings, rateLimits: { track: 1000, logConversion: 1000, verifyEvent: 1000 } } });
const track = (world: World, more: Json = {}) =>
  post("/v1/track", world.keys.testPublishable, { deviceId: "phone", userId: "ann", ...HERE, accuracy: 5, ...more });
const log = (world: World, json: Json) => post("/v1/events", world.keys.testPublishable, json);

describe("POST /v1/events", () => {
  it("logs a conversion of a user, where the user was last seen", async () => {
    const world = await fastWorld();
    const { user } = (await track(world, { metadata: { vip: true } })).body;
    const createdAt = new Date(Date.now() - 60_000).toISOString();
    const bought = { name: "bought_shoes", deviceId: "phone", userId: "ann", revenue: 99.5, metadata: { size: 44 } };
    const { status, body } = await log(world, { ...bought, createdAt, duration: 3 });
    expect([status, body.event]).toEqual([
      200,
      {
        _id: expect.stringMatching(/^[0-9a-f]{32}$/),
        type: "bought_shoes",
        live: false,
        createdAt,
        duration: 3,
        actualCreatedAt: expect.stringMatching(/Z$/),
        user: { _id: user._id, userId: "ann", deviceId: "phone", metadata: { vip: true } },
        metadata: { size: 44, revenue: 99.5 },
        location: { type: "Point", coordinates: [HERE.longitude, HERE.latitude] },
        locationAccuracy: 5,
        confidence: 3,
        custom: true,
      },
    ]);
    const stored = await eventually(
      () => get(`/v1/events/${body.event._id}`, world.keys.testSecret),
      (answer) => answer.status === 200,
    );
    expect(stored.body.event).toEqual(body.event);
  });

  it("finds the device by userId alone, takes installId for deviceId and type for name", async () => {
    const world = await fastWorld();
    const { user } = (await track(world)).body;
    await eventually(
      () => get("/v1/users/ann", world.keys.testSecret),
      ({ status }) => status === 200,
    );
    expect((await log(world, { name: "a", userId: "ann" })).body.event.user._id).toBe(user._id);
    expect((await log(world, { type: "b", installId: "phone", userId: "ann" })).body.event).toMatchObject({
      type: "b",
      user: { _id: user._id },
    });
    expect((await log(world, { name: "a", userId: "nobody" })).status).toBe(404);
  });

  it("knows a user before it is located by the same _id as afterwards", async () => {
    const world = await fastWorld();
    const early = [];
    for (const name of ["opened", "clicked"]) early.push((await log(world, { name, deviceId: "phone" })).body.event);
    expect(early[0].user._id).toBe(early[1].user._id);
    expect(early[0]).not.toHaveProperty("location");
    const { user } = (await track(world, { userId: undefined })).body;
    expect(user._id).toBe(early[0].user._id);
    const late = (await log(world, { name: "bought", deviceId: "phone" })).body.event;
    const ids = new Set([...early, late].map(({ _id }) => _id));
    expect([late.user._id, ids.size]).toEqual([user._id, 3]);
    const { body } = await eventually(
      () => get("/v1/events", world.keys.testSecret),
      (answer) => answer.body.events.length === 3,
    );
    expect(body.events).toHaveLength(3);
  });

  it.each([
    [{ deviceId: "phone" }, "name", "name: Required."],
    [{ name: "x" }, "deviceId", "deviceId: Required."],
    [{ name: "user.entered_geofence", deviceId: "phone" }, "name", "reserved"],
    [{ name: "alert.disk", deviceId: "phone" }, "name", "reserved"],
    [{ name: "x", deviceId: "phone", metadata: [1] }, "metadata", "metadata"],
    [{ name: "x", deviceId: "phone", duration: -1 }, "duration", "Valid range: [0, 5270400]."],
    [{ name: "x", deviceId: "phone", createdAt: "now" }, "createdAt", "ISO 8601"],
  ])("refuses %j by name", async (json, param, message) => {
    const { status, body } = await log(await fastWorld(), json);
    expect([status, body.meta.param]).toEqual([400, param]);
    expect(body.meta.message).toContain(message);
  });
});

describe("PUT /v1/events/:id/verification", () => {
  it("notes whether an event was true, also in the second after it was made", async () => {
    const world = await fastWorld();
    const { event } = (await log(world, { name: "a", deviceId: "phone" })).body;
    const path = `/v1/events/${event._id}/verification`;
    const verdict = { verification: "1", verifiedPlaceId: "p", deviceId: "phone" };
    const verified = await put(path, world.keys.testPublishable, verdict);
    expect([verified.status, verified.body.event]).toEqual([200, { ...event, verification: 1, verifiedPlaceId: "p" }]);
    expect((await put(path, world.keys.testPublishable, { verification: -1 })).body.event).toMatchObject({
      verification: -1,
      verifiedPlaceId: "p",
    });
  });

  it("says at once that an event does not exist, but waits for one of a user who is new", async () => {
    const world = await fastWorld();
    const unknown = async (id: string) => {
      const begun = performance.now();
      const { status } = await put(`/v1/events/${id}/verification`, world.keys.testPublishable, { verification: 1 });
      expect(status).toBe(404);
      return performance.now() - begun;
    };
    const idAt = (ms: number) => `${Math.floor(ms / 1000).toString(16)}${"0".repeat(24)}`;
    for (const id of [idAt(Date.now() - 3_600_000), idAt(Date.now() + 3_600_000), "x"]) {
      const times: number[] = [];
      // On a busy machine, one of five is undisturbed.
      for (let i = 0; i < 5; i++) times.push(await unknown(id));
      expect([id, Math.min(...times) < 700]).toEqual([id, true]);
    }
    expect(await unknown(idAt(Date.now()))).toBeGreaterThan(790);
  });

  it("accepts the names of Android's enum", async () => {
    const world = await fastWorld();
    const { event } = (await log(world, { name: "a", deviceId: "phone" })).body;
    const path = `/v1/events/${event._id}/verification`;
    for (const [name, number] of Object.entries({ ACCEPT: 1, UNVERIFY: 0, REJECT: -1, reject: -1, "-1": -1 })) {
      const { body } = await put(path, world.keys.testPublishable, { verification: name });
      expect([name, body.event.verification]).toEqual([name, number]);
    }
    for (const name of ["ACCEPTED", "constructor", "", true, null])
      expect((await put(path, world.keys.testPublishable, { verification: name })).status).toBe(400);
  });

  it("refuses other numbers, and events of the other environment", async () => {
    const world = await fastWorld();
    const { event } = (await log(world, { name: "a", deviceId: "phone" })).body;
    const path = `/v1/events/${event._id}/verification`;
    const bad = await put(path, world.keys.testPublishable, { verification: 2 });
    expect(bad.body.meta.message).toBe("verification: Invalid verification. Valid range: [-1, 1].");
    expect((await put(path, world.keys.livePublishable, { verification: 1 })).status).toBe(404);
  });
});

describe("fraud checks", () => {
  const NEVER = {
    lastMockedAt: null,
    lastJumpedAt: null,
    lastCompromisedAt: null,
    lastInaccurateAt: null,
    lastProxyAt: null,
    lastSharingAt: null,
  };
  const fraudWorld = () => fastWorld({ tracking: { ...OFF, fraud: true } });
  const OFF = { regions: { country: false, state: false, dma: false, postalCode: false }, places: false };

  it("are silent unless the project has switched them on", async () => {
    const { body } = await track(await fastWorld(), { mocked: true });
    expect([body.events, body.user.fraud]).toEqual([[], undefined]);
  });

  it("show on the user, with the time of each failure or null", async () => {
    const world = await fraudWorld();
    const clean = (await track(world, { verified: true })).body;
    expect(clean.user.fraud).toEqual({
      verified: true,
      passed: true,
      bypassed: false,
      blocked: false,
      mocked: false,
      jumped: false,
      compromised: false,
      inaccurate: false,
      proxy: false,
      sharing: false,
      ...NEVER,
    });
    const bad = (await track(world, { mocked: true, compromised: true, sharing: true, accuracy: 1500 })).body;
    expect(bad.user.fraud).toMatchObject({
      passed: false,
      verified: false,
      mocked: true,
      compromised: true,
      sharing: true,
      inaccurate: true,
      jumped: false,
      lastMockedAt: bad.user.updatedAt,
      lastJumpedAt: null,
    });
    expect(bad.events.map(({ type }: Json) => type)).toEqual(["user.failed_fraud"]);
    expect(bad.events[0].fraud).toMatchObject({ mocked: true });
    // Told once, until it passes again.
    expect((await track(world, { mocked: true })).body.events).toEqual([]);
    const mended = (await track(world)).body;
    expect([mended.events, mended.user.fraud.passed]).toEqual([[], true]);
    expect(mended.user.fraud.lastMockedAt).not.toBeNull();
    expect((await track(world, { mocked: true })).body.events).toHaveLength(1);
  });

  it("find a device that has jumped", async () => {
    const world = await fraudWorld();
    await track(world);
    const { body } = await track(world, { latitude: 50 });
    expect([body.user.fraud.jumped, body.events.map(({ type }: Json) => type)]).toEqual([true, ["user.failed_fraud"]]);
  });

  it("let a bypassed user pass, and leave a blocked one where it was", async () => {
    const world = await fraudWorld();
    await track(world);
    await eventually(
      () => get("/v1/users/ann", world.keys.testSecret),
      ({ status }) => status === 200,
    );
    const decide = (json: Json, id = "ann") =>
      call("PATCH", `/v1/users/${id}/fraud`, { key: world.keys.testSecret, json });
    expect((await decide({ bypassed: true })).body.user.fraud).toMatchObject({ bypassed: true, passed: true });
    const bypassed = (await track(world, { mocked: true })).body;
    expect([bypassed.events, bypassed.user.fraud]).toEqual([
      [],
      expect.objectContaining({ mocked: true, passed: true, bypassed: true }),
    ]);
    await decide({ bypassed: false, blocked: true });
    const blocked = (await track(world, { latitude: 40.8 })).body;
    expect(blocked.user.location.coordinates).toEqual([HERE.longitude, HERE.latitude]);
    expect([blocked.events, blocked.user.fraud]).toEqual([
      [],
      expect.objectContaining({ blocked: true, passed: false }),
    ]);
    await decide({ blocked: false });
    expect((await track(world, { latitude: 40.8 })).body.user.location.coordinates[1]).toBe(40.8);
    expect((await decide({})).status).toBe(400);
    expect((await decide({ blocked: true }, "nobody")).status).toBe(404);
  });
});
