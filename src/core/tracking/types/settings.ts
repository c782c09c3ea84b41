import type { EventType } from "./event.ts";
import type { RegionKind } from "./surroundings.ts";

/** A project's tracking settings. */
export interface TrackingSettings {
  /**
   * Entry within `accuracy` of a fence, exit only when more than `accuracy` outside; off = the bare position decides.
   */
  bufferedEntries: boolean;
  /** Geofence entry only when stopped or in the foreground. */
  stopDetection: boolean;
  /** [min]; 0 = no dwell events unless a fence has its own threshold */
  dwellThreshold: number;
  /** A fix less accurate than this [m] is shown as the user's location, but causes no entries or exits. */
  accuracyLimit: number;
  /** Positions at exactly 0, 0, and accuracies of 0 from apps, are positions; absent = they are ignored. */
  acceptZeros?: boolean;
  /** A geofence or place is exited by the first update outside at least this long after the first one outside [s]; absent or 0 = by that. */
  exitDelay?: number;
  regions: Readonly<Record<RegionKind, boolean>>;
  places: boolean;
  beacons: boolean;
  /** Learn stays, home and work of users; absent = no. */
  insights?: boolean;
  /** Compare speeds with the limits of roads; absent = no. */
  speedLimits?: boolean;
  /** An excess up to the larger of both is tolerated [km/h, percent of the limit]; absent = 10 each. */
  speedTolerance?: number;
  speedTolerancePercent?: number;
  /** An excess lasts at least this long [s]; absent = 10. */
  speedSeconds?: number;
  /** The user of a trip has left its route farther than this, and its accuracy, from it [m]; absent or 0 = off. */
  routeTolerance?: number;
  /** A user at one place for this long idles [min]; absent or 0 = off. */
  idling?: number;
  /** … unless it is in a geofence with one of these tags. */
  idlingExemptTags?: readonly string[];
  /** Run the fraud checks on updates. */
  fraud: boolean;
  /** Accuracy above which an update fails the check `inaccurate` [m]. */
  fraudAccuracy: number;
  /** Which events are generated; absent = all. Presences are stored either way. */
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
