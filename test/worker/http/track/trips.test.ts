import { describe, expect, it } from "vitest";
import { distance as metresBetween } from "../../../../src/core/geo/distance.ts";
import {
  type Answer,
  call,
  control,
  del,
  eventually,
  get,
  type Json,
  makeWorld,
  post,
  put,
  sql,
  type World,
} from "../../../support/world.ts";

/**
 * A courier in Brooklyn; no roads are imported there, so ETAs are guesses: 1.3 times the straight line at 13.9 m/s.
 *
 *     FAR 40.800 ── 11 km ── NEAR 40.703 ── 330 m ── ( home 40.700, 100 m )          ( work 40.600, 100 m )
 */
const HOME = { latitude: 40.7, longitude: -73.98 };
const WORK = { latitude: 40.6, longitude: -73.98 };
const NEAR = { latitude: 40.703, longitude: -73.98 };
const FAR = { latitude: 40.8, longitude: -73.98 };
const DESTINATION = { destinationGeofenceTag: "door", destinationGeofenceExternalId: "home" };
const TRIP = { externalId: "order-1", userId: "ann", ...DESTINATION, approachingThreshold: 2, metadata: { box: 3 } };

async function city(settings: Json = {}): Promise<World> {
  const rateLimits = { track: 1000, createTrip: 1000, updateTrip: 1000, getTrip: 1000, listTrips: 1000 };
  const world = await makeWorld({ settings: { ...settings, rateLimits } });
  for (const [id, { latitude, longitude }] of [
    ["home", HOME],
    ["work", WORK],
  ] as const) {
    const fence = { description: id, type: "circle", coordinates: [longitude, latitude], radius: 100 };
    expect((await put(`/v1/geofences/door/${id}`, world.keys.testSecret, fence)).status).toBe(200);
  }
  return world;
}

// With the secret key: a publishable one is shown the trip that the update names (what-keys-learn.test.ts).
const track = async (world: World, at: Json, more: Json = {}) => {
  const json = { deviceId: "phone", userId: "ann", accuracy: 5, foreground: true, ...at, ...more };
  const { status, body } = await call("POST", "/v1/track", { key: world.keys.testSecret, json });
  expect([status, body.meta]).toEqual([200, { code: 200 }]);
  return { trip: body.user.trip, told: told(body), events: body.events as Json[], user: body.user };
};
const told = (body: Answer["body"]) =>
  body.events.map(({ type }: Json) => String(type)).filter((type: string) => type.includes("trip"));
const create = (world: World, trip: Json = TRIP) => post("/v1/trips", world.keys.testPublishable, trip);
const update = (world: World, json: Json, id = "order-1") =>
  call("PATCH", `/v1/trips/${id}/update`, { key: world.keys.testPublishable, json: { userId: "ann", ...json } });
const trip = async (world: World, id = "order-1") => (await get(`/v1/trips/${id}`, world.keys.testSecret)).body.trip;

