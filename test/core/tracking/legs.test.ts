import { describe, expect, it } from "vitest";
import { isRejection } from "../../../src/core/tracking/change-legs.ts";
import { currentLeg, settled } from "../../../src/core/tracking/legs.ts";
import { changeTrip, revised } from "../../../src/core/tracking/trips.ts";
import type { LegDestination, Trip, TripLeg, TripStatus } from "../../../src/core/tracking/types/trip.ts";
import { at, Device, fenceOf, frozen, HOME, MINUTE, NOON } from "./world.ts";

/**
 * A round of three stops on a line; the first two are geofences of 100 m, the third is a point.
 *
 *     (shop 0 m)          (café 2,000 m)          · door 4,000 m
 */
const SHOP = fenceOf("shop", HOME, 100, { tag: "stop", externalId: "shop" });
const CAFE = fenceOf("cafe", at(2_000), 100, { tag: "stop", externalId: "cafe" });
const OTHER = fenceOf("other", at(1_000), 100, { tag: "stop", externalId: "other" });
const to = ({ id, externalId, shape }: typeof SHOP): LegDestination => {
  return { type: "geofence", fence: id, tag: "stop", externalId, location: shape.center };
};
const DOOR: LegDestination = { type: "coordinates", location: at(4_000), arrivalRadius: 50 };

const leg = (_id: string, destination: LegDestination, more: Partial<TripLeg> = {}): TripLeg => {
  return { _id, status: "pending", destination, createdAt: NOON, updatedAt: NOON, ...more };
};
const WAY = { duration: 3, distance: 2_000 };
const round = (more: Partial<Trip> = {}): Trip => ({
  _id: "t",
  live: false,
  externalId: "round",
  mode: "car",
  status: "pending",
  approachingThreshold: 1,
  createdAt: NOON,
  updatedAt: NOON,
  version: 1,
  legs: [
    leg("1", to(SHOP), { stopDuration: 10 }),
    leg("2", to(CAFE), { way: { from: "1", ...WAY } }),
    leg("3", DOOR, { way: { from: "2", ...WAY } }),
  ],
  ...more,
});

/** A courier on its round; `minutes`: to the legs, as the roads say. */
class Courier extends Device {
  begin(trip = round()): this {
    this.around = { fences: [SHOP, CAFE, OTHER], trip: { adopted: frozen(trip) } };
    this.send(-1_000);
    return this;
  }

  drive(metres: number, minutes: Record<string, number> = {}, accuracy = 10) {
    const etas = Object.fromEntries(
      Object.entries(minutes).map(([id, duration]) => [id, { duration, distance: duration * 700 }]),
    );
    this.around = { fences: [SHOP, CAFE, OTHER], trip: { legs: { trip: "t", etas, ways: {} } } };
    const { events } = this.send(metres, { accuracy, foreground: true });
    return events.flatMap(({ type, leg: about }) => (type.includes("trip") ? [`${type.slice(5)} ${about?._id}`] : []));
  }

  change(change: Parameters<typeof changeTrip>[2]) {
    const done = changeTrip(this.state!, this.trip ?? round(), change, this.settings, this.clock);
    if (!done.refusal) this.state = done.state;
    const told = done.events.map(({ type, leg: about }) => `${type.slice(5)} ${about?._id}`);
    return { ...done, told, trip: done.trips.at(-1)! };
  }

  get trip() {
    return this.state?.trip;
  }

  get statuses() {
    return this.trip?.legs?.map(({ status }) => status).join(" ");
  }
}
const statuses = (trip: Trip) => `${trip.status}: ${trip.legs?.map(({ status }) => status).join(" ")}`;

