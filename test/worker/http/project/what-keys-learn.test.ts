import { generateKeyPairSync } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { signToken } from "../../../core/auth/sign.ts";
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
} from "../../../support/world.ts";
import { openWorld } from "../conformance/open-world.ts";

/**
 * The table of `/docs`, "Data access by key type", line by line. Ann is on her way with her phone; the marks below are hers,
 * and nobody else's answer may hold them.
 */
const ANN = { latitude: 40.712345, longitude: -73.987654 };
const MARKS = {
  location: String(ANN.latitude),
  deviceId: "phone-of-ann",
  metadata: "secret-of-ann",
  trip: "box-of-ann",
  eta: '"eta"',
} as const;
const ALL = Object.keys(MARKS) as (keyof typeof MARKS)[];

const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const token = (claims: Json) =>
  signToken({ exp: Math.floor(Date.now() / 1000) + 600, ...claims }, privateKey, { alg: "EdDSA", kid: "main" });

let world: World;
let event: string;
const update = (more: Json) => ({
  deviceId: "phone-of-ann",
  userId: "ann",
  accuracy: 5,
  foreground: true,
  ...ANN,
  ...more,
});
const learned = ({ status, body }: Answer) => {
  expect([status, body.meta]).toEqual([200, expect.objectContaining({ code: 200 })]);
  const text = JSON.stringify(body);
  return ALL.filter((what) => text.includes(MARKS[what]));
};

beforeAll(async () => {
  world = await openWorld();
  const { testSecret: secret } = world.keys;
  const fence = { description: "Home", type: "circle", coordinates: [-73.98, 40.7], radius: 100 };
  await put("/v1/geofences/door/home", secret, fence);
  const door = { destinationGeofenceTag: "door", destinationGeofenceExternalId: "home" };
  await post("/v1/trips", secret, { externalId: "order", userId: "ann", metadata: { what: "box-of-ann" }, ...door });
  const metadata = { note: "secret-of-ann" };
  const json = update({ metadata, updatedAt: new Date().toISOString() });
  const tracked = await call("POST", "/v1/track", { key: secret, json, headers: AT_HOME });
  expect(learned(tracked)).toEqual(ALL);
  event = tracked.body.events[0]._id;
  await eventually(
    () => get(`/v1/events/${event}`, secret),
    ({ status }) => status === 200,
  );
  const der = publicKey.export({ type: "spki", format: "pem" });
  const tokens = { keys: { main: { alg: "EdDSA", publicKey: der } } };
  const set = await call("PATCH", "/v1/settings", { key: secret, json: { tokens } });
  expect(set.status).toBe(200);
});

const speaking = (userId: string) => token({ userId, aud: world.keys.testPublishable });
const WHO: Record<string, () => string> = {
  "a publishable key": () => world.keys.testPublishable,
  "a token of ann": () => `Bearer ${speaking("ann")}`,
  "a secret key": () => world.keys.testSecret,
};
const CALLS: Record<string, (key: string, more?: Json) => Promise<Answer>> = {
  "POST /v1/events": (key, more) => post("/v1/events", key, { name: "bought", userId: "ann", ...more }),
  "PATCH /v1/trips/order/update": (key, json = {}) =>
    call("PATCH", "/v1/trips/order/update", { key, json, headers: AT_HOME }),
  "PUT /v1/events/:id/verification": (key, more) =>
    put(`/v1/events/${event}/verification`, key, { verification: 1, ...more }),
  "GET /v1/context": (key) => get("/v1/context?coordinates=40.7,-73.98&userId=ann", key),
  "POST /v1/sync/region": (key) => post("/v1/sync/region", key, { latitude: 40.7, longitude: -73.98, userId: "ann" }),
  "POST /v1/trips": (key, more) => post("/v1/trips", key, { externalId: `t${Math.random()}`, userId: "ann", ...more }),
  "POST /v1/track": (key, more) =>
    post("/v1/track", key, {
      deviceId: `d${Math.random()}`,
      userId: "ann",
      accuracy: 5,
      latitude: 1,
      longitude: 2,
      ...more,
    }),
  "POST /v1/track/replay": (key, more) =>
    post("/v1/track/replay", key, {
      replays: [{ deviceId: `d${Math.random()}`, userId: "ann", accuracy: 5, latitude: 1, longitude: 2, ...more }],
    }),
};
/** The IP address of her phone, and of whoever guesses: a carrier has many phones behind one. */
const AT_HOME = { "x-forwarded-for": "203.0.113.98" };
const OLD = { updatedAt: "2020-01-01T00:00:00.000Z", replayed: true };
const HERS = { deviceId: "phone-of-ann" };
const OF_EVENT = ["location", "deviceId", "metadata"];
const NOTHING: string[] = [];

