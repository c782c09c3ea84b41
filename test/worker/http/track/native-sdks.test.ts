import { expect, it } from "vitest";
import { call, get, type Json, post, put } from "../../../support/world.ts";
import { openWorld } from "../conformance/open-world.ts";

/**
 * The fields that the SDKs for iOS (3.39) and Android (3.34) parse, as their repositories' response fixtures have them. A
 * whole day of one device is answered, and each answer holds what its parser reads. Fields of addresses and places are with
 * the tests of geocoding.
 */
const GEOFENCE = [
  ...["_id", "tag", "externalId", "description", "metadata", "type", "geometryCenter", "geometryRadius"],
  ...["operatingHours", "dwellThreshold", "stopDetection"],
];
const DEVICE = [
  ...["deviceType", "deviceMake", "deviceModel", "deviceOS", "foreground", "stopped", "sdkVersion"],
  ...["locationAuthorization", "locationAccuracyAuthorization"],
];
const USER = [
  ...["_id", "live", "userId", "deviceId", "description", "metadata", "location", "locationAccuracy", "geofences"],
  ...["createdAt", "updatedAt", "actualUpdatedAt", "source", "installId", "segments", "trip", ...DEVICE],
];
const EVENT = [
  ...["_id", "type", "live", "createdAt", "actualCreatedAt", "user", "location", "locationAccuracy", "confidence"],
];
const TRIP = [
  ...["_id", "externalId", "metadata", "mode", "status", "eta", "destinationLocation"],
  ...["destinationGeofenceTag", "destinationGeofenceExternalId", "createdAt", "updatedAt", "userId"],
];
const SDK = ["logLevel", "startTrackingOnInitialize", "trackOnceOnAppOpen"];

const HERE = { latitude: 40.7, longitude: -73.98 };
const PHONE = {
  deviceId: "phone",
  userId: "ann",
  installId: "install",
  description: "Ann",
  metadata: { vip: true },
  deviceType: "iOS",
  deviceMake: "Apple",
  deviceModel: "iPhone18,1",
  deviceOS: "26.1",
  sdkVersion: "3.39.0",
  foreground: true,
  stopped: true,
  source: "FOREGROUND_LOCATION",
  accuracy: 5,
  locationAuthorization: "GRANTED_FOREGROUND",
  locationAccuracyAuthorization: "FULL",
};
const missing = (value: Json, fields: readonly string[]) => fields.filter((field) => value?.[field] === undefined);

it("native apps find every field they read", async () => {
  const { testPublishable: key, testSecret: secret } = (await openWorld()).keys;
  const fence = {
    description: "Office",
    type: "circle",
    coordinates: [HERE.longitude, HERE.latitude],
    radius: 120,
    metadata: { floor: 3 },
    dwellThreshold: 5,
    stopDetection: true,
    operatingHours: Object.fromEntries(
      ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].map((day) => [day, [["00:00", "24:00"]]]),
    ),
  };
  await put("/v1/geofences/office/1", secret, fence);
  const asWritten = {
    type: "circle",
    geometryCenter: { type: "Point", coordinates: fence.coordinates },
    geometryRadius: 120,
    operatingHours: fence.operatingHours,
    dwellThreshold: 5,
    stopDetection: true,
  };

  const { body: inside } = await post("/v1/track", key, { ...PHONE, ...HERE });
  const [entry] = inside.events;
  expect(missing(entry, [...EVENT, ...DEVICE, "geofence"])).toEqual([]);
  expect(missing(entry.geofence, GEOFENCE)).toEqual([]);
  expect(entry.geofence).toMatchObject(asWritten);
  expect(missing(inside.user.geofences[0], GEOFENCE)).toEqual([]);
  expect(inside.user.geofences[0]).toMatchObject(asWritten);

  const { body: around } = await get(`/v1/context?coordinates=${HERE.latitude},${HERE.longitude}`, key);
  expect(around.context.live).toBe(false);
  expect(missing(around.context.geofences[0], GEOFENCE)).toEqual([]);
  expect(around.context.geofences[0]).toMatchObject(asWritten);

  const door = { destinationGeofenceTag: "office", destinationGeofenceExternalId: "1" };
  const trip = { externalId: "order", userId: "ann", metadata: { box: 1 }, ...door };
  await put("/v1/users/ann/segments", secret, { segments: [{ description: "VIP", externalId: "vip" }] });
  const { body: made } = await post("/v1/trips", secret, trip);
  expect([missing(made.trip, TRIP), made.events]).toEqual([[], []]);
  const tripOptions = { version: "2", externalId: "order" };
  const { body: away } = await post("/v1/track", key, { ...PHONE, ...HERE, latitude: 40.72, tripOptions });
  const exit = away.events.find(({ type }: Json) => type === "user.exited_geofence");
  expect(missing(exit, [...EVENT, ...DEVICE, "geofence", "duration"])).toEqual([]);
  const started = away.events.find(({ type }: Json) => type === "user.started_trip");
  expect(missing(started, [...EVENT, ...DEVICE, "trip"])).toEqual([]);
  expect(missing(started.trip, TRIP)).toEqual([]);
  expect(missing(away.user, USER)).toEqual([]);
  expect(missing(away.user.trip, TRIP)).toEqual([]);
  const { body: done } = await call("PATCH", "/v1/trips/order/update", { key: secret, json: { status: "completed" } });
  expect([missing(done.trip, TRIP), done.events.length]).toEqual([[], 1]);

  const conversion = (await post("/v1/events", key, { name: "bought", deviceId: "phone", userId: "ann" })).body.event;
  expect([missing(conversion, EVENT), conversion.custom]).toEqual([[], true]);
  expect(entry).not.toHaveProperty("custom");

  const { body: config } = await get("/v1/config", key);
  expect(missing(config.meta, ["featureSettings", "sdkConfiguration"])).toEqual([]);
  expect(missing(config.meta.sdkConfiguration, SDK)).toEqual([]);
});