describe("a trip of several legs", () => {
  it("is travelled stop by stop: each is approached, reached, left, and the next begins", () => {
    const courier = new Courier().begin();
    expect(courier.log).toEqual(["started_trip"]);
    expect([courier.statuses, courier.trip?.status]).toEqual(["started pending pending", "started"]);
    expect(courier.drive(-800, { 1: 2 })).toEqual(["updated_trip 1"]);
    expect(courier.drive(-400, { 1: 1 })).toEqual(["approaching_trip_destination 1"]);
    expect([courier.statuses, courier.trip?.status]).toEqual(["approaching pending pending", "started"]);
    expect(courier.drive(0, { 1: 0 })).toEqual(["arrived_at_trip_destination 1"]);
    expect(courier.drive(10, { 1: 0, 2: 3 })).toEqual(["updated_trip 1"]);
    expect(courier.statuses).toBe("arrived pending pending");
    expect(courier.drive(600, { 1: 1, 2: 2 })).toEqual(["updated_trip 2"]);
    expect([courier.statuses, courier.trip?.destination?.externalId]).toEqual(["completed started pending", "cafe"]);
    expect(courier.drive(2_000, { 2: 0 })).toEqual(["arrived_at_trip_destination 2"]);
    expect(courier.drive(3_000, { 2: 1, 3: 2 })).toEqual(["updated_trip 3"]);
    expect(courier.drive(3_500, { 3: 0.9 })).toEqual(["approaching_trip_destination 3"]);
    expect([courier.trip?.status, courier.trip?.destination]).toEqual(["approaching", undefined]);
    expect(courier.drive(3_970, { 3: 0 })).toEqual(["arrived_at_trip_destination 3"]);
    expect([courier.statuses, courier.trip?.status]).toEqual(["completed completed arrived", "arrived"]);
    expect(courier.trip?.arrivedAt).toBe(courier.clock);
    // Whoever ends the trip ends its last leg.
    expect(courier.drive(5_000, { 3: 2 })).toEqual(["updated_trip 3"]);
    expect(statuses(courier.change({ status: "completed" }).trip)).toBe("completed: completed completed completed");
  });

  it("tells the ETA of every leg: the way to the first as measured, then the stops and the ways between", () => {
    const courier = new Courier().begin();
    courier.drive(-1_000, { 1: 4 });
    expect(courier.trip?.legs?.map(({ eta }) => eta)).toEqual([
      { duration: 4, distance: 2_800 },
      { duration: 4 + 10 + 3, distance: 4_800 },
      { duration: 4 + 10 + 3 + 3, distance: 6_800 },
    ]);
    expect(courier.trip?.eta).toEqual({ duration: 20, distance: 6_800, at: courier.clock });
    courier.drive(0, { 1: 0 });
    courier.clock += 3 * MINUTE;
    // Four of the ten minutes at the stop are over.
    courier.drive(0, { 1: 0, 2: 3 });
    expect(courier.trip?.legs?.[1].eta?.duration).toBeCloseTo(6 + 3);
    courier.clock += 30 * MINUTE;
    courier.drive(0, { 1: 0, 2: 3 });
    expect(courier.trip?.eta?.duration).toBeCloseTo(3 + 3);
    courier.drive(1_000, { 1: 2, 2: 1.5 });
    expect(courier.trip?.legs?.map(({ eta }) => eta?.duration)).toEqual([undefined, 1.5, 4.5]);
  });

  it("knows no ETA behind a way that is not known, until it is", () => {
    const legs = [leg("1", to(SHOP)), leg("2", to(CAFE), { way: { from: "x", ...WAY } })];
    const courier = new Courier().begin(round({ legs }));
    courier.drive(-1_000, { 1: 4 });
    expect([courier.trip?.legs?.[1].eta, courier.trip?.eta]).toEqual([undefined, undefined]);
    const etas = { 1: { duration: 4, distance: 1 } };
    courier.around = { fences: [], trip: { legs: { trip: "t", etas, ways: { 2: { from: "1", ...WAY } } } } };
    courier.send(-1_000);
    expect(courier.trip?.eta?.duration).toBe(7);
  });

  it("has its ETA in its first event already", () => {
    const courier = new Courier();
    const etas = { 1: { duration: 4, distance: 2_800 } };
    courier.around = { fences: [], trip: { adopted: frozen(round()), legs: { trip: "t", etas, ways: {} } } };
    const [started] = courier.send(-1_000).events;
    expect([started.type, started.leg?.eta?.duration, started.trip?.eta?.duration]).toEqual([
      "user.started_trip",
      4,
      20,
    ]);
  });

  it("is late or early by its last leg", () => {
    const courier = new Courier().begin(round({ scheduledArrivalAt: NOON + 20 * MINUTE }));
    courier.drive(-1_000, { 1: 4 });
    expect(courier.trip?.delay).toBeCloseTo(2);
  });

  it("does not leave a stop by a bad fix, nor by standing at the edge of its circle", () => {
    const legs = [leg("3", DOOR), leg("2", to(CAFE))];
    const courier = new Courier().begin(round({ legs }));
    expect(courier.drive(4_000)).toEqual(["arrived_at_trip_destination 3"]);
    expect(courier.drive(3_945)).toEqual(["updated_trip 3"]);
    expect(courier.drive(3_000, {}, 5_000)).toEqual([]);
    expect(courier.drive(3_900)).toEqual(["updated_trip 2"]);
  });

  it("is at a wrong place in another geofence of the tag, but not at one of its own stops", () => {
    const courier = new Courier().begin();
    expect(courier.drive(2_000, { 1: 3 })).toEqual(["updated_trip 1"]);
    expect(courier.drive(1_000, { 1: 2 })).toEqual(["arrived_at_wrong_trip_destination 1"]);
  });

  it("takes its legs along when another trip begins, or when it expires", () => {
    const courier = new Courier().begin();
    courier.around = { fences: [], trip: { adopted: { ...round(), _id: "u" } } };
    const { trips } = courier.send(-900);
    expect(statuses(trips[0])).toBe("canceled: canceled canceled canceled");
    courier.clock += 25 * 60 * MINUTE;
    courier.around = { fences: [] };
    expect(statuses(courier.send(-900).trips[0])).toBe("expired: expired expired expired");
  });
});

