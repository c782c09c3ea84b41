import { describe, expect, it } from "vitest";
import {
  type Applied,
  changeEntry,
  type Entry,
  PageContext,
  storedState,
  updateEntry,
} from "../../../src/core/tracking/history/entry.ts";
import { changed, readPage } from "../../../src/core/tracking/history/read-page.ts";
import { type Rerun, rerun } from "../../../src/core/tracking/history/rerun.ts";
import { eventVerdict, fenceVerdict } from "../../../src/core/tracking/history/verdict.ts";
import { applyUpdate } from "../../../src/core/tracking/steps/apply-update.ts";
import type { Decision } from "../../../src/core/tracking/trace/decision.ts";
import { DEFAULT_SETTINGS, type TrackingSettings } from "../../../src/core/tracking/types/settings.ts";
import type { UserState } from "../../../src/core/tracking/types/state.ts";
import type { Place, Region, Surroundings } from "../../../src/core/tracking/types/surroundings.ts";
import type { LocationUpdate } from "../../../src/core/tracking/types/update.ts";
import { at, fenceOf, HOME, home, MINUTE, NOON, polygonFence } from "./world.ts";

const USER = "00ff";

/** Updates a minute apart, and the entries of a page that they write. */
class Pages {
  readonly entries: Entry[] = [];
  readonly texts: string[] = [];
  context = new PageContext();
  state: UserState | undefined;
  settings: TrackingSettings = DEFAULT_SETTINGS;
  around: Surroundings = { fences: [home] };
  clock = NOON;

  send(metres: number, more: Partial<LocationUpdate> = {}): Record<string, unknown> {
    this.clock += MINUTE;
    const update: LocationUpdate = {
      deviceId: "phone",
      location: at(metres),
      accuracy: 10,
      replayed: false,
      receivedAt: this.clock,
      ...more,
    };
    const before = this.state;
    const outcome = applyUpdate(before, update, this.around, this.settings, { _id: USER, live: true });
    const applied: Applied = { before, update, surroundings: this.around, settings: this.settings, outcome };
    const text = updateEntry(applied, this.context);
    const entry = JSON.parse(text) as Entry;
    this.state = outcome.state;
    this.texts.push(text);
    this.entries.push(entry);
    return entry as unknown as Record<string, unknown>;
  }

  /** The last update, run again. */
  again(asked?: string, known = new Map([["f1", home]])): Rerun {
    return rerun(undefined, this.entries, USER, this.entries.length - 1, known, asked)!;
  }
}

