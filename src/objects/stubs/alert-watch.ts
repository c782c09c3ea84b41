import type { Env } from "../../env.ts";
import type { AlertWatch } from "../webhooks/alert-watch.ts";
import type { Remote } from "./remote.ts";

/** The one watch of the deployment. */
export function alertWatchOf({ ALERT_WATCH }: Env): Remote<AlertWatch, "round" | "current" | "archived" | "archive"> {
  return ALERT_WATCH.get(ALERT_WATCH.idFromName("deployment")) as never;
}
