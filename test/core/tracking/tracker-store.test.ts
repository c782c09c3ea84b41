import { describe, expect, it } from "vitest";
import type { TrackEvent } from "../../../src/core/tracking/types/event.ts";
import type { UserState } from "../../../src/core/tracking/types/state.ts";
import { TrackerStore } from "../../../src/worker/objects/tracker/tracker-store.ts";
import { memorySql } from "../../bench/support/sqlite.ts";

const HERE = { latitude: 48.2, longitude: 16.37 };
/** About a kilometre in latitude [°]. */
const KM = 1 / 111;

function state(over: Partial<UserState> = {}): UserState {
  return {
    ...{
      _id: "00ff",
      live: false,
      deviceId: "d",
      createdAt: 1,
      updatedAt: 1,
      actualUpdatedAt: 1,
      chronology: 1,
      seq: 0,
    },
    ...{
      location: HERE,
      locationAccuracy: 5,
      geofences: {},
      left: {},
      regions: {},
      regionChanges: {},
      nearbyChains: {},
    },
    ...over,
  } as UserState;
}

const event = (n: number, size = 10) =>
  ({
    _id: `00ff${n}`,
    type: "user.entered_geofence",
    user: { _id: "00ff" },
    pad: "x".repeat(size),
  }) as unknown as TrackEvent;
const idsOf = (store: TrackerStore) =>
  store.unstored(2, 100)?.events.map(({ doc }) => (JSON.parse(doc) as TrackEvent)._id) ?? [];
