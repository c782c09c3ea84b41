import { beforeAll, describe, expect, it } from "vitest";
import { destination, haversine } from "../../../../src/core/geo/distance.ts";
import { type Ring, signedDistance } from "../../../../src/core/geo/shapes/polygon.ts";
import { seededRandom } from "../../../bench/support/random.ts";
import { del, get, type Json, post, put, sleep, type World } from "../../../support/world.ts";
import { openWorld, type Planted, plant } from "../conformance/open-world.ts";

const search = async (world: World, query: string) => {
  const { status, body } = await get(`/v1/search/geofences?${query}`, world.keys.testPublishable);
  expect([status, body.meta]).toEqual([200, { code: 200 }]);
  return body.geofences as { _id: string; [field: string]: unknown }[];
};
const idsOf = async (world: World, query: string) => (await search(world, query)).map(({ _id }) => _id);

/**
 * A road that runs north from A (40.7, -74); 0.001° of latitude is 111 m.
 *
 *     wide    centre 2,224 m north, radius 2,000 m: its edge is 224 m away
 *     block   a square whose southern edge is 445 m away
 *     small   centre 556 m north, radius 50 m: its edge is 506 m away
 *     here    radius 100 m around A
 */
const A = { latitude: 40.7, longitude: -74 };
const NEAR = `near=${A.latitude},${A.longitude}`;
const block = [
  [-74.001, 40.704],
  [-73.999, 40.704],
  [-73.999, 40.706],
  [-74.001, 40.706],
  [-74.001, 40.704],
];
const past = new Date(Date.now() - 1000).toISOString();
const ROAD: Planted[] = [
  {
    id: "small",
    description: "s",
    type: "circle",
    coordinates: [-74, 40.705],
    radius: 50,
    tag: "b",
    metadata: { n: 1 },
  },
  {
    id: "wide",
    description: "w",
    type: "circle",
    coordinates: [-74, 40.72],
    radius: 2000,
    tag: "a",
    metadata: { n: "1" },
  },
  { id: "block", description: "b", type: "polygon", coordinates: block, tag: "a", metadata: { n: 1, open: true } },
  { id: "here", description: "h", type: "circle", coordinates: [-74, 40.7], radius: 100 },
  { id: "off", description: "x", type: "circle", coordinates: [-74, 40.7], radius: 100, tag: "a", enabled: false },
  { id: "over", description: "x", type: "circle", coordinates: [-74, 40.7], radius: 100, tag: "a", disableAfter: past },
  { id: "gone", description: "x", type: "circle", coordinates: [-74, 40.7], radius: 100, tag: "a", deleteAfter: past },
];

