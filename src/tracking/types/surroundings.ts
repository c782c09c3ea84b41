import type { Coordinate } from "../../geo/coordinate.ts";
import type { Fence } from "./fence.ts";
import type { Metadata } from "./metadata.ts";
import type { TripAround } from "./trip.ts";

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

/** The region of each kind at a point; an absent kind = the point lies in none. */
export type Regions = Readonly<Partial<Record<RegionKind, Region>>>;

export interface Chain {
  slug: string;
  name: string;
  domain?: string;
  externalId?: string;
  metadata?: Metadata;
}

/** A place's address as it is shown; what is unknown is absent. */
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

/** What lies around the point of an update. */
export interface Surroundings {
  /**
   * A superset of all fences within `searchRadius` of the point, each once. What the device is inside of and is not here was
   * left behind or deleted; looking around some hundred metres more keeps a fence at the edge of the search from flapping.
   */
  fences: readonly Fence[];
  /** Ids of fences that were deleted since the device entered them; absent from `fences` says the same, but only of a good fix. */
  removed?: readonly string[];
  /** The place at the point; null = none; undefined = feature off or not known: then one is only left, by its distance. */
  place?: Place | null;
  /** Other places that the point is within reach of, nearest first: what an entry may have mistaken for `place`. */
  alternatePlaces?: readonly Place[];
  /** For each chain the project watches, its nearest place near the point; undefined = feature off or not known, as above. */
  nearbyChains?: readonly Place[];
  /** undefined = feature off or not known: then a region is left only by going far from where it was known last. */
  regions?: Regions;
  /** Kinds of which `regions` says nothing, as no data of theirs is around: absent there does not mean "in none". */
  unknownRegions?: readonly RegionKind[];
  /** IANA name at the point; operating hours are read on its clock. */
  timeZone?: string;
  /** undefined = the device does not range beacons, or the feature is off: then beacons are only left, by distance. */
  beacons?: BeaconsAround;
  /** The project has beacons: its users show the list of those around, be it empty. */
  beaconsExist?: boolean;
  trip?: TripAround;
}
