import { describe, expect, it } from "vitest";
import { destination } from "../../../src/core/geo/distance.ts";
import { instant, metres, round, span } from "../../../src/core/tracking/trace/decision.ts";
import {
  accuracyRule,
  activeRule,
  confidenceRule,
  dwellRule,
  edgeRule,
  goneRule,
  hoursRule,
  presenceRule,
  returnRule,
  stayRule,
  stopRule,
} from "../../../src/core/tracking/trace/fence-rules.ts";
import {
  adoptRule,
  approachRule,
  arrivalRule,
  expiryRule,
  legApproachRule,
  legArrivalRule,
  legLeftRule,
  nearChainRule,
  outOfRangeRule,
  rangedRule,
  tripAccuracyRule,
  wrongRule,
} from "../../../src/core/tracking/trace/journey-rules.ts";
import {
  borderRule,
  leftPlaceRule,
  settledRule,
  unknownRegionRule,
} from "../../../src/core/tracking/trace/place-rules.ts";
import {
  apart,
  blockedRule,
  eventTypeRule,
  fraudRule,
  timeRule,
} from "../../../src/core/tracking/trace/update-rules.ts";
import { DEFAULT_SETTINGS } from "../../../src/core/tracking/types/settings.ts";
import type { UserState } from "../../../src/core/tracking/types/state.ts";
import type { Place, Region } from "../../../src/core/tracking/types/surroundings.ts";
import type { Trip, TripLeg } from "../../../src/core/tracking/types/trip.ts";
import type { LocationUpdate } from "../../../src/core/tracking/types/update.ts";
import { circleShape, HOME, MINUTE, NOON } from "./world.ts";

/** East of HOME, as far as the earth's radius of geo/distance.ts has it. */
const east = (far: number) => destination(HOME, 90, far);

const update = (more: Partial<LocationUpdate> = {}): LocationUpdate => ({
  deviceId: "phone",
  location: HOME,
  accuracy: 10,
  replayed: false,
  receivedAt: NOON,
  ...more,
});

const fence = { id: "f1", revision: 1, shape: circleShape(HOME, 100), enabled: true };
const user = { _id: "u1" } as UserState;

describe("figures in sentences", () => {
  it.each([
    [0, "0 m"],
    [12.34, "12.3 m"],
    [9999.9, "9999.9 m"],
    [10_000, "10.0 km"],
    [-10_000, "-10.0 km"],
    [123_456, "123.5 km"],
    [Number.POSITIVE_INFINITY, "far"],
  ])("%f m is %s", (value, text) => {
    expect(metres(value)).toBe(text);
  });

  it.each([
    [1000, "1 s"],
    [-1500, "1.5 s"],
    [119_900, "119.9 s"],
    [120_000, "2 minutes"],
    [7_199_000, "120 minutes"],
    [7_200_000, "2 hours"],
    [-9_000_000, "2.5 hours"],
  ])("%f ms are %s", (ms, text) => {
    expect(span(ms)).toBe(text);
  });

  it("have one digit after the point, and times no T and no milliseconds", () => {
    expect([round(1.25), round(-0.14), round(7)]).toEqual([1.3, -0.1, 7]);
    expect(instant(NOON + 5 * MINUTE)).toBe("2026-07-01 12:05:00 UTC");
  });

  it("are the distance between an update and an earlier fix", () => {
    expect(apart({ location: east(50), accuracy: 99 }, update())).toBeCloseTo(50, 6);
  });
});

