import { describe, expect, it } from "vitest";
import { call, del, eventually, get, type Json, makeWorld, post, put } from "../../../support/world.ts";

const STORE = { latitude: 40.7, longitude: -73.95 };
const AWAY = { latitude: 40.75, longitude: -73.95 };
const message = (title = "Hello") => ({
  title: { text: title, color: "#112233" },
  body: { text: "Coffee is ready" },
  metadata: { offer: 5 },
});
const atStore = { event: "user.entered_geofence", geofenceTags: ["store"] };

async function shop(...campaigns: Json[]) {
  const { keys } = await makeWorld({
    settings: { rateLimits: { track: 1000, createCampaign: 1000, updateCampaign: 1000 } },
  });
  const fence = { description: "Store", type: "circle", coordinates: [STORE.longitude, STORE.latitude], radius: 100 };
  await put("/v1/geofences/store/1", keys.testSecret, { ...fence, metadata: { own: 1 } });
  const ids: string[] = [];
  for (const one of campaigns) {
    const made = await post("/v1/campaigns", keys.testSecret, { name: "Spring", type: "inAppMessage", ...one });
    expect(made.body.meta).toEqual({ code: 200 });
    ids.push(made.body.campaign._id);
  }
  const track = (deviceId: string, at = STORE, more: Json = {}) =>
    post("/v1/track", keys.testPublishable, { deviceId, ...at, accuracy: 5, ...more });
  return { key: keys.testSecret, publishable: keys.testPublishable, ids, track };
}

const textOf = (title: string) => ({ content: message(title), trigger: atStore });

