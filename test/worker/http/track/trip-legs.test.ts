import { beforeAll, expect, it } from "vitest";
import { distance as metresBetween } from "../../../../src/core/geo/distance.ts";
import { call, get, type Json, makeWorld, post, put, type World } from "../../../support/world.ts";

/** A courier where no roads are imported: ETAs are guesses, 1.3 times the straight line at 13.9 m/s (by road: trip-legs-by-road.test.ts). */
const SHOP = { latitude: 30.99, longitude: -41.2 };
const CAFE = { latitude: 30.995, longitude: -41.19 };
const FAR = { latitude: 30.98, longitude: -41.21 };
const NAMES = ["track", "createTrip", "setTripLegs", "updateTripLeg", "updateTrip", "getTrip", "upsertGeofence"];

/** As much of a leg as is looked at. */
interface Leg {
  _id: string;
  status: string;
  eta: { duration: number; distance: number };
  stopDuration?: number;
}
interface Told {
  trip: { legs: Leg[] };
}

let world: World;
let cafe: string;
beforeAll(async () => {
  const rateLimits = Object.fromEntries(NAMES.map((name) => [name, 1000]));
  world = await makeWorld({ settings: { rateLimits } });
  const fence = (at: typeof SHOP) => ({
    description: "Stop",
    type: "circle",
    radius: 50,
    tripApproachingThreshold: 1,
    coordinates: [at.longitude, at.latitude],
  });
  await put("/v1/geofences/stop/shop", world.keys.testSecret, fence(SHOP));
  cafe = (await put("/v1/geofences/stop/cafe", world.keys.testSecret, fence(CAFE))).body.geofence._id;
});

// As the SDKs for iOS and Android send them.
const toShop = { destination: { destinationGeofenceTag: "stop", destinationGeofenceExternalId: "shop" } };
const toCafe = () => ({ destination: { destinationGeofenceId: cafe }, stopDuration: 5, metadata: { box: 2 } });
const toPoint = { destination: { coordinates: [-41.205, 30.985], arrivalRadius: 40 } };
const round = (externalId: string, more: Json = {}) => ({
  externalId,
  userId: externalId,
  mode: "car",
  legs: [toShop, toCafe(), toPoint],
  ...more,
});
const create = (body: Json, key = world.keys.testSecret) => post("/v1/trips", key, body);
const track = async (user: string, at: typeof SHOP, more: Json = {}) => {
  const json = { deviceId: `phone-${user}`, userId: user, accuracy: 5, foreground: true, ...at, ...more };
  return (await post("/v1/track", world.keys.testSecret, json)).body;
};
const patchLeg = (trip: string, leg: string, json: Json, key = world.keys.testSecret) =>
  call("PATCH", `/v1/trips/${trip}/legs/${leg}`, { key, json });
const putLegs = (trip: string, legs: unknown, key = world.keys.testSecret) =>
  call("PUT", `/v1/trips/${trip}/legs`, { key, json: { legs } });
const statuses = ({ trip }: Told) => trip.legs.map(({ status }) => status).join(" ");
const trips = (body: { events: { type: string; leg?: Leg }[] }) =>
  body.events.flatMap(({ type, leg }) => (type.includes("trip") ? [`${type.slice(5)} ${leg?._id}`] : []));

