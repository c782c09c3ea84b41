import { BoundedCache } from "../../core/geo/bounded-cache.ts";

/**
 * Memory of one isolate for cached geodata [bytes]: addresses, places, roads, map tiles, raw and decoded together, so
 * that the most used data gets the space. It includes the working memory of road searches (`BoundedCache.claim`). The
 * isolate has 128 MB for everything: 27 are used before the first request (the code and its source, H3), 10 more once
 * all code has run (optimized code, image drawing), and each request needs its own. `npm run bench -- roads-memory`
 * shows the usage.
 */
export const ISOLATE_CACHE_BYTES = 52 * 1024 * 1024;

export const isolateCache = new BoundedCache(ISOLATE_CACHE_BYTES);

/**
 * Sets how much may be cached, where isolates have other limits than on Cloudflare (GEODATA_CACHE_MB, src/worker/platform/env.ts).
 * @param megabytes undefined: as much as on Cloudflare
 */
export function setCacheSize(megabytes: string | undefined): void {
  const size = Number(megabytes) * 1024 * 1024;
  isolateCache.setLimit(size > 0 ? size : ISOLATE_CACHE_BYTES);
}

/** Memory in use, for metrics. */
export function cacheBytes(): { used: number; limit: number } {
  return { used: isolateCache.weight, limit: isolateCache.limit };
}
