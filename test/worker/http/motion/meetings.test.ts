import { beforeAll, describe, expect, it } from "vitest";
import { cellToBoundary, cellToLatLng, latLngToCell } from "../../../../src/core/geo/cells/h3.ts";
import { destination } from "../../../../src/core/geo/distance.ts";
import {
  call,
  control,
  del,
  eventually,
  get,
  type Json,
  makeWorld,
  post,
  put,
  sleep,
  type World,
} from "../../../support/world.ts";

const HERE = { latitude: 48.2, longitude: 16.37 };
let world: World;
let secret: string;
let rule: Json;

beforeAll(async () => {
  const rateLimits = { track: 1000, createMeeting: 1000, explain: 1000, explainEvent: 1000, listEvents: 1000 };
  world = await makeWorld({ settings: { rateLimits } });
  secret = world.keys.testSecret;
  const body = {
    name: "Couriers",
    users: { userTags: ["courier"] },
    others: { metadata: { kind: "customer" } },
    radius: 100,
  };
  const made = await post("/v1/meetings", secret, body);
  expect([made.status, made.body.meta]).toEqual([200, { code: 200 }]);
  rule = made.body.meeting;
});

/** An update of a user, so many meters east of the others. */
async function track(userId: string, metres: number, more: Json = {}, deviceId = `phone-${userId}`) {
  const at = { ...destination(HERE, 90, metres), accuracy: 10 };
  const answer = await post("/v1/track", world.keys.testPublishable, { userId, deviceId, ...at, ...more });
  expect(answer.status).toBe(200);
  // Nobody learns of the other by a publishable key.
  expect(JSON.stringify(answer.body)).not.toMatch(/met_user|parted_from|otherUser/);
  return answer.body;
}
const courier = (name: string, metres: number) => track(name, metres, { userTags: ["courier"] });
const customer = (name: string, metres: number, deviceId?: string) =>
  track(name, metres, { metadata: { kind: "customer", name } }, deviceId);

/** The events of both types so far that name all of these users, oldest first. */
async function eventsOf(...names: string[]): Promise<Json[]> {
  const { body } = await get("/v1/events?types=user.met_user,user.parted_from_user&limit=1000", secret);
  const all = (body.events as Json[]).filter((event) =>
    names.every((name) => JSON.stringify(event).includes(`"${name}"`)),
  );
  return all.sort((a, b) => String(a.createdAt).localeCompare(String(b.createdAt)));
}
const until = (names: string | string[], count: number) =>
  eventually(
    () => eventsOf(...[names].flat()),
    (events) => events.length >= count,
  );
const told = (events: readonly Json[]) =>
  events
    .map(
      ({ type, user, otherUser }) => `${(user as Json).userId} ${String(type).slice(5)} ${(otherUser as Json).userId}`,
    )
    .sort();
const evict = (object: string, name: string) =>
  control("evict", { object, name: `${world.id * 2}:${name}` }).catch(() => undefined);
const CELL = latLngToCell(HERE.latitude, HERE.longitude, 5);

