import type { Coordinate } from "../geo/coordinate.ts";
import type { Ring } from "../geo/polygon.ts";

/**
 * The values of the tracking room: plain, JSON-serialisable, times in epoch milliseconds, lengths in metres. An absent
 * value is an absent (or undefined) field, never null, but where null is said to mean something. Wire names, dates and
 * Points are made in http/.
 */

/** What customers attach to users, geofences, chains. */
export type Metadata = Readonly<Record<string, string | number | boolean>>;

/** One position report of a device, checked at the door. */
export interface LocationUpdate {
  deviceId: string;
  userId?: string;
  location: Coordinate;
  /** Radius of the circle in which the device is [m], greater than 0. */
  accuracy: number;
  foreground?: boolean;
  stopped?: boolean;
  description?: string;
  metadata?: Metadata;
  deviceType?: string;
  deviceOS?: string;
  deviceMake?: string;
  deviceModel?: string;
  altitude?: number;
  /** [m/s] */
  speed?: number;
  /** [degrees, clockwise from north] */
  course?: number;
  /** When the device was there, by its own account [ms]; absent = now. */
  updatedAt?: number;
  /** The client sends what it could not send earlier. */
  replayed: boolean;
  ip?: string;
  /** IANA name, as the device has it set. */
  timeZone?: string;
  /** Signals of all beacons the device hears now (`signalOf`); absent = it does not listen, which changes nothing. */
  beacons?: readonly string[];
  /** The trip the device says it makes. */
  tripOptions?: TripOptions;
  /** What the client, or the platform of its connection, tells of the update's honesty. */
  claims?: FraudClaims;
  /** Server time [ms]. */
  receivedAt: number;
}

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

/** true = the check fails; `verified`: the update came through verified tracking. */
export interface FraudClaims {
  mocked?: boolean;
  compromised?: boolean;
  sharing?: boolean;
  proxy?: boolean;
  verified?: boolean;
}

/** All points at most `radius` metres from the centre, on the sphere. */
export interface CircleShape {
  type: "circle";
  center: Coordinate;
  radius: number;
}

/** Even-odd inside of a ring of [longitude, latitude] pairs, first and last equal or not. */
export interface PolygonShape {
  type: "polygon";
  ring: Ring;
  center: Coordinate;
  /** Radius of a circle around `center` that holds the ring [m]; see `ringReach`. */
  reach: number;
  /** How the customer made it; absent = drawn. */
  kind?: "isochrone";
}

export type FenceShape = CircleShape | PolygonShape;

export type Weekday = "Mon" | "Tue" | "Wed" | "Thu" | "Fri" | "Sat" | "Sun";

/** Spans of local time per weekday, "HH:MM" to "HH:MM"; an end before its start lies on the next day. No entry = closed. */
export type OperatingHours = Readonly<Partial<Record<Weekday, readonly (readonly [from: string, to: string])[]>>>;

/** What a visitor's record keeps of a geofence, and what an event shows of it. */
export interface FenceLabel {
  _id: string;
  tag?: string;
  externalId?: string;
  description?: string;
  metadata?: Metadata;
}

/** A geofence as the room needs it. */
export interface Fence extends Omit<FenceLabel, "_id"> {
  id: string;
  /** Any number that changes when the fence is edited (its updatedAt does); a visitor's label is renewed when it differs. */
  revision: number;
  shape: FenceShape;
  /** [min]; absent = the project's, 0 = off */
  dwellThreshold?: number;
  /** absent = the project's */
  stopDetection?: boolean;
  enabled: boolean;
  operatingHours?: OperatingHours;
  /** [ms] */
  disableAfter?: number;
  /** When not empty, the fence is there for these users only: userId, deviceId or _id. */
  userIds?: readonly string[];
}

/** A beacon as a user's record and an event show it. */
export interface BeaconLabel {
  _id: string;
  type: "ibeacon" | "eddystone";
  uuid?: string;
  major?: string;
  minor?: string;
  uid?: string;
  instance?: string;
  description: string;
  tag?: string;
  externalId?: string;
  enabled: boolean;
  metadata?: Metadata;
}

/** What the device's ears make of the project's beacons. */
export interface BeaconsAround {
  /** The enabled ones among those it hears, each once. */
  heard: readonly BeaconLabel[];
  /** Ids of those it was in range of that are switched off now: left without an event. */
  disabled: readonly string[];
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

/** A customer's journey, mostly to a geofence. One user makes one at a time. */
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
  /** By how much the arrival is late [min], negative when early; with `scheduledArrivalAt` and an ETA or arrival. */
  delay?: number;
  createdAt: number;
  updatedAt: number;
  startedAt?: number;
  approachingAt?: number;
  arrivedAt?: number;
  endedAt?: number;
  /** The userId it was made for. */
  userId?: string;
  /** The device and the user record that make it. */
  deviceId?: string;
  user?: string;
  /** Counts its changes. */
  version: number;
}

