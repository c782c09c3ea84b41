import type { Env } from "../../platform/env.ts";
import { type Remote, remoteObject } from "../remote.ts";
import type { AlertWatch } from "./alert-watch.ts";

/** The deployment's only alert watch. */
export function alertWatchOf(env: Env): Remote<AlertWatch, "round" | "current" | "archived" | "archive"> {
  return remoteObject(env, "ALERT_WATCH", "deployment");
}
