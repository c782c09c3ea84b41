import { describe, expect, it } from "vitest";
import type { z } from "zod";
import type { GuidedLeg } from "../../../src/core/routing/route/guided-leg.ts";
import { TRIP_STATUSES } from "../../../src/core/tracking/types/trip.ts";
import { ALERT_TYPES } from "../../../src/core/webhooks/alerts.ts";
import type { BeaconRow } from "../../../src/worker/db/schema.ts";
import { alertNotice, alertShape } from "../../../src/worker/wire/alert.ts";
import { beaconShape, wireBeacon } from "../../../src/worker/wire/beacon.ts";
import { optionalDate, Unwritable, wireDate } from "../../../src/worker/wire/date.ts";
import { routeShape } from "../../../src/worker/wire/directions.ts";
import { eventShape, wireEvent } from "../../../src/worker/wire/event.ts";
import { fraudShape, wireFraud } from "../../../src/worker/wire/fraud.ts";
import { geofenceShape, wireGeofence } from "../../../src/worker/wire/geofence.ts";
import { legShape, wireLeg } from "../../../src/worker/wire/leg.ts";
import { liveEvent, livePosition } from "../../../src/worker/wire/live.ts";
import { toNotices } from "../../../src/worker/wire/notices.ts";
import { eventReceipt, tripView } from "../../../src/worker/wire/receipt.ts";
import { sharedTripShape, shareShape, wireShare, wireSharedTrip } from "../../../src/worker/wire/share.ts";
import {
  beaconLabelShape,
  fenceLabelShape,
  placeShape,
  regionShape,
  wireBeaconLabel,
  wireFenceLabel,
  wirePlace,
} from "../../../src/worker/wire/surroundings.ts";
import { tripShape, wireTrip } from "../../../src/worker/wire/trip.ts";
import { explanationShape, updateShape, wireExplanation, wireUpdate } from "../../../src/worker/wire/updates.ts";
import { userShape, wireUser } from "../../../src/worker/wire/user.ts";
import {
  attemptShape,
  deadLetterShape,
  webhookShape,
  wireAttempt,
  wireDeadLetter,
  wireWebhook,
} from "../../../src/worker/wire/webhook.ts";
import {
  at,
  BEACON,
  BEACON_ROW,
  EVENT,
  FENCE,
  GEOFENCE,
  LEG,
  PLACE,
  REGION,
  RERUN,
  TRIP,
  text,
  USER,
  WEBHOOK,
  WIRE_BEFORE,
  WIRE_EVENT,
  WIRE_FENCE,
  WIRE_GEOFENCE,
  WIRE_LEG,
  WIRE_PLACE,
  WIRE_TRIP,
  WIRE_UPDATE,
  WIRE_USER,
} from "./samples.ts";
import { type Coverage, coverageOf } from "./shape-coverage.ts";
import { wireRoute } from "./whole-route.ts";

const ALL: Coverage = { unknown: [], unseen: [] };
/** As JSON writes it: absent fields are absent. */
const sent = (value: unknown) => JSON.parse(JSON.stringify(value));
/** Enumerations, kinds of destinations, and fields that exclude others have tests of their own below. */
const ELSEWHERE = /[=|]|\.address\.unit$|^\.custom$/;

/** Each writer with an object that has a value in each field, and what the API shows of it. */
const WRITTEN: [name: string, shown: unknown, expected: unknown, shape: z.ZodType][] = [
  ["geofence of a user", wireFenceLabel(FENCE), WIRE_FENCE, fenceLabelShape],
  ["place", wirePlace(PLACE), WIRE_PLACE, placeShape],
  ["region", REGION, REGION, regionShape],
  ["beacon of a user", wireBeaconLabel(BEACON), BEACON, beaconLabelShape],
  ["leg", wireLeg(LEG), WIRE_LEG, legShape],
  ["trip", wireTrip(TRIP), WIRE_TRIP, tripShape],
  ["event", wireEvent(EVENT), WIRE_EVENT, eventShape],
  ["user", wireUser(USER), WIRE_USER, userShape],
  ["update", wireUpdate(RERUN.past), WIRE_UPDATE, updateShape],
];

