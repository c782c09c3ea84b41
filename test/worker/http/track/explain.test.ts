import { beforeAll, describe, expect, it } from "vitest";
import { control, eventually, get, type Json, makeWorld, post, put, sql, type World } from "../../../support/world.ts";

const DAY = 24 * 3600_000;
const HOME = { latitude: 12, longitude: 34 };
/** Some metres east of HOME. */
const east = (metres: number) => ({
  latitude: 12,
  longitude: 34 + metres / (111_195 * Math.cos((12 * Math.PI) / 180)),
});
let world: World;
let secret: string;
let clock = Date.now() - 2 * 3600_000;

const circle = (more: Json = {}) => ({
  description: "Home",
  type: "circle",
  coordinates: [34, 12],
  radius: 100,
  ...more,
});
/** One update, a minute after the one before. */
async function track(deviceId: string, metres: number, more: Json = {}, keys = world.keys) {
  clock += 60_000;
  const replay = { deviceId, ...east(metres), accuracy: 10, updatedAt: new Date(clock).toISOString(), ...more };
  const answer = await post("/v1/track/replay", keys.testPublishable, { replays: [replay] });
  expect(answer.status).toBe(200);
  return { at: new Date(clock).toISOString(), events: answer.body.events as Json[], user: answer.body.user };
}
const explain = async (body: Json, key = secret) => (await post("/v1/explain", key, body)).body.explanation;
/** An event can be asked about as soon as it is in the database. */
const explained = async ({ _id }: Json) => {
  const answer = await eventually(
    () => get(`/v1/events/${_id}/explain`, secret),
    ({ status }) => status === 200,
  );
  return answer.body.explanation;
};
const updates = async (path: string, key = secret) => (await get(`/v1/users/${path}`, key)).body;

beforeAll(async () => {
  world = await makeWorld({
    settings: {
      rateLimits: { track: 1000, explain: 1000, explainEvent: 1000, listUserUpdates: 1000 },
      tracking: NO_GEODATA,
    },
  });
  secret = world.keys.testSecret;
  await put("/v1/geofences/home/1", secret, circle());
});
const NO_GEODATA = { regions: { country: false, state: false, dma: false, postalCode: false }, places: false };

