/**
 * Where immutable objects are read from: R2 in the Worker, memory in tests, a folder in the importer.
 * Keys are relative to one build; a reader never knows which build it reads.
 */
export interface TileSource {
  /** The whole object, or `length` bytes from `offset`; undefined when there is no such object. @throws UnreadableObject */
  read(key: string, range?: { offset: number; length: number }): Promise<Uint8Array | undefined>;
}

/** Gives an object decoded, or undefined where there is none; whoever provides it keeps what is in use. */
export interface DecodedSource {
  /** `weight` tells how many bytes the decoded value takes, given the raw size. @throws UnreadableObject */
  cached<T>(
    key: string,
    decode: (bytes: Uint8Array) => T,
    options?: { weight?: (value: T, rawBytes: number) => number },
  ): Promise<T | undefined>;
}

/**
 * An object is there and cannot be read: its bytes are not those that were written. Whoever meets it does without, and says
 * so; it is never kept, so that a repair counts at once.
 */
export class UnreadableObject extends Error {
  override name = "UnreadableObject";
  readonly key: string;

  constructor(key: string, why: string) {
    super(`${key}: ${why}`);
    this.key = key;
  }
}

/** Decodes each object whenever it is asked for, and keeps none. */
export function decodeEach(source: TileSource): DecodedSource {
  return {
    async cached(key, decode) {
      const bytes = await source.read(key);
      return bytes && decode(bytes);
    },
  };
}

/** Decodes each object once and keeps all: for builds in memory. */
export function keepDecoded(source: TileSource): DecodedSource {
  const kept = new Map<string, Promise<unknown>>();
  return {
    cached<T>(key: string, decode: (bytes: Uint8Array) => T): Promise<T | undefined> {
      let value = kept.get(key) as Promise<T | undefined> | undefined;
      if (!value) {
        value = source.read(key).then((bytes) => bytes && decode(bytes));
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
