import type { TrackingOptions } from "./tracking-options.ts";

/**
 * What tracking options cost a phone: location fixes and uploads per hour, which are its main consumers of energy. They
 * follow from the intervals as the SDKs' own comments state them (RadarTrackingOptions.h and .kt): 0 shuts the location
 * services down in that state, and the sync interval is the minimum time between two uploads.
 */
export interface BatteryCost {
  /** Upper limits: iOS and Android deliver less in the background. */
  moving: HourlyCost;
  stopped: HourlyCost;
  /** Wake-ups by the system, which cost little energy. */
  wakes: readonly Wake[];
  accuracy: string;
}

interface HourlyCost {
  fixes: number;
  uploads: number;
}

export type Wake = "stoppedGeofence" | "movingGeofence" | "visits" | "significantChanges" | "beacons";

/**
 * Apple: a significant change is 500 meters or more, "no more frequently than once every five minutes"
 * (startMonitoringSignificantLocationChanges, CLLocationManager).
 */
const SIGNIFICANT_CHANGES_PER_HOUR = 12;
/** A walk or ride in a town [m/h]: for geofences around a moving phone, each exit of which is a fix. */
const METRES_PER_HOUR = 5000;

export function batteryCost(options: TrackingOptions): BatteryCost {
  const { desiredMovingUpdateInterval = 0, desiredStoppedUpdateInterval = 0, desiredSyncInterval = 0 } = options;
  const { sync = "all", desiredAccuracy = "medium", movingGeofenceRadius = 0 } = options;
  const byTime = (interval: number) => (interval > 0 ? 3600 / interval : 0);
  const exits = options.useMovingGeofence && movingGeofenceRadius > 0 ? METRES_PER_HOUR / movingGeofenceRadius : 0;
  const changes = options.useSignificantLocationChanges ? SIGNIFICANT_CHANGES_PER_HOUR : 0;
  const movingFixes = Math.max(byTime(desiredMovingUpdateInterval), exits, changes);
  const stoppedFixes = byTime(desiredStoppedUpdateInterval);
  const uploads = (fixes: number) => Math.min(fixes, desiredSyncInterval > 0 ? 3600 / desiredSyncInterval : fixes);
  const wakes: Wake[] = [];
  if (options.useStoppedGeofence) wakes.push("stoppedGeofence");
  if (options.useMovingGeofence) wakes.push("movingGeofence");
  if (options.useVisits) wakes.push("visits");
  if (options.useSignificantLocationChanges) wakes.push("significantChanges");
  if (options.beacons) wakes.push("beacons");
  return {
    moving: { fixes: Math.round(movingFixes), uploads: sync === "all" ? Math.round(uploads(movingFixes)) : 0 },
    stopped: { fixes: Math.round(stoppedFixes), uploads: sync === "all" ? Math.round(uploads(stoppedFixes)) : 0 },
    wakes,
    accuracy: desiredAccuracy,
  };
}