describe("the status of a leg", () => {
  it("goes forward only, and says where it can go", () => {
    const all: TripStatus[] = ["pending", "started", "approaching", "arrived", "completed", "canceled", "expired"];
    const allowed = (from: TripStatus) => {
      const legs = [leg("1", to(SHOP), { status: from }), leg("2", to(CAFE))];
      return all.filter((status) => {
        return !isRejection(revised(round({ status: "started", legs }), { leg: { id: "1", status } }, NOON));
      });
    };
    expect(Object.fromEntries(all.map((from) => [from, allowed(from).join(" ")]))).toEqual({
      pending: "pending started approaching arrived completed canceled",
      started: "started approaching arrived completed canceled",
      approaching: "approaching arrived completed canceled",
      arrived: "arrived completed canceled",
      completed: "completed",
      canceled: "canceled",
      expired: "expired",
    });
    expect(revised(round(), { leg: { id: "2", status: "expired" } }, NOON)).toEqual({
      param: "status",
      rule: "A leg that is pending can become started, approaching, arrived, completed, canceled.",
    });
  });

  it("of a leg that waits may become arrived: the device is there, so it goes first", () => {
    const courier = new Courier().begin();
    const { told, trip } = courier.change({ leg: { id: "3", status: "arrived" } });
    expect(told).toEqual(["arrived_at_trip_destination 3"]);
    expect(trip.legs?.map(({ _id, status }) => `${_id} ${status}`)).toEqual(["3 arrived", "1 pending", "2 pending"]);
    // One leg at a time is where the device is.
    expect(courier.change({ leg: { id: "2", status: "approaching" } }).refusal?.param).toBe("status");
  });

  it("of a leg that waits may become completed: the current one stays", () => {
    const courier = new Courier().begin();
    expect(courier.change({ leg: { id: "2", status: "completed" } }).told).toEqual(["updated_trip 2"]);
    expect(courier.statuses).toBe("started completed pending");
  });

  it("keeps the trip's ETA: over the ways of the new order, and as it was when the last leg has ended", () => {
    const courier = new Courier().begin();
    courier.drive(-1_000, { 1: 4 });
    const ways = { 3: { from: "1", duration: 5, distance: 4_000 } };
    expect(courier.change({ leg: { id: "2", status: "completed" }, ways }).trip.eta?.duration).toBeCloseTo(4 + 10 + 5);
    courier.change({ leg: { id: "1", status: "completed" }, etas: { 3: { duration: 6, distance: 5_000 } } });
    const at = courier.clock;
    courier.clock += MINUTE;
    const { trip } = courier.change({ leg: { id: "3", status: "completed" } });
    expect([trip.status, trip.eta]).toEqual(["completed", { duration: 6, distance: 5_000, at }]);
  });

  it("is told as an event that names the leg; said twice, it happens once", () => {
    const courier = new Courier().begin();
    expect(courier.change({ leg: { id: "1", status: "approaching" } }).told).toEqual([
      "approaching_trip_destination 1",
    ]);
    expect(courier.change({ leg: { id: "1", status: "arrived" } }).told).toEqual(["arrived_at_trip_destination 1"]);
    expect(courier.change({ leg: { id: "1", status: "arrived" } }).told).toEqual([]);
    const done = courier.change({ leg: { id: "1", status: "completed" } });
    expect([done.told, statuses(done.trip)]).toEqual([["updated_trip 1"], "started: completed started pending"]);
    expect(courier.change({ leg: { id: "3", status: "canceled" } }).told).toEqual(["updated_trip 3"]);
    expect(courier.change({ leg: { id: "1", status: "canceled" } }).refusal?.rule).toBe("The leg is completed.");
    expect(courier.change({ leg: { id: "9", status: "canceled" } }).refusal?.param).toBe("legId");
  });

  it("ends the trip with the last leg: completed where one was, else canceled", () => {
    const courier = new Courier().begin();
    for (const id of ["1", "3"]) courier.change({ leg: { id, status: "canceled" } });
    const done = courier.change({ leg: { id: "2", status: "completed" } });
    expect([done.told, statuses(done.trip)]).toEqual([
      ["stopped_trip undefined"],
      "completed: canceled completed canceled",
    ]);
    expect([courier.trip, done.trip.endedAt]).toEqual([undefined, courier.clock]);
    const other = new Courier().begin();
    for (const id of ["1", "3"]) other.change({ leg: { id, status: "canceled" } });
    expect(other.change({ leg: { id: "2", status: "canceled" } }).trip.status).toBe("canceled");
  });

  it("of a pending leg that is started puts it first, unless the device is at a stop", () => {
    const courier = new Courier().begin();
    const { trip } = courier.change({ leg: { id: "3", status: "started" } });
    expect(trip.legs?.map(({ _id, status }) => `${_id} ${status}`)).toEqual(["3 started", "1 pending", "2 pending"]);
    courier.change({ leg: { id: "3", status: "arrived" } });
    expect(courier.change({ leg: { id: "2", status: "started" } }).refusal?.param).toBe("status");
  });

  it("is not that of the trip, which arrives leg by leg", () => {
    const courier = new Courier().begin();
    expect(courier.change({ status: "arrived" }).refusal).toMatchObject({ param: "status" });
    expect(courier.change({ status: "started", mode: "bike" }).trip).toMatchObject({ status: "started", mode: "bike" });
  });
});

