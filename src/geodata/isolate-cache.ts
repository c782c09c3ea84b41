import { BoundedCache } from "../geo/bounded-cache.ts";

/**
 * What one isolate keeps of geodata [bytes]: addresses, places, roads, map tiles, raw and decoded together, so that
 * whatever is used most gets the room. The isolate has 128 MB for everything: 18 are taken before the first request, 22
 * more once all that routes has run (code, tables, and what the largest matrix needs to search, which stays), and
 * images being drawn need some 10. `npm run bench -- roads-memory` shows what is in use.
 */
export const ISOLATE_CACHE_BYTES = 54 * 1024 * 1024;

export const isolateCache = new BoundedCache(ISOLATE_CACHE_BYTES);

/** How much of it is in use, for metrics. */
export function cacheBytes(): { used: number; limit: number } {
  return { used: isolateCache.weight, limit: isolateCache.limit };
}