describe("decisions about a whole update", () => {
  it("a blocked user's update changes nothing", () => {
    expect(blockedRule()).toMatchObject({ rule: "blocked", passed: false, figures: {} });
  });

  const before = { ...user, chronology: NOON - 10 * MINUTE };
  const times = { receivedAt: "2026-07-01T12:00:00.000Z", newest: "2026-07-01T11:50:00.000Z" };

  it("an update without a time is as of now", () => {
    expect(timeRule(undefined, update(), NOON)).toMatchObject({
      rule: "updatedAt",
      passed: true,
      figures: { receivedAt: times.receivedAt },
      sentence: expect.stringContaining("no time"),
    });
  });

  it("the newest one is named with its time and how late it came", () => {
    const updatedAt = NOON - 5000;
    expect(timeRule(before, update({ updatedAt }), updatedAt)).toMatchObject({
      passed: true,
      figures: { ...times, updatedAt: "2026-07-01T11:59:55.000Z" },
      sentence: expect.stringMatching(/newest.*2026-07-01 11:59:55 UTC.* 5 s later\./),
    });
    const ahead = NOON + 3000;
    expect(timeRule(before, update({ updatedAt: ahead }), ahead).sentence).toMatch(/ 3 s earlier/);
    expect(timeRule(before, update({ updatedAt: NOON }), NOON).sentence).toMatch(/ 0 s later\./);
  });

  it("a time that is not later gives way to the time of arrival", () => {
    const decision = timeRule(before, update({ updatedAt: NOON - 20 * MINUTE }), NOON);
    expect(decision.passed).toBe(true);
    expect(decision.sentence).toMatch(/not later.*arrival/);
  });

  it("an older one that is replayed, and one that was sent before, change nothing", () => {
    const older = timeRule(before, update({ updatedAt: NOON - 13 * MINUTE, replayed: true }), "older");
    expect(older).toMatchObject({ rule: "updatedAt", passed: false, sentence: expect.stringContaining("3 minutes") });
    expect(timeRule(before, update(), "repeated")).toMatchObject({
      rule: "updatedAt",
      passed: false,
      figures: times,
      sentence: expect.stringContaining("before"),
    });
    expect(timeRule(undefined, update({ updatedAt: 0 }), "older").sentence).not.toMatch(/\d/);
  });

  it("a type of events is enabled or disabled", () => {
    const subject = { kind: "trip", id: "t1" } as const;
    expect(eventTypeRule("user.entered_geofence", true, subject)).toMatchObject({
      rule: "eventTypes",
      about: subject,
      passed: true,
      figures: { type: "user.entered_geofence" },
      sentence: expect.stringMatching(/enabled .*user\.entered_geofence/),
    });
    const off = eventTypeRule("user.failed_fraud", false, undefined);
    expect(off).toMatchObject({ passed: false, sentence: expect.stringMatching(/disabled .*user\.failed_fraud/) });
    expect(off).not.toHaveProperty("about");
  });

  it.each([
    [[], [], false, false, /No fraud check/, ""],
    [["mocked", "jumped"], ["jumped"], false, true, /checks mocked fail.*did not/, "mocked, jumped"],
    [["mocked", "jumped"], ["jumped", "mocked"], false, false, /mocked, jumped fail as/, "mocked, jumped"],
    [["mocked"], [], true, false, /mocked fail.*bypass/, "mocked"],
  ] as const)(
    "fraud checks %j after %j, bypassed %s: %s",
    (failed, failedBefore, bypassed, passed, sentence, names) => {
      expect(fraudRule({ failed, verified: false, lastFailed: {} }, failedBefore, bypassed)).toEqual({
        rule: "fraud",
        about: { kind: "fraud", id: "fraud" },
        passed,
        sentence: expect.stringMatching(sentence),
        figures: { failed: names, failedBefore: failedBefore.join(", "), bypassed },
      });
    },
  );
});

