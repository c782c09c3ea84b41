import { describe, expect, it } from "vitest";
import { needsPast, openSegments, withMemberships } from "../../../src/core/engagement/segments/memberships.ts";
import { meetsRule, nextChange } from "../../../src/core/engagement/segments/rule.ts";
import type { ComputedSegment, Condition, SegmentRule } from "../../../src/core/engagement/segments/segment.ts";
import {
  type Counts,
  countVisits,
  DAY_MS,
  dayOf,
  watchedBy,
  weekOf,
  withPastVisits,
} from "../../../src/core/engagement/segments/visits.ts";
import type { TrackEvent } from "../../../src/core/tracking/types/event.ts";
import type { UserState } from "../../../src/core/tracking/types/state.ts";
import { seededRandom } from "../../bench/support/random.ts";
import { samples } from "../../support/night.ts";
import { entered } from "./campaigns.ts";

const { state: ANN, events: ENTRY } = entered("store");
const NOW = Date.UTC(2026, 6, 15, 12); // a Wednesday
const TODAY = dayOf(NOW);
const person = (more: Partial<UserState> = {}): UserState => ({ ...ANN, updatedAt: NOW, createdAt: NOW, ...more });
const rule = (...conditions: Condition[]): SegmentRule => ({ match: "all", conditions });
const segment = (wanted: SegmentRule, more: Partial<ComputedSegment> = {}): ComputedSegment => ({
  _id: "s1",
  createdAt: 1,
  updatedAt: 1,
  externalId: "regulars",
  description: "Regulars",
  rule: wanted,
  ...more,
});
const store = (more: object): Condition => ({ type: "geofenceTag", value: "store", ...more }) as Condition;
const visited = (...days: number[]): Partial<UserState> => ({
  visitDays: { "geofenceTag store": days.flatMap((day) => [day, 1]) },
});
const entry = (at: number, tag = "store"): TrackEvent => ({
  ...ENTRY[0],
  createdAt: at,
  geofence: { _id: "f1", tag },
});

describe("rules of segments", () => {
  it.each<[string, Condition, Partial<UserState>, boolean]>([
    ["enough visits", store({ visits: 2, days: 3 }), visited(TODAY - 2, TODAY), true],
    ["a visit that is too long ago", store({ visits: 2, days: 3 }), visited(TODAY - 3, TODAY), false],
    ["a visit in each of two weeks", store({ weeks: 2 }), visited(TODAY - 10, TODAY - 3), true],
    ["two visits in one of two weeks", store({ weeks: 2 }), visited(TODAY - 9, TODAY - 3), false],
    ["this week does not count yet", store({ weeks: 1 }), visited(TODAY), false],
    ["metadata", { type: "metadata", metadata: { plan: "pro", age: 5 } }, { metadata: { plan: "pro", age: 5 } }, true],
    ["metadata of another type", { type: "metadata", metadata: { age: 5 } }, { metadata: { age: "5" } }, false],
    ["no metadata", { type: "metadata", metadata: { constructor: 1 } }, {}, false],
    ["seen recently", { type: "lastSeen", days: 7 }, { updatedAt: NOW - 7 * DAY_MS + 1 }, true],
    ["not seen for a week", { type: "lastSeen", days: 7 }, { updatedAt: NOW - 7 * DAY_MS }, false],
    ["a new user", { type: "created", days: 1 }, {}, true],
    ["a device type", { type: "deviceType", values: ["iOS"] }, { deviceType: "iOS" }, true],
    ["another device type", { type: "deviceType", values: ["iOS"] }, { deviceType: "Android" }, false],
    ["a tag", { type: "userTag", values: ["a", "b"] }, { userTags: ["b"] }, true],
    [
      "a set segment",
      { type: "segment", values: ["vip"] },
      { segments: [{ description: "", externalId: "vip" }] },
      true,
    ],
    ["no country", { type: "country", values: ["US"] }, {}, false],
    [
      "a country",
      { type: "country", values: ["US"] },
      { regions: { country: { enteredAt: 0, region: { _id: "r", type: "country", code: "US", name: "" } } } },
      true,
    ],
  ])("%s", (_, condition, more, expected) => {
    expect(meetsRule(rule(condition), person(more), NOW)).toBe(expected);
    expect(meetsRule(rule({ ...condition, not: true }), person(more), NOW)).toBe(!expected);
  });

  it("need all conditions, or one", () => {
    const both = [
      { type: "lastSeen", days: 1 },
      { type: "userTag", values: ["a"] },
    ] as const;
    expect(meetsRule({ match: "all", conditions: both }, person(), NOW)).toBe(false);
    expect(meetsRule({ match: "any", conditions: both }, person(), NOW)).toBe(true);
  });

  it("change by time alone only at the announced times", () => {
    const random = seededRandom(37);
    const number = (most: number) => Math.floor(random() * most);
    for (let i = 0; i < samples(60, 3000); i++) {
      const condition = (): Condition => {
        const not = random() < 0.3 ? { not: true } : {};
        const kind = number(4);
        if (kind === 0) return { type: "lastSeen", days: 1 + number(9), ...not };
        if (kind === 1) return { type: "created", days: 1 + number(9), ...not };
        if (kind === 2) return { ...store({ weeks: 1 + number(3) }), ...not };
        return { ...store({ visits: 1 + number(3), days: 1 + number(9) }), ...not };
      };
      const wanted: SegmentRule = {
        match: random() < 0.5 ? "all" : "any",
        conditions: Array.from({ length: 1 + number(3) }, condition),
      };
      const days = new Set(Array.from({ length: number(6) }, () => TODAY - number(25)));
      const one = person({
        updatedAt: NOW - number(10 * DAY_MS),
        createdAt: NOW - number(20 * DAY_MS),
        ...visited(...[...days].sort((a, b) => a - b)),
      });
      let at = NOW;
      let expected = meetsRule(wanted, one, at);
      let next = nextChange(wanted, one, at);
      for (let hour = 1; hour < 40 * 24; hour++) {
        at = NOW + hour * 3600_000;
        while (next !== undefined && next <= at) {
          expected = meetsRule(wanted, one, next);
          next = nextChange(wanted, one, next);
        }
        expect(meetsRule(wanted, one, at), JSON.stringify({ wanted, one, at })).toBe(expected);
      }
    }
  });
});

