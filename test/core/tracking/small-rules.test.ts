import { describe, expect, it } from "vitest";
import { destination, distance } from "../../../src/core/geo/distance.ts";
import { signalOf } from "../../../src/core/tracking/beacons.ts";
import { countVisit, topChains } from "../../../src/core/tracking/chain-visits.ts";
import { confidenceOfAccuracy, confidenceOfShare } from "../../../src/core/tracking/confidence.ts";
import { conversionEvent } from "../../../src/core/tracking/conversion.ts";
import { eventId } from "../../../src/core/tracking/emit.ts";
import { judgeFraud } from "../../../src/core/tracking/judge-fraud.ts";
import { isActive, searchRadius } from "../../../src/core/tracking/match-fences.ts";
import { matchPlace, placeReach } from "../../../src/core/tracking/match-place.ts";
import { corrects, isBeyond, isSettled, matches, moved } from "../../../src/core/tracking/moved.ts";
import { isOpen, isTimeZone, localTime } from "../../../src/core/tracking/types/operating-hours.ts";
import { DEFAULT_SETTINGS } from "../../../src/core/tracking/types/settings.ts";
import { distanceToShape, polygonShape, shareInside } from "../../../src/core/tracking/types/shape.ts";
import type { UserState } from "../../../src/core/tracking/types/state.ts";
import type { Place } from "../../../src/core/tracking/types/surroundings.ts";
import type { LocationUpdate } from "../../../src/core/tracking/types/update.ts";
import { at, circleShape, fenceOf, HOME, home, MINUTE, NOON } from "./world.ts";

const update = (more: Partial<LocationUpdate> = {}): LocationUpdate => ({
  deviceId: "phone",
  location: HOME,
  accuracy: 10,
  replayed: false,
  receivedAt: NOON,
  ...more,
});

describe("a device has certainly moved", () => {
  const anchor = { location: at(0), accuracy: 20 };

  it.each([
    [59.9, false],
    [60.1, true],
  ])("%f m from a fix of 20 m with one of 10 m: %s", (far, certainly) => {
    expect(moved(anchor, update({ location: at(far) }))).toBe(certainly);
  });

  it("exactly at twice both accuracies it has not", () => {
    const location = at(60);
    const apart = distance(HOME, location);
    expect(moved({ location: HOME, accuracy: apart / 2 - 10 }, update({ location }))).toBe(false);
    expect(isBeyond(apart - 60, anchor, update({ location }))).toBe(false);
  });

  it("when it reports that it is not stopped", () => {
    expect(moved(anchor, update({ stopped: false }))).toBe(true);
    expect(moved(anchor, update({ stopped: true }))).toBe(false);
  });

  it.each([
    [1059, false],
    [1061, true],
  ])("%i m away it is more than 1,000 m away: %s", (far, beyond) => {
    expect(isBeyond(1000, anchor, update({ location: at(far) }))).toBe(beyond);
  });

  it("a fix of half the radius corrects an earlier one, and one of up to 1.5 times matches it", () => {
    expect([10, 10.1].map((accuracy) => corrects(anchor, update({ accuracy })))).toEqual([true, false]);
    expect([30, 30.1].map((accuracy) => matches(anchor, update({ accuracy })))).toEqual([true, false]);
  });

  it("has settled where it has stopped or the app is in use", () => {
    const states = [{}, { stopped: true }, { foreground: true }, { stopped: false, foreground: false }];
    expect(states.map((state) => isSettled(update(state)))).toEqual([false, true, true, false]);
  });
});

describe("confidence", () => {
  it("follows from the share of the circle", () => {
    expect([1, 0.999, 0.5, 0.499, 0].map(confidenceOfShare)).toEqual([3, 2, 2, 1, 1]);
  });

  it("or from the accuracy", () => {
    expect([1, 100, 101, 1000, 1001].map(confidenceOfAccuracy)).toEqual([3, 3, 2, 2, 1]);
  });
});

