import { buildKey, type LiveBuild } from "../geo/manifest.ts";
import { SharedReads } from "../geo/shared-reads.ts";
import type { TileSource } from "../geo/tile-source.ts";
import { isolateCache as cache } from "./isolate-cache.ts";
import type { ObjectBucket } from "./object-bucket.ts";

/** What this isolate asked of R2 since it started; benches read the difference. */
export const r2Reads = { count: 0, bytes: 0 };

/** What an entry costs beside its bytes: its key, the map, the object around it. */
const OVERHEAD = 200;

const reads = new SharedReads();

type Range = { offset: number; length: number };

/**
 * The objects of one build in R2. They never change, so whatever was read once (even that there is nothing) is kept in the
 * isolate's memory until others need the room.
 */
export class BuildSource implements TileSource {
  readonly build: LiveBuild;
  readonly #bucket: ObjectBucket;

  constructor(bucket: ObjectBucket, build: LiveBuild) {
    this.#bucket = bucket;
    this.build = build;
  }

  has(layer: string): boolean {
    return this.build.layers[layer] !== undefined;
  }

  /** Reads without keeping: for callers that keep what they decode themselves. */
  fresh(): TileSource {
    return { read: (key, range) => this.#fetch(key, range) };
  }

  async read(key: string, range?: Range): Promise<Uint8Array | undefined> {
    const name = this.#name(key, range);
    const kept = cache.get(name);
    if (kept) return kept.value as Uint8Array | undefined;
    const bytes = await this.#fetch(key, range);
    cache.put(name, bytes, (bytes?.byteLength ?? 0) + OVERHEAD);
    return bytes;
  }

  /**
   * The object decoded, once per isolate as long as it stays in use; undefined when there is no such object. `weight` tells
   * how many bytes the decoded value holds, given the raw size (twice that when not given). The raw bytes are not kept.
   * Two decoders of one object need two names: `as`.
   */
  async cached<T>(
    key: string,
    decode: (bytes: Uint8Array) => T,
    options: { range?: Range; as?: string; weight?: (value: T, rawBytes: number) => number } = {},
  ): Promise<T | undefined> {
    const name = `${this.#name(key, options.range)}#${options.as ?? ""}`;
    const kept = cache.get(name);
    if (kept) return kept.value as T | undefined;
    const bytes = await this.#fetch(key, options.range);
    // Someone who waited for the same read may have decoded it by now.
    const meanwhile = cache.get(name);
    if (meanwhile) return meanwhile.value as T | undefined;
    const value = bytes && decode(bytes);
    const rawBytes = bytes?.byteLength ?? 0;
    const weight = value === undefined || !options.weight ? 2 * rawBytes : options.weight(value, rawBytes);
    cache.put(name, value, weight + OVERHEAD);
    return value;
  }

  #name(key: string, range?: Range): string {
    const whole = buildKey(this.build.id, key);
    return range ? `${whole}?${range.offset}+${range.length}` : whole;
  }

  #fetch(key: string, range?: Range): Promise<Uint8Array | undefined> {
    return reads.read(this.#name(key, range), async () => {
      r2Reads.count++;
      const object = await this.#bucket.get(buildKey(this.build.id, key), range && { range });
      if (!object?.arrayBuffer) return undefined;
      const bytes = new Uint8Array(await object.arrayBuffer());
      r2Reads.bytes += bytes.byteLength;
      return bytes;
    });
  }
}

/** Empties what this isolate keeps, so that a bench can measure a cold start. */
export function forgetGeodata(): void {
  cache.clear();
}