describe("a trip", () => {
  it("ends once: of two calls at the same time, the later one has 409, or the trip as it has ended", async () => {
    const world = await city();
    for (const [id, ...ends] of [
      ["a", "canceled", "completed"],
      ["b", "completed", "canceled"],
      ["c", "completed", "completed"],
    ]) {
      const of = { deviceId: `phone-${id}`, userId: id };
      await track(world, FAR, { ...of, tripOptions: { externalId: id } });
      const answers = await Promise.all(ends.map((status) => update(world, { status, userId: id }, id)));
      const { status } = await trip(world, id);
      for (const [i, end] of ends.entries())
        expect([answers[i].status, answers[i].body.trip?.status]).toEqual(
          end === status ? [200, status] : [409, undefined],
        );
    }
  });

  it("ends when its server says, between its last update and now", async () => {
    const world = await city();
    const minutesAgo = (minutes: number) => new Date(Date.now() - 60_000 * minutes).toISOString();
    const at = { ...FAR, updatedAt: minutesAgo(30), tripOptions: TRIP };
    const updates = [at, { ...NEAR, updatedAt: minutesAgo(20), tripOptions: TRIP }];
    const replays = updates.map((one) => ({ deviceId: "phone", userId: "ann", accuracy: 5, foreground: true, ...one }));
    expect((await post("/v1/track/replay", world.keys.testSecret, { replays })).status).toBe(200);
    const end = (endedAt: string, key = world.keys.testSecret, status = "completed") =>
      call("PATCH", "/v1/trips/order-1/update", { key, json: { status, endedAt, deviceId: "phone" } });
    for (const answer of [
      await end(minutesAgo(25)),
      await end(minutesAgo(-5)),
      await end(minutesAgo(10), world.keys.testPublishable),
      await end(minutesAgo(10), world.keys.testSecret, "started"),
    ])
      expect([answer.status, answer.body.meta.param]).toEqual([400, "endedAt"]);
    const endedAt = minutesAgo(10);
    const { status, body } = await end(endedAt);
    expect([status, body.trip.endedAt, body.events[0].type, body.events[0].createdAt]).toEqual([
      ...[200, endedAt, "user.stopped_trip", endedAt],
    ]);
  });

  it("is pending, started, approaching, arrived and completed, with an ETA and an event at each step", async () => {
    const world = await city();
    const made = await create(world);
    expect([made.status, made.body.events]).toEqual([200, []]);
    expect(made.body.trip).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      live: false,
      externalId: "order-1",
      mode: "car",
      ...{
        locations: [],
        status: "pending",
        metadata: { box: 3 },
        ...DESTINATION,
        approachingThreshold: 2,
        userId: "ann",
      },
      destinationLocation: { type: "Point", coordinates: [HOME.longitude, HOME.latitude] },
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    });
    const started = await track(world, FAR);
    expect(started.told).toEqual(["user.started_trip"]);
    expect(started.trip).toMatchObject({ _id: made.body.trip._id, status: "started", startedAt: expect.any(String) });
    expect(started.trip.eta.distance).toBeCloseTo(11_119.5 * 1.3, -2);
    expect(started.trip.eta.duration).toBeCloseTo((11_119.5 * 1.3) / 13.9 / 60, 1);
    const onTheWay = await track(world, { latitude: 40.75, longitude: -73.98 });
    expect([onTheWay.told, onTheWay.trip.status]).toEqual([["user.updated_trip"], "started"]);
    expect(onTheWay.trip.eta.distance).toBeLessThan(started.trip.eta.distance);
    const near = await track(world, NEAR);
    expect([near.told, near.trip.status]).toEqual([["user.approaching_trip_destination"], "approaching"]);
    const there = await track(world, HOME);
    expect([there.told, there.trip.status]).toEqual([["user.arrived_at_trip_destination"], "arrived"]);
    expect(there.events.map(({ type }) => type)).toEqual(["user.entered_geofence", "user.arrived_at_trip_destination"]);
    const done = await update(world, { status: "completed" });
    expect([done.status, told(done.body), done.body.trip.status]).toEqual([200, ["user.stopped_trip"], "completed"]);
    expect(done.body.events[0].trip).toMatchObject({ externalId: "order-1", status: "completed" });
    expect(await trip(world)).toMatchObject({
      status: "completed",
      startedAt: expect.any(String),
      approachingAt: expect.any(String),
      arrivedAt: expect.any(String),
      endedAt: expect.any(String),
      user: { _id: there.user._id, userId: "ann", deviceId: "phone" },
    });
    const after = await track(world, FAR);
    expect([after.told, after.trip]).toEqual([[], undefined]);
    const { body } = await eventually(
      () => get("/v1/events", world.keys.testSecret),
      (answer) => answer.body.events.some(({ type }: Json) => type === "user.exited_geofence"),
    );
    expect(told(body).reverse()).toEqual([
      ...["user.started_trip", "user.updated_trip", "user.approaching_trip_destination"],
      ...["user.arrived_at_trip_destination", "user.stopped_trip"],
    ]);
  });

  it("is met by a device that was tracked before the trip was made, at once", async () => {
    const world = await city();
    await track(world, FAR);
    await create(world);
    expect((await track(world, FAR)).told).toEqual(["user.started_trip"]);
    expect((await track(world, FAR)).told).toEqual(["user.updated_trip"]);
  });

  it("is met by a device long known, although nobody asks the database with every update", async () => {
    const world = await city();
    await create(world, { externalId: "other", userId: "zoe" });
    await track(world, FAR);
    await eventually(
      () => get("/v1/users/ann", world.keys.testSecret),
      ({ status }) => status === 200,
    );
    expect((await track(world, FAR)).told).toEqual([]);
    expect((await track(world, FAR)).told).toEqual([]);
    await create(world);
    expect((await track(world, FAR)).told).toEqual(["user.started_trip"]);
  });

  it("waits for its own user, and for test or live as it was made", async () => {
    const world = await city();
    await create(world);
    expect((await track(world, FAR, { userId: "bob" })).told).toEqual([]);
    expect((await track(world, FAR, { userId: undefined, deviceId: "other" })).told).toEqual([]);
    const live = { deviceId: "phone", userId: "ann", accuracy: 5, ...FAR };
    expect(told((await post("/v1/track", world.keys.livePublishable, live)).body)).toEqual([]);
    expect((await trip(world)).status).toBe("pending");
    expect((await get("/v1/trips/order-1", world.keys.liveSecret)).status).toBe(404);
  });

  it("is made by one device only, the first", async () => {
    const world = await city();
    await track(world, FAR);
    await track(world, FAR, { deviceId: "tablet" });
    await create(world);
    expect((await track(world, FAR)).told).toEqual(["user.started_trip"]);
    expect((await track(world, FAR, { deviceId: "tablet" })).told).toEqual([]);
  });

  it("is made by name: tripOptions begin it, or make it where there is none", async () => {
    const world = await city();
    await create(world, { ...TRIP, userId: undefined });
    const tripOptions = { version: "2", externalId: "order-1", metadata: null };
    expect((await track(world, FAR, { tripOptions })).told).toEqual(["user.started_trip"]);
    expect((await track(world, FAR, { tripOptions })).told).toEqual(["user.updated_trip"]);
    const made = await track(world, FAR, {
      deviceId: "two",
      userId: "bob",
      tripOptions: { externalId: "x", ...DESTINATION, mode: "bike", approachingThreshold: "5" },
    });
    expect(made.trip).toMatchObject({
      externalId: "x",
      status: "started",
      mode: "bike",
      approachingThreshold: 5,
      ...DESTINATION,
    });
    expect(made.told).toEqual(["user.started_trip"]);
    // Another device cannot take it over.
    const third = await track(world, FAR, { deviceId: "three", userId: "eve", tripOptions: { externalId: "x" } });
    expect([third.told, third.trip]).toEqual([[], undefined]);
  });

  it("to a geofence that does not exist is not made by tripOptions, until the geofence exists", async () => {
    const world = await city();
    const tag = { destinationGeofenceTag: "depot" };
    const unknown = { ...tag, destinationGeofenceExternalId: "7" };
    const leg = { destination: unknown };
    for (const tripOptions of [
      { externalId: "a", ...unknown },
      { externalId: "b", ...tag },
      { externalId: "c", legs: [{ destination: DESTINATION }, leg] },
    ]) {
      for (let i = 0; i < 2; i++) {
        const { told, trip: shown } = await track(world, FAR, { tripOptions });
        expect([told, shown]).toEqual([[], undefined]);
      }
    }
    expect((await get("/v1/trips", world.keys.testSecret)).body.trips).toEqual([]);
    const fence = { description: "Depot", type: "circle", coordinates: [FAR.longitude, FAR.latitude], radius: 100 };
    await put("/v1/geofences/depot/7", world.keys.testSecret, fence);
    const { told } = await track(world, FAR, { tripOptions: { externalId: "a", ...unknown } });
    expect(told).toContain("user.started_trip");
  });

  it("that is over is not begun again by a device that still names it", async () => {
    const world = await city();
    await create(world);
    const tripOptions = { externalId: "order-1" };
    await track(world, FAR, { tripOptions });
    await update(world, { status: "canceled" });
    const { told: events, trip: shown } = await track(world, FAR, { tripOptions });
    expect([events, shown]).toEqual([[], undefined]);
  });

  it("gives way when the device names another", async () => {
    const world = await city();
    await create(world);
    await track(world, FAR);
    const { told: events, trip: shown } = await track(world, FAR, { tripOptions: { externalId: "order-2" } });
    expect([events, shown.externalId]).toEqual([["user.stopped_trip", "user.started_trip"], "order-2"]);
    expect(
      await eventually(
        () => trip(world),
        ({ status }) => status === "canceled",
      ),
    ).toMatchObject({ status: "canceled" });
  });

  it("follows the one before it: of several that wait the oldest comes first", async () => {
    const world = await city();
    await create(world);
    await create(world, { ...TRIP, externalId: "order-2" });
    expect((await track(world, FAR)).trip.externalId).toBe("order-1");
    await update(world, { status: "completed" });
    expect((await track(world, FAR)).trip.externalId).toBe("order-2");
  });

  it("tells of the wrong door: another geofence of the destination's tag", async () => {
    const world = await city();
    await create(world);
    await track(world, FAR);
    const wrong = await track(world, WORK);
    expect(wrong.told).toEqual(["user.arrived_at_wrong_trip_destination"]);
    expect(wrong.trip.status).toBe("started");
  });

  it("has arrived at once when it begins at its destination", async () => {
    const world = await city();
    await track(world, HOME);
    await create(world);
    const { told: events } = await track(world, HOME);
    expect(events).toEqual(["user.started_trip", "user.arrived_at_trip_destination"]);
  });

  it("takes its threshold from the geofence when it has none, and without one is never approaching", async () => {
    const world = await city();
    const fence = { description: "home", type: "circle", coordinates: [HOME.longitude, HOME.latitude], radius: 100 };
    await put("/v1/geofences/door/home", world.keys.testSecret, { ...fence, tripApproachingThreshold: 30 });
    await create(world, { ...TRIP, approachingThreshold: undefined });
    expect((await track(world, FAR)).told).toEqual(["user.started_trip", "user.approaching_trip_destination"]);
    const other = { ...TRIP, externalId: "b", userId: "bob", approachingThreshold: undefined };
    await create(world, { ...other, destinationGeofenceExternalId: "work" });
    expect(
      (
        await track(world, WORK.latitude ? { latitude: 40.603, longitude: -73.98 } : FAR, {
          userId: "bob",
          deviceId: "b",
        })
      ).told,
    ).toEqual(["user.started_trip"]);
  });

  it("is delayed when its ETA lies behind scheduledArrivalAt", async () => {
    const world = await city();
    const soon = new Date(Date.now() + 5 * 60_000).toISOString();
    await create(world, { ...TRIP, scheduledArrivalAt: soon });
    const late = await track(world, FAR);
    expect(late.trip.scheduledArrivalAt).toBe(soon);
    expect(late.trip.delay).toEqual({ delayed: true, scheduledArrivalTimeDelay: expect.closeTo(12.3, 0) });
    const early = await track(world, NEAR);
    expect(early.trip.delay.delayed).toBe(false);
    expect(early.trip.delay.scheduledArrivalTimeDelay).toBeLessThan(0);
    expect(Date.parse(early.trip.eta.updatedAt)).toBe(Date.parse(early.trip.updatedAt));
  });

  it("is delayed while it has not arrived by scheduledArrivalAt, though nobody has heard of it since", async () => {
    const world = await city();
    const { testSecret: key } = world.keys;
    const scheduledArrivalAt = new Date(Date.now() + 20 * 60_000).toISOString();
    await create(world, { ...TRIP, scheduledArrivalAt });
    await track(world, NEAR);
    await create(world, { externalId: "waits", scheduledArrivalAt: new Date(Date.now() - 60_000).toISOString() });
    const late = async () => {
      const { body } = await get("/v1/trips?delayed=true", key);
      return (body.trips as Json[]).map(({ externalId, delay }) => [
        externalId,
        Math.round((delay as Json).scheduledArrivalTimeDelay as number),
      ]);
    };
    const started = () => trip(world);
    await eventually(started, ({ status }) => status !== "pending");
    expect(await late()).toEqual([["waits", 1]]);
    // The clock moves on: half an hour without an update.
    await sql(
      "UPDATE trip SET doc = json_set(doc, '$.scheduledArrivalAt', doc ->> '$.scheduledArrivalAt' - 1800000) WHERE scope = ?",
      world.id * 2,
    );
    expect(await late()).toEqual([
      ["waits", 31],
      ["order-1", 10],
    ]);
    expect((await get("/v1/trips?delayed=false", key)).body.trips).toEqual([]);
  });

  it("expires when nothing was heard for a day, with the next update", async () => {
    const world = await city();
    await create(world);
    const day = 24 * 3600_000;
    await track(world, FAR, { updatedAt: new Date(Date.now() - day - 60_000).toISOString() });
    const { told: events, trip: shown } = await track(world, FAR);
    expect([events, shown]).toEqual([["user.stopped_trip"], undefined]);
    const stored = await eventually(
      () => trip(world),
      ({ status }) => status === "expired",
    );
    expect(stored.status).toBe("expired");
  });

  it("survives its tracker's eviction, and a deleted user takes it along", async () => {
    const world = await city();
    await create(world);
    await track(world, FAR);
    await control("evict", { object: "DEVICE_TRACKER", name: `${world.id * 2}:phone` });
    expect((await track(world, FAR)).told).toEqual(["user.updated_trip"]);
    await eventually(
      () => get("/v1/users/ann", world.keys.testSecret),
      ({ status }) => status === 200,
    );
    expect((await del("/v1/users/ann", world.keys.testSecret)).status).toBe(200);
    expect((await get("/v1/trips/order-1", world.keys.testSecret)).status).toBe(404);
    expect(await sql("SELECT * FROM trip_location WHERE scope = ?", world.id * 2)).toEqual([]);
  });
});