describe("an object with all its fields", () => {
  it.each(WRITTEN)("is shown as the API has it: %s", (_, shown, expected) => {
    expect(sent(shown)).toEqual(expected);
  });

  it.each(WRITTEN)("has the fields of the reference, and each field of the reference is shown: %s", (_, ...rest) => {
    const [shown, , shape] = rest;
    const { unknown, unseen } = coverageOf(shape, [shown]);
    expect([unknown, unseen.filter((path) => !ELSEWHERE.test(path))]).toEqual([[], []]);
  });
});

describe("a leg", () => {
  const to = (destination: Partial<typeof LEG.destination>) =>
    wireLeg({ ...LEG, destination: { location: LEG.destination.location, type: "address", ...destination } });

  it("names its destination as its kind is named", () => {
    expect(to({ type: "address", address: "20 Jay St" }).destination.source).toEqual({ data: "20 Jay St" });
    expect(to({ type: "address" }).destination.source).toEqual({ data: "" });
    expect(to({ type: "coordinates" }).destination.source).toEqual({ data: [-73.3, 40.3] });
  });

  it("has each kind and each status of the reference", () => {
    const legs = [wireLeg(LEG), to({ type: "address" }), to({ type: "coordinates" })];
    const statuses = TRIP_STATUSES.map((status) => wireLeg({ ...LEG, status }));
    const found = (["exact", "fallback"] as const).map((confidence) => to({ type: "address", confidence }));
    const points = (["rooftop", "parcel", "street"] as const).map((precision) => to({ type: "address", precision }));
    expect(coverageOf(legShape, [...legs, ...statuses, ...found, ...points])).toEqual(ALL);
    expect(TRIP_STATUSES).toEqual([
      ...["pending", "started", "approaching", "arrived", "completed", "canceled", "expired"],
    ]);
  });
});

describe("a trip", () => {
  it("without legs leads to its geofence", () => {
    const { legs: _, currentLeg: __, currentLegId: ___, ...rest } = WIRE_TRIP;
    const expected = { ...rest, destinationLocation: { type: "Point", coordinates: [-73.4, 40.4] } };
    expect(sent(wireTrip({ ...TRIP, legs: undefined }))).toEqual(expected);
    expect(wireTrip({ ...TRIP, legs: undefined, destination: undefined }).destinationLocation).toBeUndefined();
  });

  it.each([
    [2, true],
    [0, false],
    [-3, false],
  ])("that is %d minutes behind is delayed: %s", (delay, delayed) => {
    expect(wireTrip({ ...TRIP, delay }).delay).toEqual({ delayed, scheduledArrivalTimeDelay: delay });
  });

  it("has a user only where both record and device are known", () => {
    expect(wireTrip({ ...TRIP, user: undefined }).user).toBeUndefined();
    expect(wireTrip({ ...TRIP, deviceId: undefined }).user).toBeUndefined();
    expect(wireTrip({ ...TRIP, delay: undefined }).delay).toBeUndefined();
  });

  it.each([
    ["pending", false],
    ["started", true],
    ["approaching", true],
    ["arrived", true],
    ["completed", false],
    ["canceled", false],
    ["expired", false],
  ] as const)("that is %s is shown by its user: %s", (status, isShown) => {
    expect(wireUser({ ...USER, trip: { ...TRIP, status } }).trip?.status).toBe(isShown ? status : undefined);
  });
});

