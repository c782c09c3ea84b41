import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Where the token is: only the user of the server can read it. */
const fileIn = (state: string): string => join(state, "metrics-token");

/**
 * The token of GET /metrics of a server on this machine, where the operator sets none (METRICS_TOKEN). A process on the machine reads the file; no
 * address or header would prove that a caller is one, as a proxy on the machine forwards those of others.
 */
export function metricsToken(state: string): string {
  if (process.env.METRICS_TOKEN) return process.env.METRICS_TOKEN;
  const file = fileIn(state);
  if (!existsSync(file)) writeFileSync(file, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600 });
  return readFileSync(file, "utf8").trim();
}
