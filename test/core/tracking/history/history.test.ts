import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { unpackPage } from "../../../../src/core/tracking/history/packed/packed-page.ts";
import { readPage } from "../../../../src/core/tracking/history/read-page.ts";
import { rerun } from "../../../../src/core/tracking/history/rerun.ts";
import { applyUpdate } from "../../../../src/core/tracking/steps/apply-update.ts";
import type { TrackEvent } from "../../../../src/core/tracking/types/event.ts";
import { DEFAULT_SETTINGS } from "../../../../src/core/tracking/types/settings.ts";
import type { UserState } from "../../../../src/core/tracking/types/state.ts";
import type { LocationUpdate } from "../../../../src/core/tracking/types/update.ts";
import { random } from "../../../../src/demo/world/random.ts";
import { TrackerStore } from "../../../../src/worker/objects/tracker/tracker-store.ts";
import { memorySql } from "../../../bench/support/sqlite.ts";
import { samples } from "../../../support/night.ts";
import { at, fenceOf, HOME, home, MINUTE, NOON } from "../world.ts";

/** A tracker's store over SQLite in memory, and everything that was put into it. */
class Kept {
  readonly sql = memorySql();
  store = new TrackerStore(this.sql);
  state: UserState | undefined;
  readonly sent: { update: LocationUpdate; before: UserState | undefined; events: readonly TrackEvent[] }[] = [];
  days = 7;
  fences = [home, fenceOf("f2", at(150), 60, { dwellThreshold: 2 })];

  send(update: Partial<LocationUpdate>): void {
    const whole = { deviceId: "phone", location: HOME, accuracy: 10, replayed: false, receivedAt: NOON, ...update };
    const before = this.state;
    const isResent = this.store.history.isResent(before, whole);
    const around = { fences: this.fences, beaconsExist: true, ...(isResent && { isResent }) };
    const outcome = applyUpdate(before, whole, around, DEFAULT_SETTINGS, { _id: "00ff", live: false });
    if (outcome.state === before) return;
    const applied = { before, update: whole, surroundings: around, settings: DEFAULT_SETTINGS, outcome };
    this.store.save(outcome.state, outcome.events, outcome.trips, { applied, days: this.days });
    this.sent.push({ update: whole, before, events: outcome.events });
    this.state = outcome.state;
  }

  /** As after a restart of the object. */
  wake(): void {
    this.store = new TrackerStore(this.sql);
    this.state = this.store.byId("00ff");
  }

  pages() {
    return [...this.store.history.pages("00ff", 0, Number.MAX_SAFE_INTEGER)];
  }

  past() {
    return this.pages().flatMap(({ entries }) => readPage(entries, "00ff"));
  }
}

describe("an update sent again after others, because its response was lost", () => {
  it("is in the history once, however late, over pages and restarts: 200 random orders of retries", () => {
    const { next, below } = random("retries", 53);
    const kept = new Kept();
    const sent: Partial<LocationUpdate>[] = [];
    for (let i = 0, clock = NOON; i < 300; i++, clock += MINUTE) {
      const update = { location: at(below(900)), accuracy: 5 + below(20), updatedAt: clock - 500, receivedAt: clock };
      sent.push(update);
      kept.send(update);
      const state = kept.state;
      for (let retry = 0; retry < 3 && next() < 0.4; retry++) {
        kept.send({ ...sent[below(sent.length)], receivedAt: clock + 1000 * (retry + 1) });
        expect(kept.state).toBe(state);
      }
      if (next() < 0.05) kept.wake();
    }
    const times = kept.past().flatMap((one) => ("update" in one ? [one.update.updatedAt] : []));
    expect(times).toEqual(sent.map(({ updatedAt }) => updatedAt));
  });

  it("is another update if anything differs: a clock that was set back does not freeze a device", () => {
    const kept = new Kept();
    for (let i = 0; i < 20; i++)
      kept.send({ location: at(i), updatedAt: NOON + i * MINUTE, receivedAt: NOON + i * MINUTE });
    const again = { location: at(3), updatedAt: NOON + 3 * MINUTE };
    const late = (more: object, seconds: number) => kept.send({ ...again, receivedAt: NOON + HOUR + seconds, ...more });
    for (const [n, more] of [
      { location: at(4) },
      { accuracy: 11 },
      { updatedAt: NOON + 3 * MINUTE + 1 },
      { updatedAt: undefined },
    ].entries())
      late(more, n);
    expect(kept.sent).toHaveLength(24);
    late({}, 9);
    expect(kept.sent).toHaveLength(24);
  });
});

