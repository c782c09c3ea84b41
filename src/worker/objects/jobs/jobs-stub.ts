import type { Env } from "../../platform/env.ts";
import { type Remote, remoteObject } from "../remote.ts";
import type { JobsObject } from "./jobs-object.ts";

type Calls = "recover" | "create" | "add" | "start" | "jobs" | "job" | "cancel" | "remove" | "result";

/** Long routing queries of a scope. They don't wait for its files. */
export function routeJobsOf(env: Env, scope: number): Remote<JobsObject, Calls> {
  return remoteObject(env, "GEOCODE_JOBS", `${scope}:routes`);
}

/** The scope's files to be geocoded. */
export function geocodeJobsOf(env: Env, scope: number): Remote<JobsObject, Calls> {
  return remoteObject(env, "GEOCODE_JOBS", `${scope}`);
}