describe("GET /v1/search/geofences", () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
    await plant(world, ROAD);
  });

  it.each([
    ["", ["here", "wide", "block", "small"]],
    ["&limit=2", ["here", "wide"]],
    ["&radius=0.5", ["here"]],
    ["&radius=300", ["here", "wide"]],
    ["&radius=500", ["here", "wide", "block"]],
    ["&radius=1e300", ["here", "wide", "block", "small"]],
    ["&tags=a", ["wide", "block"]],
    ["&tags=b, a", ["wide", "block", "small"]],
    ["&tags=a&radius=300", ["wide"]],
    ["&tags=nobody", []],
    ["&metadata[n]=1", ["block", "small"]],
    ["&metadata[n]=1&metadata[open]=true", ["block"]],
    ["&metadata[open]=1", []],
    ["&tags=b&metadata[n]=1", ["small"]],
    ["&metadata=[object Object]", ["here", "wide", "block", "small"]],
    ["&metadata[constructor]=x", []],
    ["&limit=null&tags=null&radius=null&metadata[n]=null", ["here", "wide", "block", "small"]],
    ["&limit=1000&includeGeometry=false", ["here", "wide", "block", "small"]],
  ])("with %s answers what is enabled, nearest edge first", async (query, expected) => {
    expect(await idsOf(world, NEAR + query)).toEqual(expected);
  });

  it("shows each geofence as it is read elsewhere, with geometry unless it is not wanted", async () => {
    for (const fence of await search(world, NEAR)) {
      const read = await get(`/v1/geofences/${fence._id}`, world.keys.testSecret);
      expect(read.body.geofence).toEqual(fence);
      expect(fence).toHaveProperty("geometry");
    }
    for (const fence of await search(world, `${NEAR}&includeGeometry=false`)) {
      expect(fence).not.toHaveProperty("geometry");
      expect(fence).not.toHaveProperty("geometryRadius");
      expect(fence).toHaveProperty("geometryCenter");
    }
  });

  it.each([
    ["limit=101", "limit", "limit: Invalid limit. More than 100 results need includeGeometry=false."],
    ["limit=101&includeGeometry=true", "limit", "includeGeometry=false"],
    ["limit=1001&includeGeometry=false", "limit", "Valid range: [1, 1000]."],
    ["limit=0", "limit", "Valid range: [1, 1000]."],
    ["radius=0", "radius", "Must be greater than 0."],
    ["radius=NaN", "radius", "Must be greater than 0."],
    ["radius=1e999", "radius", "Must be greater than 0."],
    ["includeGeometry=maybe", "includeGeometry", "Valid values: true, false."],
    ["near=91,0", "near", "near: Invalid near."],
    ["near=0", "near", "near: Invalid near."],
    ["near=NaN,Infinity", "near", "near: Invalid near."],
  ])("refuses %s", async (query, param, message) => {
    const path = `/v1/search/geofences?${query.startsWith("near") ? "" : `${NEAR}&`}${query}`;
    const { status, body } = await get(path, world.keys.testPublishable);
    expect([status, body.meta.code, body.meta.param]).toEqual([400, 400, param]);
    expect(body.meta.message).toContain(message);
  });

  it("follows every change at once: made, moved, switched off, switched on, deleted, expired", async () => {
    const other = await openWorld();
    const key = other.keys.testSecret;
    const circle = (extra: Json = {}) => ({
      description: "c",
      type: "circle",
      coordinates: [A.longitude, A.latitude],
      radius: 50,
      ...extra,
    });
    const found = async () => (await search(other, `${NEAR}&radius=1000`)).map(({ externalId }) => externalId);
    expect(await found()).toEqual([]);
    await put("/v1/geofences/t/1", key, circle());
    expect(await found()).toEqual(["1"]);
    await put("/v1/geofences/t/1", key, circle({ coordinates: [A.longitude, 41] }));
    expect(await found()).toEqual([]);
    await put("/v1/geofences/t/1", key, circle({ enabled: false }));
    expect(await found()).toEqual([]);
    await put("/v1/geofences/t/1", key, circle());
    expect(await found()).toEqual(["1"]);
    await del("/v1/geofences/t/1", key);
    expect(await found()).toEqual([]);
    // Far enough away that a busy machine searches before it.
    const end = Date.now() + 8_000;
    await put("/v1/geofences/t/1", key, circle({ deleteAfter: new Date(end).toISOString() }));
    await put("/v1/geofences/t/2", key, circle({ disableAfter: new Date(end).toISOString() }));
    expect(await found()).toEqual(["1", "2"]);
    await sleep(end + 100 - Date.now());
    expect(await found()).toEqual([]);
  });

  it("is empty in a project without geofences", async () => {
    expect(await search(await openWorld(), NEAR)).toEqual([]);
  });
});

describe("at the edges of the map", () => {
  it("a circle and a polygon across the 180th meridian are found, entered and in context from both sides", async () => {
    const world = await openWorld();
    const across = [
      [179.99, 0.01],
      [-179.99, 0.01],
      [-179.99, 0.03],
      [179.99, 0.03],
      [179.99, 0.01],
    ];
    await post("/v1/geofences", world.keys.testSecret, {
      description: "circle",
      type: "circle",
      coordinates: [179.999, -0.02],
      radius: 1000,
    });
    const { body } = await post("/v1/geofences", world.keys.testSecret, {
      description: "polygon",
      type: "polygon",
      coordinates: across,
    });
    expect(Math.abs(body.geofence.geometryCenter.coordinates[0])).toBeCloseTo(180, 6);
    expect(body.geofence.geometryRadius).toBeLessThan(2500);
    for (const [name, latitude] of [
      ["circle", -0.02],
      ["polygon", 0.02],
    ] as const) {
      for (const longitude of [179.995, -179.995, 180, -180]) {
        const [nearest] = await search(world, `near=${latitude},${longitude}&radius=1`);
        expect([longitude, nearest?.description]).toEqual([longitude, name]);
        const context = await get(`/v1/context?coordinates=${latitude},${longitude}`, world.keys.testPublishable);
        expect(context.body.geofences).toEqual([expect.objectContaining({ description: name })]);
        const tracked = await post("/v1/track", world.keys.testPublishable, {
          deviceId: `${name} ${longitude}`,
          latitude,
          longitude,
          accuracy: 5,
          foreground: true,
        });
        expect(tracked.body.user.geofences).toEqual([expect.objectContaining({ description: name })]);
      }
    }
  });

  it("a circle on a pole holds its surroundings at every longitude", async () => {
    const world = await openWorld();
    await post("/v1/geofences", world.keys.testSecret, {
      description: "pole",
      type: "circle",
      coordinates: [0, -90],
      radius: 2000,
    });
    for (const longitude of [-180, -90, 0, 77, 180]) {
      const inside = await post("/v1/track", world.keys.testPublishable, {
        deviceId: `d${longitude}`,
        latitude: -89.99,
        longitude,
        accuracy: 5,
        foreground: true,
      });
      expect(inside.body.user.geofences).toHaveLength(1);
      expect(await search(world, `near=-89.99,${longitude}&radius=1`)).toHaveLength(1);
      expect(await search(world, `near=-89.98,${longitude}&radius=1`)).toHaveLength(0);
    }
  });
});

