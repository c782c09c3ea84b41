import { beforeAll, expect, it, vi } from "vitest";
import { type EventRow, newestFirst } from "../../../src/core/archive/event-row.ts";
import { archiveRound, deleteEvent, deleteTracked, EventReader, findEvent, platform, verifyEvent } from "./platform.ts";
import { DAY, seeded, someRows, TYPES } from "./rows.ts";

/** Days of a finished month become objects of the month: nothing is lost, nothing doubled, nothing that was deleted comes back, whatever happens meanwhile. */

// Rounds tell the log what they did.
beforeAll(() => {
  for (const method of ["log", "error"] as const) vi.spyOn(console, method).mockReturnValue();
  return () => vi.restoreAllMocks();
});

const SCOPE = 2;
const AUGUST = Date.UTC(2024, 7, 1) / DAY;
const TODAY = AUGUST + 64;
const NOW = TODAY * DAY + 5 * 3600_000;
const HOUR = 3600_000;
/** So few that a month takes several objects, and these several rounds. */
const SMALL = { objects: 2, reads: 1000, rows: 14 };
const EVERY_KILL = process.env.EVERY_KILL === "1";
const NOTHING = { objects: 0, reads: 0, rows: 1 };

function world(rows: EventRow[]) {
  const made = platform();
  made.failFrom(Infinity);
  made.database.prepare("INSERT INTO project (id, name, created_at) VALUES (1, 'p', 1)").run();
  const insert = made.database.prepare("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?)");
  for (const { id, type, user, time, doc } of rows) insert.run(SCOPE, id, type, user, time, doc);
  const count = (from: string) => Number(made.database.prepare(`SELECT count(*) AS n FROM ${from}`).get()?.n);
  return { ...made, count };
}

const inAugust = (each: number, days: number, users = 5) =>
  Array.from({ length: days }, (_, i) =>
    someRows(each, { day: AUGUST + 3 + i, seed: i + 1, users, spread: 5000 }),
  ).flat();

/** The same in the last seconds of their days. */
const atNight = (rows: EventRow[]) => rows.map((row) => ({ ...row, time: row.time + DAY - 6000 }));

async function allOf(env: unknown, question: object = {}, page = 97): Promise<EventRow[]> {
  const reader = new EventReader(env, SCOPE, question);
  const rows: EventRow[] = [];
  for (;;) {
    const some = await reader.next(page);
    rows.push(...some);
    if (some.length < page) return rows;
  }
}

/** By everybody, and by each user. */
async function everyList(env: unknown, rows: EventRow[]): Promise<EventRow[][]> {
  const users = [...new Set(rows.map(({ user }) => user))].sort();
  return Promise.all([allOf(env), ...users.map((record) => allOf(env, { records: [record] }))]);
}
function expectedLists(rows: EventRow[], all = rows): EventRow[][] {
  const users = [...new Set(all.map(({ user }) => user))].sort();
  const sorted = rows.toSorted(newestFirst);
  return [sorted, ...users.map((user) => sorted.filter((row) => row.user === user))];
}

async function roundsUntilQuiet(env: unknown, from = NOW): Promise<number> {
  let [rounds, merged] = [0, 1];
  for (; merged > 0 || rounds < 3; rounds++) ({ merged } = await archiveRound(env, from + rounds * HOUR, SMALL));
  return rounds;
}

it("days of a month that is over become objects of the month by users; days by types stay, and days of other months", async () => {
  const september = someRows(20, { day: TODAY - 20, seed: 99, users: 5 });
  const rows = [...inAugust(9, 5), ...september];
  const { env, objects, count, database } = world(rows);
  await roundsUntilQuiet(env);
  expect(await everyList(env, rows)).toEqual(expectedLists(rows));
  expect(count("archive_month")).toBeGreaterThan(2);
  expect(count("archive_merge")).toBe(0);
  expect(count("archive_part WHERE users = '[]'")).toBe(5);
  // The days' objects by users go, an hour after.
  await archiveRound(env, NOW + 30 * HOUR, SMALL);
  const months = [...objects.keys()].filter((key) => key.includes("/month=2024-08/users-"));
  expect(months.length).toBe(count("archive_month"));
  expect(objects.size).toBe(months.length + 5 + 2);
  expect(count("archive_object")).toBe(0);
  const { bytes } = database
    .prepare("SELECT (SELECT sum(bytes) FROM archive_part) + (SELECT sum(bytes) FROM archive_month) AS bytes")
    .get() as { bytes: number };
  expect(bytes).toBe([...objects.values()].reduce((sum, { length }) => sum + length, 0));
  for (const { id, doc } of rows) expect(await findEvent(env, SCOPE, id)).toBe(doc);
});

