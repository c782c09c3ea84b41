import { expect, inject, it } from "vitest";
import { fillDemoData } from "../../src/demo/day/fill.ts";
import { PEOPLE } from "../../src/demo/day/people.ts";
import { isNight } from "../support/night.ts";
import { eventually, get, type Json, makeWorld, sql, withGeodata } from "../support/world.ts";

/** By day, a third of all, of every role. */
const people = isNight ? PEOPLE : PEOPLE.filter((_, index) => index % 3 === 1);

it("a project is filled with a month of people up to now, and filled again there is still one month", async () => {
  await withGeodata("demo");
  const names = ["track", "directions", "upsertGeofence", "upsertBeacon", "deleteUser", "updateTrip"];
  const rateLimits = Object.fromEntries([...names, "setUserSegments", "logConversion"].map((name) => [name, 10_000]));
  const world = await makeWorld({ geodata: true, settings: { rateLimits } });
  const key = world.keys.testSecret;
  const count = async (table: string) => {
    const [{ rows }] = await sql<{ rows: number }>(
      `SELECT count(*) AS rows FROM ${table} WHERE scope = ?`,
      world.id * 2,
    );
    return rows;
  };
  const fill = async () => {
    const shares: number[] = [];
    const day = await fillDemoData(
      { baseUrl: inject("baseUrl"), key, now: Date.now(), callsPerSecond: 10_000, people },
      (share) => shares.push(share),
    );
    expect([shares.toSorted((a, b) => a - b), shares.at(-1)]).toEqual([shares, expect.closeTo(1, 9)]);
    await eventually(
      () => count("user"),
      (users) => users === day.people,
    );
    return day;
  };
  const begun = Date.now();
  const day = await fill();
  const halfway = (begun + Date.now()) / 2;
  expect(day).toMatchObject({ people: people.length, trips: expect.any(Number), updates: expect.any(Number) });
  expect([day.updates > 100 * people.length, day.trips > 2 * people.length]).toEqual([true, true]);
  const [fences, beacons, trips] = await Promise.all(["geofence", "beacon", "trip"].map(count));
  expect([fences, beacons, trips]).toEqual([30, 6, day.trips]);
  const { users } = (await get("/v1/users?limit=100", key)).body;
  expect(users.map(({ description }: Json) => description).sort()).toEqual(people.map(({ name }) => name).sort());
  // Who is under way was there just now, however long it took.
  expect(Math.max(...users.map(({ updatedAt }: Json) => Date.parse(String(updatedAt))))).toBeGreaterThan(halfway);
  const statuses = new Set((await get("/v1/trips?limit=500", key)).body.trips.map(({ status }: Json) => status));
  expect([...statuses]).toEqual(expect.arrayContaining(["started", "completed", "canceled"]));
  const types = await sql<{ type: string }>("SELECT DISTINCT type FROM event WHERE scope = ?", world.id * 2);
  expect(types.map(({ type }) => type)).toEqual(
    expect.arrayContaining([
      ...["user.entered_geofence", "user.exited_geofence", "user.dwelled_in_geofence", "user.entered_place"],
      ...["user.entered_beacon", "user.started_trip", "user.arrived_at_trip_destination", "bought"],
      "user.started_idling",
    ]),
  );
  const bodyOf = async (path: string) => (await get(path, key)).body;
  const { campaigns } = await bodyOf("/v1/campaigns");
  const segments = await eventually(
    async () => (await bodyOf("/v1/segments")).segments as Json[],
    (all) => all.every(({ size }) => Number(size) > 0),
  );
  expect([campaigns.length, segments.length]).toEqual([3, 3]);
  const jobs = await eventually(
    async () => (await bodyOf("/v1/geocode/jobs")).jobs as Json[],
    ([job]) => job?.status === "finished",
  );
  expect(jobs).toMatchObject([{ total: expect.any(Number), filename: "customers.csv" }]);
  // Nothing starts before it was created.
  for (const { createdAt, startedAt } of (await bodyOf("/v1/trips?limit=500")).trips)
    expect(startedAt === undefined || startedAt >= createdAt).toBe(true);
  const [first] = await sql<{ at: number }>("SELECT min(created_at) AS at FROM event WHERE scope = ?", world.id * 2);
  const [oldest] = await sql<{ at: number }>("SELECT min(created_at) AS at FROM user WHERE scope = ?", world.id * 2);
  expect(first.at).toBeGreaterThanOrEqual(oldest.at);
  expect(Date.now() - first.at).toBeGreaterThan(20 * 86_400_000);
  const [{ spread }] = await sql<{ spread: number }>(
    "SELECT max(created_at) - min(created_at) AS spread FROM event WHERE scope = ? AND type = 'user.stopped_trip'",
    world.id * 2,
  );
  expect(spread).toBeGreaterThan(3600_000);
  const again = await fill();
  expect([again.updates, again.trips]).toEqual([day.updates, day.trips]);
  expect(await Promise.all(["geofence", "beacon", "trip", "user", "meeting"].map(count))).toEqual([
    30,
    6,
    day.trips,
    people.length,
    1,
  ]);
}, 240_000);