describe("visits", () => {
  it("are counted as a list of all entries would count them", () => {
    const random = seededRandom(38);
    for (let i = 0; i < samples(50, 2000); i++) {
      const conditions = [store({ visits: 1, days: 1 + Math.floor(random() * 20) }), store({ weeks: 2 })];
      const wanted = conditions.slice(0, 1 + Math.floor(random() * 2));
      const watched = watchedBy([segment(rule(...wanted))]);
      const needed = watched.get("geofenceTag store") ?? 0;
      const all: number[] = [];
      let counts: Counts | undefined;
      let now = NOW;
      for (let step = 0; step < 40; step++) {
        now += Math.floor(random() * DAY_MS);
        // A buffered entry arrives later than newer ones.
        const times = [now - (random() < 0.3 ? Math.floor(random() * 5 * DAY_MS) : 0)];
        if (random() < 0.2) times.push(now);
        counts = countVisits(counts, [...times.map((at) => entry(at)), entry(now, "other")], watched, now);
        all.push(...times.map(dayOf));
        const recent = all.filter((day) => day > dayOf(now) - needed).sort((a, b) => a - b);
        const days = [...new Set(recent)].flatMap((day) => [day, recent.filter((one) => one === day).length]);
        expect(counts).toEqual(days.length > 0 ? { "geofenceTag store": days } : undefined);
      }
    }
  });

  it("have at most 500 days, the latest", () => {
    const names = Array.from({ length: 10 }, (_, i) => `t${i}`);
    const watched = watchedBy([segment(rule(...names.map((value) => store({ value, visits: 1, days: 90 }))))]);
    let counts: Counts | undefined;
    for (let day = TODAY - 89; day <= TODAY; day++) {
      const events = names.map((tag) => entry(day * DAY_MS, tag));
      counts = countVisits(counts, events, watched, day * DAY_MS);
    }
    const days = Object.values(counts ?? {}).flatMap((all) => all.filter((_, i) => i % 2 === 0));
    expect(days.length).toBeLessThanOrEqual(500);
    expect(days.length).toBeGreaterThan(480);
    expect(Math.min(...days)).toBe(TODAY - days.length / 10 + 1);
  });

  it("of earlier days come from the database, and none counts twice", () => {
    const watched = watchedBy([
      segment(rule(store({ visits: 1, days: 30 }), { type: "chain", value: "cafe", visits: 1, days: 9 })),
    ]);
    const past = [
      { day: TODAY - 3, visits: 2, type: "user.entered_geofence", tag: "store", fence: "f1" },
      { day: TODAY, visits: 1, type: "user.entered_geofence", tag: "store", fence: "f1" },
      { day: TODAY - 40, visits: 1, type: "user.entered_geofence", tag: "store" },
      { day: TODAY - 1, visits: 1, type: "user.entered_place", chain: "cafe", categories: ["food"] },
    ];
    const known = { "geofenceTag store": [TODAY, 2] };
    expect(withPastVisits(known, past, watched, NOW)).toEqual({
      "geofenceTag store": [TODAY - 3, 2, TODAY, 2],
      "chain cafe": [TODAY - 1, 1],
    });
  });

  it("of a week begin on Monday", () => {
    expect(weekOf(dayOf(Date.UTC(2026, 6, 13)))).toBe(weekOf(dayOf(Date.UTC(2026, 6, 19, 23))));
    expect(weekOf(dayOf(Date.UTC(2026, 6, 12)))).toBe(weekOf(dayOf(Date.UTC(2026, 6, 13))) - 1);
  });
});