describe("the hourly round", () => {
  const DAY = 24 * 3600_000;
  const round = (days = 0) => control("scheduled", { now: Date.now() + days * DAY });

  it("lets trips expire: under way after a day of silence, with an event, and pending ones after a week", async () => {
    const world = await city();
    await create(world);
    await create(world, { externalId: "waiting" });
    const long = Date.now() - 2 * DAY;
    await track(world, FAR, { updatedAt: new Date(long).toISOString() });
    await eventually(
      () => trip(world),
      ({ status }) => status === "started",
    );
    const scope = world.id * 2;
    // What the database says alone does not end a trip that its tracker has heard of.
    await create(world, { externalId: "fresh", userId: "zoe" });
    await track(world, FAR, { userId: "zoe", deviceId: "zoe" });
    await eventually(
      () => trip(world, "fresh"),
      ({ status }) => status === "started",
    );
    await sql(
      "UPDATE trip SET updated_at = ?1, doc = json_set(doc, '$.updatedAt', ?1) WHERE scope = ?2 AND external_id <> 'order-1'",
      long,
      scope,
    );
    await round();
    const statuses = async () =>
      Promise.all(["order-1", "waiting", "fresh"].map(async (id) => (await trip(world, id)).status));
    expect(await statuses()).toEqual(["expired", "pending", "started"]);
    const { body } = await get("/v1/events", world.keys.testSecret);
    expect(told(body)).toContain("user.stopped_trip");
    expect((await track(world, FAR)).trip).toBeUndefined();
    await sql("UPDATE trip SET doc = json_set(doc, '$.createdAt', ?) WHERE scope = ?", Date.now() - 8 * DAY, scope);
    await round();
    expect((await trip(world, "waiting")).status).toBe("expired");
  });

  it("deletes trips after ninety days and their locations after seven, or when the project says", async () => {
    const world = await city();
    await create(world);
    await track(world, FAR);
    await eventually(
      () => sql("SELECT * FROM trip_location WHERE scope = ?", world.id * 2),
      (points) => points.length === 1,
    );
    await sql("UPDATE trip_location SET at = at - ? WHERE scope = ?", 8 * DAY, world.id * 2);
    await round();
    expect(await sql("SELECT * FROM trip_location WHERE scope = ?", world.id * 2)).toEqual([]);
    await update(world, { status: "completed" });
    await sql("UPDATE trip SET created_at = created_at - ? WHERE scope = ?", 91 * DAY, world.id * 2);
    await round();
    expect((await get("/v1/trips/order-1", world.keys.testSecret)).status).toBe(404);
  });
});

