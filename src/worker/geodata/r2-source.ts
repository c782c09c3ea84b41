import { buildKey, type LiveBuild } from "../../core/geo/builds/manifest.ts";
import { SEAL, unseal } from "../../core/geo/builds/sealed.ts";
import { SharedReads } from "../../core/geo/builds/shared-reads.ts";
import {
  type DecodedSource,
  type DecodeOptions,
  isMissed,
  type TileSource,
  UnreadableObject,
} from "../../core/geo/builds/tile-source.ts";
import { BucketAway } from "./bucket-away.ts";
import { cacheFiguresOf } from "./cache-figures.ts";
import { DamagedObjects } from "./damaged-objects.ts";
import { isolateCache as cache } from "./isolate-cache.ts";
import type { ObjectBucket } from "./object-bucket.ts";
import { PageReader } from "./page-reader.ts";
import { r2Reads } from "./r2-reads.ts";

export { r2Reads };

/** Memory of an entry in addition to its bytes: its key, the map, the object around it. */
const OVERHEAD = 200;
/** An absent object that may or may not exist is looked up again after this long [ms]. */
const ABSENT_FOR_MS = 8000;
/** How often an object is read before it is considered damaged: an error in transit must not count. */
const ATTEMPTS = 2;

const reads = new SharedReads();
const damaged = new DamagedObjects();

type Range = { offset: number; length: number };

/** Cached in place of a value if there is no object. */
class Absent {
  /** [ms since 1970] */
  readonly until: number;
  constructor(until: number) {
    this.until = until;
  }
}

/**
 * The objects of one build in R2. They never change, so each object is cached in the isolate's memory until others need
 * the space. In a checksummed build (geo/builds/sealed.ts), every object is verified when it is read. A damaged or
 * missing object is read once more, is never cached, and throws UnreadableObject: for some seconds without another
 * read, so that it costs few reads while it lasts, and a repair takes effect soon.
 */
export class BuildSource implements TileSource, DecodedSource {
  readonly build: LiveBuild;
  /** The pages of the latest list: data of this build that they contain needs no separate read. */
  pages: PageReader;
  readonly #bucket: ObjectBucket;

  constructor(bucket: ObjectBucket, build: LiveBuild, pages = new PageReader(bucket)) {
    this.#bucket = bucket;
    this.build = build;
    this.pages = pages;
  }

  get hasLists(): boolean {
    return this.build.checksum !== undefined;
  }

  has(layer: string): boolean {
    return this.build.layers[layer] !== undefined;
  }

  /** Reads without caching: for callers that cache the decoded data themselves. */
  fresh(): TileSource {
    return {
      read: async (key, range) => (await this.#shared(this.#name(key, range), key, (bytes) => bytes, { range })).value,
    };
  }

  /** @throws UnreadableObject */
  read(key: string, range?: Range): Promise<Uint8Array | undefined> {
    return this.cached(key, (bytes) => bytes, { range, as: "bytes", weight: (_, rawBytes) => rawBytes });
  }

  /**
   * The decoded object, once per isolate as long as it stays in use; undefined if there is no such object. `weight`
   * returns the memory size of the decoded value from the raw size (default: twice that). The raw bytes are not cached.
   * Two decoders of one object need two names: `as`.
   * @throws UnreadableObject if it is damaged, can't be decoded, or is missing and `required`
   */
  async cached<T>(
    key: string,
    decode: (bytes: Uint8Array) => T,
    options: DecodeOptions<T> & { range?: Range; as?: string } = {},
  ): Promise<T | undefined> {
    const name = `${this.#name(key, options.range)}#${options.as ?? ""}`;
    const kept = cache.get(name);
    const figures = cacheFiguresOf(layerIn(key));
    const absent = kept?.value instanceof Absent ? kept.value : undefined;
    if (kept && (!absent || Date.now() < absent.until)) {
      figures.hits++;
      return absent ? undefined : (kept.value as T);
    }
    figures.misses++;
    const { value, rawBytes, known } = await this.#shared(name, key, decode, options);
    // If another request waited for the same read, the value is cached meanwhile.
    const meanwhile = cache.get(name);
    if (meanwhile && !(meanwhile.value instanceof Absent)) return meanwhile.value as T;
    if (value === undefined) {
      // If the build itself lists it as absent, that is permanent.
      const until = known ? Number.POSITIVE_INFINITY : Date.now() + ABSENT_FOR_MS;
      cache.put(name, new Absent(until), OVERHEAD);
    } else {
      cache.put(name, value, (options.weight ? options.weight(value, rawBytes) : 2 * rawBytes) + OVERHEAD);
    }
    return value;
  }

  /**
   * Processes an object that is read by ranges and verifies itself piece by piece, as gzip does. A failure is retried
   * once, bypassing every cache. `piece` distinguishes requests for parts of the object.
   * @throws UnreadableObject
   */
  async checked<T>(key: string, piece: string, work: (source: TileSource) => Promise<T>): Promise<T> {
    const name = `${this.#name(key)}#${piece}`;
    const read: string[] = [];
    const asKept: TileSource = {
      read: (other, range) => {
        read.push(`${this.#name(other, range)}#bytes`);
        return this.read(other, range);
      },
    };
    const fresh: TileSource = { read: (other, range) => this.#fetch(other, range) };
    let source = asKept;
    return this.#attempts(name, () => {
      const now = source;
      source = fresh;
      // Data that failed its check must not be cached.
      return work(now).catch((error: unknown) => {
        for (const one of read) cache.delete(one);
        throw error;
      });
    });
  }

