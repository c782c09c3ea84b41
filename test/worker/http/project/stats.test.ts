import { beforeAll, describe, expect, it } from "vitest";
import {
  call,
  control,
  eventually,
  get,
  type Json,
  makeWorld,
  post,
  put,
  sql,
  type World,
} from "../../../support/world.ts";

const HOUR = 3600_000;
const HERE = { latitude: 12, longitude: 34 };
let world: World;
let key: string;

interface Series {
  kind: string;
  name: string;
  values: number[];
}
const stats = async (query: string, secret = key) => (await get(`/v1/stats?${query}`, secret)).body.stats;
const seriesOf = (found: { series: Series[] }, kind: string) =>
  Object.fromEntries(found.series.filter((one) => one.kind === kind).map(({ name, values }) => [name, values]));
const total = (values: number[] = []) => values.reduce((sum, one) => sum + one, 0);
const track = (deviceId: string, more: Json = {}) =>
  post("/v1/track", world.keys.testPublishable, { deviceId, ...HERE, accuracy: 5, foreground: true, ...more });

beforeAll(async () => {
  world = await makeWorld({ settings: { rateLimits: { getStats: 1000 } } });
  key = world.keys.testSecret;
  const fence = { description: "Home", type: "circle", coordinates: [34, 12], radius: 100 };
  await put("/v1/geofences/home/one", key, fence);
  for (const device of ["a", "b", "c"]) expect((await track(device)).body.events).toHaveLength(1);
});

