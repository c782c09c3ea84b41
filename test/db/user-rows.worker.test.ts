import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { USER_CELL_RESOLUTION, type UserWrite } from "../../src/db/writes.ts";
import { cellAt, cellRange } from "../../src/geo/cells.ts";
import { type Database, listUsers, startD1, storeTracked, userPositions } from "../bench/local-d1.ts";

const DAY = 24 * 3600_000;
const HERE = { latitude: 48.2, longitude: 16.37 };
const FAR = { latitude: 48.4, longitude: 16.37 };

let started: Awaited<ReturnType<typeof startD1>>;
let db: Database;

beforeAll(async () => {
  started = await startD1();
  db = started.db;
}, 60_000);

afterAll(() => started?.stop());

let ids = 0;
function user(
  over: Partial<{ id: string; version: number; at: number; location: typeof HERE; userId: string; inside: string[] }>,
) {
  const { id = `u${++ids}`, version = 1, at = 20_000 * DAY + 5, location = HERE, userId, inside = [] } = over;
  const geofences = Object.fromEntries(inside.map((fence) => [fence, {}]));
  const doc = { _id: id, userId, deviceId: `d-${id}`, createdAt: 5, updatedAt: at, location, geofences, version };
  return {
    ...{ scope: 2, id, version, moved: true, doc: JSON.stringify(doc) },
    cell: cellAt(location, USER_CELL_RESOLUTION),
  } satisfies UserWrite;
}

const rowOf = (id: string) =>
  db
    .prepare("SELECT version, day, cell, user_id, doc FROM user WHERE id = ?")
    .bind(id)
    .first<Record<string, unknown>>();

describe("what an update of a user writes to the database", () => {
  it.each([
    ["nothing but the position", {}, 1],
    ["the day", { at: 20_001 * DAY }, 2],
    ["the cell", { location: FAR }, 2],
    ["the userId", { userId: "anna" }, 3],
  ])("is counted by what changes: %s", async (_, change, rows) => {
    const first = user({});
    await storeTracked(db, [first], []);
    const next = user({ id: first.id, version: 2, ...change });
    await storeTracked(db, [next], []);
    expect(started.written()).toBe(rows);
    const { version, day, cell, user_id, doc } = (await rowOf(first.id)) as Record<string, unknown>;
    const told = JSON.parse(next.doc);
    expect([version, day, cell, user_id]).toEqual([
      2,
      Math.floor(told.updatedAt / DAY),
      next.cell,
      told.userId ?? null,
    ]);
    expect(JSON.parse(doc as string)).toEqual(told);
  });

  it("is nothing when it arrives again, or late", async () => {
    const [old, now] = [user({ inside: ["a"] }), user({})];
    const newer = user({ id: old.id, version: 2, location: FAR, inside: ["a", "b"], at: 20_001 * DAY });
    await storeTracked(db, [old, now], []);
    await storeTracked(db, [newer], []);
    await storeTracked(db, [newer, now], []);
    expect(started.written()).toBe(0);
    await storeTracked(db, [{ ...old, moved: false }], []);
    expect(started.written()).toBe(0);
    expect((await rowOf(old.id))?.version).toBe(2);
  });

  it("is two rows for a geofence that is entered, one for one that is left, and none for those it stays in", async () => {
    const first = user({ inside: ["a", "b"] });
    await storeTracked(db, [first], []);
    await storeTracked(db, [user({ id: first.id, version: 2, inside: ["b", "c"] })], []);
    expect(started.written()).toBe(1 + 2 + 1);
    const { results } = await db
      .prepare("SELECT geofence FROM presence WHERE user = ? ORDER BY 1")
      .bind(first.id)
      .all();
    expect(results.map(({ geofence }) => geofence)).toEqual(["b", "c"]);
  });
});

describe("users that an earlier release has written", () => {
  it("are found by their finer cell, listed in their order, and get cell and day with the next update", async () => {
    const scope = 8;
    await db
      .prepare(
        `INSERT INTO user (scope, id, device_id, latitude, longitude, cell, version, created_at, updated_at, doc, day)
         SELECT ?1, 'old' || value, 'd', ?2, ?3, ?4, 1, 5, ?5 + value, '{"_id":"old' || value || '"}', CAST(?5 + value AS INTEGER) / ${DAY} FROM json_each('[1,2,3]')`,
      )
      .bind(scope, HERE.latitude, HERE.longitude, cellAt(HERE, 9), 19_999 * DAY)
      .run();
    const young = { ...user({ id: "young", at: 20_002 * DAY }), scope };
    await storeTracked(db, [young], []);
    const around = [cellRange(cellAt(HERE, USER_CELL_RESOLUTION))];
    const found = await userPositions(db, scope, around, undefined);
    expect(found.map(({ id }) => id).sort()).toEqual(["old1", "old2", "old3", "young"]);
    const listed = await listUsers(db, scope, { limit: 3 });
    expect(listed.docs.map((doc) => JSON.parse(doc)._id)).toEqual(["young", "old3", "old2"]);
    const before = await listUsers(db, scope, { limit: 3, updatedBefore: 19_999 * DAY + 3 });
    expect(before.docs.map((doc) => JSON.parse(doc)._id)).toEqual(["old2", "old1"]);
    await storeTracked(db, [{ ...user({ id: "old1", version: 2, at: 20_003 * DAY }), scope }], []);
    const { cell, day } = (await rowOf("old1")) as Record<string, unknown>;
    expect([cell, day]).toEqual([cellAt(HERE, USER_CELL_RESOLUTION), 20_003]);
  });
});