// Of some calls one, here and where something is deleted, and with EVERY_KILL=1 all.
it("a round that is killed at any of its calls, while it merges, loses and doubles nothing", async () => {
  const rows = inAugust(7, 4, 3);
  const expected = expectedLists(rows);
  const prepared = async () => {
    const made = world(rows);
    await archiveRound(made.env, NOW, NOTHING);
    return made;
  };
  const ALL = { ...SMALL, objects: 9 };
  const whole = await prepared();
  whole.failFrom(Infinity);
  expect(await archiveRound(whole.env, NOW, ALL)).toMatchObject({ merged: 3, failed: 0 });
  const calls = whole.calls();
  expect(calls).toBeGreaterThan(60);
  for (let at = EVERY_KILL ? 1 : 2; at <= calls; at += EVERY_KILL ? 1 : 9) {
    const { env, failFrom, objects, count } = await prepared();
    failFrom(at);
    await archiveRound(env, NOW, ALL).catch(() => {});
    failFrom(Infinity);
    expect([at, await everyList(env, rows)]).toEqual([at, expected]);
    for (const hours of [1, 3, 5]) await archiveRound(env, NOW + hours * HOUR, ALL);
    expect([at, await everyList(env, rows)]).toEqual([at, expected]);
    expect([at, objects.size, count("archive_part"), count("archive_month")]).toEqual([at, 4 + 3, 4, 3]);
  }
}, 60_000);

it("what is deleted or confirmed while its month is being merged is so afterwards, at whichever call it happens", async () => {
  const rows = inAugust(8, 4, 4);
  const gone = rows[3];
  const forgotten = rows.find(({ user }) => user !== gone.user)?.user ?? "";
  const told = rows.find(({ user, id }) => user !== forgotten && id !== gone.id) ?? gone;
  const left = rows.filter(({ id, user }) => id !== gone.id && user !== forgotten);
  for (let at = 1; ; at += EVERY_KILL ? 1 : 5) {
    const { env, count } = world(rows);
    await archiveRound(env, NOW, NOTHING);
    const bindings = env as { DB: { batch(statements: unknown[]): Promise<unknown>; prepare(text: string): unknown } };
    const { batch } = bindings.DB;
    let batches = 0;
    bindings.DB.batch = async (statements) => {
      if (++batches === at) {
        bindings.DB.batch = batch;
        await deleteEvent(env, SCOPE, gone.id);
        await verifyEvent(env, SCOPE, told.id, 1, undefined);
        await deleteTracked(bindings.DB, SCOPE, forgotten);
        // What another round makes of it, for every other call: it is written out before this one goes on.
        if (at % 2 === 0) await archiveRound(env, NOW, NOTHING);
      }
      return batch(statements);
    };
    await archiveRound(env, NOW, { ...SMALL, objects: 9 });
    if (batches < at) break;
    const check = async () => {
      const lists = await everyList(env, rows);
      const expected = expectedLists(left, rows);
      expect([at, lists.map((list) => list.map(({ id }) => id))]).toEqual([
        ...[at, expected.map((list) => list.map(({ id }) => id))],
      ]);
      expect(JSON.parse((await findEvent(env, SCOPE, told.id)) ?? "{}").verification).toBe(1);
      expect(await findEvent(env, SCOPE, gone.id)).toBeUndefined();
    };
    await check();
    for (const hours of [1, 2, 3, 40, 80]) await archiveRound(env, NOW + hours * HOUR, { ...SMALL, objects: 9 });
    await check();
    expect([at, count("archive_forgotten"), count("archive_change"), count("archive_merge")]).toEqual([at, 0, 0, 0]);
    expect(count("archive_part WHERE users = '[]'")).toBe(4);
  }
}, 60_000);

