import { beforeAll, describe, expect, it } from "vitest";
import {
  type Answer,
  call,
  eventually,
  get,
  type Json,
  makeWorld,
  post,
  put,
  type World,
} from "../../support/world.ts";

/** Apps send 0, 0, or an accuracy of 0, while they have no position; and -1 for figures they do not know. */

const HOME = { latitude: 49.27, longitude: -123.12 };
const ZERO = { latitude: 0, longitude: 0 };

let world: World;
let open: World;
beforeAll(async () => {
  world = await makeWorld({ settings: { rateLimits: { track: 1000 } } });
  open = await makeWorld({ settings: { rateLimits: { track: 1000 }, tracking: { acceptZeros: true } } });
  const fence = { description: "a", type: "circle", coordinates: [HOME.longitude, HOME.latitude], radius: 100 };
  for (const { keys } of [world, open]) await put("/v1/geofences/a/home", keys.testSecret, fence);
});

const time = (second: number) => new Date(Date.now() - 600_000 + second * 1000).toISOString();
type Send = (at: Json, second: number, who: string, world: World) => Promise<Answer>;

const DOORS: Record<string, Send> = {
  "Traccar Client 9": (at, second, who, { keys }) => {
    const location = { timestamp: time(second), coords: { accuracy: 5, ...at }, is_moving: false };
    return post("/v1/ingest/traccar", keys.testPublishable, { location, device_id: who });
  },
  "a list of Traccar": (at, second, who, { keys }) => {
    const location = [{ timestamp: time(second), coords: { accuracy: 5, ...at } }];
    return post("/v1/ingest/traccar", keys.testPublishable, { location, device_id: who });
  },
  "a URL of OsmAnd": ({ latitude, longitude, accuracy = 5 }, second, who, { keys }) => {
    const query = `id=${who}&lat=${latitude}&lon=${longitude}.0&accuracy=${accuracy}&timestamp=${time(second)}`;
    return get(`/v1/ingest/traccar?${query.replace(/(\.\d+)\.0/, "$1")}`, keys.testPublishable);
  },
  "a form of OsmAnd": ({ latitude, longitude, accuracy = 5 }, second, who, { keys }) => {
    const form = { id: who, location: `${latitude},${longitude}`, accuracy: `${accuracy}`, timestamp: time(second) };
    return call("POST", "/v1/ingest/traccar", { key: keys.testPublishable, form });
  },
  Overland: ({ latitude, longitude, accuracy = 5 }, second, who, { keys }) => {
    const properties = { timestamp: time(second), horizontal_accuracy: accuracy, device_id: who };
    const geometry = { type: "Point", coordinates: [longitude, latitude] };
    return post("/v1/ingest/overland", keys.testPublishable, {
      locations: [{ type: "Feature", geometry, properties }],
    });
  },
  OwnTracks: ({ latitude, longitude, accuracy = 5 }, second, who, { keys }) => {
    const tst = Math.floor(Date.parse(time(second)) / 1000);
    const message = { _type: "location", lat: latitude, lon: longitude, acc: accuracy, tst, tid: who };
    return post("/v1/ingest/owntracks", keys.testPublishable, message);
  },
  "a replay": (at, second, who, { keys }) =>
    post("/v1/track/replay", keys.testPublishable, {
      replays: [{ deviceId: who, accuracy: 5, ...at, updatedAt: time(second), replayed: true }],
    }),
  "an update": (at, second, who, { keys }) =>
    post("/v1/track", keys.testPublishable, { deviceId: who, accuracy: 5, ...at, updatedAt: time(second) }),
  "an update as a form": (at, second, who, { keys }) => {
    const form = { deviceId: who, accuracy: "5", updatedAt: time(second) };
    const texts = Object.fromEntries(Object.entries(at).map(([name, value]) => [name, String(value)]));
    return call("POST", "/v1/track", { key: keys.testPublishable, form: { ...form, ...texts } });
  },
};

const userOf = async (who: string, { keys }: World) =>
  (
    await eventually(
      () => get(`/v1/users/${who}`, keys.testSecret),
      ({ status }) => status === 200,
    )
  ).body.user;
const eventsOf = async (who: string, { keys }: World) =>
  (await get(`/v1/events?userId=${who}`, keys.testSecret)).body.events as { type: string; confidence: number }[];

