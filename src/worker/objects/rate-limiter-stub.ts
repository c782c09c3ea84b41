import type { Env } from "../platform/env.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import { type Remote, remoteObject } from "./remote.ts";

/** The counter of a scope and an endpoint. */
export function rateLimiterOf(env: Env, counter: string): Remote<RateLimiter, "take" | "takeHourly"> {
  return remoteObject(env.RATE_LIMITER, counter);
}
