import { describe, expect, it } from "vitest";
import { signToken } from "../../../core/auth/sign.ts";
import {
  call,
  eventually,
  get,
  type Json,
  makeWorld,
  post,
  put,
  sql,
  untilLimited,
  type World,
} from "../../../support/world.ts";

/** ( office 40.700, 100 m ) ── 1.1 km ── OUTSIDE 40.710 */
const OFFICE = { latitude: 40.7, longitude: -73.98 };
const OUTSIDE = { latitude: 40.71, longitude: -73.98 };

async function town(settings: Json = {}): Promise<World> {
  const world = await makeWorld({ settings: { ...settings, rateLimits: { track: 1000 } } });
  const fence = { description: "Office", type: "circle", coordinates: [-73.98, 40.7], radius: 100, userIds: undefined };
  expect((await put("/v1/geofences/office/1", world.keys.testSecret, fence)).status).toBe(200);
  return world;
}

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const point = (at: Json, minutes: number, more: Json = {}) => ({
  deviceId: "phone",
  accuracy: 5,
  foreground: true,
  updatedAt: minutesAgo(minutes),
  ...at,
  ...more,
});
const replay = (world: World, replays: unknown) => post("/v1/track/replay", world.keys.testPublishable, { replays });
const types = ({ body }: { body: Json }) => (body.events as Json[]).map(({ type }) => type);