describe("a courier and a customer", () => {
  it("meet once and part once, each with an event", async () => {
    await courier("cora", 2000);
    await customer("carl", 0);
    await courier("cora", 80);
    const met = await until("cora", 2);
    expect(told(met)).toEqual(["carl met_user cora", "cora met_user carl"]);
    const ofCora = met.find(({ user }) => (user as Json).userId === "cora");
    expect(ofCora).toMatchObject({
      meeting: { _id: rule._id, name: "Couriers", radius: 100 },
      confidence: 3,
      otherUser: { userId: "carl", deviceId: "phone-carl", metadata: { kind: "customer", name: "carl" } },
    });
    expect(((ofCora as Json).otherUser as Json).distance).toBeCloseTo(80, 0);
    // The device itself may verify its event, and does not learn whom it met.
    const path = `/v1/events/${(ofCora as Json)._id}/verification`;
    const verified = await put(path, world.keys.testPublishable, { verification: 1, deviceId: "phone-cora" });
    expect([verified.status, verified.body.event.type, verified.body.event.otherUser]).toEqual([
      200,
      "user.met_user",
      undefined,
    ]);
    for (const metres of [90, 110, 119]) await courier("cora", metres);
    await courier("cora", 500);
    const all = await until("cora", 4);
    expect(told(all.slice(2))).toEqual(["carl parted_from_user cora", "cora parted_from_user carl"]);
    expect(all[3]).toMatchObject({ duration: expect.any(Number), confidence: 3 });
    expect((await eventsOf("cora")).length).toBe(4);
  });

  it("have the same events when their objects restart between all writes", async () => {
    await customer("rita", 0);
    for (const metres of [50, 60, 1000, 1000, 40, 40, 900, 900]) {
      await Promise.all([
        courier("ron", metres),
        evict("MEETING_CELL", CELL),
        evict("DEVICE_TRACKER", "phone-rita"),
        evict("DEVICE_TRACKER", "phone-ron"),
      ]).catch(() => courier("ron", metres));
      await customer("rita", 1);
    }
    await eventually(
      async () => {
        await courier("ron", 900);
        await customer("rita", 1);
        return eventsOf("ron", "rita");
      },
      (events) => events.length >= 8,
    );
    expect(told(await eventsOf("ron", "rita"))).toEqual([
      ...["rita met_user ron", "rita met_user ron", "rita parted_from_user ron", "rita parted_from_user ron"],
      ...["ron met_user rita", "ron met_user rita", "ron parted_from_user rita", "ron parted_from_user rita"],
    ]);
  });

  it("are explained, by event and as of now", async () => {
    const [event] = await eventsOf("cora");
    const own = await get(`/v1/events/${event._id}/explain`, secret);
    expect(own.body.explanation).toMatchObject({
      verdict: "user.met_user",
      sentence: expect.stringContaining("100 m"),
    });
    const ask = { at: new Date().toISOString(), meeting: rule._id, userId: "cora", otherUserId: "carl" };
    const { body } = await post("/v1/explain", secret, ask);
    expect(body.explanation).toMatchObject({
      verdict: "apart",
      sentence: expect.stringMatching(/^No meeting: They are 500 m apart/),
    });
    expect((await post("/v1/explain", secret, { ...ask, otherUserId: undefined })).body.meta.param).toBe("otherUserId");
    expect((await post("/v1/explain", secret, { ...ask, meeting: "none" })).status).toBe(404);
  });

  it("are in exports, and trigger messages with the next update", async () => {
    const csv = String((await get("/v1/exports/events?format=csv&types=user.met_user", secret)).body);
    expect(csv.split("\r\n")[0]).toContain("meeting.name,otherUser.userId,otherUser.deviceId,otherUser.distance");
    const content = { title: { text: "Hello" }, body: { text: "Your courier is here." } };
    const campaign = { name: "Here", type: "inAppMessage", content, trigger: { event: "user.met_user" } };
    expect((await post("/v1/campaigns", secret, campaign)).status).toBe(200);
    expect(
      (await post("/v1/campaigns", secret, { ...campaign, type: "eventNotification", content: { text: "Hi" } })).body
        .meta.param,
    ).toBe("trigger.event");
    await customer("mia", 0);
    await courier("max", 10);
    await until(["max", "mia"], 2);
    const { inAppMessages } = await customer("mia", 0);
    expect(inAppMessages).toMatchObject([{ title: { text: "Hello" } }]);
    expect((await customer("mia", 0)).inAppMessages).toEqual([]);
  });

  it("with two phones on both sides of a border of cells part once, when the second phone leaves, too", async () => {
    const [a, b] = cellToBoundary(CELL);
    const border = { latitude: (a[0] + b[0]) / 2, longitude: (a[1] + b[1]) / 2 };
    const [latitude, longitude] = cellToLatLng(CELL);
    const east = (border.longitude - longitude) * Math.cos((latitude * Math.PI) / 180);
    const bearing = (Math.atan2(east, border.latitude - latitude) * 180) / Math.PI;
    const beyond = (metres: number) => destination(border, bearing, metres);
    const zoe = (metres: number, deviceId: string) =>
      track("zoe", 0, { ...beyond(metres), metadata: { kind: "customer" } }, deviceId);
    const carl = (metres: number) => track("carl", 0, { ...beyond(metres), userTags: ["courier"] });
    await carl(-910);
    await zoe(-960, "zoe-1");
    expect(told(await until(["carl", "zoe"], 2))).toEqual(["carl met_user zoe", "zoe met_user carl"]);
    for (let metres = -900; metres <= 300; metres += 60) {
      await carl(metres + 50);
      await zoe(metres, "zoe-1");
    }
    await carl(390);
    await zoe(485, "zoe-2");
    // Nothing shows when the second phone has learned of the meeting, which it does after its own update.
    await sleep(1000);
    await zoe(0, "zoe-1");
    await zoe(-3000, "zoe-1");
    expect(await eventsOf("carl", "zoe")).toHaveLength(2);
    await zoe(900, "zoe-2");
    expect(told(await until(["carl", "zoe"], 4))).toEqual([
      ...["carl met_user zoe", "carl parted_from_user zoe", "zoe met_user carl", "zoe parted_from_user carl"],
    ]);
  });

  it("with two phones meets once, and a deleted user is in no meeting", async () => {
    await customer("tina", 0, "tina-1");
    await customer("tina", 1, "tina-2");
    await courier("tom", 5);
    expect(told(await until(["tom", "tina"], 2))).toEqual(["tina met_user tom", "tom met_user tina"]);
    await customer("tina", 0, "tina-2");
    expect((await del("/v1/users/tom", secret)).status).toBe(200);
    // A new user with this id meets again.
    await courier("tom", 5);
    await eventually(
      () => eventsOf("tina", "tom"),
      (events) => told(events).filter((one) => one === "tom met_user tina").length === 1 && told(events).length >= 3,
    );
  });
});

