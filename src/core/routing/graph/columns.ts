import { ByteWriter } from "../../geo/bytes/bytes.ts";

/**
 * Columns of numbers of one width each, little endian, that are read in place: a typed array over the object's bytes,
 * no copy. Each begins at a multiple of its width.
 */
export class ColumnReader {
  readonly #bytes: Uint8Array;
  readonly #buffer: ArrayBufferLike;
  readonly #start: number;
  #at = 0;

  /** `bytes` begin at a multiple of four in their buffer. */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#buffer = bytes.buffer;
    this.#start = bytes.byteOffset;
  }

  /** The bytes after the last column. */
  rest(): Uint8Array {
    return this.#bytes.subarray(this.#at);
  }

  // Creating a typed array past the end of the buffer throws.
  i32(count: number): Int32Array {
    return new Int32Array(this.#buffer, this.#take(count, 4), count);
  }

  i16(count: number): Int16Array {
    return new Int16Array(this.#buffer, this.#take(count, 2), count);
  }

  u16(count: number): Uint16Array {
    return new Uint16Array(this.#buffer, this.#take(count, 2), count);
  }

  u8(count: number): Uint8Array {
    return new Uint8Array(this.#buffer, this.#take(count, 1), count);
  }

  #take(count: number, width: number): number {
    const from = Math.ceil(this.#at / width) * width;
    this.#at = from + count * width;
    return this.#start + from;
  }
}

/** Writes the format of ColumnReader. */
export class ColumnWriter {
  readonly out = new ByteWriter(32_768);

  i32(values: ArrayLike<number>): void {
    this.#column(Int32Array.from(values));
  }

  i16(values: ArrayLike<number>): void {
    this.#column(Int16Array.from(values));
  }

  u16(values: ArrayLike<number>): void {
    this.#column(Uint16Array.from(values));
  }

  u8(values: ArrayLike<number>): void {
    this.#column(Uint8Array.from(values));
  }

  #column(column: Int32Array | Int16Array | Uint16Array | Uint8Array): void {
    while (this.out.length % column.BYTES_PER_ELEMENT !== 0) this.out.byte(0);
    this.out.bytes(new Uint8Array(column.buffer));
  }
}

/**
 * Returns each value as the difference to the previous one, the first as is: sorted values then take fewer bytes
 * deflated.
 */
export function steps(values: readonly number[]): number[] {
  return values.map((value, i) => value - (i > 0 ? values[i - 1] : 0));
}

/** Takes `steps` back, in place. */
export function addSteps<T extends Int32Array | Uint16Array>(column: T): T {
  for (let i = 1; i < column.length; i++) column[i] += column[i - 1];
  return column;
}
