import type { Env } from "../../platform/env.ts";
import { CALLS, callMain, type FencesCall } from "../../platform/processes.ts";
import { type Remote, remoteObject } from "../remote.ts";
import type { GeofenceIndex } from "./geofence-index.ts";

type Index = Remote<GeofenceIndex, "at" | "near" | "search" | "neighbourhood" | "area" | "recover">;

/** The index of a scope's geofences. */
export function geofenceIndexOf(env: Env, scope: number): Index {
  if (env.MAIN) return indexOfMain(env, scope);
  return remoteObject(env, "GEOFENCE_INDEX", String(scope));
}

/** The same in a helper process, with what its endpoints ask: values that JSON holds. */
function indexOfMain(env: Env, scope: number): Index {
  const ask = <T>(method: FencesCall["method"], parameters: readonly unknown[]) => {
    const call: FencesCall = { jurisdiction: env.JURISDICTION, scope, method, parameters };
    return callMain<T>(env, CALLS.fences, call);
  };
  const refused = () => Promise.reject(new Error("Only the main process has this of an index of geofences."));
  const asked: Pick<Index, FencesCall["method"]> = {
    at: (...parameters) => ask("at", parameters),
    area: (...parameters) => ask("area", parameters),
  };
  return { near: refused, search: refused, neighbourhood: refused, recover: refused, ...asked };
}

/** The response to a helper's question. */
export const answerFences = (env: Env, { scope, method, parameters }: FencesCall): Promise<unknown> =>
  (geofenceIndexOf(env, scope)[method] as (...all: readonly unknown[]) => Promise<unknown>)(...parameters);
