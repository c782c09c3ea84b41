import { rateLimitOf } from "../../../core/limits/table.ts";
import { commonDatabase } from "../../db/databases.ts";
import { rateLimiterOf } from "../../objects/rate-limiter-stub.ts";
import type { Call } from "./endpoint.ts";
import { count } from "./usage.ts";

/** The endpoint whose limit, in the table of limits, is that of rows of batches and jobs. */
export const BATCH_ROWS = "geocodeBatch";

/** The endpoint that a row is counted for. */
const ROW_ENDPOINTS = {
  forward: "forwardGeocode",
  reverse: "reverseGeocode",
  validate: "validateAddress",
} as const;

/** Number of a batch's rows that may run now: counted toward the scope's limit, and as calls of their endpoints. */
export async function takeRows(
  { env, caller, now, waitUntil }: Pick<Call, "env" | "caller" | "now" | "waitUntil">,
  kinds: readonly (keyof typeof ROW_ENDPOINTS | undefined)[],
): Promise<number> {
  const rate = rateLimitOf(BATCH_ROWS, caller.settings.rateLimits);
  const { granted } = await rateLimiterOf(env, `${caller.scope}:${BATCH_ROWS}:rows`).take(rate, kinds.length, 0);
  // Dashboard calls are not counted.
  if (caller.member) return granted;
  for (const [kind, endpoint] of Object.entries(ROW_ENDPOINTS)) {
    const calls = kinds.slice(0, granted).filter((one) => one === kind).length;
    const written = calls > 0 && count(commonDatabase(env), caller, endpoint, now, "calls", calls);
    if (written) waitUntil(written);
  }
  return granted;
}
