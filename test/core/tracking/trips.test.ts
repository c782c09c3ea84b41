import { describe, expect, it } from "vitest";
import { changeLeg, LEG_STEPS } from "../../../src/core/tracking/change-legs.ts";
import { ARRIVAL_RADIUS, isOver, legIn, MAX_LEGS, withLegEtas, withWays } from "../../../src/core/tracking/legs.ts";
import {
  changeTrip,
  delayAt,
  expiresAt,
  isUnderWay,
  withDelay,
  withDetails,
} from "../../../src/core/tracking/trips.ts";
import { DEFAULT_SETTINGS } from "../../../src/core/tracking/types/settings.ts";
import type { UserState } from "../../../src/core/tracking/types/state.ts";
import { TRIP_STATUSES, type Trip, type TripLeg } from "../../../src/core/tracking/types/trip.ts";
import { at, Device, fenceOf, frozen, HOME, MINUTE, NOON, typesOf } from "./world.ts";

const SHOP = fenceOf("shop", HOME, 100, { tag: "stop", externalId: "shop" });
const OTHER = fenceOf("other", at(1_000), 100, { tag: "stop", externalId: "other" });
const PARK = fenceOf("park", at(2_000), 100, { tag: "park", externalId: "park" });
const HOUR = 60 * MINUTE;

const trip = (more: Partial<Trip> = {}): Trip => ({
  _id: "t",
  live: false,
  externalId: "order",
  mode: "car",
  status: "pending",
  approachingThreshold: 5,
  destination: { fence: "shop", tag: "stop", externalId: "shop", location: HOME },
  createdAt: NOON,
  updatedAt: NOON,
  version: 1,
  ...more,
});

/** A courier whose trip is known; `eta`: minutes to the destination. */
class Courier extends Device {
  drive(
    metres: number,
    { eta, of = "t", adopted, accuracy = 10 }: { eta?: number; of?: string; adopted?: Trip; accuracy?: number } = {},
  ) {
    this.around = {
      fences: [SHOP, OTHER, PARK],
      trip: {
        ...(adopted && { adopted: frozen(adopted) }),
        ...(eta !== undefined && { eta: { trip: of, eta: { duration: eta, distance: eta * 700 } } }),
      },
    };
    const outcome = this.send(metres, { accuracy, foreground: true });
    return typesOf(outcome).filter((type) => type.includes("trip"));
  }

  get trip() {
    return this.state?.trip;
  }
}

