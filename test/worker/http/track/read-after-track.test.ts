import { describe, expect, it } from "vitest";
import { call, get, type Json, post, put } from "../../../support/world.ts";
import { openWorld } from "../conformance/open-world.ts";

/** Who was answered finds what it was told: no waiting, no asking again. */

const HERE = { latitude: 40.7, longitude: -73.98 };

describe("a user", () => {
  it("is readable by every name, in the list and in search when track has answered", async () => {
    const { testPublishable: key, testSecret: secret } = (await openWorld()).keys;
    for (let i = 0; i < 20; i++) {
      const update = { deviceId: `phone-${i}`, userId: `ann-${i}`, ...HERE, accuracy: 5 };
      const { user } = (await post("/v1/track", key, update)).body;
      const [{ body: byId }, { body: byName }, { body: byDevice }, { body: list }, { body: near }] = await Promise.all([
        get(`/v1/users/${user._id}`, secret),
        get(`/v1/users/ann-${i}`, secret),
        get(`/v1/users/phone-${i}`, secret),
        get("/v1/users?limit=1", secret),
        get("/v1/search/users?near=40.7,-73.98&limit=100", secret),
      ]);
      expect([byId.user, byName.user, byDevice.user]).toEqual([user, user, user]);
      expect(list.users[0]).toEqual(user);
      expect(near.users.map(({ _id }: Json) => _id)).toContain(user._id);
    }
  });

  it("is in the list of a project in a further database when its update has been answered, with all others", async () => {
    const { testPublishable: key, testSecret: secret } = (await openWorld({}, false, "DB_2")).keys;
    for (let round = 1; round <= 3; round++) {
      const updates = Array.from({ length: 30 }, (_, i) => ({ deviceId: `phone-${round}-${i}`, ...HERE, accuracy: 5 }));
      await Promise.all(updates.map((update) => post("/v1/track", key, update)));
      expect((await get("/v1/users?limit=100", secret)).body.users).toHaveLength(30 * round);
    }
  });

  it("is as its last update left it", async () => {
    const { testPublishable: key, testSecret: secret } = (await openWorld()).keys;
    for (let i = 0; i < 10; i++) {
      const update = { deviceId: "phone", userId: "ann", ...HERE, latitude: 40 + i / 10, accuracy: 5 };
      const { user } = (await post("/v1/track", key, update)).body;
      expect((await get("/v1/users/ann", secret)).body.user).toEqual(user);
    }
  });

  it("has its events in the list", async () => {
    const { testPublishable: key, testSecret: secret } = (await openWorld()).keys;
    const fence = { description: "x", type: "circle", coordinates: [-73.98, 40.7], radius: 100 };
    await put("/v1/geofences/a/1", secret, fence);
    const update = { deviceId: "phone", userId: "ann", ...HERE, accuracy: 5, foreground: true };
    const { events } = (await post("/v1/track", key, update)).body;
    expect((await get("/v1/events", secret)).body.events).toEqual(events);
    expect((await get(`/v1/events/${events[0]._id}`, secret)).body.event).toEqual(events[0]);
  });
});

describe("a trip", () => {
  it("is found as the track that began it has left it, in the list, and by its userId to change it", async () => {
    const { testPublishable: key, testSecret: secret } = (await openWorld()).keys;
    for (let i = 0; i < 10; i++) {
      const externalId = `order-${i}`;
      const update = { deviceId: `phone-${i}`, userId: `ann-${i}`, ...HERE, accuracy: 5, tripOptions: { externalId } };
      const { user } = (await post("/v1/track", key, update)).body;
      expect(user.trip.status).toBe("started");
      const path = `/v1/trips/${externalId}`;
      const changed = await call("PATCH", `${path}/update`, {
        key,
        json: { userId: `ann-${i}`, metadata: { box: i } },
      });
      expect([changed.status, changed.body.trip?.metadata]).toEqual([200, { box: i }]);
      await post("/v1/track", key, { ...update, latitude: 40.8 });
      const [{ body: one }, { body: list }, { body: way }] = await Promise.all([
        get(path, secret),
        get("/v1/trips?limit=1", secret),
        get(`${path}/route`, secret),
      ]);
      expect([one.trip.status, list.trips[0].status]).toEqual(["started", "started"]);
      expect(list.trips[0].externalId).toBe(externalId);
      expect(way.route.locations).toHaveLength(2);
    }
  });
});

describe("GET /v1/config", () => {
  it("answers the SDKs' settings in meta, where the native ones read them, and beside it", async () => {
    const { testPublishable: key, testSecret: secret } = (await openWorld()).keys;
    const defaults = { logLevel: "info", startTrackingOnInitialize: false, trackOnceOnAppOpen: false };
    const { body } = await get("/v1/config", key);
    const settings = { featureSettings: {}, sdkConfiguration: defaults };
    expect(body).toEqual({ meta: { code: 200, ...settings }, ...settings });
    const json = { sdk: { logLevel: "debug", trackOnceOnAppOpen: true } };
    expect((await call("PATCH", "/v1/settings", { key: secret, json })).body.sdk).toEqual({ ...defaults, ...json.sdk });
    expect((await get("/v1/config", key)).body.meta.sdkConfiguration).toEqual({ ...defaults, ...json.sdk });
  });
});

describe("a query", () => {
  it("finds 5 by metadata[n]=5.0, and nothing by what only looks like it", async () => {
    const { testSecret: secret } = (await openWorld()).keys;
    const fence = { description: "x", type: "circle", coordinates: [-73.98, 40.7], radius: 100 };
    await put("/v1/geofences/a/1", secret, { ...fence, metadata: { n: 5, code: "007" } });
    const found = async (filter: string) => {
      const lists = ["/v1/geofences?", "/v1/search/geofences?near=40.7,-73.98&"];
      const answers = await Promise.all(lists.map((path) => get(`${path}${filter}`, secret)));
      return answers.map(({ body }) => body.geofences.length);
    };
    for (const text of ["5", "5.0", "5.00"]) expect([text, await found(`metadata[n]=${text}`)]).toEqual([text, [1, 1]]);
    for (const text of ["5.01", "05", "5.0.0", "50"])
      expect([text, await found(`metadata[n]=${text}`)]).toEqual([text, [0, 0]]);
    expect(await found("metadata[code]=007")).toEqual([1, 1]);
    expect(await found("metadata[code]=7.0")).toEqual([0, 0]);
  });

  it("with an empty list asks as if it were not there", async () => {
    const { testSecret: secret } = (await openWorld()).keys;
    const fence = { description: "x", type: "circle", coordinates: [-73.98, 40.7], radius: 100 };
    await put("/v1/geofences/a/1", secret, fence);
    await post("/v1/trips", secret, { externalId: "t" });
    for (const tags of ["tags=", "tags=%20", "tags=,"])
      expect((await get(`/v1/search/geofences?near=40.7,-73.98&${tags}`, secret)).body.geofences).toHaveLength(1);
    expect((await get("/v1/trips?status=&externalId=", secret)).body.trips).toHaveLength(1);
    expect((await get("/v1/search/places?near=1,2&chains=&categories=cafe", secret)).status).toBe(200);
    expect((await get("/v1/trips?status=never", secret)).status).toBe(400);
  });
});
