import type { Coordinate } from "../../geo/coordinate.ts";
import type { Ring } from "../../geo/shapes/polygon.ts";
import type { Metadata } from "./metadata.ts";

/** All points at most `radius` metres from the centre, on the sphere. */
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
  /** Radius of a circle around `center` that holds the ring [m]; see `ringReach`. */
  reach: number;
  /** How the customer made it; absent = drawn. */
  kind?: "isochrone";
  /** Of an isochrone: travel time to its edge [min]. */
  minutes?: number;
}

export type FenceShape = CircleShape | PolygonShape;

export type Weekday = "Mon" | "Tue" | "Wed" | "Thu" | "Fri" | "Sat" | "Sun";

/**
 * Spans of local time per weekday, "HH:MM" to "HH:MM"; an end before its start lies on the next day. No entry = closed.
 */
export type OperatingHours = Readonly<Partial<Record<Weekday, readonly (readonly [from: string, to: string])[]>>>;

/** What a user's record and an event keep of a geofence: not the ring, which may have 2,000 corners. */
export interface FenceLabel {
  _id: string;
  tag?: string;
  externalId?: string;
  description?: string;
  metadata?: Metadata;
  /** Absent in labels of earlier releases, as are those below; the next update renews them. */
  type?: "circle" | "polygon" | "isochrone";
  center?: Coordinate;
  /** [m]; of an isochrone [min] */
  radius?: number;
  /** The fence's own settings, where it has them. */
  operatingHours?: OperatingHours;
  dwellThreshold?: number;
  stopDetection?: boolean;
}

/** A geofence as tracking needs it. */
export interface Fence extends Pick<FenceLabel, "tag" | "externalId" | "description" | "metadata"> {
  id: string;
  /** Any number that changes when the fence is edited. When it differs, the label of a user inside is updated. */
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
  /** When not empty, the fence applies to these users only: userId, deviceId or _id. */
  userIds?: readonly string[];
}