describe("a trip", () => {
  it("is started, approached and reached, with one event for each update", () => {
    const courier = new Courier();
    expect(courier.drive(3_000, { adopted: trip(), eta: 9 })).toEqual(["started_trip"]);
    const startedAt = courier.clock;
    expect(courier.trip).toMatchObject({ status: "started", startedAt, updatedAt: startedAt, deviceId: "phone" });
    expect(courier.trip).toMatchObject({ user: courier.state?._id, version: 3, eta: { duration: 9 } });
    expect(courier.drive(2_500, { eta: 5.1 })).toEqual(["updated_trip"]);
    expect(courier.trip).toMatchObject({
      eta: { duration: 5.1, distance: 5.1 * 700 },
      version: 4,
      updatedAt: courier.clock,
    });
    expect(courier.drive(2_400, { eta: 5 })).toEqual(["approaching_trip_destination"]);
    expect(courier.trip).toMatchObject({ status: "approaching", approachingAt: courier.clock, startedAt });
    expect(courier.drive(2_300, { eta: 4 })).toEqual(["updated_trip"]);
    expect(courier.drive(0, { eta: 0 })).toEqual(["arrived_at_trip_destination"]);
    expect(courier.trip).toMatchObject({ status: "arrived", arrivedAt: courier.clock });
    expect(courier.drive(10)).toEqual(["updated_trip"]);
  });

  it("that begins inside its destination has arrived; one that begins near it is approaching", () => {
    expect(new Courier().drive(0, { adopted: trip() })).toEqual(["started_trip", "arrived_at_trip_destination"]);
    expect(new Courier().drive(3_000, { adopted: trip(), eta: 2 })).toEqual([
      ...["started_trip", "approaching_trip_destination"],
    ]);
  });

  it("without a threshold, or without an ETA, is not approached", () => {
    const courier = new Courier();
    courier.drive(3_000, { adopted: trip({ approachingThreshold: undefined }) });
    expect(courier.drive(2_900, { eta: 0 })).toEqual(["updated_trip"]);
    const blind = new Courier();
    blind.drive(3_000, { adopted: trip() });
    expect(blind.drive(2_900)).toEqual(["updated_trip"]);
    expect(blind.trip?.eta).toBeUndefined();
  });

  it("takes no ETA of another trip, and keeps the last one of its own", () => {
    const courier = new Courier();
    courier.drive(3_000, { adopted: trip(), eta: 9 });
    courier.drive(2_900, { eta: 1, of: "another" });
    expect(courier.trip?.eta?.duration).toBe(9);
    courier.around = { fences: [SHOP] };
    expect(typesOf(courier.send(2_800))).toEqual(["updated_trip"]);
    expect(courier.trip?.eta?.duration).toBe(9);
  });

  it("is not moved along by a fix that is too bad", () => {
    const courier = new Courier();
    courier.drive(3_000, { adopted: trip() });
    const before = courier.trip;
    expect(courier.drive(0, { eta: 1, accuracy: 2001 })).toEqual([]);
    expect(courier.trip).toBe(before);
    expect(courier.drive(30_000, { accuracy: 2000 })).toEqual(["updated_trip"]);
  });

  it("is at a wrong place in another geofence of the destination's tag", () => {
    const courier = new Courier();
    courier.drive(3_000, { adopted: trip() });
    expect(courier.drive(2_000)).toEqual(["updated_trip"]);
    expect(courier.drive(1_000)).toEqual(["arrived_at_wrong_trip_destination"]);
    expect(courier.drive(1_000)).toEqual(["updated_trip"]);
    expect(courier.drive(0)).toEqual(["arrived_at_trip_destination"]);
    const aimless = new Courier();
    aimless.drive(3_000, { adopted: trip({ destination: undefined }) });
    expect(aimless.drive(1_000)).toEqual(["updated_trip"]);
  });

  it("is begun once, and not again after it has ended", () => {
    const courier = new Courier();
    courier.drive(3_000, { adopted: trip() });
    expect(courier.drive(2_900, { adopted: trip() })).toEqual(["updated_trip"]);
    courier.state = { ...courier.state!, trip: undefined, endedTrip: "t" };
    expect(courier.drive(2_900, { adopted: trip() })).toEqual([]);
    expect(courier.drive(2_900, { adopted: trip({ _id: "t2" }) })).toEqual(["started_trip"]);
  });

  it("keeps the user and the beginning that it has, else takes those of the update", () => {
    const own = new Courier();
    own.drive(3_000, { adopted: trip({ userId: "ann", startedAt: 5, status: "approaching" }) });
    expect(own.trip).toMatchObject({ userId: "ann", startedAt: 5, status: "approaching" });
    const taken = new Courier();
    taken.around = { fences: [], trip: { adopted: trip() } };
    taken.send(3_000, { userId: "bob" });
    expect(taken.trip?.userId).toBe("bob");
  });

  it("ends the one before it as canceled", () => {
    const courier = new Courier();
    courier.drive(3_000, { adopted: trip() });
    courier.around = { fences: [], trip: { adopted: trip({ _id: "t2" }) } };
    const { trips, events } = courier.send(3_000);
    expect(typesOf({ events } as never)).toEqual(["stopped_trip", "started_trip"]);
    expect(trips[0]).toMatchObject({ _id: "t", status: "canceled", endedAt: courier.clock, updatedAt: courier.clock });
    expect(trips[0].version).toBe(4);
    expect(courier.state?.endedTrip).toBe("t");
  });

  it("expires a day after its last update: the next one ends it", () => {
    const courier = new Courier();
    courier.drive(3_000, { adopted: trip() });
    courier.clock += 24 * HOUR - MINUTE;
    expect(courier.drive(3_000)).toEqual(["updated_trip"]);
    courier.clock += 24 * HOUR - MINUTE + 1;
    expect(courier.drive(3_000)).toEqual(["stopped_trip"]);
    expect([courier.trip, courier.state?.endedTrip]).toEqual([undefined, "t"]);
  });

  it("that waits expires a week after its creation or its scheduled arrival", () => {
    const week = 7 * 24 * HOUR;
    expect(expiresAt(trip())).toBe(NOON + week);
    expect(expiresAt(trip({ scheduledArrivalAt: NOON + HOUR }))).toBe(NOON + HOUR + week);
    expect(expiresAt(trip({ scheduledArrivalAt: NOON - HOUR }))).toBe(NOON + week);
    expect(expiresAt(trip({ status: "started", updatedAt: NOON + 1 }))).toBe(NOON + 1 + 24 * HOUR);
  });

  it("is under way until it has ended", () => {
    expect(TRIP_STATUSES.filter(isUnderWay)).toEqual(["pending", "started", "approaching", "arrived"]);
    expect(TRIP_STATUSES.filter(isOver)).toEqual(["completed", "canceled", "expired"]);
  });

  it("is late by its arrival, or by its ETA", () => {
    const scheduledArrivalAt = NOON + HOUR;
    const eta = { duration: 70, distance: 1 };
    expect(withDelay(trip({ scheduledArrivalAt, eta })).delay).toBe(10);
    expect(withDelay(trip({ scheduledArrivalAt, eta, arrivedAt: NOON + 50 * MINUTE })).delay).toBe(-10);
    expect(withDelay(trip({ scheduledArrivalAt, delay: 3 })).delay).toBeUndefined();
    expect(withDelay(trip({ eta, delay: 3 })).delay).toBeUndefined();
    // As of when it was computed, not of the trip's last change.
    const changed = { updatedAt: NOON + 30 * MINUTE, eta: { ...eta, at: NOON } };
    expect(withDelay(trip({ scheduledArrivalAt, ...changed })).delay).toBe(10);
  });

  it("is at least as late as it is now while it is under way, whatever its last ETA was", () => {
    const scheduledArrivalAt = NOON + HOUR;
    const silent = withDelay(trip({ status: "started", scheduledArrivalAt, eta: { duration: 50, distance: 1 } }));
    const delays = (of: Trip) => [0, 55, 60, 61, 96].map((minutes) => delayAt(of, NOON + minutes * MINUTE));
    expect(delays(silent)).toEqual([-10, -5, 0, 1, 36]);
    expect(delays({ ...silent, status: "pending", eta: undefined, delay: undefined })).toEqual([
      undefined,
      undefined,
      undefined,
      1,
      36,
    ]);
    expect(delays({ ...silent, delay: 40 })).toEqual([40, 40, 40, 40, 40]);
    expect(delays({ ...silent, status: "arrived", arrivedAt: NOON })).toEqual(Array(5).fill(-10));
    expect(delays({ ...silent, status: "expired" })).toEqual(Array(5).fill(-10));
    expect(delays({ ...silent, scheduledArrivalAt: undefined, delay: undefined })).toEqual(Array(5).fill(undefined));
  });
});