describe("fraud checks", () => {
  const settings = { ...DEFAULT_SETTINGS, fraud: true, fraudAccuracy: 500 };
  const state = { location: HOME, locationAccuracy: 10, chronology: NOON } as UserState;
  const failedBy = (more: Partial<LocationUpdate>, seconds = 10) =>
    judgeFraud(state, update(more), settings, NOON + seconds * 1000)?.failed;

  it("are made only where the project has enabled them", () => {
    expect(judgeFraud(state, update({ claims: { mocked: true } }), DEFAULT_SETTINGS, NOON)).toBeUndefined();
  });

  it.each(["mocked", "compromised", "proxy", "sharing"] as const)(
    "%s is what the client or the connection says",
    (check) => {
      expect(failedBy({ claims: { [check]: true } })).toEqual([check]);
      expect(failedBy({ claims: { [check]: false } })).toEqual([]);
    },
  );

  it("an update is inaccurate beyond the project's bound", () => {
    expect([failedBy({ accuracy: 500 }), failedBy({ accuracy: 501 })]).toEqual([[], ["inaccurate"]]);
  });

  it("a device has jumped when it was faster than 400 m/s between the nearest points of its circles", () => {
    // 4,000 m in 10 s, and twice 10 + 10 m.
    expect([failedBy({ location: at(4039) }), failedBy({ location: at(4041) })]).toEqual([[], ["jumped"]]);
    expect(judgeFraud(undefined, update({ location: at(4041) }), settings, NOON)?.failed).toEqual([]);
  });

  it("a move takes a second at least, whatever the clocks say", () => {
    for (const seconds of [0.1, 0, -5]) {
      expect([failedBy({ location: at(439) }, seconds), failedBy({ location: at(441) }, seconds)]).toEqual([
        ...[[], ["jumped"]],
      ]);
    }
  });

  it("are kept with the time at which each failed last", () => {
    const before = { ...state, fraud: { verified: false, failed: ["proxy"], lastFailed: { proxy: 5, mocked: 6 } } };
    const claims = { mocked: true, sharing: true, verified: true };
    expect(judgeFraud(before as UserState, update({ claims }), settings, NOON)).toEqual({
      verified: true,
      failed: ["mocked", "sharing"],
      lastFailed: { proxy: 5, mocked: NOON, sharing: NOON },
    });
    expect(judgeFraud(undefined, update(), settings, NOON)).toEqual({ verified: false, failed: [], lastFailed: {} });
  });
});

describe("a place", () => {
  const shop: Place = { _id: "p1", name: "Shop", categories: [], location: HOME, footprint: 25 };
  const other: Place = { ...shop, _id: "p2", location: at(60) };
  const presence = { place: shop, enteredAt: NOON, anchor: { location: HOME, accuracy: 10 } };
  const outside = { place: undefined } as UserState;
  const inside = { place: presence } as UserState;
  const settled = { stopped: true };

  it("reaches 75 m beyond its footprint", () => {
    expect([placeReach(shop), placeReach({})]).toEqual([100, 75]);
  });

  it("is entered by a device that has settled", () => {
    const around = { fences: [], place: shop };
    const entry = { entry: shop, silent: false };
    expect(matchPlace(outside, update(settled), around, DEFAULT_SETTINGS, 0)).toEqual(entry);
    expect(matchPlace(outside, update({ foreground: true }), around, DEFAULT_SETTINGS, 0)).toEqual(entry);
    expect(matchPlace(outside, update(), around, DEFAULT_SETTINGS, 0)).toBeUndefined();
    expect(matchPlace(outside, update(settled), { fences: [], place: null }, DEFAULT_SETTINGS, 0)).toBeUndefined();
  });

  it("is neither entered nor left with a fix that is too bad", () => {
    const bad = update({ ...settled, accuracy: 2001, location: at(9000) });
    expect(matchPlace(outside, bad, { fences: [], place: shop }, DEFAULT_SETTINGS, 0)).toBeUndefined();
    expect(matchPlace(inside, bad, { fences: [], place: null }, DEFAULT_SETTINGS, 0)).toBeUndefined();
    const limit = update({ ...settled, accuracy: 2000 });
    expect(matchPlace(outside, limit, { fences: [], place: shop }, DEFAULT_SETTINGS, 0)).toBeDefined();
  });

  it("is left beyond its reach and the accuracy together", () => {
    const leave = (far: number) =>
      matchPlace(inside, update({ location: at(far) }), { fences: [] }, DEFAULT_SETTINGS, 0);
    expect(leave(109.9)).toBeUndefined();
    expect(leave(110.1)).toEqual({ exit: presence, entry: undefined, silent: false });
  });

  it("is left for another one when the device has moved, and settled there", () => {
    const around = { fences: [], place: other };
    const go = (far: number, more: Partial<LocationUpdate>) =>
      matchPlace(inside, update({ location: at(far), ...more }), around, DEFAULT_SETTINGS, 0);
    expect(go(41, settled)).toEqual({ exit: presence, entry: other, silent: false });
    expect(go(39, settled)).toBeUndefined();
    expect(go(41, {})).toBeUndefined();
    expect(go(41, { stopped: true, location: HOME })).toBeUndefined();
  });

  it("stays while it is the place at the position", () => {
    const far = update({ ...settled, location: at(500) });
    expect(matchPlace(inside, far, { fences: [], place: { ...shop } }, DEFAULT_SETTINGS, 0)).toBeUndefined();
  });

  it("is forgotten without an event where the project has disabled places", () => {
    const settings = { ...DEFAULT_SETTINGS, places: false };
    expect(matchPlace(inside, update(), { fences: [], place: shop }, settings, 0)).toEqual({
      exit: presence,
      silent: true,
    });
    expect(matchPlace(outside, update(settled), { fences: [], place: shop }, settings, 0)).toBeUndefined();
  });
});