describe("500 random geofences", () => {
  const random = seededRandom(500);
  const between = (low: number, high: number) => low + random() * (high - low);
  /** Three crowds: a city, the 180th meridian, and the surroundings of the North Pole. */
  const CROWDS = [
    { latitude: 40.7, longitude: -74 },
    { latitude: -17, longitude: 180 },
    { latitude: 89.9, longitude: 30 },
  ];
  const somewhere = () => destination(CROWDS[Math.floor(random() * 3)], between(0, 360), between(0, 20_000));
  const fences: Planted[] = Array.from({ length: 500 }, (_, i) => {
    const center = somewhere();
    const common = {
      id: `f${String(i).padStart(3, "0")}`,
      description: `${i}`,
      tag: ["red", "green", "blue"][i % 3],
      metadata: { level: Math.floor(between(0, 3)), text: String(Math.floor(between(0, 3))) },
      enabled: random() > 0.1,
    };
    // A ring near a pole would wind around it; circles there are enough.
    if (random() < 0.5 || center.latitude > 80) {
      const radius = 10 ** between(1, 4);
      return { ...common, type: "circle", coordinates: [center.longitude, center.latitude], radius };
    }
    const size = 10 ** between(1, 3.5);
    const corners = 3 + Math.floor(random() * 12);
    const ring = Array.from({ length: corners }, (_, k) => {
      const { longitude, latitude } = destination(center, (k * 360) / corners, size * between(0.4, 1));
      return [longitude, latitude];
    });
    return { ...common, type: "polygon", coordinates: [...ring, ring[0]] };
  });
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
    await plant(world, fences);
  });

  /** Distance to a geofence's edge [m], 0 inside. */
  const edge = (fence: Planted, latitude: number, longitude: number) =>
    Math.max(
      0,
      fence.radius === undefined
        ? signedDistance(fence.coordinates as Ring, latitude, longitude)
        : haversine(latitude, longitude, Number(fence.coordinates[1]), Number(fence.coordinates[0])) - fence.radius,
    );

  it("are found as by looking at each of them", async () => {
    let seen = 0;
    for (let round = 0; round < 60; round++) {
      const { latitude, longitude } = somewhere();
      const limit = [1, 7, 50, 1000][round % 4];
      const radius = round % 3 === 0 ? undefined : 10 ** between(1, 4.5);
      const tags = round % 5 === 0 ? ["red", "blue"] : undefined;
      const level = round % 7 === 0 ? 1 : undefined;
      const expected = fences
        .filter(({ enabled, tag, metadata }) => {
          if (!enabled || (tags && !tags.includes(String(tag)))) return false;
          return level === undefined || (metadata as Json).level === level;
        })
        .map((fence) => ({ id: fence.id, distance: edge(fence, latitude, longitude) }))
        // Polygons are measured in a frame around the point, which far away bends too much to compare.
        .filter(({ distance }) => distance <= (radius ?? 100_000))
        .sort((a, b) => a.distance - b.distance || (a.id < b.id ? -1 : 1))
        .slice(0, limit)
        .map(({ id }) => id);
      const query = [`near=${latitude},${longitude}`, `limit=${limit}`, "includeGeometry=false"];
      if (radius !== undefined) query.push(`radius=${radius}`);
      if (tags) query.push(`tags=${tags}`);
      if (level !== undefined) query.push(`metadata[level]=${level}`);
      const found = await idsOf(world, query.join("&"));
      expect([round, found.slice(0, expected.length)]).toEqual([round, expected]);
      if (radius !== undefined) expect([round, found.length]).toEqual([round, expected.length]);
      seen += found.length;
    }
    expect(seen).toBeGreaterThan(1000);
  });
});

describe("whom a geofence is for", () => {
  it("is shown to secret keys and not to publishable ones", async () => {
    const world = await openWorld();
    const fence = {
      description: "Ann's",
      type: "circle",
      coordinates: [A.longitude, A.latitude],
      radius: 50,
      userIds: ["ann"],
    };
    await put("/v1/geofences/own/1", world.keys.testSecret, fence);
    const [shown] = (await get(`/v1/search/geofences?${NEAR}`, world.keys.testSecret)).body.geofences;
    expect(shown.userIds).toEqual(["ann"]);
    expect((await search(world, NEAR))[0]).not.toHaveProperty("userIds");
  });
});
