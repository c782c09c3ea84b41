import { type Answer, call, eventually, get, type Json, post, put } from "../../../support/world.ts";

/** Real answers of beacons, trips, replay, sync, conversions and fraud, each field of them seen at least once. */
export async function noteTracking(
  note: (name: string, answer: Answer) => Answer["body"],
  world: {
    key: string;
    secret: string;
    fence: Json;
    here: { latitude: number; longitude: number };
    /** An event that is in the database. */
    event: string;
  },
): Promise<void> {
  const { key, secret, fence, here, event } = world;
  const patch = (path: string, json: Json, by = secret) => call("PATCH", path, { key: by, json });
  const beacon = {
    ...{
      description: "Door",
      type: "ibeacon",
      uuid: "aaaaaaaa-0000-4000-8000-000000000001",
      major: "1",
      minor: "2",
      enabled: true,
    },
    tag: "doors",
    externalId: "1",
    coordinates: [here.longitude, here.latitude],
    metadata: { floor: 1 },
  };
  const eddystone = { ...beacon, type: "eddystone", uid: "bb", instance: "01", externalId: "2" };
  note("createBeacon", await post("/v1/beacons", secret, beacon));
  const { beacon: second } = note("upsertBeacon", await put("/v1/beacons/doors/2", secret, eddystone));
  note("updateBeacon", await put(`/v1/beacons/${second._id}`, secret, eddystone));
  note("getBeacon", await get("/v1/beacons/doors/1", secret));
  note("getBeaconById", await get(`/v1/beacons/${second._id}`, secret));
  note("listBeacons", await get("/v1/beacons", secret));
  note("searchBeacons", await get(`/v1/search/beacons?near=${here.latitude},${here.longitude}`, key));
  const csv = `description,type,uuid,major,minor,tag,externalId,coordinates,enabled\nGate,ibeacon,cccccccc-0000-4000-8000-000000000003,1,3,doors,3,"[${beacon.coordinates}]",true\nBad,wifi,,,,doors,4,"[0,0]",true\n`;
  const imported = note("importBeacons", await post("/v1/imports/beacons", secret, { csv, filename: "doors.csv" }));
  note("listBeaconImports", await get("/v1/imports/beacons", secret));
  note("getBeaconImport", await get(`/v1/imports/beacons/${imported.import._id}`, secret));

  const tag = { destinationGeofenceTag: String(fence.tag), destinationGeofenceExternalId: String(fence.externalId) };
  const trip = {
    ...{
      externalId: "order",
      userId: "bea",
      ...tag,
      mode: "foot",
      metadata: { vip: true },
      approachingThreshold: "600",
      routeTolerance: "100",
    },
    scheduledArrivalAt: "2026-01-01T00:00:00.000Z",
  };
  note("createTrip", await post("/v1/trips", key, trip));
  note("patchSettings", await patch("/v1/settings", { tracking: { fraud: true } }));
  const far = { latitude: here.latitude + 0.02, longitude: here.longitude };
  const bea = { deviceId: "tablet", userId: "bea", accuracy: 5, foreground: true, mocked: true };
  const heard = [
    { type: "ibeacon", uuid: "aaaaaaaa-0000-4000-8000-000000000001", major: "1", minor: "2" },
    { ...eddystone },
  ];
  note(
    "track",
    await post("/v1/track", key, {
      ...bea,
      ...far,
      beacons: heard,
      nearbyGeofences: true,
      tripOptions: { externalId: "order" },
    }),
  );
  const asked = { verified: true, transactionId: "order-1", reason: "pickup", expectedCountryCode: "XX" };
  note("track", await post("/v1/track", key, { ...bea, ...far, accuracy: 7, ...asked }));
  note("revealRisk", await post("/v1/reveal/risk", key, { deviceId: "tablet", transactionId: "order-1" }));
  note("postConfig", await post("/v1/config", key, { usage: "initialize" }));
  note(
    "replayTrack",
    await post("/v1/track/replay", key, { replays: [{ ...bea, ...here, beacons: [], nearbyGeofences: true }] }),
  );
  note("syncRegion", await post("/v1/sync/region", key, here));
  await eventually(
    () => get("/v1/trips/order/route", secret),
    ({ body }) => body.route?.locations.length === 2,
  );
  note("setUserFraud", await patch("/v1/users/tablet/fraud", { bypassed: true }));
  note("getTrip", await get("/v1/trips/order", secret));
  note("listTrips", await get("/v1/trips?includeLocations=true", secret));
  note("tripRoute", await get("/v1/trips/order/route", secret));
  note("updateTrip", await patch("/v1/trips/order/update", { status: "completed", userId: bea.userId }, key));
  const near = { destination: { destinationGeofenceTag: fence.tag, destinationGeofenceExternalId: fence.externalId } };
  const point = { destination: { coordinates: [here.longitude, here.latitude], arrivalRadius: 60 }, stopDuration: 3 };
  const round = { externalId: "round", userId: "bea", legs: [near, { ...point, metadata: { box: 1 } }] };
  const { legs } = note("createTrip", await post("/v1/trips", secret, round)).trip;
  note("track", await post("/v1/track", secret, { ...bea, ...far, accuracy: 6 }));
  const order = { legs: [legs[1]._id, legs[0]._id] };
  note("setTripLegs", await put("/v1/trips/round/legs", secret, order));
  for (const status of ["approaching", "arrived", "completed"])
    note("updateTripLeg", await patch(`/v1/trips/round/legs/${legs[1]._id}`, { status }));
  note("deleteTrip", await call("DELETE", "/v1/trips/order", { key: secret }));
  const bought = {
    name: "bought",
    deviceId: "tablet",
    userId: "bea",
    metadata: { size: "L" },
    revenue: 9.5,
    duration: 2,
  };
  note("logConversion", await post("/v1/events", key, bought));
  note("logConversion", await post("/v1/events", key, { name: "opened", deviceId: "new" }));
  const verdict = { verification: -1, verifiedPlaceId: "x" };
  note("verifyEvent", await put(`/v1/events/${event}/verification`, secret, verdict));
  note("patchSettings", await patch("/v1/settings", { returnedEventTypes: ["user.entered_geofence"] }));
  note("deleteBeacon", await call("DELETE", "/v1/beacons/doors/1", { key: secret }));
  note("deleteBeaconById", await call("DELETE", `/v1/beacons/${second._id}`, { key: secret }));
}
