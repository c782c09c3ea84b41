import { beforeAll, describe, expect, it } from "vitest";
import { destination } from "../../../../src/core/geo/distance.ts";
import { type Effect, wireName } from "../../../conformance/effects/effect.ts";
import { EFFECTS } from "../../../conformance/effects/index.ts";
import * as geofences from "../../../conformance/effects/search-geofences.ts";
import { CHAIN_SETTINGS } from "../../../conformance/effects/search-places.ts";
import * as users from "../../../conformance/effects/search-users.ts";
import { PARAMETERS, type ParameterTable } from "../../../conformance/parameters.ts";
import { call, get, type Json, post, type World, withGeodata } from "../../../support/world.ts";
import { openWorld, plant } from "./open-world.ts";

/** What each parameter of tracking, context, beacons and searches changes: the same request with other values of one parameter. */

const MERIDALE = { latitude: 48.99, longitude: -111.2 };
const north = (metres: number) => destination(MERIDALE, 0, metres);
const east = (crowd: string, metres: number) => {
  const [latitude, longitude] = crowd.split(",").map(Number);
  return destination({ latitude, longitude }, 90, metres);
};
const POLES = { north: { latitude: 90, longitude: 180 }, south: { latitude: -90, longitude: -180 } };

const worlds: Record<string, World> = {};
beforeAll(async () => {
  await withGeodata("world");
  await withGeodata("demo");
  worlds.track = await trackWorld();
  worlds.context = await contextWorld();
  worlds.createBeacon = await openWorld();
  const search = await searchWorld();
  Object.assign(worlds, { searchUsers: search, searchGeofences: search, searchPlaces: search });
}, 240_000);

const circle = (externalId: string, at: { latitude: number; longitude: number }, more: Json = {}) => ({
  id: externalId,
  externalId,
  description: externalId,
  type: "circle",
  radius: 50,
  coordinates: [at.longitude, at.latitude],
  ...more,
});

/** A device that is known, and a geofence around the place of all updates. */
async function trackWorld(): Promise<World> {
  const world = await openWorld();
  await plant(world, [circle("office", MERIDALE, { radius: 100 })]);
  const known = { deviceId: "known", description: "Known", accuracy: 5, ...MERIDALE };
  expect((await post("/v1/track", world.keys.testSecret, known)).status).toBe(200);
  return world;
}

async function contextWorld(): Promise<World> {
  const world = await openWorld({}, true);
  await plant(world, [circle("everyone", MERIDALE), circle("ann", MERIDALE, { userIds: ["ann"] })]);
  return world;
}

/** Geofences and users at known distances, and more of them far away than a search shows. */
async function searchWorld(): Promise<World> {
  const world = await openWorld({ places: { ...CHAIN_SETTINGS, placeFilters: { chain: [], category: [] } } }, true);
  await plant(world, [
    ...geofences.FENCES_BY_DISTANCE.map(([metres, tag, team]) =>
      circle(`f${metres}`, north(metres), { tag, metadata: { team } }),
    ),
    ...Object.entries(POLES).map(([name, at]) => circle(name, at)),
    ...Array.from({ length: geofences.CROWD_SIZE }, (_, i) => circle(`crowd${i}`, east(geofences.CROWD, i))),
  ]);
  const user = (userId: string, at: object, more: Json = {}) => ({
    deviceId: `device of ${userId}`,
    userId,
    accuracy: 5,
    ...at,
    ...more,
  });
  const replays = [
    ...users.USERS_BY_DISTANCE.map(([metres, team]) => user(`u${metres}`, north(metres), { metadata: { team } })),
    ...Object.entries(POLES).map(([name, at]) => user(name, at)),
    ...Array.from({ length: users.CROWD_SIZE }, (_, i) => user(`c${i}`, east(users.CROWD, i))),
  ];
  // In small batches: one of all devices would be as much work as a request may be.
  for (let from = 0; from < replays.length; from += 10) {
    const batch = replays.slice(from, from + 10);
    const { body } = await post("/v1/track/replay", world.keys.testSecret, { replays: batch });
    expect([body.meta, body.accepted, body.rejected]).toEqual([{ code: 200 }, batch.length, []]);
  }
  return world;
}

let devices = 0;

async function ask({ endpoint, method, path, least }: ParameterTable, values: Json): Promise<Json> {
  // Each update is of a device that the Worker has not seen yet.
  const device = endpoint === "track" ? { deviceId: `device-${devices++}` } : {};
  const sent = Object.entries({ ...least, ...device, ...values }).filter(([, value]) => value !== undefined);
  const key = worlds[endpoint].keys.testSecret;
  const { status, body } =
    method === "POST"
      ? await call("POST", path, { key, json: Object.fromEntries(sent) })
      : await get(`${path}?${new URLSearchParams(sent.map(([name, value]) => [name, String(value)]))}`, key);
  expect([values, status, body.meta]).toEqual([values, 200, { code: 200 }]);
  return body;
}

describe.each(EFFECTS)("the parameters of $endpoint", ({ endpoint, effects }) => {
  const table = PARAMETERS.find((one) => one.endpoint === endpoint) as ParameterTable;

  it.each(effects)("$parameter changes $changes", async ({ parameter, beside, view, shows }: Effect) => {
    const name = wireName(parameter);
    const seen: unknown[] = [];
    for (const [value] of shows) {
      seen.push([value, view(await ask(table, { ...beside, [name]: value }))]);
    }
    expect(seen).toEqual(shows);
  });
});
