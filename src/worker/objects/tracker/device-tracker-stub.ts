import { usersOfDevice } from "../../db/customers/users.ts";
import { envOf } from "../../db/databases.ts";
import type { Env } from "../../platform/env.ts";
import { mended } from "../mended.ts";
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
      | "meetingCells"
      | "setSegments"
      | "setFraudFlags"
      | "forget"
      | "engagement"
      | "reportOffline"
    )
  | ("lookForTrips" | "changeTrip" | "forgetTrip")
  | ("updates" | "timeline" | "lookBack" | "forgetUpdates" | "adopt");

type Tracker = Remote<DeviceTracker, Calls>;

/** The tracker of a device. */
export function deviceTrackerOf(env: Env, scope: number, deviceId: string): Tracker {
  const name = `${scope}:${deviceId}`;
  const open = () => remoteObject<Tracker>(env.DEVICE_TRACKER, name);
  return mended(env, {
    ...{ className: "DeviceTracker", open, id: () => env.DEVICE_TRACKER.idFromName(name).toString() },
    /** As the database has its users: read before the file is set aside, so that a failure changes nothing. */
    async rebuild(begin) {
      const users = await usersOfDevice((await envOf(env, scope)).DB, scope, deviceId);
      if (!(await begin())) return false;
      await open().adopt(scope, users);
      console.warn(JSON.stringify({ what: "rebuilt", class: "DeviceTracker", scope, users: users.length }));
      return true;
    },
  });
}
