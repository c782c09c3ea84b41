import { describe, expect, it } from "vitest";
import { call, control, eventually, get, type Json, post, put, sql } from "../../../support/world.ts";
import { openWorld } from "../conformance/open-world.ts";

/** Numbers that become a time, a size or a key are bounded at the door; what is stored can be written out again. */

const HERE = { latitude: 40.7, longitude: -73.98 };
const UPDATE = { deviceId: "phone", userId: "ann", ...HERE, accuracy: 5 };
const FENCE = { description: "x", type: "circle", coordinates: [-73.98, 40.7], radius: 100 };
const BEACON = {
  ...{
    description: "x",
    type: "ibeacon",
    uuid: "aaaaaaaa-0000-4000-8000-000000000001",
    major: "1",
    minor: "2",
    enabled: true,
  },
  coordinates: [-73.98, 40.7],
};
const TRIP = { externalId: "t" };
const CONVERSION = { name: "bought", deviceId: "phone" };
const inYears = (years: number) => new Date(Date.now() + years * 366 * 24 * 3600 * 1000).toISOString();

const HOSTILE: [what: string, method: string, path: string, body: Json, param: string][] = [
  ...[1e21, -1e21, 1e300, -1e300, 8.64e15, -8.64e15, 1e13].map(
    (diff) => ["a clock", "POST", "/v1/track", { ...UPDATE, updatedAtMsDiff: diff }, "updatedAtMsDiff"] as HOSTILE_ROW,
  ),
  ["a time in 1969", "POST", "/v1/track", { ...UPDATE, updatedAt: "1969-12-31T23:59:59.999Z" }, "updatedAt"],
  ["a time in two years", "POST", "/v1/track", { ...UPDATE, updatedAt: inYears(2) }, "updatedAt"],
  ["a year of five digits", "POST", "/v1/track", { ...UPDATE, updatedAt: "9999-12-31T23:59:00-10:00" }, "updatedAt"],
  ["a year before the first", "POST", "/v1/track", { ...UPDATE, updatedAt: "0000-01-01T00:00:00+14:00" }, "updatedAt"],
  ["an accuracy", "POST", "/v1/track", { ...UPDATE, accuracy: 1e21 }, "accuracy"],
  ["an altitude", "POST", "/v1/track", { ...UPDATE, altitude: 1e21 }, "altitude"],
  ["a speed", "POST", "/v1/track", { ...UPDATE, speed: -1e21 }, "speed"],
  ["a course", "POST", "/v1/track", { ...UPDATE, course: 1e21 }, "course"],
  [
    "a trip of an update",
    "POST",
    "/v1/track",
    { ...UPDATE, tripOptions: { ...TRIP, scheduledArrivalAt: inYears(2) } },
    "tripOptions[scheduledArrivalAt]",
  ],
  ["an arrival", "POST", "/v1/trips", { ...TRIP, scheduledArrivalAt: inYears(2) }, "scheduledArrivalAt"],
  ["a threshold", "POST", "/v1/trips", { ...TRIP, approachingThreshold: 1e21 }, "approachingThreshold"],
  ["a conversion to come", "POST", "/v1/events", { ...CONVERSION, createdAt: inYears(2) }, "createdAt"],
  ["a conversion of 1960", "POST", "/v1/events", { ...CONVERSION, createdAt: "1960-01-01" }, "createdAt"],
  ["a revenue", "POST", "/v1/events", { ...CONVERSION, revenue: 1e300 }, "revenue"],
  ["a duration", "POST", "/v1/events", { ...CONVERSION, duration: 1e21 }, "duration"],
  ["a radius", "POST", "/v1/geofences", { ...FENCE, radius: 1e21 }, "radius"],
  ["a dwell", "POST", "/v1/geofences", { ...FENCE, dwellThreshold: 1e21 }, "dwellThreshold"],
  ["a nearness", "POST", "/v1/geofences", { ...FENCE, tripApproachingThreshold: 1e21 }, "tripApproachingThreshold"],
  [
    "an end in the year 10000",
    "POST",
    "/v1/geofences",
    { ...FENCE, disableAfter: "9999-12-31T23:59:00-10:00" },
    "disableAfter",
  ],
  [
    "a deletion in the year 10000",
    "POST",
    "/v1/geofences",
    { ...FENCE, deleteAfter: "9999-12-31T23:59:00-10:00" },
    "deleteAfter",
  ],
  ["a major number", "POST", "/v1/beacons", { ...BEACON, major: 65_536 }, "major"],
  ["a minor number", "POST", "/v1/beacons", { ...BEACON, minor: "1e21" }, "minor"],
  ["an accuracy limit", "PATCH", "/v1/settings", { tracking: { accuracyLimit: 1e21 } }, "tracking[accuracyLimit]"],
  ["a retention", "PATCH", "/v1/settings", { retention: { users: 1e21 } }, "retention[users]"],
  ["a filter's year", "GET", "/v1/users?updatedBefore=9999-12-31T23:59:00-10:00", {}, "updatedBefore"],
  ["a filter's year", "GET", "/v1/events?createdAfter=0000-01-01T00:00:00%2B14:00", {}, "createdAfter"],
  ["a limit", "GET", "/v1/events?limit=1e21", {}, "limit"],
  ["a limit", "GET", "/v1/trips?limit=1e300", {}, "limit"],
  ["a radius", "GET", "/v1/search/users?near=1,1&radius=1e21", {}, "radius"],
  ["a radius", "GET", "/v1/search/beacons?near=1,1&radius=1e21", {}, "radius"],
];
type HOSTILE_ROW = (typeof HOSTILE)[number];