describe("what is learned of ann", () => {
  it.each<[who: string, what: string, more: Json | undefined, expected: string[]]>([
    // The userId alone: what was sent, and ids. A trip's own fields are known to who knows its externalId.
    ["a publishable key", "POST /v1/events", undefined, NOTHING],
    ["a publishable key", "PATCH /v1/trips/order/update", { userId: "ann" }, ["trip", "eta"]],
    ["a publishable key", "PUT /v1/events/:id/verification", undefined, NOTHING],
    ["a publishable key", "GET /v1/context", undefined, NOTHING],
    ["a publishable key", "POST /v1/sync/region", undefined, NOTHING],
    ["a publishable key", "POST /v1/trips", undefined, NOTHING],
    // Her deviceId: all that is hers on that device.
    ["a publishable key", "POST /v1/events", HERS, OF_EVENT],
    ["a publishable key", "PATCH /v1/trips/order/update", HERS, ["location", "deviceId", "metadata", "trip", "eta"]],
    ["a publishable key", "PUT /v1/events/:id/verification", HERS, ["location", "deviceId", "metadata", "trip"]],
    ["a publishable key", "POST /v1/track", { ...HERS, ...OLD }, ALL],
    ["a publishable key", "POST /v1/track", { ...HERS, ...OLD, tripOptions: { externalId: "order" } }, ALL],
    ["a publishable key", "POST /v1/track/replay", { ...HERS, ...OLD }, ALL],
    // A token that names her.
    ["a token of ann", "POST /v1/events", undefined, OF_EVENT],
    ["a token of ann", "POST /v1/events", { userId: undefined }, OF_EVENT],
    ["a token of ann", "PATCH /v1/trips/order/update", undefined, ALL],
    ["a token of ann", "PUT /v1/events/:id/verification", undefined, ["location", "deviceId", "metadata", "trip"]],
    ["a token of ann", "POST /v1/track", { ...HERS, ...OLD, userId: undefined }, ALL],
    ["a token of ann", "GET /v1/context", undefined, NOTHING],
    // A server.
    ["a secret key", "POST /v1/events", undefined, OF_EVENT],
    ["a secret key", "PATCH /v1/trips/order/update", undefined, ALL],
    ["a secret key", "PUT /v1/events/:id/verification", undefined, ["location", "deviceId", "metadata", "trip"]],
    ["a secret key", "POST /v1/track", { ...HERS, ...OLD }, ALL],
    // Strangers' devices that say they are hers: records of their own. From now on ann was seen last with one of them.
    ["a publishable key", "POST /v1/track", undefined, NOTHING],
    ["a publishable key", "POST /v1/track", OLD, NOTHING],
    ["a publishable key", "POST /v1/track/replay", OLD, NOTHING],
  ])("by %s at %s with %j", async (who, what, more, expected) => {
    expect(learned(await CALLS[what](WHO[who](), more)).sort()).toEqual([...expected].sort());
  });

  it("is the same by secret keys as ever, and nothing at all by publishable ones, at /v1/users and /v1/events", async () => {
    for (const path of [
      "/v1/users",
      "/v1/users/ann",
      "/v1/events",
      "/v1/search/users?near=40.7,-74",
      "/v1/trips/order",
    ]) {
      expect([path, (await get(path, world.keys.testPublishable)).status]).toEqual([path, 403]);
      expect([path, (await get(path, `Bearer ${speaking("ann")}`)).status]).toEqual([path, 403]);
      expect([path, (await get(path, world.keys.testSecret)).status]).toEqual([path, 200]);
    }
  });
});

