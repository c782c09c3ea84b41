import { BoundedCache } from "../geo/bounded-cache.ts";

/**
 * What one isolate keeps of geodata [bytes]: addresses, places, roads, map tiles, raw and decoded together, so that
 * whatever is used most gets the room; what searches of roads work in counts, too (`BoundedCache.claim`). The isolate has 128 MB for
 * everything: 27 are taken before the first request (the code and its source, H3), 10 more once all of it has run (code made faster,
 * what draws images), and a request on its way needs its own. `npm run bench -- roads-memory` shows what is in use.
 */
export const ISOLATE_CACHE_BYTES = 52 * 1024 * 1024;

export const isolateCache = new BoundedCache(ISOLATE_CACHE_BYTES);

/** How much of it is in use, for metrics. */
export function cacheBytes(): { used: number; limit: number } {
  return { used: isolateCache.weight, limit: isolateCache.limit };
}
