import { describe, expect, it } from "vitest";
import { destination } from "../../../src/core/geo/distance.ts";
import { packPlaces } from "../../../src/core/places/pack.ts";
import { placeKey } from "../../../src/core/places/place.ts";
import type { PlaceRecord } from "../../../src/core/places/tile.ts";
import type { LocationUpdate } from "../../../src/core/tracking/types/update.ts";
import { type Endpoint, WrittenReply } from "../../../src/worker/http/serve/endpoint.ts";
import { context } from "../../../src/worker/http/track/context.ts";
import { MAX_REPLAYS, replayTrack } from "../../../src/worker/http/track/replay.ts";
import { syncRegion } from "../../../src/worker/http/track/sync.ts";
import { track } from "../../../src/worker/http/track/track.ts";
import { ApiError } from "../../../src/worker/platform/errors.ts";
import { validate } from "../../../src/worker/wire/input/validate.ts";
import { d1On, newDatabase } from "../../support/d1-on-sqlite.ts";
import { FakeBucket } from "../geodata/fake-bucket.ts";
import { EVENT, USER } from "./samples.ts";

const NOW = Date.UTC(2026, 0, 31, 12);
const HERE = { latitude: 48.99, longitude: -111.2 };
const BODY = { deviceId: "phone", ...HERE, accuracy: 5 };
let scopes = 500;
let buckets = 0;

interface Requested {
  update: LocationUpdate;
  rate: number;
  mayWrite?: boolean;
  idempotencyKey?: string;
  creations?: object;
  settings: { fraud: boolean };
}
interface Asked {
  body?: object;
  query?: object;
  settings?: object;
  secret?: boolean;
  places?: PlaceRecord[];
  headers?: Record<string, string>;
  answer?: object;
  /** Of the index of geofences. */
  near?: object[];
}

/** Runs a handler as serve() does behind the key, with trackers and geodata of this process. */
async function run(what: Endpoint, asked: Asked = {}) {
  const bucket = new FakeBucket();
  const id = `handlers${++buckets}`;
  const build = { name: "town", id, areas: [[-112, 48, -110, 50]], layers: { places: 1 }, sources: [], previous: [] };
  bucket.put("live.json", JSON.stringify({ version: 1, builds: asked.places ? [build] : [] }));
  for (const { key, bytes } of packPlaces(asked.places ?? [], [])) bucket.put(`builds/${id}/${key}`, bytes);
  const requests: { tracker: string; own: Requested[] }[] = [];
  const tracker = (name: string) => ({
    async track(request: Requested) {
      requests.push({ tracker: name, own: [request] });
      return asked.answer ?? { limited: false, repeated: false, state: USER, events: [EVENT] };
    },
    async replay(own: Requested[]) {
      requests.push({ tracker: name, own });
      return asked.answer ?? { limited: false, taken: own.length, state: { ...USER, deviceId: name }, events: [EVENT] };
    },
  });
  const project = ++scopes;
  const caller = {
    ...{
      project,
      live: true,
      secret: asked.secret ?? false,
      scope: project * 2 + 1,
      disabled: false,
      overQuota: false,
    },
    ...{
      hasQuota: false,
      settings: asked.settings ?? {},
      fenceEpoch: asked.near ? 1 : 0,
      beaconEpoch: 0,
      campaignEpoch: 0,
      hasTrips: false,
      database: "DB",
    },
  };
  const waited: Promise<unknown>[] = [];
  const searches: unknown[][] = [];
  const call = {
    params: {},
    query: asked.query && validate(what.query!, asked.query as never),
    now: NOW,
    ip: "192.0.2.1",
    body: asked.body && validate(what.body!, asked.body as never),
    requestId: "r",
    leftOut() {},
    credit() {},
    request: new Request("http://h/", { headers: asked.headers }),
    env: {
      DB: d1On(newDatabase()),
      GEODATA: bucket,
      GEOFENCE_INDEX: {
        idFromName: (name: string) => name,
        get: () => ({
          async near(...args: unknown[]) {
            searches.push(args);
            return asked.near;
          },
        }),
      },
      RATE_LIMITER: {
        idFromName: (name: string) => name,
        get: () => ({ takeHourly: async (_limit: number, wanted: number) => ({ granted: wanted }) }),
      },
      DEVICE_TRACKER: { idFromName: (name: string) => name, get: tracker },
    },
    waitUntil: (work: Promise<unknown>) => void waited.push(work),
    caller,
    audit() {},
  };
  const answered = await what.handle(call as never);
  const isWritten = answered instanceof WrittenReply;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what a client would read
  const reply = (isWritten ? JSON.parse(`{${answered.members}}`) : answered) as any;
  return { reply, requests, searches, scope: caller.scope, waited };
}
async function rejected(work: Promise<unknown>): Promise<ApiError> {
  const error = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (error instanceof ApiError) return error;
  throw error ?? new Error("Nothing was thrown.");
}

