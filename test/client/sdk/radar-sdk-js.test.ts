import Radar from "radar-sdk-js";
import { afterEach, beforeEach, expect, inject, it, vi } from "vitest";
import { signToken } from "../../core/auth/sign.ts";
import { call, control, eventually, get, makeWorld, post, put, type World } from "../../support/world.ts";
import { openWorld } from "../../worker/http/conformance/open-world.ts";
import { type Browser, openBrowser } from "./browser.ts";

/**
 * The JavaScript SDK as it is published, in a page of another origin.
 *
 *        OUTSIDE (40.710)
 *           |
 *      ( office 40.700, 100 m )
 */
const INSIDE = { latitude: 40.7, longitude: -73.98, accuracy: 5 };
const OUTSIDE = { latitude: 40.71, longitude: -73.98, accuracy: 5 };

let browser: Browser;
beforeEach(() => {
  browser = openBrowser();
});
afterEach(() => {
  Radar.clear();
  vi.unstubAllGlobals();
});

/** As a page would: with its key and nothing else but where the service is. */
const initialize = (publishableKey: string, more: Parameters<typeof Radar.initialize>[1] = {}) =>
  Radar.initialize(publishableKey, { host: inject("baseUrl"), debug: true, logLevel: "none", ...more });

/** The SDK sends no userId when it changes a trip; a page adds it (docs/guides/sdks.md). */
const withUser = (userId: string) => ({ getRequestHeaders: () => ({ "X-Radar-User-Id": userId }) });

const office = (world: World) =>
  put("/v1/geofences/office/1", world.keys.testSecret, {
    description: "Office",
    type: "circle",
    coordinates: [INSIDE.longitude, INSIDE.latitude],
    radius: 100,
    metadata: { floor: 3 },
  });

const config = () => browser.seen.filter(({ path }) => path === "/v1/config");

it("calls for its configuration when it is initialized", async () => {
  initialize((await openWorld()).keys.testPublishable);
  await eventually(
    async () => config(),
    (calls) => calls.length > 0,
  );
  expect(config()).toEqual([{ method: "GET", path: "/v1/config", status: 200 }]);
});

it("tracks a device from outside into a geofence, inside it, and out again", async () => {
  const world = await openWorld();
  await office(world);
  initialize(world.keys.testPublishable);
  Radar.setUserId("ann");
  Radar.setDescription("Ann");
  Radar.setMetadata({ vip: true, level: 3 });
  const entered = { tag: "office", externalId: "1", description: "Office", metadata: { floor: 3 } };

  const outside = await Radar.trackOnce(OUTSIDE);
  expect(outside.location).toEqual(OUTSIDE);
  expect(outside.events).toEqual([]);
  expect(outside.user).toMatchObject({
    userId: "ann",
    description: "Ann",
    metadata: { vip: true, level: 3 },
    deviceType: "Web",
    foreground: true,
    stopped: true,
    geofences: [],
  });

  // Where the browser says that the device is.
  browser.position = INSIDE;
  const inside = await Radar.trackOnce();
  expect(inside.location).toEqual(INSIDE);
  expect(inside.events).toEqual([
    expect.objectContaining({
      type: "user.entered_geofence",
      geofence: expect.objectContaining(entered),
      confidence: 3,
    }),
  ]);
  expect(inside.user?.geofences).toEqual([expect.objectContaining(entered)]);
  expect(inside.user?._id).toBe(outside.user?._id);
  expect(inside.user?.deviceId).toBe(outside.user?.deviceId);

  const still = await Radar.trackOnce({ ...INSIDE, latitude: INSIDE.latitude + 1e-5 });
  expect(still.events).toEqual([]);
  expect(still.user?.geofences).toHaveLength(1);

  const left = await Radar.trackOnce(OUTSIDE);
  expect(left.events).toEqual([expect.objectContaining({ type: "user.exited_geofence" })]);
  expect(left.user?.geofences).toEqual([]);

  const user = await eventually(
    () => get("/v1/users/ann", world.keys.testSecret),
    ({ status }) => status === 200,
  );
  expect(user.body.user).toMatchObject({ _id: left.user?._id, deviceId: left.user?.deviceId });
  expect(config().every(({ status }) => status === 200)).toBe(true);
});

it("gets the context of a place", async () => {
  const world = await openWorld();
  await office(world);
  initialize(world.keys.testPublishable);
  const inside = await Radar.getContext(INSIDE);
  expect(inside.location).toEqual(INSIDE);
  expect(inside.geofences).toEqual([expect.objectContaining({ tag: "office", externalId: "1" })]);
  expect((await Radar.getContext(OUTSIDE)).geofences).toEqual([]);
  browser.position = INSIDE;
  expect((await Radar.getContext({} as typeof INSIDE)).geofences).toHaveLength(1);
});

