import type { Env } from "../platform/env.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import type { Remote } from "./remote.ts";

/** The counter of a scope and an endpoint. */
export function rateLimiterOf(env: Env, counter: string): Remote<RateLimiter, "take" | "takeHourly"> {
  const { RATE_LIMITER } = env;
  return RATE_LIMITER.get(RATE_LIMITER.idFromName(counter)) as never;
}
