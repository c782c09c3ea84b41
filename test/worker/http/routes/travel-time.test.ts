import { beforeAll, describe, expect, it } from "vitest";
import { type Ring, ringContains } from "../../../../src/core/geo/shapes/polygon.ts";
import { eventually, get, makeWorld, post, put, type World, withGeodata } from "../../../support/world.ts";

/** Streets of the demo world on both sides of its river, at the border of 49° N. */
const HOME = { latitude: 48.985, longitude: -111.23 };
const near = `${HOME.latitude},${HOME.longitude}`;

let world: World;
const limits = {
  track: 1000,
  searchUsers: 1000,
  matrix: 1000,
  createGeofence: 1000,
  optimize: 1000,
  upsertGeofence: 1000,
  listUsers: 1000,
};

/** Users on a grid around home, with their travel times by the matrix [minutes]. */
const places = Array.from({ length: 36 }, (_, i) => ({
  latitude: 48.975 + Math.floor(i / 6) * 0.007,
  longitude: -111.245 + (i % 6) * 0.013,
}));
const minutes: Record<string, number[]> = {};

beforeAll(async () => {
  await withGeodata("demo");
  world = await makeWorld({ settings: { rateLimits: limits } });
  const { testPublishable: key } = world.keys;
  for (const [i, place] of places.entries()) {
    const update = { deviceId: `d${i}`, userId: `u${i}`, accuracy: 5, ...place, metadata: { even: i % 2 === 0 } };
    expect((await post("/v1/track", key, update)).status).toBe(200);
  }
  // A user is in search within a second of its update, not with it.
  const known = await eventually(
    () => get("/v1/users?limit=100", world.keys.testSecret),
    ({ body }) => body.users?.length === places.length,
  );
  expect(known.body.users).toHaveLength(places.length);
  const destinations = places.map(({ latitude, longitude }) => `${latitude},${longitude}`).join("|");
  for (const mode of ["car", "foot"]) {
    const { body } = await get(`/v1/route/matrix?origins=${near}&destinations=${destinations}&mode=${mode}`, key);
    minutes[mode] = body.matrix[0].map(
      ({ duration }: { duration?: { value: number } }) => duration?.value ?? Number.POSITIVE_INFINITY,
    );
  }
});

describe("GET /v1/search/users by travel time", () => {
  const search = (query: string) => get(`/v1/search/users?near=${near}&${query}`, world.keys.testSecret);
  const numbersOf = (users: { userId: string }[]) => users.map(({ userId }) => Number(userId.slice(1)));

  it.each([
    ["car", 4],
    ["car", 10],
    ["foot", 30],
  ])("finds who is reached by %s within %d minutes, the nearest in time first", async (mode, radius) => {
    const { status, body } = await search(`mode=${mode}&radius=${radius}&limit=100`);
    expect(status).toBe(200);
    const found = numbersOf(body.users);
    const times = found.map((i) => minutes[mode][i]);
    expect(found.length).toBeGreaterThan(2);
    expect(Math.max(...times)).toBeLessThanOrEqual(radius);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    const missed = minutes[mode].flatMap((time, i) => (time <= radius && !found.includes(i) ? [i] : []));
    // Who stands more than 500 m off the road is not reached, though the matrix guesses from there.
    expect(missed.length).toBeLessThan(places.length / 4);
  });

  it("limits and filters as a search by distance does", async () => {
    const all = numbersOf((await search("mode=car&radius=10&limit=100")).body.users);
    const three = numbersOf((await search("mode=car&radius=10&limit=3")).body.users);
    expect(three).toEqual(all.slice(0, 3));
    const even = numbersOf((await search("mode=car&radius=10&limit=100&metadata[even]=true")).body.users);
    expect(even).toEqual(all.filter((i) => i % 2 === 0));
  });

  it("takes 1 to 60 minutes, and 100 to 10,000 metres without a mode", async () => {
    for (const query of ["mode=car&radius=0.5", "mode=car&radius=61", "radius=99", "radius=10001"]) {
      const { status, body } = await search(query);
      expect([query, status, body.meta.param]).toEqual([query, 400, "radius"]);
    }
    expect((await search("mode=motorbike&radius=10")).status).toBe(200);
  });

  it("says so where there is no road data", async () => {
    const { status, body } = await get("/v1/search/users?near=10,10&mode=car&radius=10", world.keys.testSecret);
    expect([status, body.meta.param]).toEqual([400, "mode"]);
  });
});

