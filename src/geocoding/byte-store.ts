/** Bytes that are put away and read back by where they begin: in memory, or in an import's file. */
export interface ByteStore {
  /** Where they begin. */
  append(bytes: Uint8Array): number;
  read(start: number, length: number): Uint8Array;
}

export class MemoryStore implements ByteStore {
  readonly #pieces: Uint8Array[] = [];

  append(bytes: Uint8Array): number {
    return this.#pieces.push(bytes.slice()) - 1;
  }

  read(start: number): Uint8Array {
    return this.#pieces[start];
  }
}
