import { mkdirSync } from "node:fs";
import { DASHBOARD } from "./build-dashboard.ts";

/**
 * Makes the folder of the dashboard's build where it is missing, as wrangler and workerd refuse to start without. Empty, it is
 * a Worker without a dashboard, which says so.
 */
export function ensureDashboardFolder(): void {
  mkdirSync(DASHBOARD, { recursive: true });
}
