import type { Rejection } from "./change-legs.ts";
import { emit } from "./emit.ts";
import { orderRule } from "./trace/journey-rules.ts";
import type { FiredReason, OrderOptions, Trip, TripOrder, TripStatus } from "./types/trip.ts";
import type { EventContext } from "./update-context.ts";

/** Orders of a trip: each is fired when its user is near enough, so that it is ready at the arrival. */

export const MAX_ORDERS = 50;

/** The orders of a new trip. Of several with the same id, the last one is valid. */
export function newOrders(given: readonly OrderOptions[] | undefined, at: number): readonly TripOrder[] | undefined {
  if (!given || given.length === 0) return undefined;
  return given.reduce<readonly TripOrder[]>((orders, one) => withOrder(orders, one, at), []);
}

/**
 * A trip with changed orders: known ones by their id, others are added. `fired` is left to `fireOrders`.
 * @returns the reason for rejection, if there are too many or an order has ended
 */
export function changeOrders(trip: Trip, given: readonly OrderOptions[], at: number): Trip | Rejection {
  let orders = trip.orders ?? [];
  for (const [i, one] of given.entries()) {
    const known = orders.find(({ id }) => id === one.id);
    const isEnded = known?.status === "canceled" || known?.status === "completed";
    if (isEnded && one.status !== undefined && one.status !== known.status)
      return { param: `orders[${i}][status]`, rule: `The order is ${known.status}.` };
    if (known?.status === "fired" && one.status === "pending")
      return { param: `orders[${i}][status]`, rule: "The order is fired." };
    orders = withOrder(orders, one, at);
  }
  if (orders.length > MAX_ORDERS) return { param: "orders", rule: `A trip has at most ${MAX_ORDERS} orders.` };
  return { ...trip, orders };
}

function withOrder(orders: readonly TripOrder[], { status, ...given }: OrderOptions, at: number): TripOrder[] {
  const known = orders.find(({ id }) => id === given.id);
  const details: object = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const next: TripOrder = {
    ...(known ?? { status: "pending" }),
    ...details,
    id: given.id,
    ...(status !== undefined && status !== "fired" && { status }),
    updatedAt: at,
  };
  return known ? orders.map((order) => (order === known ? next : order)) : [...orders, next];
}

/**
 * Fires the orders that are due by the ETA or the arrival, and generates one event for all of them.
 * @param asked ids that a caller fires, even again
 */
export function fireOrders(context: EventContext, asked: readonly string[] = []): void {
  const { state, at, trace, trips } = context;
  const { trip } = state;
  if (!trip?.orders || (asked.length === 0 && !trip.orders.some(({ status }) => status === "pending"))) return;
  const reasons = trip.orders.map((order) => {
    if (asked.includes(order.id) && (order.status === "pending" || order.status === "fired")) return "manual";
    if (order.status !== "pending") return undefined;
    const reason = dueBy(trip, order);
    trace?.(orderRule(trip, order, reason));
    return reason;
  });
  if (reasons.every((reason) => reason === undefined)) return;
  const orders = trip.orders.map((order, i) => {
    const reason = reasons[i];
    return reason === undefined ? order : fired(order, reason, at);
  });
  state.trip = { ...trip, orders, updatedAt: at, version: trip.version + 1 };
  trips.push(state.trip);
  emit(context, "user.fired_trip_orders", { trip: state.trip, confidence: 3 });
}

/** A trip that no user has begun: a caller's orders are fired without an event. */
export function firedByCall(trip: Trip, asked: readonly OrderOptions[], at: number): Trip {
  const ids = asked.filter(({ status }) => status === "fired").map(({ id }) => id);
  const orders = trip.orders?.map((order) => (ids.includes(order.id) ? fired(order, "manual", at) : order));
  return orders && ids.length > 0 ? { ...trip, orders } : trip;
}

/** Without a lead time of its own, an order is fired when the trip is approaching. */
function dueBy({ status, eta, approachingThreshold }: Trip, order: TripOrder): FiredReason | undefined {
  if (status === "arrived") return "arrival";
  const minutes = order.fireBeforeMinutes ?? approachingThreshold;
  return eta !== undefined && minutes !== undefined && eta.duration <= minutes ? "eta" : undefined;
}

function fired(order: TripOrder, firedReason: FiredReason, at: number): TripOrder {
  const firedAttempts = (order.firedAttempts ?? 0) + 1;
  return { ...order, status: "fired", firedAt: at, firedAttempts, firedReason, updatedAt: at };
}

/** The orders of a trip that ends: they are handed over with a completed one, and canceled with any other. */
export function endedOrders({ orders }: Trip, end: TripStatus, at: number): readonly TripOrder[] | undefined {
  const status = end === "completed" ? "completed" : "canceled";
  return orders?.map((order) =>
    order.status === "pending" || order.status === "fired" ? { ...order, status, updatedAt: at } : order,
  );
}
