import { expect, it } from "vitest";
import { call, get, type Json, makeWorld, post, put } from "../../../support/world.ts";

it("tracking options follow the settings, the geofence and the trip, and wrong ones are rejected", async () => {
  const { keys } = await makeWorld({ settings: { rateLimits: { track: 1000, patchSettings: 1000 } } });
  const patch = async (sdk: Json) => {
    const { status, body } = await call("PATCH", "/v1/settings", { key: keys.testSecret, json: { sdk } });
    return status === 200 ? body.sdk : body.meta.param;
  };
  const remote = [
    { type: "default", trackingOptions: "responsive" },
    { type: "inGeofence", geofenceTags: ["store"], trackingOptions: { preset: "continuous", beacons: true } },
    { type: "onTrip", trackingOptions: { desiredMovingUpdateInterval: 5 } },
  ];
  expect(await patch({ useSyncRegion: "yes" })).toBe("sdk[useSyncRegion]");
  expect(await patch({ useSyncRegoin: true })).toBe("sdk");
  expect(await patch({ remoteTrackingOptions: [{ type: "onTrip", trackingOptions: { becons: true } }] })).toBe(
    "sdk[remoteTrackingOptions][0][trackingOptions]",
  );
  expect(await patch({ remoteTrackingOptions: [{ type: "default", trackingOptions: "fast" }] })).toMatch(
    /^sdk\[remoteTrackingOptions\]\[0\]\[trackingOptions\]/,
  );
  expect(await patch({ remoteTrackingOptions: [{ type: "inGeofence", trackingOptions: "responsive" }] })).toBe(
    "sdk[remoteTrackingOptions][0][geofenceTags]",
  );
  expect(await patch({ remoteTrackingOptions: [remote[0], remote[0]] })).toBe("sdk[remoteTrackingOptions]");
  const set = { useSyncRegion: true, defaultGeofenceDwellThreshold: 5, remoteTrackingOptions: remote };
  expect(await patch(set)).toMatchObject({
    logLevel: "info",
    useSyncRegion: true,
    remoteTrackingOptions: [{ trackingOptions: { preset: "responsive" } }, {}, {}],
  });
  const configOf = async (device: string) => {
    const headers = { "x-radar-device-type": device };
    return (await call("GET", "/v1/config", { key: keys.testPublishable, headers })).body.meta.sdkConfiguration;
  };
  const config = await configOf("Android");
  expect(config).toMatchObject({ useSyncRegion: true, defaultGeofenceDwellThreshold: 5 });
  expect(config.remoteTrackingOptions[0]).toMatchObject({
    type: "default",
    trackingOptions: { fastestMovingUpdateInterval: 30, useStoppedGeofence: true },
  });
  expect((await configOf("iOS")).remoteTrackingOptions[0].trackingOptions).not.toHaveProperty(
    "fastestMovingUpdateInterval",
  );

  const store = { latitude: 40.7, longitude: -73.95 };
  const circle = { description: "Store", type: "circle", coordinates: [-73.95, 40.7], radius: 100 };
  await put("/v1/geofences/store/1", keys.testSecret, circle);
  const track = async (more: Json = {}, at = store) => {
    const update = { deviceId: "phone", userId: "ann", deviceType: "iOS", accuracy: 5, ...at, ...more };
    return (await post("/v1/track", keys.testPublishable, update)).body.meta.trackingOptions;
  };
  const away = { latitude: 40.8, longitude: -73.95 };
  expect(await track({}, away)).toMatchObject({ desiredMovingUpdateInterval: 150 });
  expect(await track()).toMatchObject({ desiredMovingUpdateInterval: 30, beacons: true });
  const onTrip = { tripOptions: { externalId: "t1", mode: "car" } };
  expect(await track(onTrip)).toMatchObject({ desiredMovingUpdateInterval: 30, beacons: true });
  expect(await track(onTrip, away)).toEqual({ desiredMovingUpdateInterval: 5, type: "on-trip" });
  expect(await patch({ remoteTrackingOptions: null, useSyncRegion: null })).not.toHaveProperty("useSyncRegion");
  expect(await track()).toBeUndefined();
  expect((await get("/v1/settings", keys.testSecret)).body.sdk).not.toHaveProperty("remoteTrackingOptions");
});
