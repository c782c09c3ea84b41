import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cellAt, cellRange } from "../../../src/core/geo/cells/cells.ts";
import { USER_CELL_RESOLUTION, type UserWrite } from "../../../src/worker/db/customers/writes.ts";
import {
  addCounts,
  beaconPositions,
  beaconsBySignal,
  type Count,
  countUsers,
  type Database,
  findUser,
  findUserRecords,
  listUsers,
  recordsOfUser,
  refreshStatistics,
  startD1,
  storeTracked,
  userPositions,
} from "../../bench/support/local-d1.ts";
import { seededRandom } from "../../bench/support/random.ts";
import { samples } from "../../support/night.ts";

const DAY = 24 * 3600_000;
const HERE = { latitude: 48.2, longitude: 16.37 };
const FAR = { latitude: 48.4, longitude: 16.37 };

let started: Awaited<ReturnType<typeof startD1>>;
let db: Database;

const OLD = 8;

beforeAll(async () => {
  started = await startD1({
    migration: "0010_areas.sql",
    async write(old) {
      await old
        .prepare(
          `INSERT INTO user (scope, id, device_id, latitude, longitude, cell, version, created_at, updated_at, doc, day)
           SELECT ?1, 'old' || value, 'd', ?2, ?3, ?4, 1, 5, ?5 + value, '{"_id":"old' || value || '","geofences":{}}', CAST(?5 + value AS INTEGER) / ${DAY} FROM json_each('[1,2,3]')`,
        )
        .bind(OLD, HERE.latitude, HERE.longitude, cellAt(HERE, 9), 19_999 * DAY)
        .run();
    },
  });
  db = started.db;
});

afterAll(() => started?.stop());

let ids = 0;
/** @param been where it has been before */
function user(
  over: Partial<
    Pick<UserWrite, "id" | "version" | "since" | "active"> & {
      at: number;
      location: typeof HERE;
      been: (typeof HERE)[];
      userId: string;
      inside: string[];
    }
  >,
) {
  const {
    id = `u${++ids}`,
    version = 1,
    at = 20_000 * DAY + 5,
    location = HERE,
    been = [],
    userId,
    inside = [],
  } = over;
  const geofences = Object.fromEntries(inside.map((fence) => [fence, {}]));
  const doc = { _id: id, userId, deviceId: `d-${id}`, createdAt: 5, updatedAt: at, location, geofences, version };
  const areas = [location, ...been].map((at) => cellAt(at, USER_CELL_RESOLUTION));
  const { since = version, active } = over;
  return {
    scope: 2,
    id,
    version,
    since,
    active,
    doc: JSON.stringify(doc),
    cell: areas[0],
    areas,
  } satisfies UserWrite;
}

const areasOf = async (id: string) =>
  (await db.prepare("SELECT cell FROM user_area WHERE user = ? ORDER BY 1").bind(id).all()).results.map(
    ({ cell }) => cell,
  );
const everywhere = [-90, 90] as const;
const rowOf = (id: string) =>
  db
    .prepare("SELECT version, day, cell, user_id, doc FROM user WHERE id = ?")
    .bind(id)
    .first<Record<string, unknown>>();