it("a trip over a geofence by its names, one by its _id and a point is made, travelled and told leg by leg", async () => {
  const made = (await create(round("ann"))).body;
  expect([made.trip.status, statuses(made), made.events]).toEqual(["pending", "pending pending pending", []]);
  const [shop, second, point] = made.trip.legs;
  expect(made.trip).toMatchObject({
    currentLeg: shop._id,
    currentLegId: shop._id,
    destinationGeofenceExternalId: "shop",
  });
  expect(shop.destination).toMatchObject({ type: "geofence", source: { data: { tag: "stop", externalId: "shop" } } });
  expect(second).toMatchObject({
    status: "pending",
    stopDuration: 5,
    metadata: { box: 2 },
    destinationGeofenceExternalId: "cafe",
    destination: {
      type: "geofence",
      source: { geofence: cafe, data: { tag: "stop", externalId: "cafe" } },
      location: { type: "Point", coordinates: [CAFE.longitude, CAFE.latitude] },
    },
  });
  expect(point.destination).toEqual({
    type: "coordinates",
    source: { data: [-41.205, 30.985] },
    arrivalRadius: 40,
    location: { type: "Point", coordinates: [-41.205, 30.985] },
  });

  const started = await track("ann", FAR);
  expect(trips(started)).toEqual([`started_trip ${shop._id}`]);
  expect(statuses(started.user)).toBe("started pending pending");
  const etas = (started.user.trip.legs as Leg[]).map(({ eta }) => eta);
  expect(etas[0].duration).toBeGreaterThan(0);
  expect(etas[1].duration - etas[0].duration).toBeGreaterThan(0);
  // The stop of five minutes at the café lies before the last leg.
  expect(etas[2].duration - etas[1].duration).toBeGreaterThan(5);
  expect(started.user.trip.eta).toMatchObject(etas[2]);
  expect(etas[1].distance - etas[0].distance).toBeCloseTo(metresBetween(SHOP, CAFE) * 1.3, 0);

  expect(trips(await track("ann", SHOP))).toEqual([`arrived_at_trip_destination ${shop._id}`]);
  const left = await track("ann", { latitude: 30.993, longitude: -41.195 });
  expect([statuses(left.user), left.user.trip.currentLeg]).toEqual(["completed started pending", second._id]);
  expect(trips(left).at(-1)).toMatch(new RegExp(`${second._id}$`));

  const there = (await patchLeg("ann", second._id, { status: "arrived" })).body;
  expect(trips(there)).toEqual([`arrived_at_trip_destination ${second._id}`]);
  expect(there.leg).toMatchObject({ _id: second._id, status: "arrived", arrivedAt: expect.any(String) });
  const gone = (await patchLeg("ann", second._id, { status: "completed" })).body;
  expect([gone.leg.status, statuses(gone), gone.trip.destinationGeofenceTag]).toEqual([
    ...["completed", "completed completed started", undefined],
  ]);
  expect(gone.trip.destinationLocation.coordinates).toEqual([-41.205, 30.985]);
  const last = await track("ann", { latitude: 30.985, longitude: -41.205 });
  expect([trips(last), last.user.trip.status]).toEqual([[`arrived_at_trip_destination ${point._id}`], "arrived"]);
  const done = (await patchLeg("ann", point._id, { status: "completed" })).body;
  expect([done.trip.status, trips(done).map((told) => told.split(" ")[0])]).toEqual(["completed", ["stopped_trip"]]);
  const stored = (await get("/v1/trips/ann", world.keys.testSecret)).body;
  expect([statuses(stored), stored.trip.currentLeg]).toEqual(["completed completed completed", undefined]);
  // The SDK ends the trip as well: what has happened stays.
  expect((await patchLeg("ann", point._id, { status: "completed" })).status).toBe(200);
  expect((await patchLeg("ann", point._id, { status: "canceled" })).status).toBe(409);
});

it("its legs are put in another order by their _ids, or others take their place", async () => {
  const { trip } = (await create(round("bea"))).body;
  const [a, b, c] = (trip.legs as Leg[]).map(({ _id }) => _id);
  await track("bea", FAR);
  const turned = (await putLegs("bea", [b, a, c])).body;
  expect((turned.trip.legs as Leg[]).map(({ _id, status }) => [_id, status])).toEqual([
    ...[
      [b, "started"],
      [a, "pending"],
      [c, "pending"],
    ],
  ]);
  const { user } = await track("bea", FAR);
  expect((user.trip.legs as Leg[]).every(({ eta }) => eta.duration > 0)).toBe(true);
  const others = (await putLegs("bea", [{ _id: c, stopDuration: 7 }, toShop])).body.trip.legs as Leg[];
  expect(others.map(({ _id, status, stopDuration }) => [_id === c, status, stopDuration])).toEqual([
    ...[
      [true, "started", 7],
      [false, "pending", undefined],
    ],
  ]);
  const paths = [["nobody"], [], [a], [c, c], "none", [{ destination: {} }], [toShop, { _id: "x", ...toShop }]];
  const answers = await Promise.all(paths.map((legs) => putLegs("bea", legs)));
  expect(answers.map(({ status, body }) => [status, body.meta.param])).toEqual([
    ...[
      [400, "legs[0]"],
      [400, "legs"],
      [400, "legs[0]"],
      [400, "legs[1]"],
      [400, "legs"],
    ],
    ...[
      [400, "legs[0][destination]"],
      [400, "legs[1]"],
    ],
  ]);
});