describe("a trip that a call changes", () => {
  const user = (more: Partial<UserState> = {}) => ({
    ...({ _id: "ff", live: false, deviceId: "phone", seq: 0, location: HOME, locationAccuracy: 7 } as UserState),
    ...more,
  });
  const change = (before: UserState, to: Parameters<typeof changeTrip>[2], of = trip()) =>
    changeTrip(frozen(before), frozen(of), to, DEFAULT_SETTINGS, NOON + HOUR);

  it("is begun first, where its user is not on it yet", () => {
    const { state, events, trips } = change(user(), { mode: "foot" });
    expect(events).toMatchObject([
      {
        type: "user.started_trip",
        createdAt: NOON + HOUR,
        actualCreatedAt: NOON + HOUR,
        confidence: 3,
        location: HOME,
        locationAccuracy: 7,
      },
    ]);
    expect(events).toHaveLength(1);
    expect(trips.map(({ status, mode, version }) => [status, mode, version])).toEqual([
      ["started", "car", 2],
      ["started", "foot", 3],
    ]);
    expect(state.trip).toEqual(trips[1]);
  });

  it.each([
    ["approaching", "approachingAt"],
    ["arrived", "arrivedAt"],
  ] as const)("is %s at the time of the call", (status, time) => {
    const started = trip({ status: "started", user: "ff" });
    const { state, events } = change(user({ trip: started }), { status }, started);
    expect(state.trip).toMatchObject({ status, [time]: NOON + HOUR, version: 2 });
    expect(events.map(({ type }) => type)).toEqual([
      `user.${status}${status === "arrived" ? "_at" : ""}_trip_destination`,
    ]);
    const again = change(state, { status }, state.trip);
    expect(again.events.map(({ type }) => type)).toEqual(["user.updated_trip"]);
    expect(again.state.trip?.[time]).toBe(NOON + HOUR);
  });

  it.each(["completed", "canceled", "expired"] as const)("is %s, and its user is free", (status) => {
    const started = trip({ status: "started", user: "ff" });
    const { state, events, trips } = change(user({ trip: started }), { status }, started);
    expect(events).toMatchObject([{ type: "user.stopped_trip", trip: { status, endedAt: NOON + HOUR } }]);
    expect([state.trip, state.endedTrip, trips.length]).toEqual([undefined, "t", 1]);
  });

  it("has the details that are given, and keeps the others", () => {
    const details = { metadata: { a: 1 }, mode: "foot", approachingThreshold: 2, scheduledArrivalAt: NOON };
    const destination = { fence: "park", tag: "park", externalId: "park", location: at(1) };
    const before = trip({ metadata: { b: 2 }, eta: { duration: 1, distance: 1 } });
    expect(withDetails(before, { ...details, destination }, NOON + 5)).toMatchObject({
      ...details,
      destination,
      updatedAt: NOON + 5,
      version: 2,
      status: "pending",
      delay: (5 + MINUTE) / MINUTE,
    });
    expect(withDetails(before, {}, NOON)).toMatchObject({ metadata: { b: 2 }, mode: "car", approachingThreshold: 5 });
    expect(withDetails({ ...before, legs: [] }, { destination }, NOON).destination).toEqual(before.destination);
  });

  it("is changed with an event that says so", () => {
    const started = trip({ status: "started" });
    const { events, state } = change(user({ trip: started }), { mode: "foot" }, started);
    expect(events.map(({ type }) => type)).toEqual(["user.updated_trip"]);
    expect(state.trip).toMatchObject({ mode: "foot", status: "started" });
  });
});

