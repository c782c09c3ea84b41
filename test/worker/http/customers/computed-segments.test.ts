import { describe, expect, it } from "vitest";
import { type Answer, call, del, eventually, get, type Json, makeWorld, post, put } from "../../../support/world.ts";

const STORE = { latitude: 40.7, longitude: -73.95 };
const AWAY = { latitude: 40.75, longitude: -73.95 };
const atStore = (more: Json = {}) => ({ type: "geofenceTag", value: "store", ...more });

async function shop() {
  const { keys } = await makeWorld({
    settings: { rateLimits: { track: 1000, createSegment: 1000, updateSegment: 1000, previewSegment: 1000 } },
  });
  const key = keys.testSecret;
  const circle = { type: "circle", coordinates: [STORE.longitude, STORE.latitude], radius: 100 };
  await put("/v1/geofences/store/1", key, { ...circle, description: "Store" });
  const track = (deviceId: string, at = STORE, more: Json = {}) =>
    post("/v1/track", keys.testPublishable, { deviceId, userId: deviceId, ...at, accuracy: 5, ...more });
  const visit = async (deviceId: string) => {
    await track(deviceId);
    return track(deviceId, AWAY);
  };
  const create = async (externalId: string, conditions: Json[], more: Json = {}) => {
    const answer = await post("/v1/segments", key, {
      externalId,
      description: externalId,
      rule: { conditions, ...more },
    });
    expect(answer.body.meta).toEqual({ code: 200 });
    return answer.body.segment;
  };
  return { key, circle, track, visit, create };
}

const names = (user: Answer["body"]) => (user.segments ?? []).map(({ externalId }: Json) => externalId);

describe("computed segments", () => {
  it("follow the updates of users: in responses, lists, exports, audiences and geofences", async () => {
    const { key, circle, track, visit, create } = await shop();
    await create("regulars", [atStore({ visits: 2, days: 7 })]);
    const content = { title: { text: "A" }, body: { text: "B" } };
    const trigger = { event: "user.entered_geofence", geofenceTags: ["store"] };
    const audience = { segments: ["regulars"] };
    await post("/v1/campaigns", key, { name: "x", type: "inAppMessage", trigger, content, audience });
    const lounge = await put("/v1/geofences/lounge/1", key, { ...circle, description: "L", segments: ["regulars"] });
    expect(lounge.body.geofence.segments).toEqual(["regulars"]);
    await visit("ann");
    await visit("bob");
    expect((await track("ann")).body).toMatchObject({ inAppMessages: [{ title: { text: "A" } }] });
    await track("ann", AWAY);
    const third = (await track("ann")).body;
    expect(third.user.segments).toEqual([{ externalId: "regulars", description: "regulars", computed: true }]);
    expect(third.user.geofences.map(({ tag }: Json) => tag).sort()).toEqual(["lounge", "store"]);
    const other = (await track("bob", AWAY)).body;
    expect(names(other.user)).toEqual([]);
    const { body } = await eventually(
      () => get("/v1/segments/regulars", key),
      (answer) => answer.body.segment.size === 1,
    );
    expect(body.segment).not.toHaveProperty("computing");
    const userIds = ({ body }: Answer) => body.users.map(({ userId }: Json) => userId);
    expect(userIds(await get("/v1/users?segment=regulars", key))).toEqual(["ann"]);
    expect(userIds(await get("/v1/segments/regulars/users", key))).toEqual(["ann"]);
    expect((await get("/v1/exports/users?segment=regulars&format=csv", key)).body).toContain("ann");
    expect(names((await get("/v1/users/ann", key)).body.user)).toEqual(["regulars"]);
    expect((await del("/v1/users/ann", key)).status).toBe(200);
    expect((await get("/v1/segments/regulars", key)).body.segment.size).toBe(0);
  });

  it("count visits from before they were made, and preview shows the same users", async () => {
    const { key, track, visit, create } = await shop();
    await visit("ann");
    await visit("ann");
    await visit("bob");
    const rule = { conditions: [atStore({ visits: 2 })] };
    const preview = await post("/v1/segments/preview", key, { rule });
    expect(preview.body).toMatchObject({ compared: 2, matched: 1, users: [{ userId: "ann" }] });
    expect(await create("regulars", rule.conditions)).toMatchObject({ size: 1 });
    expect(names((await track("ann", AWAY)).body.user)).toEqual(["regulars"]);
    expect(names((await track("bob")).body.user)).toEqual(["regulars"]);
    const patch = { rule: { conditions: [atStore({ visits: 3 })] } };
    expect((await call("PATCH", "/v1/segments/regulars", { key, json: patch })).body.segment.size).toBe(0);
    expect(names((await track("bob", AWAY)).body.user)).toEqual([]);
  });
});
