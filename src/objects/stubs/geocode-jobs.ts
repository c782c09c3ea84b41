import type { Env } from "../../env.ts";
import type { GeocodeJobsObject } from "../geocode-jobs-object.ts";
import type { Remote } from "./remote.ts";

type Calls = "create" | "add" | "start" | "jobs" | "job" | "cancel" | "remove" | "result";

/** The jobs of a scope. */
export function geocodeJobsOf(env: Env, scope: number): Remote<GeocodeJobsObject, Calls> {
  const { GEOCODE_JOBS } = env;
  return GEOCODE_JOBS.get(GEOCODE_JOBS.idFromName(`${scope}`)) as never;
}
