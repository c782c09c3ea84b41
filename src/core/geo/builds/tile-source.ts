/**
 * Source of immutable objects: R2 in the Worker, memory in tests, a folder in the importer. Keys are relative to one
 * build, which the reader does not need to know.
 */
export interface TileSource {
  /**
   * The whole object, or `length` bytes from `offset`; undefined when there is no such object. @throws UnreadableObject
   */
  read(key: string, range?: { offset: number; length: number }): Promise<Uint8Array | undefined>;
}

export interface DecodeOptions<T> {
  /** Size of the decoded value in bytes, given the raw size; by default twice the raw size. */
  weight?: (value: T, rawBytes: number) => number;
  /**
   * Whether the object must exist: true or false if another object of the build implies it, undefined if unknown.
   * Called only when the object is missing.
   */
  required?: boolean | (() => Promise<boolean | undefined>);
}

/** Returns a decoded object, or undefined if it does not exist; the provider caches objects in use. */
export interface DecodedSource {
  /**
   * Whether the layers have lists of their cells (cell-list.ts). True for builds with checksums; older ones have none.
   */
  readonly hasLists?: boolean;
  /** @throws UnreadableObject, also when a required object is not there */
  cached<T>(key: string, decode: (bytes: Uint8Array) => T, options?: DecodeOptions<T>): Promise<T | undefined>;
}

/**
 * An object cannot be read: its bytes differ from those written, or a required object is missing. Callers continue
 * without the object and report it. The failure is never cached, so a repair takes effect immediately.
 */
export class UnreadableObject extends Error {
  override name = "UnreadableObject";
  readonly key: string;

  constructor(key: string, why: string) {
    super(`${key}: ${why}`);
    this.key = key;
  }
}

/** Returns whether an absent object is lost. False: it never existed; undefined: unknown. */
export async function isMissed({ required }: Pick<DecodeOptions<never>, "required">): Promise<boolean | undefined> {
  return typeof required === "function" ? required() : required;
}

/** Decodes an object on every request, without a cache. */
export function decodeEach(source: TileSource): DecodedSource {
  return {
    async cached(key, decode, options = {}) {
      const bytes = await source.read(key);
      if (bytes) return decode(bytes);
      if (await isMissed(options)) throw new UnreadableObject(key, "it is missing");
    },
  };
}

/** Decodes each object once and caches all: for builds in memory. */
export function keepDecoded(source: TileSource): DecodedSource {
  const kept = new Map<string, Promise<unknown>>();
  const each = decodeEach(source);
  return {
    cached<T>(key: string, decode: (bytes: Uint8Array) => T, options?: DecodeOptions<T>): Promise<T | undefined> {
      let value = kept.get(key) as Promise<T | undefined> | undefined;
      if (!value) {
        value = each.cached(key, decode, options);
        kept.set(key, value);
      }
      return value;
    },
  };
}

/** A TileSource over a map of objects. */
export function memorySource(objects: ReadonlyMap<string, Uint8Array>): TileSource {
  return {
    async read(key, range) {
      const bytes = objects.get(key);
      return range && bytes ? bytes.subarray(range.offset, range.offset + range.length) : bytes;
    },
  };
}