describe("an entry of the history", () => {
  it("has everything of the first update, and of the next only what differs", () => {
    const pages = new Pages();
    expect(pages.send(0, { speed: 2, updatedAt: pages.clock + MINUTE - 5 })).toEqual({
      u: [pages.clock, -5, at(0).latitude, at(0).longitude, 10],
      m: { deviceId: "phone", replayed: false, speed: 2 },
      s: DEFAULT_SETTINGS,
      d: [home],
      f: ["f1"],
      e: [0, 1],
      i: { _id: USER, live: true, seq: 0 },
    });
    expect(pages.send(1, { speed: 2 })).toEqual({ u: [pages.clock, null, at(1).latitude, at(1).longitude, 10] });
    expect(pages.send(1, { speed: 3, course: 4 })).toMatchObject({ m: { speed: 3, course: 4 } });
    expect(pages.send(1, { course: 4 })).toMatchObject({ m: { speed: null } });
    expect(pages.send(1, { ip: "192.0.2.1", course: 4 })).not.toHaveProperty("m");
  });

  it("has the parts around that differ, and names those that are gone", () => {
    const pages = new Pages();
    const region: Region = { _id: "r1", type: "state", code: "NY", name: "New York" };
    pages.around = { fences: [], regions: { state: region }, timeZone: "UTC", beaconsExist: true };
    expect(pages.send(0).a).toEqual({ regions: { state: region }, timeZone: "UTC", beaconsExist: true });
    expect(pages.send(0)).not.toHaveProperty("a");
    pages.around = { fences: [], regions: { state: region }, beaconsExist: true };
    expect(pages.send(0)).toMatchObject({ x: ["timeZone"] });
    expect(pages.send(0)).not.toHaveProperty("x");
    const [, , third, fourth] = readPage(pages.entries, USER);
    for (const past of [third, fourth]) expect(past).toMatchObject({ surroundings: { beaconsExist: true } });
    for (const past of [third, fourth]) expect(JSON.stringify(past)).not.toContain("UTC");
  });

  it("keeps a place only where it can matter", () => {
    const pages = new Pages();
    const place: Place = { _id: "p1", name: "Shop", categories: [], location: HOME };
    pages.around = { fences: [], place };
    expect(pages.send(0).a).toEqual({ place: null });
    expect(pages.send(0, { stopped: true }).a).toEqual({ place });
    // It is in the place now.
    expect(pages.send(0)).not.toHaveProperty("a");
    pages.around = { fences: [], place: { ...place, _id: "p2" } };
    expect(pages.send(0).a).toEqual({ place: null });
    expect(pages.send(0, { foreground: true }).a).toMatchObject({ place: { _id: "p2" } });
  });

  it("has the settings when they change", () => {
    const pages = new Pages();
    pages.send(0);
    pages.settings = { ...DEFAULT_SETTINGS, accuracyLimit: 5 };
    expect(pages.send(0).s).toEqual(pages.settings);
    expect(pages.send(0)).not.toHaveProperty("s");
    const past = readPage(pages.entries, USER);
    expect(past.map((one) => "settings" in one && one.settings.accuracyLimit)).toEqual([2000, 5, 5]);
  });

  it("has the fences that mattered: those it was in or is in, each revision once", () => {
    const pages = new Pages();
    const far = fenceOf("far", at(5000));
    pages.around = { fences: [home, far] };
    expect(pages.send(500)).not.toHaveProperty("f");
    expect(pages.send(0)).toMatchObject({ d: [home], f: ["f1"] });
    expect(pages.send(1)).not.toHaveProperty("d");
    pages.around = { fences: [{ ...home, revision: 2 }, far] };
    const renewed = pages.send(1);
    expect(renewed).toMatchObject({ d: [{ id: "f1", revision: 2 }] });
    expect(renewed).not.toHaveProperty("f");
    expect(pages.send(500)).not.toHaveProperty("d");
    expect(pages.send(500)).toMatchObject({ f: [] });
  });

  it("names only a fence whose ring is long", () => {
    const ringOf = (corners: number, x = 0.123456789) =>
      Array.from({ length: corners }, (_, n) => [-73.95 + x * Math.cos(n), 40.7 + x * Math.sin(n)] as [number, number]);
    const keptWith = (ring: [number, number][]) => {
      const pages = new Pages();
      pages.around = { fences: [polygonFence("p", ring)] };
      pages.send(0, { accuracy: 2000 });
      return pages.send(0, { accuracy: 2000 }) && (pages.entries[0] as { d?: object[] }).d;
    };
    expect(keptWith(ringOf(60))?.[0]).toHaveProperty("shape");
    expect(keptWith(ringOf(130))).toEqual([{ id: "p", revision: 1 }]);
    // Even where its corners are short texts.
    const corners: [number, number][] = [
      [-80, 30],
      [-70, 30],
      [-70, 50],
    ];
    const short = [...corners, ...Array<[number, number]>(198).fill([-80, 50])];
    expect(keptWith(short)?.[0]).toEqual({ id: "p", revision: 1 });
    expect(keptWith(short.slice(0, -1))?.[0]).toHaveProperty("shape");
  });

  it("says when it moved nothing, and when it happened at another time than it says", () => {
    const pages = new Pages();
    pages.send(0, { updatedAt: NOON + 10 * MINUTE });
    const late = pages.send(50, { updatedAt: NOON });
    expect(late).toMatchObject({ t: pages.clock });
    expect(late).not.toHaveProperty("o");
    expect(readPage(pages.entries, USER)[1]).toMatchObject({ at: pages.clock, counted: true });
    const older = pages.send(70, { updatedAt: NOON, replayed: true });
    expect(older).toMatchObject({ o: 1 });
    expect(older).not.toHaveProperty("t");
    expect(readPage(pages.entries, USER)[2]).toMatchObject({ counted: false });
    expect(pages.send(0, { updatedAt: pages.clock + 9 * MINUTE })).not.toHaveProperty("t");
  });

  it("goes on after a restart as if there had been none", () => {
    const [whole, broken] = [new Pages(), new Pages()];
    const region: Region = { _id: "r1", type: "state", code: "NY", name: "New York" };
    const moves: [number, Partial<LocationUpdate>, Partial<Surroundings>][] = [
      [0, { speed: 1, metadata: { a: 1 } }, { timeZone: "UTC", regions: { state: region } }],
      [5, { speed: 1, metadata: { a: 1 } }, { timeZone: "UTC" }],
      [6, { metadata: { a: 2 } }, {}],
      [500, { metadata: { a: 2 } }, {}],
      [0, { speed: 2 }, { timeZone: "UTC" }],
    ];
    for (const [metres, more, around] of moves) {
      for (const pages of [whole, broken]) pages.around = { fences: [home], ...around };
      broken.context = PageContext.after(broken.entries);
      whole.send(metres, more);
      broken.send(metres, more);
    }
    expect(broken.texts).toEqual(whole.texts);
  });

  it("of a state leaves out what was answered last and the address", () => {
    const pages = new Pages();
    pages.send(0, { ip: "192.0.2.1", updatedAt: NOON });
    const kept = JSON.parse(storedState(pages.state!)) as UserState;
    expect([kept.ip, kept.last]).toEqual([undefined, undefined]);
    expect(kept).toMatchObject({ _id: USER, geofences: pages.state!.geofences });
  });

  it("of a change by a call has the parts that differ", () => {
    const before = { _id: USER, seq: 1, userTags: ["x"], ip: "a" } as unknown as UserState;
    expect(changeEntry(before, { ...before })).toBeUndefined();
    expect(changeEntry(before, { ...before, ip: "b", last: {} as never })).toBeUndefined();
    const after = { ...before, seq: 2, userTags: undefined, endedTrip: "t" };
    const text = changeEntry(before, after)!;
    expect(JSON.parse(text)).toEqual({ p: { seq: 2, userTags: null, endedTrip: "t" } });
    const [past] = readPage([JSON.parse(text) as Entry], USER);
    expect(changed(before, past as { change: Record<string, unknown> })).toEqual({
      _id: USER,
      seq: 2,
      endedTrip: "t",
      ip: "a",
    });
  });
});

