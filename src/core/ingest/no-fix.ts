/** What a position that is none says. */
export const NO_FIX_RULE =
  "0, 0 is what apps send without a position. Ignored, unless the project's setting tracking.acceptZeros is true.";

/** Whether a position is the one that apps send while they have none: exactly 0, 0, in the Gulf of Guinea. */
export function isNoFix(
  { latitude, longitude }: { latitude: number; longitude: number },
  { acceptZeros = false }: { acceptZeros?: boolean },
): boolean {
  return latitude === 0 && longitude === 0 && !acceptZeros;
}

/**
 * An altitude [m]; undefined if it is unknown: exactly -1, or with a negative vertical accuracy (CoreLocation, CLLocation.verticalAccuracy:
 * then the altitude is invalid). Other negative altitudes are below the sea.
 */
export function knownAltitude(altitude: number | undefined, verticalAccuracy?: unknown): number | undefined {
  return altitude === -1 || Number(verticalAccuracy) < 0 ? undefined : altitude;
}
