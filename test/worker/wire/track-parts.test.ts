import { describe, expect, it } from "vitest";
import { destination } from "../../../src/core/geo/distance.ts";
import { packPlaces } from "../../../src/core/places/pack.ts";
import { placeId, placeKey } from "../../../src/core/places/place.ts";
import type { PlaceRecord } from "../../../src/core/places/tile.ts";
import { buildTiles } from "../../../src/core/regions/build-tiles.ts";
import { regionId } from "../../../src/core/regions/region.ts";
import { IMPORT_TILES, tileKey } from "../../../src/core/regions/region-index.ts";
import type { RegionShape } from "../../../src/core/regions/region-shape.ts";
import { DEFAULT_SETTINGS } from "../../../src/core/tracking/types/settings.ts";
import { lookAround, NEARBY_CHAIN_RADIUS, placeAddress } from "../../../src/worker/answers/track/around.ts";
import { openGeodata } from "../../../src/worker/geodata/live.ts";
import type { Caller } from "../../../src/worker/http/serve/callers/identity.ts";
import { credentialsOf, knows, mustSpeak, spokenFor } from "../../../src/worker/http/serve/callers/speaker.ts";
import type { Call } from "../../../src/worker/http/serve/endpoint.ts";
import { dropNulls, toUpdate, trackBody } from "../../../src/worker/http/track/track-body.ts";
import {
  creationsOf,
  limitedBy,
  trackingSettings,
  trackRate,
  wireAnswer,
} from "../../../src/worker/http/track/track-request.ts";
import { type Expected, verifier } from "../../../src/worker/http/track/verified.ts";
import type { Asker } from "../../../src/worker/platform/call.ts";
import { ApiError } from "../../../src/worker/platform/errors.ts";
import { validate } from "../../../src/worker/wire/input/validate.ts";
import { d1On, newDatabase } from "../../support/d1-on-sqlite.ts";
import { FakeBucket } from "../geodata/fake-bucket.ts";
import { EVENT, USER } from "./samples.ts";