describe("decisions about a geofence", () => {
  const about = { kind: "geofence", id: "f1" } as const;

  it.each([
    [65, true, "within"],
    [66, false, "worse"],
  ])("a fix of %i m is good enough at a limit of 65 m: %s", (accuracy, passed, word) => {
    const decision = accuracyRule("f1", update({ accuracy }), { ...DEFAULT_SETTINGS, accuracyLimit: 65 });
    expect(decision).toMatchObject({ rule: "accuracyLimit", about, passed, figures: { accuracy, accuracyLimit: 65 } });
    expect(decision.sentence).toMatch(new RegExp(`${accuracy} m is ${word}.* 65 m`));
  });

  it.each([
    [30, 0, true, /^The position is 70 m inside the edge\.$/],
    [112, 20, true, /12 m outside the edge, .*within .*20 m/],
    [130, 20, false, /30 m outside the edge, .*more than .*20 m/],
    [112, 0, false, /12 m outside the edge; without buffered entries/],
  ])("a position %i m from the center, buffered by %i m, is inside: %s", (far, buffer, inside, sentence) => {
    const decision = edgeRule(fence, update({ location: east(far), accuracy: 20 }), buffer, inside);
    expect(decision).toMatchObject({ rule: "bufferedEntries", about, passed: inside });
    expect(decision.figures).toEqual({ distance: far - 100, accuracy: 20, buffer, radius: 100 });
    expect(decision.sentence).toMatch(sentence);
  });

  it("a position on the edge is inside by itself; a polygon has no radius", () => {
    const ring = [
      [-73.951, 40.699],
      [-73.949, 40.699],
      [-73.949, 40.701],
      [-73.951, 40.701],
    ] as [number, number][];
    const shape = { type: "polygon", ring, center: HOME, reach: 200 } as const;
    const { figures, sentence } = edgeRule({ ...fence, shape }, update(), 10, true);
    expect(figures).not.toHaveProperty("radius");
    expect(figures.distance).toBeLessThan(-80);
    expect(sentence).toMatch(/ inside the edge\.$/);
  });

  it("a geofence is disabled, or ended some time ago", () => {
    expect(activeRule({ ...fence, enabled: false }, user, NOON, false)).toMatchObject({
      rule: "enabled",
      about,
      passed: false,
      figures: { enabled: false },
    });
    const ended = { ...fence, disableAfter: NOON - 3 * MINUTE };
    expect(activeRule(ended, user, NOON, false)).toMatchObject({
      rule: "disableAfter",
      about,
      passed: false,
      figures: { disableAfter: "2026-07-01T11:57:00.000Z" },
      sentence: expect.stringMatching(/2026-07-01 11:57:00 UTC, 3 minutes/),
    });
    expect(activeRule({ ...fence, disableAfter: NOON }, user, NOON, false).rule).toBe("disableAfter");
    expect(activeRule({ ...fence, disableAfter: NOON + 1 }, user, NOON, true)).toMatchObject({
      rule: "enabled",
      passed: true,
      figures: { enabled: true },
      sentence: expect.stringContaining("all users"),
    });
  });

  it("a geofence for some users names those that the user goes by", () => {
    const who = { _id: "u1", deviceId: "phone", userId: "ann" };
    expect(activeRule({ ...fence, userIds: ["ann", "bob"] }, who, NOON, true)).toMatchObject({
      rule: "userIds",
      about,
      passed: true,
      figures: { userIds: 2, user: "u1, phone, ann" },
      sentence: expect.stringMatching(/some users.*including this one/),
    });
    expect(activeRule({ ...fence, userIds: ["bob"] }, user, NOON, false)).toMatchObject({
      passed: false,
      figures: { userIds: 1, user: "u1" },
      sentence: expect.stringContaining("one other user"),
    });
    expect(activeRule({ ...fence, userIds: ["bob", "eve"] }, user, NOON, false).sentence).toContain("2 other users");
  });

  it("stop detection is the project's or the geofence's, and names what the device reports", () => {
    const project = stopRule(fence, update({ stopped: false }), { ...DEFAULT_SETTINGS, stopDetection: true }, false);
    expect(project).toMatchObject({ rule: "stopDetection", about, passed: false });
    expect(project.figures).toEqual({ stopDetection: true, stopped: false });
    expect(project.sentence).toMatch(/^The project .*stopped is false.*foreground is not/);
    const own = stopRule({ ...fence, stopDetection: true }, update({ foreground: true }), DEFAULT_SETTINGS, true);
    expect(own).toMatchObject({ passed: true, sentence: expect.stringMatching(/^The geofence .*foreground is true/) });
    expect(own.figures).toEqual({ stopDetection: true, foreground: true });
    expect(own.sentence).toMatch(/stopped is not/);
  });

  it("hours of the day are told on the clock of the place", () => {
    const hours = { Wed: [["08:00", "12:00"] as const, ["13:00", "17:30"] as const] };
    const open = hoursRule({ ...fence, operatingHours: hours }, { day: 2, minute: 545 }, "America/New_York", true);
    expect(open).toMatchObject({
      rule: "operatingHours",
      about,
      passed: true,
      figures: { weekday: "Wed", time: "09:05", timeZone: "America/New_York", hours: "08:00–12:00, 13:00–17:30" },
      sentence: expect.stringMatching(/Wed 09:05 .*America\/New_York.*open 08:00–12:00, 13:00–17:30 .*so it is open\./),
    });
    const closed = hoursRule({ ...fence, operatingHours: hours }, { day: 6, minute: 600 }, "UTC", false);
    expect(closed.figures).toEqual({ weekday: "Sun", time: "10:00", timeZone: "UTC", hours: "" });
    expect(closed.sentence).toMatch(/closed that day, so it is closed\./);
    const days = [0, 1, 2, 3, 4, 5, 6].map((day) => hoursRule(fence, { day, minute: 0 }, "UTC", false).figures.weekday);
    expect(days).toEqual(["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]);
  });

  it("a device comes back when it has moved, or with a fix that says so; and leaves again likewise", () => {
    const exit = { location: east(300), accuracy: 40 };
    const rule = (returned: boolean, enters: boolean) => returnRule(fence, exit, update(), -12.34, returned, enters);
    expect(rule(false, true)).toMatchObject({ rule: "flapping", about, passed: true });
    expect(rule(false, true).figures).toEqual({
      moved: 300,
      certainFrom: 100,
      distance: -12.3,
      accuracy: 10,
      exitAccuracy: 40,
    });
    expect(rule(false, true).sentence).toMatch(/300 m.* may enter again/);
    expect(rule(true, true).sentence).toMatch(/not certainly moved \(300 m\).*much better.*may enter again/);
    expect(rule(true, false)).toMatchObject({ passed: false, sentence: expect.stringContaining("stationary") });
    const stays = stayRule("f1", exit, update(), false);
    expect(stays).toMatchObject({ rule: "flapping", about, passed: false, figures: { moved: 300, certainFrom: 100 } });
    expect(stays.sentence).toMatch(/not certainly moved \(300 m\)/);
    expect(stayRule("f1", exit, update(), true)).toMatchObject({
      passed: true,
      sentence: expect.stringMatching(/has certainly moved \(300 m\)/),
    });
  });

  it("where the user was before: outside, or inside since", () => {
    expect(presenceRule("f1", undefined, NOON)).toMatchObject({
      ...{
        rule: "before",
        about,
        passed: true,
        figures: { inside: false },
        sentence: expect.stringMatching(/outside/),
      },
    });
    const presence = { fence: { _id: "f1" }, revision: 1, enteredAt: NOON - 5 * MINUTE, dwelled: true };
    const { figures, sentence } = presenceRule("f1", presence, NOON);
    expect(figures).toEqual({ inside: true, enteredAt: "2026-07-01T11:55:00.000Z", minutes: 5, dwelled: true });
    expect(sentence).toMatch(/inside, since 2026-07-01 11:55:00 UTC \(5 minutes\)/);
  });

  it("a geofence that is no longer near ends a visit, unless the fix is too bad", () => {
    expect(goneRule("f1", true)).toMatchObject({ rule: "nearby", about, passed: true });
    expect(goneRule("f1", false)).toMatchObject({
      passed: false,
      sentence: expect.stringMatching(/not accurate enough/),
    });
    expect(goneRule("f1", true).sentence).toMatch(/visit ends/);
  });

  it("a dwell is due once per visit, behind the threshold of the geofence or the project", () => {
    const presence = { fence: { _id: "f1" }, revision: 1, enteredAt: NOON - 6 * MINUTE, dwelled: false };
    const figures = { minutesInside: 6, dwellThreshold: 5, dwelled: false };
    const due = dwellRule(fence, presence, 5, NOON, true);
    expect(due).toEqual({ rule: "dwellThreshold", about, passed: true, figures, sentence: due.sentence });
    expect(due.sentence).toMatch(/6 minutes, longer than the project's threshold of 5 minutes/);
    const own = dwellRule({ ...fence, dwellThreshold: 7 }, presence, 7, NOON, false);
    expect(own.sentence).toMatch(/6 minutes, not longer than the geofence's threshold of 7 minutes/);
    expect(own.passed).toBe(false);
    expect(dwellRule(fence, presence, 0, NOON, false).sentence).toMatch(/Neither/);
    expect(dwellRule(fence, presence, 0.5, NOON, true).sentence).not.toMatch(/Neither/);
    const again = dwellRule(fence, { ...presence, dwelled: true }, 5, NOON, false);
    expect(again).toMatchObject({ figures: { dwelled: true }, sentence: expect.stringMatching(/one per visit/) });
  });

  it.each([
    [3, "all of"],
    [2, "at least half of"],
    [1, "less than half of"],
  ] as const)("confidence %i: %s the circle", (confidence, share) => {
    const decision = confidenceRule("f1", "outside", update(), 12.34, confidence);
    expect(decision).toMatchObject({ rule: "confidence", about, passed: true });
    expect(decision.figures).toEqual({ confidence, accuracy: 10, distance: 12.3 });
    expect(decision.sentence).toMatch(new RegExp(`Confidence ${confidence}: ${share} .*10 m.*outside`));
    const far = confidenceRule("f1", "outside", update(), Number.POSITIVE_INFINITY, confidence);
    expect(far.figures).toEqual({ confidence, accuracy: 10 });
    expect(far.sentence).toMatch(/no edge/);
  });
});

const shop: Place = {
  _id: "p1",
  name: "Corner Shop",
  categories: ["shop"],
  location: east(40),
  chain: { slug: "corner", name: "Corner" },
};
const land: Region = { _id: "r1", type: "state", code: "NY", name: "New York" };
const next: Region = { _id: "r2", type: "state", code: "NJ", name: "New Jersey" };

describe("decisions about places and regions", () => {
  const place = { kind: "place", id: "p1" } as const;

  it("a place is visited by a device that has stopped or an app that is in use", () => {
    const passes = settledRule(shop, update({ stopped: true }), true);
    expect(passes).toMatchObject({ rule: "stopped", about: place, passed: true });
    expect(passes.figures).toEqual({ stopped: true });
    expect(passes.sentence).toMatch(/^The position is at Corner Shop, and .*stopped is true and foreground is not/);
    const fails = settledRule(shop, update({ foreground: false }), false);
    expect(fails).toMatchObject({ passed: false, sentence: expect.stringMatching(/Corner Shop, but .*is false/) });
    expect(fails.figures).toEqual({ foreground: false });
    expect(fails.sentence).toMatch(/stopped is not/);
  });

  it("a place is left beyond its reach and the accuracy together", () => {
    const presence = { place: shop, enteredAt: NOON, anchor: { location: HOME, accuracy: 5 } };
    const left = leftPlaceRule(presence, 61.26, 50, update(), true);
    expect(left).toMatchObject({ rule: "reach", about: place, passed: true });
    expect(left.figures).toEqual({ distance: 61.3, reach: 50, accuracy: 10 });
    expect(left.sentence).toMatch(/61\.3 m from Corner Shop, more than .*50 m.*10 m/);
    const stays = leftPlaceRule(presence, 59, 50, update(), false);
    expect(stays).toMatchObject({ passed: false, sentence: expect.stringMatching(/not more than/) });
  });

  it("a border is crossed by the first update beyond it, but not back by a device that sits still", () => {
    const crossed = borderRule("state", land, next, update(), undefined);
    expect(crossed).toMatchObject({ rule: "state", about: { kind: "region", id: "r2" }, passed: true });
    expect(crossed.figures).toEqual({ from: "NY", to: "NJ" });
    expect(crossed.sentence).toMatch(/out of New York into New Jersey \(state\): /);
    const back = borderRule("state", next, land, update(), { location: east(5), accuracy: 10 });
    expect(back).toMatchObject({ passed: false, figures: { from: "NJ", to: "NY" } });
    expect(back.sentence).toMatch(/out of New Jersey into New York .*not certainly moved \(5 m\)/);
  });

  it("a border may lead from or into no region", () => {
    const out = borderRule("state", land, undefined, update(), undefined);
    expect(out).toMatchObject({ about: { id: "r1" }, figures: { from: "NY", to: "" } });
    expect(out.sentence).toMatch(/out of New York into no region/);
    const into = borderRule("state", undefined, land, update(), undefined);
    expect(into).toMatchObject({ about: { id: "r1" }, figures: { from: "", to: "NY" } });
    expect(into.sentence).toMatch(/from no region into New York/);
    expect(borderRule("dma", undefined, undefined, update(), undefined).about).toEqual({ kind: "region", id: "dma" });
  });

  it("a region without data is left far from where it was last known", () => {
    const lost = { location: east(20_000), accuracy: 10 };
    const rule = unknownRegionRule(land, lost, update(), 50_000, false);
    expect(rule).toMatchObject({ rule: "state", about: { kind: "region", id: "r1" }, passed: false });
    expect(rule.figures).toEqual({ distance: 20_000, reach: 50_000 });
    expect(rule.sentence).toMatch(/state here.*New York is 20\.0 km away.* only beyond 50\.0 km/);
    const left = unknownRegionRule(land, lost, update(), 10_000, true);
    expect(left.passed).toBe(true);
    expect(left.sentence).toMatch(/left beyond 10\.0 km/);
  });
});

const trip: Trip = {
  _id: "t1",
  live: false,
  externalId: "order-7",
  mode: "car",
  status: "started",
  destination: { fence: "f1", tag: "house", externalId: "1", location: HOME },
  createdAt: NOON,
  updatedAt: NOON,
  version: 1,
};

const leg = (id: string, more: Partial<TripLeg> = {}): TripLeg => ({
  _id: id,
  status: "started",
  createdAt: NOON,
  updatedAt: NOON,
  destination: { type: "coordinates", location: HOME, arrivalRadius: 120 },
  ...more,
});

describe("decisions about beacons, chains and trips", () => {
  const about = { kind: "trip", id: "t1" } as const;
  const beacon = { _id: "b1", type: "ibeacon", description: "Door", enabled: true } as const;

  it("a beacon is ranged, still or newly, or no longer", () => {
    const rule = (before: boolean, ranged: boolean) => rangedRule(beacon, before, ranged);
    expect(rule(false, true)).toMatchObject({
      ...{
        rule: "ranged",
        about: { kind: "beacon", id: "b1" },
        passed: true,
        figures: { ranged: true, before: false },
      },
      sentence: expect.stringMatching(/ranges the beacon Door, and did not before/),
    });
    expect(rule(true, true).sentence).toMatch(/ranges the beacon Door still/);
    expect(rule(true, false)).toMatchObject({
      passed: false,
      figures: { ranged: false, before: true },
      sentence: expect.stringMatching(/no longer/),
    });
  });

  it("a device that reports no ranging leaves a beacon by distance", () => {
    const anchor = { location: east(150), accuracy: 10 };
    expect(outOfRangeRule(beacon, anchor, update(), 100, true)).toMatchObject({
      rule: "range",
      about: { kind: "beacon", id: "b1" },
      passed: true,
      figures: { distance: 150, range: 100 },
      sentence: expect.stringMatching(/150 m from .*Door.*100 m, so it is left/),
    });
    expect(outOfRangeRule(beacon, anchor, update(), 200, false)).toMatchObject({
      passed: false,
      sentence: expect.stringMatching(/so it is kept/),
    });
  });

  it("a place of a watched chain is near", () => {
    expect(nearChainRule(shop, update())).toMatchObject({
      rule: "nearbyChains",
      about: { kind: "chain", id: "corner" },
      passed: true,
      figures: { distance: 40 },
      sentence: expect.stringMatching(/Corner Shop of .*Corner is 40 m away/),
    });
    expect(nearChainRule({ ...shop, chain: undefined }, update()).about).toEqual({ kind: "chain", id: "" });
  });

  it("a trip expires after its time, not at it", () => {
    const figures = { expiresAt: "2026-07-01T12:00:00.000Z" };
    const alive = expiryRule(trip, NOON, NOON);
    expect(alive).toMatchObject({ rule: "expires", about, passed: true, figures });
    expect(alive.sentence).toMatch(/would expire .*2026-07-01 12:00:00 UTC/);
    expect(expiryRule(trip, NOON + 1, NOON)).toMatchObject({
      passed: false,
      sentence: expect.stringMatching(/trip expired /),
    });
  });

  it("a trip is begun by the user it waits for", () => {
    const decision = adoptRule(trip);
    expect(decision).toMatchObject({ rule: "adopted", about, passed: true, figures: { externalId: "order-7" } });
  });

  it.each([
    [65, true, /accurate enough.*65 m.*65 m/],
    [66, false, /not accurate enough.*66 m.*65 m/],
  ])("a fix of %i m moves the trip at a limit of 65 m: %s", (accuracy, passed, sentence) => {
    expect(tripAccuracyRule(trip, update({ accuracy }), { ...DEFAULT_SETTINGS, accuracyLimit: 65 })).toMatchObject({
      rule: "accuracyLimit",
      about,
      passed,
      figures: { accuracy, accuracyLimit: 65 },
      sentence: expect.stringMatching(sentence),
    });
  });

  it("a trip arrives inside the geofence of its destination, once", () => {
    const arrives = arrivalRule(trip, true);
    expect(arrives).toMatchObject({ rule: "destination", about, passed: true });
    expect(arrives.figures).toEqual({ status: "started", destination: "f1" });
    expect(arrives.sentence).toMatch(/is inside the geofence/);
    expect(arrivalRule(trip, false)).toMatchObject({
      passed: false,
      sentence: expect.stringMatching(/not inside the geofence/),
    });
    expect(arrivalRule({ ...trip, status: "arrived" }, false).sentence).toMatch(/already arrived/);
    const aimless = arrivalRule({ ...trip, destination: undefined }, false);
    expect(aimless.sentence).toMatch(/no destination/);
    expect(aimless.figures).toEqual({ status: "started" });
  });

  it("a trip approaches within the threshold of its time to the destination", () => {
    const eta = { duration: 4.26, distance: 1234.56 };
    const near = approachRule({ ...trip, approachingThreshold: 5, eta }, true);
    expect(near).toMatchObject({ rule: "approachingThreshold", about, passed: true });
    expect(near.figures).toEqual({ minutes: 4.3, metres: 1234.6, approachingThreshold: 5 });
    expect(near.sentence).toMatch(/4\.3 minutes away, within .*5 minutes/);
    const far = approachRule({ ...trip, approachingThreshold: 4.25, eta }, false);
    expect(far).toMatchObject({ passed: false, sentence: expect.stringMatching(/more than .*4\.3 minutes/) });
    const unknown = approachRule({ ...trip, approachingThreshold: 5 }, false);
    expect(unknown.sentence).toMatch(/not known/);
    expect(unknown.figures).toEqual({ approachingThreshold: 5 });
    expect(approachRule({ ...trip, eta }, false)).toMatchObject({
      figures: { minutes: 4.3, metres: 1234.6 },
      sentence: expect.stringMatching(/no approaching threshold/),
    });
    const ofLeg = legApproachRule(
      { ...trip, approachingThreshold: 5, eta },
      leg("l1", { eta: { duration: 9, distance: 8 } }),
      false,
    );
    expect(ofLeg.figures).toEqual({ minutes: 9, metres: 8, approachingThreshold: 5 });
  });

  it("a wrong destination has the tag of the right one", () => {
    expect(wrongRule(trip)).toMatchObject({
      rule: "wrongDestination",
      about,
      passed: true,
      figures: { tag: "house" },
      sentence: expect.stringContaining("(house)"),
    });
    expect(wrongRule({ ...trip, destination: undefined }).figures).toEqual({ tag: "" });
  });

  const fenced = leg("l2", {
    destination: { type: "geofence", fence: "f2", tag: "store", externalId: "9", location: HOME },
  });
  const posted = leg("l3", {
    destination: { type: "address", address: "1 Main St", location: HOME, arrivalRadius: 60 },
  });
  const many: Trip = { ...trip, legs: [leg("l1"), fenced, posted] };

  it("a leg arrives at a geofence, an address or a point, each within its own bound", () => {
    const point = legArrivalRule(many, many.legs![0], 130.26, false);
    expect(point).toMatchObject({ rule: "destination", about, passed: false });
    expect(point.figures).toEqual({ leg: "l1", status: "started", distance: 130.3 });
    expect(point.sentence).toMatch(/leg 1 of 3 \(a point\) .*130\.3 m .*, not within 120 m/);
    expect(legArrivalRule(many, fenced, 5, true)).toMatchObject({
      passed: true,
      sentence: expect.stringMatching(/leg 2 of 3 \(store 9\) .*5 m .* and inside its geofence/),
    });
    expect(legArrivalRule(many, posted, 5, true).sentence).toMatch(/leg 3 of 3 \(1 Main St\).* and within 60 m/);
    const there = { ...fenced, status: "arrived" } as const;
    expect(legArrivalRule(many, there, 5, false).sentence).toMatch(/already arrived, on leg 2 of 3/);
    const untagged = { ...fenced, destination: { ...fenced.destination, tag: undefined } };
    expect(legArrivalRule(many, untagged, 5, false).sentence).toContain("(9)");
    const bare = leg("l1", { destination: { type: "coordinates", location: HOME } });
    expect(legArrivalRule(many, bare, 5, false).sentence).toContain("within 0 m");
  });

  it("a leg is completed when its stop is left", () => {
    expect(legLeftRule(many, posted, 200.04, true)).toMatchObject({
      rule: "leg",
      about,
      passed: true,
      figures: { leg: "l3", distance: 200 },
      sentence: expect.stringMatching(/has left the stop of leg 3 of 3/),
    });
    expect(legLeftRule(many, posted, 20, false)).toMatchObject({
      passed: false,
      sentence: expect.stringMatching(/still at the stop of leg 3 of 3/),
    });
  });
});