describe.each(Object.keys(DOORS))("at 0, 0 by %s", (door) => {
  it("a device does not move, and the app does not send it again", async () => {
    const who = door.replaceAll(" ", "-");
    expect((await DOORS[door](HOME, 0, who, world)).status).toBe(200);
    expect((await DOORS[door](ZERO, 10, who, world)).status).toBe(200);
    const { location } = await userOf(who, world);
    expect(location.coordinates).toEqual([HOME.longitude, HOME.latitude]);
    expect((await eventsOf(who, world)).map(({ type }) => type)).toEqual(["user.entered_geofence"]);
  });

  it("a device moves where the project allows it", async () => {
    const who = door.replaceAll(" ", "-");
    await DOORS[door](HOME, 0, who, open);
    expect((await DOORS[door](ZERO, 10, who, open)).status).toBe(200);
    expect((await userOf(who, open)).location.coordinates).toEqual([0, 0]);
  });

  it("a device on the equator, and one at the meridian of Greenwich, moves", async () => {
    const who = `line-${door.replaceAll(" ", "-")}`;
    await DOORS[door]({ latitude: 0, longitude: 9.5 }, 0, who, world);
    await DOORS[door]({ latitude: 51.5, longitude: 0 }, 10, who, world);
    expect((await userOf(who, world)).location.coordinates).toEqual([0, 51.5]);
  });
});

const APPS = Object.keys(DOORS).filter((door) => !door.startsWith("an update") && door !== "a replay");
describe.each(APPS)("with an accuracy of 0 by %s", (door) => {
  it("a position is none, or one of unknown accuracy where the project allows it", async () => {
    const who = `exact-${door.replaceAll(" ", "-")}`;
    expect((await DOORS[door]({ ...HOME, accuracy: 0 }, 0, who, world)).status).toBe(200);
    expect((await get(`/v1/users/${who}`, world.keys.testSecret)).status).toBe(404);
    await DOORS[door]({ ...HOME, latitude: 49.2708, accuracy: 0 }, 0, who, open);
    const { locationAccuracy } = await userOf(who, open);
    expect(locationAccuracy).toBe(20);
    // The data of other tests may have regions there, whose events are certain.
    const entries = (await eventsOf(who, open)).filter(({ type }) => type === "user.entered_geofence");
    expect(entries.map(({ confidence }) => confidence)).toEqual([2]);
  });
});

describe.each([...APPS, "a replay"])("with a negative accuracy by %s", (door) => {
  it("a position is none, whatever the project allows", async () => {
    const who = `invalid-${door.replaceAll(" ", "-")}`;
    for (const place of [world, open]) {
      expect((await DOORS[door]({ ...HOME, accuracy: -1 }, 0, who, place)).status).toBe(200);
      expect((await get(`/v1/users/${who}`, place.keys.testSecret)).status).toBe(404);
    }
  });
});

describe("an update at 0, 0", () => {
  const send = (json: Json) => post("/v1/track", world.keys.testPublishable, { accuracy: 5, ...ZERO, ...json });

  it("of a device without a user is an error, and skipped in a replay", async () => {
    const { status, body } = await send({ deviceId: "new" });
    expect([status, body.meta.param]).toEqual([400, "latitude"]);
    const replays = [
      { deviceId: "new", accuracy: 5, ...ZERO },
      { deviceId: "new", accuracy: 5, ...HOME },
    ];
    const replayed = await post("/v1/track/replay", world.keys.testPublishable, { replays });
    expect([replayed.status, replayed.body.accepted, replayed.body.rejected]).toEqual([
      ...[200, 1, [expect.objectContaining({ index: 0, param: "latitude" })]],
    ]);
  });

  it("in a replay of only such updates answers with the user as it was, too", async () => {
    const replay = (replays: Json[]) => post("/v1/track/replay", world.keys.testPublishable, { replays });
    await send({ deviceId: "still", userId: "eve", ...HOME });
    const { body } = await replay([{ deviceId: "still", userId: "eve", accuracy: 5, ...ZERO }]);
    expect([body.accepted, body.events, body.rejected.length]).toEqual([0, [], 1]);
    expect([body.user.userId, body.user.location.coordinates]).toEqual(["eve", [HOME.longitude, HOME.latitude]]);
    for (const one of [{ deviceId: "unknown", accuracy: 5, ...ZERO }, { deviceId: "still" }])
      expect((await replay([one])).body).not.toHaveProperty("user");
  });

  it("answers with the user as it was, of its own userId", async () => {
    const at = { accuracy: 5, ...HOME, deviceId: "two" };
    await post("/v1/track", world.keys.testPublishable, { ...at, userId: "ann", metadata: { a: 1 } });
    const { body } = await send({ deviceId: "two", userId: "ann", metadata: { a: 2 }, latitude: -0 });
    expect([body.events, body.user.userId, body.user.metadata, body.inAppMessages]).toEqual([[], "ann", { a: 1 }, []]);
    expect((await send({ deviceId: "two", userId: "bob" })).status).toBe(400);
  });
});