it("a polygon and its reach, and the label of a geofence that was edited under a visitor, are told too", async () => {
  const { testPublishable: key, testSecret: secret } = (await openWorld()).keys;
  const ring = [
    [-74, 40.69],
    [-73.96, 40.69],
    [-73.96, 40.71],
    [-74, 40.71],
    [-74, 40.69],
  ];
  await put("/v1/geofences/block/1", secret, { description: "Block", type: "polygon", coordinates: ring });
  const entered = (await post("/v1/track", key, { ...PHONE, ...HERE })).body.events[0].geofence;
  const [read] = (await get("/v1/geofences?tag=block", secret)).body.geofences;
  expect(entered).toMatchObject({
    type: "polygon",
    geometryCenter: read.geometryCenter,
    geometryRadius: read.geometryRadius,
  });
  expect(entered).not.toHaveProperty("geometry");
  await put("/v1/geofences/block/1", secret, {
    description: "Block",
    type: "polygon",
    coordinates: ring,
    dwellThreshold: 9,
  });
  const { user } = (await post("/v1/track", key, { ...PHONE, ...HERE, latitude: 40.7001 })).body;
  expect(user.geofences[0].dwellThreshold).toBe(9);
});

/**
 * The keys and types of the response fixtures in the repositories of the SDKs for iOS and Android (`trip_with_legs`, and what
 * their tests of verified tracking and of revealRisk make up). "date" has milliseconds and Z, "point" two numbers.
 */
type Shape = string | readonly Shape[] | { [key: string]: Shape };
const ETA = { duration: "number", distance: "number" };
const GEOFENCE_LEG = {
  _id: "string",
  status: "string",
  createdAt: "date",
  updatedAt: "date",
  eta: ETA,
  stopDuration: "number",
  metadata: { package: "string" },
  destination: {
    type: "string",
    source: { geofence: "string", data: { tag: "string", externalId: "string" } },
    location: { coordinates: "point" },
  },
};
const TRIP_OF_LEGS = {
  _id: "string",
  externalId: "string",
  metadata: { driver: "string" },
  mode: "string",
  status: "string",
  destinationGeofenceTag: "string",
  destinationGeofenceExternalId: "string",
  eta: ETA,
  currentLeg: "string",
  destinationLocation: { type: "string", coordinates: "point" },
  legs: [GEOFENCE_LEG],
};
const LEG_EVENT = {
  _id: "string",
  type: "string",
  createdAt: "date",
  actualCreatedAt: "date",
  confidence: "number",
  location: { type: "string", coordinates: "point" },
  trip: TRIP_OF_LEGS,
  leg: GEOFENCE_LEG,
};
const VERIFIED = {
  _id: "string",
  token: "string",
  format: "string",
  expiresAt: "date",
  expiresIn: "number",
  passed: "boolean",
  failureReasons: ["string"],
  transactionId: "string",
  events: [],
  inAppMessages: [],
  user: { _id: "string", location: { type: "string", coordinates: "point" }, fraud: { passed: "boolean" } },
};
const RISK = {
  _id: "string",
  token: "string",
  expiresAt: "date",
  expiresIn: "number",
  risk: { level: "string", reasons: ["string"], failureReasons: ["string"], score: "number" },
  network: {
    ipAddress: {
      countryCode: "string",
      country: "string",
      city: "string",
      stateCode: "string",
      postalCode: "string",
      connectionType: "string",
      stateConfidence: "string",
      countryConfidence: "string",
      layer: "string",
      dma: "string",
      dmaCode: "string",
      countryAllowed: "boolean",
      stateAllowed: "boolean",
    },
    privacy: {
      hosting: "boolean",
      proxy: "boolean",
      relay: "boolean",
      service: "string",
      tor: "boolean",
      vpn: "boolean",
      residentialProxy: "boolean",
    },
    asn: { asn: "string", country: "string", domain: "string", name: "string", network: "string", type: "string" },
  },
  device: {
    deviceId: "string",
    deviceType: "string",
    deviceMake: "string",
    deviceModel: "string",
    sdkVersion: "string",
    deviceOSName: "string",
    deviceOSVersion: "string",
    installId: "string",
    xPlatformType: "string",
    appId: "string",
    appName: "string",
    appVersion: "string",
    appBuild: "string",
  },
};