describe("GET /v1/users/:id/updates", () => {
  it("gives the way a user has gone, oldest first, page by page, with the events of each update", async () => {
    const sent = [];
    for (let i = 0; i < 70; i++)
      sent.push(await track("walker", i === 40 ? 20 : 200 + i, { speed: 1.5, stopped: i % 2 === 0 }));
    const ways: Json[] = [];
    let cursor = "";
    for (let pages = 0; pages < 9; pages++) {
      const page = await updates(`walker/updates?limit=30${cursor && `&cursor=${cursor}`}`);
      ways.push(...page.updates);
      cursor = page.nextCursor;
      if (!cursor) break;
    }
    expect(ways.map(({ at }) => at)).toEqual(sent.map(({ at }) => at));
    expect(ways.map(({ events }) => events)).toEqual(sent.map(({ events }) => events.map(({ _id }) => _id)));
    expect(ways[40]).toEqual({
      at: sent[40].at,
      receivedAt: expect.any(String),
      accuracy: 10,
      speed: 1.5,
      stopped: true,
      replayed: true,
      location: { type: "Point", coordinates: [expect.closeTo(east(20).longitude, 9), 12] },
      counted: true,
      events: [sent[40].events[0]._id],
    });
    const some = await updates(`walker/updates?from=${sent[10].at}&to=${sent[12].at}`);
    expect(some.updates.map(({ at }: Json) => at)).toEqual(sent.slice(10, 13).map(({ at }) => at));
    expect(some.nextCursor).toBeUndefined();
    // By its _id as well, and after the tracker was put to sleep.
    await control("evict", { object: "DEVICE_TRACKER", name: `${world.id * 2}:walker` });
    expect((await updates(`${sent[0].user._id}/updates?limit=1000`)).updates).toHaveLength(70);
  });

  it("shows a live update whose time is not later at the time of its arrival, and no replayed one", async () => {
    const first = await track("late", 0);
    const late = new Date(Date.parse(first.at) - 1000).toISOString();
    const body = { deviceId: "late", ...east(500), accuracy: 10, updatedAt: late };
    await post("/v1/track", world.keys.testPublishable, { ...body, replayed: true });
    await post("/v1/track", world.keys.testPublishable, body);
    const { updates: found } = await updates("late/updates");
    expect(found).toMatchObject([
      { at: first.at, counted: true },
      { at: found[1].receivedAt, counted: true },
    ]);
    expect(found[1].receivedAt > first.at).toBe(true);
  });

  it("forgets them with the user, and keeps them from other scopes", async () => {
    await track("gone", 0);
    expect((await get("/v1/users/gone/updates", world.keys.liveSecret)).status).toBe(404);
    expect((await get("/v1/users/gone/updates", (await makeWorld()).keys.testSecret)).status).toBe(404);
    const { call } = await import("../../../support/world.ts");
    await call("DELETE", "/v1/users/gone", { key: secret });
    expect((await get("/v1/users/gone/updates", secret)).status).toBe(404);
    await track("gone", 0);
    expect((await updates("gone/updates")).updates).toHaveLength(1);
  });

  it("shows nothing older than the project keeps, and the hourly round deletes what silent devices have left", async () => {
    const short = await makeWorld({
      settings: { tracking: NO_GEODATA, rateLimits: { track: 1000, listUserUpdates: 1000 }, retention: { updates: 1 } },
    });
    const now = Date.now();
    const days = [3, 2, 0.5].map((ago) => new Date(now - ago * DAY).toISOString());
    const replays = days.map((updatedAt) => ({ deviceId: "d", ...HOME, accuracy: 10, updatedAt }));
    await post("/v1/track/replay", short.keys.testPublishable, { replays });
    expect((await updates("d/updates", short.keys.testSecret)).updates.map(({ at }: Json) => at)).toEqual([days[2]]);
    await get("/v1/users", short.keys.testSecret);
    await control("scheduled", { now: now + 0.4 * DAY });
    await sql("UPDATE project SET settings = json_set(settings, '$.retention.updates', 9) WHERE id = ?", short.id);
    const all = () => updates("d/updates", short.keys.testSecret);
    expect((await eventually(all, ({ updates }) => updates.length === 3, 12_000)).updates).toHaveLength(3);
    await sql("UPDATE project SET settings = json_set(settings, '$.retention.updates', 1) WHERE id = ?", short.id);
    await control("scheduled", { now: now + 0.6 * DAY });
    await sql("UPDATE project SET settings = json_set(settings, '$.retention.updates', 9) WHERE id = ?", short.id);
    expect((await eventually(all, ({ updates }) => updates.length === 0, 12_000)).updates).toHaveLength(0);
  }, 90_000);

  it.each([
    ["limit=0", "limit"],
    ["limit=1001", "limit"],
    ["from=never", "from"],
    ["to=never", "to"],
    ["from=2026-02-01&to=2026-01-01", "from"],
    ["cursor=abc", "cursor"],
  ])("refuses %s by name", async (query, param) => {
    const answer = await get(`/v1/users/walker/updates?${query}`, secret);
    expect([answer.status, answer.body.meta.param]).toEqual([400, param]);
  });
});

