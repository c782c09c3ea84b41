import { beforeAll, describe, expect, it } from "vitest";
import { destination } from "../../../../src/core/geo/distance.ts";
import { call, eventually, get, type Json, makeWorld, post, put, type World } from "../../../support/world.ts";

/**
 * A van at a depot for 20 minutes, 10 minutes of driving east at 10 m/s through a yard, and 30 minutes at a customer 6 km away:
 * a fix every 20 seconds, across a midnight of UTC.
 */
const DEPOT = { latitude: 12, longitude: 20 };
const east = (metres: number) => destination(DEPOT, 90, metres);
const DAY_MS = 24 * 3600_000;
const BEGIN = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS - 10 * 60_000;
const time = (minute: number) => new Date(BEGIN + minute * 60_000).toISOString();
const metresAt = (minute: number) => Math.min(6000, Math.max(0, (minute - 20) * 600));

let world: World;
let secret: string;

/** Sends the van's day for a device, with the numbers of the fixes in the order given. */
async function send(deviceId: string, order: readonly number[], more: Json = {}, key = secret): Promise<void> {
  for (let k = 0; k < order.length; k += 90) {
    const replays = order.slice(k, k + 90).map((i) => {
      const minute = i / 3;
      const at = { ...east(metresAt(minute)), accuracy: 8, updatedAt: time(minute), replayed: true };
      return { deviceId, userId: `driver-${deviceId}`, ...at, ...more };
    });
    const { status, body } = await post("/v1/track/replay", key, { replays });
    expect([status, body.meta.code]).toEqual([200, 200]);
  }
}
const ALL = Array.from({ length: 181 }, (_, i) => i);
const journeys = async (path: string, key = secret) => get(`/v1/users/${path}`, key);
const range = `from=${time(-60)}&to=${time(120)}`;

beforeAll(async () => {
  world = await makeWorld({ settings: { rateLimits: { track: 1000, listUserJourneys: 1000, getJourneyStats: 1000 } } });
  secret = world.keys.testSecret;
  const circle = (metres: number) => {
    const { latitude, longitude } = east(metres);
    return { description: "a circle", type: "circle", coordinates: [longitude, latitude], radius: 150 };
  };
  await put("/v1/geofences/site/depot", secret, circle(0));
  await put("/v1/geofences/site/yard", secret, circle(3000));
  await put("/v1/geofences/site/customer", secret, circle(6000));
  await send("van", ALL);
});

