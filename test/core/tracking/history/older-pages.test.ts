import { describe, expect, it } from "vitest";
import { unpackPage } from "../../../../src/core/tracking/history/packed/packed-page.ts";
import { readPage } from "../../../../src/core/tracking/history/read-page.ts";
import { random } from "../../../../src/demo/world/random.ts";
import { TrackerStore } from "../../../../src/worker/objects/tracker/tracker-store.ts";
import { type Life, lifeOf } from "../../../bench/scale/lives.ts";
import { memorySql } from "../../../bench/support/sqlite.ts";
import { applied } from "./applied.ts";

const USER = "60".padEnd(24, "0");
/** As releases up to 0.5 have created it. */
const OLDER =
  "CREATE TABLE page (user TEXT NOT NULL, n INTEGER NOT NULL, since INTEGER NOT NULL, until INTEGER NOT NULL, entries TEXT NOT NULL, after TEXT NOT NULL, PRIMARY KEY (user, n)) WITHOUT ROWID";
const DAY_MS = 24 * 3600_000;

const lived = (life: Life, count: number) => lifeOf(life, 1, count, random("older", 59).next);

/** A tracker with the first updates of a life, its pages as texts: as an earlier release left it. */
function earlier(life: Life, first: number) {
  const sql = memorySql();
  const store = new TrackerStore(sql);
  for (const one of lived(life, first)) applied(store, one);
  sql.exec(OLDER);
  if (first <= 32) return sql;
  for (const { id, since, until, data } of sql.exec("SELECT * FROM past ORDER BY id").toArray()) {
    const { entries, after } = unpackPage(data as Uint8Array);
    const page = [(id as number) % 2 ** 32, since as number, until as number, entries, after];
    sql.exec("INSERT INTO page VALUES (?, ?, ?, ?, ?, ?)", USER, ...page);
  }
  sql.exec("DROP TABLE past");
  return sql;
}

const pagesOf = (store: TrackerStore, from = 0, to = Number.MAX_SAFE_INTEGER, n = 0) =>
  [...store.history.pages(USER, from, to, n)].map(({ n, base, entries }) => ({ n, base, entries }));

describe("a tracker whose pages an earlier release has written", () => {
  it.each(["riding", "standing", "commuting"] as const)("has the history of one that began now: %s", (life) => {
    const all = lived(life, 260);
    const now = new TrackerStore(memorySql());
    for (const one of all) applied(now, one);
    for (const first of [1, 32, 33, 100, 259]) {
      const store = new TrackerStore(earlier(life, first));
      for (const one of all.slice(first)) applied(store, one);
      expect(pagesOf(store), String(first)).toEqual(pagesOf(now));
      const times = all.map(({ update }) => update.receivedAt);
      for (const i of [0, 40, 99, 131, 259]) {
        const [from, to] = [times[i] - 1_000, times[Math.min(259, i + 45)]];
        expect(pagesOf(store, from, to)).toEqual(pagesOf(now, from, to));
        expect(pagesOf(store, from, to, 3)).toEqual(pagesOf(now, from, to, 3));
        const [one, other] = [store, now].map(({ history }) => history.pageAt(USER, times[i]));
        expect([one?.n, one?.base, one?.entries]).toEqual([other?.n, other?.base, other?.entries]);
      }
    }
  });

  it("forgets them when their time is over, with the next page or when it falls silent", () => {
    const sql = earlier("commuting", 100);
    const store = new TrackerStore(sql);
    const count = () => Number(sql.exec("SELECT count(*) AS n FROM page").toArray()[0].n);
    expect(count()).toBe(3);
    // The last one goes when the page after it has expired, too: that one begins with its state.
    for (const one of lived("commuting", 300).slice(100)) applied(store, one, { days: 7 });
    expect(count()).toBe(0);
    const updates = pagesOf(store).flatMap(({ entries }) => readPage(entries, USER));
    expect(updates.length).toBeGreaterThan(70);
    // Of the first page that is left only the last has not expired, and the page before it has its state.
    expect(updates.length).toBeLessThan(70 + 3 * 32);
    expect(
      pagesOf(store)
        .slice(1)
        .every(({ base }) => base !== undefined),
    ).toBe(true);

    const silent = earlier("riding", 100);
    new TrackerStore(silent).forgetUpdates(lived("riding", 100)[99].update.receivedAt + DAY_MS);
    expect(silent.exec("SELECT * FROM page").toArray()).toEqual([]);
  });

  it("deletes those of a user, and of no other user of the device", () => {
    const sql = memorySql();
    const store = new TrackerStore(sql);
    const users = ["ann", "bob"];
    for (const one of lived("riding", 70))
      for (const [i, userId] of users.entries())
        applied(store, { ...one, update: { ...one.update, userId } }, { id: `6${i}` });
    const idOf = (userId: string) => store.find(userId)?._id ?? "";
    const [ann, bob] = users.map(idOf);
    const pages = (id: string) => [...store.history.pages(id, 0, Number.MAX_SAFE_INTEGER)].map(({ n }) => n);
    expect([ann === bob, pages(ann), pages(bob)]).toEqual([false, [1, 2, 3], [1, 2, 3]]);
    store.remove(ann);
    expect([pages(ann), pages(bob)]).toEqual([[], [1, 2, 3]]);
    const woken = new TrackerStore(sql);
    expect([...woken.history.pages(bob, 0, Number.MAX_SAFE_INTEGER)].flatMap(({ entries }) => entries)).toHaveLength(
      70,
    );
    expect(sql.exec("SELECT count(*) AS n FROM past").toArray()).toEqual([{ n: 2 }]);
  });
});
