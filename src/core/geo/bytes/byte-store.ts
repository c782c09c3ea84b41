import { ByteWriter } from "./bytes.ts";

/** Bytes that are put away and read back by where they begin: in memory, or in an import's file. */
export interface ByteStore {
  /** Where they begin. */
  append(bytes: Uint8Array): number;
  read(start: number, length: number): Uint8Array;
}

export class MemoryStore implements ByteStore {
  readonly #bytes = new ByteWriter(1 << 16);

  append(bytes: Uint8Array): number {
    const start = this.#bytes.length;
    this.#bytes.bytes(bytes);
    return start;
  }

  read(start: number, length: number): Uint8Array {
    return this.#bytes.view().subarray(start, start + length);
  }
}