describe("POST /v1/trips", () => {
  it("refuses a second trip under way with the same externalId, and takes it when the first has ended", async () => {
    const world = await city();
    await create(world);
    expect((await create(world)).status).toBe(409);
    await update(world, { status: "canceled" });
    const again = await create(world);
    expect(again.status).toBe(200);
    expect((await trip(world))._id).toBe(again.body.trip._id);
  });

  it.each([
    ["externalId", undefined, "externalId: Required."],
    ["mode", "rocket", "mode: Invalid mode. Valid values: car, truck, foot, bike, motorbike."],
    ["approachingThreshold", -1, "approachingThreshold: Invalid approachingThreshold. Valid range: [0, 1440]."],
    ["scheduledArrivalAt", "soon", "scheduledArrivalAt: Invalid scheduledArrivalAt."],
    ["destinationGeofenceTag", undefined, "Required with destinationGeofenceExternalId."],
    ["destinationGeofenceExternalId", undefined, "Required with destinationGeofenceTag."],
    ["destinationGeofenceExternalId", "nowhere", "No geofence has this tag and externalId."],
    ["metadata", { list: [] }, "metadata[list]: Invalid metadata."],
  ])("refuses %s = %j by name", async (param, value, message) => {
    const world = await city();
    const { status, body } = await create(world, { ...TRIP, [param]: value });
    expect([status, body.meta.param]).toEqual([400, expect.stringContaining(param)]);
    expect(body.meta.message).toContain(message);
  });
});