describe("GET /v1/stats", () => {
  it("counts events by type and users at once, calls, errors and tracks within seconds", async () => {
    const at = await stats("step=hour&kinds=events,users");
    expect(seriesOf(at, "events")).toEqual({ "user.entered_geofence": expect.anything() });
    expect(total(seriesOf(at, "events")["user.entered_geofence"])).toBe(3);
    expect(total(seriesOf(at, "users")[""])).toBe(3);
    expect((await get("/v1/users/nobody", key)).status).toBe(404);
    // A response of 500, which no request of a test causes.
    const [month, hour] = [
      new Date().toISOString().slice(0, 7),
      (new Date().getUTCDate() - 1) * 24 + new Date().getUTCHours(),
    ];
    await sql(
      "INSERT INTO usage (project, month, live, endpoint, calls, hours) VALUES (?, ?, 0, 'getTrip', 9, json_object('h' || CAST(? AS INTEGER), json('[9, 3, 0, 2]')))",
      ...[world.id, month, hour],
    );
    const late = await eventually(
      () => stats("step=hour"),
      (found) => total(seriesOf(found, "errors").getUser) === 1 && total(seriesOf(found, "tracks")[""]) === 3,
    );
    expect(total(seriesOf(late, "calls").track)).toBe(3);
    expect(total(seriesOf(late, "calls").getUser)).toBe(1);
    expect(total(seriesOf(late, "errors").getTrip)).toBe(3);
    expect(seriesOf(late, "errors")).toEqual({ getTrip: expect.anything(), getUser: expect.anything() });
    expect(Object.entries(seriesOf(late, "failures")).map(([name, values]) => [name, total(values)])).toEqual([
      ["getTrip", 2],
    ]);
    expect(late.series.map(({ kind }: Series) => kind)).toEqual(
      [...late.series.map(({ kind }: Series) => kind)].sort(
        (a, b) =>
          ["calls", "errors", "failures", "tracks", "users", "events"].indexOf(a) -
          ["calls", "errors", "failures", "tracks", "users", "events"].indexOf(b),
      ),
    );
    for (const { values } of late.series) expect(values).toHaveLength(late.times.length);
  }, 90_000);

  it("counts the updates of a replay, and those sent again only once", async () => {
    const fresh = await makeWorld();
    const now = Date.now();
    const replays = [3, 2, 1].map((minutes) => ({
      deviceId: "r",
      ...HERE,
      accuracy: 5,
      updatedAt: new Date(now - minutes * 60_000).toISOString(),
    }));
    await post("/v1/track/replay", fresh.keys.testPublishable, { replays });
    await new Promise((resume) => setTimeout(resume, 1100));
    await post("/v1/track/replay", fresh.keys.testPublishable, { replays: replays.slice(2) });
    const found = await eventually(
      () => stats("step=day&kinds=tracks,calls", fresh.keys.testSecret),
      (one) => total(seriesOf(one, "calls").replayTrack) === 2,
    );
    expect(total(seriesOf(found, "tracks")[""])).toBe(3);
  }, 90_000);

  it("counts a user once an hour and once a day, whichever zone's days, however often it was active", async () => {
    const fresh = await makeWorld();
    const scope = fresh.id * 2;
    const midnight = Math.floor(Date.now() / (24 * HOUR)) * 24 - 72;
    // One user in the hours 1, 3 and 23 of a day and 1 of the next; another in hour 3 only.
    const add = (hour: number, gap: number, count: number) =>
      sql(
        `INSERT INTO stat VALUES (?1, ?2, 'user', ?3, json_object('h' || CAST(?4 AS INTEGER), CAST(?5 AS INTEGER)))
         ON CONFLICT DO UPDATE SET hours = json_set(hours, '$.h' || CAST(?4 AS INTEGER), CAST(?5 AS INTEGER))`,
        ...[scope, Math.floor(hour / 24), String(gap), hour % 24, count],
      );
    await add(midnight + 1, 25, 1);
    await add(midnight + 3, 2, 1);
    await add(midnight + 3, 25, 1);
    await add(midnight + 23, 20, 1);
    await add(midnight + 25, 2, 1);
    const from = new Date(midnight * HOUR).toISOString();
    const to = new Date((midnight + 48) * HOUR).toISOString();
    const users = async (query: string) =>
      seriesOf(await stats(`kinds=users&from=${from}&to=${to}&${query}`, fresh.keys.testSecret), "users")[""];
    const hours = await users("step=hour");
    expect([hours[1], hours[3], hours[23], hours[25], total(hours)]).toEqual([1, 2, 1, 1, 5]);
    expect(await users("step=day")).toEqual([2, 1]);
    // Two hours east of UTC hour 23 is part of the next day: there the user is one, too.
    expect(await users("step=day&timeZone=Etc/GMT-2")).toEqual([2, 1, 0]);
    expect(await users("step=day&timeZone=Etc/GMT%2B2")).toEqual([1, 2, 0]);
  });

  it("begins days in the project's time zone, unless another is asked for", async () => {
    const abroad = await makeWorld({ settings: { timeZone: "Asia/Tokyo" } });
    const span = "from=2026-06-01T16:00:00Z&to=2026-06-01T17:00:00Z";
    const first = async (query: string) => (await stats(`${span}&${query}`, abroad.keys.testSecret)).times;
    expect(await first("")).toEqual(["2026-06-01T15:00:00.000Z"]);
    expect(await first("timeZone=UTC")).toEqual(["2026-06-01T00:00:00.000Z"]);
  });

  it("adds up days over a change of the clock", async () => {
    const fresh = await makeWorld();
    const hour = (text: string) => Date.parse(text) / HOUR;
    // 22:00 UTC is midnight in Berlin in summer, 23:00 in winter.
    for (const at of ["2026-10-24T21:00:00Z", "2026-10-24T22:00:00Z", "2026-10-25T22:00:00Z", "2026-10-25T23:00:00Z"]) {
      await sql(
        `INSERT INTO stat VALUES (?1, ?2, 'event', 'x', json_object('h' || CAST(?3 AS INTEGER), 1))
         ON CONFLICT DO UPDATE SET hours = json_set(hours, '$.h' || CAST(?3 AS INTEGER), 1)`,
        ...[fresh.id * 2, Math.floor(hour(at) / 24), hour(at) % 24],
      );
    }
    const found = await stats(
      "kinds=events&from=2026-10-24T12:00:00Z&to=2026-10-26T12:00:00Z&timeZone=Europe/Berlin",
      fresh.keys.testSecret,
    );
    expect(seriesOf(found, "events").x).toEqual([1, 2, 1]);
  });

  it("keeps test and live, and projects, apart", async () => {
    for (const secret of [world.keys.liveSecret, (await makeWorld()).keys.testSecret]) {
      const found = await stats("step=hour&kinds=events,users,tracks", secret);
      expect(found.series.map(({ kind, values }: Series) => [kind, total(values)])).toEqual([
        ["tracks", 0],
        ["users", 0],
      ]);
    }
  });

  it.each([
    ["from=2026-01-02&to=2026-01-01", "from"],
    ["from=2026-01-01&to=2026-01-01", "from"],
    ["from=2026-01-01&to=2026-02-02&step=hour", "from"],
    ["from=2025-01-01&to=2026-02-06&step=day", "from"],
    ["from=yesterday", "from"],
    ["to=2026-13-01", "to"],
    ["step=minute", "step"],
    ["kinds=calls,visits", "kinds"],
    ["timeZone=Mars/Base", "timeZone"],
  ])("refuses %s by name", async (query, param) => {
    const answer = await get(`/v1/stats?${query}`, key);
    expect([answer.status, answer.body.meta.param]).toEqual([400, param]);
  });

  it("takes the longest spans", async () => {
    const hours = await stats("from=2026-01-01&to=2026-02-01&step=hour");
    expect(hours.times).toHaveLength(744);
    const days = await stats("from=2025-01-01&to=2026-02-05&step=day&timeZone=America/New_York");
    expect([days.times.length, days.times[0], days.timeZone]).toEqual([
      401,
      "2024-12-31T05:00:00.000Z",
      "America/New_York",
    ]);
  });

  it("lets the hourly round delete what is older than 13 months", async () => {
    const fresh = await makeWorld();
    const now = Date.UTC(2026, 10, 22);
    const day = (text: string) => Date.parse(text) / (24 * HOUR);
    for (const one of ["2025-09-30", "2025-10-01"]) {
      await sql("INSERT INTO stat VALUES (?, ?, 'event', 'x', '{}')", fresh.id * 2 + 1, day(one));
      await sql(
        "INSERT INTO usage (project, month, live, endpoint, calls) VALUES (?, ?, 1, 'track', 1)",
        fresh.id,
        one.slice(0, 7),
      );
    }
    await control("scheduled", { now });
    expect(await sql("SELECT day FROM stat WHERE scope = ?", fresh.id * 2 + 1)).toEqual([{ day: day("2025-10-01") }]);
    expect(await sql("SELECT month FROM usage WHERE project = ?", fresh.id)).toEqual([{ month: "2025-10" }]);
  });
});

