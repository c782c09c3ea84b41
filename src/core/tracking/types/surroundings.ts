import type { Coordinate } from "../../geo/coordinate.ts";
import type { RoadAround } from "./driving.ts";
import type { Fence } from "./fence.ts";
import type { Metadata } from "./metadata.ts";
import type { TripAround } from "./trip.ts";

export const BEACON_TYPES = ["ibeacon", "eddystone"] as const;
export type BeaconType = (typeof BEACON_TYPES)[number];

/** A beacon in a user's record and in an event. */
export interface BeaconLabel {
  _id: string;
  type: BeaconType;
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

/** The project's beacons among those whose signals the device ranges. */
export interface BeaconsAround {
  /** The enabled ones, each once. */
  ranged: readonly BeaconLabel[];
  /** Ids of beacons it was in range of that have been disabled since: left without an event. */
  disabled: readonly string[];
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

/** The region of each kind at a point; an absent kind = the point is in none. */
export type Regions = Readonly<Partial<Record<RegionKind, Region>>>;

export interface Chain {
  slug: string;
  name: string;
  domain?: string;
  externalId?: string;
  metadata?: Metadata;
}

/** A place's address for display; unknown parts are absent. */
export interface PlaceAddress {
  country?: string;
  countryCode?: string;
  countryFlag?: string;
  county?: string;
  borough?: string;
  city?: string;
  number?: string;
  neighborhood?: string;
  postalCode?: string;
  stateCode?: string;
  state?: string;
  street?: string;
  layer: string;
  formattedAddress: string;
  addressLabel: string;
  placeLabel: string;
  name: string;
}

export interface Place {
  _id: string;
  name: string;
  chain?: Chain;
  address?: PlaceAddress;
  categories: readonly string[];
  location: Coordinate;
  /** Radius of the footprint around `location` [m]; absent = a point. */
  footprint?: number;
}

/** The surroundings of an update's point. */
export interface Surroundings {
  /**
   * A superset of all fences within `searchRadius` of the point, each once. A fence that the device is inside, but that
   * is missing here, was left or deleted. Searching some hundred meters farther prevents flapping of fences at the edge
   * of the search.
   */
  fences: readonly Fence[];
  /**
   * Ids of fences known to be deleted: left even with a bad fix, which doesn't leave a fence that is only missing
   * above.
   */
  removed?: readonly string[];
  /**
   * The place at the point; null = none; undefined = feature disabled, or no data: then a place can only be left, by
   * distance.
   */
  place?: Place | null;
  /** Other places within reach of the point, nearest first: the user may be at one of them instead. */
  alternatePlaces?: readonly Place[];
  /** The nearest place of each chain watched by the project, if near; undefined = feature disabled, or no data. */
  nearbyChains?: readonly Place[];
  /** undefined = feature disabled, or no data: then a region is only left far from its last known point. */
  regions?: Regions;
  /** There may be data here, but it could not be read: then no region is left, and the next update catches up. */
  unread?: true;
  /** Kinds without data here: their absence in `regions` doesn't mean that the point is in none. */
  unknownRegions?: readonly RegionKind[];
  /** IANA name at the point; operating hours use its local time. */
  timeZone?: string;
  /**
   * undefined = the device doesn't range beacons, or the feature is disabled: then beacons are only left, by distance.
   */
  beacons?: BeaconsAround;
  /** The project has beacons: its users have a list of those in range, even if it is empty. */
  beaconsExist?: boolean;
  /** The history has an update of this time, location and accuracy. Only looked up for an update that is not later than the newest. */
  isResent?: true;
  /** External ids of the computed segments that the user is in before the update; absent = the project has none. */
  segments?: readonly string[];
  trip?: TripAround;
  /** The road under the update; undefined = not looked up, or the last positions fit none. */
  road?: RoadAround;
}
