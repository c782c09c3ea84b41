import { beforeAll, expect, it, vi } from "vitest";
import { type EventRow, newestFirst } from "../../../src/core/archive/event-row.ts";
import {
  archiveRound,
  deleteEvent,
  deleteTracked,
  EventReader,
  findEvent,
  movedBefore,
  platform,
  verifyEvent,
} from "./platform.ts";
import { DAY, seeded, someRows, TYPES, userName } from "./rows.ts";

/** Rounds that end anywhere, and what happens between two steps of one: nothing is lost, nothing doubled, nothing that was deleted comes back. */

// Rounds tell the log what they did.
beforeAll(() => {
  for (const method of ["log", "error"] as const) vi.spyOn(console, method).mockReturnValue();
  return () => vi.restoreAllMocks();
});

const SCOPE = 2;
const TODAY = 20_000;
const NOW = TODAY * DAY + 5 * 3600_000;

function world(rows: EventRow[]) {
  const made = platform();
  made.database.prepare("INSERT INTO project (id, name, created_at) VALUES (1, 'p', 1)").run();
  const insert = made.database.prepare("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?)");
  for (const { id, type, user, time, doc } of rows) insert.run(SCOPE, id, type, user, time, doc);
  return made;
}

const DAYS = [TODAY - 1, TODAY - 8, TODAY - 9, TODAY - 20];
const someDays = (each: number) =>
  DAYS.flatMap((day, i) => someRows(each, { day, seed: i + 1, users: 9, spread: 5000 }));

async function allOf(env: unknown, question: object = {}, page = 97): Promise<EventRow[]> {
  const reader = new EventReader(env, SCOPE, question);
  const rows: EventRow[] = [];
  for (;;) {
    const some = await reader.next(page);
    rows.push(...some);
    if (some.length < page) return rows;
  }
}

it("a round that is killed at any of its calls loses and doubles nothing, whether the call was made or its answer lost", async () => {
  const rows = someDays(10);
  const expected = rows.toSorted(newestFirst);
  const whole = world(rows);
  whole.failFrom(Infinity);
  expect(await archiveRound(whole.env, NOW)).toMatchObject({ moved: 30, failed: 0 });
  const calls = whole.calls();
  expect(calls).toBeGreaterThan(40);
  // By day one call in five.
  for (let at = 1; at <= calls; at += process.env.EVERY_KILL ? 1 : 5) {
    const { env, failFrom, objects, database } = world(rows);
    failFrom(at);
    await archiveRound(env, NOW).catch(() => {});
    failFrom(Infinity);
    expect([at, await allOf(env)]).toEqual([at, expected]);
    await archiveRound(env, NOW + 3600_000);
    expect([at, await allOf(env)]).toEqual([at, expected]);
    // What no part names goes with a later round.
    await archiveRound(env, NOW + 3 * 3600_000);
    const [{ n }] = database.prepare("SELECT count(*) AS n FROM archive_part").all() as { n: number }[];
    expect([at, objects.size, n]).toEqual([at, 6, 3]);
  }
}, 60_000);

it("what is deleted or confirmed while its day is being moved is so afterwards, at whichever call it happens", async () => {
  const rows = someRows(60, { day: TODAY - 9, users: 4 });
  const [gone, told] = [rows[3], rows.find(({ user }) => user !== rows[3].user && user !== rows[4].user) ?? rows[5]];
  const forgotten = rows[4].user;
  for (let at = 1; ; at += process.env.EVERY_KILL ? 1 : 2) {
    const { env, failFrom, calls, database } = world(rows);
    failFrom(Infinity);
    const bindings = env as { DB: { batch(statements: unknown[]): Promise<unknown>; prepare(text: string): unknown } };
    const { batch } = bindings.DB;
    let batches = 0;
    bindings.DB.batch = async (statements) => {
      if (++batches === at) {
        await deleteEvent(env, SCOPE, gone.id);
        await verifyEvent(env, SCOPE, told.id, 1, undefined);
        await deleteTracked({ ...bindings.DB, batch }, SCOPE, forgotten);
      }
      return batch(statements);
    };
    await archiveRound(env, NOW);
    if (batches < at) break;
    bindings.DB.batch = batch;
    const check = async () => {
      const left = await allOf(env);
      const expected = rows.filter(({ id, user }) => id !== gone.id && user !== forgotten).toSorted(newestFirst);
      expect([at, left.map(({ id }) => id)]).toEqual([at, expected.map(({ id }) => id)]);
      expect(JSON.parse((await findEvent(env, SCOPE, told.id)) ?? "{}").verification).toBe(1);
      expect(await findEvent(env, SCOPE, gone.id)).toBeUndefined();
    };
    await check();
    for (const hours of [1, 2, 30, 60]) await archiveRound(env, NOW + hours * 3600_000);
    await check();
    expect(database.prepare("SELECT * FROM archive_forgotten").all()).toEqual([]);
    expect(database.prepare("SELECT * FROM archive_change").all()).toEqual([]);
    expect(calls()).toBeGreaterThan(0);
  }
}, 60_000);

