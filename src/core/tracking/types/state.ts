import type { Coordinate } from "../../geo/coordinate.ts";
import type { DeviceReport } from "./device.ts";
import type { Driving } from "./driving.ts";
import type { TrackEvent } from "./event.ts";
import type { FenceLabel } from "./fence.ts";
import type { FraudFlags, FraudState } from "./fraud.ts";
import type { Idling, Insights } from "./insights.ts";
import type { Metadata } from "./metadata.ts";
import type { PlannedRoute } from "./planned-route.ts";
import type { BeaconLabel, Chain, Place, Region, RegionKind } from "./surroundings.ts";
import type { Trip } from "./trip.ts";

/**
 * The values of tracking: plain, JSON-serializable, times in epoch milliseconds, lengths in meters. An absent value is
 * an absent (or undefined) field, never null, unless a comment explains null. Wire names, dates and Points are created
 * in src/worker/wire.
 */

/** A fix with which later ones are compared to detect whether the device has moved; see `moved`. */
export interface Anchor {
  location: Coordinate;
  accuracy: number;
}

export interface FencePresence {
  fence: FenceLabel;
  revision: number;
  enteredAt: number;
  dwelled: boolean;
  /** Set if the device re-entered without having moved since its exit: this visit ends only with a move from here. */
  returned?: Anchor;
  /** With `exitDelay`: when the first fix outside was [ms], while none has been inside since. */
  leaving?: number;
}

export interface PlacePresence {
  place: Place;
  enteredAt: number;
  /** The fix of the entry. */
  anchor: Anchor;
  /** As of a geofence. */
  leaving?: number;
}

export interface BeaconPresence {
  beacon: BeaconLabel;
  enteredAt: number;
  /** The fix at which it was last ranged. */
  anchor?: Anchor;
}

export interface RegionPresence {
  region: Region;
  enteredAt: number;
  /** Set while there is no data of this kind at the device's location: the last fix with data. */
  lost?: Anchor;
}

/** The last region change of a kind: the previous region (null = none) and the fix that caused it. */
export interface RegionChange {
  from: string | null;
  anchor: Anchor;
}

export interface Segment {
  description: string;
  externalId: string;
}

/** Computed segments of a user (src/core/engagement/segments). */
export interface Memberships {
  segments: readonly (Segment & { _id: string })[];
  /** Of the rules with which they were computed. */
  epoch: number;
  /** When time alone may change them [ms]: no later. Absent = only an update can. */
  due?: number;
}

export interface ChainVisits {
  name: string;
  externalId?: string;
  count: number;
  /** When the last one began. */
  lastAt: number;
}

export interface ChainPresence {
  /** The place of the chain that was near. */
  placeId: string;
  /** Absent in presences of earlier releases. */
  chain?: Chain;
  since: number;
  /** The fix that came near. */
  anchor: Anchor;
}

/** The last update. If it had its own time, it gets the same response when it is sent again. */
export interface LastUpdate {
  /** Absent if it had no time, so that it can't be recognized. It is stored for `earlier`. */
  updatedAt?: number;
  location: Coordinate;
  accuracy: number;
  foreground?: boolean;
  events: readonly TrackEvent[];
  /**
   * Fingerprints of the updates before it, newest first: a late resend of one of them is applied only once
   * (chronology.ts).
   */
  earlier?: readonly number[];
}

/** All data of one user, a combination of device and userId. Never changed in place; unchanged parts are shared. */
export interface UserState extends DeviceReport {
  _id: string;
  live: boolean;
  deviceId: string;
  userId?: string;
  createdAt: number;
  /** Time of the last location update, as shown. */
  updatedAt: number;
  /** When the last update arrived, by the server's clock [ms]; absent before its first update under this release. */
  actualUpdatedAt?: number;
  /** The time [ms] at which a userId took over the record of the device without one. */
  namedAt?: number;
  /** Time of the newest accepted point; replayed points that are not later change nothing. */
  chronology: number;
  /** Number of events generated so far. */
  seq: number;
  location: Coordinate;
  locationAccuracy: number;
  description?: string;
  metadata?: Metadata;
  installId?: string;
  source?: string;
  altitude?: number;
  speed?: number;
  course?: number;
  barometricAltitude?: number;
  activityType?: string;
  userTags?: readonly string[];
  timeZone?: string;
  ip?: string;
  /** Groups to which the customer has assigned the user. */
  segments?: readonly Segment[];
  /** Computed segments; absent = the project has none. */
  computed?: Memberships;
  /** Entries by day that rules of segments count, by name (src/core/engagement/segments/visits.ts). */
  visitDays?: Readonly<Record<string, readonly number[]>>;
  /** Visits of places of chains, by slug. */
  chainVisits?: Readonly<Record<string, ChainVisits>>;
  /** By fence id, in the order of entry. */
  geofences: Readonly<Record<string, FencePresence>>;
  /** By fence id: the fix of an exit, as long as the device may still be at that spot. */
  left: Readonly<Record<string, Anchor>>;
  place?: PlacePresence;
  regions: Readonly<Partial<Record<RegionKind, RegionPresence>>>;
  regionChanges: Readonly<Partial<Record<RegionKind, RegionChange>>>;
  /** By chain slug. */
  nearbyChains: Readonly<Record<string, ChainPresence>>;
  /** By beacon id, in the order of entry; absent = the project has none. */
  beacons?: Readonly<Record<string, BeaconPresence>>;
  /** The active trip. */
  trip?: Trip;
  /** Id of the trip that ended last: an outdated database row must not begin it again. */
  endedTrip?: string;
  /** Absent = the project has disabled fraud checks. */
  fraud?: FraudState;
  fraudFlags?: FraudFlags;
  /** Absent = the project has not enabled insights. */
  insights?: Insights;
  /** Absent = the project does not watch speed limits. */
  driving?: Driving;
  /** The planned route of the trip; absent = the project does not watch routes, or there is none. */
  route?: PlannedRoute;
  /** Absent = the project does not watch idling. */
  idling?: Idling;
  last?: LastUpdate;
}

/** The identity of a user without a state. */
export interface Identity {
  _id: string;
  live: boolean;
  /** Events generated under this _id before there was a location: conversions. */
  seq?: number;
}

/** The result of applying an update to a state. */
export interface Outcome {
  /** The same object as before if nothing has changed and there is nothing to write. */
  state: UserState;
  events: readonly TrackEvent[];
  /** The trips that the update has changed, in their new state. */
  trips: readonly Trip[];
  /** The update was sent again; its events are not new. */
  repeated: boolean;
}
