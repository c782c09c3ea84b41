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
  legs?: readonly LegOptions[];
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

/** What a caller says of a leg: exactly one kind of destination. */
export interface LegOptions {
  /** Of a leg that the trip has already. */
  _id?: string;
  destination?: {
    destinationGeofenceId?: string;
    destinationGeofenceTag?: string;
    destinationGeofenceExternalId?: string;
    address?: string;
    location?: Coordinate;
    /** [m] */
    arrivalRadius?: number;
  };
  /** [min] */
  stopDuration?: number;
  metadata?: Metadata;
}

/** Where a leg leads: what was named, and the point it stands for. */
export interface LegDestination {
  type: "geofence" | "address" | "coordinates";
  /** Of a geofence: its id, and its names where it has them. */
  fence?: string;
  tag?: string;
  externalId?: string;
  /** As the caller wrote it. */
  address?: string;
  /** Of a geofence its centre. */
  location: Coordinate;
  /** Of an address or a point: within this distance the device has arrived [m]. */
  arrivalRadius?: number;
}

/** One leg of a trip of several: from wherever the device is, or from the destination of the leg before it. */
export interface TripLeg {
  _id: string;
  status: TripStatus;
  destination: LegDestination;
  /** Time that is spent at its destination [min]; the ETAs of the legs behind it hold it. */
  stopDuration?: number;
  metadata?: Metadata;
  /** From where the device is, over the legs before this one. */
  eta?: Eta;
  /** The way from the destination of the leg before it, by road; of use only while that is still the leg `from`. */
  way?: LegWay;
  createdAt: number;
  updatedAt: number;
  startedAt?: number;
  approachingAt?: number;
  arrivedAt?: number;
  endedAt?: number;
}

export interface LegWay extends Eta {
  from: string;
}

/** A customer's journey, usually to a geofence. A user is on one trip at a time. */
export interface Trip {
  _id: string;
  live: boolean;
  externalId: string;
  metadata?: Metadata;
  mode: string;
  status: TripStatus;
  /** Of a trip of several legs: that of the current one, where it is a geofence with names. */
  destination?: TripDestination;
  /** In the order in which they are travelled. The current one is the first that has not ended. */
  legs?: readonly TripLeg[];
  /** [min] of ETA at which it counts as approaching; absent = never */
  approachingThreshold?: number;
  scheduledArrivalAt?: number;
  /** To the destination; of several legs to the last. */
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
  /** IP address of the publishable key that created it; for who may change it before it begins. */
  createdFrom?: string;
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
  /** The same for a trip of several legs: to the current one, and to the next where the device is at a stop; and ways not known before. */
  legs?: {
    trip: string;
    etas: Readonly<Record<string, Eta>>;
    ways: Readonly<Record<string, LegWay>>;
  };
}