describe("a trip whose externalId was guessed", () => {
  const guess = (path: string, method: "PATCH" | "PUT", json: Json, headers: Record<string, string> = AT_HOME) =>
    call(method, `/v1/trips/${path}`, { key: world.keys.testPublishable, json, headers });

  it.each<["PATCH" | "PUT", string, Json]>([
    ["PATCH", "order/update", { status: "canceled" }],
    ["PATCH", "order", { metadata: { what: "mine" } }],
    ["PATCH", "order/update", { destinationGeofenceTag: "door", destinationGeofenceExternalId: "home" }],
    ["PATCH", "order/update", { status: "canceled", deviceId: "another" }],
    ["PATCH", "order/update", { status: "canceled", userId: "bob" }],
    ["PATCH", "order/update", { status: "canceled", userId: "Ann" }],
    ["PATCH", "order/update", { status: "canceled", userId: "phone-of-ann", deviceId: "ann" }],
    ["PATCH", "order/update", { status: "canceled", userId: null, deviceId: null }],
    ["PATCH", "order/update", { status: "canceled", userId: "", deviceId: "" }],
    ["PATCH", "order/update", {}],
    ["PUT", "order/legs", { legs: ["any"] }],
    ["PATCH", "order/legs/any", { status: "completed" }],
  ])("is as unknown as one that does not exist, and is not changed: %s %s %j", async (method, path, json) => {
    const [guessed, unknown] = [
      await guess(path, method, json),
      await guess(path.replace("order", "none"), method, json),
    ];
    expect([guessed.status, unknown.status]).toEqual([404, 404]);
    expect(guessed.body).toEqual(unknown.body);
    const { trip } = (await get("/v1/trips/order", world.keys.testSecret)).body;
    expect(trip).toMatchObject({ status: "started", metadata: { what: "box-of-ann" } });
  });

  it("is not changed by its creator's address before it begins, but by its userId; without a user only by its device", async () => {
    const { testPublishable: key, testSecret: secret } = world.keys;
    const create = (json: Json) => call("POST", "/v1/trips", { key, json, headers: AT_HOME });
    await create({ externalId: "mine", userId: "dan", metadata: { what: "x" } });
    expect((await guess("mine/update", "PATCH", { status: "canceled" })).status).toBe(404);
    const changed = await guess("mine/update", "PATCH", { metadata: { what: "y" }, userId: "dan" });
    expect([changed.status, changed.body.trip.metadata, changed.body.trip.userId]).toEqual([
      200,
      { what: "y" },
      undefined,
    ]);
    await create({ externalId: "nobody's" });
    const path = `${encodeURIComponent("nobody's")}/update`;
    for (const json of [{}, { userId: "dan" }, { deviceId: "tablet" }, { userId: null }])
      expect((await guess(path, "PATCH", { status: "canceled", ...json })).status).toBe(404);
    const at = { deviceId: "tablet", accuracy: 5, latitude: 1, longitude: 2 };
    await post("/v1/track", key, { ...at, tripOptions: { externalId: "nobody's" } });
    expect((await guess(path, "PATCH", { status: "canceled", userId: "dan" })).status).toBe(404);
    expect((await guess(path, "PATCH", { status: "canceled", deviceId: "tablet" })).status).toBe(200);
    expect(JSON.stringify((await get("/v1/trips/mine", secret)).body)).not.toContain(AT_HOME["x-forwarded-for"]);
  });

  it("is changed with the ids in headers, as radar-sdk-js can send them, and by no other header", async () => {
    const { testPublishable: key, livePublishable: live } = world.keys;
    await post("/v1/trips", key, { externalId: "headers", userId: "ema" });
    const by = (headers: Record<string, string>, json: Json = {}) => guess("headers/update", "PATCH", json, headers);
    for (const [name, value] of [
      ["x-radar-user-id", "bob"],
      ["x-radar-device-id", "ema"],
      ["x-user-id", "ema"],
      ["cookie", "userId=ema"],
    ])
      expect((await by({ [name]: value })).status).toBe(404);
    // The body takes precedence.
    expect((await by({ "x-radar-user-id": "ema" }, { userId: "bob" })).status).toBe(404);
    expect((await by({ "X-Radar-User-Id": "ema" })).status).toBe(200);
    const other = await call("PATCH", "/v1/trips/headers/update", { key: live, json: { userId: "ema" } });
    expect(other.status).toBe(404);
    const stranger = await call("PATCH", "/v1/trips/headers/update", {
      key: `Bearer ${speaking("bob")}`,
      json: { userId: "ema" },
    });
    expect(stranger.status).toBe(404);
  });
});