describe("GET /v1/stats/eta", () => {
  it("says so where nothing is learned, and what was learned for builds is shown to all projects", async () => {
    const { status, body } = await get("/v1/stats/eta?roads=true", key);
    expect(status).toBe(200);
    expect(body.eta).toMatchObject({ enabled: false, months: [], growing: [] });
    expect(body.eta.roads.type).toBe("FeatureCollection");
  });

  it("is for projects that enable it, from three devices on", async () => {
    const { keys } = await makeWorld();
    const learning = (value: unknown) =>
      call("PATCH", "/v1/settings", { key: keys.liveSecret, json: { learning: value } });
    expect((await learning({ enabled: true })).body.learning).toEqual({ enabled: true, eta: false, minimumDevices: 3 });
    expect((await learning({ minimumDevices: 5 })).body.learning).toMatchObject({ enabled: true, minimumDevices: 5 });
    expect((await get("/v1/stats/eta", keys.liveSecret)).body.eta.enabled).toBe(true);
    for (const minimumDevices of [2, 21, 3.5]) {
      const answer = await learning({ minimumDevices });
      expect([answer.status, answer.body.meta.param]).toEqual([400, "learning[minimumDevices]"]);
    }
    expect((await learning({ enabled: false })).body.learning.enabled).toBe(false);
  });
});