describe("what an update of a user writes to the database", () => {
  it.each([
    ["nothing but the position", {}, 1],
    ["the day", { at: 20_001 * DAY }, 2],
    ["an area it has not been in", { location: FAR, been: [HERE] }, 2],
    ["an area, in place of another", { location: FAR }, 2],
    ["the userId", { userId: "anna" }, 3],
  ])("is counted by what changes: %s", async (_, change, rows) => {
    const first = user({});
    await storeTracked(db, [first], []);
    started.written();
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
    expect(await areasOf(first.id)).toEqual([...next.areas].sort((a, b) => a - b));
  });

  it("is one row on the way between areas that are known, and a search finds it where it is", async () => {
    const first = user({ been: [FAR], at: 20_000 * DAY });
    await storeTracked(db, [first], []);
    started.written();
    await storeTracked(db, [user({ id: first.id, version: 2, location: FAR, been: [HERE], since: 1 })], []);
    expect(started.written()).toBe(1);
    const around = (at: typeof HERE) => [cellRange(cellAt(at, USER_CELL_RESOLUTION))];
    const found = async (at: typeof HERE) =>
      (await userPositions(db, 2, around(at), [at.latitude - 0.01, at.latitude + 0.01], undefined)).map(({ id }) => id);
    expect(await found(FAR)).toContain(first.id);
    expect(await found(HERE)).not.toContain(first.id);
  });

  it("is nothing when it arrives again, or late", async () => {
    const [old, now] = [user({ inside: ["a"] }), user({})];
    const newer = user({ id: old.id, version: 2, location: FAR, inside: ["a", "b"], at: 20_001 * DAY });
    await storeTracked(db, [old, now], []);
    await storeTracked(db, [newer], []);
    started.written();
    await storeTracked(db, [newer, now], []);
    expect(started.written()).toBe(0);
    expect(await areasOf(old.id)).toEqual(newer.areas);
    expect((await rowOf(old.id))?.version).toBe(2);
  });

  it("is one row for a geofence that is entered, one for one that is left, and none for those it stays in", async () => {
    const first = user({ inside: ["a", "b"] });
    await storeTracked(db, [first], []);
    started.written();
    await storeTracked(db, [user({ id: first.id, version: 2, inside: ["b", "c"] })], []);
    expect(started.written()).toBe(1 + 1 + 1);
    const { results } = await db
      .prepare("SELECT geofence FROM presence WHERE user = ? ORDER BY 1")
      .bind(first.id)
      .all();
    expect(results.map(({ geofence }) => geofence)).toEqual(["b", "c"]);
  });
});

describe("an update that changes nothing beside the row", () => {
  it("is written in full where the database has not seen what it is the same as", async () => {
    const first = user({});
    await storeTracked(db, [first], []);
    // The second version, in which it moved and entered a geofence, was lost with a machine.
    const third = user({ id: first.id, version: 3, since: 2, location: FAR, been: [HERE], inside: ["a"] });
    await storeTracked(db, [third], []);
    expect((await rowOf(first.id))?.version).toBe(3);
    expect(await areasOf(first.id)).toEqual([...third.areas].sort((a, b) => a - b));
    const { results } = await db.prepare("SELECT geofence FROM presence WHERE user = ?").bind(first.id).all();
    expect(results).toEqual([{ geofence: "a" }]);
    const unknown = user({ version: 5, since: 2 });
    await storeTracked(db, [unknown], []);
    expect((await rowOf(unknown.id))?.version).toBe(5);
  });
});

describe("what is counted", () => {
  it("is told once: an event when it is new, a user in an hour in which it was not active yet", async () => {
    const hour = (20_000 * DAY) / 3600_000;
    const first = user({ active: hour });
    const event = (id: string) => ({
      scope: 2,
      doc: JSON.stringify({ _id: id, type: "t", createdAt: 20_000 * DAY + 1, user: { _id: first.id } }),
    });
    expect(await storeTracked(db, [first], [event("e1"), event("e2")])).toEqual([
      { scope: 2, kind: "user", name: "25", hour, count: 1 },
      { scope: 2, kind: "event", name: "t", hour, count: 2 },
    ]);
    const later = user({ id: first.id, version: 2, at: 20_000 * DAY + 3 * 3600_000, active: hour + 3 });
    expect(await storeTracked(db, [first, later], [event("e2"), event("e3")])).toEqual([
      { scope: 2, kind: "user", name: "3", hour: hour + 3, count: 1 },
      { scope: 2, kind: "event", name: "t", hour, count: 1 },
    ]);
    expect(await storeTracked(db, [later], [event("e3")])).toEqual([]);
  });

  it("adds up by scope, day, kind and name, however many hours are written at once", async () => {
    const one = { scope: 6, kind: "event", name: "t" } as const;
    await addCounts(db, [
      { ...one, hour: 48, count: 2 },
      { ...one, hour: 49, count: 1 },
    ]);
    await addCounts(db, [
      { ...one, hour: 49, count: 5 },
      { ...one, hour: 72, count: 1 },
    ]);
    const { results } = await db.prepare("SELECT day, hours FROM stat WHERE scope = 6 ORDER BY day").all();
    expect(results).toEqual([
      { day: 2, hours: '{"h0":2,"h1":6}' },
      { day: 3, hours: '{"h0":1}' },
    ]);
  });
});