/** What is known of trips before an update is applied. */
export interface TripAround {
  /** A trip this user begins with the update. */
  adopted?: Trip;
  /** From the update's location to the destination of `trip`. */
  eta?: { trip: string; eta: Eta };
}

export const FRAUD_CHECKS = ["mocked", "jumped", "compromised", "inaccurate", "proxy", "sharing"] as const;
export type FraudCheck = (typeof FRAUD_CHECKS)[number];

/** The checks of the last update, and when each failed last [ms]. */
export interface FraudState {
  verified: boolean;
  failed: readonly FraudCheck[];
  lastFailed: Readonly<Partial<Record<FraudCheck, number>>>;
}

/** What the customer has decided about a user. */
export interface FraudFlags {
  bypassed?: boolean;
  blocked?: boolean;
}

export const REGION_KINDS = ["country", "state", "dma", "postalCode"] as const;
export type RegionKind = (typeof REGION_KINDS)[number];

export interface Region {
  _id: string;
  type: RegionKind;
  code: string;
  name: string;
  /** An emoji, countries only. */
  flag?: string;
}

/** The region of each kind at a point; an absent kind = the point lies in none. */
export type Regions = Readonly<Partial<Record<RegionKind, Region>>>;

export interface Chain {
  slug: string;
  name: string;
  externalId?: string;
  metadata?: Metadata;
}

export interface Place {
  _id: string;
  name: string;
  chain?: Chain;
  categories: readonly string[];
  location: Coordinate;
  /** Radius of the footprint around `location` [m]; absent = a point. */
  footprint?: number;
}

