import type { Env } from "../../platform/env.ts";
import { type Remote, remoteObject } from "../remote.ts";
import type { DeviceTracker } from "./device-tracker.ts";

type Calls =
  | (
      | "track"
      | "recover"
      | "sendPosition"
      | "replay"
      | "lastKnown"
      | "deliver"
      | "forgetEvent"
      | "convert"
      | "user"
      | "setSegments"
      | "setFraudFlags"
      | "forget"
      | "engagement"
      | "reportOffline"
    )
  | ("lookForTrips" | "changeTrip" | "forgetTrip")
  | ("updates" | "lookBack" | "forgetUpdates");

/** The tracker of a device. */
export function deviceTrackerOf(env: Env, scope: number, deviceId: string): Remote<DeviceTracker, Calls> {
  return remoteObject(env.DEVICE_TRACKER, `${scope}:${deviceId}`);
}
