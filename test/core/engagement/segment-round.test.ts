import type { DatabaseSync } from "node:sqlite";
import { describe, expect, it, vi } from "vitest";
import { openSegments, withMemberships } from "../../../src/core/engagement/segments/memberships.ts";
import { meetsRule } from "../../../src/core/engagement/segments/rule.ts";
import type { ComputedSegment, Condition, SegmentRule } from "../../../src/core/engagement/segments/segment.ts";
import { DAY_MS } from "../../../src/core/engagement/segments/visits.ts";
import type { TrackEvent } from "../../../src/core/tracking/types/event.ts";
import type { UserState } from "../../../src/core/tracking/types/state.ts";
import {
  compareOthers,
  deleteSegment,
  type MemberWrite,
  othersOf,
  writeMembers,
  writeSegment,
} from "../../../src/worker/db/customers/segments.ts";
import { deleteTracked, storeTracked } from "../../../src/worker/db/customers/tracked.ts";
import type { Databases } from "../../../src/worker/db/databases.ts";
import { passScope, segmentRound } from "../../../src/worker/objects/rounds/segment-round.ts";
import { TrackerStore } from "../../../src/worker/objects/tracker/tracker-store.ts";
import { seededRandom } from "../../bench/support/random.ts";
import { memorySql } from "../../bench/support/sqlite.ts";
import { d1On, newDatabase } from "../../support/d1-on-sqlite.ts";
import { samples } from "../../support/night.ts";
import { entered } from "./campaigns.ts";

/** Trackers, the database and the hourly run together. */

const SCOPE = 2;
const HOUR = 3600_000;
const { state: ANN, events: ENTRY } = entered("store");

/** A project with its database, its trackers and its segments. */
class Project {
  readonly sqlite: DatabaseSync = newDatabase();
  readonly db = d1On(this.sqlite) as unknown as Parameters<typeof writeSegment>[0];
  readonly env = { DB: this.db } as unknown as Databases;
  readonly trackers = new Map<string, TrackerStore>();
  readonly segments = new Map<string, ComputedSegment>();
  now = Date.UTC(2026, 6, 15, 12);

  async write(_id: string, rule: SegmentRule): Promise<void> {
    const createdAt = this.segments.get(_id)?.createdAt ?? this.now;
    const one = { _id, externalId: `x-${_id}`, description: _id, createdAt, updatedAt: this.now, rule };
    this.segments.set(_id, one);
    await writeSegment(this.db, SCOPE, one);
  }

  async remove(_id: string): Promise<void> {
    this.segments.delete(_id);
    await deleteSegment(this.db, SCOPE, _id, this.now);
  }

  /** A user sends an update, perhaps with an entry of a store. @param isStored its tracker reaches the database */
  async update(_id: string, enters: boolean, more: Partial<UserState> = {}, isStored = true): Promise<void> {
    const store = this.trackers.get(_id) ?? new TrackerStore(memorySql());
    this.trackers.set(_id, store);
    const before = store.byId(_id) ?? { ...ANN, _id, userId: _id, deviceId: _id, createdAt: this.now, seq: 0 };
    const times = { updatedAt: this.now, actualUpdatedAt: this.now, chronology: this.now };
    const state: UserState = { ...before, ...times, ...more, seq: before.seq + 1 };
    const events: TrackEvent[] = enters
      ? [{ ...ENTRY[0], _id: `${_id}${state.seq}`, createdAt: this.now, user: { _id } }]
      : [];
    const { userId } = state;
    const others = (await othersOf(this.db, SCOPE, [{ id: _id, userId }])).get(_id);
    const next = withMemberships(openSegments([...this.segments.values()]), state, events, this.now, undefined, others);
    store.save(next, events);
    if (isStored) await this.store(_id);
    if (userId !== undefined) await compareOthers(this.db, SCOPE, _id, userId, this.now);
  }

  async store(_id: string): Promise<void> {
    const store = this.trackers.get(_id) as TrackerStore;
    const due = store.unstored(SCOPE, 100);
    if (!due) return;
    await storeTracked(this.db, due.users, due.events);
    store.confirm(due.confirm);
  }

  /** Members of a segment: as the table, and as the docs have them. */
  members(_id: string): { table: string[]; docs: string[] } {
    const read = (sql: string) =>
      this.sqlite
        .prepare(sql)
        .all(_id)
        .map(({ id }) => String(id));
    return {
      table: read("SELECT user AS id FROM segment_member WHERE segment = ? ORDER BY 1"),
      docs: read(
        `SELECT id FROM user WHERE EXISTS (SELECT 1 FROM json_each(doc, '$.computed.segments') AS one
           WHERE one.value->>'_id' = ?) ORDER BY 1`,
      ),
    };
  }

  /** The same, by comparing each user with the rule. */
  expected(_id: string): string[] {
    const rule = this.segments.get(_id)?.rule;
    const ids = [...this.trackers.keys()].sort();
    return ids.filter((id) => rule && meetsRule(rule, this.trackers.get(id)?.byId(id) as UserState, this.now));
  }
}