describe("geofences", () => {
  it("are looked for as far as the accuracy where it decides", () => {
    expect(searchRadius(65, DEFAULT_SETTINGS)).toBe(65);
    expect([2000, 2001].map((accuracy) => searchRadius(accuracy, DEFAULT_SETTINGS))).toEqual([2000, 0]);
    expect(searchRadius(65, { ...DEFAULT_SETTINGS, bufferedEntries: false })).toBe(0);
  });

  it("apply while they are enabled, until their end, to the users they are for", () => {
    const user = { _id: "u1", deviceId: "phone", userId: "ann" };
    expect(isActive(home, user, NOON)).toBe(true);
    expect(isActive({ ...home, enabled: false }, user, NOON)).toBe(false);
    expect([NOON - 1, NOON].map((now) => isActive({ ...home, disableAfter: NOON }, user, now))).toEqual([true, false]);
    for (const name of ["u1", "phone", "ann"]) expect(isActive({ ...home, userIds: ["x", name] }, user, 0)).toBe(true);
    expect(isActive({ ...home, userIds: ["x"] }, user, 0)).toBe(false);
    expect(isActive({ ...home, userIds: [] }, user, 0)).toBe(true);
    expect(isActive({ ...home, userIds: ["undefined"] }, { _id: "u1" }, 0)).toBe(false);
  });

  it("have an edge: its distance is negative inside, and not measured far away", () => {
    const circle = circleShape(HOME, 100);
    expect(distanceToShape(circle, at(30), 10)).toBeCloseTo(-70, 3);
    expect(distanceToShape(circle, at(130), 10)).toBeCloseTo(30, 3);
    expect(distanceToShape(circle, at(5000, 0), 10)).toBe(Number.POSITIVE_INFINITY);
    const square = polygonShape(
      [0, 90, 180, 270].map((bearing): [number, number] => {
        const { latitude, longitude } = destination(HOME, bearing + 45, Math.SQRT2 * 100);
        return [longitude, latitude];
      }),
    );
    expect(distanceToShape(square, HOME, 10)).toBeCloseTo(-100, 0);
    expect(distanceToShape(square, at(120), 30)).toBeCloseTo(20, 0);
    expect(distanceToShape(square, at(2000), 30)).toBe(Number.POSITIVE_INFINITY);
    expect(shareInside(square, HOME, 10)).toBe(1);
    expect(shareInside(circle, at(100), 10)).toBeCloseTo(0.5, 1);
    expect(shareInside(fenceOf("x").shape, at(300), 10)).toBe(0);
    expect(square).not.toHaveProperty("kind");
    expect(polygonShape(square.ring, "isochrone").kind).toBe("isochrone");
  });
});

describe("operating hours", () => {
  const open = (spans: [string, string][], day: number, minute: number) => isOpen({ Mon: spans }, { day, minute });

  it("include their start and not their end", () => {
    const minutes = [479, 480, 1049, 1050];
    expect(minutes.map((minute) => open([["08:00", "17:30"]], 0, minute))).toEqual([false, true, true, false]);
    expect(open([["08:00", "17:30"]], 1, 600)).toBe(false);
  });

  it("may run into the next day", () => {
    const night: [string, string][] = [["22:00", "02:30"]];
    expect([1319, 1320, 1439].map((minute) => open(night, 0, minute))).toEqual([false, true, true]);
    expect([0, 149, 150].map((minute) => open(night, 1, minute))).toEqual([true, true, false]);
    expect(open(night, 0, 0)).toBe(false);
    expect(isOpen({ Sun: night }, { day: 0, minute: 60 })).toBe(true);
  });

  it("that end when they start are a whole day, until the next", () => {
    const day: [string, string][] = [["09:15", "09:15"]];
    expect([554, 555, 1439].map((minute) => open(day, 0, minute))).toEqual([false, true, true]);
    expect([0, 554, 555].map((minute) => open(day, 1, minute))).toEqual([true, true, false]);
  });

  it("are on the clock of the place; an unknown zone counts as UTC", () => {
    const time = Date.UTC(2026, 6, 1, 22, 45);
    expect(localTime(time, "UTC")).toEqual({ day: 2, minute: 22 * 60 + 45 });
    expect(localTime(time, "Europe/Berlin")).toEqual({ day: 3, minute: 45 });
    expect(localTime(time, "Asia/Kathmandu")).toEqual({ day: 3, minute: 4 * 60 + 30 });
    expect(localTime(time, "Nowhere/At_All")).toEqual({ day: 2, minute: 22 * 60 + 45 });
    expect(["Europe/Berlin", "Nowhere/At_All"].map(isTimeZone)).toEqual([true, false]);
  });
});

