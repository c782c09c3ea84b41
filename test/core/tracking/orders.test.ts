import { describe, expect, it } from "vitest";
import { MAX_ORDERS, newOrders } from "../../../src/core/tracking/orders.ts";
import { changeTrip, type TripChange } from "../../../src/core/tracking/trips.ts";
import { DEFAULT_SETTINGS } from "../../../src/core/tracking/types/settings.ts";
import type { UserState } from "../../../src/core/tracking/types/state.ts";
import type { OrderOptions, Trip } from "../../../src/core/tracking/types/trip.ts";
import { seededRandom } from "../../bench/support/random.ts";
import { samples } from "../../support/night.ts";
import { at, Device, HOME, home, NOON, typesOf } from "./world.ts";

const tripWith = (orders: OrderOptions[], more: Partial<Trip> = {}): Trip => ({
  _id: "t1",
  live: false,
  externalId: "food",
  mode: "car",
  status: "pending",
  destination: { fence: home.id, tag: "house", externalId: "1", location: HOME },
  approachingThreshold: 3,
  orders: newOrders(orders, NOON),
  createdAt: NOON,
  updatedAt: NOON,
  version: 1,
  ...more,
});

/** A device on a trip, at some minutes from its destination. */
class Driver extends Device {
  constructor(trip: Trip) {
    super();
    this.around = { fences: [home], trip: { adopted: trip } };
  }

  drive(minutes: number, metres = 5000) {
    const eta = { trip: "t1", eta: { duration: minutes, distance: metres } };
    this.around = { ...this.around, trip: { ...this.around.trip, eta } };
    return this.report({ location: at(metres) });
  }

  change(change: TripChange) {
    const trip = this.state?.trip as Trip;
    const done = changeTrip(this.state as UserState, trip, change, DEFAULT_SETTINGS, this.clock + 1);
    this.state = done.state;
    return done;
  }

  get statuses() {
    return this.state?.trip?.orders?.map(({ status }) => status);
  }
}

const fired = "fired_trip_orders";

describe("orders of trips", () => {
  it("are fired once, when the ETA is short enough, together in one event", () => {
    const driver = new Driver(
      tripWith([
        { id: "soup", fireBeforeMinutes: 10 },
        { id: "ice", fireBeforeMinutes: 2 },
        { id: "tea", fireBeforeMinutes: 10, guid: "g", handoffMode: "curbside" },
      ]),
    );
    expect(typesOf(driver.drive(10.1))).not.toContain(fired);
    const { events } = driver.drive(10);
    expect(events.map(({ type }) => type)).toEqual(["user.updated_trip", "user.fired_trip_orders"]);
    expect(events[1].trip?.orders).toEqual([
      {
        id: "soup",
        fireBeforeMinutes: 10,
        status: "fired",
        firedAt: driver.clock,
        firedAttempts: 1,
        firedReason: "eta",
        updatedAt: driver.clock,
      },
      { id: "ice", fireBeforeMinutes: 2, status: "pending", updatedAt: NOON },
      expect.objectContaining({ id: "tea", guid: "g", handoffMode: "curbside", status: "fired" }),
    ]);
    expect(typesOf(driver.drive(9))).toEqual(["updated_trip"]);
  });

  it("without their own time are fired when the trip is approaching, and all on arrival", () => {
    const driver = new Driver(tripWith([{ id: "soup" }, { id: "ice", fireBeforeMinutes: 0 }]));
    driver.drive(5);
    expect(typesOf(driver.drive(3))).toEqual(["approaching_trip_destination", fired]);
    expect(driver.statuses).toEqual(["fired", "pending"]);
    const { events } = driver.drive(0.4, 0);
    expect(events.map(({ type }) => type)).toContain("user.fired_trip_orders");
    expect(events.at(-1)?.trip?.orders?.[1]).toMatchObject({ status: "fired", firedReason: "arrival" });
  });

  it("wait while the ETA is not known, and are not fired at the wrong destination", () => {
    const driver = new Driver(tripWith([{ id: "soup", fireBeforeMinutes: 10 }]));
    driver.around = {
      ...driver.around,
      fences: [home, { ...home, id: "f2", shape: { ...home.shape, center: at(9000) } as typeof home.shape }],
    };
    const { events } = driver.report({ location: at(9000) });
    expect(events.map(({ type }) => type)).toContain("user.arrived_at_wrong_trip_destination");
    expect(driver.statuses).toEqual(["pending"]);
  });

  it("are changed, added, fired again and canceled by a call", () => {
    const driver = new Driver(tripWith([{ id: "soup", fireBeforeMinutes: 1 }]));
    driver.drive(20);
    const { events } = driver.change({
      orders: [
        { id: "soup", status: "fired" },
        { id: "ice", fireBeforeMinutes: 30 },
      ],
    });
    expect(events.map(({ type }) => type)).toEqual(["user.updated_trip", "user.fired_trip_orders"]);
    expect(driver.state?.trip?.orders).toMatchObject([
      { id: "soup", status: "fired", firedReason: "manual", firedAttempts: 1 },
      { id: "ice", status: "fired", firedReason: "eta" },
    ]);
    driver.change({ orders: [{ id: "soup", status: "fired" }] });
    expect(driver.state?.trip?.orders?.[0]).toMatchObject({ firedAttempts: 2 });
    driver.change({ orders: [{ id: "soup", status: "canceled" }] });
    expect(driver.change({ orders: [{ id: "soup", status: "fired" }] }).refusal).toMatchObject({
      param: "orders[0][status]",
    });
    expect(driver.change({ orders: [{ id: "ice", status: "pending" }] }).refusal).toMatchObject({
      param: "orders[0][status]",
    });
    const many = Array.from({ length: MAX_ORDERS }, (_, i) => ({ id: `o${i}` }));
    expect(driver.change({ orders: many }).refusal).toMatchObject({ param: "orders" });
    expect(driver.statuses).toEqual(["canceled", "fired"]);
  });

  it.each([
    ["completed", ["completed", "completed", "canceled"]],
    ["canceled", ["canceled", "canceled", "canceled"]],
  ] as const)("end with their trip: %s", (status, expected) => {
    const driver = new Driver(
      tripWith([
        { id: "a", fireBeforeMinutes: 30 },
        { id: "b", fireBeforeMinutes: 1 },
        { id: "c", status: "canceled" },
      ]),
    );
    driver.drive(20);
    const { trips } = driver.change({ status });
    expect(trips.at(-1)?.orders?.map((order) => order.status)).toEqual(expected);
  });

  it("are fired exactly once by time, whatever the ETAs are", () => {
    const random = seededRandom(5);
    for (let i = 0; i < samples(100, 5000); i++) {
      const orders = Array.from({ length: 1 + Math.floor(random() * 4) }, (_, n) => ({
        id: `o${n}`,
        fireBeforeMinutes: Math.floor(random() * 20),
      }));
      const driver = new Driver(tripWith(orders, { approachingThreshold: undefined }));
      const etas: number[] = [];
      const times = new Map<string, number>();
      for (let step = 0; step < 12; step++) {
        const minutes = random() * 25;
        etas.push(minutes);
        for (const { type, trip } of driver.drive(minutes).events) {
          if (type !== "user.fired_trip_orders") continue;
          for (const order of trip?.orders ?? [])
            if (order.firedAt === driver.clock) times.set(order.id, (times.get(order.id) ?? 0) + 1);
        }
      }
      for (const { id, fireBeforeMinutes } of orders)
        expect(times.get(id) ?? 0, id).toBe(Math.min(...etas) <= fireBeforeMinutes ? 1 : 0);
    }
  });
});