it("before anybody travels, a leg may be canceled, and one that is started begins the trip", async () => {
  const { trip } = (await create(round("cid"))).body;
  const [a, b] = (trip.legs as Leg[]).map(({ _id }) => _id);
  const canceled = (await patchLeg("cid", a, { status: "canceled" })).body;
  expect([canceled.trip.status, statuses(canceled)]).toEqual(["pending", "canceled pending pending"]);
  const begun = (await patchLeg("cid", b, { status: "started" })).body;
  expect([begun.trip.status, statuses(begun)]).toEqual(["started", "canceled started pending"]);
  expect(statuses((await track("cid", FAR)).user)).toBe("canceled started pending");
  const ended = (
    await call("PATCH", "/v1/trips/cid/update", { key: world.keys.testSecret, json: { status: "completed" } })
  ).body;
  expect([ended.trip.status, statuses(ended)]).toEqual(["completed", "canceled completed canceled"]);
});

it("a leg that waits is reached or completed out of turn, and the trip keeps its ETA to the end", async () => {
  const { trip } = (await create(round("fay"))).body;
  await track("fay", FAR);
  const [a, b, c] = (trip.legs as Leg[]).map(({ _id }) => _id);
  const eta = (body: { trip: { eta?: Leg["eta"] } }) => body.trip.eta?.duration ?? 0;
  const first = (await patchLeg("fay", b, { status: "completed" })).body;
  expect([first.leg.status, statuses(first)]).toEqual(["completed", "started completed pending"]);
  expect(eta(first)).toBeGreaterThan(0);
  const second = (await patchLeg("fay", c, { status: "arrived" })).body;
  expect(second.events.map(({ type }: Json) => type)).toEqual(["user.arrived_at_trip_destination"]);
  expect((second.trip.legs as Leg[]).map(({ _id }) => _id).indexOf(c)).toBeLessThan(
    (second.trip.legs as Leg[]).map(({ _id }) => _id).indexOf(a),
  );
  expect(eta(second)).toBeGreaterThan(0);
  const third = (await patchLeg("fay", c, { status: "completed" })).body;
  expect(eta(third)).toBeGreaterThan(0);
  const last = (await patchLeg("fay", a, { status: "completed" })).body;
  expect([last.trip.status, eta(last)]).toEqual(["completed", eta(third)]);
});

it("what cannot be is a 400 that names the parameter, and an unknown leg a 404", async () => {
  const { trip } = (await create(round("dan"))).body;
  const [, b] = (trip.legs as Leg[]).map(({ _id }) => _id);
  const asked = await Promise.all([
    patchLeg("dan", b, { status: "expired" }),
    patchLeg("dan", b, { status: "pending" }),
    patchLeg("dan", b, {}),
    patchLeg("dan", "nobody", { status: "started" }),
    patchLeg("nobody", b, { status: "started" }),
    call("PATCH", "/v1/trips/dan/update", { key: world.keys.testSecret, json: { status: "arrived" } }),
  ]);
  expect(asked.map(({ status, body }) => [status, body.meta.param])).toEqual([
    ...[
      [400, "status"],
      [400, "status"],
      [400, "status"],
      [404, undefined],
      [404, undefined],
      [400, "status"],
    ],
  ]);
  const bad: [legs: unknown, param: string][] = [
    [[{ destination: { destinationGeofenceTag: "stop" } }], "legs[0][destination][destinationGeofenceExternalId]"],
    [
      [{ destination: { destinationGeofenceTag: "stop", destinationGeofenceExternalId: "x" } }],
      "legs[0][destination][destinationGeofenceExternalId]",
    ],
    [[toShop, { destination: { destinationGeofenceId: "x" } }], "legs[1][destination][destinationGeofenceId]"],
    [[{ destination: { coordinates: [-41.2, 95] } }], "legs[0][destination][coordinates][1]"],
    [[{ destination: { coordinates: "1,2" } }], "legs[0][destination][coordinates]"],
    [[{ destination: { address: "99999 Nowhere Road, Atlantis" } }], "legs[0][destination][address]"],
    [[{ ...toPoint, stopDuration: -1 }], "legs[0][stopDuration]"],
    [Array.from({ length: 26 }, () => toPoint), "legs"],
    [[7], "legs[0]"],
  ];
  const answers = await Promise.all(bad.map(([legs]) => create({ externalId: "bad", legs })));
  expect(answers.map(({ status, body }) => [status, body.meta.param])).toEqual(bad.map(([, param]) => [400, param]));
});

