/** Tracking options of the native SDKs, as the server sets them remotely. */
import TABLE from "./tracking-presets.json" with { type: "json" };

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

/**
 * The presets with the values of the SDKs: RadarTrackingOptions.swift (iOS, September 2026) and RadarTrackingOptions.kt
 * (Android). Some keys have different values on iOS and Android.
 */
const VALUES: Readonly<Record<Preset, { both: TrackingOptions; ios: TrackingOptions; android: TrackingOptions }>> =
  TABLE;

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
