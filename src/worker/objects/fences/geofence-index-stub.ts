import type { Env } from "../../platform/env.ts";
import type { Remote } from "../remote.ts";
import type { GeofenceIndex } from "./geofence-index.ts";

/** The index of a scope's geofences. */
export function geofenceIndexOf(
  env: Env,
  scope: number,
): Remote<GeofenceIndex, "at" | "near" | "search" | "neighbourhood" | "area" | "recover"> {
  const { GEOFENCE_INDEX } = env;
  return GEOFENCE_INDEX.get(GEOFENCE_INDEX.idFromName(String(scope))) as never;
}