describe("users that an earlier release has written", () => {
  it("are found by their finer cell, listed in their order, and get areas and day with the next update", async () => {
    const young = { ...user({ id: "young", at: 20_002 * DAY }), scope: OLD };
    await storeTracked(db, [young], []);
    const around = [cellRange(cellAt(HERE, USER_CELL_RESOLUTION))];
    const found = await userPositions(db, OLD, around, everywhere, undefined);
    expect(found.map(({ id }) => id).sort()).toEqual(["old1", "old2", "old3", "young"]);
    const listed = await listUsers(db, OLD, { limit: 3 });
    expect(listed.docs.map((doc) => JSON.parse(doc)._id)).toEqual(["young", "old3", "old2"]);
    const before = await listUsers(db, OLD, { limit: 3, updatedBefore: 19_999 * DAY + 3 });
    expect(before.docs.map((doc) => JSON.parse(doc)._id)).toEqual(["old2", "old1"]);
    await storeTracked(db, [{ ...user({ id: "old1", version: 2, at: 20_003 * DAY }), scope: OLD }], []);
    const { day } = (await rowOf("old1")) as Record<string, unknown>;
    expect([day, await areasOf("old1")]).toEqual([20_003, [cellAt(HERE, USER_CELL_RESOLUTION)]]);
  });
});

/** How SQLite goes about what a function asks. */
async function plansOf(ask: (db: Database) => Promise<unknown>): Promise<string[]> {
  const asked: string[] = [];
  const listening = {
    prepare(sql: string) {
      asked.push(sql);
      return db.prepare(sql);
    },
    batch: (statements) => db.batch(statements),
  } as Database;
  await ask(listening);
  const steps: string[] = [];
  for (const sql of asked) {
    const plan = await db.prepare(`EXPLAIN QUERY PLAN ${sql.replaceAll("?", "1")}`).all<{ detail: string }>();
    steps.push(...plan.results.map(({ detail }) => detail));
  }
  return steps;
}