describe("an isochrone geofence", () => {
  const fence = (radius: number, mode = "car") => ({
    description: "Reach",
    type: "isochrone",
    tag: "reach",
    externalId: `${mode}-${radius}`,
    coordinates: [HOME.longitude, HOME.latitude],
    radius,
    mode,
  });
  const create = (body: Record<string, unknown>) => post("/v1/geofences", world.keys.testSecret, body);

  it("is the area one reaches in time, kept with its minutes", async () => {
    const { status, body } = await create(fence(4));
    expect(status).toBe(200);
    const { geometry, geometryCenter, geometryRadius, type, mode } = body.geofence;
    expect([type, mode, geometryRadius]).toEqual(["isochrone", "car", 4]);
    expect(geometryCenter.coordinates).toEqual([HOME.longitude, HOME.latitude]);
    const ring = geometry.coordinates[0] as Ring;
    expect(ring[0]).toEqual(ring[ring.length - 1]);
    expect(ringContains(ring, HOME.latitude, HOME.longitude)).toBe(true);
    const wrong: string[] = [];
    for (const { latitude, longitude } of places) {
      // Where the road to the place ends, for the places themselves may lie in a field.
      const answer = await get(
        `/v1/route/optimize?locations=${near}|${latitude},${longitude}`,
        world.keys.testPublishable,
      );
      const { duration, legs } = answer.body.route;
      const { endLocation } = legs[0];
      const inside = ringContains(ring, endLocation.latitude, endLocation.longitude);
      if (inside !== duration.value <= 4) wrong.push(`${duration.value} ${inside} ${JSON.stringify(endLocation)}`);
    }
    // An outline in 48 directions is no map: at its edge it may be wrong.
    expect(wrong.length <= 3 ? [] : wrong).toEqual([]);
  });

  it("grows with its minutes, and is looked at again when it is written again", async () => {
    const areaOf = (ring: Ring) =>
      Math.abs(ring.slice(1).reduce((sum, [x, y], i) => sum + ring[i][0] * y - x * ring[i][1], 0));
    const small = (await create(fence(3, "foot"))).body.geofence;
    const large = (await create(fence(12, "foot"))).body.geofence;
    expect(areaOf(large.geometry.coordinates[0])).toBeGreaterThan(4 * areaOf(small.geometry.coordinates[0]));
    const again = (await put("/v1/geofences/reach/foot-3", world.keys.testSecret, fence(12, "foot"))).body.geofence;
    expect(again._id).toBe(small._id);
    expect(again.geometry).toEqual(large.geometry);
  });

  it("is entered by who comes within reach", async () => {
    const tag = "near-home";
    await create({ ...fence(2, "car"), tag });
    const { testPublishable: key } = world.keys;
    const update = (place: object) => ({ deviceId: "visitor", accuracy: 5, foreground: true, ...place });
    await post("/v1/track", key, update({ latitude: 49.4, longitude: -110 }));
    const answer = await eventually(
      () => post("/v1/track", key, update(HOME)),
      ({ body }) => body.user?.geofences?.some((one: { tag: string }) => one.tag === tag),
      8000,
    );
    expect(answer.body.user.geofences.map((one: { tag: string }) => one.tag)).toContain(tag);
  });

  it("needs 1 to 60 minutes and a road", async () => {
    for (const radius of [0.5, 61]) {
      const { status, body } = await create(fence(radius));
      expect([status, body.meta.param]).toEqual([400, "radius"]);
    }
    const sea = await create({ ...fence(5), coordinates: [10, 10] });
    expect([sea.status, sea.body.meta.param]).toEqual([400, "type"]);
  });
});