describe("PATCH /v1/trips/:id/update", () => {
  it("ends a trip that nobody has begun, without an event", async () => {
    const world = await city();
    await create(world);
    const { body } = await update(world, { status: "canceled" });
    expect([body.trip.status, body.events]).toEqual(["canceled", []]);
    expect((await track(world, FAR)).told).toEqual([]);
  });

  it("begins a trip on the device its user was last seen with", async () => {
    const world = await city();
    await track(world, FAR);
    await eventually(
      () => get("/v1/users/ann", world.keys.testSecret),
      ({ status }) => status === 200,
    );
    await create(world);
    const { body } = await update(world, { status: "started" });
    expect([body.trip.status, told(body)]).toEqual(["started", ["user.started_trip"]]);
    expect((await track(world, FAR)).told).toEqual(["user.updated_trip"]);
  });

  it("may say itself that the trip is approaching or has arrived, and change its details", async () => {
    const world = await city();
    await create(world);
    await track(world, FAR);
    expect(told((await update(world, { status: "approaching" })).body)).toEqual(["user.approaching_trip_destination"]);
    const { body } = await update(world, { status: "arrived", metadata: { box: 4 }, mode: "foot" });
    expect(told(body)).toEqual(["user.arrived_at_trip_destination"]);
    expect(body.trip).toMatchObject({ metadata: { box: 4 }, mode: "foot", status: "arrived" });
    const moved = await update(world, { destinationGeofenceTag: "door", destinationGeofenceExternalId: "work" });
    expect(moved.body.trip.destinationLocation.coordinates).toEqual([WORK.longitude, WORK.latitude]);
    expect((await track(world, FAR)).trip).toMatchObject({ destinationGeofenceExternalId: "work", mode: "foot" });
  });

  it("takes the same end twice, refuses another, and knows no other statuses", async () => {
    const world = await city();
    await create(world);
    await track(world, FAR);
    await update(world, { status: "completed" });
    const twice = await update(world, { status: "completed" });
    expect([twice.status, twice.body.events]).toEqual([200, []]);
    expect((await update(world, { status: "canceled" })).status).toBe(409);
    expect((await update(world, { status: "pending" })).body.meta.param).toBe("status");
    expect((await update(world, { status: "completed" }, "nothing")).status).toBe(404);
  });
});