describe("the endpoints of tracking", () => {
  it.each([
    [track, "track", "POST", "/v1/track", "device", undefined, 65_536],
    [replayTrack, "replayTrack", "POST", "/v1/track/replay", "device", undefined, 4 * 1_048_576],
    [syncRegion, "syncRegion", "POST", "/v1/sync/region", undefined, "read", undefined],
    [context, "context", "GET", "/v1/context", undefined, undefined, undefined],
  ] as const)(
    "are called as the specification says: %#",
    (what: Endpoint, name, method, path, rate, role, bodyLimit) => {
      const { level, chapter, summary } = what;
      expect([what.name, what.method, what.path, what.rate, what.role, what.bodyLimit]).toEqual([
        ...[name, method, path, rate, role, bodyLimit],
      ]);
      expect([level, chapter !== "", summary !== "", what.response !== undefined]).toEqual([
        ...["publishable", true, true, true],
      ]);
    },
  );

  it("of updates leave no line in the audit log, and may be answered 451", () => {
    expect([track, replayTrack].map(({ audited, errors }) => [audited, errors])).toEqual([
      [false, [451]],
      [false, [451]],
    ]);
  });
});

describe("POST /v1/track", () => {
  it("asks the tracker of the device, and returns the user and its events", async () => {
    const { reply, requests, scope, waited } = await run(track as Endpoint, { body: { ...BODY, foreground: true } });
    expect(requests).toEqual([
      { tracker: `${scope}:phone`, own: [expect.objectContaining({ scope, live: true, mayWrite: true, rate: 1 })] },
    ]);
    const [{ update, creations, settings }] = requests[0].own;
    expect(update).toMatchObject({ deviceId: "phone", location: HERE, accuracy: 5, foreground: true, receivedAt: NOW });
    expect([creations, settings.fraud]).toEqual([
      expect.objectContaining({ newUsers: expect.any(Number), newMegabytesPerDevice: expect.any(Number) }),
      false,
    ]);
    expect(reply).toMatchObject({
      user: { _id: "u1" },
      events: [{ _id: "e1" }],
      inAppMessages: [],
    });
    expect(reply).not.toHaveProperty("nearbyGeofences");
    expect([waited.length > 0, reply.token]).toEqual([true, undefined]);
  });

  it("writes what the tracker has written, without types that the project does not want", async () => {
    const written = {
      limited: false,
      repeated: false,
      user: '{"_id":"u9"}',
      events: ["a", "b"].map((type) => ({ type, json: `{"type":"${type}"}` })),
    };
    const members = async (asked: Asked) => {
      const { reply } = await run(track as Endpoint, { answer: written, ...asked });
      return reply;
    };
    const user = { _id: "u9" };
    expect(await members({ body: BODY })).toEqual({ user, events: [{ type: "a" }, { type: "b" }], inAppMessages: [] });
    const settings = { returnedEventTypes: ["b"] };
    expect(await members({ body: BODY, settings })).toEqual({ user, events: [{ type: "b" }], inAppMessages: [] });
    expect(await members({ body: { ...BODY, nearbyGeofences: true } })).toMatchObject({ nearbyGeofences: [] });
  });

  it("takes an Idempotency-Key of up to 256 characters", async () => {
    const withKey = (length: number) =>
      run(track as Endpoint, { body: BODY, headers: { "idempotency-key": "k".repeat(length) } });
    expect((await withKey(256)).requests[0].own[0].idempotencyKey).toBe("k".repeat(256));
    expect(await rejected(withKey(257))).toMatchObject({ status: 400, param: "Idempotency-Key" });
    expect((await run(track as Endpoint, { body: BODY })).requests[0].own[0].idempotencyKey).toBeUndefined();
  });

  it("is answered 429 where the device comes too often", async () => {
    const limited = { limited: true, waitMs: 400 };
    expect(await rejected(run(track as Endpoint, { body: BODY, answer: limited }))).toMatchObject({
      status: 429,
      message: "Rate limit exceeded: 1 updates per device per second.",
    });
  });

  it("is signed where it is verified", async () => {
    const { reply, requests } = await run(track as Endpoint, { body: { ...BODY, verified: true, mocked: true } });
    expect([reply.token?.split(".").length, reply.format, requests[0].own[0].mayWrite]).toEqual([3, "JWS", false]);
    expect(requests[0].own[0]).toMatchObject({ settings: { fraud: true }, update: { claims: { mocked: true } } });
  });

  it("stores nothing where it is anonymous", async () => {
    const { reply, requests } = await run(track as Endpoint, {
      body: { ...BODY, anonymous: true, verified: true, userId: "ann", foreground: true, nearbyGeofences: true },
    });
    expect([requests, reply.user._id, reply.user.userId, reply.token]).toEqual([
      [],
      "0".repeat(24),
      undefined,
      undefined,
    ]);
    expect(reply).toMatchObject({ nearbyGeofences: [], inAppMessages: [], user: { live: true, deviceId: "phone" } });
  });
});

