import type { Coordinate } from "../../geo/coordinate.ts";
import type { Metadata } from "./metadata.ts";

export interface TripOptions {
  externalId: string;
  destinationGeofenceTag?: string;
  destinationGeofenceExternalId?: string;
  mode?: string;
  metadata?: Metadata;
  /** [min] */
  approachingThreshold?: number;
  /** [ms] */
  scheduledArrivalAt?: number;
}

export const TRIP_STATUSES = [
  "pending",
  "started",
  "approaching",
  "arrived",
  "completed",
  "canceled",
  "expired",
] as const;
export type TripStatus = (typeof TRIP_STATUSES)[number];

export interface TripDestination {
  /** Id of the geofence. */
  fence: string;
  tag: string;
  externalId: string;
  /** Its centre. */
  location: Coordinate;
}

export interface Eta {
  /** [min] */
  duration: number;
  /** [m] */
  distance: number;
}

/** A customer's journey, usually to a geofence. A user is on one trip at a time. */
export interface Trip {
  _id: string;
  live: boolean;
  externalId: string;
  metadata?: Metadata;
  mode: string;
  status: TripStatus;
  destination?: TripDestination;
  /** [min] of ETA at which it counts as approaching; absent = never */
  approachingThreshold?: number;
  scheduledArrivalAt?: number;
  eta?: Eta;
  /** How late the arrival is [min], negative when early. Present with `scheduledArrivalAt` and an ETA or an arrival. */
  delay?: number;
  createdAt: number;
  updatedAt: number;
  startedAt?: number;
  approachingAt?: number;
  arrivedAt?: number;
  endedAt?: number;
  /** The userId it was made for. */
  userId?: string;
  /** The device and the user record that are on it. */
  deviceId?: string;
  user?: string;
  /** Raised by every change. */
  version: number;
}

/** What is known of trips before an update is applied. */
export interface TripAround {
  /** A trip this user begins with the update. */
  adopted?: Trip;
  /** From the update's location to the destination of `trip`. */
  eta?: { trip: string; eta: Eta };
}
