import { ByteCache } from "./byte-cache.ts";

/**
 * What one isolate keeps of geodata [bytes]: addresses, places, roads, map tiles, raw and decoded together, so that whatever
 * is asked for most has the room. The isolate has 128 MB for everything; code and tables take about 20 of them, a search of
 * the roads some 10, images in the making as much again.
 */
export const ISOLATE_CACHE_BYTES = 60 * 1024 * 1024;

export const isolateCache = new ByteCache(ISOLATE_CACHE_BYTES);