describe("POST /v1/track/replay", () => {
  it("applies points in the order of their time, marks their events, and answers with the user after the last", async () => {
    const world = await town();
    const answer = await replay(world, [point(OUTSIDE, 1), point(OFFICE, 20), point(OUTSIDE, 30)]);
    expect([answer.status, types(answer)]).toEqual([200, ["user.entered_geofence", "user.exited_geofence"]]);
    expect(answer.body.events.every(({ replayed }: Json) => replayed)).toBe(true);
    expect(answer.body.events[1].duration).toBeCloseTo(19, 0);
    expect(answer.body.user.location.coordinates).toEqual([OUTSIDE.longitude, OUTSIDE.latitude]);
  });

  it("moves nobody back in time, and tells nothing twice", async () => {
    const world = await town();
    await replay(world, [point(OFFICE, 5)]);
    const older = await replay(world, [point(OUTSIDE, 10)]);
    expect([types(older), older.body.user.geofences.length]).toEqual([[], 1]);
    const again = point(OFFICE, 4);
    await replay(world, [again]);
    expect(types(await replay(world, [again]))).toEqual([]);
  });

  it("counts as one update of the device", async () => {
    const world = await makeWorld({ settings: { rateLimits: { track: 1 } } });
    const points = Array.from({ length: 50 }, (_, i) => point(OUTSIDE, 60 - i));
    const answers = await untilLimited(() => Promise.all([1, 2].map(() => replay(world, points))));
    const [first, second] = answers.sort((a, b) => a.status - b.status);
    expect(first.status).toBe(200);
    expect([second.status, second.body.meta.type]).toEqual([429, "second"]);
  });

  it.each([
    [undefined, "replays", "replays: Required."],
    [[], "replays", "Must be a list of 1 to 500 location updates."],
    ["x", "replays", "Must be a list of 1 to 500 location updates."],
    [Array(501).fill({}), "replays", "Must be a list of 1 to 500 location updates."],
  ])("refuses %j", async (replays, param, message) => {
    const world = await makeWorld();
    const { status, body } = await replay(world, replays);
    expect([status, body.meta.param]).toEqual([400, param]);
    expect(body.meta.message).toContain(message);
  });

  it("accepts every valid update of a batch, and says which it has skipped and why", async () => {
    const world = await town();
    const wrong = [
      point({ latitude: 95, longitude: 0 }, 29),
      point(OFFICE, 28, { metadata: { note: "x".repeat(5000) } }),
      point(OFFICE, 27, { anonymous: true }),
      point(OFFICE, 26, { deviceId: undefined }),
      7,
      null,
    ];
    const { status, body } = await replay(world, [point(OUTSIDE, 30), ...wrong, point(OFFICE, 20)]);
    expect([status, body.accepted, types({ body })]).toEqual([200, 2, ["user.entered_geofence"]]);
    expect(body.rejected.map(({ index, param }: Json) => [index, param])).toEqual([
      [1, "latitude"],
      [2, "metadata[note]"],
      [3, "anonymous"],
      [4, "deviceId"],
      [5, undefined],
      [6, undefined],
    ]);
    expect(body.rejected[0].message).toBe("latitude: Invalid latitude. Valid range: [-90, 90].");
    expect(body.user.geofences).toHaveLength(1);
  });

  it("returns the geofences near the user after the last update, if an update asked for them", async () => {
    const world = await town();
    const asking = point(OFFICE, 5, { nearbyGeofences: true, nearbyGeofencesLimit: 1 });
    const { body } = await replay(world, [asking, point(OFFICE, 4)]);
    const tracked = await post("/v1/track", world.keys.testPublishable, point(OFFICE, 0, { nearbyGeofences: true }));
    expect(body.nearbyGeofences).toHaveLength(1);
    expect(body.nearbyGeofences).toEqual(tracked.body.nearbyGeofences.slice(0, 1));
    expect((await replay(world, [point(OFFICE, 0)])).body).not.toHaveProperty("nearbyGeofences");
  });

  it("answers 200 to a batch without a valid update, and stores nothing", async () => {
    const world = await makeWorld();
    const { status, body } = await replay(world, [{}]);
    expect([status, body]).toEqual([
      200,
      {
        meta: { code: 200 },
        events: [],
        inAppMessages: [],
        accepted: 0,
        rejected: [{ index: 0, param: "deviceId", message: "deviceId: Required." }],
      },
    ]);
    expect(await sql("SELECT * FROM user WHERE scope = ?", world.id * 2)).toEqual([]);
  });

  it("counts nulls as absent, as SDKs send them", async () => {
    const world = await town();
    const nulls = { userId: null, metadata: null, description: null, speed: null, tripOptions: null, beacons: null };
    const { body } = await replay(world, [point(OFFICE, 5, { ...nulls, updatedAtMsDiff: null, updatedAtMs: null })]);
    expect([body.accepted, body.rejected]).toEqual([1, []]);
  });

  it("keeps the times of updates that a phone has buffered, also when it sends them after a reboot or again", async () => {
    const world = await town();
    const ms = (minutes: number) => Math.round(Date.now() - minutes * 60_000);
    const buffered = (at: Json, updatedAtMs: number) => point(at, 0, { updatedAt: undefined, updatedAtMs });
    const times = [ms(600), ms(500), ms(400)];
    const batch = [buffered(OUTSIDE, times[0]), buffered(OFFICE, times[1]), buffered(OUTSIDE, times[2])];
    const { body } = await replay(world, batch);
    expect(body.events.map(({ createdAt }: Json) => Date.parse(String(createdAt)))).toEqual([times[1], times[2]]);
    expect(Date.parse(body.user.updatedAt)).toBe(times[2]);
    const again = await replay(world, [...batch, buffered(OFFICE, ms(300))]);
    expect(types(again)).toEqual(["user.entered_geofence"]);
    const stored = await eventually(
      () => get("/v1/events", world.keys.testSecret),
      ({ body }) => body.events.length >= 3,
    );
    expect(stored.body.events).toHaveLength(3);
  });
});

