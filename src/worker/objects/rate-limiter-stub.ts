import type { Grant } from "../../core/limits/token-bucket.ts";
import type { Env } from "../platform/env.ts";
import { CALLS, callMain, type LimitCall } from "../platform/processes.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import { type Remote, remoteObject } from "./remote.ts";

/** How long a helper process waits for a busy main one [ms]; then it counts alone. */
const PATIENCE_MS = 3000;

/** The counter of a scope and an endpoint. */
export function rateLimiterOf(env: Env, counter: string): Remote<RateLimiter, "take" | "takeHourly"> {
  return env.MAIN ? limiterOfMain(env, counter) : remoteObject(env, "RATE_LIMITER", counter);
}

/** The same in a helper process. Hourly counters are those of updates, which the main process answers. */
function limiterOfMain(env: Env, counter: string): Remote<RateLimiter, "take" | "takeHourly"> {
  const { JURISDICTION: jurisdiction } = env;
  return {
    take(rate, wanted, returned = 0) {
      const call: LimitCall = { counter, jurisdiction, rate, wanted, returned };
      return callMain<Grant>(env, CALLS.limit, call, AbortSignal.timeout(PATIENCE_MS));
    },
    takeHourly: () => Promise.reject(new Error("A helper process has no hourly counters.")),
  };
}