it("searches for geofences, by list of tags, without geometry, and with metadata that it sends as no text should be", async () => {
  const world = await openWorld();
  await office(world);
  initialize(world.keys.testPublishable);
  const { geofences } = await Radar.searchGeofences({
    near: OUTSIDE,
    radius: 2000,
    tags: ["home", "office"],
    limit: 10,
  });
  expect(geofences).toEqual([
    expect.objectContaining({
      tag: "office",
      type: "circle",
      geometryRadius: 100,
      geometry: expect.objectContaining({ type: "Polygon" }),
    }),
  ]);
  const bare = await Radar.searchGeofences({ near: "40.71,-73.98", includeGeometry: false, metadata: { floor: 3 } });
  expect(bare.geofences).toEqual([expect.not.objectContaining({ geometry: expect.anything() })]);
  browser.position = OUTSIDE;
  expect(
    (await Radar.searchGeofences({ radius: 100 } as Parameters<typeof Radar.searchGeofences>[0])).geofences,
  ).toEqual([]);
});

it("hears of the request id, when all is well and when it is not, and the log knows it", async () => {
  initialize((await openWorld()).keys.testPublishable);
  const tracked = await Radar.trackOnce(OUTSIDE);
  const failed = await Radar.trackOnce({ ...OUTSIDE, latitude: 91 }).catch((error) => error);
  for (const response of [tracked.response, failed.response]) {
    const id = response?.meta?.requestId;
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    const found = await eventually(
      () => control<{ message: string }[]>("logs"),
      (lines) => lines.some(({ message }) => message.includes(id)),
    );
    expect(found.filter(({ message }) => message.includes(id))).toHaveLength(1);
  }
});

it.each([
  ["an unknown key", "RadarUnauthorizedError", 401],
  ["a project that is disabled", "RadarPaymentRequiredError", 402],
  ["a page that may not use the key", "RadarForbiddenError", 403],
  ["a latitude beyond the pole", "RadarBadRequestError", 400],
] as const)("makes of %s a %s", async (what, name, code) => {
  const world =
    code === 402
      ? await makeWorld({ disabled: true })
      : await openWorld(code === 403 ? { allowedOrigins: ["https://other.example"] } : {});
  initialize(code === 401 ? `prj_test_pk_${"0".repeat(40)}` : world.keys.testPublishable);
  const error = await Radar.trackOnce({ ...OUTSIDE, ...(code === 400 ? { latitude: 91 } : {}) }).catch(
    (thrown) => thrown,
  );
  expect([what, error.name, error.code]).toEqual([what, name, code]);
  expect(error).toBeInstanceOf(Radar.errors[name]);
  expect(error.message).toBe(error.response.meta.message);
  if (code === 400) {
    expect(error.message).toBe("latitude: Invalid latitude. Valid range: [-90, 90].");
    expect(error.response.meta.param).toBe("latitude");
  }
});

it("makes of two updates within a second a RadarRateLimitError, and nothing has happened by the second", async () => {
  const world = await makeWorld();
  await office(world);
  initialize(world.keys.testPublishable);
  const first = await Radar.trackOnce(OUTSIDE);
  const error = await Radar.trackOnce(INSIDE).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(Radar.errors.RadarRateLimitError);
  expect(error.response.meta).toMatchObject({ code: 429, type: "second" });
  const deviceId = String(first.user?.deviceId);
  const stored = await eventually(
    () => get(`/v1/users/${deviceId}`, world.keys.testSecret),
    ({ status }) => status === 200,
  );
  expect(stored.body.user.location.coordinates).toEqual([OUTSIDE.longitude, OUTSIDE.latitude]);
});

it("starts a trip, tracks it to its destination, and completes it", async () => {
  const world = await openWorld();
  await office(world);
  initialize(world.keys.testPublishable, withUser("ann"));
  Radar.setUserId("ann");
  const options = {
    externalId: "order-1",
    destinationGeofenceTag: "office",
    destinationGeofenceExternalId: "1",
    mode: "car",
    approachingThreshold: 1,
    metadata: { box: 3 },
    scheduledArrivalAt: new Date(Date.now() + 3600_000),
  } as Parameters<typeof Radar.startTrip>[0];
  const { trip } = await Radar.startTrip(options);
  expect(trip).toMatchObject({ externalId: "order-1", status: "pending", metadata: { box: 3 }, mode: "car" });
  const away = await Radar.trackOnce({ ...OUTSIDE, latitude: 40.75 });
  expect(away.events?.map(({ type }) => type)).toEqual(["user.started_trip"]);
  expect(away.user?.trip).toMatchObject({ _id: trip?._id, status: "started", eta: { duration: expect.any(Number) } });
  const there = await Radar.trackOnce(INSIDE);
  expect(there.events?.map(({ type }) => type)).toEqual(["user.entered_geofence", "user.arrived_at_trip_destination"]);
  const done = await Radar.completeTrip();
  expect(done.trip).toMatchObject({ status: "completed", arrivedAt: expect.any(String) });
  expect(done.events?.map(({ type }) => type)).toEqual(["user.stopped_trip"]);
  expect((await Radar.trackOnce(INSIDE)).user).not.toHaveProperty("trip");
});

