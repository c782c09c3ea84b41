/**
 * Where immutable objects are read from: R2 in the Worker, memory in tests, a folder in the importer.
 * Keys are relative to one build; a reader never knows which build it reads.
 */
export interface TileSource {
  /** The whole object, or `length` bytes from `offset`; undefined when there is no such object. @throws UnreadableObject */
  read(key: string, range?: { offset: number; length: number }): Promise<Uint8Array | undefined>;
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

/** A TileSource over a map of objects. */
export function memorySource(objects: ReadonlyMap<string, Uint8Array>): TileSource {
  return {
    async read(key, range) {
      const bytes = objects.get(key);
      return range && bytes ? bytes.subarray(range.offset, range.offset + range.length) : bytes;
    },
  };
}