const tablesOf = (sql: ReturnType<typeof memorySql>) =>
  sql
    .exec("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    .toArray()
    .map(({ name }) => name);
const tables = (sql: ReturnType<typeof memorySql>) => ({
  rows: sql.exec("SELECT count(*) AS n FROM state").toArray()[0].n,
  outbox: tablesOf(sql).includes("outbox") ? sql.exec("SELECT count(*) AS n FROM outbox").toArray()[0].n : 0,
});

describe("what a tracker keeps", () => {
  it("is one row per user, with the events that wait", () => {
    const sql = memorySql();
    const store = new TrackerStore(sql);
    store.save(state(), [event(1), event(2)]);
    store.save(state({ updatedAt: 2 }), [event(3)]);
    expect(tables(sql)).toEqual({ rows: 1, outbox: 0 });
    expect(idsOf(store)).toEqual(["00ff1", "00ff2", "00ff3"]);
    expect(idsOf(new TrackerStore(sql))).toEqual(["00ff1", "00ff2", "00ff3"]);
  });

  it("loses the events that have arrived with the next write, and only those", () => {
    const sql = memorySql();
    const store = new TrackerStore(sql);
    store.save(state(), [event(1)]);
    const due = store.unstored(2, 100);
    store.save(state({ updatedAt: 2 }), [event(2)]);
    store.confirm((due as NonNullable<typeof due>).confirm);
    expect(idsOf(store)).toEqual(["00ff2"]);
    store.save(state({ updatedAt: 3 }), []);
    expect(idsOf(new TrackerStore(sql))).toEqual(["00ff2"]);
  });

  it("retains events whose handover failed although later ones arrived, also after a restart", () => {
    const sql = memorySql();
    const store = new TrackerStore(sql);
    const handOver = (n: number, size?: number) => {
      store.save(state({ updatedAt: n }), [event(n, size)]);
      return store.handOver(2, 100)!.confirm;
    };
    handOver(1);
    const second = handOver(2);
    store.takeBack();
    store.confirm(second);
    expect(idsOf(store)).toEqual(["00ff1"]);
    expect(store.handOver(2, 100)!.events.map(({ doc }) => JSON.parse(doc)._id)).toEqual(["00ff1"]);
    // Events that are too long for their user's row have rows of their own.
    store.takeBack();
    handOver(3, 9_000);
    const fourth = handOver(4, 9_000);
    store.confirm(fourth);
    store.save(state({ updatedAt: 5 }), []);
    expect(idsOf(store)).toEqual(["00ff1", "00ff3"]);
    expect(idsOf(new TrackerStore(sql))).toEqual(expect.arrayContaining(["00ff1", "00ff3"]));
  });

  it("forgets what has arrived when the alarm rings, as the next update may come to an object that has slept", () => {
    const sql = memorySql();
    let store = new TrackerStore(sql);
    store.save(state(), [event(1)]);
    const due = store.unstored(2, 100);
    store.noteArrived();
    expect(idsOf(new TrackerStore(sql))).toEqual(["00ff1"]);
    store.confirm((due as NonNullable<typeof due>).confirm);
    store.noteArrived();
    store = new TrackerStore(sql);
    expect([store.unstored(2, 100), store.hasUrgent(), store.isStored("00ff")]).toEqual([undefined, false, true]);
    store.save(state({ updatedAt: 2 }), [event(2)]);
    expect(idsOf(new TrackerStore(sql))).toEqual(["00ff2"]);
  });

  it("keeps its order through an hour without database, when the events no longer fit into the row", () => {
    const sql = memorySql();
    const store = new TrackerStore(sql);
    const ids: string[] = [];
    for (let n = 1; n <= 40; n++) {
      store.save(state({ updatedAt: n }), [event(n, 700)]);
      ids.push(`00ff${n}`);
    }
    expect(Number(tables(sql).outbox)).toBeGreaterThan(10);
    expect(idsOf(store)).toEqual(ids);
    const again = new TrackerStore(sql);
    expect(idsOf(again)).toEqual(ids);
    for (let due = again.unstored(2, 7); due; due = again.unstored(2, 7)) again.confirm(due.confirm);
    again.save(state({ updatedAt: 41 }), []);
    expect(tables(sql)).toEqual({ rows: 1, outbox: 0 });
    expect(idsOf(new TrackerStore(sql))).toEqual([]);
  });

  it("forgets the events of a user that is deleted, and no others", () => {
    const sql = memorySql();
    const store = new TrackerStore(sql);
    store.save(state(), [event(1)]);
    const other = { ...event(2), user: { _id: "0aaa" } } as TrackEvent;
    store.save(state({ _id: "0aaa", userId: "b" }), [other]);
    store.remove("00ff");
    expect(idsOf(store)).toEqual(["00ff2"]);
    expect(idsOf(new TrackerStore(sql))).toEqual(["00ff2"]);
  });
});

describe("an event that is deleted", () => {
  it.each([
    ["in its user's row, with others", 10],
    ["in a row of its own", 9_000],
  ])("is gone after a restart, %s, also if it has arrived", (_, size) => {
    for (const arrived of [false, true]) {
      const sql = memorySql();
      const store = new TrackerStore(sql);
      store.save(state(), [event(1, size), event(2, size)]);
      store.save(state({ updatedAt: 2 }), [event(3, size)]);
      const due = store.unstored(2, 100);
      if (arrived && due) store.confirm(due.confirm);
      store.forgetEvent("00ff2");
      store.forgetEvent("00ff3");
      store.forgetEvent("00ff9");
      const left = arrived ? [] : ["00ff1"];
      expect([idsOf(store), idsOf(new TrackerStore(sql))]).toEqual([left, left]);
      store.save(state({ updatedAt: 3 }), [event(4)]);
      expect(idsOf(new TrackerStore(sql))).toEqual([...left, "00ff4"]);
      store.remove("00ff");
      expect(idsOf(new TrackerStore(sql))).toEqual([]);
    }
  });

  it("of a user without a state is gone too", () => {
    const sql = memorySql();
    const store = new TrackerStore(sql);
    store.keepEvents([event(1)]);
    store.keepEvents([event(2)]);
    store.forgetEvent("00ff1");
    expect([idsOf(store), idsOf(new TrackerStore(sql))]).toEqual([["00ff2"], ["00ff2"]]);
  });
});

describe("the cell by which a user is found", () => {
  const cellOf = (store: TrackerStore) => store.unstored(2, 100)?.users[0].cell;

  it("stays while the user is within three kilometres of its centre, also over a restart, and changes beyond", () => {
    const sql = memorySql();
    let store = new TrackerStore(sql);
    store.save(state(), []);
    const cell = cellOf(store);
    for (const km of [0.5, 1, -1, 1.4]) {
      store.save(state({ location: { ...HERE, latitude: HERE.latitude + km * KM } }), []);
      expect(cellOf(store)).toBe(cell);
      store = new TrackerStore(sql);
    }
    store.save(state({ location: { ...HERE, latitude: HERE.latitude + 5 * KM } }), []);
    expect(cellOf(store)).not.toBe(cell);
  });

  it("is said to be as it was before, with the same day, userId and geofences", () => {
    const store = new TrackerStore(memorySql());
    const settled = (change: Partial<UserState>) => {
      store.save(state(change), []);
      const due = store.unstored(2, 100) as NonNullable<ReturnType<typeof store.unstored>>;
      store.confirm(due.confirm);
      return due.users[0].since < due.users[0].version;
    };
    expect(settled({})).toBe(false);
    expect(settled({ updatedAt: 5 })).toBe(true);
    expect(settled({ updatedAt: 25 * 3600_000 })).toBe(false);
    expect(settled({ updatedAt: 26 * 3600_000, userId: "anna" })).toBe(false);
    expect(settled({ updatedAt: 27 * 3600_000, userId: "anna" })).toBe(true);
    expect(settled({ updatedAt: 28 * 3600_000, userId: "anna", geofences: { a: {} } as never })).toBe(false);
  });

  it("is remembered over a sleep, as one of those it has had: home and work are known after a day", () => {
    const sql = memorySql();
    const far = { ...HERE, latitude: HERE.latitude + 8 * KM };
    let time = 0;
    const settled = (location: typeof HERE) => {
      const store = new TrackerStore(sql);
      store.save(state({ location, updatedAt: ++time }), []);
      const due = store.unstored(2, 100) as NonNullable<ReturnType<typeof store.unstored>>;
      store.confirm(due.confirm);
      return [due.users[0].since < due.users[0].version, due.users[0].areas.length];
    };
    expect(settled(HERE)).toEqual([false, 1]);
    expect(settled(far)).toEqual([false, 2]);
    expect(settled(far)).toEqual([true, 2]);
    expect(settled(HERE)).toEqual([true, 2]);
  });

  it("goes, when there are six, in place of the one where the user was longest ago", () => {
    const store = new TrackerStore(memorySql());
    const areas = (km: number) => {
      store.save(state({ location: { ...HERE, latitude: HERE.latitude + km * KM } }), []);
      return store.unstored(2, 100)?.users[0].areas ?? [];
    };
    const [home] = areas(0);
    const [second] = areas(10);
    for (const km of [20, 30, 40, 50]) areas(km);
    areas(0);
    const all = areas(60);
    expect([all.length, all.includes(home), all.includes(second)]).toEqual([6, true, false]);
  });
});

describe("the tables of a tracker", () => {
  it("are one for a new device, and the others when they have something to hold", () => {
    const sql = memorySql();
    const store = new TrackerStore(sql);
    store.save(state(), [event(1)]);
    expect(store.answerTo("key", 1)).toBeUndefined();
    expect([...store.history.pages("00ff", 0, 10)]).toEqual([]);
    store.forgetUpdates(5);
    store.remove("0aaa");
    expect(tablesOf(sql)).toEqual(["state"]);
    store.keepEvents([event(2)]);
    store.keepAnswer("key", 1, "answer");
    expect(tablesOf(sql)).toEqual(["answer", "outbox", "state"]);
    const again = new TrackerStore(sql);
    expect(idsOf(again)).toEqual(["00ff1", "00ff2"]);
    expect(again.answerTo("key", 1)).toBe("answer");
  });
});

describe("a tracker of an earlier release", () => {
  it.each([
    ["with its history", ", tail TEXT NOT NULL DEFAULT ''"],
    ["of before there was one", ""],
  ])("%s goes on with its users and events", (_, tail) => {
    const sql = memorySql();
    sql.exec(
      `CREATE TABLE user (id TEXT PRIMARY KEY, version INTEGER NOT NULL, stored INTEGER NOT NULL, doc TEXT NOT NULL, last TEXT${tail}) WITHOUT ROWID`,
    );
    sql.exec("CREATE TABLE outbox (n INTEGER PRIMARY KEY, doc TEXT NOT NULL)");
    for (const id of ["00ff", "0aaa"])
      sql.exec(
        "INSERT INTO user (id, version, stored, doc) VALUES (?, 7, 6, ?)",
        id,
        JSON.stringify(state({ _id: id })),
      );
    sql.exec("INSERT INTO outbox VALUES (4, ?)", JSON.stringify([event(1)]));
    const store = new TrackerStore(sql);
    expect(store.states().map(({ _id }) => _id)).toEqual(["00ff", "0aaa"]);
    expect(idsOf(store)).toEqual(["00ff1"]);
    store.save(state({ updatedAt: 9 }), [event(2)]);
    expect(store.unstored(2, 100)?.users.map(({ version }) => version)).toEqual([8, 7]);
    const again = new TrackerStore(sql);
    expect(idsOf(again)).toEqual(["00ff1", "00ff2"]);
    expect(sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'user'").toArray()).toEqual([]);
  });
});