describe("a receipt for a caller who has not proven to know the user", () => {
  it("has ids and what the caller sent, and nothing of the user, its place or distances", () => {
    const { _id, type, live, createdAt, actualCreatedAt, confidence, verification, verifiedPlaceId } = WIRE_EVENT;
    const event = { _id, type, live, createdAt, actualCreatedAt, confidence, verification, verifiedPlaceId };
    expect(sent(eventReceipt(EVENT))).toEqual({ ...event, user: { _id: "u1" } });
    expect(sent(eventReceipt(EVENT, { userId: "bob", metadata: { a: 1 }, duration: 9 }))).toEqual({
      ...event,
      user: { _id: "u1", userId: "bob" },
      metadata: { a: 1 },
      duration: 9,
    });
  });

  it("of a trip for its own device has the ETA, and no user", () => {
    const { userId: _, user: __, ...trip } = WIRE_TRIP;
    expect(sent(tripView(TRIP))).toEqual(trip);
  });
});

describe("an event", () => {
  it("of another type than a user's is a conversion", () => {
    expect(wireEvent(EVENT).custom).toBeUndefined();
    expect(wireEvent({ ...EVENT, type: "bought.user." }).custom).toBe(true);
  });

  it("has the leg only beside its trip", () => {
    expect(wireEvent({ ...EVENT, trip: undefined }).leg).toBeUndefined();
  });

  it("goes to webhooks with its id, type and user, where its type is wanted", () => {
    const docs = [EVENT, { ...EVENT, _id: "e2", type: "other" }].map((event) => JSON.stringify(event));
    const errors: unknown[] = [];
    const wanted = (type: string) => type === EVENT.type;
    const notices = toNotices([docs[0], "{", docs[1]], wanted, (error) => errors.push(error));
    expect(notices.map(({ json, ...rest }) => ({ ...rest, event: JSON.parse(json) }))).toEqual([
      { id: "e1", type: "user.entered_place", user: "u1", event: WIRE_EVENT },
    ]);
    expect(errors).toEqual([expect.any(SyntaxError)]);
  });
});

describe("a message of the live stream", () => {
  it("is an event, or a user's position, with the names of its user", () => {
    const { text: eventText, ...event } = liveEvent(JSON.stringify(EVENT));
    expect(event).toEqual({
      kind: "event",
      names: ["u1", "ann", "phone"],
      event: "e1",
      eventType: "user.entered_place",
    });
    expect(JSON.parse(eventText)).toEqual({ type: "event", event: WIRE_EVENT });
    const { text: positionText, ...position } = livePosition(JSON.stringify({ ...USER, userId: undefined }));
    expect(position).toEqual({ kind: "position", names: ["u1", "phone"] });
    expect(JSON.parse(positionText)).toEqual({
      type: "position",
      user: {
        _id: "u1",
        deviceId: "phone",
        location: { type: "Point", coordinates: [-73.6, 40.6] },
        accuracy: 8,
        stopped: false,
        foreground: true,
        updatedAt: text(51),
      },
    });
  });
});

describe("fraud checks", () => {
  const CHECKS = ["mocked", "jumped", "compromised", "inaccurate", "proxy", "sharing"] as const;
  const date = (check: string) => `last${check[0].toUpperCase()}${check.slice(1)}At`;

  it.each(CHECKS)("tell of %s by itself", (check) => {
    const shown = wireFraud({ verified: false, failed: [check], lastFailed: { [check]: at(1) } });
    expect(shown).toEqual({
      verified: false,
      passed: false,
      bypassed: false,
      blocked: false,
      ...Object.fromEntries(
        CHECKS.flatMap((one) => [
          [one, one === check],
          [date(one), one === check ? text(1) : null],
        ]),
      ),
    });
    expect(coverageOf(fraudShape, [shown])).toEqual(ALL);
  });

  it.each([
    [{}, false, true],
    [{}, true, false],
    [{ bypassed: true }, true, true],
    [{ blocked: true }, false, false],
    [{ bypassed: true, blocked: true }, false, false],
  ])("with %j, where one failed: %s, are passed: %s", (flags, fails, passed) => {
    const failed = fails ? (["proxy"] as const) : [];
    const shown = wireFraud({ verified: true, failed, lastFailed: {} }, flags);
    expect(shown).toMatchObject({ passed, bypassed: false, blocked: false, ...flags });
  });
});