it("two rounds move the same events once, also where these arrive again between them", async () => {
  const rows = someRows(12, { day: TODAY - 9, users: 3 });
  const { env, failFrom, database } = world(rows);
  failFrom(Infinity);
  const bindings = env as { DB: { batch(statements: unknown[]): Promise<unknown> } };
  const { batch } = bindings.DB;
  const moved = () => Number(database.prepare("SELECT coalesce(sum(rows), 0) AS n FROM archive_part").get()?.n);
  const insert = database.prepare("INSERT INTO event VALUES (?, ?, ?, ?, ?, ?)");
  // The other round comes when this one is about to note its objects, and when it is about to note its part.
  let batches = 0;
  bindings.DB.batch = async (statements) => {
    if (++batches > 2) return batch(statements);
    const before = bindings.DB.batch;
    bindings.DB.batch = batch;
    await archiveRound(env, NOW);
    for (const { id, type, user, time, doc } of rows) insert.run(SCOPE, id, type, user, time, doc);
    bindings.DB.batch = before;
    return batch(statements);
  };
  await archiveRound(env, NOW);
  expect(batches).toBeGreaterThan(1);
  expect(moved()).toBe(rows.length);
  bindings.DB.batch = batch;
  await archiveRound(env, NOW);
  expect([moved(), await allOf(env), database.prepare("SELECT * FROM event").all()]).toEqual([
    ...[rows.length, rows.toSorted(newestFirst), []],
  ]);
});

it.each([
  [undefined, 7],
  ["", 7],
  [" 2 ", 2],
  ["off", undefined],
  ["seven", undefined],
  ["-1", undefined],
])("ARCHIVE_AFTER_DAYS %j moves what is older than %s days", (text, days) => {
  const before = movedBefore({ ARCHIVE_AFTER_DAYS: text }, NOW);
  expect(before).toBe(days === undefined ? undefined : (TODAY - days) * DAY);
});

it("pages of any question over both are those of a simple list, in drawn worlds of late and repeated events and deletions", async () => {
  const random = seeded(7);
  const pick = (n: number) => Math.floor(random() * n);
  for (let draw = 0; draw < 3; draw++) {
    let rows = DAYS.flatMap((day, i) =>
      someRows(1 + pick(250), { day, seed: 10 * draw + i, users: 1 + pick(30), spread: 1 + pick(3000) }),
    );
    const { env, failFrom, database } = world(rows);
    failFrom(Infinity);
    await archiveRound(env, NOW);
    // Some that the archive has arrive again, and others late.
    const insert = database.prepare("INSERT OR IGNORE INTO event VALUES (?, ?, ?, ?, ?, ?)");
    const late = someRows(20, { day: TODAY - 9, seed: 500 + draw, users: 5, spread: 3000 });
    for (const { id, type, user, time, doc } of [...late, ...rows.filter(() => random() < 0.05)])
      insert.run(SCOPE, id, type, user, time, doc);
    rows = [...rows, ...late];
    for (let i = 0; i < 3; i++) {
      const { id } = rows[pick(rows.length)];
      await deleteEvent(env, SCOPE, id);
      // One that had arrived again is in both, and goes from both.
      rows = rows.filter((row) => row.id !== id);
    }
    for (let turn = 0; turn < 2; turn++) {
      for (let ask = 0; ask < 5; ask++) {
        const someone = rows[pick(rows.length)];
        const question = {
          ...(random() < 0.4 && { createdBefore: someone.time }),
          ...(random() < 0.4 && { createdAfter: rows[pick(rows.length)].time }),
          ...(random() < 0.4 && { types: [TYPES[pick(4)], TYPES[pick(4)]] }),
          ...(random() < 0.4 && { records: [someone.user] }),
        };
        const { createdBefore = Infinity, createdAfter = -1, types = TYPES, records } = question;
        const expected = rows
          .filter((row) => row.time < createdBefore && row.time > createdAfter && types.includes(row.type))
          .filter((row) => !records || records.includes(row.user))
          .toSorted(newestFirst);
        expect(await allOf(env, question, 5 + pick(200))).toEqual(expected);
      }
      await archiveRound(env, NOW + 3600_000);
    }
    expect((await allOf(env, { records: [userName(999)] })).length).toBe(0);
  }
}, 60_000);
