import { beforeAll, describe, expect, it } from "vitest";
import { call, get, type Json, post, put, type World, withGeodata } from "../../../support/world.ts";
import { openWorld } from "./open-world.ts";

/** Statements about users, beacons and searches: each case shows the difference that the statement promises. */

/** A shop of a chain in the demo world, in Montana. */
const SHOP = { latitude: 48.9899836, longitude: -111.1993782 };
const UPDATE = { deviceId: "phone", userId: "ann", accuracy: 5, foreground: true, stopped: true, ...SHOP };
const ALL_REGIONS = { country: true, state: true, dma: true, postalCode: true };

const track = async (world: World, more: Json = {}) =>
  (await post("/v1/track", world.keys.testPublishable, { ...UPDATE, ...more })).body;

beforeAll(async () => {
  await withGeodata("world");
  await withGeodata("demo");
}, 240_000);

describe("a user in a shop in Montana", () => {
  const FIELDS = ["country", "state", "postalCode", "place"];

  it.each<[what: string, tracking: Json, shown: string[]]>([
    ["has its regions and place by default", {}, FIELDS],
    ["has no place where places are off", { places: false }, ["country", "state", "postalCode"]],
    ["has no country where countries are off", { regions: { ...ALL_REGIONS, country: false } }, FIELDS.slice(1)],
    [
      "has no state where states are off",
      { regions: { ...ALL_REGIONS, state: false } },
      ["country", "postalCode", "place"],
    ],
    [
      "has no postal code where these are off",
      { regions: { ...ALL_REGIONS, postalCode: false } },
      ["country", "state", "place"],
    ],
  ])("shows what is on: %s", async (_, tracking, shown) => {
    const world = await openWorld({}, true);
    const changed = await call("PATCH", "/v1/settings", { key: world.keys.testSecret, json: { tracking } });
    expect(changed.status).toBe(200);
    const { user, events } = await track(world);
    expect(FIELDS.filter((field) => user[field] !== undefined)).toEqual(shown);
    const entered = { country: "region_country", state: "region_state", postalCode: "region_postal_code" };
    const kinds = shown.map((field) => `user.entered_${entered[field as keyof typeof entered] ?? field}`);
    expect(events.map(({ type }: Json) => type)).toEqual(kinds);
  });
});

describe("a user with a trip", () => {
  it.each([
    ["started", true],
    ["approaching", true],
    ["arrived", true],
    ["completed", false],
    ["canceled", false],
  ])("that is %s shows it: %s", async (status, isShown) => {
    const world = await openWorld();
    const key = world.keys.testPublishable;
    const made = await post("/v1/trips", key, { externalId: "order", userId: "ann" });
    expect(made.body.trip.status).toBe("pending");
    const first = await track(world, { tripOptions: { externalId: "order" } });
    expect(first.user.trip).toMatchObject({ externalId: "order", status: "started" });
    if (status !== "started") {
      const updated = await call("PATCH", "/v1/trips/order/update", { key, json: { status, userId: "ann" } });
      expect(updated.body.trip.status).toBe(status);
    }
    const { user } = (await get("/v1/users/ann", world.keys.testSecret)).body;
    expect(user.trip?.status).toBe(isShown ? status : undefined);
  });
});

/** Beacons that differ from the first in one identifier each. */
const IBEACON = { type: "ibeacon", uuid: "5f1b3c64-1f1e-4f3a-9d0e-2b6a3d1c9e10", major: "1", minor: "1" };
const EDDYSTONE = { type: "eddystone", uid: "cc", instance: "1" };
const NAMED: readonly [name: string, identifiers: Json][] = [
  ["one", IBEACON],
  ["other uuid", { ...IBEACON, uuid: "5f1b3c64-1f1e-4f3a-9d0e-2b6a3d1c9e11" }],
  ["other major", { ...IBEACON, major: "2" }],
  ["other minor", { ...IBEACON, minor: "2" }],
  ["eddystone", EDDYSTONE],
  ["other uid", { ...EDDYSTONE, uid: "dd" }],
  ["other instance", { ...EDDYSTONE, instance: "2" }],
];
const beacon = (name: string, identifiers: Json) => ({
  description: name,
  tag: "shop",
  externalId: name,
  enabled: true,
  ...identifiers,
  coordinates: [SHOP.longitude, SHOP.latitude],
});

