import { beforeAll, describe, expect, it } from "vitest";
import { type Answer, call, type Json, makeWorld, post, put, type World } from "../../support/world.ts";

/** Anonymous tracking, as the SDKs send it: the phone remembers what it was inside of, as ids. */

const IN = { latitude: 12.1, longitude: -41.1 };
const OUT = { latitude: 12.2, longitude: -41.1 };
const BEACON = { type: "ibeacon", uuid: "f7826da6-4fa2-4e98-8024-bc5b71e0893e", major: "1", minor: "2" };

let world: World;
let fence: string;
let beacon: string;
beforeAll(async () => {
  world = await makeWorld();
  const { testSecret: secret } = world.keys;
  const circle = { description: "a", type: "circle", coordinates: [IN.longitude, IN.latitude], radius: 100 };
  fence = (await put("/v1/geofences/anon/one", secret, circle)).body.geofence._id;
  const place = { description: "b", coordinates: [IN.longitude, IN.latitude], enabled: true };
  beacon = (await put("/v1/beacons/anon/one", secret, { ...BEACON, ...place })).body.beacon._id;
  await new Promise((resolve) => setTimeout(resolve, 1500));
});

const track = async (more: Json, { form = false } = {}) => {
  const update = { anonymous: true, deviceId: "anonymous", accuracy: 5, ...more };
  const { testPublishable: key } = world.keys;
  const answer = form
    ? await call("POST", "/v1/track", { key, form: asForm(update) })
    : await post("/v1/track", key, update);
  expect(answer.status).toBe(200);
  return answer.body;
};
const asForm = (json: Json) => Object.fromEntries(Object.entries(json).map(([name, value]) => [name, String(value)]));
const types = ({ events }: Answer["body"]) =>
  events.map(({ type }: Answer["body"]) => type).filter((type: string) => !/region/.test(type));

describe("an anonymous update", () => {
  it.each([
    ["enters what it is inside of, if nothing is known", IN, {}, ["user.entered_geofence"]],
    ["enters it, if it was inside nothing", IN, { geofenceIds: [] }, ["user.entered_geofence"]],
    ["does not enter it again", IN, { geofenceIds: "ID" }, []],
    ["exits it", OUT, { geofenceIds: "ID" }, ["user.exited_geofence"]],
    ["has nothing to exit", OUT, { geofenceIds: [] }, []],
    ["ignores ids of others, and what is no id", OUT, { geofenceIds: ["x", 1, null, {}] }, []],
    ["ignores what is no list", IN, { geofenceIds: { a: 1 } }, ["user.entered_geofence"]],
    ["takes null as unknown", IN, { geofenceIds: null, placeId: null }, ["user.entered_geofence"]],
    ["is at a known place only if it exists", OUT, { placeId: "nowhere", geofenceIds: "ID" }, ["user.exited_geofence"]],
    ["does not move without a fix", { latitude: 0, longitude: 0 }, { geofenceIds: "ID" }, []],
    ["does not exit by a bad fix", { ...OUT, accuracy: 5000 }, { geofenceIds: "ID" }, []],
  ])("%s", async (_, at, held: Json, expected) => {
    const ids = held.geofenceIds === "ID" ? { ...held, geofenceIds: [fence] } : held;
    const body = await track({ ...at, ...ids });
    expect(types(body)).toEqual(expected);
    for (const event of body.events) expect(event).not.toHaveProperty(event.type.includes("exited") ? "duration" : "x");
  });

  it("has what it is inside of in its user, for the next update", async () => {
    const { user } = await track({ ...IN, beacons: [BEACON] });
    expect([user.geofences[0]._id, user.beacons[0]._id]).toEqual([fence, beacon]);
  });

  it("enters and exits beacons by beaconIds", async () => {
    const held = { geofenceIds: [fence], beaconIds: [beacon] };
    expect(types(await track({ ...IN, geofenceIds: [fence], beacons: [BEACON] }))).toEqual(["user.entered_beacon"]);
    expect(types(await track({ ...IN, ...held, beacons: [BEACON] }))).toEqual([]);
    expect(types(await track({ ...IN, ...held, beacons: [] }))).toEqual(["user.exited_beacon"]);
    expect(types(await track({ ...IN, ...held }))).toEqual([]);
  });

  it("takes ids as JSON and comma separated in a form", async () => {
    const at = { latitude: "12.1", longitude: "-41.1", anonymous: "true", accuracy: "5" };
    for (const geofenceIds of [JSON.stringify([fence]), `${fence}, x`, fence])
      expect(types(await track({ ...at, geofenceIds }, { form: true }))).toEqual([]);
    expect(types(await track({ ...at, "geofenceIds[]": fence }, { form: true }))).toEqual([]);
    expect(types(await track({ ...at, geofenceIds: "null" }, { form: true }))).toEqual(["user.entered_geofence"]);
  });

  it("stores nothing, and ids of a device that is known count nothing", async () => {
    const known = { anonymous: false, deviceId: "known", geofenceIds: [fence] };
    expect(types(await track({ ...OUT, ...known }))).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect(types(await track({ ...IN, ...known, updatedAt: new Date().toISOString() }))).toEqual([
      "user.entered_geofence",
    ]);
  });

  it("exits at once, whatever the exit delay", async () => {
    const { keys } = await makeWorld({ settings: { tracking: { exitDelay: 60 } } });
    const circle = { description: "a", type: "circle", coordinates: [IN.longitude, IN.latitude], radius: 100 };
    const { _id } = (await put("/v1/geofences/anon/one", keys.testSecret, circle)).body.geofence;
    const json = { anonymous: true, deviceId: "anonymous", accuracy: 5, ...OUT, geofenceIds: [_id] };
    const { body } = await post("/v1/track", keys.testPublishable, json);
    expect([types(body), body.user.geofences]).toEqual([["user.exited_geofence"], []]);
  });

  it.each([{ userIds: ["vip"] }, { userIds: ["anonymous"] }, { segments: ["vip"] }])(
    "neither enters nor exits a geofence with %j",
    async (limit) => {
      const circle = { description: "c", type: "circle", coordinates: [-41.1, 13], radius: 100, ...limit };
      const { body } = await put("/v1/geofences/anon/limited", world.keys.testSecret, circle);
      await new Promise((resolve) => setTimeout(resolve, 1500));
      const there = { latitude: 13, longitude: -41.1 };
      expect(types(await track(there))).toEqual([]);
      const left = await track({ ...OUT, geofenceIds: [body.geofence._id] });
      expect([types(left), left.user.geofences]).toEqual([[], []]);
    },
  );

  it("of the live environment does not exit a geofence of the test environment", async () => {
    const { livePublishable } = world.keys;
    const json = { anonymous: true, deviceId: "anonymous", accuracy: 5, ...OUT, geofenceIds: [fence] };
    expect(types((await post("/v1/track", livePublishable, json)).body)).toEqual([]);
  });
});