describe("figures that a device does not know", () => {
  it.each([
    [{ speed: -1, course: -1, altitude: -1, barometricAltitude: -1 }, {}],
    [{ speed: "-1", course: "-1.0", altitude: "-1" }, {}],
    [{ altitude: 30, verticalAccuracy: -1 }, {}],
    [{ altitude: 30, verticalAccuracy: 4, courseAccuracy: -1, speedAccuracy: -1 }, { altitude: 30 }],
    [{ altitude: -3.5, verticalAccuracy: 0 }, { altitude: -3.5 }],
    [
      { speed: 0, course: 0, altitude: 0 },
      { speed: 0, course: 0, altitude: 0 },
    ],
    [{ speed: null, course: null, verticalAccuracy: "null" }, {}],
    [{ speed: -0.5, course: -90 }, {}],
  ])("are absent in the response, the user and the history: %j", async (figures, expected) => {
    const { testPublishable: key, testSecret: secret } = world.keys;
    const shownIn = ({ speed, course, altitude, barometricAltitude, verticalAccuracy }: Json) =>
      JSON.parse(JSON.stringify({ speed, course, altitude, barometricAltitude, verticalAccuracy }));
    for (const path of ["/v1/track", "/v1/track/replay"]) {
      const deviceId = `figures ${path} ${JSON.stringify(figures)}`.slice(0, 200);
      await post("/v1/track", key, { deviceId, accuracy: 5, ...HOME, speed: 9, course: 9, altitude: 9 });
      const update = { deviceId, accuracy: 5, ...HOME, latitude: 49.3, ...figures };
      const { body } = await post(path, key, path === "/v1/track" ? update : { replays: [update] });
      expect(shownIn(body.user)).toEqual(expected);
      const { user } = (await get(`/v1/users/${body.user._id}`, secret)).body;
      expect(shownIn(user)).toEqual(expected);
      const { updates } = (await get(`/v1/users/${body.user._id}/updates`, secret)).body;
      expect(JSON.stringify(updates)).not.toMatch(/-1(\.0)?[,}]|:-90/);
    }
  });
});

describe("nearbyGeofencesLimit", () => {
  it("is how many geofences the response has, ten by default", async () => {
    const { keys } = await makeWorld({ settings: { rateLimits: { track: 1000 } } });
    for (let i = 0; i < 13; i++) {
      const fence = { description: "a", type: "circle", coordinates: [HOME.longitude, HOME.latitude], radius: 50 + i };
      await put(`/v1/geofences/near/${i}`, keys.testSecret, fence);
      await new Promise((resolve) => setTimeout(resolve, 110));
    }
    const count = async (nearbyGeofencesLimit: unknown, nearbyGeofences: unknown = true) => {
      const update = { deviceId: "d", accuracy: 5, ...HOME, nearbyGeofences, nearbyGeofencesLimit };
      const { status, body } = await post("/v1/track", keys.testPublishable, update);
      return status === 200 ? body.nearbyGeofences?.length : body.meta.param;
    };
    expect(
      await eventually(
        () => count(50),
        (n) => n === 13,
      ),
    ).toBe(13);
    expect([await count(1), await count("12"), await count(100), await count(null)]).toEqual([1, 12, 13, 10]);
    expect([await count(0), await count(undefined), await count(5, false)]).toEqual([10, 10, undefined]);
    for (const wrong of [101, -1, 1.5, "many", [5]]) expect(await count(wrong)).toBe("nearbyGeofencesLimit");
  });
});