describe("GET /v1/events/:id/explain", () => {
  it("tells of an entry, a dwell and an exit the update, what was before, and each decision with its figures", async () => {
    await put("/v1/geofences/shop/1", secret, circle({ coordinates: [34.1, 12], dwellThreshold: 1 }));
    const shop = (metres: number) => metres + 0.1 * 111_195 * Math.cos((12 * Math.PI) / 180);
    await track("e", shop(300));
    const enter = await track("e", shop(105));
    const dwell = [await track("e", shop(50)), await track("e", shop(50))].find(({ events }) => events.length > 0);
    const exit = await track("e", shop(150));
    const ask = explained;
    const entered = await ask(enter.events[0]);
    expect(entered.event).toEqual((await get(`/v1/events/${enter.events[0]._id}`, secret)).body.event);
    expect(entered).toMatchObject({
      verdict: "user.entered_geofence",
      geofence: { description: "Home", geometryRadius: 100 },
      update: { at: enter.at, accuracy: 10, events: [enter.events[0]._id] },
      before: { geofences: [] },
      notKnown: [],
    });
    expect(entered.sentence).toMatch(
      /^The user entered at 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC\. The position is 5 m outside the edge, which is within its accuracy of 10 m, so the user is inside\.$/,
    );
    expect(entered.steps.map(({ rule, passed }: Json) => [rule, passed])).toEqual([
      ["updatedAt", true],
      ["before", true],
      ["accuracyLimit", true],
      ["bufferedEntries", true],
      ["enabled", true],
      ["confidence", true],
      ["eventTypes", true],
    ]);
    expect(entered.steps[3].figures).toEqual({ distance: 5, accuracy: 10, buffer: 10, radius: 100 });
    const dwelled = await ask(dwell?.events[0] as Json);
    expect(dwelled.sentence).toContain("longer than the geofence's threshold of 1 minutes.");
    expect(dwelled.before.geofences).toEqual([
      expect.objectContaining({ tag: "shop", externalId: "1", enteredAt: enter.at, dwelled: false }),
    ]);
    const left = await ask(exit.events[0]);
    expect(left.sentence).toContain("The position is 50 m outside the edge, which is more than its accuracy of 10 m");
    expect(left.steps.find(({ rule }: Json) => rule === "confidence").sentence).toBe(
      "Confidence 3: all of the accuracy circle (radius 10 m) is outside.",
    );
  });

  it("says of events without an update that a call of the API made them", async () => {
    await track("c", 500);
    const { body } = await post("/v1/events", secret, { name: "bought", deviceId: "c" });
    const found = await eventually(
      () => get(`/v1/events/${body.event._id}/explain`, secret),
      ({ status }) => status === 200,
    );
    const { explanation } = found.body;
    expect([explanation.verdict, explanation.steps, explanation.update]).toEqual(["api", [], undefined]);
  });

  it("says when the update is no longer kept, or the geofence has changed or gone", async () => {
    await put("/v1/geofences/changing/1", secret, circle({ coordinates: [34, 13] }));
    const { events } = await track("k", 0, { latitude: 13 });
    const ask = () => explained(events[0]);
    await put(
      "/v1/geofences/changing/1",
      secret,
      circle({ coordinates: [34, 13], radius: 50, description: "Smaller" }),
    );
    expect((await ask()).notKnown).toEqual([
      expect.stringMatching(/^The geofence was changed .* Its state at that time is used\.$/),
    ]);
    expect((await ask()).steps.find(({ rule }: Json) => rule === "bufferedEntries").figures.radius).toBe(100);
    const { call } = await import("../../../support/world.ts");
    await call("DELETE", "/v1/geofences/changing/1", { key: secret });
    expect(await ask()).toMatchObject({
      verdict: "user.entered_geofence",
      notKnown: ["The geofence has been deleted since. Its state at that time is used."],
    });
    const now = Date.now();
    const old = { ...events[0], createdAt: now, actualCreatedAt: now, user: { _id: "nobody" } };
    await sql(
      "INSERT INTO event VALUES (?, ?, 'user.entered_geofence', 'nobody', ?, ?)",
      ...[
        world.id * 2,
        `nobody${"0".repeat(8)}`,
        now,
        JSON.stringify({ ...old, _id: `nobody${"0".repeat(8)}`, location: HOME, geofence: undefined }),
      ],
    );
    const gone = (await get(`/v1/events/nobody${"0".repeat(8)}/explain`, secret)).body.explanation;
    expect([gone.verdict, gone.steps]).toEqual(["unknown", []]);
    expect(gone.notKnown[0]).toContain("retention.updates");
  });

  it("finds no event of another scope", async () => {
    const { events } = await track("scoped", 0);
    for (const key of [world.keys.liveSecret, (await makeWorld()).keys.testSecret])
      expect((await get(`/v1/events/${events[0]._id}/explain`, key)).status).toBe(404);
  });
});

