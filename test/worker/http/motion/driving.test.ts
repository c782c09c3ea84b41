import { beforeAll, describe, expect, it } from "vitest";
import { DRIVE_SETTINGS, driveThrough } from "../../../support/fast-drive.ts";
import {
  call,
  eventually,
  get,
  type Json,
  makeWorld,
  post,
  sleep,
  type World,
  withGeodata,
} from "../../../support/world.ts";

const TYPES = [
  "exceeded_speed_limit",
  "kept_to_speed_limit",
  "left_route",
  "returned_to_route",
  "started_idling",
  "stopped_idling",
].map((name) => `user.${name}`);

let world: World;
let secret: string;
let events: Json[];

const ours = (all: Json[]) => all.filter(({ type }) => TYPES.includes(String(type)));

beforeAll(async () => {
  await withGeodata("demo");
  const rateLimits = { track: 1000, explain: 1000, explainEvent: 1000, createCampaign: 1000 };
  world = await makeWorld({ geodata: true, settings: { rateLimits } });
  secret = world.keys.testSecret;
  const before = await driveThrough(secret, "unwatched", "trip-0");
  expect(ours(before.events)).toEqual([]);
  const { status } = await call("PATCH", "/v1/settings", { key: secret, json: { tracking: DRIVE_SETTINGS } });
  expect(status).toBe(200);
  const content = { title: { text: "Slow down" }, body: { text: "You are too fast." } };
  const trigger = { event: "user.exceeded_speed_limit" };
  const campaign = { name: "Slow down", type: "inAppMessage", content, trigger };
  const made = await post("/v1/campaigns", secret, campaign);
  expect([made.status, made.body.meta]).toEqual([200, { code: 200 }]);
  // Settings take effect within ten seconds.
  for (let k = 0; k < 5 && (events === undefined || ours(events).length === 0); k++) {
    await sleep(3000);
    events = (await driveThrough(secret, `van-${k}`, `trip-1-${k}`)).events;
  }
}, 240_000);

describe("a drive", () => {
  it("makes each event once, in the order in which they happen, with its fields", () => {
    const own = ours(events);
    expect(new Set(own.map(({ type }) => type))).toEqual(new Set(TYPES));
    const first = (type: string) => own.find((event) => event.type === type) as Json & { driving: Json };
    expect(first(TYPES[0])).toMatchObject({
      driving: { speedKmh: 108, limitKmh: expect.any(Number), topSpeedKmh: 108, road: expect.any(String) },
    });
    expect(first(TYPES[1])).toMatchObject({ duration: expect.any(Number), driving: { topSpeedKmh: 108 } });
    expect(first(TYPES[2])).toMatchObject({
      trip: { mode: "car" },
      driving: { distanceFromRoute: expect.any(Number) },
    });
    expect(first(TYPES[3])).toMatchObject({ trip: { mode: "car" }, duration: expect.any(Number) });
    expect(own.filter(({ type }) => String(type).includes("route")).map(({ type }) => type)).toEqual(TYPES.slice(2, 4));
    expect(own.filter(({ type }) => String(type).includes("idling")).map(({ type }) => type)).toEqual(TYPES.slice(4));
  });

  it("is explained, event by event and at a time", async () => {
    for (const event of ours(events)) {
      const { body } = await eventually(
        () => get(`/v1/events/${event._id}/explain`, secret),
        ({ status }) => status === 200,
      );
      const { explanation } = body;
      expect([event.type, explanation.verdict, explanation.notKnown]).toEqual([event.type, event.type, []]);
      expect(explanation.sentence).toMatch(/limit|planned route|idling|road/);
    }
    const { at, userId } = { at: String(ours(events)[0].createdAt), userId: (ours(events)[0].user as Json).userId };
    const { body } = await post("/v1/explain", secret, { userId, at, driving: true });
    expect(body.explanation).toMatchObject({ verdict: "driving", sentence: expect.stringContaining("km/h") });
    expect((await post("/v1/explain", secret, { userId, at })).body.meta.param).toBe("geofence");
  });

  it("is in lists by type, and in exports", async () => {
    const { body } = await get("/v1/events?types=user.left_route", secret);
    expect(body.events).toMatchObject([{ type: "user.left_route", driving: {} }]);
    const csv = String((await get("/v1/exports/events?format=csv&types=user.exceeded_speed_limit", secret)).body);
    expect(csv.split("\r\n")[0]).toContain("driving.speedKmh,driving.limitKmh,driving.road");
    expect(csv.split("\r\n")[1]).toContain("user.exceeded_speed_limit");
  });

  it("triggers campaigns", async () => {
    const { body } = await eventually(
      () => get("/v1/events?types=campaign.sent", secret),
      (answer) => answer.body.events.length > 0,
    );
    expect(body.events[0]).toMatchObject({ campaign: { name: "Slow down" } });
  });

  it("shows the planned route of the trip, and a detour only while the user is off it", async () => {
    const { trip } = ours(events).find(({ type }) => type === "user.left_route") as Json & { trip: Json };
    const { body } = await get(`/v1/trips/${trip._id}/route`, secret);
    expect(body.route.planned).toMatch(/^\S{10,}$/);
    expect(body.route.detour).toBeUndefined();
  });
});

describe("the settings", () => {
  it("have defaults, and reject values out of range", async () => {
    const key = (await makeWorld()).keys.testSecret;
    expect((await get("/v1/settings", key)).body.tracking).toMatchObject({
      ...{ speedLimits: false, speedTolerance: 10, speedTolerancePercent: 10, speedSeconds: 10 },
      ...{ routeTolerance: 0, idling: 0, idlingExemptTags: [] },
    });
    for (const [name, value] of [
      ["speedLimits", "fast"],
      ["speedTolerance", -1],
      ["speedTolerancePercent", 101],
      ["speedSeconds", 1],
      ["routeTolerance", 20_000],
      ["idling", 2000],
      ["idlingExemptTags", "depot"],
    ]) {
      const { status, body } = await call("PATCH", "/v1/settings", { key, json: { tracking: { [name]: value } } });
      expect([name, status, String(body.meta.param).startsWith("tracking")]).toEqual([name, 400, true]);
    }
  });
});
