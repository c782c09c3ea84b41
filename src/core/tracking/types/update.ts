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
  /** The SDK's wakeup source, in its own terms ("FOREGROUND_LOCATION"). */
  source?: string;
  altitude?: number;
  /** [m/s] */
  speed?: number;
  /** [degrees, clockwise from north] */
  course?: number;
  /** From the device's barometer [m]. */
  barometricAltitude?: number;
  /** Activity from the device's motion sensors, in the SDK's terms ("foot", "car"). */
  activityType?: string;
  /** Tags of the user; absent = as before. */
  userTags?: readonly string[];
  /** When the device was there, by its own clock [ms]; absent = now. */
  updatedAt?: number;
  /** The client could not send it earlier. */
  replayed: boolean;
  ip?: string;
  /** IANA name, as set on the device. */
  timeZone?: string;
  /**
   * Signals of all beacons that the device ranges now (`signalOf`); absent = it reports no ranging, which changes
   * nothing.
   */
  beacons?: readonly string[];
  /** The trip that the device reports. */
  tripOptions?: TripOptions;
  /** Data for the fraud checks, from the client or from the platform's connection. */
  claims?: FraudClaims;
  /** Server time [ms]. */
  receivedAt: number;
}
