import type { BeaconType } from "../../../core/tracking/types/surroundings.ts";

/**
 * The only type that the calling device ranges; undefined: both. iOS ranges no Eddystone, and rejects the whole list if one
 * beacon has no uuid, major and minor (RadarBeacon.swift, 2026).
 */
export function rangedBy(headers: Pick<Headers, "get">): BeaconType | undefined {
  const device = headers.get("x-radar-device-type");
  const isApple = device
    ? device.toLowerCase() === "ios"
    : /\b(?:iPhone|iPad|iPod|iOS|CFNetwork)\b/.test(headers.get("user-agent") ?? "");
  return isApple ? "ibeacon" : undefined;
}