describe("a geofence", () => {
  it("is shown with all its settings; a circle as a ring of 64 corners against the clock", () => {
    const { geometry, geometryRadius, ...rest } = sent(wireGeofence(GEOFENCE));
    expect([rest, geometryRadius, geometry.type]).toEqual([WIRE_GEOFENCE, 150, "Polygon"]);
    const [ring] = geometry.coordinates as [number, number][][];
    expect([geometry.coordinates.length, ring.length, ring[64]]).toEqual([1, 65, ring[0]]);
    // The first corner is north of the center, the 16th west of it.
    const metre = 1 / 111_195;
    expect(ring[0][0]).toBeCloseTo(-73.1, 6);
    expect(ring[0][1]).toBeCloseTo(40.1 + 150 * metre, 6);
    expect(ring[16][0]).toBeCloseTo(-73.1 - (150 * metre) / Math.cos((40.1 * Math.PI) / 180), 6);
    expect(ring[16][1]).toBeCloseTo(40.1, 6);
    expect(new Set(ring.map(String)).size).toBe(64);
  });

  it("with a ring has that one, and without geometry none", () => {
    const ring = [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 0],
    ];
    const row = { ...GEOFENCE, type: "polygon", radius: null, ring: JSON.stringify(ring) } as const;
    const polygon = sent(wireGeofence(row));
    expect(polygon.geometry).toEqual({ type: "Polygon", coordinates: [ring] });
    expect(polygon).not.toHaveProperty("geometryRadius");
    expect(sent(wireGeofence(GEOFENCE, false))).toEqual(WIRE_GEOFENCE);
    const isochrone = wireGeofence({ ...row, type: "isochrone", radius: 12 });
    expect(coverageOf(geofenceShape, [polygon, isochrone, wireGeofence(GEOFENCE)])).toEqual(ALL);
  });

  it("without optional settings has none of them, and belongs to Test where its scope is even", () => {
    const none = {
      tag: null,
      externalId: null,
      mode: null,
      metadata: null,
      dwellThreshold: null,
      stopDetection: null,
      tripApproachingThreshold: null,
      operatingHours: null,
      disableAfter: null,
      deleteAfter: null,
      userIds: null,
      segments: null,
      speedLimit: null,
      ip: null,
      scope: 4,
    };
    expect(sent(wireGeofence({ ...GEOFENCE, ...none }, false))).toEqual({
      _id: "f1",
      live: false,
      description: "Store 7",
      type: "circle",
      enabled: true,
      geometryCenter: WIRE_GEOFENCE.geometryCenter,
      createdAt: text(72),
      updatedAt: text(73),
    });
  });
});

describe("a beacon", () => {
  it("is shown with its place, and without what it does not have", () => {
    const shown = sent(wireBeacon(BEACON_ROW));
    expect(shown).toEqual({
      ...BEACON,
      live: true,
      createdAt: text(80),
      updatedAt: text(81),
      geometry: { type: "Point", coordinates: [-73.8, 40.8] },
    });
    const none = {
      uuid: null,
      major: null,
      minor: null,
      uid: null,
      instance: null,
      tag: null,
      externalId: null,
      metadata: null,
    };
    const bare: BeaconRow = { ...BEACON_ROW, ...none, type: "eddystone", scope: 4 };
    expect(sent(wireBeacon(bare))).toEqual({
      _id: "b1",
      type: "eddystone",
      description: "Door",
      enabled: true,
      live: false,
      geometry: shown.geometry,
      createdAt: text(80),
      updatedAt: text(81),
    });
    expect(coverageOf(beaconShape, [shown, wireBeacon(bare)])).toEqual(ALL);
  });
});