describe("GET /v1/trips", () => {
  it("lists by status, externalId, userId, destination, time and delay, with where they went if asked", async () => {
    const world = await city();
    const { testSecret: key } = world.keys;
    await create(world, { ...TRIP, scheduledArrivalAt: "2026-01-01T00:00:00Z" });
    await track(world, FAR);
    await track(world, NEAR);
    await create(world, { ...TRIP, externalId: "b", userId: "bob", destinationGeofenceExternalId: "work" });
    await create(world, { externalId: "c" });
    await eventually(
      () => trip(world),
      ({ status }) => status === "approaching",
    );
    await sql(
      "UPDATE trip SET created_at = instr('ob', substr(external_id, 1, 1)) * 1000 WHERE scope = ?",
      world.id * 2,
    );
    const list = async (query: string) => {
      const { body } = await get(`/v1/trips?${query}`, key);
      return body.trips
        .map(({ externalId }: Json) => externalId)
        .sort()
        .join();
    };
    expect(await list("")).toBe("b,c,order-1");
    expect(await list("status=pending")).toBe("b,c");
    expect(await list("status=approaching,%20pending")).toBe("b,c,order-1");
    expect(await list("externalId=c,order-1")).toBe("c,order-1");
    expect(await list("userId=bob")).toBe("b");
    expect(await list("destinationGeofenceTag=door")).toBe("b,order-1");
    expect(await list("destinationGeofenceTag=door&destinationGeofenceExternalId=work")).toBe("b");
    expect(await list("delayed=true")).toBe("order-1");
    expect(await list("delayed=false")).toBe("b,c");
    expect(await list("createdAfter=1970-01-01T00:00:01Z")).toBe("b");
    expect(await list("createdBefore=1970-01-01T00:00:02Z")).toBe("c,order-1");
    const first = await get("/v1/trips?limit=1&sortBy=updatedAt", key);
    expect([first.body.meta.hasMore, first.body.trips.length]).toEqual([true, 1]);
    expect((await get("/v1/trips?sortBy=size", key)).body.meta.param).toBe("sortBy");
    expect((await get("/v1/trips?status=lost", key)).body.meta.param).toBe("status");
    const { body } = await get("/v1/trips?externalId=order-1&includeLocations=true", key);
    expect(body.trips[0].locations.map(({ location }: Json) => (location as Json).coordinates)).toEqual([
      [FAR.longitude, FAR.latitude],
      [NEAR.longitude, NEAR.latitude],
    ]);
    const { route } = (await get("/v1/trips/order-1/route", key)).body;
    expect(route.geometry).toEqual({
      type: "LineString",
      coordinates: [
        [FAR.longitude, FAR.latitude],
        [NEAR.longitude, NEAR.latitude],
      ],
    });
    const metric = (await get("/v1/trips/order-1/route?units=metric", key)).body.route;
    expect(metric.distance.value).toBeCloseTo(metresBetween(FAR, NEAR), 0);
    expect(metric.distance.text).toMatch(/^\d+(\.\d+)? k?m$/);
    expect(route.distance.value).toBeCloseTo(metric.distance.value * 3.28084, 0);
  });

  it("forgets a deleted trip, on the device as well", async () => {
    const world = await city();
    await create(world);
    await track(world, FAR);
    expect((await del("/v1/trips/order-1", world.keys.testSecret)).body).toEqual({ meta: { code: 200 } });
    expect((await get("/v1/trips/order-1", world.keys.testSecret)).status).toBe(404);
    const { told: events, trip: shown } = await track(world, FAR);
    expect([events, shown]).toEqual([[], undefined]);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect((await get("/v1/trips/order-1", world.keys.testSecret)).status).toBe(404);
  });
});