  #name(key: string, range?: Range): string {
    const whole = buildKey(this.build.id, key);
    return range ? `${whole}?${range.offset}+${range.length}` : whole;
  }

  /** One read and one decoding for all concurrent requests for the same object. */
  #shared<T>(
    name: string,
    key: string,
    decode: (bytes: Uint8Array) => T,
    { range, required }: Pick<DecodeOptions<T>, "required"> & { range?: Range },
  ): Promise<{ value: T | undefined; rawBytes: number; known: boolean }> {
    return reads.read(name, () =>
      this.#attempts(this.#name(key, range), async (attempt) => {
        // The copy in a page is tried once; then the object itself is read.
        const paged = range || attempt > 1 ? undefined : await this.pages.find(this.build.id, key);
        const bytes = paged ? paged.bytes : await this.#fetch(key, range);
        if (bytes) return { value: decode(bytes), rawBytes: bytes.byteLength, known: true };
        const missed = await isMissed({ required });
        if (missed) throw new Error("it is missing");
        return { value: undefined, rawBytes: 0, known: missed === false };
      }),
    );
  }

  async #attempts<T>(name: string, work: (attempt: number) => Promise<T>): Promise<T> {
    damaged.refuse(name);
    for (let attempt = 1; ; attempt++) {
      try {
        return await work(attempt);
      } catch (error) {
        // A bucket that doesn't respond says nothing about the object; and damage of another object is passed on.
        if (error instanceof BucketAway || error instanceof UnreadableObject) throw error;
        if (attempt === ATTEMPTS) throw damaged.add(name, error instanceof Error ? error.message : String(error));
      }
    }
  }

  async #fetch(key: string, range?: Range): Promise<Uint8Array | undefined> {
    r2Reads.count++;
    let bytes: Uint8Array;
    try {
      const object = await this.#bucket.get(buildKey(this.build.id, key), range && { range });
      if (!object?.arrayBuffer) return undefined;
      bytes = new Uint8Array(await object.arrayBuffer());
    } catch (error) {
      // R2 returns 10039 if a range begins after the end.
      if (range && /\b10039\b|range/i.test(String(error))) throw new Error("it is cut short");
      throw new BucketAway(key, error);
    }
    r2Reads.bytes += bytes.byteLength;
    // The first read of an archive may request more than there is.
    if (range && range.offset > 0 && bytes.byteLength < range.length) throw new Error("it is cut short");
    if (range || this.build.checksum !== SEAL) return bytes;
    const content = unseal(bytes);
    if (!content) throw new Error("its checksum does not fit");
    return content;
  }
}

/** "regions/5-3.bin" → "regions" */
function layerIn(key: string): string {
  const end = key.indexOf("/");
  return end < 0 ? "build" : key.slice(0, end);
}

/** Clears this isolate's caches, so that a benchmark can measure a cold start. */
export function forgetGeodata(): void {
  cache.clear();
  damaged.clear();
}