describe("a phone that was offline, was started again, and has a wrong clock", () => {
  const HOUR = 3_600_000;
  const buffered = (at: Json, updatedAtMs: number, more: Json = {}) => {
    return { ...point(at, 0, { updatedAt: undefined, ...more }), updatedAtMs: Math.round(updatedAtMs) };
  };
  const storedEvents = async (world: World, count: number) =>
    (
      await eventually(
        () => get("/v1/events", world.keys.testSecret),
        ({ body }) => body.events.length >= count,
      )
    ).body.events as Json[];

  it.each([
    ["a year ahead", 365 * 24 * HOUR],
    ["ten years ahead", 3650 * 24 * HOUR],
    ["at 1970", -Date.now() + 30 * HOUR],
  ])("keeps the time between its updates when its clock is %s, and makes each event once", async (_, wrong) => {
    const world = await town();
    const clock = Date.now() + wrong;
    const batch = [buffered(OUTSIDE, clock - 10 * HOUR), buffered(OFFICE, clock - 9 * HOUR), buffered(OUTSIDE, clock)];
    const { body } = await replay(world, batch);
    expect(types({ body })).toEqual(["user.entered_geofence", "user.exited_geofence"]);
    expect(body.events[1].duration).toBe(540);
    expect(Math.abs(Date.now() - Date.parse(body.user.updatedAt))).toBeLessThan(60_000);
    const again = await replay(world, batch);
    expect([types(again), again.body.user.updatedAt]).toEqual([[], body.user.updatedAt]);
    const later = await replay(world, [...batch, buffered(OFFICE, clock + 60_000)]);
    expect(types(later)).toEqual(["user.entered_geofence"]);
    expect(await storedEvents(world, 3)).toHaveLength(3);
  });

  it("ends where it was last, when its clock was put right in between", async () => {
    const world = await town();
    const batch = [
      buffered(OUTSIDE, Date.now() - 5 * HOUR),
      buffered(OFFICE, Date.now() + 7 * HOUR),
      buffered(OUTSIDE, Date.now() - 2 * HOUR),
    ];
    const { body } = await replay(world, batch);
    expect([types({ body }), body.user.geofences]).toEqual([["user.entered_geofence", "user.exited_geofence"], []]);
    expect(Date.parse(body.user.updatedAt)).toBe(batch[2].updatedAtMs);
    expect(types(await replay(world, batch))).toEqual([]);
  });

  it("makes each event once where updates have only their distance from the start of the device", async () => {
    const world = await town();
    const ago = (at: Json, updatedAtMsDiff: number) => point(at, 0, { updatedAt: undefined, updatedAtMsDiff });
    const batch = [ago(OUTSIDE, 3 * HOUR), ago(OFFICE, 2 * HOUR), ago(OUTSIDE, HOUR)];
    expect(types(await replay(world, batch))).toHaveLength(2);
    expect(types(await replay(world, batch))).toEqual([]);
    // What was counted from before the reboot is wrong now; the clock's time is not.
    const both = { ...buffered(OFFICE, Date.now() - HOUR / 2), updatedAtMsDiff: 5 };
    const { body } = await replay(world, [both]);
    expect(Date.parse(body.user.updatedAt)).toBe(both.updatedAtMs);
  });

  it("is one user when its user signed in meanwhile, also when the batch comes again", async () => {
    const world = await town();
    const batch = [
      buffered(OFFICE, Date.now() - 3 * HOUR),
      buffered(OUTSIDE, Date.now() - 2 * HOUR),
      buffered(OUTSIDE, Date.now() - HOUR, { userId: "ann" }),
    ];
    const { body } = await replay(world, batch);
    expect(types({ body })).toEqual(["user.entered_geofence", "user.exited_geofence"]);
    const again = await replay(world, batch);
    expect([types(again), again.body.user._id]).toEqual([[], body.user._id]);
    expect((await get("/v1/users", world.keys.testSecret)).body.users).toHaveLength(1);
    // After that, an update without a userId is of somebody who is not signed in.
    const other = await replay(world, [buffered(OUTSIDE, Date.now() - HOUR / 2)]);
    expect(other.body.user._id).not.toBe(body.user._id);
  });

  it("loses the updates of a user that the token does not prove, and no others", async () => {
    const world = await town();
    const secret = "shared by the shop and its platform";
    const tokens = { keys: { shop: { alg: "HS256", secret } } };
    await call("PATCH", "/v1/settings", { key: world.keys.testSecret, json: { tokens } });
    const claims = { sub: "ann", aud: world.keys.testPublishable, exp: Math.floor(Date.now() / 1000) + 600 };
    const authorization = `Bearer ${signToken(claims, secret, { alg: "HS256", kid: "shop" })}`;
    const replays = [
      buffered(OUTSIDE, Date.now() - 3 * HOUR, { userId: "bob" }),
      buffered(OFFICE, Date.now() - 2 * HOUR, { userId: "ann" }),
    ];
    const { status, body } = await call("POST", "/v1/track/replay", { headers: { authorization }, json: { replays } });
    expect([status, body.accepted, body.user.userId]).toEqual([200, 1, "ann"]);
    expect(body.rejected).toEqual([expect.objectContaining({ index: 0, param: "userId" })]);
    const bobs = { headers: { authorization }, json: { replays: [replays[0]] } };
    expect((await call("POST", "/v1/track/replay", bobs)).status).toBe(403);
  });

  it("begins no trip that was made after it, and arrives nowhere before", async () => {
    const world = await town();
    const { testPublishable, testSecret } = world.keys;
    await replay(world, [buffered(OUTSIDE, Date.now() - 9 * HOUR, { userId: "ann" })]);
    const trip = {
      externalId: "order",
      userId: "ann",
      destinationGeofenceTag: "office",
      destinationGeofenceExternalId: "1",
    };
    expect((await post("/v1/trips", testSecret, trip)).status).toBe(200);
    const old = [
      buffered(OFFICE, Date.now() - 2 * HOUR, { userId: "ann" }),
      buffered(OUTSIDE, Date.now() - HOUR, { userId: "ann" }),
    ];
    expect(types(await replay(world, old))).toEqual(["user.entered_geofence", "user.exited_geofence"]);
    expect((await get("/v1/trips/order", testSecret)).body.trip.status).toBe("pending");
    const live = await post("/v1/track", testPublishable, { deviceId: "phone", userId: "ann", ...OFFICE, accuracy: 5 });
    expect(types(live)).toContain("user.arrived_at_trip_destination");
  });

  it("sends more than a megabyte", async () => {
    const world = await makeWorld();
    const metadata = Object.fromEntries(Array.from({ length: 4 }, (_, i) => [`note${i}`, "x".repeat(4000)]));
    const batch = Array.from({ length: 121 }, (_, i) => buffered(OUTSIDE, Date.now() - HOUR + i * 1000, { metadata }));
    const { status, body } = await replay(world, batch);
    expect([status, body.accepted]).toEqual([200, 121]);
  });
});

