import type { Env } from "../../platform/env.ts";
import { type Remote, remoteObject } from "../remote.ts";
import type { GeofenceIndex } from "./geofence-index.ts";

/** The index of a scope's geofences. */
export function geofenceIndexOf(
  env: Env,
  scope: number,
): Remote<GeofenceIndex, "at" | "near" | "search" | "neighbourhood" | "area" | "recover"> {
  return remoteObject(env.GEOFENCE_INDEX, String(scope));
}