describe("an update that is run again", () => {
  it("makes the events that it made, with the ids that they had", () => {
    const pages = new Pages();
    pages.send(0);
    pages.send(500);
    const again = pages.again();
    expect(again.past.events).toEqual(["00ff00000002"]);
    expect(again).toMatchObject({ same: true, asThen: true, events: [{ type: "user.exited_geofence" }] });
    expect(again.before?.geofences).toHaveProperty("f1");
    expect(again.after.geofences).toEqual({});
    expect(again.decisions.length).toBeGreaterThan(2);
  });

  it("is not the same where a fence is another now", () => {
    const pages = new Pages();
    pages.send(0);
    (pages.entries[0] as { d: object[] }).d = [{ id: "f1", revision: 1 }];
    const again = rerun(undefined, pages.entries, USER, 0, new Map([["f1", fenceOf("f1", at(5000))]]))!;
    expect([again.same, again.events.length]).toEqual([false, 0]);
    expect(rerun(undefined, pages.entries, USER, 0, new Map([["f1", home]]))?.same).toBe(true);
    expect(rerun(undefined, pages.entries, USER, 0, new Map())?.same).toBe(false);
  });

  it("looks at a fence that is asked about also where it did not matter", () => {
    const pages = new Pages();
    pages.send(500);
    const ofFence = (decisions: Decision[]) => decisions.filter(({ about }) => about?.id === "f1").length;
    const asked = pages.again("f1");
    expect(asked.asThen).toBe(false);
    expect(ofFence(asked.decisions)).toBeGreaterThan(0);
    expect(ofFence(pages.again().decisions)).toBe(0);
    expect(ofFence(pages.again("f1", new Map()).decisions)).toBe(0);
    pages.send(0);
    const inside = pages.again("f1");
    expect(inside.asThen).toBe(true);
    // Once: it is there already.
    expect(inside.decisions.filter(({ about, rule }) => about?.id === "f1" && rule === "before")).toHaveLength(1);
    expect(pages.again("f2").asThen).toBe(false);
  });

  it("is not known where its page has no beginning", () => {
    const pages = new Pages();
    pages.send(0);
    pages.send(0);
    expect(rerun(undefined, pages.entries.slice(1), USER, 0, new Map())).toBeUndefined();
    expect(rerun(undefined, [{ p: { seq: 2 } }], USER, 0, new Map())).toBeUndefined();
    expect(rerun(undefined, pages.entries, USER, 5, new Map())).toBeUndefined();
  });
});