describe("what a publishable key may create", () => {
  it("is limited per hour, with the name of the limit; what is known goes on, and secret keys have none", async () => {
    const rateLimits = { newUsers: 3, newTrips: 2, track: 1000 };
    const { keys } = await makeWorld({ settings: { rateLimits } });
    const { testPublishable: key, testSecret: secret } = keys;
    const track = (deviceId: string, by = key, more: Json = {}) =>
      post("/v1/track", by, { deviceId, latitude: 1, longitude: 2, accuracy: 5, ...more });
    const answers = await Promise.all(["a", "b", "c", "d", "e"].map((deviceId) => track(deviceId)));
    const refused = answers.filter(({ status }) => status === 429);
    expect([answers.filter(({ status }) => status === 200).length, refused.length]).toEqual([3, 2]);
    expect(refused[0].body.meta).toMatchObject({
      type: "newUsers",
      message: expect.stringContaining("3 new users per hour"),
    });
    expect(Number(refused[0].headers.get("retry-after"))).toBeGreaterThan(60);
    expect(refused[0].headers.get("x-ratelimit-limit")).toBe("3");
    const known = ["a", "b", "c", "d", "e"][answers.findIndex(({ status }) => status === 200)];
    expect((await track(known)).status).toBe(200);
    expect((await track("f", secret)).status).toBe(200);
    // Refused again, by the database now; what it has is known.
    expect((await track("z")).body.meta).toMatchObject({ code: 429, type: "newUsers" });
    const again = await eventually(
      () => track("f"),
      ({ status }) => status === 200,
    );
    expect(again.status).toBe(200);
    const replays = [{ deviceId: "g", latitude: 1, longitude: 2, accuracy: 5 }];
    expect((await post("/v1/track/replay", key, { replays })).status).toBe(429);
    expect((await post("/v1/events", key, { name: "bought", deviceId: "h" })).body.meta.type).toBe("newUsers");
    const trip = (externalId: string, by = key) => post("/v1/trips", by, { externalId });
    expect([(await trip("1")).status, (await trip("2")).status]).toEqual([200, 200]);
    expect((await trip("3")).body.meta).toMatchObject({ code: 429, type: "newTrips" });
    expect((await trip("4", secret)).status).toBe(200);
    // An update that names a further trip counts, without the trip.
    const named = await track(known, key, { tripOptions: { externalId: "5" } });
    expect([named.status, named.body.user.trip]).toEqual([200, undefined]);
  });
});

describe("a device that says it is ann", () => {
  it("begins a trip that waits for her, and is shown it, whatever it names", async () => {
    const { testSecret: secret, testPublishable: key } = world.keys;
    await post("/v1/trips", secret, { externalId: "waits", userId: "bea", metadata: { what: "box-of-ann" } });
    const stranger = { deviceId: "stranger", userId: "bea", accuracy: 5, latitude: 1, longitude: 2 };
    const told = (await post("/v1/track", key, stranger)).body;
    const waits = expect.objectContaining({ externalId: "waits", status: "started" });
    expect(told.events).toEqual([expect.objectContaining({ type: "user.started_trip", trip: waits })]);
    expect(told.user.trip).toEqual(waits);
  });
});

