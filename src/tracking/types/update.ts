import type { Coordinate } from "../../geo/coordinate.ts";
import type { DeviceReport } from "./device.ts";
import type { FraudClaims } from "./fraud.ts";
import type { Metadata } from "./metadata.ts";
import type { TripOptions } from "./trip.ts";

/** One location report of a device, validated by the endpoint. */
export interface LocationUpdate extends DeviceReport {
  deviceId: string;
  userId?: string;
  location: Coordinate;
  /** Radius of the circle in which the device is [m], greater than 0. */
  accuracy: number;
  description?: string;
  metadata?: Metadata;
  installId?: string;
  /** What woke the SDK, in its own words ("FOREGROUND_LOCATION"). */
  source?: string;
  altitude?: number;
  /** [m/s] */
  speed?: number;
  /** [degrees, clockwise from north] */
  course?: number;
  /** From the device's barometer [m]. */
  barometricAltitude?: number;
  /** What the device's motion sensors say, in the SDK's own words ("foot", "car"). */
  activityType?: string;
  /** Tags of the user; absent = as before. */
  userTags?: readonly string[];
  /** When the device was there, by its own clock [ms]; absent = now. */
  updatedAt?: number;
  /** The client could not send it earlier. */
  replayed: boolean;
  ip?: string;
  /** IANA name, as the device has it set. */
  timeZone?: string;
  /**
   * Signals of all beacons the device ranges now (`signalOf`); absent = it reports no ranging, which changes nothing.
   */
  beacons?: readonly string[];
  /** The trip the device says it is on. */
  tripOptions?: TripOptions;
  /** What the client, or the platform for its connection, reports for the fraud checks. */
  claims?: FraudClaims;
  /** Server time [ms]. */
  receivedAt: number;
}