describe("why a geofence was", () => {
  const verdict = (pages: Pages, asked = "f1") => fenceVerdict(pages.again(asked), asked);

  it("entered: with the edge, and all decisions about it", () => {
    const pages = new Pages();
    pages.send(500);
    pages.send(0);
    const { verdict: word, sentence, steps } = verdict(pages);
    expect(word).toBe("entered");
    expect(sentence).toMatch(/entered at 2026-07-01 12:02:00 UTC\. .*100 m inside the edge\.$/);
    expect(steps.map(({ rule }) => rule)).toEqual([
      ...["updatedAt", "before", "accuracyLimit", "bufferedEntries", "enabled", "confidence", "eventTypes"],
    ]);
    expect(steps.every(({ about }) => !about || about.id === "f1")).toBe(true);
  });

  it("left: with what ended the visit", () => {
    const pages = new Pages();
    pages.send(0);
    pages.send(500);
    expect(verdict(pages)).toMatchObject({
      verdict: "exited",
      sentence: expect.stringMatching(/left at .*400 m outside/),
    });
    const disabled = new Pages();
    disabled.send(0);
    disabled.around = { fences: [{ ...home, enabled: false, revision: 2 }] };
    disabled.send(0);
    expect(verdict(disabled)).toMatchObject({ verdict: "exited", sentence: expect.stringMatching(/is disabled/) });
    const gone = new Pages();
    gone.send(0);
    gone.around = { fences: [] };
    gone.send(0);
    expect(fenceVerdict(gone.again("f1", new Map()), "f1")).toMatchObject({
      verdict: "exited",
      sentence: expect.stringMatching(/no longer near/),
    });
  });

  it("dwelled in", () => {
    const pages = new Pages();
    pages.around = { fences: [{ ...home, dwellThreshold: 1 }] };
    pages.send(0);
    pages.clock += MINUTE;
    pages.send(0);
    expect(verdict(pages)).toMatchObject({
      verdict: "dwelled",
      sentence: expect.stringMatching(/dwelled by .*2 minutes, longer than/),
    });
    pages.send(0);
    expect(verdict(pages).verdict).toBe("inside");
  });

  it("not left: the user was inside and stays", () => {
    const pages = new Pages();
    pages.send(0);
    pages.send(0, { accuracy: 3000 });
    expect(verdict(pages)).toMatchObject({
      verdict: "inside",
      sentence: expect.stringMatching(/stays\. .*not accurate enough/),
    });
    pages.send(0);
    expect(verdict(pages).sentence).toMatch(/inside the edge\. .*dwell threshold/);
  });

  it("not entered: with the last rule that was not met", () => {
    const pages = new Pages();
    pages.send(500);
    expect(verdict(pages)).toMatchObject({
      verdict: "outside",
      sentence: expect.stringMatching(/^No entry: the position is 400 m/),
    });
    expect(verdict(pages, "f9")).toMatchObject({ verdict: "outside", sentence: expect.stringMatching(/not near/) });
  });

  it("ignored: the update itself changed nothing", () => {
    const pages = new Pages();
    pages.send(500, { updatedAt: NOON + 10 * MINUTE });
    pages.send(0, { updatedAt: NOON, replayed: true });
    expect(verdict(pages)).toMatchObject({
      verdict: "ignored",
      sentence: expect.stringMatching(/^No event: the replayed/),
    });
  });

  it("changed without an event, where the project has disabled its type", () => {
    const pages = new Pages();
    pages.settings = { ...DEFAULT_SETTINGS, eventTypes: [], dwellThreshold: 1 };
    pages.send(0);
    expect(verdict(pages)).toMatchObject({
      verdict: "entered",
      sentence: expect.stringMatching(/no event is generated\.$/),
    });
    pages.clock += MINUTE;
    pages.send(0);
    expect(verdict(pages)).toMatchObject({
      verdict: "dwelled",
      sentence: expect.stringMatching(/no event is generated\.$/),
    });
    pages.send(500);
    expect(verdict(pages)).toMatchObject({
      verdict: "exited",
      sentence: expect.stringMatching(/no event is generated\.$/),
    });
  });
});