describe("a token of bob", () => {
  it.each([
    ["POST /v1/events", undefined, 403, "userId"],
    ["POST /v1/events", HERS, 403, "userId"],
    ["POST /v1/track", HERS, 403, "userId"],
    ["POST /v1/track/replay", HERS, 403, "userId"],
    ["POST /v1/trips", undefined, 403, "userId"],
    ["GET /v1/context", undefined, 403, "userId"],
    ["POST /v1/sync/region", undefined, 403, "userId"],
    ["PATCH /v1/trips/order/update", { status: "canceled", ...HERS }, 404, undefined],
    ["PUT /v1/events/:id/verification", HERS, 404, undefined],
  ])("speaks for nobody else at %s with %j", async (what, more, status, param) => {
    const answer = await CALLS[what](`Bearer ${speaking("bob")}`, more);
    expect([answer.status, answer.body.meta.param]).toEqual([status, param]);
  });
});

describe("a project that requires tokens", () => {
  const require = (required: boolean) =>
    call("PATCH", "/v1/settings", { key: world.keys.testSecret, json: { tokens: { required } } });

  it("lets no key alone speak for a user, and lets who names nobody go on", async () => {
    expect((await require(true)).body.tokens).toMatchObject({ required: true });
    try {
      const key = world.keys.testPublishable;
      for (const what of Object.keys(CALLS)) {
        const { status, body } = await CALLS[what](key);
        expect([what, status, body.meta.message]).toEqual([what, 401, expect.stringContaining("signed token")]);
      }
      const nobody = { userId: undefined };
      for (const what of ["POST /v1/track", "POST /v1/trips"])
        expect([what, (await CALLS[what](key, nobody)).status]).toEqual([what, 200]);
      expect((await get("/v1/context?coordinates=1,2", key)).status).toBe(200);
      expect((await CALLS["POST /v1/events"](`Bearer ${speaking("ann")}`)).status).toBe(200);
      expect((await CALLS["POST /v1/events"](world.keys.testSecret)).status).toBe(200);
    } finally {
      await require(false);
    }
  });
});

