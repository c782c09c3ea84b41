import { beforeAll, describe, expect, it } from "vitest";
import { control, eventually, get, makeWorld, post, put, sql, type World } from "../../../support/world.ts";

/** What the hourly round deletes, for a project with the defaults and one with its own times. */

const DAY = 24 * 3600 * 1000;
const NOW = Date.now();
const HERE = { latitude: 12, longitude: 34 };
/** Whatever geodata is live, a first update enters the geofence and nothing else. */
const NO_GEODATA = { regions: { country: false, state: false, dma: false, postalCode: false }, places: false };
let usual: World;
let short: World;
let patient: World;

/** A user of a world who made one event, both of an age [days]. */
async function aged(world: World, deviceId: string, days: number): Promise<{ user: string; event: string }> {
  const body = { deviceId, ...HERE, accuracy: 5, foreground: true };
  const answer = await post("/v1/track", world.keys.testPublishable, body);
  const made = { user: answer.body.user._id as string, event: answer.body.events[0]._id as string };
  const rows = (table: string, id: string) =>
    sql(`SELECT id FROM ${table} WHERE scope = ? AND id = ?`, world.id * 2, id);
  await eventually(
    async () => [...(await rows("user", made.user)), ...(await rows("event", made.event))],
    (found) => found.length === 2,
  );
  const at = NOW - days * DAY;
  await sql("UPDATE user SET updated_at = ?, day = ? WHERE id = ?", at, Math.floor(at / DAY), made.user);
  await sql("UPDATE event SET created_at = ? WHERE id = ?", NOW - days * DAY, made.event);
  return made;
}
const usersOf = async (world: World) =>
  (await sql<{ device_id: string }>("SELECT device_id FROM user WHERE scope = ? ORDER BY 1", world.id * 2)).map(
    ({ device_id }) => device_id,
  );
const eventsOf = (world: World) => sql("SELECT id FROM event WHERE scope = ?", world.id * 2);
const round = () => control("scheduled", { now: NOW });

beforeAll(async () => {
  usual = await makeWorld();
  short = await makeWorld({
    settings: { tracking: NO_GEODATA, retention: { users: 30, events: 5 } },
  });
  patient = await makeWorld({
    settings: { tracking: NO_GEODATA, retention: { users: 3650, events: 3650 } },
  });
  for (const world of [usual, short, patient]) {
    const fence = { description: "Home", type: "circle", coordinates: [HERE.longitude, HERE.latitude], radius: 100 };
    await put("/v1/geofences/home/one", world.keys.testSecret, fence);
  }
});

describe("the hourly round", () => {
  it("deletes users and events after a year, and what belongs to them, unless the project says otherwise", async () => {
    const gone = await aged(usual, "old", 366);
    await aged(usual, "young", 364);
    await aged(short, "old", 31);
    await aged(short, "fading", 20);
    await aged(short, "young", 4);
    await aged(patient, "old", 3000);
    await round();
    expect([await usersOf(usual), await usersOf(short), await usersOf(patient)]).toEqual([
      ["young"],
      ["fading", "young"],
      ["old"],
    ]);
    expect([(await eventsOf(usual)).length, (await eventsOf(short)).length, (await eventsOf(patient)).length]).toEqual([
      1, 1, 1,
    ]);
    expect(await sql("SELECT * FROM presence WHERE scope = ? AND user = ?", usual.id * 2, gone.user)).toEqual([]);
    // The device's tracker has forgotten, too: who comes back is somebody new, and enters anew.
    // A device may report once a second.
    const again = { deviceId: "old", ...HERE, accuracy: 5, foreground: true };
    const back = await eventually(
      () => post("/v1/track", usual.keys.testPublishable, again),
      ({ status }) => status === 200,
    );
    expect(back.body.user._id).not.toBe(gone.user);
    expect(back.body.events).toHaveLength(1);
    expect((await get("/v1/users/young", usual.keys.testSecret)).status).toBe(200);
  });

  it("deletes in pieces: thousands of old events are gone after one round", async () => {
    const scope = short.id * 2 + 1;
    await sql(
      `INSERT INTO event SELECT ?1, 'old' || value, 'x', 'nobody', ?2 - value, '{}' FROM (
         WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 3500) SELECT value FROM n)`,
      scope,
      NOW - 6 * DAY,
    );
    await sql("INSERT INTO event VALUES (?, 'young', 'x', 'nobody', ?, '{}')", scope, NOW - 4 * DAY);
    await round();
    expect(await sql("SELECT id FROM event WHERE scope = ?", scope)).toEqual([{ id: "young" }]);
  });

  it("deletes trips that have ended after ninety days, with where they went, and positions after seven", async () => {
    const scope = usual.id * 2;
    const trip = async (id: string, status: string, days: number) => {
      const at = NOW - days * DAY;
      await sql(
        `INSERT INTO trip (scope, id, external_id, status, delayed, version, created_at, updated_at, doc)
         VALUES (?, ?, ?, ?, 0, 1, ?, ?, json_object('createdAt', ?, 'updatedAt', ?))`,
        ...[scope, id, id, status, at, NOW, at, NOW],
      );
      await sql("INSERT INTO trip_location VALUES (?, ?, ?, 1, 2, 3)", scope, id, NOW - DAY);
    };
    await trip("old", "completed", 91);
    await trip("young", "completed", 89);
    await trip("under way", "started", 91);
    const went = (days: number) =>
      sql("INSERT INTO trip_location VALUES (?, 'young', ?, 1, 2, 3)", scope, NOW - days * DAY);
    await went(8);
    await went(6);
    await sql("INSERT INTO trip_location VALUES (?, 'patient', ?, 1, 2, 3)", patient.id * 2, NOW - 8 * DAY);
    await sql(
      "UPDATE project SET settings = json_set(settings, '$.retention.locations', 100) WHERE id = ?",
      patient.id,
    );
    await round();
    expect(await sql("SELECT id FROM trip WHERE scope = ? ORDER BY id", scope)).toEqual([
      { id: "under way" },
      { id: "young" },
    ]);
    expect(await sql("SELECT trip, at FROM trip_location WHERE scope = ? ORDER BY trip, at", scope)).toEqual([
      { trip: "under way", at: NOW - DAY },
      { trip: "young", at: NOW - 6 * DAY },
      { trip: "young", at: NOW - DAY },
    ]);
    expect(await sql("SELECT trip FROM trip_location WHERE scope = ?", patient.id * 2)).toHaveLength(1);
  });

  it("deletes dead letters after thirty days", async () => {
    const insert = (id: string, days: number) =>
      sql(
        "INSERT INTO dead_letter VALUES (?, 'hook', ?, NULL, '[]', '{}', 10, 'No.', 1, ?)",
        usual.id * 2,
        id,
        NOW - days * DAY,
      );
    await insert("old", 31);
    await insert("young", 29);
    await round();
    expect(await sql("SELECT id FROM dead_letter WHERE scope = ?", usual.id * 2)).toEqual([{ id: "young" }]);
  });
});