describe("an anonymous update", () => {
  const shape = { type: "circle", center: HERE, radius: 100 };
  const fence = { id: "f1", revision: 1, shape, enabled: true, description: "Yard" };

  it("has the events that it would make for a new device, of geofences within its accuracy", async () => {
    const body = { ...BODY, anonymous: true, foreground: true };
    const { reply, searches, scope } = await run(track as Endpoint, { body, near: [{ fence, distance: 0 }] });
    expect(reply.events).toMatchObject([
      { type: "user.entered_geofence", geofence: { _id: "f1", description: "Yard" } },
    ]);
    expect(reply.user.geofences).toMatchObject([{ _id: "f1" }]);
    const [asked, epoch, point, { radius, limit }] = searches[0] as [number, number, object, Record<string, number>];
    expect([asked, epoch, point, limit]).toEqual([scope, 1, HERE, 1000]);
    expect(radius).toBe(5);
    const none = await run(track as Endpoint, { body });
    expect([none.reply.events, none.searches]).toEqual([[], []]);
  });
});

describe("POST /v1/track/replay", () => {
  const at = (ms: number, more: object = {}) => ({ ...BODY, updatedAtMs: NOW + ms, ...more });

  it("applies updates in the order of their times, device by device, as replayed ones", async () => {
    const replays = [at(-10), at(-30), at(-20, { deviceId: "tablet" }), at(-5)];
    const { reply, requests, scope } = await run(replayTrack as Endpoint, { body: { replays } });
    const order = requests.map(({ tracker, own }) => [tracker, own.map(({ update }) => (update.updatedAt ?? 0) - NOW)]);
    expect(order).toEqual([
      [`${scope}:phone`, [-30, -10, -5]],
      [`${scope}:tablet`, [-20]],
    ]);
    expect(requests.flatMap(({ own }) => own).every(({ update, rate }) => update.replayed && rate === 1)).toBe(true);
    // The user is that of the last update.
    expect(reply).toMatchObject({ accepted: 4, rejected: [], user: { deviceId: `${scope}:phone` } });
    expect(reply.events).toHaveLength(2);
  });

  it("skips what is wrong, and says where and why", async () => {
    const replays = [
      at(-3),
      5,
      null,
      [at(-1)],
      at(-2, { accuracy: 0 }),
      at(-2, { anonymous: true }),
      at(-1, { speed: null }),
    ];
    const { reply, requests } = await run(replayTrack as Endpoint, { body: { replays } });
    expect(requests[0].own).toHaveLength(2);
    expect([reply.accepted, reply.rejected]).toEqual([
      2,
      [
        ...[1, 2, 3].map((index) => ({ index, param: undefined, message: "Must be a location update." })),
        { index: 4, param: "accuracy", message: "accuracy: Invalid accuracy. Valid range: (0, 20100000]." },
        { index: 5, param: "anonymous", message: expect.stringContaining("anonymous: Invalid anonymous.") },
      ],
    ]);
  });

  it("of nothing but wrong updates changes nothing", async () => {
    const { reply, requests } = await run(replayTrack as Endpoint, { body: { replays: [{}] } });
    expect([reply.events, reply.accepted, reply.rejected, requests]).toEqual([
      ...[[], 0, [{ index: 0, param: "deviceId", message: "deviceId: Required." }], []],
    ]);
  });

  it("has 1 to 500 updates, and a rate per device", async () => {
    const many = (count: number) =>
      run(replayTrack as Endpoint, { body: { replays: Array.from({ length: count }, (_, i) => at(-i)) } });
    expect((await many(MAX_REPLAYS)).reply.accepted).toBe(500);
    for (const count of [0, 501])
      expect(await rejected(many(count))).toMatchObject({
        status: 400,
        param: "replays",
        message: expect.stringContaining("1 to 500"),
      });
    const limited = { answer: { limited: true, waitMs: 400 }, body: { replays: [at(-1)] } };
    expect(await rejected(run(replayTrack as Endpoint, limited))).toMatchObject({ status: 429 });
  });
});