describe("POST /v1/sync/region", () => {
  it("tells of the geofences and beacons around, and of the circle in which that holds", async () => {
    const world = await town();
    const beacon = { description: "Door", type: "eddystone", uid: "aa", instance: "01", enabled: true };
    await post("/v1/beacons", world.keys.testSecret, { ...beacon, coordinates: [-73.98, 40.7001] });
    const { status, body } = await post("/v1/sync/region", world.keys.testPublishable, { ...OFFICE, userId: "ann" });
    expect([status, body.region]).toEqual([200, { ...OFFICE, radius: 1000 }]);
    expect(body.geofences).toEqual([expect.objectContaining({ tag: "office", geometryRadius: 100 })]);
    expect(body.beacons).toEqual([expect.objectContaining({ description: "Door", uid: "aa" })]);
    expect(body.places).toEqual([]);
    expect(await sql("SELECT * FROM user WHERE scope = ?", world.id * 2)).toEqual([]);
    const far = await post("/v1/sync/region", world.keys.testPublishable, { latitude: 0, longitude: 0 });
    expect(far.body).toMatchObject({ geofences: [], beacons: [], region: { radius: 1000 } });
    const bad = await post("/v1/sync/region", world.keys.testPublishable, { latitude: 0, longitude: 181 });
    expect(bad.body.meta.param).toBe("longitude");
  });
});