const NOW = Date.UTC(2026, 0, 31);
const caller = (more: Partial<Caller> = {}): Caller => ({
  project: 7,
  live: true,
  secret: false,
  scope: 15,
  disabled: false,
  overQuota: false,
  hasQuota: false,
  settings: {},
  fenceEpoch: 0,
  beaconEpoch: 0,
  campaignEpoch: 0,
  hasTrips: false,
  database: "DB",
  ...more,
});
function thrown(run: () => unknown): ApiError {
  try {
    run();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error("Nothing was thrown.");
}

const HERE = { latitude: 48.99, longitude: -111.2 };
const BODY = { deviceId: "phone", latitude: "48.99", longitude: -111.2, accuracy: 5 };

describe("the body of an update", () => {
  const update = (body: object, more: Partial<Parameters<typeof toUpdate>[1]> = {}, fraud = false) =>
    toUpdate(
      validate(trackBody, { ...BODY, ...body }),
      { caller: caller(), ip: "192.0.2.1", now: NOW, request: new Request("http://h/"), ...more },
      { fraud },
    );

  it("becomes an update with its place, and without what only the response is about", () => {
    const known = {
      foreground: true,
      stopped: false,
      description: "Ann",
      metadata: { a: 1 },
      userTags: ["vip"],
      speed: 2,
    };
    const asked = {
      anonymous: false,
      nearbyGeofences: true,
      expectedCountryCode: "US",
      expectedStateCode: "NY",
      reason: "r",
      transactionId: "t",
      mocked: true,
      compromised: true,
      sharing: true,
      verified: true,
    };
    expect(update({ ...known, ...asked, userId: "ann", replayed: true })).toEqual({
      ...known,
      deviceId: "phone",
      userId: "ann",
      location: HERE,
      accuracy: 5,
      replayed: true,
      updatedAt: undefined,
      ip: "192.0.2.1",
      receivedAt: NOW,
    });
    expect(update({})).not.toHaveProperty("beacons");
    expect(update({}).replayed).toBe(false);
  });

  it.each([
    [{ deviceId: undefined, installId: "i" }, "i"],
    [{ deviceId: null, installId: "i" }, "i"],
    [{ deviceId: "", installId: 7 }, "7"],
    [{ installId: "i" }, "phone"],
    [{ installId: "" }, "phone"],
  ])("has the id of the installation if it has none of the device: %j", (ids, deviceId) => {
    expect(update(ids).deviceId).toBe(deviceId);
  });

  it("needs an id of the device or the installation", () => {
    for (const installId of [undefined, ""])
      expect(thrown(() => update({ deviceId: undefined, installId })).param).toBe("deviceId");
  });

  it("has the client's claims where the project checks for fraud", () => {
    const claims = { mocked: true, compromised: false, sharing: true, verified: true };
    expect(update(claims, {}, true).claims).toEqual({ ...claims, proxy: false });
    expect(update(claims).claims).toBeUndefined();
  });

  it.each<[body: object, updatedAt: number | undefined]>([
    [{ updatedAt: "2026-01-30T00:00:00Z" }, NOW - 24 * 3600_000],
    [{ updatedAtMs: NOW - 5 }, NOW - 5],
    [{ updatedAtMs: NOW - 5, updatedAt: "2026-01-30T00:00:00Z" }, NOW - 5],
    [{ updatedAtMsDiff: 1000, updatedAtMs: NOW - 5 }, NOW - 1000],
    [{ updatedAtMsDiff: 0 }, NOW],
    [{ updatedAtMs: NOW + 300_000 }, NOW + 300_000],
    [{ updatedAtMs: NOW + 300_001 }, undefined],
    [{}, undefined],
  ])("with %j is of the time %s", (body, updatedAt) => expect(update(body).updatedAt).toBe(updatedAt));

  it("has the signals of the beacons in range, each once, and none of unknown kinds", () => {
    const beacons = [
      { type: "iBeacon", uuid: "AA", major: 1, minor: "2", uid: null },
      { type: "ibeacon", uuid: "aa", major: "1", minor: 2 },
      { type: "EDDYSTONE", uid: "BB", instance: "cc" },
      ...[{ type: "altbeacon", uuid: "dd" }, 5, null, { type: "ibeacon", uuid: "x".repeat(65) }],
    ];
    const { beacons: signals } = update({ beacons });
    expect(signals).toHaveLength(2);
    expect(update({ beacons: JSON.stringify(beacons) }).beacons).toEqual(signals);
    expect(update({ beacons: beacons.slice(2, 3) }).beacons).toEqual(signals?.slice(1));
    expect(update({ beacons: [] }).beacons).toEqual([]);
    const many = Array.from({ length: 201 }, (_, i) => ({ type: "ibeacon", uuid: "aa", major: i, minor: 1 }));
    expect(update({ beacons: many }).beacons).toHaveLength(200);
  });

  it("has the trip that the device makes, without its nulls", () => {
    const tripOptions = { externalId: "order-1", mode: "foot", metadata: { box: 1 }, approachingThreshold: null };
    expect(update({ tripOptions }).tripOptions).toEqual({ externalId: "order-1", mode: "foot", metadata: { box: 1 } });
    expect(update({})).not.toHaveProperty("tripOptions");
    expect([dropNulls([null]), dropNulls(null), dropNulls({ a: null, b: 1 })]).toEqual([[null], null, { b: 1 }]);
  });

  it.each<[body: object, param: string]>([
    [{ deviceId: "" }, "deviceId"],
    [{ latitude: 90.1 }, "latitude"],
    [{ longitude: -180.1 }, "longitude"],
    [{ accuracy: 0 }, "accuracy"],
    [{ accuracy: 20_100_001 }, "accuracy"],
    [{ beacons: "x" }, "beacons"],
    [{ tripOptions: { externalId: ".." } }, "tripOptions[externalId]"],
    [{ tripOptions: { externalId: "a", mode: "horse" } }, "tripOptions[mode]"],
    [{ tripOptions: { externalId: "a", approachingThreshold: 1441 } }, "tripOptions[approachingThreshold]"],
    [{ userTags: Array.from({ length: 101 }, (_, i) => `t${i}`) }, "userTags"],
    [{ expectedCountryCode: "x".repeat(9) }, "expectedCountryCode"],
  ])("with %j is rejected for %s", (body, param) => {
    expect(thrown(() => update(body))).toMatchObject({ status: 400, param });
  });

  it("is of the user that its token speaks for", () => {
    const spoken = { caller: caller({ speaker: { userId: "ann" } }) };
    expect(update({}, spoken).userId).toBe("ann");
    expect(thrown(() => update({ userId: "bob" }, spoken))).toMatchObject({ status: 403, param: "userId" });
  });
});

describe("who a call is about", () => {
  const required = { tokens: { required: true } } as Caller["settings"];

  it("is the user that a secret key or an open project names", () => {
    expect(spokenFor(caller({ secret: true, settings: required }), "bob")).toBe("bob");
    expect([spokenFor(caller(), "bob"), spokenFor(caller(), undefined)]).toEqual(["bob", undefined]);
    expect(spokenFor(caller({ settings: required }), undefined)).toBeUndefined();
    expect(thrown(() => spokenFor(caller({ settings: required }), "bob")).status).toBe(401);
  });

  it("is the token's, on its device", () => {
    const speaker = caller({ speaker: { userId: "ann", deviceId: "phone" }, settings: required });
    expect([spokenFor(speaker, undefined), spokenFor(speaker, "ann", "phone")]).toEqual(["ann", "ann"]);
    expect(thrown(() => spokenFor(speaker, "bob", "phone"))).toMatchObject({ status: 403, param: "userId" });
    expect(thrown(() => spokenFor(speaker, "ann", "tablet"))).toMatchObject({ status: 403, param: "deviceId" });
    expect(spokenFor(caller({ speaker: { userId: "ann" } }), "ann", "tablet")).toBe("ann");
  });

  it("must be proven where the project says so", () => {
    const speaker = { userId: "ann" };
    for (const one of [caller(), caller({ secret: true, settings: required }), caller({ speaker, settings: required })])
      expect(mustSpeak(one)).toBeUndefined();
    expect(thrown(() => mustSpeak(caller({ settings: required }))).status).toBe(401);
    expect([knows(caller({ secret: true }), "bob"), knows(caller(), "bob"), knows(caller({ speaker }), "ann")]).toEqual(
      [...[true, false, true]],
    );
    expect([knows(caller({ speaker }), "bob"), knows(caller(), undefined)]).toEqual([false, false]);
  });

  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const token = (claims: object) => `${part({ alg: "HS256", kid: "k" })}.${part({ exp: 2e9, ...claims })}.c2ln`;
  const [key, other] = ["prj_test_pk_", "prj_live_pk_"].map((prefix) => prefix + "0".repeat(40));

  it("is said by a key, or by a token that names one", () => {
    expect(credentialsOf(undefined, key)).toEqual({ key });
    expect(credentialsOf(undefined, undefined)).toEqual({ key: undefined });
    expect(credentialsOf(key, other)).toEqual({ key });
    expect(credentialsOf(token({ aud: key, sub: "ann" }), undefined)).toMatchObject({ key, token: { kid: "k" } });
    expect(credentialsOf(token({ aud: ["https://example.com", key] }), undefined).key).toBe(key);
    expect(credentialsOf(token({}), key).key).toBe(key);
    for (const [claims, named] of [
      [{}, undefined],
      [{ aud: "https://example.com" }, undefined],
      [{ aud: key }, other],
    ] as const)
      expect(thrown(() => credentialsOf(token(claims), named)).status).toBe(401);
  });
});

describe("the response to an update", () => {
  const answer = (more: Partial<Caller>) =>
    wireAnswer(caller(more), { state: USER, events: [EVENT, { ...EVENT, type: "user.entered_geofence" }] });

  it("has the events that the project wants to see", () => {
    const types = (returnedEventTypes?: string[]) =>
      answer({ settings: { returnedEventTypes } as Caller["settings"] }).events.map(({ type }) => type);
    expect(types()).toEqual(["user.entered_place", "user.entered_geofence"]);
    expect(types(["user.entered_place"])).toEqual(["user.entered_place"]);
    expect(types([])).toEqual([]);
  });

  it("shows the trip, in the user and in the events, by every key", () => {
    for (const more of [{}, { secret: true }, { speaker: { userId: "ann" } }]) {
      const { events, user } = answer(more);
      expect([events[0].trip?.externalId, user.trip?.externalId]).toEqual(["order-1", "order-1"]);
    }
  });
});

describe("limits of updates", () => {
  const rateLimits = { track: 3, newUsers: 20, newTrips: 30 } as Caller["settings"]["rateLimits"];

  it("are the project's own, and none for what a secret key creates", () => {
    const own = caller({ settings: { rateLimits } });
    expect([trackRate(own), trackRate(caller())]).toEqual([3, 1]);
    expect(creationsOf(own)).toMatchObject({ newUsers: 20, newTrips: 30, newEvents: 20_000, newMegabytes: 500 });
    expect(creationsOf(caller({ secret: true, settings: { rateLimits } }))).toBeUndefined();
    const headers = (error: ApiError) => [error.status, error.type, error.headers["X-RateLimit-Limit"], error.message];
    expect(headers(limitedBy({ waitMs: 500 }, own, 3, NOW))).toEqual([
      ...[429, "second", "3", "Rate limit exceeded: 3 updates per device per second."],
    ]);
    expect(headers(limitedBy({ waitMs: 500, creation: "newUsers" }, own, 3, NOW))).toEqual([
      ...[429, "newUsers", "20", "Rate limit exceeded: 20 new users per hour with a publishable key (newUsers)."],
    ]);
    expect(headers(limitedBy({ waitMs: 500, creation: "newTrips" }, own, 3, NOW))[3]).toContain("30 new trips");
    expect(limitedBy({ waitMs: 1500 }, own, 3, NOW).headers).toMatchObject({
      "X-RateLimit-Remaining": "0",
      "Retry-After": "2",
      "X-RateLimit-Reset": String(NOW / 1000 + 2),
    });
  });

  it("and what is tracked are as the project sets them", () => {
    expect(trackingSettings(caller())).toEqual(DEFAULT_SETTINGS);
    const tracking = { places: false, regions: { dma: false } } as Caller["settings"]["tracking"];
    expect(trackingSettings(caller({ settings: { tracking } }))).toEqual({
      ...DEFAULT_SETTINGS,
      places: false,
      regions: { ...DEFAULT_SETTINGS.regions, dma: false },
    });
  });
});

describe("what is around an update", () => {
  const place = (id: number, name: string, metres: number, more: Partial<PlaceRecord> = {}): PlaceRecord => ({
    key: placeKey("node", id),
    name,
    categories: [0],
    footprint: 20,
    location: destination(HERE, 90, metres),
    ...more,
  });
  const PLACES = [
    place(1, "Here", 0, { chain: { slug: "beans", name: "Beans" } }),
    ...[place(2, "Second", 30), place(3, "Third", 60), place(4, "Fourth", 80), place(5, "Fifth", 90)],
    ...[place(6, "Sixth", 94), place(7, "Too far", 96), place(8, "Large", 190, { footprint: 120 })],
    place(9, "Other beans", 500, { chain: { slug: "grind", name: "Grind" } }),
  ];
  const ring = [
    [-112, 48],
    [-110, 48],
    [-110, 50],
    [-112, 50],
  ];
  const region = { rank: "import", country: "US", state: "", rings: [ring] } as const;
  const REGIONS: RegionShape[] = [
    { ...region, kind: "country", code: "US", name: "United States" } as const,
    { ...region, kind: "state", code: "MT", name: "Montana" } as const,
    { ...region, kind: "postalCode", code: "59484", name: "59484", state: "MT" } as const,
    {
      ...region,
      kind: "county",
      code: "30101",
      name: "Toole",
      state: "MT",
      dma: { code: "755", name: "Great Falls" },
    } as const,
  ];

  let buckets = 0;
  /** What is read is kept by the id of its build, so each bucket has a build of its own. */
  function bucketWith(layers: Record<string, Iterable<{ key: string; bytes: Uint8Array }>>): FakeBucket {
    const bucket = new FakeBucket();
    const names = Object.fromEntries(Object.keys(layers).map((layer) => [layer, 1]));
    const id = `b${++buckets}`;
    const build = { name: "town", id, areas: [[-112, 48, -110, 50]], layers: names, sources: [], previous: [] };
    bucket.put("live.json", JSON.stringify({ version: 1, builds: Object.keys(layers).length > 0 ? [build] : [] }));
    for (const objects of Object.values(layers))
      for (const { key, bytes } of objects) bucket.put(`builds/${id}/${key}`, bytes);
    return bucket;
  }
  const places = (records = PLACES) => packPlaces(records, []);
  const regions = () =>
    [...buildTiles(REGIONS, IMPORT_TILES)].map(({ cell, bytes }) => ({ key: tileKey(cell), bytes }));
  const BOTH = bucketWith({ places: places(), regions: regions() });

  const around = async ({
    settings = {},
    tracking = {},
    bucket = BOTH,
    settled = true,
    point = HERE,
  }: {
    settings?: object;
    tracking?: object;
    bucket?: FakeBucket;
    settled?: boolean;
    point?: typeof HERE;
  } = {}) => {
    const call = {
      env: { GEODATA: bucket },
      caller: caller({ settings }),
      now: NOW,
      waitUntil: () => {},
      leftOut: () => {},
    } as unknown as Asker & Pick<Call, "caller">;
    return (await lookAround(call, { ...DEFAULT_SETTINGS, ...tracking }, point, settled)).around;
  };
  const names = (list: readonly { name: string }[] | undefined) => list?.map(({ name }) => name);

  it("is the place with its address, its regions and its time zone", async () => {
    const found = await around();
    expect(found.place).toMatchObject({
      _id: placeId(placeKey("node", 1)),
      name: "Here",
      chain: { slug: "beans", name: "Beans" },
      footprint: 20,
      address: { countryCode: "US", stateCode: "MT", postalCode: "59484", layer: "place", name: "Here" },
    });
    const region = (kind: "country" | "state" | "dma" | "postalCode", code: string, name: string) => ({
      _id: regionId(kind, "US", code),
      type: kind,
      code,
      name,
    });
    expect(found.regions).toEqual({
      country: { ...region("country", "US", "United States"), flag: "🇺🇸" },
      state: region("state", "MT", "Montana"),
      dma: region("dma", "755", "Great Falls"),
      postalCode: region("postalCode", "59484", "59484"),
    });
    expect(found.timeZone).toBe("America/Denver");
    expect(found).not.toHaveProperty("unknownRegions");
    expect(found.nearbyChains).toBeUndefined();
    // The same object for all updates in a region.
    expect((await around()).regions).toBe(found.regions);
  });

  it("lists up to four other places that reach the device, nearest first, where it may enter one", async () => {
    expect(names((await around()).alternatePlaces)).toEqual(["Second", "Third", "Fourth", "Fifth"]);
    const few = bucketWith({ places: places([PLACES[0], ...PLACES.slice(5)]) });
    expect(names((await around({ bucket: few })).alternatePlaces)).toEqual(["Sixth", "Large"]);
    const none = bucketWith({ places: places([PLACES[0], PLACES[6]]) });
    expect(await around({ bucket: none })).not.toHaveProperty("alternatePlaces");
    expect(await around({ settled: false })).not.toHaveProperty("alternatePlaces");
    const away = destination(HERE, 270, 1000);
    expect(await around({ point: away })).toMatchObject({ place: null });
    expect(await around({ point: away })).not.toHaveProperty("alternatePlaces");
  });

  it("has no place and no other place that the project filters out", async () => {
    const filters = {
      places: { chainMappings: {}, chainMetadata: {}, placeFilters: { chain: ["beans"], category: [] } },
    };
    const found = await around({ settings: filters });
    expect([found.place?.name, found.alternatePlaces]).toEqual(["Here", undefined]);
    const grind = { places: { ...filters.places, placeFilters: { chain: ["grind"], category: [] } } };
    expect((await around({ settings: grind })).place).toBeNull();
  });

  it("has the watched chains that are near, with the project's own id of them", async () => {
    const own = { chainMappings: { beans: "B1" }, chainMetadata: {}, placeFilters: { chain: [], category: [] } };
    const watched = { nearbyChains: ["beans", "grind", "none"], places: own };
    const found = await around({ settings: watched });
    expect(names(found.nearbyChains)).toEqual(["Here", "Other beans"]);
    expect([found.nearbyChains?.[0].chain?.externalId, found.place?.chain?.externalId]).toEqual(["B1", "B1"]);
    expect(names((await around({ settings: { ...watched, nearbyChainRadius: 499 } })).nearbyChains)).toEqual(["Here"]);
    const far = destination(HERE, 90, 1499);
    expect(names((await around({ settings: watched, point: far })).nearbyChains)).toEqual(["Other beans"]);
    expect(names((await around({ settings: watched, point: destination(HERE, 90, 1502) })).nearbyChains)).toEqual([]);
    expect(NEARBY_CHAIN_RADIUS).toBe(1000);
  });

  it("is not looked for where the project has switched it off", async () => {
    const off = { country: false, state: false, dma: false, postalCode: false };
    const settings = { nearbyChains: ["beans"] };
    expect(await around({ settings, tracking: { places: false, regions: off } })).toMatchObject({
      place: undefined,
      nearbyChains: undefined,
      regions: undefined,
    });
    expect((await around({ tracking: { regions: { ...off, dma: true } } })).regions?.dma?.code).toBe("755");
  });

  it("without geodata is unknown, and of postal codes nothing is said where no import has them", async () => {
    const nothing = await around({ bucket: bucketWith({}) });
    expect(nothing).toMatchObject({ regions: undefined, place: undefined, unknownRegions: ["postalCode"] });
    const only = await around({ bucket: bucketWith({ places: places() }) });
    expect([only.place?.name, only.place?.address, only.unknownRegions]).toEqual(["Here", undefined, ["postalCode"]]);
  });

  it("is left as it was where regions cannot be read", async () => {
    const damaged = bucketWith({ regions: regions().map(({ key }) => ({ key, bytes: new Uint8Array(9) })) });
    expect((await around({ bucket: damaged })).regions).toBeUndefined();
  });

  it("has an address of a place where its own parts or its country are known", async () => {
    const bare = await openGeodata(bucketWith({ places: places() }), { now: NOW, waitUntil: undefined });
    const parts = { number: "1", street: "Main St", city: "", stateCode: "", postalCode: "" };
    const one = { id: "p", name: "X", categories: [], location: HERE, footprint: 1 };
    expect(await placeAddress(bare, one)).toBeUndefined();
    expect(await placeAddress(bare, { ...one, address: parts })).toMatchObject({ street: "Main St" });
    const known = await openGeodata(BOTH, { now: NOW, waitUntil: undefined });
    expect(await placeAddress(known, one)).toMatchObject({ countryCode: "US" });
  });
});

describe("a verified update", () => {
  const country = { _id: "r1", type: "country", code: "US", name: "United States" };
  const state = { _id: "r2", type: "state", code: "NY", name: "New York" };
  const FRAUD = {
    verified: true,
    passed: true,
    bypassed: false,
    blocked: false,
    mocked: false,
    jumped: false,
    proxy: false,
    compromised: false,
    inaccurate: false,
    sharing: false,
  };
  const sign = async (user: object, expected: Expected = {}, blockedCountries?: string[]) => {
    const env = { DB: d1On(newDatabase()), GEODATA: new FakeBucket(), PUBLIC_URL: "https://maps.example.com" };
    const call = {
      caller: caller({ settings: { blockedCountries } }),
      env,
      now: NOW + 1234,
      request: new Request("http://h/"),
      waitUntil: () => {},
    };
    const place = { location: { type: "Point", coordinates: [-111.2, 48.99] }, geofences: [] };
    const verify = await verifier(call as never);
    return verify({ user: { _id: "u1", fraud: FRAUD, ...place, ...user } as never, events: [{ _id: "e1" }] }, expected);
  };
  const reasons = async (...asked: Parameters<typeof sign>) => {
    const { passed, failureReasons } = await sign(...asked);
    expect(passed).toBe(failureReasons.length === 0);
    return failureReasons;
  };

  it("says which checks of fraud failed, in their order", async () => {
    const checks = ["mocked", "jumped", "compromised", "inaccurate", "proxy", "sharing"];
    expect(await reasons({})).toEqual([]);
    for (const check of checks)
      expect(await reasons({ fraud: { ...FRAUD, passed: false, [check]: true } })).toEqual([`fraud_${check}`]);
    const all = Object.fromEntries(checks.map((check) => [check, true]));
    expect(await reasons({ fraud: { ...FRAUD, passed: false, ...all } })).toEqual(
      checks.map((check) => `fraud_${check}`),
    );
    // Who is bypassed passes, who is blocked never does.
    expect(await reasons({ fraud: { ...FRAUD, bypassed: true, passed: true, ...all } })).toEqual([]);
    expect(await reasons({ fraud: { ...FRAUD, blocked: true, passed: false, ...all } })).toEqual(["fraud_blocked"]);
  });

  it.each<[user: object, expected: Expected, blocked: string[] | undefined, reasons: string[]]>([
    [{ country, state }, {}, undefined, []],
    [{ country, state }, {}, ["CA"], []],
    [{ country, state }, {}, ["US"], ["country_not_allowed"]],
    [{}, {}, ["US"], []],
    [{ country, state }, { expectedCountryCode: "us", expectedStateCode: "US-NY" }, undefined, []],
    [{ country, state: { ...state, code: "US-NY" } }, { expectedStateCode: "ny" }, undefined, []],
    [{ country, state }, { expectedCountryCode: "CA" }, undefined, ["country_not_expected"]],
    [{ country, state }, { expectedStateCode: "NJ" }, undefined, ["state_not_expected"]],
    [{}, { expectedCountryCode: "US", expectedStateCode: "NY" }, undefined, ["country_unknown", "state_unknown"]],
    [{ country }, { expectedStateCode: "NY" }, undefined, ["state_unknown"]],
    [{ country, state }, { expectedCountryCode: "CA" }, ["US"], ["country_not_allowed", "country_not_expected"]],
  ])("of %j where %j is expected and %j are blocked fails for %j", async (user, expected, blocked, failed) => {
    expect(await reasons(user, expected, blocked)).toEqual(failed);
  });

  it("says of country and state whether they are allowed and expected", async () => {
    const shown = async (...asked: Parameters<typeof sign>) => {
      const { user } = await sign(...asked);
      return [user.country?.allowed, user.country?.passed, user.state?.allowed, user.state?.passed];
    };
    const both = { country, state };
    expect(await shown(both)).toEqual([true, true, true, true]);
    expect(await shown(both, {}, ["US"])).toEqual([false, false, false, false]);
    expect(await shown(both, { expectedCountryCode: "CA" })).toEqual([true, false, true, true]);
    expect(await shown(both, { expectedStateCode: "NJ" })).toEqual([true, true, true, false]);
    expect(await shown({})).toEqual([undefined, undefined, undefined, undefined]);
  });

  it("has a token for twenty minutes that says all of it", async () => {
    const signed = await sign({ country }, { reason: "checkout", transactionId: "t1", expectedCountryCode: "US" });
    expect(signed).toMatchObject({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      format: "JWS",
      expiresIn: 1200,
      transactionId: "t1",
      expiresAt: "2026-01-31T00:20:01.000Z",
      passed: true,
      failureReasons: [],
      events: [{ _id: "e1" }],
    });
    expect(signed).not.toHaveProperty("reason");
    const claims = JSON.parse(Buffer.from(signed.token.split(".")[1], "base64url").toString());
    expect(claims).toEqual({
      iss: "https://maps.example.com",
      aud: "7",
      sub: "u1",
      jti: signed._id,
      live: true,
      passed: true,
      iat: NOW / 1000 + 1,
      exp: NOW / 1000 + 1201,
      failureReasons: [],
      transactionId: "t1",
      reason: "checkout",
      expectedCountryCode: "US",
      events: [{ _id: "e1" }],
      user: JSON.parse(JSON.stringify(signed.user)),
    });
  });
});