it("cancels a trip, and updates one before it has begun", async () => {
  const world = await openWorld();
  await office(world);
  initialize(world.keys.testPublishable, withUser("bob"));
  Radar.setUserId("bob");
  const options = { externalId: "order-2" } as Parameters<typeof Radar.startTrip>[0];
  await Radar.startTrip(options);
  const updated = await Radar.updateTrip({ ...options, metadata: { gift: true } });
  expect(updated.trip).toMatchObject({ status: "pending", metadata: { gift: true } });
  await Radar.trackOnce(OUTSIDE);
  const { trip, events } = await Radar.cancelTrip();
  expect([trip?.status, events?.length]).toEqual(["canceled", 1]);
});

it("does not end a trip without its userId, whose externalId anybody could guess, and keeps it for the next attempt", async () => {
  const world = await openWorld();
  await office(world);
  initialize(world.keys.testPublishable);
  Radar.setUserId("cid");
  await Radar.startTrip({ externalId: "order-3" } as Parameters<typeof Radar.startTrip>[0]);
  await Radar.trackOnce(OUTSIDE);
  await expect(Radar.completeTrip()).rejects.toMatchObject({ code: 404 });
  expect((await Radar.trackOnce(OUTSIDE)).user?.trip).toMatchObject({ externalId: "order-3" });
  initialize(world.keys.testPublishable, withUser("cid"));
  expect((await Radar.completeTrip()).trip?.status).toBe("completed");
});

it("logs a conversion with its revenue", async () => {
  const world = await openWorld();
  initialize(world.keys.testPublishable);
  Radar.setUserId("ann");
  const tracked = await Radar.trackOnce(OUTSIDE);
  const { event } = await Radar.logConversion({ name: "bought", revenue: 12.5, metadata: { size: "L" } });
  expect(event).toMatchObject({
    type: "bought",
    metadata: { size: "L", revenue: 12.5 },
    user: { _id: tracked.user?._id, userId: "ann" },
  });
});

it("is told of the beacons around, as the mobile SDKs ask for them", async () => {
  const world = await openWorld();
  const door = {
    description: "Door",
    type: "ibeacon",
    uuid: "aaaaaaaa-0000-4000-8000-000000000001",
    major: "1",
    minor: "2",
    enabled: true,
  };
  await post("/v1/beacons", world.keys.testSecret, { ...door, coordinates: [INSIDE.longitude, INSIDE.latitude] });
  const asked = "/v1/search/beacons?near=40.7,-73.98&radius=1000&limit=10";
  const { body } = await get(asked, world.keys.testPublishable);
  expect(body.meta).toEqual({ code: 200, settings: { beacons: { uuids: [], uids: [] } } });
  expect(body.beacons).toEqual([
    expect.objectContaining({ uuid: "aaaaaaaa-0000-4000-8000-000000000001", major: "1", minor: "2", type: "ibeacon" }),
  ]);
  initialize(world.keys.testPublishable);
  const beacons = [{ type: "ibeacon", uuid: "aaaaaaaa-0000-4000-8000-000000000001", major: "1", minor: "2" }];
  const { events } = await Radar.trackOnce({ ...OUTSIDE, beacons } as Parameters<typeof Radar.trackOnce>[0]);
  expect(events?.map(({ type }) => type)).toEqual(["user.entered_beacon"]);
});

it("speaks by a signed token in place of a key, for the user of the token alone", async () => {
  const world = await openWorld();
  const secret = "shared by the shop and its platform";
  const tokens = { required: true, keys: { shop: { alg: "HS256", secret } } };
  await call("PATCH", "/v1/settings", { key: world.keys.testSecret, json: { tokens } });
  const claims = { sub: "ann", aud: world.keys.testPublishable, exp: Math.floor(Date.now() / 1000) + 600 };
  const authToken = signToken(claims, secret, { alg: "HS256", kid: "shop" });
  Radar.initialize({ authToken, host: inject("baseUrl"), logLevel: "none" });
  expect((await Radar.trackOnce(INSIDE)).user?.userId).toBe("ann");
  const other = await Radar.trackOnce({ ...INSIDE, userId: "bob" }).catch((error) => error);
  expect(other.code ?? other.response?.meta?.code).toBe(403);
  Radar.clear();
  initialize(world.keys.testPublishable);
  const keyAlone = await Radar.trackOnce({ ...INSIDE, userId: "ann" }).catch((error) => error);
  expect(keyAlone.response?.meta?.code ?? keyAlone.code).toBe(401);
});