describe("beacons", () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
    for (const [name, identifiers] of NAMED)
      expect((await post("/v1/beacons", world.keys.testSecret, beacon(name, identifiers))).status).toBe(200);
  });

  it.each(NAMED)("are told apart by each of their identifiers: %s", async (name, identifiers) => {
    // Far away from their coordinates: a device that hears a beacon is near it.
    const at = { deviceId: `hears ${name}`, latitude: 1, longitude: 2 };
    const { user, events } = await track(world, { ...at, beacons: [identifiers] });
    expect(events.map((event: Json) => [event.type, (event.beacon as Json).description])).toEqual([
      ["user.entered_beacon", name],
    ]);
    expect(user.beacons.map(({ description }: Json) => description)).toEqual([name]);
  });

  it("are on the user once the project has some: none, then an empty list, then those in range", async () => {
    const other = await openWorld();
    const seen = async () => (await track(other, { beacons: [IBEACON] })).user.beacons;
    expect(await seen()).toBeUndefined();
    await post("/v1/beacons", other.keys.testSecret, beacon("far", { ...IBEACON, minor: "9" }));
    expect(await seen()).toEqual([]);
    await post("/v1/beacons", other.keys.testSecret, beacon("here", IBEACON));
    expect(await seen()).toEqual([expect.objectContaining({ description: "here" })]);
  });

  it("hold 16 keys of metadata and not 17", async () => {
    const save = async (count: number) => {
      const metadata = Object.fromEntries(Array.from({ length: count }, (_, i) => [`key${i}`, i]));
      const path = "/v1/beacons/shop/metadata";
      return [metadata, await put(path, world.keys.testSecret, { ...beacon("m", IBEACON), metadata })] as const;
    };
    const [metadata, saved] = await save(16);
    expect(saved.body.beacon.metadata).toEqual(metadata);
    const [, tooMany] = await save(17);
    expect([tooMany.status, tooMany.body.meta.param]).toEqual([400, "metadata"]);
    expect((await get("/v1/beacons/shop/metadata", world.keys.testSecret)).body.beacon.metadata).toEqual(metadata);
  });

  it("are ranged by the same uuids and uids everywhere, where a project has set some", async () => {
    const beacons = { uuids: ["aa"], uids: ["cc"] };
    const other = await openWorld();
    await post("/v1/beacons", other.keys.testSecret, beacon("one", IBEACON));
    const settings = async (near: string) =>
      (await get(`/v1/search/beacons?near=${near}`, other.keys.testPublishable)).body.meta.settings;
    const near = [`${SHOP.latitude},${SHOP.longitude}`, "1,2", "-60,170"];
    for (const at of near) expect(await settings(at)).toEqual({ beacons: { uuids: [], uids: [] } });
    await call("PATCH", "/v1/settings", { key: other.keys.testSecret, json: { beacons } });
    for (const at of near) expect(await settings(at)).toEqual({ beacons });
  });
});

describe("a form and a JSON body", () => {
  const FORMS: readonly [path: string, method: string, json: Json, part: string][] = [
    [
      "/v1/track",
      "POST",
      { ...UPDATE, metadata: { age: 42, vip: true, name: "Ann" }, deviceType: "Web", beacons: [IBEACON] },
      "user",
    ],
    ["/v1/beacons", "POST", { ...beacon("form", EDDYSTONE), metadata: { floor: 2 } }, "beacon"],
    ["/v1/beacons/doors/7", "PUT", { ...beacon("form", IBEACON), enabled: false }, "beacon"],
    ["/v1/geofences/doors/7", "PUT", { description: "f", type: "circle", coordinates: [1, 2], radius: 50 }, "geofence"],
  ];

  it.each(FORMS)("have the same effect on %s", async (path, method, json, part) => {
    const form = Object.fromEntries(
      Object.entries(json).map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]),
    );
    const seen = [];
    for (const body of [{ json }, { form }]) {
      const key = (await openWorld()).keys.testSecret;
      const { status, body: response } = await call(method, path, { key, ...body });
      expect(status).toBe(200);
      const { _id, createdAt, updatedAt, actualUpdatedAt, ...rest } = response[part];
      seen.push(rest);
    }
    expect(seen[1]).toEqual(seen[0]);
    expect(Object.keys(seen[0]).length).toBeGreaterThan(5);
  });
});