describe("campaigns", () => {
  it("are created, listed, changed and deleted, and wrong ones name the field", async () => {
    const { key, ids } = await shop(textOf("A"));
    const wrong = async (body: Json) => {
      const { status, body: answer } = await post("/v1/campaigns", key, { name: "x", type: "inAppMessage", ...body });
      return status === 400 ? answer.meta.param : status;
    };
    const right = { trigger: atStore, content: message() };
    expect(await wrong({ trigger: atStore })).toBe("content");
    expect(await wrong({ ...right, content: { ...message(), title: undefined } })).toBe("content.title");
    expect(await wrong({ ...right, content: { ...message(), title: { text: "x", color: "red" } } })).toBe(
      "content.title.color",
    );
    expect(await wrong({ ...right, content: { ...message(), button: { text: "x", deepLink: "javascript:x" } } })).toBe(
      "content.button.deepLink",
    );
    expect(await wrong({ content: message(), trigger: {} })).toBe("trigger.event");
    expect(await wrong({ ...right, trigger: { ...atStore, beaconTags: ["b"] } })).toBe("trigger.beaconTags");
    expect(await wrong({ ...right, schedule: { startsAt: "2026-02-30" } })).toBe("schedule.startsAt");
    expect(await wrong({ ...right, schedule: { timeZone: "Moon" } })).toBe("schedule.timeZone");
    expect(await wrong({ ...right, limits: { days: 3 } })).toBe("limits.perUser");
    expect(await wrong({ trigger: atStore, variants: [{ content: message() }, { content: {} }] })).toBe(
      "variants[1].content.title",
    );
    expect(await wrong({ type: "geofenceNotification", content: { text: "x" }, trigger: {} })).toBe(
      "trigger.geofenceTags",
    );
    const url = `/v1/campaigns/${ids[0]}`;
    const patch = (json: Json) => call("PATCH", url, { key, json });
    expect((await patch({ content: { title: 5 } })).body.meta.param).toBe("content.title");
    expect((await patch({ enabled: false, limits: { perUser: 1 } })).body.campaign).toMatchObject({
      enabled: false,
      limits: { perUser: 1 },
      content: { body: { text: "Coffee is ready", color: "#000000" } },
    });
    expect((await patch({ limits: {} })).body.campaign).not.toHaveProperty("limits");
    expect((await get("/v1/campaigns", key)).body.campaigns.map(({ _id }: Json) => _id)).toEqual(ids);
    expect((await del(url, key)).status).toBe(200);
    expect((await del(url, key)).status).toBe(404);
    expect((await get(url, key)).status).toBe(404);
  });

  it("lose no parallel change, and do not come back after they are deleted", async () => {
    const { key, ids } = await shop(textOf("A"));
    const url = `/v1/campaigns/${ids[0]}`;
    const changes: Json[] = [
      { name: "New" },
      { enabled: false },
      { limits: { perUser: 2 } },
      { schedule: { daysOfWeek: ["Mon"] } },
      { goal: { event: "bought" } },
      { audience: { userIds: ["ann"] } },
    ];
    const answers = await Promise.all(changes.map((json) => call("PATCH", url, { key, json })));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect((await get(url, key)).body.campaign).toMatchObject(Object.assign({}, ...changes));
    const late = await Promise.all([del(url, key), ...changes.map((json) => call("PATCH", url, { key, json }))]);
    expect(late[0].status).toBe(200);
    expect((await get(url, key)).status).toBe(404);
  });

  it("send messages with the update, again if it is repeated, and count them", async () => {
    const { key, publishable, ids, track } = await shop({ ...textOf("A"), limits: { perUser: 1 } });
    const first = await track("phone", STORE, { updatedAt: new Date().toISOString(), userId: "ann" });
    expect(first.body.events.map(({ type }: Json) => type)).toEqual(["user.entered_geofence"]);
    expect(first.body.inAppMessages).toEqual([
      {
        title: { text: "A", color: "#112233" },
        body: { text: "Coffee is ready", color: "#000000" },
        metadata: {
          "radar:campaignId": ids[0],
          "radar:campaignName": "Spring",
          "radar:campaignMetadata": '{"offer":5}',
          "radar:geofenceId": first.body.events[0].geofence._id,
        },
      },
    ]);
    const updatedAt = first.body.user.updatedAt;
    expect((await track("phone", STORE, { updatedAt, userId: "ann" })).body.inAppMessages).toEqual(
      first.body.inAppMessages,
    );
    await track("phone", AWAY, { userId: "ann" });
    expect((await track("phone", STORE, { userId: "ann" })).body.inAppMessages).toEqual([]);
    const log = (name: string) =>
      post("/v1/events", publishable, { name, deviceId: "phone", userId: "ann", campaign: ids[0] });
    for (const name of ["user.displayed_in_app_message", "user.clicked_in_app_message", "bought", "bought"])
      expect((await log(name)).status).toBe(200);
    expect((await log("user.entered_geofence")).body.meta.param).toBe("name");
    expect((await log("campaign.sent")).body.meta.param).toBe("name");
    const counts = { sent: 1, users: 1, displayed: 1, clicked: 1, dismissed: 0, opened: 0, conversions: 2 };
    const { body } = await eventually(
      () => get(`/v1/campaigns/${ids[0]}`, key),
      (answer) => answer.body.campaign.stats.conversions === 2,
    );
    expect(body.campaign.stats).toMatchObject({
      ...counts,
      days: [counts],
      variants: [{ ...counts, variant: 0, converted: 1, rate: 1 }],
    });
    const explained = await get(`/v1/campaigns/${ids[0]}/explain?user=ann`, key);
    expect(explained.body).toMatchObject({ eligible: false, messages: 1, lastRefused: { reason: "limits.perUser" } });
    const events = (await get("/v1/events", key)).body.events as Json[];
    expect(events.filter(({ type }) => type === "campaign.sent")).toMatchObject([
      { campaign: { _id: ids[0], name: "Spring", event: first.body.events[0]._id }, geofence: { tag: "store" } },
    ]);
  });

  it("hold caps and totals for parallel updates", async () => {
    const { track } = await shop(
      { ...textOf("capped"), limits: { perUser: 1 } },
      { ...textOf("few"), limits: { total: 3 } },
    );
    const many = (count: number, send: (i: number) => ReturnType<typeof track>) =>
      Promise.all(Array.from({ length: count }, (_, i) => send(i)));
    const titles = (answers: Awaited<ReturnType<typeof track>>[]) =>
      answers.flatMap(({ body }) => body.inAppMessages.map((one: { title: Json }) => one.title.text)).sort();
    const one = await many(8, (i) => track("phone", i % 2 === 0 ? STORE : AWAY));
    const others = await many(6, (i) => track(`phone-${i}`));
    const sent = titles([...one, ...others]);
    expect(sent.filter((title) => title === "few")).toHaveLength(3);
    expect(sent.filter((title) => title === "capped")).toHaveLength(7);
  });

  it("count a person once, on whichever of its phones", async () => {
    const goal = { event: "bought", days: 1 };
    const { key, publishable, ids, track } = await shop(
      { ...textOf("once"), limits: { perUser: 1 }, goal },
      { ...textOf("each") },
      { ...textOf("few"), limits: { perUser: 2, total: 9 } },
    );
    const phones = ["a", "b", "c", "d", "e"];
    const answers = await Promise.all(phones.map((phone) => track(phone, STORE, { userId: "zoe" })));
    const titles = answers.flatMap(({ body }) => body.inAppMessages.map((one: { title: Json }) => one.title.text));
    expect(titles.sort()).toEqual([...Array(5).fill("each"), "few", "few", "once"]);
    expect((await track("f", STORE, { userId: "bob" })).body.inAppMessages).toHaveLength(3);
    const buy = (deviceId: string) => post("/v1/events", publishable, { name: "bought", deviceId, userId: "zoe" });
    for (const { status } of await Promise.all(phones.map(buy))) expect(status).toBe(200);
    const statsOf = async (i: number) => {
      const { body } = await eventually(
        () => get(`/v1/campaigns/${ids[i]}`, key),
        (answer) =>
          answer.body.campaign.stats.sent === [2, 6, 3][i] && (i > 0 || answer.body.campaign.stats.conversions === 5),
      );
      return body.campaign.stats;
    };
    expect(await statsOf(0)).toMatchObject({ sent: 2, users: 2, conversions: 5, variants: [{ converted: 1 }] });
    expect(await statsOf(1)).toMatchObject({ sent: 6, users: 2 });
    expect(await statsOf(2)).toMatchObject({ sent: 3, users: 2 });
    for (const phone of phones)
      expect((await get(`/v1/campaigns/${ids[0]}/explain?user=${phone}`, key)).body).toMatchObject({
        eligible: false,
        messages: 1,
      });
    // A person that was deleted is a new one.
    for (const { body } of answers) await del(`/v1/users/${body.user._id}`, key);
    expect((await track("g", STORE, { userId: "zoe" })).body.inAppMessages).toHaveLength(3);
  });

  it("count nothing of their total for updates that the rate limit rejects", async () => {
    const { keys } = await makeWorld();
    const fence = { description: "Store", type: "circle", coordinates: [STORE.longitude, STORE.latitude], radius: 100 };
    await put("/v1/geofences/store/1", keys.testSecret, fence);
    const few = { name: "Few", type: "inAppMessage", ...textOf("few"), limits: { total: 3 } };
    await post("/v1/campaigns", keys.testSecret, few);
    const track = (deviceId: string, at = STORE) =>
      post("/v1/track", keys.testPublishable, { deviceId, ...at, accuracy: 5 });
    const messages = (answers: Awaited<ReturnType<typeof track>>[]) =>
      answers.flatMap(({ body }) => body.inAppMessages ?? []).length;
    // Each device is allowed one update per second: of those that enter, all are rejected.
    const rejected = await Promise.all(
      Array.from({ length: 6 }, async (_, i) => {
        await track(`early-${i}`, AWAY);
        return track(`early-${i}`);
      }),
    );
    expect(rejected.map(({ status }) => status)).toEqual(Array(6).fill(429));
    // Both of a pair take a message from the total before one of them is rejected.
    const pairs = await Promise.all(["one", "one", "two", "two"].map((deviceId) => track(deviceId)));
    expect(messages(pairs)).toBe(2);
    const later = [];
    for (const deviceId of ["three", "four"]) later.push(await track(deviceId));
    expect(later.map((one) => messages([one]))).toEqual([1, 0]);
  });

  it("send the messages of a replayed batch again when the phone lost the response", async () => {
    const { key, publishable, ids } = await shop({ ...textOf("A"), limits: { perUser: 1 } });
    const at = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    const update = { deviceId: "phone", userId: "ann", accuracy: 5, stopped: true };
    const steps = [
      { ...update, ...AWAY, updatedAt: at(6) },
      { ...update, ...STORE, updatedAt: at(4) },
      { ...update, ...STORE, updatedAt: at(2) },
    ];
    const replay = async (replays: Json[]) => (await post("/v1/track/replay", publishable, { replays })).body;
    const first = await replay(steps);
    expect(first.inAppMessages).toMatchObject([{ title: { text: "A" } }]);
    const again = await replay(steps);
    expect([again.inAppMessages, again.events]).toEqual([first.inAppMessages, first.events]);
    expect((await replay(steps.slice(1))).inAppMessages).toEqual([]);
    const { body } = await eventually(
      () => get(`/v1/campaigns/${ids[0]}`, key),
      (answer) => answer.body.campaign.stats.sent === 1,
    );
    expect(body.campaign.stats).toMatchObject({ sent: 1, users: 1 });
  });

  it("put notifications into the response only", async () => {
    const { key, track } = await shop(
      { type: "eventNotification", trigger: atStore, content: { text: "Welcome", subtitle: "S" } },
      { type: "geofenceNotification", trigger: { geofenceTags: ["store"] }, content: { text: "Near" } },
    );
    const { body } = await track("phone", STORE, { nearbyGeofences: true });
    expect(body.events[0].metadata).toMatchObject({
      "radar:notificationText": "Welcome",
      "radar:notificationSubtitle": "S",
      "radar:notificationSubTitle": "S",
      "radar:campaignType": "eventBased",
    });
    expect(body.nearbyGeofences[0].metadata).toMatchObject({ own: 1, "radar:notificationText": "Near" });
    const stored = await get("/v1/geofences/store/1", key);
    expect(stored.body.geofence.metadata).toEqual({ own: 1 });
    const { body: listed } = await eventually(
      () => get("/v1/events", key),
      (answer) => answer.body.events.length === 2,
    );
    expect(listed.events.some(({ metadata }: Json) => metadata !== undefined)).toBe(false);
  });

  it("put notifications that the phone shows itself into beacons and synced regions", async () => {
    const { key, publishable, ids } = await shop(
      { type: "geofenceNotification", trigger: { geofenceTags: ["store"] }, content: { text: "Near" } },
      { type: "geofenceNotification", trigger: { beaconTags: ["door"] }, content: { text: "Door" } },
    );
    const coordinates = [STORE.longitude, STORE.latitude];
    const door = { description: "Door", tag: "door", coordinates, enabled: true };
    const uuid = "f7826da6-4fa2-4e98-8024-bc5b71e0893e";
    await put("/v1/beacons/door/1", key, { ...door, type: "ibeacon", uuid, major: "1", minor: "2" });
    await put("/v1/beacons/door/2", key, { ...door, type: "eddystone", uid: "aa", instance: "01" });
    const note = { "radar:notificationText": "Door", "radar:campaignId": ids[1], "radar:campaignName": "Spring" };
    const search = (more = "") =>
      get(`/v1/search/beacons?near=${STORE.latitude},${STORE.longitude}${more}`, publishable);
    const all = (await search()).body.beacons;
    expect(all).toHaveLength(2);
    expect(all).toContainEqual(
      expect.objectContaining({
        uuid,
        metadata: expect.objectContaining({ ...note, "radar:campaignType": "clientSide" }),
      }),
    );
    expect((await search("&type=ibeacon&limit=1")).body.beacons).toMatchObject([{ uuid, major: "1", minor: "2" }]);
    expect((await search("&type=wifi")).body.meta.param).toBe("type");
    expect((await get("/v1/beacons/door/1", key)).body.beacon).not.toHaveProperty("metadata");
    const sync = async (device: string) => {
      const headers = { "x-radar-device-type": device };
      const json = { ...STORE, userId: "ann" };
      return (await call("POST", "/v1/sync/region", { key: publishable, headers, json })).body;
    };
    const { geofences, beacons, region } = await sync("iOS");
    expect(geofences[0].metadata).toMatchObject({ own: 1, "radar:notificationText": "Near" });
    // iOS drops the whole list if one beacon is not an iBeacon.
    expect(beacons).toMatchObject([{ uuid, metadata: note }]);
    expect(region).toEqual({ ...STORE, radius: 1000 });
    expect((await sync("Android")).beacons).toHaveLength(2);
    const wrong = async (body: Json) => {
      const atDoor = {
        name: "x",
        type: "geofenceNotification",
        content: { text: "x" },
        trigger: { beaconTags: ["door"] },
      };
      return (await post("/v1/campaigns", key, { ...atDoor, ...body })).body.meta.param;
    };
    expect(await wrong({ limits: { perUser: 1 } })).toBe("limits");
    expect(await wrong({ audience: { userIds: ["ann"] } })).toBe("audience");
    expect(await wrong({ trigger: { beaconTags: ["door"], geofenceTags: ["store"] } })).toBe("trigger.beaconTags");
  });
});
