/**
 * Where immutable objects are read from: R2 in the Worker, memory in tests, a folder in the importer.
 * Keys are relative to one build; a reader never knows which build it reads.
 */
export interface TileSource {
  /** The whole object, or `length` bytes from `offset`; undefined when there is no such object. */
  read(key: string, range?: { offset: number; length: number }): Promise<Uint8Array | undefined>;
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
