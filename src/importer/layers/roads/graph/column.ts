import { ImportError } from "../../../common/import-error.ts";

/** Arrays that a column can be. */
export type Numbers = Int32Array | Uint32Array | Uint16Array | Uint8Array | Float64Array;

/** The constructor of such an array over shared memory. */
export interface NumbersOf<T extends Numbers> {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: SharedArrayBuffer, byteOffset: number, length: number): T;
}

/** Rows of a graph are numbered in whole numbers of 32 bits with a sign. */
const MAX_ROWS = 2 ** 31 - 1;
const MIN_ROWS = 1024;

/**
 * A column of numbers that grows, in memory that threads share. Address space for `expected` numbers is reserved, but
 * memory is used only as it is written, so that growing neither copies nor holds anything twice. A column that gets
 * longer than expected moves to a reservation four times as large: once or never where the count is known before.
 */
export class Column<T extends Numbers> {
  length = 0;
  #view: T;
  #buffer: SharedArrayBuffer;
  readonly #kind: NumbersOf<T>;
  readonly #what: string;
  readonly #most: number;

  /** `what` it counts, for the error that rejects more than `most` of them. */
  constructor(kind: NumbersOf<T>, what: string, expected = 0, most = MAX_ROWS) {
    this.#kind = kind;
    this.#what = what;
    this.#most = most;
    this.#buffer = reserve(Math.max(MIN_ROWS, Math.min(expected, most)) * kind.BYTES_PER_ELEMENT, MIN_ROWS);
    this.#view = this.#viewOf(Math.floor(this.#buffer.byteLength / kind.BYTES_PER_ELEMENT));
  }

  push(value: number): void {
    if (this.length === this.#view.length) this.#grow(this.length + 1);
    this.#view[this.length++] = value;
  }

  /** Adds `count` zeros and returns the number of the first. */
  extend(count: number): number {
    const first = this.length;
    if (first + count > this.#view.length) this.#grow(first + count);
    this.length += count;
    return first;
  }

  at(index: number): number {
    return this.#view[index];
  }

  set(index: number, value: number): void {
    this.#view[index] = value;
  }

  /** The current content of the column. Rows added later are not in it, but it stays over the same memory until it moves. */
  get values(): T {
    return this.#viewOf(this.length);
  }

  #viewOf(length: number): T {
    return new this.#kind(this.#buffer, 0, length);
  }

  #grow(needed: number): void {
    if (needed > this.#most) throw tooMany(this.#what, this.#most);
    const size = this.#kind.BYTES_PER_ELEMENT;
    const bytes = Math.min(Math.max(needed, this.#view.length * 2), this.#most) * size;
    if (bytes <= this.#buffer.maxByteLength) this.#buffer.grow(bytes);
    else if (needed * size <= this.#buffer.maxByteLength) this.#buffer.grow(this.#buffer.maxByteLength);
    else {
      const larger = reserve(Math.min(bytes * 4, this.#most * size), bytes);
      new Uint8Array(larger).set(new Uint8Array(this.#buffer, 0, this.length * size));
      this.#buffer = larger;
    }
    this.#view = this.#viewOf(Math.floor(this.#buffer.byteLength / size));
  }
}

/** A column of `count` zeros that does not grow. */
export function sharedNumbers<T extends Numbers>(kind: NumbersOf<T>, count: number): T {
  return new kind(new SharedArrayBuffer(count * kind.BYTES_PER_ELEMENT), 0, count);
}

const tooMany = (what: string, most: number) =>
  new ImportError(
    `The extract has more than ${most.toLocaleString("en")} ${what}, which is the most one build can number. Import it in several parts.`,
  );

/** Space for `bytes` now and up to `most` later; for less than that where the system does not give out so many addresses. */
function reserve(most: number, bytes: number): SharedArrayBuffer {
  const now = Math.min(bytes, most);
  for (let later = most; ; later = Math.max(now, Math.ceil(later / 4))) {
    try {
      return new SharedArrayBuffer(now, { maxByteLength: later });
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      if (later === now) throw new ImportError(`There is no memory for ${Math.ceil(now / 1e6)} MB of roads more.`);
    }
  }
}