/** `create_trip`, `get_config_response`, `beacons`, `route_distance` and `search_geofences`, as both SDKs have them. */
const PERSON = { _id: "string", userId: "string", deviceId: "string", metadata: { foo: "string" } };
const NEW_TRIP = {
  trip: {
    _id: "string",
    createdAt: "date",
    updatedAt: "date",
    live: "boolean",
    externalId: "string",
    userId: "string",
    mode: "string",
    status: "string",
    destinationGeofenceTag: "string",
    destinationGeofenceExternalId: "string",
    destinationLocation: { type: "string", coordinates: "point" },
    user: PERSON,
    locations: [],
    metadata: { foo: "string", baz: "boolean", qux: "number" },
  },
  user: PERSON,
  events: [],
};
const BEACON = {
  _id: "string",
  description: "string",
  metadata: { category: "string" },
  type: "string",
  geometry: { type: "string", coordinates: "point" },
  uuid: "string",
  major: "string",
  minor: "string",
};
const QUANTITY = { value: "number", text: "string" };
const FOUND_FENCE = {
  _id: "string",
  live: "boolean",
  tag: "string",
  externalId: "string",
  description: "string",
  type: "string",
  ...{
    geometryCenter: { type: "string", coordinates: "point" },
    geometryRadius: "number",
    metadata: { foo: "string" },
  },
};

/** Where a value has not the shape: "legs[0].eta.duration". */
function unlike(value: unknown, shape: Shape, at = ""): string[] {
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return [at];
    return shape.length === 0 ? [] : value.flatMap((one, i) => unlike(one, shape[0], `${at}[${i}]`));
  }
  if (typeof shape === "object") {
    if (typeof value !== "object" || value === null) return [at];
    return Object.entries(shape).flatMap(([key, part]) => unlike((value as Json)[key], part as Shape, `${at}.${key}`));
  }
  const fits =
    shape === "date"
      ? /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(value))
      : shape === "point"
        ? Array.isArray(value) && value.length === 2 && value.every((one) => typeof one === "number")
        : typeof value === shape;
  return fits ? [] : [`${at}: no ${shape}`];
}

