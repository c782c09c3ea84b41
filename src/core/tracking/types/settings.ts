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
