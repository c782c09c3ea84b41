import { beforeAll, describe, expect, it } from "vitest";
import { type Answer, call, eventually, get, type Json, makeWorld, post, type World } from "../../support/world.ts";

/** A trip that is started, approaching or arrived is shown to its user, whoever created it and whatever a request names. */

const AT = { latitude: 49.26, longitude: -123.11, accuracy: 5 };

let world: World;
beforeAll(async () => {
  world = await makeWorld({ settings: { rateLimits: { track: 1000, createTrip: 1000 } } });
});

const shownIn = ({ user, events = [] }: Answer["body"]) => [
  user?.trip?.externalId,
  events.filter(({ type }: Answer["body"]) => /trip/.test(type)).map(({ trip }: Answer["body"]) => trip?.externalId),
];
const track = async (json: Json, key = world.keys.testPublishable) =>
  (await post("/v1/track", key, { ...AT, ...json })).body;
const replay = async (json: Json) =>
  (await post("/v1/track/replay", world.keys.testPublishable, { replays: [{ ...AT, ...json }] })).body;

describe("a trip of a user", () => {
  const by: Record<string, () => string> = {
    "a server": () => world.keys.testSecret,
    "another device": () => world.keys.testPublishable,
  };
  it.each([
    ["a server", {}],
    ["another device", {}],
    [
      "a server",
      { tripOptions: { externalId: "none", destinationGeofenceTag: "x", destinationGeofenceExternalId: "y" } },
    ],
    ["another device", { tripOptions: null }],
  ])("that %s created is shown by track with %j, then by users, events, replays", async (who, named) => {
    const name = `t${Math.random()}`.replace(".", "");
    const ids = { userId: `u-${name}`, deviceId: `d-${name}` };
    await post("/v1/trips", by[who](), { externalId: name, userId: ids.userId, mode: "car" });
    const first = await track({ ...ids, ...named });
    expect(shownIn(first)).toEqual([name, [name]]);
    expect(first.user.trip).toMatchObject({ status: "started", userId: ids.userId });
    expect(shownIn(await track({ ...ids, latitude: 49.27 }))).toEqual([name, [name]]);
    expect(shownIn(await replay({ ...ids, latitude: 49.28 }))).toEqual([name, [name]]);
    const read = await eventually(
      () => get(`/v1/users/${ids.userId}`, world.keys.testSecret),
      ({ body }) => body.user?.trip,
    );
    expect(read.body.user.trip.externalId).toBe(name);
    const { events } = (await get(`/v1/events?userId=${ids.userId}`, world.keys.testSecret)).body;
    expect(shownIn({ events })[1]).toEqual([name, name, name]);
  });

  it("that a server started before any update is shown with the first one, also if the app names an ended trip", async () => {
    const { testSecret: secret } = world.keys;
    const ids = { userId: "early", deviceId: "phone-early" };
    await post("/v1/trips", secret, { externalId: "old", userId: "early" });
    await track({ ...ids, tripOptions: { externalId: "old" } });
    await call("PATCH", "/v1/trips/old/update", { key: secret, json: { status: "completed" } });
    await post("/v1/trips", secret, { externalId: "new", userId: "early" });
    const named = { ...ids, tripOptions: { externalId: "old" } };
    expect(shownIn(await track({ ...named, latitude: 49.27 }))[0]).toBe("new");
    expect(shownIn(await track({ ...named, latitude: 49.28 }))[0]).toBe("new");
  });

  it("is shown with another name in the request, in a form, in live, and not after its end", async () => {
    const { livePublishable, liveSecret, testSecret } = world.keys;
    for (const [key, secret, deviceId] of [
      [world.keys.testPublishable, testSecret, "switch"],
      [livePublishable, liveSecret, "switch"],
    ]) {
      const ids = { deviceId, userId: "switch" };
      await post("/v1/trips", secret, { externalId: "switch", userId: "switch" });
      const { status, body } = await call("POST", "/v1/track", {
        key,
        form: { deviceId, userId: "switch", latitude: "49.26", longitude: "-123.11", accuracy: "5" },
      });
      expect([status, ...shownIn(body)]).toEqual([200, "switch", ["switch"]]);
      await call("PATCH", "/v1/trips/switch/update", { key: secret, json: { status: "arrived" } });
      expect((await track({ ...ids, latitude: 49.3 }, key)).user.trip.status).toBe("arrived");
      await call("PATCH", "/v1/trips/switch/update", { key: secret, json: { status: "canceled" } });
      expect((await track({ ...ids, latitude: 49.4 }, key)).user.trip).toBeUndefined();
    }
  });

  it("is shown after updates of another app, and not to another user or device", async () => {
    const { testPublishable: key, testSecret: secret } = world.keys;
    await post("/v1/trips", secret, { externalId: "ingested", userId: "ing" });
    const location = { coords: { ...AT }, timestamp: new Date().toISOString() };
    await post("/v1/ingest/traccar?userId=ing", key, { location, device_id: "ing-phone" });
    expect((await track({ deviceId: "ing-phone", userId: "ing", latitude: 49.3 })).user.trip.externalId).toBe(
      "ingested",
    );
    expect((await track({ deviceId: "ing-phone", userId: "other", latitude: 49.3 })).user.trip).toBeUndefined();
    expect((await track({ deviceId: "ing-tablet", userId: "ing", latitude: 49.3 })).user.trip).toBeUndefined();
  });
});