const seen = (days: number, more: object = {}): Condition => ({ type: "lastSeen", days, ...more });
const store = (more: object): Condition => ({ type: "geofenceTag", value: "store", ...more }) as Condition;
const all = (...conditions: Condition[]): SegmentRule => ({ match: "all", conditions });

describe("the hourly run of segments", () => {
  it("removes users that were not seen for a while, and adds those for whom this is the rule", async () => {
    const project = new Project();
    await project.write("active", all(seen(7)));
    await project.write("lost", all(seen(7, { not: true })));
    for (const id of ["ann", "bob"]) await project.update(id, false);
    project.now += 6 * DAY_MS;
    await project.update("bob", false);
    project.now += 2 * DAY_MS;
    await segmentRound(project.env, project.now);
    expect(project.members("active")).toEqual({ table: ["bob"], docs: ["bob"] });
    expect(project.members("lost")).toEqual({ table: ["ann"], docs: ["ann"] });
    await project.update("ann", false);
    expect(project.members("active").table).toEqual(["ann", "bob"]);
    expect(project.members("lost").table).toEqual([]);
  });

  it("counts the visits of a person on all phones, and no other's", async () => {
    const project = new Project();
    await project.write("regulars", all(store({ visits: 2, days: 5 })));
    await project.write("lost", all(seen(7, { not: true })));
    const zoe = { userId: "zoe" };
    await project.update("phone", true, zoe);
    await project.update("other", true, { userId: "eve" });
    project.now += HOUR;
    await project.update("tablet", true, zoe);
    expect(project.members("regulars").table).toEqual(["tablet"]);
    await segmentRound(project.env, project.now);
    expect(project.members("regulars")).toEqual({ table: ["phone", "tablet"], docs: ["phone", "tablet"] });
    project.now += 4 * DAY_MS;
    await project.update("tablet", false, zoe);
    project.now += 4 * DAY_MS;
    await segmentRound(project.env, project.now);
    expect(project.members("lost").table).toEqual(["other"]);
    expect(project.members("regulars").table).toEqual([]);
  });

  it("compares all users after a change of a rule, and counts visits from before it", async () => {
    const project = new Project();
    for (let i = 0; i < 5; i++) await project.update(`u${i}`, i % 2 === 0);
    project.now += HOUR;
    await project.update("u2", true);
    await project.write("regulars", all(store({ visits: 2, days: 5 })));
    await passScope(project.env, SCOPE, 2, project.now);
    expect(project.members("regulars").table).toEqual([]);
    await passScope(project.env, SCOPE, 2, project.now);
    expect(project.members("regulars").table).toEqual(["u2"]);
    await segmentRound(project.env, project.now);
    expect(project.sqlite.prepare("SELECT * FROM segment_pass").all()).toEqual([]);
    project.now += 5 * DAY_MS;
    await segmentRound(project.env, project.now);
    expect(project.members("regulars")).toEqual({ table: [], docs: [] });
  });

  it("leaves a user alone that its tracker has written meanwhile, and looks again", async () => {
    const project = new Project();
    await project.write("active", all(seen(7)));
    await project.update("ann", false);
    const stale: MemberWrite = { id: "ann", version: 0, computed: { segments: [], epoch: 1 } };
    await writeMembers(project.db, SCOPE, [stale], project.now);
    expect(project.members("active").table).toEqual(["ann"]);
    expect(project.sqlite.prepare("SELECT at FROM segment_due").all()).toEqual([{ at: project.now }]);
  });

  it("is corrected by an older update that arrives after it", async () => {
    const project = new Project();
    await project.write("lost", all(seen(7, { not: true })));
    await project.update("ann", false);
    project.now += 5 * HOUR;
    await project.update("ann", false, {}, false);
    project.now += 8 * DAY_MS;
    await segmentRound(project.env, project.now);
    expect(project.members("lost").table).toEqual(["ann"]);
    await project.store("ann");
    expect(project.members("lost")).toEqual({ table: [], docs: [] });
    await segmentRound(project.env, project.now);
    expect(project.members("lost")).toEqual({ table: ["ann"], docs: ["ann"] });
  });

  it("reaches all scopes, however many due users and passes one has that cannot be written", async () => {
    const project = new Project();
    await project.write("active", all(seen(7)));
    await project.update("ann", false);
    // A hundred scopes whose rows are rejected, as while a project moves: one with more due users than are read together.
    project.sqlite.exec(`
      CREATE TEMP TRIGGER moved BEFORE UPDATE ON user WHEN new.scope > 2 BEGIN SELECT raise(ABORT, 'moved'); END;
      WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 1200)
      INSERT INTO user (scope, id, device_id, latitude, longitude, cell, version, created_at, updated_at, doc)
        SELECT CASE WHEN n <= 700 THEN 4 ELSE n - 600 END, 'u' || n, 'd' || n, latitude, longitude, cell, version, created_at, updated_at, doc
        FROM user, number WHERE id = 'ann';
      INSERT INTO segment_due SELECT scope, id, 0 FROM user WHERE scope > 2;
      INSERT INTO segment_pass SELECT DISTINCT scope, 0, '' FROM user WHERE scope > 2;
      INSERT INTO segment (scope, id, external_id, created_at, updated_at, doc)
        SELECT DISTINCT user.scope, segment.id, external_id, 0, 0, segment.doc FROM user, segment WHERE user.scope > 2;
    `);
    project.now += 8 * DAY_MS;
    await project.write("lost", all(seen(7, { not: true })));
    const logged = vi.spyOn(console, "error").mockReturnValue();
    await segmentRound(project.env, project.now);
    expect(logged.mock.calls.length).toBeGreaterThan(500);
    logged.mockRestore();
    expect(project.members("active").table).toEqual([]);
    expect(project.members("lost").table).toEqual(["ann"]);
    const count = (sql: string) => Number(project.sqlite.prepare(sql).get()?.n);
    expect(count("SELECT count(*) AS n FROM segment_due WHERE scope = 2")).toBe(0);
    expect(count("SELECT count(*) AS n FROM segment_due WHERE scope = 4")).toBe(700);
    expect(count("SELECT count(*) AS n FROM segment_pass WHERE scope = 2")).toBe(0);
  });

  it("is not stopped by rows that cannot be read", async () => {
    const project = new Project();
    await project.write("active", all(seen(7)));
    for (const id of ["ann", "bob"]) await project.update(id, false);
    project.sqlite.exec("UPDATE user SET doc = '{' WHERE id = 'ann'");
    project.now += 8 * DAY_MS;
    await segmentRound(project.env, project.now);
    expect(project.sqlite.prepare("SELECT user FROM segment_due").all()).toEqual([]);
    project.sqlite.exec("DELETE FROM user WHERE id = 'ann'");
    expect(project.members("active")).toEqual({ table: ["ann"], docs: [] });
  });

  it("keeps members as the rules say, whatever happens in which order", async () => {
    const random = seededRandom(39);
    const number = (most: number) => Math.floor(random() * most);
    for (let i = 0; i < samples(12, 400); i++) {
      const project = new Project();
      const condition = (): Condition => {
        const not = random() < 0.3 ? { not: true } : {};
        const kind = number(4);
        if (kind === 0) return seen(1 + number(4), not);
        if (kind === 1) return store({ visits: 1 + number(2), days: 1 + number(5), ...not });
        if (kind === 2) return store({ weeks: 1, ...not });
        return { type: "metadata", metadata: { plan: "pro" }, ...not };
      };
      const rule = (): SegmentRule => ({
        match: random() < 0.5 ? "all" : "any",
        conditions: Array.from({ length: 1 + number(2) }, condition),
      });
      await project.write("s0", rule());
      let isFirst = true;
      for (let step = 0; step < 60; step++) {
        project.now += number(10) * HOUR;
        const what = random();
        const id = `u${number(4)}`;
        const which = `s${number(3)}`;
        if (what < 0.07 && which === "s0") isFirst = false;
        if (what < 0.05) await project.write(which, rule());
        else if (what < 0.07) await project.remove(which);
        else if (what < 0.1 && project.trackers.has(id)) await project.store(id);
        else if (what < 0.3) await segmentRound(project.env, project.now);
        else {
          const metadata = random() < 0.3 ? { metadata: { plan: random() < 0.5 ? "pro" : "free" } } : {};
          await project.update(id, random() < 0.4, metadata, random() < 0.9);
        }
      }
      for (const id of project.trackers.keys()) await project.store(id);
      await segmentRound(project.env, project.now);
      // Trackers of this test do not read visits from before a rule was made.
      const isCounted = ({ _id, rule }: ComputedSegment) =>
        (_id === "s0" && isFirst) || !rule.conditions.some(({ type }) => type === "geofenceTag");
      for (const one of project.segments.values()) {
        const { table, docs } = project.members(one._id);
        expect(docs, `docs of ${JSON.stringify(one.rule)}, case ${i}`).toEqual(table);
        if (isCounted(one))
          expect(table, `members of ${JSON.stringify(one.rule)}, case ${i}`).toEqual(project.expected(one._id));
      }
      const deleted = ["s0", "s1", "s2"].filter((id) => !project.segments.has(id));
      for (const id of deleted) expect(project.members(id)).toEqual({ table: [], docs: [] });
    }
  });

  it("lets a deleted user leave everything", async () => {
    const project = new Project();
    await project.write("active", all(seen(7)));
    await project.update("ann", false);
    await deleteTracked(project.db, SCOPE, "ann");
    expect(project.members("active")).toEqual({ table: [], docs: [] });
    expect(project.sqlite.prepare("SELECT * FROM segment_due").all()).toEqual([]);
  });
});