describe("a token", () => {
  const ping = (authorization: string, headers: Record<string, string> = {}) =>
    call("GET", "/v1/config", { headers: { authorization, ...headers } });

  it("stands in for the key, which is named in its aud, in a header, or in the query", async () => {
    const { testPublishable: key, livePublishable: live } = world.keys;
    expect((await ping(`Bearer ${token({ sub: "ann", aud: key })}`)).status).toBe(200);
    expect((await ping(`Bearer ${token({ sub: "ann", aud: ["https://example.com", key] })}`)).status).toBe(200);
    const bare = `Bearer ${token({ sub: "ann" })}`;
    expect((await ping(bare)).status).toBe(401);
    expect((await ping(bare, { "x-radar-publishable-key": key })).status).toBe(200);
    expect((await call("GET", `/v1/config?publishableKey=${key}`, { headers: { authorization: bare } })).status).toBe(
      200,
    );
    const test = `Bearer ${token({ sub: "ann", aud: key })}`;
    const crossed = await ping(test, { "x-radar-publishable-key": live });
    expect([crossed.status, crossed.body.meta.message]).toEqual([401, expect.stringContaining("aud")]);
  });

  it.each<[what: string, make: () => string, message: string]>([
    ["expired", () => token({ sub: "a", aud: world.keys.testPublishable, exp: 1 }), "expired"],
    ["of no user", () => token({ aud: world.keys.testPublishable }), "must specify the user"],
    [
      "of a user without end",
      () => token({ sub: "a".repeat(257), aud: world.keys.testPublishable }),
      "must specify the user",
    ],
    ["too long", () => token({ sub: "a", aud: world.keys.testPublishable, x: "x".repeat(5000) }), "longer than"],
    ["for a secret key", () => token({ sub: "a", aud: world.keys.testSecret }), "publishable key"],
    [
      "by a key nobody registered",
      () => signToken({ sub: "a", aud: world.keys.testPublishable, exp: 9e9 }, privateKey, { alg: "EdDSA", kid: "x" }),
      "not registered",
    ],
    [
      "by another key of the same kind",
      () => {
        const other = generateKeyPairSync("ed25519").privateKey;
        return signToken({ sub: "a", aud: world.keys.testPublishable, exp: 9e9 }, other, { alg: "EdDSA", kid: "main" });
      },
      "signature",
    ],
    [
      "with a name of the program's own",
      () =>
        signToken({ sub: "a", aud: world.keys.testPublishable, exp: 9e9 }, privateKey, {
          alg: "EdDSA",
          kid: "__proto__",
        }),
      "not registered",
    ],
    ["of another project", () => token({ sub: "a", aud: `prj_test_pk_${"0".repeat(40)}` }), "unknown"],
  ])("that is %s is refused with a sentence", async (_, make, message) => {
    const { status, body } = await ping(`Bearer ${make()}`);
    expect([status, body.meta.message]).toEqual([401, expect.stringContaining(message)]);
  });

  it("is for its device where it names one", async () => {
    const pinned = `Bearer ${token({ sub: "cat", deviceId: "tablet", aud: world.keys.testPublishable })}`;
    const at = { accuracy: 5, latitude: 1, longitude: 2 };
    expect((await post("/v1/track", pinned, { deviceId: "tablet", ...at })).body.user.userId).toBe("cat");
    const other = await post("/v1/track", pinned, { deviceId: "phone", ...at });
    expect([other.status, other.body.meta.param]).toEqual([403, "deviceId"]);
  });

  it("loses its word with the key that checked it; keys and secrets are never shown again", async () => {
    const { testSecret: secret, testPublishable: key } = world.keys;
    const shared = "a shared secret of more than 32 bytes";
    const set = (keys: Json) => call("PATCH", "/v1/settings", { key: secret, json: { tokens: { keys } } });
    const added = await set({ shared: { alg: "HS256", secret: shared } });
    expect(added.body.tokens.keys).toEqual({
      main: { alg: "EdDSA", createdAt: expect.stringMatching(/Z$/) },
      shared: { alg: "HS256", createdAt: expect.stringMatching(/Z$/) },
    });
    const text = signToken({ sub: "ann", aud: key, exp: 9e9 }, shared, { alg: "HS256", kid: "shared" });
    expect((await ping(`Bearer ${text}`)).status).toBe(200);
    const unnamed = signToken({ sub: "ann", aud: key, exp: 9e9 }, shared, { alg: "HS256" });
    expect((await ping(`Bearer ${unnamed}`)).body.meta.message).toContain("kid");
    const shown = JSON.stringify([added.body, (await get("/v1/settings", secret)).body]);
    expect(shown).not.toContain(shared);
    expect(shown).not.toContain("PUBLIC KEY");
    await set({ shared: { alg: "HS256", secret: `${shared}, another one` } });
    expect((await ping(`Bearer ${text}`)).body.meta.message).toContain("signature");
    await set({ shared: null });
    expect((await ping(`Bearer ${text}`)).body.meta.message).toContain("not registered");
  });

  it.each<[json: Json, param: string]>([
    [{ keys: { a: { alg: "HS256", secret: "short" } } }, "tokens[keys][a]"],
    [{ keys: { a: { alg: "RS256", publicKey: "no key" } } }, "tokens[keys][a]"],
    [{ keys: { a: { alg: "RS256" } } }, "tokens[keys][a]"],
    [{ keys: { a: { alg: "none", publicKey: "x" } } }, "tokens[keys][a][alg]"],
    [{ keys: { main: null }, required: true }, "tokens[required]"],
  ])("is not checked with what %j registers", async (tokens, param) => {
    const { status, body } = await call("PATCH", "/v1/settings", { key: world.keys.testSecret, json: { tokens } });
    expect([status, body.meta.param]).toEqual([400, param]);
  });
});