export const EVENT_TYPES = [
  "user.entered_geofence",
  "user.exited_geofence",
  "user.dwelled_in_geofence",
  "user.entered_place",
  "user.exited_place",
  "user.nearby_place_chain",
  "user.entered_region_country",
  "user.exited_region_country",
  "user.entered_region_state",
  "user.exited_region_state",
  "user.entered_region_dma",
  "user.exited_region_dma",
  "user.entered_region_postal_code",
  "user.exited_region_postal_code",
  "user.entered_beacon",
  "user.exited_beacon",
  "user.started_trip",
  "user.updated_trip",
  "user.approaching_trip_destination",
  "user.arrived_at_trip_destination",
  "user.arrived_at_wrong_trip_destination",
  "user.stopped_trip",
  "user.failed_fraud",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** What a project may switch. */
export interface TrackingSettings {
  /** Entry within `accuracy` of a fence, exit only when more than `accuracy` outside; off = the bare position decides. */
  bufferedEntries: boolean;
  /** Geofence entry only when stopped or in the foreground. */
  stopDetection: boolean;
  /** [min]; 0 = no dwell events unless a fence has its own threshold */
  dwellThreshold: number;
  /** A fix less accurate than this [m] is shown as the user's location but moves nobody into or out of anything. */
  accuracyLimit: number;
  regions: Readonly<Record<RegionKind, boolean>>;
  places: boolean;
  beacons: boolean;
  /** Judge updates by the fraud checks. */
  fraud: boolean;
  /** Accuracy above which an update fails the check `inaccurate` [m]. */
  fraudAccuracy: number;
  /** Which events are made; absent = all. Presence is kept either way. */
  eventTypes?: readonly EventType[];
}

export const DEFAULT_SETTINGS: TrackingSettings = {
  bufferedEntries: true,
  stopDetection: false,
  dwellThreshold: 0,
  accuracyLimit: 2000,
  regions: { country: true, state: true, dma: true, postalCode: true },
  places: true,
  beacons: true,
  fraud: false,
  fraudAccuracy: 1000,
};

/** What lies around the point of an update. */
export interface Surroundings {
  /**
   * A superset of all fences within `searchRadius` of the point, each once. What the device is inside of and is not here was
   * left behind or deleted; looking around some hundred metres more keeps a fence at the edge of the search from flapping.
   */
  fences: readonly Fence[];
  /** Ids of fences that were deleted since the device entered them; absent from `fences` says the same, but only of a good fix. */
  removed?: readonly string[];
  /** The place at the point; null = none; undefined = feature off or not known, which changes nothing. */
  place?: Place | null;
  /** For each chain the project watches, its nearest place near the point; undefined = feature off or not known. */
  nearbyChains?: readonly Place[];
  /** undefined = feature off or not known, which changes nothing. */
  regions?: Regions;
  /** IANA name at the point; operating hours are read on its clock. */
  timeZone?: string;
  /** undefined = the device does not listen, or the feature is off, which changes nothing. */
  beacons?: BeaconsAround;
  /** The project has beacons: its users show the list of those around, be it empty. */
  beaconsExist?: boolean;
  trip?: TripAround;
}

/** A fix to which later ones are compared: has the device moved at all? See `moved`. */
export interface Anchor {
  location: Coordinate;
  accuracy: number;
}

export interface FencePresence {
  fence: FenceLabel;
  revision: number;
  enteredAt: number;
  dwelled: boolean;
  /** The fix of an entry that came back from an exit without moving: this visit ends only with a move. */
  returned?: Anchor;
}

export interface PlacePresence {
  place: Place;
  enteredAt: number;
  /** The fix of the entry. */
  anchor: Anchor;
}

export interface BeaconPresence {
  beacon: BeaconLabel;
  enteredAt: number;
}

export interface RegionPresence {
  region: Region;
  enteredAt: number;
}

/** The last change of region of a kind: where it came from (null = from none) and the fix that made it. */
export interface RegionChange {
  from: string | null;
  anchor: Anchor;
}

export interface Segment {
  description: string;
  externalId: string;
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
  since: number;
  /** The fix that came near. */
  anchor: Anchor;
}

/** The last update, when it carried its own time: sent again, it gets the same answer. */
export interface LastUpdate {
  updatedAt: number;
  location: Coordinate;
  accuracy: number;
  foreground?: boolean;
  events: readonly TrackEvent[];
}

/** All that is known of one user: one combination of device and userId. Never changed in place; unchanged parts are shared. */
export interface UserState {
  _id: string;
  live: boolean;
  deviceId: string;
  userId?: string;
  createdAt: number;
  /** Time of the last location update, as shown. */
  updatedAt: number;
  /** Time of the newest point that counted; older points move nothing. */
  chronology: number;
  /** Number of events made so far. */
  seq: number;
  location: Coordinate;
  locationAccuracy: number;
  foreground?: boolean;
  stopped?: boolean;
  description?: string;
  metadata?: Metadata;
  deviceType?: string;
  deviceOS?: string;
  deviceMake?: string;
  deviceModel?: string;
  altitude?: number;
  speed?: number;
  course?: number;
  timeZone?: string;
  ip?: string;
  /** Groups the customer has put the user in. */
  segments?: readonly Segment[];
  /** Visits of places of chains, by slug. */
  chainVisits?: Readonly<Record<string, ChainVisits>>;
  /** By fence id, in the order of entry. */
  geofences: Readonly<Record<string, FencePresence>>;
  /** By fence id: the fix of an exit, for as long as the device may still stand there. */
  left: Readonly<Record<string, Anchor>>;
  place?: PlacePresence;
  regions: Readonly<Partial<Record<RegionKind, RegionPresence>>>;
  regionChanges: Readonly<Partial<Record<RegionKind, RegionChange>>>;
  /** By chain slug. */
  nearbyChains: Readonly<Record<string, ChainPresence>>;
  /** By beacon id, in the order of entry; absent = the project has none. */
  beacons?: Readonly<Record<string, BeaconPresence>>;
  /** The trip under way. */
  trip?: Trip;
  /** Id of the trip that ended last: a record of it that is behind must not begin it again. */
  endedTrip?: string;
  /** Absent = the project does not judge. */
  fraud?: FraudState;
  fraudFlags?: FraudFlags;
  last?: LastUpdate;
}

/** 3 = the accuracy circle lies completely inside, 2 = at least half of it, 1 = less. For an exit: outside. */
export type Confidence = 1 | 2 | 3;

export interface TrackEvent {
  /** The user's _id and eight hex digits of its sequence number: the same event has the same id however often it is sent. */
  _id: string;
  /** An EventType, or the name of a conversion. */
  type: string;
  live: boolean;
  /** When it happened, on the clock of the update [ms]. */
  createdAt: number;
  /** When it was made, on the server's clock [ms]. */
  actualCreatedAt: number;
  user: { _id: string; deviceId: string; userId?: string; metadata?: Metadata };
  /** Absent: a conversion of a user who has never been located. */
  location?: Coordinate;
  locationAccuracy?: number;
  confidence: Confidence;
  geofence?: FenceLabel;
  place?: Place;
  region?: Region;
  beacon?: BeaconLabel;
  trip?: Trip;
  /** The checks that failed. */
  fraud?: FraudState;
  /** Of a conversion. */
  metadata?: Metadata;
  /** Whether a person or client found it true: 1 yes, -1 no, 0 unknown. */
  verification?: -1 | 0 | 1;
  verifiedPlaceId?: string;
  /** Exits: time since the entry [min]. */
  duration?: number;
  replayed?: boolean;
}

/** Who the user is when the room has never seen it. */
export interface Identity {
  _id: string;
  live: boolean;
  /** Events made under this _id before there was a location: conversions. */
  seq?: number;
}

/** What an update made of a state. */
export interface Outcome {
  /** The very same object when nothing changed: nothing to write. */
  state: UserState;
  events: readonly TrackEvent[];
  /** Trips as the update left them, each that it changed. */
  trips: readonly Trip[];
  /** This update was answered before; its events are not new. */
  repeated: boolean;
}
