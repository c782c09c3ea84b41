const utf8 = new TextEncoder();

/** Text written as bytes: a map is half a megabyte of numbers, which as strings would cost more than drawing them. */
export class ByteWriter {
  #bytes: Uint8Array;
  #length = 0;

  constructor(capacity = 1 << 12) {
    this.#bytes = new Uint8Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  /** The bytes written; a view that the next write may change. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  text(text: string): this {
    this.#reserve(text.length * 3);
    this.#length += utf8.encodeInto(text, this.#bytes.subarray(this.#length)).written;
    return this;
  }

  append(other: Uint8Array): this {
    this.#reserve(other.length);
    this.#bytes.set(other, this.#length);
    this.#length += other.length;
    return this;
  }

  /** One ASCII character. */
  character(code: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = code;
  }

  /** A whole number in decimal digits. */
  integer(value: number): void {
    this.#reserve(20);
    const bytes = this.#bytes;
    let at = this.#length;
    let rest = value;
    if (rest < 0) {
      bytes[at++] = 45;
      rest = -rest;
    }
    let places = 1;
    for (let power = 10; rest >= power; power *= 10) places++;
    for (let i = places - 1; i >= 0; i--) {
      const tenth = Math.floor(rest / 10);
      bytes[at + i] = 48 + rest - tenth * 10;
      rest = tenth;
    }
    this.#length = at + places;
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, needed));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}
