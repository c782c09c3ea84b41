import { ARRIVAL_RADIUS } from "../../../core/tracking/legs.ts";
import type { LegDestination, LegOptions, TripLeg } from "../../../core/tracking/types/trip.ts";
import { findGeofence } from "../../db/customers/geofences.ts";
import type { Env } from "../../platform/env.ts";
import { newId } from "./id.ts";

/**
 * The destination of a leg; undefined if there is no such geofence. An address needs the location that the caller has
 * found for it.
 */
export async function legDestination(
  env: Env,
  scope: number,
  { destination = {} }: LegOptions,
  now: number,
): Promise<LegDestination | undefined> {
  const {
    destinationGeofenceId: id,
    destinationGeofenceTag: tag,
    destinationGeofenceExternalId: externalId,
  } = destination;
  const { address, location, arrivalRadius = ARRIVAL_RADIUS } = destination;
  if (location) return { type: address === undefined ? "coordinates" : "address", address, location, arrivalRadius };
  const which =
    id !== undefined ? { id } : tag !== undefined && externalId !== undefined ? { tag, externalId } : undefined;
  const row = which && (await findGeofence(env.DB, scope, which, now));
  if (!row) return undefined;
  return {
    type: "geofence",
    fence: row.id,
    tag: row.tag ?? undefined,
    externalId: row.externalId ?? undefined,
    location: { latitude: row.latitude, longitude: row.longitude },
  };
}

export function newLeg(destination: LegDestination, { stopDuration, metadata }: LegOptions, now: number): TripLeg {
  const times = { createdAt: now, updatedAt: now };
  return { _id: newId(now), status: "pending", destination, stopDuration, metadata, ...times };
}

/** New legs; undefined if the destination of one doesn't exist. */
export async function legsOf(
  env: Env,
  scope: number,
  legs: readonly LegOptions[],
  now: number,
): Promise<TripLeg[] | undefined> {
  const destinations = await Promise.all(legs.map((leg) => legDestination(env, scope, leg, now)));
  const known = destinations.filter((destination) => destination !== undefined);
  return known.length < legs.length ? undefined : known.map((destination, i) => newLeg(destination, legs[i], now));
}
