import { expect, it } from "vitest";
import { eventually, get, type Json, makeWorld, post, put } from "../../../support/world.ts";

const STORE = { latitude: 40.7, longitude: -73.95 };
const AWAY = { latitude: 40.8, longitude: -73.95 };

it("an entry of a phone without a network and the server's entry are one event, in either order", async () => {
  const { keys } = await makeWorld({ settings: { rateLimits: { track: 1000 } } });
  const circle = { description: "Store", type: "circle", coordinates: [STORE.longitude, STORE.latitude], radius: 100 };
  const { geofence } = (await put("/v1/geofences/store/1", keys.testSecret, circle)).body;
  const key = keys.testPublishable;
  const at = Date.now() - 3_600_000;
  const update = (deviceId: string, place: Json, minute: number) => {
    const updatedAtMs = at + minute * 60_000;
    return { deviceId, userId: deviceId, ...place, accuracy: 5, updatedAtMs, replayed: true };
  };
  const report = async (deviceId: string, more: Json = {}) => {
    const createdAt = new Date(at + 600_000 + 2_000).toISOString();
    const event = { name: "user.entered_geofence", deviceId, userId: deviceId, createdAt, geofenceId: geofence._id };
    return (await post("/v1/events", key, { ...event, metadata: { offline: true }, ...more })).body;
  };
  const replay = async (deviceId: string) =>
    (await post("/v1/track/replay", key, { replays: [update(deviceId, STORE, 10)] })).body.events as Json[];
  for (const deviceId of ["first", "second"]) await post("/v1/track", key, update(deviceId, AWAY, 0));

  const reported = (await report("first")).event;
  expect(reported).toMatchObject({ type: "user.entered_geofence", geofence: { tag: "store" }, confidence: 1 });
  expect((await report("first")).event._id).toBe(reported._id);
  expect((await replay("first")).map(({ _id, metadata }) => [_id, metadata])).toEqual([
    [reported._id, { offline: true }],
  ]);

  const [generated] = await replay("second");
  expect((await report("second")).event._id).toBe(generated._id);
  expect((await report("second", { geofenceId: undefined })).meta.param).toBe("geofenceId");
  expect((await report("second", { metadata: {} })).meta.param).toBe("name");
  expect((await report("unknown")).meta.code).toBe(404);

  const { body } = await eventually(
    () => get("/v1/events", keys.testSecret),
    (answer) => answer.body.events.length >= 2,
  );
  expect(body.events.map(({ _id }: Json) => _id).sort()).toEqual([reported._id, generated._id].sort());
});
