import { describe, expect, it } from "vitest";
import { get, type Json, makeWorld, post, put, sql, type World } from "../../../support/world.ts";

/** Each rule that a geofence carries, from PUT to the events of track. */
const HERE = { latitude: 40.7, longitude: -73.98 };
const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

async function town(rule: Json): Promise<World> {
  const world = await makeWorld({ settings: { rateLimits: { track: 1000 } } });
  const fence = { description: "Home", type: "circle", coordinates: [HERE.longitude, HERE.latitude], radius: 100 };
  expect((await put("/v1/geofences/home/1", world.keys.testSecret, { ...fence, ...rule })).status).toBe(200);
  return world;
}

const track = async (world: World, more: Json = {}): Promise<string[]> => {
  const update = { deviceId: "phone", userId: "ann", ...HERE, accuracy: 5, foreground: true, ...more };
  const { status, body } = await post("/v1/track", world.keys.testPublishable, update);
  expect(status).toBe(200);
  return body.events.map(({ type }: Json) => type);
};

describe("a geofence with", () => {
  it("operatingHours lets in only while it is open", async () => {
    const always = Object.fromEntries(DAYS.map((day) => [day, [["00:00", "24:00"]]]));
    expect(await track(await town({ operatingHours: always }))).toEqual(["user.entered_geofence"]);
    expect(await track(await town({ operatingHours: {} }))).toEqual([]);
  });

  it("disableAfter lets in until then, and is left afterwards", async () => {
    const past = new Date(Date.now() - 60_000).toISOString();
    expect(await track(await town({ disableAfter: past }))).toEqual([]);
    const world = await town({ disableAfter: new Date(Date.now() + 60_000).toISOString() });
    expect(await track(world)).toEqual(["user.entered_geofence"]);
    const later = new Date(Date.now() + 120_000).toISOString();
    expect(await track(world, { updatedAt: later })).toEqual(["user.exited_geofence"]);
  });

  it("deleteAfter is gone when its time has come", async () => {
    const world = await town({ deleteAfter: new Date(Date.now() + 60_000).toISOString() });
    expect(await track(world)).toEqual(["user.entered_geofence"]);
    const later = new Date(Date.now() + 120_000).toISOString();
    expect(await track(world, { updatedAt: later })).toEqual(["user.exited_geofence"]);
    await sql("UPDATE geofence SET delete_after = 1 WHERE scope = ?", world.id * 2);
    expect((await get("/v1/geofences/home/1", world.keys.testSecret)).status).toBe(404);
  });

  it("userIds is there for those users alone, by userId or deviceId", async () => {
    const world = await town({ userIds: ["ann", "tablet"] });
    expect(await track(world)).toEqual(["user.entered_geofence"]);
    expect(await track(world, { userId: "bob", deviceId: "other" })).toEqual([]);
    expect(await track(world, { userId: "eve", deviceId: "tablet" })).toEqual(["user.entered_geofence"]);
  });

  it("stopDetection lets in who stops or looks at the phone, not who drives through", async () => {
    const world = await town({ stopDetection: true });
    expect(await track(world, { foreground: false, stopped: false })).toEqual([]);
    expect(await track(world, { foreground: false, stopped: true })).toEqual(["user.entered_geofence"]);
    const other = await town({ stopDetection: true });
    expect(await track(other, { foreground: true, stopped: false })).toEqual(["user.entered_geofence"]);
  });

  it("ip keeps the addresses for the customer, shows them to secret keys only, and decides nothing", async () => {
    const world = await town({ ip: ["192.0.2.1"] });
    expect(await track(world)).toEqual(["user.entered_geofence"]);
    expect((await get("/v1/geofences/home/1", world.keys.testSecret)).body.geofence.ip).toEqual(["192.0.2.1"]);
    const search = "/v1/search/geofences?near=40.7,-73.98";
    expect((await get(search, world.keys.testPublishable)).body.geofences[0]).not.toHaveProperty("ip");
  });
});
