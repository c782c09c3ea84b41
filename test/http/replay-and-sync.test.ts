import { describe, expect, it } from "vitest";
import { call, eventually, get, type Json, makeWorld, post, put, sql, type World } from "../support/world.ts";

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
  ...{ deviceId: "phone", accuracy: 5, foreground: true, updatedAt: minutesAgo(minutes), ...at, ...more },
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
    expect((await replay(world, points)).status).toBe(200);
    const soon = await replay(world, points);
    expect([soon.status, soon.body.meta.type]).toEqual([429, "second"]);
  });

  it.each([
    [undefined, "replays", "replays: Required."],
    [[], "replays", "Must be a list of 1 to 500 location updates."],
    ["x", "replays", "Must be a list of 1 to 500 location updates."],
    [[{ deviceId: "a", latitude: 91, longitude: 0, accuracy: 1 }], "replays[0][latitude]", "Valid range: [-90, 90]."],
    [[{ deviceId: "a", latitude: 1, longitude: 0, accuracy: 1, anonymous: true }], "replays", "anonymous"],
  ])("refuses %j", async (replays, param, message) => {
    const world = await makeWorld();
    const { status, body } = await replay(world, replays);
    expect([status, body.meta.param]).toEqual([400, param]);
    expect(body.meta.message).toContain(message);
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
  it("tells of the ten nearest geofences if asked, to nobody for whom they are", async () => {
    const world = await town();
    for (let i = 0; i < 12; i++) {
      const fence = { description: `${i}`, type: "circle", coordinates: [-73.98, 40.71 + i / 1000], radius: 50 };
      await put(`/v1/geofences/more/${i}`, world.keys.testSecret, { ...fence, userIds: ["ann"] });
    }
    const json = { deviceId: "phone", ...OFFICE, accuracy: 5 };
    const asked = await post("/v1/track", world.keys.testPublishable, { ...json, nearbyGeofences: true });
    expect(asked.body.nearbyGeofences).toHaveLength(10);
    expect(asked.body.nearbyGeofences[0]).toMatchObject({ tag: "office", type: "circle" });
    expect(asked.body.nearbyGeofences[1]).not.toHaveProperty("userIds");
    const silent = await post("/v1/track", world.keys.testPublishable, json);
    expect(silent.body).not.toHaveProperty("nearbyGeofences");
  });

  it("that is anonymous is answered, with beacons, and stores nothing", async () => {
    const world = await town();
    const beacon = { description: "Door", type: "eddystone", uid: "aa", instance: "01", enabled: true };
    await post("/v1/beacons", world.keys.testSecret, { ...beacon, coordinates: [-73.98, 40.7001] });
    const json = {
      ...{ deviceId: "phone", userId: "ann", ...OFFICE, accuracy: 5, anonymous: true },
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
      ...{ deviceId: "phone", ...OFFICE, accuracy: 5, updatedAtMsDiff: 600_000 },
    });
    expect(Date.now() - Date.parse(body.user.updatedAt)).toBeGreaterThanOrEqual(600_000);
    expect(Date.now() - Date.parse(body.user.updatedAt)).toBeLessThan(620_000);
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