describe("GET /v1/users/:id/journeys", () => {
  it("has the stops, the journey between them, and what was visited", async () => {
    const { status, body } = await journeys(`driver-van/journeys?${range}&addresses=false&geometry=polyline6`);
    expect(status).toBe(200);
    const near = (value: number, reach: number) => expect.toSatisfy((one: number) => Math.abs(one - value) <= reach);
    const named = (id: string) => [expect.objectContaining({ tag: "site", externalId: id })];
    expect(body.timeline).toEqual([
      expect.objectContaining({ type: "stop", startedAt: time(0), duration: near(20, 0.6), geofences: named("depot") }),
      {
        ...{ type: "journey", startedAt: expect.any(String), endedAt: expect.any(String), duration: near(10, 1.2) },
        ...{ distance: near(6000, 60), averageSpeed: near(10, 1.2), topSpeed: near(10, 0.7), gaps: [] },
        ...{ geofences: named("yard"), geometry: { polyline: expect.any(String) } },
      },
      expect.objectContaining({ type: "stop", endedAt: time(60), ongoing: true, geofences: named("customer") }),
    ]);
    expect(body.timeline[0].endedAt).toBe(body.timeline[1].startedAt);
    expect(body.timeline[1].endedAt).toBe(body.timeline[2].startedAt);
    expect(body.totals).toMatchObject({ stops: 2, journeys: 1, distance: body.timeline[1].distance });
  });

  it("is the same for updates that came in another order, and twice", async () => {
    // The newest first: all others are older than the newest point, and still positions of the user.
    await send("mixed", [
      180,
      ...ALL.filter((i) => i % 2 === 0),
      ...ALL.filter((i) => i % 2 === 1),
      ...ALL.slice(0, 90),
    ]);
    const [one, other] = await Promise.all(
      ["van", "mixed"].map(async (name) => (await journeys(`${name}/journeys?${range}&addresses=false`)).body),
    );
    expect(other.totals).toEqual(one.totals);
    expect(other.timeline.map(({ startedAt }: Json) => startedAt)).toEqual(
      one.timeline.map(({ startedAt }: Json) => startedAt),
    );
  });

  it("as CSV", async () => {
    const { status, body, headers } = await journeys(`van/journeys?${range}&addresses=false&format=csv`);
    expect([status, headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"]);
    const lines = String(body).trim().split("\r\n");
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(/^userId,deviceId,type,startedAt,endedAt,duration,latitude/);
    expect(lines[2]).toContain("driver-van,van,journey,");
  });

  it("needs a secret key, a known user and a sound range", async () => {
    expect((await journeys("van/journeys", world.keys.testPublishable)).status).toBe(403);
    expect((await journeys("nobody/journeys")).status).toBe(404);
    expect((await journeys("van/journeys", (await makeWorld()).keys.testSecret)).status).toBe(404);
    for (const [query, param] of [
      [`from=${time(1)}&to=${time(0)}`, "from"],
      ["from=2026-01-01&to=2026-03-01", "from"],
      ["minStop=0", "minStop"],
      ["format=xml", "format"],
      ["geometry=wkt", "geometry"],
      ["addresses=maybe", "addresses"],
    ]) {
      const { status, body } = await journeys(`van/journeys?${query}`);
      expect([query, status, body.meta.param]).toEqual([query, 400, param]);
    }
    const none = await journeys(`van/journeys?from=${time(-3000)}&to=${time(-2000)}`);
    expect(none.body).toMatchObject({ timeline: [], totals: { stops: 0, journeys: 0, distance: 0 } });
  });

  it("is gone with the user", async () => {
    await send("gone", ALL.slice(0, 90));
    expect((await journeys(`gone/journeys?${range}&addresses=false`)).body.timeline).not.toEqual([]);
    expect((await call("DELETE", "/v1/users/gone", { key: secret })).status).toBe(200);
    expect((await journeys("gone/journeys")).status).toBe(404);
  });
});

describe("GET /v1/stats/journeys", () => {
  const stats = async (query: string) => (await get(`/v1/stats/journeys?${query}`, secret)).body;

  it("has a row per user and day, page by page, and as CSV", async () => {
    const local = `${range}&timeZone=Etc/GMT%2B6`;
    const all = await stats(local);
    const own = all.days.find(({ user }: Json) => (user as Json).deviceId === "van");
    expect(own).toMatchObject({ day: time(0).slice(0, 10), user: { userId: "driver-van" }, stops: 2, journeys: 1 });
    expect(Math.abs(own.distance - 6000)).toBeLessThan(60);
    expect(Math.abs(own.standing + own.moving - 60)).toBeLessThan(0.5);
    const paged: Json[] = [];
    for (let cursor = "", k = 0; k < 9; k++) {
      const page = await stats(`${local}&limit=1${cursor}`);
      paged.push(...page.days);
      if (!page.nextCursor) break;
      cursor = `&cursor=${page.nextCursor}`;
    }
    expect(paged).toEqual(all.days);
    const csv = String(await stats(`${local}&format=csv`));
    expect(csv.trim().split("\r\n")).toHaveLength(1 + all.days.length);
  });

  it("splits a stop at midnight, and has a journey on the day on which it begins", async () => {
    const { days } = await stats(range);
    const own = days.filter(({ user }: Json) => (user as Json).deviceId === "van");
    expect(own).toMatchObject([
      { day: time(0).slice(0, 10), stops: 1, journeys: 0, standing: 10, moving: 0, distance: 0 },
      { day: time(30).slice(0, 10), stops: 2, journeys: 1 },
    ]);
  });

  it("is limited to users by tag, name, metadata and segment, page by page", async () => {
    await send("tagged", ALL, { userTags: ["driver"], metadata: { depot: "north" }, description: "Ann, van 7" });
    for (const [filter, expected] of [
      ["userTags=driver,other", true],
      ["userTags=other", false],
      ["search=agged", true],
      ["search=nobody", false],
      ["metadata[depot]=north", true],
      ["metadata[depot]=south", false],
      ["segment=none", false],
    ] as const) {
      const { days, nextCursor } = await stats(`${range}&${filter}`);
      const devices = [...new Set(days.map(({ user }: Json) => (user as Json).deviceId))];
      expect([filter, devices, nextCursor]).toEqual([filter, expected ? ["tagged"] : [], undefined]);
      // Only a user that has a name brings one.
      for (const { user } of days) expect(user).toMatchObject({ description: "Ann, van 7" });
    }
    const { days } = await stats(range);
    for (const { user } of days) expect("description" in user).toBe(user.deviceId === "tagged");
    const { body } = await get(`/v1/stats/journeys?${range}&search=agged&format=csv`, secret);
    expect(String(body).split("\r\n")[1]).toMatch(/,"Ann, van 7"$/);
  });

  it("counts the time over speed limits on the day on which an excess begins", async () => {
    const tracking = { places: false, speedLimits: true, regions: { country: false, state: false } };
    const fast = await makeWorld({ settings: { tracking, rateLimits: { track: 1000 } } });
    const own = fast.keys.testSecret;
    const { latitude, longitude } = east(3000);
    const yard = { type: "circle", coordinates: [longitude, latitude], radius: 1500, speedLimit: 20 };
    expect((await put("/v1/geofences/site/yard", own, { description: "Yard", ...yard })).status).toBe(200);
    await send("van", ALL, { speed: 10 }, own);
    const { body } = await eventually(
      () => get(`/v1/stats/journeys?${range}`, own),
      (answer) => answer.body.days?.some(({ excesses }: Json) => excesses === 1),
    );
    // 3 km through the yard at 10 m/s; the day before, the van stood.
    expect(body.days).toMatchObject([
      { excesses: 0, speeding: 0 },
      { excesses: 1, speeding: expect.any(Number) },
    ]);
    expect(Math.abs(body.days[1].speeding - 5)).toBeLessThan(1);
    const { body: one } = await get(`/v1/users/van/journeys?${range}&addresses=false`, own);
    expect(one.totals).toMatchObject({ excesses: 1, speeding: body.days[1].speeding });
    // Before the excess began, and after.
    for (const part of [`from=${time(-60)}&to=${time(21)}`, `from=${time(25)}&to=${time(120)}`])
      expect((await get(`/v1/users/van/journeys?${part}`, own)).body.totals).toMatchObject({
        excesses: 0,
        speeding: 0,
      });
    const csv = String((await get(`/v1/stats/journeys?${range}&format=csv`, own)).body).split("\r\n");
    expect(csv[0]).toMatch(/,topSpeed,excesses,speeding,user\.description$/);
  });

  it("takes the 31 days of a month in which clocks are set back", async () => {
    const month = "from=2026-10-01T00:00:00%2B02:00&to=2026-11-01T00:00:00%2B01:00";
    expect((await get(`/v1/stats/journeys?${month}`, secret)).status).toBe(200);
    expect(
      (await get(`/v1/stats/journeys?${month.replace("T00:00", "T23:00").replace("10-01", "09-30")}`, secret)).status,
    ).toBe(400);
  });

  it("rejects an unknown time zone and a wrong cursor", async () => {
    for (const [query, param] of [
      ["timeZone=Mars/Base", "timeZone"],
      ["cursor=x", "cursor"],
      ["limit=1000", "limit"],
    ]) {
      const { status, body } = await get(`/v1/stats/journeys?${query}`, secret);
      expect([status, body.meta.param]).toEqual([400, param]);
    }
  });
});