it("an app may name an address beside its coordinates", async () => {
  const address = "1 Main Street, Meridale";
  const known = { destination: { address, coordinates: [-41.2, 30.99] } };
  const { trip } = (await create({ externalId: "eve", legs: [known] })).body;
  expect(trip.legs[0].destination).toEqual({
    type: "address",
    address,
    source: { data: address },
    arrivalRadius: 100,
    location: { type: "Point", coordinates: [-41.2, 30.99] },
  });
});

it("a publishable key changes legs with the userId, and sees the deviceId nowhere; with the deviceId it sees all; with neither nothing", async () => {
  const key = world.keys.testPublishable;
  const { trip } = (await create(round("gus"), key)).body;
  await track("gus", FAR);
  const bare = (await patchLeg("gus", trip.legs[0]._id, { status: "approaching", userId: "gus" }, key)).body;
  expect([bare.leg.status, JSON.stringify(bare).includes("phone-gus")]).toEqual(["approaching", false]);
  // What the SDKs hand to the app, in the trip and in its events.
  expect(bare.trip).toMatchObject({ _id: trip._id, externalId: "gus", mode: "car", currentLegId: trip.legs[0]._id });
  expect(bare.events).toEqual([expect.objectContaining({ trip: bare.trip, leg: bare.leg })]);
  expect([bare.trip.eta.duration > 0, bare.leg.eta.duration > 0]).toEqual([true, true]);
  for (const json of [{}, { deviceId: "phone-hal" }, { userId: "hal" }])
    expect((await patchLeg("gus", trip.legs[0]._id, { status: "arrived", ...json }, key)).status).toBe(404);
  const own = (await patchLeg("gus", trip.legs[0]._id, { status: "arrived", deviceId: "phone-gus" }, key)).body;
  expect(own.trip.legs[1].eta.duration).toBeGreaterThan(0);
});

it("tripOptions with legs make such a trip with the update itself", async () => {
  const tripOptions = { externalId: "hal", legs: [toShop, toPoint], destinationGeofenceTag: null };
  const { user } = await track("hal", FAR, { tripOptions });
  expect([user.trip.externalId, statuses(user)]).toEqual(["hal", "started pending"]);
  expect(user.trip.eta.duration).toBeGreaterThan(0);
});

it("tripOptions with the address of a leg are refused, unless the trip exists", async () => {
  const toAddress = { destination: { address: "1 Main Street, Nelson" } };
  const send = (externalId: string, legs: unknown[]) => {
    const json = { deviceId: "phone-ivy", userId: "ivy", accuracy: 5, ...FAR, tripOptions: { externalId, legs } };
    return post("/v1/track", world.keys.testPublishable, json);
  };
  const { status, body } = await send("ivy", [toPoint, toAddress]);
  expect([status, body.meta.param, body.meta.message]).toEqual([
    ...[400, "tripOptions[legs][1][destination][address]", expect.stringContaining("POST /v1/trips")],
  ]);
  await create(round("ivy"));
  const known = await send("ivy", [toPoint, toAddress]);
  expect([known.status, known.body.user?.trip?.externalId]).toEqual([200, "ivy"]);
});