describe("a leg", () => {
  const leg = (id: string, more: Partial<TripLeg> = {}): TripLeg => ({
    _id: id,
    status: "pending",
    destination: { type: "coordinates", location: HOME },
    createdAt: NOON,
    updatedAt: NOON,
    ...more,
  });

  it("is reached within 100 m by default; a trip has 25 at most", () => {
    expect([ARRIVAL_RADIUS, MAX_LEGS]).toEqual([100, 25]);
  });

  it("goes forward, and notes when", () => {
    expect(LEG_STEPS).toEqual({
      pending: ["started", "approaching", "arrived", "completed", "canceled"],
      started: ["approaching", "arrived", "completed", "canceled"],
      approaching: ["arrived", "completed", "canceled"],
      arrived: ["completed", "canceled"],
      completed: [],
      canceled: [],
      expired: [],
    });
    const times = (one: TripLeg) => [
      one.status,
      one.updatedAt,
      one.startedAt,
      one.approachingAt,
      one.arrivedAt,
      one.endedAt,
    ];
    const none = undefined;
    const started = legIn(leg("1"), "started", 5);
    expect(times(started)).toEqual(["started", 5, 5, none, none, none]);
    const approaching = legIn(started, "approaching", 6);
    expect(times(approaching)).toEqual(["approaching", 6, 5, 6, none, none]);
    const arrived = legIn(approaching, "arrived", 7);
    expect(times(arrived)).toEqual(["arrived", 7, 5, 6, 7, none]);
    const ended = legIn({ ...arrived, eta: { duration: 1, distance: 1 } }, "completed", 8);
    expect([...times(ended), ended.eta]).toEqual(["completed", 8, 5, 6, 7, 8, none]);
    expect(times(legIn(arrived, "pending", 9))).toEqual(["pending", 9, none, none, none, none]);
    expect(times(legIn(leg("1"), "canceled", 9))).toEqual(["canceled", 9, none, none, none, 9]);
  });

  it("has the ETA of the one before it, the rest of the stop there and the way between", () => {
    const eta = { duration: 10, distance: 1000 };
    const way = { from: "1", duration: 3, distance: 300 };
    const legs = (stop: Partial<TripLeg> = {}) => [
      leg("0", { status: "completed", eta: { duration: 99, distance: 99 } }),
      leg("1", { stopDuration: 20, ...stop }),
      leg("2", { way }),
      leg("3"),
    ];
    const etas = (list: TripLeg[], measured: Record<string, typeof eta>) =>
      withLegEtas(trip({ legs: list }), measured, NOON).legs?.map((one) => one.eta?.duration);
    expect(etas(legs(), { 1: eta })).toEqual([99, 10, 33, undefined]);
    expect(etas(legs({ status: "arrived", arrivedAt: NOON - 5 * MINUTE }), { 1: eta })).toEqual([
      99,
      10,
      28,
      undefined,
    ]);
    expect(etas(legs({ status: "arrived", arrivedAt: NOON - HOUR }), { 1: eta })).toEqual([99, 10, 13, undefined]);
    expect(etas(legs(), { 1: eta, 2: { duration: 1, distance: 1 } })).toEqual([99, 10, 21, undefined]);
    expect(etas(legs({ eta }), {})).toEqual([99, 10, 33, undefined]);
    expect(etas(legs({ stopDuration: undefined }), { 1: eta })).toEqual([99, 10, 13, undefined]);
    const known = withLegEtas(trip({ legs: legs().slice(0, 3) }), { 1: eta }, NOON);
    expect(known.eta).toEqual({ duration: 33, distance: 1300, at: NOON });
    expect(withLegEtas(trip({ legs: legs() }), { 1: eta }, NOON).eta).toBeUndefined();
    expect(etas([legs()[1], leg("2", { way: { ...way, from: "x" } })], { 1: eta })).toEqual([10, undefined]);
  });

  it("keeps the ways that are not new", () => {
    const way = { from: "1", duration: 3, distance: 300 };
    const next = withWays(trip({ legs: [leg("1", { way }), leg("2")] }), { 2: { ...way, duration: 4 } });
    expect(next.legs?.map((one) => one.way?.duration)).toEqual([3, 4]);
    expect(withWays(trip(), {}).legs).toBeUndefined();
  });

  it("that does not exist cannot be changed; one that is so already stays", () => {
    const round = trip({ status: "started", legs: [leg("1", { status: "started" }), leg("2")] });
    expect(changeLeg(round, "x", "started", 5)).toMatchObject({ param: "legId" });
    expect(changeLeg(round, "1", "started", 5)).toBe(round);
    expect(changeLeg(round, "1", "pending", 5)).toMatchObject({
      param: "status",
      rule: expect.stringContaining("approaching"),
    });
    const ended = changeLeg({ ...round, legs: [leg("1", { status: "completed" }), leg("2")] }, "1", "canceled", 5);
    expect(ended).toMatchObject({ param: "status", rule: expect.stringContaining("completed") });
  });
});