describe("a webhook", () => {
  it("is shown without what is secret, except the secret that was just made", () => {
    const shown = sent(wireWebhook(WEBHOOK, at(89), "whsec_new"));
    expect(JSON.stringify(shown)).not.toContain("hidden");
    expect(shown).toEqual({
      _id: "w1",
      live: true,
      type: "kafka",
      url: "https://kafka.example",
      description: "Bus",
      delivery: "single",
      settings: {
        template: "{}",
        contentType: "text/plain",
        topic: "t",
        clusterId: "c",
        username: "u",
        prefix: "p",
        seconds: 60,
        region: "eu",
        accessKeyId: "k",
        siteId: "s",
        secrets: ["headers.authorization", "password"],
      },
      eventTypes: ["user.entered_place"],
      enabled: false,
      disabledReason: "410 Gone",
      secret: "whsec_new",
      previousSecretValidUntil: text(90),
      createdAt: text(91),
      updatedAt: text(92),
    });
    const platforms = ["braze", "iterable", "customerio", "segment"] as const;
    const kinds = ["webhook", "kafka", "mqtt", "bucket", "queue", ...platforms] as const;
    const others = kinds.map((type) => wireWebhook({ ...WEBHOOK, type, delivery: "multiple" }, 0));
    expect(coverageOf(webhookShape, [shown, ...others])).toEqual(ALL);
  });

  it("shows the end of a previous secret until then", () => {
    const until = (now: number) => wireWebhook(WEBHOOK, now).previousSecretValidUntil;
    expect([until(at(90) - 1), until(at(90))]).toEqual([text(90), undefined]);
    const none = { settings: null, description: null, eventTypes: null, disabledReason: null, previousUntil: null };
    expect(sent(wireWebhook({ ...WEBHOOK, ...none, scope: 4 }, 0))).toEqual({
      _id: "w1",
      live: false,
      type: "kafka",
      url: "https://kafka.example",
      delivery: "single",
      enabled: false,
      createdAt: text(91),
      updatedAt: text(92),
    });
  });

  it("tells of attempts and dead letters with their dates", () => {
    const attempt = {
      messageId: "m1",
      eventTypes: ["a"],
      attempt: 1,
      durationMs: 12,
      status: 500,
      error: "no",
      response: "<p>",
    };
    const shown = (["delivered", "retrying", "dead", "test"] as const).map((outcome) =>
      wireAttempt({ ...attempt, outcome, at: at(1) }),
    );
    expect(shown[0]).toEqual({ ...attempt, outcome: "delivered", createdAt: text(1) });
    expect(coverageOf(attemptShape, shown)).toEqual(ALL);
    const letter = wireDeadLetter({
      id: "m1",
      user: "u1",
      events: [{ id: "e1", type: "a" }],
      body: "hidden",
      createdAt: at(2),
      attempts: 9,
      reason: "timeout",
      diedAt: at(3),
    });
    expect(letter).toEqual({
      _id: "m1",
      events: [{ _id: "e1", type: "a" }],
      attempts: 9,
      reason: "timeout",
      createdAt: text(2),
      diedAt: text(3),
    });
    expect(coverageOf(deadLetterShape, [letter])).toEqual(ALL);
  });
});