/** Reads all of a scope, or all there is. */
const READS_ALL = /\(scope=\?\)|^SCAN (?!area|json_each|CONSTANT ROW|\(subquery)/;
const area = [cellRange(cellAt(HERE, USER_CELL_RESOLUTION))];

describe("what is asked with each request reads no whole scope, though SQLite knows nothing of its size:", () => {
  it.each<[string, (db: Database) => Promise<unknown>]>([
    ["a user by any name", (one) => findUser(one, 2, "ann")],
    ["the records of a name", (one) => findUserRecords(one, 2, "ann")],
    ["the records of a userId", (one) => recordsOfUser(one, 2, "ann")],
    ["users near a place", (one) => userPositions(one, 2, area, [-90, 90], undefined)],
    ["beacons near a place", (one) => beaconPositions(one, 2, area)],
    ["whether a user was active before", (one) => countUsers(one, [{ scope: 2, id: "u1", userId: "ann", hour: 9 }])],
    ["beacons by signal", (one) => beaconsBySignal(one, 2, ["ibeacon:a:1:2"])],
  ])("%s", async (_, ask) => {
    const steps = await plansOf(ask);
    expect(steps.length).toBeGreaterThan(0);
    expect(steps.filter((step) => READS_ALL.test(step))).toEqual([]);
  });

  it("the rest once it was counted", async () => {
    const numbers = JSON.stringify(Array.from({ length: 2_000 }, (_, n) => n));
    await db.batch([
      db
        .prepare(
          `INSERT INTO event (scope, id, type, user, created_at, doc)
           SELECT 9, 'e' || value, 'x', 'u' || (value / 4), value, '{}' FROM json_each(?1)`,
        )
        .bind(numbers),
    ]);
    const ofUser = "SELECT id FROM event WHERE scope = ? AND user IN ('u1', 'u2') ORDER BY created_at DESC, id DESC";
    const ask = (one: Database) => one.prepare(ofUser).bind(9).all();
    await refreshStatistics(db);
    expect((await plansOf(ask))[0]).toContain("event_user (scope=? AND user=?");
  });
});

describe("active users", () => {
  it("counts a person once an hour and once a day, on however many devices, as sets do", async () => {
    const random = seededRandom(58);
    const day = 30_000 * 24;
    // Seven devices of three people and one of nobody: hours go on, some in one batch.
    const owners = ["ann", "ann", "ann", "bob", "bob", "cid", undefined];
    const active = new Map<number, Set<string>>();
    const counts: Count[] = [];
    for (let [hour, n] = [day, 0]; hour < day + 48; hour += Math.floor(random() * 3)) {
      const some = owners.filter(() => random() < 0.3).length;
      const batch = Array.from({ length: some }, () => {
        const device = Math.floor(random() * owners.length);
        const [id, userId] = [`person-${device}`, owners[device]];
        active.set(hour, (active.get(hour) ?? new Set()).add(userId ?? id));
        return user({ id, userId, version: ++n, at: hour * 3600_000 + n, active: hour });
      });
      counts.push(...(await storeTracked(db, batch, [])).filter(({ kind }) => kind === "user"));
    }
    const sum = (some: readonly Count[]) => some.reduce((total, { count }) => total + count, 0);
    for (let hour = day; hour < day + 48; hour++)
      expect([hour, sum(counts.filter((one) => one.hour === hour))]).toEqual([hour, active.get(hour)?.size ?? 0]);
    for (const start of [day, day + 24]) {
      const people = Array.from({ length: 24 }, (_, i) => [...(active.get(start + i) ?? [])]).flat();
      const first = counts.filter(
        ({ hour, name }) => hour >= start && hour < start + 24 && Number(name) > hour - start,
      );
      expect(sum(first)).toBe(new Set(people).size);
    }
  });
});

describe("several versions of a user in one batch", () => {
  const whole = async (id: string) => {
    const { scope: _, ...row } = (await db.prepare("SELECT * FROM user WHERE id = ?").bind(id).first()) as Record<
      string,
      unknown
    >;
    const inside = await db.prepare("SELECT geofence FROM presence WHERE user = ? ORDER BY 1").bind(id).all();
    return { row: { ...row, id: "", device_id: "", doc: "" }, areas: await areasOf(id), inside: inside.results };
  };
  /** Versions of one user; each changes some of what the database stores outside the row. */
  function versionsOf(id: string, random: () => number): UserWrite[] {
    let [change, since] = [{}, 1];
    return Array.from({ length: 2 + Math.floor(random() * 4) }, (_, i) => {
      const version = i + 1;
      const more = [
        { userId: "ann" },
        { userId: "bob" },
        { at: 20_001 * DAY },
        { location: FAR },
        { inside: ["home"] },
        { inside: [] },
      ];
      if (random() < 0.6) {
        change = { ...change, ...more[Math.floor(random() * more.length)] };
        since = version;
      }
      return user({ id, version, since, ...change });
    });
  }

  it("leaves what the same versions leave one by one", async () => {
    const random = seededRandom(22);
    for (let n = 0; n < samples(12, 60); n++) {
      const seed = random();
      const draw = () => seededRandom(Math.floor(seed * 1e9));
      const [one, other] = [`s${n}`, `t${n}`].map((id) => versionsOf(id, draw()));
      for (const version of one) await storeTracked(db, [version], []);
      const cut = Math.floor(random() * other.length);
      const batches = [other.slice(0, cut), other.slice(cut)].map((batch) =>
        random() < 0.3 ? batch.reverse() : batch,
      );
      for (const batch of batches) await storeTracked(db, batch, []);
      expect(await whole(other[0].id)).toEqual(await whole(one[0].id));
    }
  });
});