describe("POST /v1/explain", () => {
  it.each<[string, Json, Json, string, string]>([
    [
      "too far",
      {},
      { metres: 200 },
      "bufferedEntries",
      "No entry: the position is 100 m outside the edge, which is more than its accuracy of 10 m, so the user is outside.",
    ],
    [
      "a bad fix",
      {},
      { metres: 0, accuracy: 5000 },
      "accuracyLimit",
      "No entry: the fix is not accurate enough: its accuracy of 5000 m is worse than the limit of 2000 m.",
    ],
    [
      "a device that drives by",
      { stopDetection: true },
      { metres: 0, stopped: false, foreground: false },
      "stopDetection",
      "No entry: the geofence allows entries only if the device has stopped or the app is in the foreground: stopped is false and foreground is false.",
    ],
    [
      "another's geofence",
      { userIds: ["somebody"] },
      { metres: 0 },
      "userIds",
      "No entry: the geofence is for one other user only.",
    ],
    ["a disabled geofence", { enabled: false }, { metres: 0 }, "enabled", "No entry: the geofence is disabled."],
  ])("tells why there was no entry: %s", async (name, fence, { metres, ...update }, rule, sentence) => {
    const tag = name.replaceAll(/\W/g, "-");
    await put(`/v1/geofences/${tag}/1`, secret, circle({ coordinates: [34, 12], ...fence }));
    const { at } = await track(`no-${tag}`, metres as number, update);
    const found = await explain({ deviceId: `no-${tag}`, geofence: `${tag}/1`, at });
    expect([found.verdict, found.sentence, found.event]).toEqual(["outside", sentence, undefined]);
    expect(found.steps.filter(({ passed }: Json) => !passed).map((step: Json) => step.rule)).toEqual([rule]);
  });

  it("tells of operating hours on the clock of the place", async () => {
    const closed = Object.fromEntries(["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].map((day) => [day, []]));
    await put("/v1/geofences/closed/1", secret, circle({ operatingHours: closed }));
    const { at } = await track("hours", 0);
    const found = await explain({ deviceId: "hours", geofence: "closed/1", at });
    expect(found.sentence).toMatch(
      /^No entry: it is \w{3} \d\d:\d\d there \(.+\); the geofence is closed that day, so it is closed\.$/,
    );
  });

  it("tells of entries, stays and exits, by userId and by _id of the geofence", async () => {
    const { user } = await track("m", 0, { userId: "maria" });
    const inside = clock;
    await track("m", 20, { userId: "maria" });
    const stays = clock;
    await track("m", 400, { userId: "maria" });
    const id = user.geofences.find(({ tag }: Json) => tag === "home")._id;
    const at = (time: number) => explain({ userId: "maria", geofence: id, at: new Date(time + 30_000).toISOString() });
    const [entered, stayed, left] = [await at(inside), await at(stays), await at(clock)];
    expect([entered.verdict, entered.event.type]).toEqual(["entered", "user.entered_geofence"]);
    expect([stayed.verdict, stayed.event]).toEqual(["inside", undefined]);
    expect(stayed.sentence).toMatch(
      /^No event: the user was inside and stays\. The position is 80 m inside the edge\./,
    );
    expect([left.verdict, left.event.type]).toEqual(["exited", "user.exited_geofence"]);
    expect(left.before.geofences.map((one: Json) => one._id)).toContain(id);
  });

  it("tells when the type of event is switched off, and that the visit counts all the same", async () => {
    const quiet = await makeWorld({
      settings: { rateLimits: { track: 1000 }, tracking: { ...NO_GEODATA, eventTypes: ["user.exited_geofence"] } },
    });
    await put("/v1/geofences/home/1", quiet.keys.testSecret, circle());
    const { at } = await track("q", 0, {}, quiet.keys);
    const found = await explain({ deviceId: "q", geofence: "home/1", at }, quiet.keys.testSecret);
    expect([found.verdict, found.event]).toEqual(["entered", undefined]);
    expect(found.sentence).toContain("disabled events of the type user.entered_geofence: no event is generated.");
  });

  it("judges by the geofence as it is now where it did not matter then, and says so", async () => {
    const { at } = await track("before", 0);
    await put("/v1/geofences/later/1", secret, circle());
    const found = await explain({ deviceId: "before", geofence: "later/1", at });
    expect(found.notKnown[0]).toMatch(/^The geofence was changed .* Its current state is used\.$/);
    expect([found.verdict, found.event]).toEqual(["entered", undefined]);
  });

  it("says that nothing is known of a time before the first update", async () => {
    const { at } = await track("young", 0);
    const before = new Date(Date.parse(at) - 1000).toISOString();
    const found = await explain({ deviceId: "young", geofence: "home/1", at: before });
    expect([found.verdict, found.steps]).toEqual(["unknown", []]);
  });

  it.each([
    [{ geofence: "home/1", at: "2026-01-01" }, 400, "userId"],
    [{ geofence: "home/1", deviceId: "m" }, 400, "at"],
    [{ geofence: "home/1", deviceId: "m", at: "soon" }, 400, "at"],
    [{ deviceId: "m", at: "2026-01-01" }, 400, "geofence"],
    [{ geofence: "home/1", deviceId: "nobody", at: "2026-01-01" }, 404, undefined],
    [{ geofence: "nowhere", deviceId: "m", at: "2026-01-01" }, 404, undefined],
    [{ geofence: "home/1", deviceId: "m", userId: "anna", at: "2026-01-01" }, 404, undefined],
  ])("answers %j with %i", async (body, status, param) => {
    const answer = await post("/v1/explain", secret, body);
    expect([answer.status, answer.body.meta.param]).toEqual([status, param]);
  });

  it("knows nobody of another scope", async () => {
    const { at } = await track("apart", 0);
    const body = { deviceId: "apart", geofence: "home/1", at };
    expect((await post("/v1/explain", world.keys.liveSecret, body)).status).toBe(404);
    expect((await post("/v1/explain", world.keys.testPublishable, body)).status).toBe(403);
  });
});