describe("rules about meetings", () => {
  it("have defaults, are changed field by field, and take effect without a restart", async () => {
    expect(rule).toMatchObject({ enabled: true, minimumSeconds: 0, freshMinutes: 10, live: false });
    const changed = await call("PATCH", `/v1/meetings/${rule._id}`, { key: secret, json: { testUserIds: ["ann"] } });
    expect(changed.body.meeting).toMatchObject({ name: "Couriers", testUserIds: ["ann"], radius: 100 });
    await customer("zoe", 0);
    await courier("zac", 1);
    const all = await call("PATCH", `/v1/meetings/${rule._id}`, { key: secret, json: { testUserIds: [] } });
    expect(all.body.meeting).not.toHaveProperty("testUserIds");
    expect(await eventsOf("zac")).toEqual([]);
    await customer("zoe", 0);
    await courier("zac", 2);
    await until("zac", 2);
    expect((await get(`/v1/meetings/${rule._id}`, secret)).body.meeting._id).toBe(rule._id);
    expect((await get("/v1/meetings", secret)).body.meetings.length).toBe(1);
    expect((await get("/v1/meetings", world.keys.testPublishable)).status).toBe(403);
  });

  it.each([
    ["name", { name: "" }],
    ["radius", { radius: 9 }],
    ["radius", { radius: 10_001 }],
    ["minimumSeconds", { minimumSeconds: -1 }],
    ["freshMinutes", { freshMinutes: 0 }],
    ["users.userTags", { users: { userTags: [] } }],
    ["others.metadata", { others: { metadata: "x" } }],
    // A misspelled condition must not mean all users.
    ["users", { users: { tags: ["courier"] } }],
    ["others", { others: ["ann"] }],
    ["testUserIds", { testUserIds: "ann" }],
  ])("reject a wrong %s", async (param, part) => {
    const { status, body } = await post("/v1/meetings", secret, { name: "Wrong", radius: 50, ...part });
    expect([status, String(body.meta.param).startsWith(param)]).toEqual([400, true]);
  });

  it("are deleted; meetings that last end without an event", async () => {
    expect((await del(`/v1/meetings/${rule._id}`, secret)).status).toBe(200);
    expect((await del(`/v1/meetings/${rule._id}`, secret)).status).toBe(404);
    const before = (await eventsOf("zac")).length;
    await courier("zac", 3000);
    await customer("zoe", 0);
    expect((await eventsOf("zac")).length).toBe(before);
  });
});