describe("an alert", () => {
  it("has the id of its beginning, and another one when it is over", async () => {
    const alert = {
      scope: 5,
      type: "alert.disk" as const,
      subject: "disk",
      value: 9.876,
      limit: 10,
      since: at(1),
      seen: at(2),
      told: false,
      over: false,
    } as const;
    const begun = await alertNotice(alert, at(3));
    const over = await alertNotice({ ...alert, over: true }, at(3));
    expect(begun).toMatchObject({ id: expect.stringMatching(/^[0-9a-f]{24}$/), type: "alert.disk" });
    expect(over.id).not.toBe(begun.id);
    const [first, last] = [begun, over].map(({ json }) => JSON.parse(json));
    expect(first).toMatchObject({
      _id: begun.id,
      type: "alert.disk",
      live: true,
      createdAt: text(1),
      actualCreatedAt: text(3),
      alert: { state: "begun", since: text(1), subject: "disk", value: 9.88, limit: 10 },
    });
    expect(first.alert).not.toHaveProperty("until");
    expect(last).toMatchObject({ createdAt: text(2), alert: { state: "over", since: text(1), until: text(2) } });
    expect(JSON.parse((await alertNotice({ ...alert, scope: 4 }, 0)).json).live).toBe(false);
    const types = await Promise.all(ALERT_TYPES.map((type) => alertNotice({ ...alert, type }, 0)));
    expect(coverageOf(alertShape, [first, last, ...types.map(({ json }) => JSON.parse(json))])).toEqual(ALL);
  });
});

describe("an explanation", () => {
  it("has the update that decided, the user before it and each decision", () => {
    const step = { rule: "dwellThreshold", passed: true, sentence: "So.", figures: { minutes: 4 } };
    const verdict = { verdict: "entered", sentence: "Entered.", steps: [{ ...step, about: { kind: "geofence" } }] };
    const shown = sent(wireExplanation(verdict as never, RERUN));
    expect(shown).toEqual({
      verdict: "entered",
      sentence: "Entered.",
      update: WIRE_UPDATE,
      before: WIRE_BEFORE,
      steps: [step],
    });
    const whole = { ...shown, event: WIRE_EVENT, geofence: WIRE_FENCE, notKnown: ["the geofence"] };
    const { unknown, unseen } = coverageOf(explanationShape, [whole]);
    expect([unknown, unseen.filter((path) => !/^\.(event|geofence)\./.test(path))]).toEqual([[], []]);
    expect(wireExplanation(verdict as never, { ...RERUN, before: undefined }).before).toBeUndefined();
  });

  it("shows an update as replayed only where it was", () => {
    const { past } = RERUN;
    expect(wireUpdate({ ...past, update: { ...past.update, replayed: false } }).replayed).toBeUndefined();
  });
});

describe("a user", () => {
  it("without anything around has none of it", () => {
    const bare = {
      segments: undefined,
      computed: undefined,
      chainVisits: undefined,
      geofences: {},
      place: undefined,
      regions: {},
      nearbyChains: {},
      beacons: undefined,
      trip: undefined,
      fraud: undefined,
      userTags: undefined,
    };
    const shown = sent(wireUser({ ...USER, ...bare }));
    const { country: _, state: __, dma: ___, postalCode: ____, place: _____, beacons: ______, ...known } = WIRE_USER;
    const { trip: a, fraud: b, segments: c, topChains: d, nearbyPlaceChains: e, userTags: f, ...rest } = known;
    expect(shown).toEqual({ ...rest, geofences: [] });
  });

  it("shows five of its chains, and fraud with what the customer decided", () => {
    const visit = (count: number) => ({ name: `Chain ${count}`, count, lastAt: 0 });
    const chainVisits = Object.fromEntries([1, 2, 3, 4, 5, 6].map((count) => [`c${count}`, visit(count)]));
    const shown = wireUser({ ...USER, chainVisits, fraudFlags: { bypassed: true } });
    expect(shown.topChains?.map(({ slug }) => slug)).toEqual(["c6", "c5", "c4", "c3", "c2"]);
    expect(shown.fraud).toMatchObject({ passed: true, bypassed: true });
  });

  it("of an earlier release has chains near only where they are known", () => {
    expect(wireUser({ ...USER, nearbyChains: { old: USER.nearbyChains.old } }).nearbyPlaceChains).toBeUndefined();
  });
});

