import { describe, expect, it } from "vitest";
import { newOrders } from "../../../src/core/tracking/orders.ts";
import type { Trip } from "../../../src/core/tracking/types/trip.ts";
import { createTrip, updateTrip } from "../../../src/worker/http/trips/trips.ts";
import type { ApiError } from "../../../src/worker/platform/errors.ts";
import { validate } from "../../../src/worker/wire/input/validate.ts";
import { wireTrip } from "../../../src/worker/wire/trip.ts";

const AT = Date.UTC(2026, 0, 31, 12);
const bodyOf = (body: object) => validate(createTrip.body as never, body as never) as { orders?: object[] };
const paramOf = (orders: unknown) => {
  try {
    bodyOf({ externalId: "t", orders });
    return "none";
  } catch (error) {
    return (error as ApiError).param;
  }
};

describe("orders of a trip in a request", () => {
  it("may be JSON, or a form's text, with nulls for what is absent", () => {
    const orders = [{ id: 5, guid: null, handoffMode: "curbside", fireBeforeMinutes: "10", other: 1 }];
    const expected = [{ id: "5", handoffMode: "curbside", fireBeforeMinutes: 10 }];
    expect(bodyOf({ externalId: "t", orders }).orders).toEqual(expected);
    expect(bodyOf({ externalId: "t", orders: JSON.stringify(orders) }).orders).toEqual(expected);
    const patch = { orders: [{ id: "5", status: "fired" }] };
    expect(validate(updateTrip.body as never, patch as never)).toEqual(patch);
  });

  it.each([
    ["orders", 5],
    ["orders", Array.from({ length: 51 }, (_, i) => ({ id: String(i) }))],
    ["orders[0]", [5]],
    ["orders[0][id]", [{}]],
    ["orders[1][fireBeforeMinutes]", [{ id: "a" }, { id: "b", fireBeforeMinutes: -1 }]],
    ["orders[0][status]", [{ id: "a", status: "eaten" }]],
  ])("name what is wrong: %s", (param, orders) => {
    expect(paramOf(orders)).toBe(param);
  });

  it("have dates in responses, and no more fields than the SDKs read", () => {
    const orders = newOrders([{ id: "a", guid: "g" }], AT);
    const trip: Trip = {
      ...{ _id: "t", live: false, externalId: "t", mode: "car", status: "started", version: 1, orders },
      ...{ createdAt: AT, updatedAt: AT },
    };
    expect(JSON.parse(JSON.stringify(wireTrip(trip).orders))).toEqual([
      { id: "a", guid: "g", status: "pending", updatedAt: "2026-01-31T12:00:00.000Z" },
    ]);
  });
});
