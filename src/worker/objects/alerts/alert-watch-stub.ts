import type { Env } from "../../platform/env.ts";
import { type Remote, remoteObject } from "../remote.ts";
import type { AlertWatch } from "./alert-watch.ts";

/** The deployment's only alert watch. */
export function alertWatchOf({ ALERT_WATCH }: Env): Remote<AlertWatch, "round" | "current" | "archived" | "archive"> {
  return remoteObject(ALERT_WATCH, "deployment");
}