describe("the order of legs", () => {
  const ids = (trip: Trip | undefined) => trip?.legs?.map(({ _id, status }) => `${_id} ${status}`).join(", ");
  const own = (courier: Courier, ...order: string[]) =>
    order.map((id) => courier.trip?.legs?.find(({ _id }) => _id === id) ?? leg(id, DOOR));

  it("may change: what was under way waits again, and what is first begins", () => {
    const courier = new Courier().begin();
    courier.change({ legs: own(courier, "2", "1", "3") });
    expect(ids(courier.trip)).toBe("2 started, 1 pending, 3 pending");
    expect(courier.trip?.legs?.[1].startedAt).toBeUndefined();
    expect(currentLeg(courier.trip!)?._id).toBe("2");
  });

  it("keeps what has ended, drops what is not named, and takes new legs", () => {
    const courier = new Courier().begin();
    courier.change({ leg: { id: "1", status: "completed" } });
    courier.change({ legs: own(courier, "3", "4") });
    expect(ids(courier.trip)).toBe("1 completed, 3 started, 4 pending");
    expect(courier.change({ legs: own(courier, "1") }).refusal?.param).toBe("legs");
  });

  it("leaves the stop that the device is at in front", () => {
    const courier = new Courier().begin();
    courier.change({ leg: { id: "1", status: "arrived" } });
    expect(courier.change({ legs: own(courier, "2", "1") }).refusal?.param).toBe("legs");
    expect(courier.change({ legs: own(courier, "2") }).refusal?.param).toBe("legs");
    expect(ids(courier.change({ legs: own(courier, "1", "3") }).trip)).toBe("1 arrived, 3 pending");
  });

  it("has an end: 25 legs, with those that have ended", () => {
    const courier = new Courier().begin();
    courier.change({ leg: { id: "1", status: "completed" } });
    const many = Array.from({ length: 25 }, (_, i) => leg(`n${i}`, DOOR));
    expect(courier.change({ legs: many }).refusal?.rule).toMatch(/at most 25/);
    expect(courier.change({ legs: many.slice(1) }).refusal).toBeUndefined();
  });

  it("has metadata of 16 kB in all, with that of legs which stay", () => {
    const metadata = (kilobytes: number) => ({ a: "x".repeat(1024 * kilobytes) });
    const courier = new Courier().begin(round({ legs: [leg("1", DOOR, { metadata: metadata(9) }), leg("2", DOOR)] }));
    const [first] = courier.trip?.legs ?? [];
    expect(courier.change({ legs: [first, leg("3", DOOR, { metadata: metadata(8) })] }).refusal?.param).toBe("legs");
    courier.change({ leg: { id: "1", status: "completed" } });
    expect(courier.change({ legs: [leg("3", DOOR, { metadata: metadata(8) })] }).refusal?.param).toBe("legs");
    expect(courier.change({ legs: [leg("3", DOOR, { metadata: metadata(6) })] }).refusal).toBeUndefined();
  });
});

it("a trip without legs is settled as it is", () => {
  const plain = frozen({ ...round(), legs: undefined });
  expect(settled(plain, NOON)).toBe(plain);
});
