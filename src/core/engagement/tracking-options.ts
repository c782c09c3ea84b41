/** Tracking options of the native SDKs, as the server sets them remotely. */

export const PRESETS = ["responsive", "efficient", "continuous"] as const;
type Preset = (typeof PRESETS)[number];

/** The keys of `RadarTrackingOptions.dictionaryValue` (iOS) and `toJson` (Android); each SDK reads its own. */
export const OPTION_NUMBERS = [
  ...(["desiredStoppedUpdateInterval", "fastestStoppedUpdateInterval", "desiredMovingUpdateInterval"] as const),
  ...(["fastestMovingUpdateInterval", "desiredSyncInterval", "stopDuration", "stopDistance"] as const),
  ...(["stoppedGeofenceRadius", "movingGeofenceRadius", "syncGeofencesLimit", "rampUpRadius"] as const),
  ...(["batchInterval", "batchSize"] as const),
];
export const OPTION_FLAGS = [
  ...(["showBlueBar", "useStoppedGeofence", "useMovingGeofence", "syncGeofences", "useVisits"] as const),
  ...(["useSignificantLocationChanges", "beacons", "foregroundServiceEnabled"] as const),
  ...(["useIndoorScan", "useMotion", "usePressure"] as const),
];
export const OPTION_CHOICES = {
  desiredAccuracy: ["high", "medium", "low", "none"],
  sync: ["none", "stopsAndExits", "events", "all"],
  replay: ["none", "stops", "all"],
} as const;

export type TrackingOptions = Partial<
  Record<(typeof OPTION_NUMBERS)[number], number> &
    Record<(typeof OPTION_FLAGS)[number], boolean> &
    Record<keyof typeof OPTION_CHOICES | "startTrackingAfter" | "stopTrackingAfter" | "type", string>
>;

const COMMON: TrackingOptions = { syncGeofences: true, beacons: false, sync: "all" };
const STOPS: TrackingOptions = { ...COMMON, desiredAccuracy: "medium", replay: "stops", showBlueBar: false };

/**
 * The presets with the values of the SDKs: RadarTrackingOptions.swift (iOS, September 2026) and RadarTrackingOptions.kt
 * (Android). Some keys have different values on iOS and Android.
 */
const VALUES: Readonly<Record<Preset, { both: TrackingOptions; ios: TrackingOptions; android: TrackingOptions }>> = {
  continuous: {
    both: {
      ...COMMON,
      desiredStoppedUpdateInterval: 30,
      desiredMovingUpdateInterval: 30,
      desiredSyncInterval: 20,
      desiredAccuracy: "high",
      stopDuration: 140,
      stopDistance: 70,
      replay: "none",
      useStoppedGeofence: false,
      stoppedGeofenceRadius: 0,
      useMovingGeofence: false,
      movingGeofenceRadius: 0,
    },
    ios: { showBlueBar: true, useVisits: false, useSignificantLocationChanges: false },
    android: {
      fastestStoppedUpdateInterval: 30,
      fastestMovingUpdateInterval: 30,
      foregroundServiceEnabled: true,
      syncGeofencesLimit: 0,
    },
  },
  responsive: {
    both: {
      ...STOPS,
      desiredStoppedUpdateInterval: 0,
      desiredMovingUpdateInterval: 150,
      desiredSyncInterval: 20,
      stopDuration: 140,
      stopDistance: 70,
      useStoppedGeofence: true,
      stoppedGeofenceRadius: 100,
      useMovingGeofence: true,
      movingGeofenceRadius: 100,
    },
    ios: { useVisits: true, useSignificantLocationChanges: true },
    android: {
      fastestStoppedUpdateInterval: 0,
      fastestMovingUpdateInterval: 30,
      foregroundServiceEnabled: false,
      syncGeofencesLimit: 10,
    },
  },
  efficient: {
    both: {
      ...STOPS,
      useStoppedGeofence: false,
      stoppedGeofenceRadius: 0,
      useMovingGeofence: false,
      movingGeofenceRadius: 0,
    },
    ios: {
      desiredStoppedUpdateInterval: 0,
      desiredMovingUpdateInterval: 0,
      desiredSyncInterval: 0,
      stopDuration: 0,
      stopDistance: 0,
      useVisits: true,
      useSignificantLocationChanges: false,
    },
    android: {
      desiredStoppedUpdateInterval: 3600,
      fastestStoppedUpdateInterval: 1200,
      desiredMovingUpdateInterval: 1200,
      fastestMovingUpdateInterval: 360,
      desiredSyncInterval: 140,
      stopDuration: 140,
      stopDistance: 70,
      foregroundServiceEnabled: false,
      syncGeofencesLimit: 10,
    },
  },
};

export const REMOTE_TYPES = ["default", "inGeofence", "onTrip"] as const;

/** Options that the SDK uses in a situation: a preset, or a preset with changes. */
export interface RemoteOptions {
  type: (typeof REMOTE_TYPES)[number];
  trackingOptions: Preset | (TrackingOptions & { preset?: Preset });
  geofenceTags?: readonly string[];
}

/** How the SDKs name the situation within the options: with `sync: events`, they track on a trip unless it is "on-trip". */
const SITUATIONS = { default: "default", inGeofence: "in-geofence", onTrip: "on-trip" } as const;

/** The options of a situation as an SDK reads them. */
export function remoteOptions({ type, trackingOptions }: RemoteOptions, device: string | undefined): TrackingOptions {
  return { ...resolveOptions(trackingOptions, device), type: SITUATIONS[type] };
}

/** The complete options for a device. @param device "iOS" or "Android"; others get the keys of both, as iOS has them */
export function resolveOptions(given: RemoteOptions["trackingOptions"], device: string | undefined): TrackingOptions {
  const { preset, ...own } = typeof given === "string" ? { preset: given } : given;
  if (!preset) return own;
  const { both, ios, android } = VALUES[preset];
  const isAndroid = device?.toLowerCase() === "android";
  return { ...both, ...(isAndroid ? android : device === undefined ? { ...android, ...ios } : ios), ...own };
}

/**
 * The options of a user: in a geofence with one of the tags, else on a trip, else the default ones; undefined = the SDK
 * removes those set before.
 */
export function optionsFor(
  remote: readonly RemoteOptions[],
  tags: readonly (string | undefined)[],
  onTrip: boolean,
  device: string | undefined,
): TrackingOptions | undefined {
  const found =
    remote.find(
      ({ type, geofenceTags = [] }) =>
        type === "inGeofence" && tags.some((tag) => tag !== undefined && geofenceTags.includes(tag)),
    ) ??
    (onTrip ? remote.find(({ type }) => type === "onTrip") : undefined) ??
    remote.find(({ type }) => type === "default");
  return found && remoteOptions(found, device);
}