it("two rounds at once merge a month once, at whichever call the other comes", async () => {
  const rows = inAugust(6, 4, 3);
  for (let at = 1; ; at += EVERY_KILL ? 1 : 2) {
    const { env, count } = world(rows);
    await archiveRound(env, NOW, NOTHING);
    const bindings = env as { DB: { batch(statements: unknown[]): Promise<unknown> } };
    const { batch } = bindings.DB;
    let batches = 0;
    bindings.DB.batch = async (statements) => {
      if (++batches === at) await archiveRound({ ...(env as object), DB: { ...bindings.DB, batch } }, NOW, SMALL);
      return batch(statements);
    };
    await archiveRound(env, NOW, SMALL);
    bindings.DB.batch = batch;
    if (batches < at) break;
    expect([at, await everyList(env, rows)]).toEqual([at, expectedLists(rows)]);
    await roundsUntilQuiet(env, NOW + HOUR);
    expect([at, await everyList(env, rows)]).toEqual([at, expectedLists(rows)]);
    expect([at, count("archive_part WHERE users = '[]'"), count("archive_merge")]).toEqual([at, 4, 0]);
  }
}, 60_000);

it("a list, a count and an _id whose parts are being listed when a merge ends miss nothing", async () => {
  // So many days with one user that their parts are listed in several queries.
  const rows = Array.from({ length: 75 }, (_, i) =>
    someRows(1, { day: AUGUST - 45 + i, seed: i + 1, users: 1, spread: 5000 }),
  ).flat();
  const [{ user }] = rows;
  const oldest = rows[0];
  const asked: [string, (env: unknown) => Promise<unknown>, unknown][] = [
    ["list", (env) => allOf(env, { records: [user] }, 200), rows.toSorted(newestFirst)],
    ["count", (env) => new EventReader(env, SCOPE, { records: [user] }).count(), rows.length],
    ["_id", (env) => findEvent(env, SCOPE, oldest.id), oldest.doc],
  ];
  for (const [what, ask, expected] of asked) {
    const { env, count } = world(rows);
    await archiveRound(env, NOW, NOTHING);
    const bindings = env as { DB: { batch(statements: { text?: string }[]): Promise<unknown> } };
    const { batch } = bindings.DB;
    let listings = 0;
    bindings.DB.batch = async (statements) => {
      // A listing asks for days, months and the number of merges; the second comes when the months have been merged.
      if (statements.length === 3 && ++listings === (what === "_id" ? 2 : 3)) {
        bindings.DB.batch = batch;
        await roundsUntilQuiet(env);
        expect(count("archive_part WHERE users = '[]'")).toBeGreaterThan(60);
      }
      return batch(statements);
    };
    expect([what, await ask(env)]).toEqual([what, expected]);
    expect(listings).toBeGreaterThan(1);
  }
});

it("a user with more events of one millisecond than an object may have is merged, and parted", async () => {
  const rows = inAugust(300, 4, 1).map((row, i) => ({ ...row, time: AUGUST * DAY + Math.floor(i / 300) * DAY + 7 }));
  const { env, count } = world(rows);
  const merging = { objects: 40, reads: 1000, rows: 100 };
  for (let i = 0; i < 4; i++) await archiveRound(env, NOW + i * HOUR, merging);
  expect([count("archive_merge"), count("archive_part WHERE users = '[]'")]).toEqual([0, 4]);
  expect(count("archive_month WHERE rows > 100")).toBe(0);
  expect(await everyList(env, rows)).toEqual(expectedLists(rows));
});

it("a project's retention takes the days of a merged month one by one, and the objects at last", async () => {
  const rows = atNight(inAugust(6, 5));
  const { env, database, count, objects } = world(rows);
  await roundsUntilQuiet(env);
  const days = [...new Set(rows.map(({ time }) => Math.floor(time / DAY)))];
  for (const [i, day] of days.entries()) {
    const kept = JSON.stringify({ retention: { events: TODAY - day - 1 } });
    database.prepare("UPDATE project SET settings = ?").run(kept);
    await archiveRound(env, NOW + i * 3 * HOUR, SMALL);
    const left = rows.filter(({ time }) => time >= (day + 1) * DAY);
    expect([i, await everyList(env, rows)]).toEqual([i, expectedLists(left, rows)]);
  }
  await archiveRound(env, NOW + 20 * HOUR, SMALL);
  expect([count("archive_part"), count("archive_month"), objects.size]).toEqual([0, 0, 0]);
});

