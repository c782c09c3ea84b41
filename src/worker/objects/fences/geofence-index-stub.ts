import type { Env } from "../../platform/env.ts";
import { mended } from "../mended.ts";
import { type Remote, remoteObject } from "../remote.ts";
import type { GeofenceIndex } from "./geofence-index.ts";

type Index = Remote<GeofenceIndex, "at" | "near" | "search" | "neighbourhood" | "area" | "recover">;

/** The index of a scope's geofences. */
export function geofenceIndexOf(env: Env, scope: number): Index {
  const name = String(scope);
  const open = () => remoteObject<Index>(env.GEOFENCE_INDEX, name);
  return mended(env, { className: "GeofenceIndex", open, id: () => env.GEOFENCE_INDEX.idFromName(name).toString() });
}
