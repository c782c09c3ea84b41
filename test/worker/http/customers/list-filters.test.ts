import { beforeAll, describe, expect, it } from "vitest";
import { call, get, type Json, makeWorld, post, put, type World } from "../../../support/world.ts";

let world: World;
let key: string;

const track = (deviceId: string, more: Json = {}) =>
  post("/v1/track", world.keys.testPublishable, {
    deviceId,
    latitude: 12,
    longitude: 34,
    accuracy: 5,
    foreground: true,
    ...more,
  });

beforeAll(async () => {
  // More lists than a project may usually request in a second.
  world = await makeWorld({ settings: { rateLimits: { listUsers: 1000, listGeofences: 1000, exportUsers: 1000 } } });
  key = world.keys.testSecret;
  await put("/v1/geofences/home/one", key, {
    description: "Home",
    type: "circle",
    coordinates: [34, 12],
    radius: 100,
  });
  await track("Van-7", { userId: "ada", description: "Ada Lovelace", metadata: { tier: "gold", floor: 2 } });
  await track("van-8", { userId: "öz", description: "مريم الخوارزمي", metadata: { tier: "silver" } });
  await track("bike", { userId: "grace", latitude: 13 });
  await track("bike", { userId: "grace", latitude: 12 });
  await put("/v1/users/grace/segments", key, { segments: [{ description: "Riders", externalId: "riders" }] });
});

const devices = async (query: string) =>
  (await get(`/v1/users?${query}`, key)).body.users.map(({ deviceId }: Json) => deviceId).sort();

describe("GET /v1/users", () => {
  it("finds a user by a part of what they are called, whatever the case and the script", async () => {
    expect(await devices("search=VAN")).toEqual(["Van-7", "van-8"]);
    expect(await devices("search=lovel")).toEqual(["Van-7"]);
    expect(await devices(`search=${encodeURIComponent("الخوا")}`)).toEqual(["van-8"]);
    expect(await devices(`search=${encodeURIComponent("öz")}`)).toEqual(["van-8"]);
    expect(await devices("search=%25")).toEqual([]);
  });

  it("finds users by metadata of the same type, and by segment", async () => {
    expect(await devices("metadata[tier]=gold")).toEqual(["Van-7"]);
    expect(await devices("metadata[floor]=2&search=ada")).toEqual(["Van-7"]);
    expect(await devices("segment=riders")).toEqual(["bike"]);
    expect(await devices("segment=Riders")).toEqual([]);
  });

  it("finds users that have one of some tags, in lists, exports and near a place", async () => {
    await track("tagged", { userTags: ["vip", "new"] });
    await track("other", { userTags: ["old"] });
    expect(await devices("userTags=vip")).toEqual(["tagged"]);
    expect(await devices("userTags=new,%20old")).toEqual(["other", "tagged"]);
    expect(await devices("userTags=vi")).toEqual([]);
    expect(await devices("userTags=")).toHaveLength(5);
    const near = await get("/v1/search/users?near=12,34&userTags=vip", key);
    expect(near.body.users.map(({ deviceId }: Json) => deviceId)).toEqual(["tagged"]);
    const { body } = await get("/v1/exports/users?format=csv&userTags=vip", key);
    expect(String(body).trim().split("\n")).toHaveLength(2);
  });

  it("exports the same users as it lists", async () => {
    const { body } = await get("/v1/exports/users?format=csv&search=van", key);
    expect(String(body).trim().split("\n")).toHaveLength(3);
  });
});

describe("GET /v1/geofences", () => {
  it("finds a geofence by a part of its description, tag or externalId, in lists and exports", async () => {
    await put("/v1/geofences/kunden/köln-1", key, {
      description: "مستودع Köln",
      type: "circle",
      coordinates: [34, 12],
      radius: 100,
    });
    const found = async (part: string) =>
      (await get(`/v1/geofences?search=${encodeURIComponent(part)}`, key)).body.geofences.map(
        ({ description }: Json) => description,
      );
    expect(await found("HOM")).toEqual(["Home"]);
    expect(await found("one")).toEqual(["Home"]);
    expect(await found("مستودع")).toEqual(["مستودع Köln"]);
    expect(await found("kunden")).toEqual(["مستودع Köln"]);
    expect(await found("%")).toEqual([]);
    const { body } = await get("/v1/exports/geofences?format=csv&search=home", key);
    expect(String(body).trim().split("\n")).toHaveLength(2);
  });
});

describe("GET /v1/events", () => {
  it("lists a user's events by any of their names, of some types and some confidence", async () => {
    const events = async (query: string) => (await get(`/v1/events?${query}`, key)).body.events as Json[];
    const ofAda = await events("userId=ada");
    expect(ofAda.map(({ type }) => type)).toEqual(["user.entered_geofence"]);
    const { _id } = ofAda[0].user as { _id: string };
    expect(await events("userId=Van-7")).toEqual(ofAda);
    expect(await events(`userId=${_id}`)).toEqual(ofAda);
    expect(await events("userId=nobody")).toEqual([]);
    expect(await events("types=user.exited_geofence,user.dwelled_in_geofence")).toEqual([]);
    expect((await events("types=user.entered_geofence&confidence=3")).length).toBeGreaterThanOrEqual(2);
    expect(await events("confidence=1")).toEqual([]);
    expect((await get("/v1/events?confidence=4", key)).status).toBe(400);
  });
});

describe("PATCH /v1/settings", () => {
  it("keeps the origins that may call, as browsers write them, and refuses what is none", async () => {
    const patch = (allowedOrigins: unknown) => call("PATCH", "/v1/settings", { key, json: { allowedOrigins } });
    expect((await patch(["https://example.com", "http://localhost:3000"])).body.allowedOrigins).toHaveLength(2);
    for (const wrong of [["example.com"], ["https://example.com/"], ["ftp://example.com"], "*"])
      expect((await patch(wrong)).body.meta).toMatchObject({
        code: 400,
        param: expect.stringMatching(/^allowedOrigins/),
      });
    expect((await patch([])).body.allowedOrigins).toEqual([]);
  });
});
