import { settled } from "../../../core/tracking/legs.ts";
import { newOrders } from "../../../core/tracking/orders.ts";
import type { Trip, TripDestination, TripLeg, TripOptions } from "../../../core/tracking/types/trip.ts";
import { findGeofence } from "../../db/customers/geofences.ts";
import type { Env } from "../../platform/env.ts";
import { newId } from "./id.ts";
import { withEveryWay } from "./leg-ways.ts";
import { legsOf } from "./new-legs.ts";

/** A trip's destination geofence with its threshold; undefined if there is no such geofence. */
export async function findDestination(
  env: Env,
  scope: number,
  tag: string,
  externalId: string,
  now: number,
): Promise<{ destination: TripDestination; approachingThreshold?: number } | undefined> {
  const row = await findGeofence(env.DB, scope, { tag, externalId }, now);
  if (!row) return undefined;
  const { id, latitude, longitude, tripApproachingThreshold } = row;
  return {
    destination: { fence: id, tag, externalId, location: { latitude, longitude } },
    approachingThreshold: tripApproachingThreshold ?? undefined,
  };
}

/**
 * Creates a pending trip; undefined if its destination doesn't exist, because such a trip would never arrive. The
 * destination is optional.
 * @param given its legs, if the caller has created them
 */
export async function newTrip(
  env: Env,
  {
    scope,
    live,
    update,
  }: {
    scope: number;
    live: boolean;
    update: { receivedAt: number; userId?: string; replayed?: boolean; updatedAt?: number };
  },
  options: TripOptions,
  given?: readonly TripLeg[],
): Promise<Trip | undefined> {
  const { externalId, destinationGeofenceTag: tag, destinationGeofenceExternalId: id, mode = "car" } = options;
  // A trip of an update that arrived late was there when the device started on it.
  const now = Math.min(update.receivedAt, (update.replayed && update.updatedAt) || update.receivedAt);
  const legs = given ?? (options.legs ? await legsOf(env, scope, options.legs, now) : []);
  if (!legs) return undefined;
  const found = tag !== undefined && id !== undefined ? await findDestination(env, scope, tag, id, now) : undefined;
  if (!found && legs.length === 0 && (tag !== undefined || id !== undefined)) return undefined;
  const trip: Trip = {
    _id: newId(now),
    live,
    externalId,
    metadata: options.metadata,
    mode,
    status: "pending",
    destination: found?.destination,
    approachingThreshold: options.approachingThreshold ?? found?.approachingThreshold,
    routeTolerance: options.routeTolerance,
    plannedRoute: options.plannedRoute,
    scheduledArrivalAt: options.scheduledArrivalAt,
    orders: newOrders(options.orders, now),
    createdAt: now,
    updatedAt: now,
    userId: update.userId,
    version: 1,
  };
  return legs.length > 0 ? withEveryWay(env, settled({ ...trip, legs }, now)) : trip;
}