it("a merge some days of which are outlived before it ends goes on with those that are left", async () => {
  const rows = atNight(inAugust(8, 6));
  const { env, database, count, objects } = world(rows);
  await archiveRound(env, NOW, NOTHING);
  expect((await archiveRound(env, NOW, SMALL)).merged).toBe(2);
  database.prepare(`UPDATE project SET settings = '{"retention":{"events":${TODAY - AUGUST - 5}}}'`).run();
  const left = rows.filter(({ time }) => time >= (AUGUST + 5) * DAY);
  for (let i = 1; i < 9; i++) {
    await archiveRound(env, NOW + i * 2 * HOUR, SMALL);
    expect([i, await everyList(env, rows)]).toEqual([i, expectedLists(left, rows)]);
  }
  expect([count("archive_part WHERE users = '[]'"), count("archive_merge")]).toEqual([4, 0]);
  expect(objects.size).toBe(4 + count("archive_month"));
});

it("a merge that has lost events is given up, and begins anew", async () => {
  const rows = inAugust(8, 4);
  const { env, database, count, objects } = world(rows);
  await archiveRound(env, NOW, NOTHING);
  expect((await archiveRound(env, NOW, SMALL)).merged).toBe(2);
  database.exec("DELETE FROM archive_month WHERE id = (SELECT max(id) FROM archive_month)");
  let failed = 0;
  for (let i = 1; i < 9; i++) {
    failed += (await archiveRound(env, NOW + i * 2 * HOUR, SMALL)).failed;
    expect([i, await everyList(env, rows)]).toEqual([i, expectedLists(rows)]);
  }
  expect([failed, count("archive_part WHERE users = '[]'"), count("archive_merge")]).toEqual([1, 4, 0]);
  // But for the object of the row that was deleted by hand.
  expect(objects.size).toBe(4 + count("archive_month") + 1);
});

it("pages of any question are those of a simple list while months are merged, with late events and deletions", async () => {
  const random = seeded(11);
  const pick = (n: number) => Math.floor(random() * n);
  let rows = Array.from({ length: 12 }, (_, i) =>
    someRows(5 + pick(60), { day: AUGUST - 12 + 3 * i, seed: i + 1, users: 12, spread: 1 + pick(3000) }),
  ).flat();
  const { env, database, count } = world(rows);
  const insert = database.prepare("INSERT OR IGNORE INTO event VALUES (?, ?, ?, ?, ?, ?)");
  for (let round = 0; round < 14; round++) {
    await archiveRound(env, NOW + round * HOUR, { objects: 3, reads: 1000, rows: 60 });
    const late = someRows(2, { day: AUGUST - 12 + 3 * pick(12), seed: 500 + round, users: 12, spread: 3000 });
    for (const { id, type, user, time, doc } of late) insert.run(SCOPE, id, type, user, time, doc);
    rows = [...rows, ...late];
    const { id } = rows[pick(rows.length)];
    if (round % 3 === 0) {
      await deleteEvent(env, SCOPE, id);
      rows = rows.filter((row) => row.id !== id);
    }
    for (let ask = 0; ask < 4; ask++) {
      const someone = rows[pick(rows.length)];
      const question = {
        ...(random() < 0.4 && { createdBefore: someone.time }),
        ...(random() < 0.4 && { createdAfter: rows[pick(rows.length)].time }),
        ...(random() < 0.3 && { types: [TYPES[pick(4)], TYPES[pick(4)]] }),
        ...(random() < 0.8 && { records: [someone.user] }),
      };
      const { createdBefore = Infinity, createdAfter = -1, types = TYPES, records } = question;
      const expected = rows
        .filter((row) => row.time < createdBefore && row.time > createdAfter && types.includes(row.type))
        .filter((row) => !records || records.includes(row.user))
        .toSorted(newestFirst);
      expect(await allOf(env, question, 5 + pick(50))).toEqual(expected);
    }
  }
  expect(count("archive_month")).toBeGreaterThan(6);
});