describe("a shared trip", () => {
  const SHOWS = ["location", "eta", "destination", "route"] as const;
  const row = {
    scope: 5,
    id: "s1",
    trip: "t1",
    hash: "hidden",
    shows: '["eta"]',
    createdAt: at(1),
    expiresAt: at(9),
    revokedAt: null as number | null,
  };

  it("has a link that is active until it ends or is revoked", () => {
    const states = [wireShare(row, at(9) - 1), wireShare(row, at(9)), wireShare({ ...row, revokedAt: at(2) }, at(99))];
    expect(states.map(({ state }) => state)).toEqual(["active", "expired", "revoked"]);
    expect(sent(states[0])).toEqual({
      _id: "s1",
      tripId: "t1",
      state: "active",
      show: ["eta"],
      createdAt: text(1),
      expiresAt: text(9),
    });
    expect(states[2].revokedAt).toBe(text(2));
    const all = wireShare({ ...row, shows: JSON.stringify(SHOWS) }, 0);
    expect(coverageOf(shareShape, [...states, all])).toEqual(ALL);
  });

  it("under way has each field of the reference that its link shows, and no other", () => {
    const way = [
      { latitude: 1, longitude: 2 },
      { latitude: 3, longitude: 4 },
    ];
    const point = { ...way[1], at: at(20), accuracy: 5 };
    const shown = sent(wireSharedTrip(TRIP, { shows: SHOWS, expiresAt: at(9), point, way }));
    const basic = {
      status: "started",
      mode: "car",
      expiresAt: text(9),
      startedAt: text(13),
      arrivedAt: text(15),
      endedAt: text(16),
      updatedAt: text(12),
    };
    const parts = {
      location: { location: { type: "Point", coordinates: [4, 3] }, locationAccuracy: 5, locatedAt: text(20) },
      eta: { eta: { duration: 7, distance: 1800, arrivesAt: text(12 + 7 * 60) }, scheduledArrivalAt: text(10) },
      // Of several legs the last.
      destination: { destination: { location: { type: "Point", coordinates: [-73.3, 40.3] } } },
      route: {
        route: {
          type: "LineString",
          coordinates: [
            [2, 1],
            [4, 3],
          ],
        },
      },
    };
    expect(shown).toEqual({
      ...basic,
      show: [...SHOWS],
      ...parts.location,
      ...parts.eta,
      ...parts.destination,
      ...parts.route,
    });
    for (const field of SHOWS) {
      const one = sent(wireSharedTrip(TRIP, { shows: [field], expiresAt: at(9), point, way }));
      expect(one).toEqual({ ...basic, show: [field], ...parts[field] });
    }
    const nothing = sent(
      wireSharedTrip(
        { ...TRIP, legs: undefined, destination: undefined, eta: undefined },
        {
          shows: SHOWS,
          expiresAt: at(9),
        },
      ),
    );
    expect(nothing).toEqual({ ...basic, show: [...SHOWS], scheduledArrivalAt: text(10) });
    const statuses = TRIP_STATUSES.map((status) => wireSharedTrip({ ...TRIP, status }, { shows: [], expiresAt: 0 }));
    expect(coverageOf(sharedTripShape, [shown, ...statuses])).toEqual(ALL);
  });
});

