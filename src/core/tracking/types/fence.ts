import type { Coordinate } from "../../geo/coordinate.ts";
import type { Ring } from "../../geo/shapes/polygon.ts";
import type { Metadata } from "./metadata.ts";

/** All points at most `radius` meters from the center, on the sphere. */
export interface CircleShape {
  type: "circle";
  center: Coordinate;
  radius: number;
}

/**
 * The inside, by the even-odd rule, of a ring of [longitude, latitude] pairs; the first may be repeated as the last.
 */
export interface PolygonShape {
  type: "polygon";
  ring: Ring;
  center: Coordinate;
  /** Radius of a circle around `center` that contains the ring [m]; see `ringReach`. */
  reach: number;
  /** How the customer created it; absent = drawn. */
  kind?: "isochrone";
  /** Of an isochrone: travel time to its edge [min]. */
  minutes?: number;
}

export type FenceShape = CircleShape | PolygonShape;

export type Weekday = "Mon" | "Tue" | "Wed" | "Thu" | "Fri" | "Sat" | "Sun";

/**
 * Spans of local time per weekday, "HH:MM" to "HH:MM"; an end before its start is on the next day. No entry = closed.
 */
export type OperatingHours = Readonly<Partial<Record<Weekday, readonly (readonly [from: string, to: string])[]>>>;

/** The fields of a geofence in a user's record and in an event: without the ring, which may have 2,000 corners. */
export interface FenceLabel {
  _id: string;
  tag?: string;
  externalId?: string;
  description?: string;
  metadata?: Metadata;
  /** Absent in labels of earlier releases, as are the fields below; the next update fills them in. */
  type?: "circle" | "polygon" | "isochrone";
  center?: Coordinate;
  /** [m]; of an isochrone [min] */
  radius?: number;
  /** The fence's own settings, if any. */
  operatingHours?: OperatingHours;
  dwellThreshold?: number;
  stopDetection?: boolean;
  /** [km/h] */
  speedLimit?: number;
}

/** The fields of a geofence needed for tracking. */
export interface Fence extends Pick<FenceLabel, "tag" | "externalId" | "description" | "metadata"> {
  id: string;
  /** Any number that changes when the fence is edited. If it differs, the label of a user inside is updated. */
  revision: number;
  shape: FenceShape;
  /** [min]; absent = the project's, 0 = off */
  dwellThreshold?: number;
  /** absent = the project's */
  stopDetection?: boolean;
  enabled: boolean;
  /** The limit inside, instead of that of the road [km/h]. */
  speedLimit?: number;
  operatingHours?: OperatingHours;
  /** [ms] */
  disableAfter?: number;
  /** If not empty, the fence applies only to these users: userId, deviceId or _id. */
  userIds?: readonly string[];
  /** If not empty, the fence applies only to users in one of these segments: external ids. */
  segments?: readonly string[];
}