const HOUR = 60 * MINUTE;

const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

describe("the history of a device", () => {
  it("gives back every update as it was sent, over pages and restarts of the object", () => {
    const kept = new Kept();
    for (let i = 0; i < 100; i++) {
      const time = NOON + i * MINUTE;
      kept.send({
        location: at(i % 40 === 0 ? 300 : i),
        accuracy: 5 + (i % 7),
        receivedAt: time,
        ...(i % 3 === 0 ? {} : { updatedAt: time - 200 }),
        ...(i % 5 === 0 ? { speed: i, course: 90 } : {}),
        ...(i > 50 ? { metadata: { round: Math.floor(i / 10) } } : {}),
        stopped: i % 2 === 0,
        foreground: i % 11 === 0,
      });
      if (i % 17 === 0) kept.wake();
    }
    const past = kept.past();
    expect(past.map((one) => "update" in one && one.update)).toEqual(kept.sent.map(({ update }) => plain(update)));
    expect(past.map((one) => "update" in one && one.events)).toEqual(
      kept.sent.map(({ events }) => events.map(({ _id }) => _id)),
    );
    expect(kept.pages().map(({ n, entries }) => [n, entries.length])).toEqual([
      [1, 32],
      [2, 32],
      [3, 32],
      [4, 4],
    ]);
  });

  it("runs any update again to the very events it made, with changes by calls of the API in between", () => {
    const update = fc.record({
      metres: fc.integer({ min: 0, max: 400 }),
      accuracy: fc.constantFrom(1, 10, 65, 300, 17_000),
      stopped: fc.option(fc.boolean(), { nil: undefined }),
      minutes: fc.integer({ min: -3, max: 5 }),
      api: fc.constantFrom("", "", "", "segments", "blocked", "wake", "fence"),
    });
    fc.assert(
      fc.property(fc.array(update, { minLength: 1, maxLength: 90 }), (updates) => {
        const kept = new Kept();
        let clock = NOON;
        for (const [i, { metres, minutes, api, ...rest }] of updates.entries()) {
          clock += MINUTE;
          kept.send({ ...rest, location: at(metres), receivedAt: clock, updatedAt: clock + minutes * MINUTE });
          if (api === "wake") kept.wake();
          if (api === "fence")
            kept.fences = [{ ...kept.fences[0], revision: i + 2, description: `${i}` }, kept.fences[1]];
          const { state } = kept;
          if (!state || (api !== "segments" && api !== "blocked")) continue;
          kept.state =
            api === "segments"
              ? { ...state, segments: i % 2 ? [{ description: "a", externalId: String(i) }] : undefined }
              : { ...state, seq: state.seq + 1 };
          kept.store.save(kept.state, []);
        }
        let k = 0;
        for (const { base, entries } of kept.pages()) {
          for (const [i, entry] of entries.entries()) {
            if (!("u" in entry)) continue;
            const { before, events } = kept.sent[k++];
            const again = rerun(base, entries, "00ff", i, new Map());
            expect(again?.same).toBe(true);
            expect(plain(again?.events)).toEqual(plain(events));
            const { last: _, ...was } = before ?? ({} as UserState);
            const { last: __, ...is } = again?.before ?? ({} as UserState);
            expect(plain(is)).toEqual(plain(was));
          }
        }
        expect(k).toBe(kept.sent.length);
      }),
      { seed: 20261122, numRuns: samples(30, 100) },
    );
  });

  it("keeps no address of a connection", () => {
    const kept = new Kept();
    for (let i = 0; i < 70; i++) kept.send({ receivedAt: NOON + i * 1000, ip: "203.0.113.9" });
    const rows = kept.sql.exec("SELECT data FROM past").toArray();
    const texts = rows.map(({ data }) => unpackPage(data as Uint8Array));
    expect(texts.map(({ entries, after }) => [entries.length > 1_000, after.length > 100])).toEqual(
      Array(2).fill([true, true]),
    );
    expect(JSON.stringify([texts, kept.sql.exec("SELECT tail FROM state").toArray()])).not.toContain("203.0.113.9");
    expect(kept.store.byId("00ff")?.ip).toBe("203.0.113.9");
  });

  it("writes one row per update, and one more in 32", () => {
    const kept = new Kept();
    let rows = 0;
    const { exec } = kept.sql;
    kept.sql.exec = (query, ...bindings) => {
      const answer = exec(query, ...bindings);
      if (/^(INSERT|UPDATE|DELETE)/.test(query.trim())) rows += exec("SELECT changes() AS n").toArray()[0].n as number;
      return answer;
    };
    for (let i = 0; i < 32; i++) kept.send({ receivedAt: NOON + i * 1000, location: at(2000 + i) });
    expect(rows).toBe(32);
    for (let i = 32; i < 65; i++) kept.send({ receivedAt: NOON + i * 1000, location: at(2000 + i) });
    expect(rows).toBe(67);
    // Months later a page takes the row of one that has outlived its time, and none is deleted.
    for (let i = 65; i < 321; i++) kept.send({ receivedAt: NOON + i * 12 * HOUR, location: at(2000 + i) });
    const before = rows;
    for (let i = 321; i < 641; i++) kept.send({ receivedAt: NOON + i * 12 * HOUR, location: at(2000 + i) });
    expect(rows - before).toBe(330);
    expect(kept.pages().map(({ n }) => n)).toEqual([19, 20, 21]);
  });

  it("deletes pages past the time they are kept, but for the one that the next begins with", () => {
    const kept = new Kept();
    kept.days = 1;
    const hour = 60 * MINUTE;
    for (let i = 0; i < 32 * 5 + 1; i++) kept.send({ receivedAt: NOON + i * hour, location: at(i) });
    const pages = kept.pages();
    const oldest = readPage(pages[0].entries, "00ff")[0];
    expect(pages[0].n).toBeGreaterThan(2);
    expect("at" in oldest && oldest.at).toBeGreaterThan(NOON + (32 * 5 - 24 - 32 - 32) * hour);
    expect(pages.slice(1).every(({ base }) => base !== undefined)).toBe(true);
  });

  it("keeps the newest 1,000 pages", () => {
    const kept = new Kept();
    kept.days = 3650;
    for (let i = 0; i < 32 * 1003 + 1; i++) kept.send({ receivedAt: NOON + i * 1000, location: at(3000 + (i % 9)) });
    const counted = "SELECT count(*) AS n, min(id) - 4294967296 AS first FROM past";
    expect(kept.sql.exec(counted).toArray()).toEqual([{ n: 1000, first: 4 }]);
  });

  it("begins with the state as it is for a user of before, and again for one whose updates were forgotten", () => {
    const kept = new Kept();
    kept.send({ receivedAt: NOON });
    kept.sql.exec("UPDATE state SET tail = ''");
    kept.wake();
    kept.send({ receivedAt: NOON + MINUTE, location: at(500) });
    const [page] = kept.pages().slice(-1);
    expect(page.base?.geofences).toHaveProperty("f1");
    // Of what was before nothing is known but the state.
    expect(kept.store.history.pageAt("00ff", NOON + 1)).toBeUndefined();
    expect(rerun(page.base, page.entries, "00ff", 0, new Map())?.events.map(({ type }) => type)).toEqual([
      "user.exited_geofence",
    ]);
    kept.store.forgetUpdates(NOON + MINUTE);
    expect(kept.past()).toHaveLength(1);
    kept.store.forgetUpdates(NOON + 2 * MINUTE);
    expect([kept.past(), kept.sql.exec("SELECT tail FROM state").toArray()]).toEqual([[], [{ tail: "" }]]);
    kept.wake();
    kept.send({ receivedAt: NOON + 10 * MINUTE, location: HOME });
    expect(kept.past()).toHaveLength(1);
    kept.store.remove("00ff");
    expect(kept.sql.exec("SELECT * FROM past").toArray()).toEqual([]);
  });

  it("keeps only the name of a geofence with a long ring, and runs with the one that is there now", () => {
    const kept = new Kept();
    const ring = Array.from({ length: 400 }, (_, i) => {
      const { latitude, longitude } = at(100, (360 * i) / 399);
      return [longitude, latitude];
    });
    const large = { ...fenceOf("large"), shape: { type: "polygon" as const, ring, center: HOME, reach: 100 } };
    kept.fences = [large];
    kept.send({ receivedAt: NOON });
    const [{ base, entries }] = kept.pages();
    expect(JSON.stringify(entries).length).toBeLessThan(1000);
    expect(rerun(base, entries, "00ff", 0, new Map())).toMatchObject({ same: false, events: [] });
    expect(rerun(base, entries, "00ff", 0, new Map([["large", large]]))).toMatchObject({ same: true });
  });
});