describe("a route", () => {
  const corner = (n: number) => ({ latitude: n, longitude: n + 0.5 });
  const step = (mode: string, first: number): GuidedLeg["steps"][number] =>
    ({
      distance: 500,
      duration: 60,
      startLocation: corner(first),
      endLocation: corner(first + 1),
      bearingBefore: 359.7,
      bearingAfter: 12.4,
      instructions: "Turn right.",
      bannerInstructions: "Turn right",
      voiceInstructions: "Turn right now.",
      geometry: [corner(first), corner(first + 1)],
      mode,
      maneuver: "turn-right",
      streetName: "Jay St",
      exitName: "Exit 5",
      step: {
        ref: "A 3;E 45",
        exitRef: "5",
        destination: "Porto;Braga",
        destinationRef: "A 28",
        junctionName: "Jay Corner",
        lanes: [{ indications: ["right"], valid: true, active: false }],
      },
    }) as never;
  const leg = (mode: string, first: number): GuidedLeg => ({
    passages: () => [],
    segments: () => [],
    names: () => ["", ""],
    duration: 90,
    distance: 1000,
    line: [corner(first), corner(first + 1)],
    steps: [step(mode, first)],
    start: { location: corner(first), distance: 4 },
    end: { location: corner(first + 1), distance: 5 },
  });
  const snap = (n: number, metres: number) => ({
    ...corner(n),
    distance: { value: metres, text: `${metres}.0 m` },
  });
  const wire = { units: "metric", geometry: "linestring", mode: "bike" } as const;
  const line = (...points: number[]) => ({ type: "LineString", coordinates: points.map((n) => [n + 0.5, n]) });

  it("has its legs and steps, their sums, and one line without repeated corners", () => {
    const shown = sent(wireRoute([leg("cycling", 1), leg("pushing", 2)], wire, { ascent: 24.6, descent: 1204 }));
    const { legs, ...whole } = shown;
    expect(whole).toEqual({
      duration: { value: 3, text: "3 mins" },
      distance: { value: 2000, text: "2.0 km" },
      geometry: line(1, 2, 3),
      ascent: { value: 49, text: "49 m" },
      descent: { value: 2408, text: "2,408 m" },
      snapped: [snap(1, 4), snap(2, 5), snap(3, 5)],
    });
    const { steps, ...first } = legs[0];
    expect(first).toEqual({
      startLocation: corner(1),
      endLocation: corner(2),
      geometry: line(1, 2),
      duration: { value: 1.5, text: "2 mins" },
      distance: { value: 1000, text: "1.0 km" },
      ascent: { value: 25, text: "25 m" },
      descent: { value: 1204, text: "1,204 m" },
    });
    expect(steps).toEqual([
      {
        distance: { value: 500, text: "500.0 m" },
        duration: { value: 1, text: "1 min" },
        geometry: line(1, 2),
        start_location: corner(1),
        end_location: corner(2),
        bearing_before: 0,
        bearing_after: 12,
        instructions: "Turn right.",
        banner_instructions: "Turn right",
        voice_instructions: "Turn right now.",
        mode: "bike",
        manuever: "turn-right",
        street_name: "Jay St",
        exit_name: "Exit 5",
        refs: ["A 3", "E 45"],
        exits: ["5"],
        destinations: ["Porto", "Braga"],
        destination_refs: ["A 28"],
        junction_name: "Jay Corner",
        lanes: [{ indications: ["right"], valid: true, active: false }],
      },
    ]);
    expect(sent(wireRoute([leg("cycling", 1)], wire)).geometry).toEqual(line(1, 2));
    const polyline = wireRoute([leg("cycling", 1)], { ...wire, geometry: "polyline5" });
    const warned = { ...polyline, warnings: ["The destination is 120 m from the road."] };
    expect(coverageOf(routeShape, [shown, warned])).toEqual(ALL);
  });

  it.each([
    ["cycling", "bike"],
    ["ferry", "ferry"],
    ["train", "train"],
    ["pushing", "foot"],
  ])("names the mode of a step that is %s: %s", (mode, name) => {
    expect(wireRoute([leg(mode, 1)], wire).legs[0].steps[0].mode).toBe(name);
  });
});

describe("a date on the wire", () => {
  const [FIRST, LAST] = [-62_167_219_200_000, 253_402_300_799_999];

  it("has four digits of a year, or is not written", () => {
    expect([wireDate(FIRST), wireDate(LAST)]).toEqual(["0000-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"]);
    for (const time of [FIRST - 1, LAST + 1, Number.NaN]) {
      expect(() => wireDate(time)).toThrow(Unwritable);
      expect(optionalDate(time)).toBeUndefined();
    }
    expect([optionalDate(undefined), optionalDate(0)]).toEqual([undefined, "1970-01-01T00:00:00.000Z"]);
  });
});