describe("why an event was made", () => {
  const chain = { slug: "c", name: "C" };
  const shop: Place = { _id: "p1", name: "Shop", categories: [], location: HOME, chain };
  const region = (type: Region["type"], code: string): Region => ({ _id: `${type}${code}`, type, code, name: code });
  const door = { _id: "b1", type: "ibeacon", description: "Door", enabled: true } as const;
  const rules = (decisions: Decision[]) =>
    decisions.flatMap(({ about, rule }) => (about ? [`${about.kind} ${rule}`] : []));

  /** The verdict about each event of an update in which everything happens at the same time. */
  function verdicts() {
    const pages = new Pages();
    pages.settings = { ...DEFAULT_SETTINGS, fraud: true };
    pages.around = {
      fences: [home],
      place: shop,
      nearbyChains: [shop],
      beacons: { ranged: [door], disabled: [] },
      regions: { country: region("country", "US"), state: region("state", "NY") },
    };
    pages.send(0, { stopped: true, claims: { mocked: true } });
    const again = pages.again();
    return new Map(again.events.map((event) => [event.type.slice(5), eventVerdict(again, event)]));
  }

  it.each([
    ["entered_geofence", ["geofence bufferedEntries"], /inside the edge/],
    ["entered_place", ["place stopped", "place eventTypes"], /at Shop/],
    ["nearby_place_chain", ["chain nearbyChains"], /C is 0 m away/],
    ["entered_region_country", ["region country"], /into US/],
    ["entered_region_state", ["region state"], /into NY/],
    ["entered_beacon", ["beacon ranged"], /ranges the beacon Door/],
    ["failed_fraud", ["fraud fraud"], /mocked fail/],
  ])("%s: by its own decisions", (type, own, sentence) => {
    const { verdict, steps, sentence: why } = verdicts().get(type)!;
    expect(verdict).toBe(`user.${type}`);
    expect(rules(steps)).toEqual(expect.arrayContaining(own));
    const kinds = [own[0].split(" ")[0], ...(type === "nearby_place_chain" ? ["place"] : [])];
    expect(new Set(rules(steps).map((rule) => rule.split(" ")[0]))).toEqual(new Set(kinds));
    expect(why).toMatch(sentence);
    expect(steps.some(({ about, rule }) => !about && rule === "updatedAt")).toBe(true);
  });

  it("a region by the decisions about itself or its kind", () => {
    const { steps } = verdicts().get("entered_region_state")!;
    expect(rules(steps)).not.toContain("region country");
  });

  it("a trip by the decisions about it", () => {
    const pages = new Pages();
    const destination = { fence: "f1", tag: "house", externalId: "1", location: HOME };
    const adopted = {
      ...({ _id: "t1", live: true, externalId: "order", mode: "car", status: "pending", destination } as const),
      createdAt: NOON,
      updatedAt: NOON,
      version: 1,
    };
    pages.around = { fences: [home], trip: { adopted } };
    pages.send(0);
    const again = pages.again();
    const arrival = again.events.find(({ type }) => type === "user.arrived_at_trip_destination")!;
    const { sentence, steps } = eventVerdict(again, arrival);
    expect(sentence).toMatch(/inside the geofence of the destination/);
    expect(new Set(rules(steps).map((rule) => rule.split(" ")[0]))).toEqual(new Set(["trip"]));
    expect(eventVerdict(again, { ...arrival, trip: undefined }).steps.every(({ about }) => !about)).toBe(true);
  });
});
