import { DurableObject } from "cloudflare:workers";
import { fullHour, takeHourly } from "../../core/limits/hourly.ts";
import { fullBucket, type Grant, type TokenBucket, takeTokens } from "../../core/limits/token-bucket.ts";
import type { Env } from "../platform/env.ts";

/**
 * One object per counter (scope and endpoint): the bucket from which isolates borrow tokens. It exists only in
 * memory: by the time an idle object is evicted, its bucket would be full anyway.
 */
export class RateLimiter extends DurableObject<Env> {
  #bucket: TokenBucket | undefined;

  take(rate: number, wanted: number, returned = 0): Grant {
    const now = Date.now();
    this.#bucket ??= fullBucket(rate, now);
    return takeTokens(this.#bucket, rate, wanted, now, returned);
  }

  /** For hourly counters, which have separate objects. On disk, because an eviction after a short pause would refill them. */
  takeHourly(limit: number, wanted: number): Grant {
    const now = Date.now();
    const { kv } = this.ctx.storage;
    this.#bucket ??= kv.get<TokenBucket>("hour") ?? fullHour(limit, now);
    const grant = takeHourly(this.#bucket, limit, wanted, now);
    if (grant.granted > 0) kv.put("hour", this.#bucket);
    return grant;
  }
}
