import type { Coordinate } from "../../geo/coordinate.ts";
import type { Metadata } from "./metadata.ts";
import type { RouteAround } from "./planned-route.ts";

export const ORDER_STATUSES = ["pending", "fired", "canceled", "completed"] as const;
export type FiredReason = "eta" | "arrival" | "manual";

/** An order in a caller's request. */
export interface OrderOptions {
  id: string;
  /** Of the caller's system. */
  guid?: string;
  /** How it is handed over, in the caller's terms ("curbside"). */
  handoffMode?: string;
  /** [min] of ETA at which it is fired; absent = the trip's approaching threshold. On arrival in any case. */
  fireBeforeMinutes?: number;
  status?: (typeof ORDER_STATUSES)[number];
}

export interface TripOrder extends OrderOptions {
  status: (typeof ORDER_STATUSES)[number];
  firedAt?: number;
  firedAttempts?: number;
  firedReason?: FiredReason;
  updatedAt: number;
}

export interface TripOptions {
  externalId: string;
  destinationGeofenceTag?: string;
  destinationGeofenceExternalId?: string;
  mode?: string;
  metadata?: Metadata;
  /** [min] */
  approachingThreshold?: number;
  /** [m] */
  routeTolerance?: number;
  plannedRoute?: string;
  /** [ms] */
  scheduledArrivalAt?: number;
  legs?: readonly LegOptions[];
  orders?: readonly OrderOptions[];
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
  /** Its center. */
  location: Coordinate;
}

export interface Eta {
  /** [min] */
  duration: number;
  /** [m] */
  distance: number;
}

/** A leg in a caller's request: exactly one kind of destination. */
export interface LegOptions {
  /** Of an existing leg of the trip. */
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

/** The destination of a leg: as given, and its point. */
export interface LegDestination {
  type: "geofence" | "address" | "coordinates";
  /** For a geofence: its id, and its names if it has them. */
  fence?: string;
  tag?: string;
  externalId?: string;
  /** As given by the caller. */
  address?: string;
  /** For a geofence, its center. */
  location: Coordinate;
  /** For an address or a point: within this distance the device has arrived [m]. */
  arrivalRadius?: number;
  /** For an address: how its position was found, and what the position is, as in geocoding. */
  confidence?: "exact" | "interpolated" | "fallback";
  precision?: "rooftop" | "parcel" | "interpolated" | "street";
}

/** One leg of a trip with several: from the device's location, or from the destination of the previous leg. */
export interface TripLeg {
  _id: string;
  status: TripStatus;
  destination: LegDestination;
  /** Time spent at its destination [min]; included in the ETAs of later legs. */
  stopDuration?: number;
  metadata?: Metadata;
  /** From the device's location, over the previous legs. */
  eta?: Eta;
  /** The route from the destination of the previous leg, by road; only valid while that is still the leg `from`. */
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
  /** For a trip of several legs: that of the current one, if it is a geofence with names. */
  destination?: TripDestination;
  /** In travel order. The current one is the first that has not ended. */
  legs?: readonly TripLeg[];
  orders?: readonly TripOrder[];
  /** [min] of ETA below which it is approaching; absent = never */
  approachingThreshold?: number;
  /** Farther from the planned route, the user has left it [m]; absent = as the project has it, 0 = off. */
  routeTolerance?: number;
  /** The line that its user is to follow, as given, encoded with 5 decimals; empty or absent = the route that the server finds. Not in events. */
  plannedRoute?: string;
  scheduledArrivalAt?: number;
  /** To the destination; with several legs to the last one. `at`: when it was computed [ms], absent in trips of before 0.5.0. */
  eta?: Eta & { at?: number };
  /** Delay of the arrival [min], negative if early. Present with `scheduledArrivalAt` and an ETA or an arrival. */
  delay?: number;
  createdAt: number;
  updatedAt: number;
  startedAt?: number;
  approachingAt?: number;
  arrivedAt?: number;
  endedAt?: number;
  /** The userId for which it was created. */
  userId?: string;
  /** The device and the user record on the trip. */
  deviceId?: string;
  user?: string;
  /** Incremented by every change. */
  version: number;
}

/** Trip data known before an update is applied. */
export interface TripAround {
  /** A trip that this user begins with the update. */
  adopted?: Trip;
  /** A planned route, or one from where its user left it, if it was computed now. */
  route?: RouteAround;
  /** From the update's location to the destination of `trip`. */
  eta?: { trip: string; eta: Eta };
  /**
   * The same for a trip of several legs: to the current one, and to the next if the device is at a stop; and newly
   * computed routes.
   */
  legs?: {
    trip: string;
    etas: Readonly<Record<string, Eta>>;
    ways: Readonly<Record<string, LegWay>>;
  };
}
