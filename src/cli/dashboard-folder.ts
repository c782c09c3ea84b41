import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./wrangler.ts";

/** Where the dashboard's build lies (wrangler.toml, [assets]). */
export const DASHBOARD_FOLDER = join(ROOT, "dist/dashboard");

/**
 * Makes the folder where it is missing, as wrangler and workerd refuse to start without. Empty, it is a Worker without a
 * dashboard, which says so.
 */
export function ensureDashboardFolder(): void {
  mkdirSync(DASHBOARD_FOLDER, { recursive: true });
}