it("what newer apps parse of trips of several legs, verified tracking and risk has their keys and types", async () => {
  const { testPublishable: key, testSecret: secret } = (await openWorld()).keys;
  const door = { destinationGeofenceTag: "store", destinationGeofenceExternalId: "1" };
  const fence = { description: "Store", type: "circle", coordinates: [HERE.longitude, HERE.latitude], radius: 100 };
  await put("/v1/geofences/store/1", secret, fence);
  const leg = { destination: door, stopDuration: 10, metadata: { package: "small" } };
  const trip = { externalId: "order-456", userId: "ann", metadata: { driver: "x" }, legs: [leg, leg, leg] };
  const { legs } = (await post("/v1/trips", key, trip)).body.trip;
  const there = { ...PHONE, ...HERE, latitude: 40.75, tripOptions: { version: "2", externalId: "order-456" } };
  const { body: tracked } = await post("/v1/track", key, there);
  expect(unlike(tracked.user.trip, TRIP_OF_LEGS)).toEqual([]);
  expect(
    unlike(
      tracked.events.find(({ type }: Json) => type === "user.started_trip"),
      LEG_EVENT,
    ),
  ).toEqual([]);
  const json = { status: "approaching", deviceId: "phone" };
  const { body: done } = await call("PATCH", `/v1/trips/order-456/legs/${legs[0]._id}`, { key, json });
  expect(unlike(done, { trip: TRIP_OF_LEGS, leg: GEOFENCE_LEG, events: [LEG_EVENT] })).toEqual([]);
  const order = { legs: [legs[1]._id, legs[0]._id, legs[2]._id], deviceId: "phone" };
  const { body: turned } = await call("PUT", "/v1/trips/order-456/legs", { key, json: order });
  expect(unlike(turned, { trip: TRIP_OF_LEGS, events: [LEG_EVENT] })).toEqual([]);

  const asked = { ...PHONE, ...HERE, deviceId: "other", verified: true, transactionId: "t", mocked: true };
  expect(unlike((await post("/v1/track", key, asked)).body, VERIFIED)).toEqual([]);
  expect(unlike((await post("/v1/reveal/risk", key, { ...PHONE, deviceOS: "iOS 26.1" })).body, RISK)).toEqual([]);
  const { body: config } = await post("/v1/config", key, { usage: "initialize", offlineDataRequest: null });
  expect([config.newGeofences, config.removeGeofences, config.meta.sdkConfiguration.logLevel]).toEqual([
    [],
    [],
    "info",
  ]);
});

it("what apps parse of a new trip, beacons, distances and geofences found has the keys and types of their fixtures", async () => {
  const { testPublishable: key, testSecret: secret } = (await openWorld()).keys;
  const at = `${HERE.latitude},${HERE.longitude}`;
  const coordinates = [HERE.longitude, HERE.latitude];
  const fence = { description: "Door", type: "circle", coordinates, radius: 100, metadata: { foo: "bar" } };
  await put("/v1/geofences/door/1", secret, fence);
  const beacon = { type: "ibeacon", uuid: "b9407f30-f5f8-466e-aff9-25556b57fe6d", major: "1", minor: "2", coordinates };
  await put("/v1/beacons/gate/1", secret, {
    ...beacon,
    description: "Gate",
    metadata: { category: "office" },
    enabled: true,
  });
  await post("/v1/track", key, { ...PHONE, ...HERE, userId: "eve", deviceId: "eves", metadata: { foo: "bar" } });
  const trip = {
    externalId: "new",
    userId: "eve",
    mode: "foot",
    metadata: { foo: "bar", baz: true, qux: 1 },
    destinationGeofenceTag: "door",
    destinationGeofenceExternalId: "1",
  };
  // A list of users waits until what was answered can be read.
  await get("/v1/users", secret);
  expect(unlike((await post("/v1/trips", secret, trip)).body, NEW_TRIP)).toEqual([]);
  // Whoever only says a name learns nothing of who bears it.
  const { body: told } = await post("/v1/trips", key, { ...trip, externalId: "newer" });
  expect([told.trip.locations, told.user, told.trip.user]).toEqual([[], undefined, undefined]);

  const { body: beacons } = await get(`/v1/search/beacons?near=${at}&radius=1000`, key);
  expect([beacons.beacons.length, unlike(beacons, { beacons: [BEACON] })]).toEqual([1, []]);
  const { body: fences } = await get(`/v1/search/geofences?near=${at}&tags=door`, key);
  expect([fences.geofences.length, unlike(fences, { geofences: [FOUND_FENCE] })]).toEqual([1, []]);
  const { body: distance } = await get(`/v1/route/distance?origin=${at}&destination=40.8,-74&modes=car`, key);
  expect(unlike(distance.routes, { geodesic: { distance: QUANTITY } })).toEqual([]);
});

it("apps that report their notifications, and look for messages, find that there are none", async () => {
  const { testPublishable: key } = (await openWorld()).keys;
  const notificationDiff = [{ identifier: "radar_1", campaignId: "c", delivered: true }];
  for (const diff of [notificationDiff, [], null, { added: [], removed: ["radar_1"] }]) {
    const { status, body } = await post("/v1/track", key, {
      ...PHONE,
      ...HERE,
      deviceId: "app",
      notificationDiff: diff,
    });
    expect([status, body.inAppMessages, Array.isArray(body.events)]).toEqual([200, [], true]);
    expect(body.user).not.toHaveProperty("notificationDiff");
  }
});