const place = (id: number, metres: number, more: Partial<PlaceRecord> = {}): PlaceRecord => ({
  key: placeKey("node", id),
  name: `Place ${id}`,
  categories: [0],
  footprint: 10,
  location: destination(HERE, 90, metres),
  ...more,
});

describe("POST /v1/sync/region", () => {
  const sync = async (places: PlaceRecord[], settings: object = {}) => {
    const { reply } = await run(syncRegion as Endpoint, { body: HERE, places, settings });
    return reply;
  };

  it("lists places within a kilometre, and holds as far", async () => {
    const reply = await sync([place(1, 500), place(2, 10), place(3, 999), place(4, 1001)]);
    expect(reply.places.map(({ name }: { name: string }) => name)).toEqual(["Place 2", "Place 1", "Place 3"]);
    expect(reply).toMatchObject({ geofences: [], beacons: [], region: { ...HERE, radius: 1000 } });
  });

  it("holds only as far as a list of a hundred reaches, but fifty metres at least", async () => {
    const row = (count: number, apart: number) => Array.from({ length: count }, (_, i) => place(i + 1, i * apart));
    expect((await sync(row(99, 8))).region.radius).toBe(1000);
    const full = await sync(row(110, 8));
    expect([full.places.length, full.region.radius]).toEqual([100, 792]);
    expect((await sync(row(110, 0.1))).region.radius).toBe(50);
  });

  it("leaves out what the project filters out, and names chains as it does", async () => {
    const chain = { slug: "beans", name: "Beans" };
    const filters = {
      places: { chainMappings: { beans: "B1" }, chainMetadata: {}, placeFilters: { chain: ["beans"], category: [] } },
    };
    const reply = await sync([place(1, 5, { chain }), place(2, 6)], filters);
    expect(reply.places).toMatchObject([{ name: "Place 1", chain: { externalId: "B1" } }]);
    const off = { tracking: { places: false } };
    expect((await sync([place(1, 5)], off)).places).toEqual([]);
  });
});

describe("GET /v1/context", () => {
  it("has what is at a place, in `context` and beside it", async () => {
    const { reply } = await run(context as Endpoint, { query: { coordinates: "48.99,-111.2" }, places: [place(1, 5)] });
    const { context: inner, ...beside } = reply;
    expect(beside).toEqual(inner);
    expect(inner).toMatchObject({
      live: true,
      geofences: [],
      place: { name: "Place 1", categories: expect.any(Array) },
    });
    const away = await run(context as Endpoint, { query: { coordinates: "48.9,-111.2" }, places: [place(1, 5)] });
    expect(away.reply.place).toBeUndefined();
  });
});
