import { is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, it } from "vitest";
import * as schema from "../../../../src/worker/db/schema.ts";
import { del, eventually, get, makeWorld, post, put, sql } from "../../../support/world.ts";

const TABLES = Object.values<unknown>(schema)
  .filter((value) => is(value, SQLiteTable))
  .map((table) => getTableConfig(table as SQLiteTable))
  .filter(({ columns }) => columns.some(({ name }) => name === "scope"))
  .map(({ name }) => name);

/** Tables in which a row of a scope has a text in it. */
async function tablesWith(scope: number, text: string): Promise<string[]> {
  const found = await Promise.all(
    TABLES.map(async (name) => {
      const rows = await sql(`SELECT * FROM "${name}" WHERE scope = ?`, scope);
      return JSON.stringify(rows).includes(text) ? [name] : [];
    }),
  );
  return found.flat().sort();
}

it("deleting a user deletes everything about it, in every table, also trips that wait for it; nothing of anybody else", async () => {
  const names = ["track", "createTrip", "updateTrip", "deleteUser", "upsertGeofence", "getUser"];
  const world = await makeWorld({
    settings: {
      tracking: { regions: { country: false, state: false, dma: false, postalCode: false }, places: false },
      rateLimits: Object.fromEntries(names.map((name) => [name, 1000])),
    },
  });
  const { testPublishable: key, testSecret: secret } = world.keys;
  const scope = world.id * 2;
  const fence = { description: "Home", type: "circle", coordinates: [2, 1], radius: 100 };
  await put("/v1/geofences/home/one", secret, fence);
  const users: Record<string, string> = {};
  for (const name of ["ann-who-leaves", "bob-who-stays"]) {
    const update = {
      userId: name,
      deviceId: `phone-of-${name}`,
      latitude: 1,
      longitude: 2,
      accuracy: 5,
      foreground: true,
    };
    const trip = { userId: name, destinationGeofenceTag: "home", destinationGeofenceExternalId: "one" };
    expect((await post("/v1/trips", key, { ...trip, externalId: `made by ${name}` })).status).toBe(200);
    users[name] = (await post("/v1/track", key, update)).body.user._id;
    await post("/v1/track", key, { ...update, latitude: 1.0005, metadata: { of: name } });
    expect((await post("/v1/trips", key, { ...trip, externalId: `waits for ${name}` })).status).toBe(200);
  }
  const everywhere = ["event", "presence", "trip", "user"];
  for (const id of Object.values(users)) {
    await eventually(
      () => tablesWith(scope, id),
      (found) => everywhere.every((name) => found.includes(name)),
    );
  }
  const rowsOfBob = () =>
    Promise.all(everywhere.map((table) => sql(`SELECT count(*) AS n FROM ${table} WHERE scope = ?`, scope)));
  expect(await tablesWith(scope, "waits for ann-who-leaves")).toEqual(["trip"]);
  expect((await del("/v1/users/ann-who-leaves", secret)).status).toBe(200);
  expect(await tablesWith(scope, users["ann-who-leaves"])).toEqual([]);
  expect(await tablesWith(scope, "ann-who-leaves")).toEqual([]);
  // A drain that came late would bring it back.
  const before = await rowsOfBob();
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(await tablesWith(scope, "ann-who-leaves")).toEqual([]);
  expect(await rowsOfBob()).toEqual(before);
  expect((await get("/v1/users/bob-who-stays", secret)).body.user._id).toBe(users["bob-who-stays"]);
  expect(await tablesWith(scope, "waits for bob-who-stays")).toEqual(["trip"]);
  expect(await tablesWith(scope, users["bob-who-stays"])).toEqual(expect.arrayContaining(everywhere));
});