describe("the door", () => {
  it("refuses by name what no clock, ruler or counter shows, and stores nothing of it", async () => {
    const world = await openWorld();
    for (const [what, method, path, json, param] of HOSTILE) {
      const body = method === "GET" ? {} : { json };
      const answer = await call(method, path, { key: world.keys.testSecret, ...body });
      expect([what, path, answer.status, answer.body.meta.param]).toEqual([what, path, 400, param]);
    }
    // One point of a replay costs only itself (replay-and-sync.test.ts).
    const replays = [{ ...UPDATE, updatedAtMsDiff: 1e21 }];
    const { status, body } = await post("/v1/track/replay", world.keys.testPublishable, { replays });
    expect([status, body.accepted, body.rejected]).toEqual([
      200,
      0,
      [{ index: 0, param: "updatedAtMsDiff", message: expect.stringContaining("updatedAtMsDiff") }],
    ]);
    for (const table of ["user", "event", "trip", "geofence", "beacon"]) {
      expect(await sql(`SELECT * FROM ${table} WHERE scope = ?`, world.id * 2)).toEqual([]);
    }
    for (const list of ["users", "events", "trips", "geofences", "beacons"]) {
      const { status, body } = await get(`/v1/${list}`, world.keys.testSecret);
      expect([list, status, body[list]]).toEqual([list, 200, []]);
    }
  });

  it("lets in what is rare but true: a time of ten years ago, an end in ten years, a plane, an unknown course", async () => {
    const { keys } = await openWorld();
    const update = { ...UPDATE, updatedAt: "2016-11-01", altitude: 12_000, speed: 310, course: -1 };
    const { status, body } = await post("/v1/track", keys.testPublishable, update);
    expect([status, body.user.updatedAt]).toEqual([200, "2016-11-01T00:00:00.000Z"]);
    const ends = { disableAfter: inYears(9), deleteAfter: inYears(10) };
    expect((await post("/v1/geofences", keys.testSecret, { ...FENCE, ...ends })).status).toBe(200);
    expect((await get("/v1/users?updatedAfter=0001-01-01T00:00:00Z", keys.testSecret)).status).toBe(200);
  });
});

describe("a row that cannot be written out", () => {
  it("costs itself, and no list", async () => {
    const world = await openWorld();
    const { testSecret: secret, testPublishable: key } = world.keys;
    const scope = world.id * 2;
    await put("/v1/geofences/here/1", secret, FENCE);
    await put("/v1/geofences/here/2", secret, FENCE);
    await post("/v1/trips", key, { externalId: "good" });
    await post("/v1/trips", key, { externalId: "bad" });
    for (const deviceId of ["good", "bad"]) {
      await post("/v1/track", key, { ...UPDATE, userId: deviceId, deviceId, foreground: true });
    }
    const list = (path: string) => get(path, secret);
    await eventually(
      () => list("/v1/events"),
      ({ body }) => body.events.length === 4,
    );
    // As a track before the bounds would have left it.
    const poison = (table: string, where: string) =>
      sql(
        `UPDATE ${table} SET doc = json_set(doc, '$.createdAt', -1e21, '$.updatedAt', -1e21) WHERE scope = ? AND ${where}`,
        scope,
      );
    await poison("user", "user_id = 'bad'");
    await poison("event", "doc->>'$.user.userId' = 'bad'");
    await poison("trip", "external_id = 'bad'");
    await sql("UPDATE geofence SET updated_at = -1e21 WHERE scope = ? AND external_id = '2'", scope);

    const [{ id: bad }] = await sql("SELECT id FROM user WHERE scope = ? AND user_id = 'bad'", scope);
    const users = await list("/v1/users");
    expect(users.body.users.map(({ userId }: Json) => userId)).toEqual(["good"]);
    expect(users.headers.get("x-graticule-left-out")).toBe("users");
    const events = await list("/v1/events");
    expect(new Set(events.body.events.map(({ user }: { user: Json }) => user.userId))).toEqual(new Set(["good"]));
    expect((await list("/v1/trips")).body.trips.map(({ externalId }: Json) => externalId)).toEqual(["good"]);
    expect((await list("/v1/trips?includeLocations=true")).body.trips).toHaveLength(1);
    expect((await list("/v1/geofences")).body.geofences.map(({ externalId }: Json) => externalId)).toEqual(["1"]);
    const near = await list("/v1/search/users?near=40.7,-73.98");
    expect(near.body.users.map(({ userId }: Json) => userId)).toEqual(["good"]);
    const inside = await list("/v1/geofences/here/1/users");
    expect([inside.status, inside.body.users.map(({ userId }: Json) => userId)]).toEqual([200, ["good"]]);
    // Its tracker knows better than its row.
    expect((await list("/v1/users/bad")).body.user._id).toBe(bad);
    expect((await list("/v1/trips/bad")).status).toBe(404);
    expect((await list("/v1/geofences/here/2")).status).toBe(404);
    const logs = await control<{ message: string }[]>("logs");
    expect(
      logs.some(({ message }) => message.includes("unreadable row") && message.includes("the years 0 to 9999")),
    ).toBe(true);
    // Its device mends it with the next update.
    await post("/v1/track", key, { ...UPDATE, userId: "bad", deviceId: "bad", foreground: true });
    expect((await list("/v1/users")).body.users).toHaveLength(2);
  }, 90_000);
});
