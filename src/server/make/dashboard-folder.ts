import { mkdirSync } from "node:fs";
import { DASHBOARD } from "./build-dashboard.ts";

/**
 * Creates the dashboard's build folder if it is missing, because wrangler and workerd don't start without it. If it is
 * empty, the Worker runs without a dashboard and reports this.
 */
export function ensureDashboardFolder(): void {
  mkdirSync(DASHBOARD, { recursive: true });
}