describe("names", () => {
  it("of beacons are what they send, in lower case", () => {
    expect(signalOf({ type: "ibeacon", uuid: "AB-1", major: "1", minor: "2", uid: "x" })).toBe("ibeacon:ab-1:1:2");
    expect(signalOf({ type: "eddystone", uid: "F0", instance: "0A", uuid: "x" })).toBe("eddystone:f0:0a");
  });

  it("of events are the user's and the number of the event, in eight hex digits", () => {
    expect([eventId("ff", 1), eventId("ff", 0xabcdef12), eventId("ff", 2 ** 32)]).toEqual([
      ...["ff00000001", "ffabcdef12", "ff00000000"],
    ]);
  });
});

describe("visits to chains", () => {
  const chain = (slug: string) => ({ slug, name: slug.toUpperCase(), externalId: `${slug}!` });

  it("are counted for each, with the time of the last one", () => {
    const once = countVisit(undefined, chain("a"), 5);
    expect(once).toEqual({ a: { name: "A", externalId: "a!", count: 1, lastAt: 5 } });
    expect(countVisit(once, chain("a"), 9)?.a).toMatchObject({ count: 2, lastAt: 9 });
    expect(once?.a.count).toBe(1);
  });

  it("of 50 chains at most: the one visited longest ago goes", () => {
    let visits: UserState["chainVisits"];
    for (let n = 0; n < 50; n++) visits = countVisit(visits, chain(`c${n}`), 100 - n);
    expect(Object.keys(visits ?? {})).toHaveLength(50);
    visits = countVisit(visits, chain("new"), 1);
    expect(Object.keys(visits ?? {})).toHaveLength(50);
    expect(visits).not.toHaveProperty("c49");
    expect(visits).toHaveProperty("new");
  });

  it("are listed by their number, of equals the latest first, of those by name", () => {
    const visit = (count: number, lastAt: number) => ({ name: "n", externalId: undefined, count, lastAt });
    const visits = { d: visit(1, 5), c: visit(1, 5), b: visit(1, 6), a: visit(2, 1) };
    expect(topChains(visits, 9).map(({ slug }) => slug)).toEqual(["a", "b", "c", "d"]);
    expect(topChains(visits, 2)).toEqual([
      { slug: "a", name: "n" },
      { slug: "b", name: "n" },
    ]);
    expect(topChains(undefined, 2)).toEqual([]);
  });
});

describe("a conversion", () => {
  const conversion = { name: "bought", deviceId: "phone", createdAt: NOON, receivedAt: NOON + MINUTE };

  it("is an event at the user's last location", () => {
    const user = { _id: "ff", live: true, location: HOME, locationAccuracy: 7, metadata: { vip: true } };
    const more = { userId: "ann", metadata: { price: 3 }, duration: 4 };
    expect(conversionEvent({ ...conversion, ...more }, user, 2)).toEqual({
      _id: "ff00000002",
      type: "bought",
      live: true,
      createdAt: NOON,
      actualCreatedAt: NOON + MINUTE,
      user: { _id: "ff", deviceId: "phone", userId: "ann", metadata: { vip: true } },
      confidence: 3,
      location: HOME,
      locationAccuracy: 7,
      metadata: { price: 3 },
      duration: 4,
    });
  });

  it("has only what is known", () => {
    const event = conversionEvent(conversion, { _id: "ff", live: false }, 1);
    expect(Object.keys(event)).toEqual(["_id", "type", "live", "createdAt", "actualCreatedAt", "user", "confidence"]);
    expect(event.user).toEqual({ _id: "ff", deviceId: "phone" });
  });
});
