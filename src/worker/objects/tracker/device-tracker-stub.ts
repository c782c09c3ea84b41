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
      | "meet"
      | "meetingFix"
      | "meetsIn"
      | "meetingCells"
      | "setSegments"
      | "setFraudFlags"
      | "forget"
      | "engagement"
      | "reportOffline"
    )
  | ("lookForTrips" | "changeTrip" | "forgetTrip")
  | ("updates" | "timeline" | "lookBack" | "forgetUpdates");

type Tracker = Remote<DeviceTracker, Calls>;

/** The tracker of a device. */
export function deviceTrackerOf(env: Env, scope: number, deviceId: string): Tracker {
  return remoteObject(env, "DEVICE_TRACKER", `${scope}:${deviceId}`);
}