describe("a location update", () => {
  it("tells of the ten nearest geofences for the user if asked, and to nobody for whom they are", async () => {
    const world = await town();
    for (let i = 0; i < 12; i++) {
      const fence = { description: `${i}`, type: "circle", coordinates: [-73.98, 40.71 + i / 1000], radius: 50 };
      await put(`/v1/geofences/more/${i}`, world.keys.testSecret, { ...fence, userIds: ["ann"] });
    }
    const json = { deviceId: "phone", userId: "ann", ...OFFICE, accuracy: 5 };
    const asked = await post("/v1/track", world.keys.testPublishable, { ...json, nearbyGeofences: true });
    expect(asked.body.nearbyGeofences).toHaveLength(10);
    expect(asked.body.nearbyGeofences[0]).toMatchObject({ tag: "office", type: "circle" });
    expect(asked.body.nearbyGeofences[1]).not.toHaveProperty("userIds");
    const silent = await post("/v1/track", world.keys.testPublishable, json);
    expect(silent.body).not.toHaveProperty("nearbyGeofences");
  });

  it("tells of geofences that are limited to users and segments only to these", async () => {
    const world = await town();
    const secret = world.keys.testSecret;
    const circle = { description: "x", type: "circle", coordinates: [-73.98, 40.702], radius: 50 };
    const limits = { ann: { userIds: ["ann"] }, phone: { userIds: ["phone"] }, vip: { segments: ["vip"] } };
    for (const [id, limit] of Object.entries(limits))
      expect((await put(`/v1/geofences/limited/${id}`, secret, { ...circle, ...limit })).status).toBe(200);
    const names = ({ geofences }: Json) => (geofences as Json[]).map(({ externalId }) => externalId).sort();
    const near = async (json: Json) => {
      const update = { ...OFFICE, accuracy: 5, nearbyGeofences: true, ...json };
      const { body } = await post("/v1/track", world.keys.testPublishable, update);
      return names({ geofences: body.nearbyGeofences });
    };
    const synced = async (json: Json) =>
      names((await post("/v1/sync/region", world.keys.testPublishable, { ...OFFICE, ...json })).body);
    expect(await near({ deviceId: "other", userId: "bob" })).toEqual(["1"]);
    expect(await near({ deviceId: "other", userId: "ann" })).toEqual(["1", "ann"]);
    expect(await near({ deviceId: "phone" })).toEqual(["1", "phone"]);
    expect(await near({ deviceId: "phone", userId: "ann", anonymous: true })).toEqual(["1"]);
    const member = { segments: [{ description: "VIP", externalId: "vip" }] };
    expect((await put("/v1/users/bob/segments", secret, member)).status).toBe(200);
    expect(await near({ deviceId: "other", userId: "bob" })).toEqual(["1", "vip"]);
    expect(await synced({})).toEqual(["1"]);
    expect(await synced({ userId: "bob" })).toEqual(["1"]);
    expect(await synced({ userId: "ann" })).toEqual(["1", "ann"]);
  });

  it("that is anonymous is answered, with beacons, and stores nothing", async () => {
    const world = await town();
    const beacon = { description: "Door", type: "eddystone", uid: "aa", instance: "01", enabled: true };
    await post("/v1/beacons", world.keys.testSecret, { ...beacon, coordinates: [-73.98, 40.7001] });
    const json = {
      deviceId: "phone",
      userId: "ann",
      ...OFFICE,
      accuracy: 5,
      anonymous: true,
      beacons: [{ type: "eddystone", uid: "aa", instance: "01" }],
      tripOptions: { externalId: "order" },
    };
    const answer = await post("/v1/track", world.keys.testPublishable, json);
    expect(types(answer)).toEqual(["user.entered_geofence", "user.entered_beacon"]);
    await new Promise((resolve) => setTimeout(resolve, 400));
    for (const table of ["user", "event", "trip"]) {
      expect(await sql(`SELECT * FROM ${table} WHERE scope = ?`, world.id * 2)).toEqual([]);
    }
  });

  it("happened as many milliseconds ago as updatedAtMsDiff says", async () => {
    const world = await town();
    const { body } = await post("/v1/track", world.keys.testPublishable, {
      deviceId: "phone",
      ...OFFICE,
      accuracy: 5,
      updatedAtMsDiff: 600_000,
    });
    expect(Date.now() - Date.parse(body.user.updatedAt)).toBeGreaterThanOrEqual(600_000);
    expect(Date.now() - Date.parse(body.user.updatedAt)).toBeLessThan(620_000);
  });

  it("happened at updatedAtMs, unless updatedAtMsDiff says otherwise", async () => {
    const world = await town();
    const updatedAtMs = Date.now() - 3_600_000;
    const update = { deviceId: "phone", ...OFFICE, accuracy: 5, updatedAt: minutesAgo(120), updatedAtMs };
    const { body } = await post("/v1/track", world.keys.testPublishable, update);
    expect(Date.parse(body.user.updatedAt)).toBe(updatedAtMs);
    const now = await post("/v1/track", world.keys.testPublishable, { ...update, updatedAtMsDiff: 1000 });
    expect(Date.now() - Date.parse(now.body.user.updatedAt)).toBeLessThan(600_000);
    const ahead = await post("/v1/track", world.keys.testPublishable, { ...update, updatedAtMs: 4e12 });
    expect(Date.parse(ahead.body.user.updatedAt)).toBeLessThanOrEqual(Date.now());
  });

  it("shows what the motion sensors and the barometer say, and the user's tags until others come", async () => {
    const world = await town();
    const update = { deviceId: "phone", ...OFFICE, accuracy: 5 };
    const said = { activityType: "foot", barometricAltitude: 12.5 };
    const first = await post("/v1/track", world.keys.testPublishable, { ...update, ...said, userTags: ["vip", "new"] });
    expect(first.body.user).toMatchObject({ ...said, userTags: ["vip", "new"] });
    const second = await post("/v1/track", world.keys.testPublishable, update);
    expect(second.body.user.userTags).toEqual(["vip", "new"]);
    expect(second.body.user).not.toHaveProperty("activityType");
    expect((await get("/v1/users/phone", world.keys.testSecret)).body.user.userTags).toEqual(["vip", "new"]);
    const third = await post("/v1/track", world.keys.testPublishable, { ...update, userTags: ["old"] });
    expect(third.body.user.userTags).toEqual(["old"]);
  });

  it("shows the events that the project wants to see in the answer, and makes them all", async () => {
    const world = await town();
    const json = { returnedEventTypes: ["user.exited_geofence"] };
    await call("PATCH", "/v1/settings", { key: world.keys.testSecret, json });
    const update = { deviceId: "phone", accuracy: 5, foreground: true };
    const entered = await post("/v1/track", world.keys.testPublishable, { ...update, ...OFFICE });
    expect([types(entered), entered.body.user.geofences.length]).toEqual([[], 1]);
    const left = await post("/v1/track", world.keys.testPublishable, { ...update, ...OUTSIDE });
    expect(types(left)).toEqual(["user.exited_geofence"]);
    const stored = await eventually(
      () => get("/v1/events", world.keys.testSecret),
      ({ body }) => body.events.length === 2,
    );
    expect(types(stored).sort()).toEqual(["user.entered_geofence", "user.exited_geofence"]);
    const bad = { returnedEventTypes: ["user.flew"] };
    const refused = await call("PATCH", "/v1/settings", { key: world.keys.testSecret, json: bad });
    expect([refused.status, refused.body.meta.param]).toEqual([400, "returnedEventTypes"]);
    const all = await call("PATCH", "/v1/settings", {
      key: world.keys.testSecret,
      json: { returnedEventTypes: "all" },
    });
    expect(all.body).not.toHaveProperty("returnedEventTypes");
  });
});
