import { buildKey, type LiveBuild } from "../geo/builds/manifest.ts";
import { SEAL, unseal } from "../geo/builds/sealed.ts";
import { SharedReads } from "../geo/builds/shared-reads.ts";
import {
  type DecodedSource,
  type DecodeOptions,
  isMissed,
  type TileSource,
  UnreadableObject,
} from "../geo/builds/tile-source.ts";
import { cacheFiguresOf } from "./cache-figures.ts";
import { DamagedObjects } from "./damaged-objects.ts";
import { isolateCache as cache } from "./isolate-cache.ts";
import type { ObjectBucket } from "./object-bucket.ts";
import { PageReader } from "./page-reader.ts";
import { r2Reads } from "./r2-reads.ts";

export { r2Reads };

/** What an entry costs besides its bytes: its key, the map, the object around it. */
const OVERHEAD = 200;
/** An absent object of which nothing tells whether it should exist is looked for again after this long [ms]. */
const ABSENT_FOR_MS = 8000;
/** How often an object is read before it counts as damaged: an error in transit must not count. */
const ATTEMPTS = 2;

const reads = new SharedReads();
const damaged = new DamagedObjects();

type Range = { offset: number; length: number };

/** Kept in place of a value where there is no object. */
class Absent {
  /** [ms since 1970] */
  readonly until: number;
  constructor(until: number) {
    this.until = until;
  }
}

/**
 * The objects of one build in R2. They never change, so whatever was read once is kept in the isolate's memory until
 * others need the room. Of a build that is sealed (geo/builds/sealed.ts) every object is checked as it is read. What is
 * damaged or missing is read once more, is never kept, and throws UnreadableObject: for some seconds without another
 * read, so that it costs few reads while it lasts, and a repair counts soon.
 */
export class BuildSource implements TileSource, DecodedSource {
  readonly build: LiveBuild;
  /** Those of the latest list: what they tell of this build, no read of its own needs to. */
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

  /** Reads without keeping: for callers that keep what they decode themselves. */
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
   * The object decoded, once per isolate as long as it stays in use; undefined when there is no such object. `weight`
   * tells how many bytes the decoded value holds, given the raw size (twice that when not given). The raw bytes are not
   * kept. Two decoders of one object need two names: `as`.
   * @throws UnreadableObject when it is damaged, cannot be decoded, or is not there and `required`
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
    // If another request waited for the same read, the value is cached by now.
    const meanwhile = cache.get(name);
    if (meanwhile && !(meanwhile.value instanceof Absent)) return meanwhile.value as T;
    if (value === undefined) {
      // Where the build itself says that there is none, that holds for good.
      const until = known ? Number.POSITIVE_INFINITY : Date.now() + ABSENT_FOR_MS;
      cache.put(name, new Absent(until), OVERHEAD);
    } else {
      cache.put(name, value, (options.weight ? options.weight(value, rawBytes) : 2 * rawBytes) + OVERHEAD);
    }
    return value;
  }

  /**
   * Does something with an object that is read by ranges and checks itself piece by piece, as gzip does. A failure is
   * tried once more, past every cache. `piece` tells different requests for the object apart.
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
      // What failed its check must not be cached.
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

  /** One read and one decoding for all requests that want the same object at the same time. */
  #shared<T>(
    name: string,
    key: string,
    decode: (bytes: Uint8Array) => T,
    { range, required }: Pick<DecodeOptions<T>, "required"> & { range?: Range },
  ): Promise<{ value: T | undefined; rawBytes: number; known: boolean }> {
    return reads.read(name, () =>
      this.#attempts(this.#name(key, range), async (attempt) => {
        // The copy of a page is tried once; then the object itself is asked for.
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
        // A bucket that does not answer says nothing about the object; and damage of another object is passed on.
        if (error instanceof BucketFailure) throw error.cause;
        if (error instanceof UnreadableObject) throw error;
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
      // R2 says 10039 when a range begins behind the end.
      if (range && /\b10039\b|range/i.test(String(error))) throw new Error("it is cut short");
      throw new BucketFailure("the bucket does not answer", { cause: error });
    }
    r2Reads.bytes += bytes.byteLength;
    // The first read of an archive may ask for more than there is.
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

/** The bucket could not be asked. */
class BucketFailure extends Error {}

/** Empties this isolate's caches, so that a bench can measure a cold start. */
export function forgetGeodata(): void {
  cache.clear();
  damaged.clear();
}