describe("memberships", () => {
  const seen = segment(rule({ type: "lastSeen", days: 7 }));
  const update = (book: ReturnType<typeof openSegments>, before: UserState, now: number, events: TrackEvent[] = []) =>
    withMemberships(book, { ...before, updatedAt: now }, events, now);

  it("follow an update's own events", () => {
    const book = openSegments([segment(rule(store({ visits: 2, days: 30 })))]);
    const first = update(book, ANN, NOW, [entry(NOW)]);
    expect(first.computed?.segments).toEqual([]);
    const second = update(book, first, NOW + 1, [entry(NOW + 1)]);
    expect(second.computed?.segments).toEqual([{ _id: "s1", externalId: "regulars", description: "Regulars" }]);
  });

  it("stay the same object while nothing changes, although the time at which they could is later", () => {
    const book = openSegments([seen]);
    const first = update(book, ANN, NOW);
    expect(first.computed?.due).toBe(NOW + 7 * DAY_MS);
    const later = update(book, first, NOW + DAY_MS);
    expect(later.computed).toBe(first.computed);
    // The hourly run may have looked at the user since.
    const after = update(book, later, NOW + 7 * DAY_MS);
    expect(after.computed).toEqual({ ...first.computed, due: NOW + 14 * DAY_MS });
  });

  it("are announced earlier if an update makes that necessary", () => {
    const book = openSegments([seen, segment(rule(store({ visits: 1, days: 1 })), { _id: "s2", createdAt: 2 })]);
    const first = update(book, ANN, NOW);
    const next = update(book, first, NOW + 1, [entry(NOW + 1)]);
    expect(next.computed?.due).toBe((TODAY + 1) * DAY_MS);
  });

  it("of a scope without segments are not stored, and are left once after the last one was deleted", () => {
    const none = openSegments([]);
    expect(update(none, ANN, NOW)).not.toHaveProperty("computed.segments");
    const had = update(openSegments([seen]), ANN, NOW);
    expect(update(none, had, NOW + 1).computed?.segments).toEqual([]);
  });

  it("need earlier visits from the database once per change of a rule", () => {
    const book = openSegments([segment(rule(store({ visits: 1, days: 9 })))]);
    expect(needsPast(book, undefined)).toBe(false);
    expect(needsPast(openSegments([seen]), ANN)).toBe(false);
    expect(needsPast(book, ANN)).toBe(true);
    const failed = withMemberships(book, ANN, [], NOW, null);
    expect(needsPast(book, failed)).toBe(true);
    const read = withMemberships(book, failed, [], NOW, { "geofenceTag store": [TODAY - 1, 1] });
    expect(read.computed?.segments).toHaveLength(1);
    expect(needsPast(book, read)).toBe(false);
    const changed = openSegments([segment(rule(store({ visits: 1, days: 9 })), { updatedAt: 2 })]);
    expect(needsPast(changed, read)).toBe(true);
  });

  it("differ in their epoch after each kind of change", () => {
    const two = [seen, segment(rule(store({ visits: 1, days: 1 })), { _id: "s2", createdAt: 2, updatedAt: 5 })];
    const epochs = [[], [seen], two, [two[1]], [{ ...seen, updatedAt: 6 }, two[1]]].map(
      (all) => openSegments(all).epoch,
    );
    expect(new Set(epochs).size).toBe(5);
  });
});
