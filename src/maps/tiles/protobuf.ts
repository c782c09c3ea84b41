/**
 * The part of Protocol Buffers that vector tiles and glyphs use: varints up to 2^53, zigzag, length-delimited fields.
 * Reading past the end of the bytes throws; a one-byte number may be past a message's own end.
 */
export class MessageReader {
  at: number;
  readonly bytes: Uint8Array;
  readonly end: number;

  constructor(bytes: Uint8Array, at = 0, end = bytes.length) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
  }

  get more(): boolean {
    return this.at < this.end;
  }

  varint(): number {
    const { bytes } = this;
    let byte = bytes[this.at++];
    // Most numbers of a tile are steps of one byte.
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    for (let scale = 128; byte > 0x7f; scale *= 128) {
      byte = bytes[this.at++];
      value += (byte & 0x7f) * scale;
    }
    if (!(this.at <= this.end)) throw new RangeError("a vector tile ends in the middle of a number");
    return value;
  }

  signed(): number {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** Where the length-delimited field that begins here ends. */
  fieldEnd(): number {
    const length = this.varint();
    const end = this.at + length;
    if (!(end <= this.end)) throw new RangeError("a vector tile ends in the middle of a message");
    return end;
  }

  /** The bytes of a length-delimited field, to be read on their own. */
  message(): MessageReader {
    const end = this.fieldEnd();
    const start = this.at;
    this.at = end;
    return new MessageReader(this.bytes, start, end);
  }

  text(): string {
    const end = this.fieldEnd();
    const text = utf8.decode(this.bytes.subarray(this.at, end));
    this.at = end;
    return text;
  }

  float(bytes: 4 | 8): number {
    const view = new DataView(this.bytes.buffer, this.bytes.byteOffset + this.at, bytes);
    this.at += bytes;
    return bytes === 4 ? view.getFloat32(0, true) : view.getFloat64(0, true);
  }

  skip(wireType: number): void {
    if (wireType === 0) this.varint();
    else if (wireType === 2) this.at = this.fieldEnd();
    else if (wireType !== 1 && wireType !== 5)
      throw new RangeError(`a vector tile has a field of wire type ${wireType}`);
    else this.at += wireType === 1 ? 8 : 4;
  }
}

const utf8 = new TextDecoder();
const toUtf8 = new TextEncoder();

export class MessageWriter {
  #bytes = new Uint8Array(1024);
  #used = 0;

  get length(): number {
    return this.#used;
  }

  #reserve(count: number): void {
    if (this.#used + count <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#used + count));
    larger.set(this.#bytes.subarray(0, this.#used));
    this.#bytes = larger;
  }

  /** 0 ≤ value < 2^53 */
  varint(value: number): this {
    this.#reserve(8);
    let rest = value;
    while (rest > 127) {
      this.#bytes[this.#used++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    this.#bytes[this.#used++] = rest;
    return this;
  }

  signed(value: number): this {
    return this.varint(value < 0 ? -2 * value - 1 : 2 * value);
  }

  key(field: number, wireType: number): this {
    return this.varint(field * 8 + wireType);
  }

  /** A length-delimited field. */
  bytesField(field: number, bytes: Uint8Array): this {
    return this.key(field, 2).bytes(bytes);
  }

  /** Bytes with their length before them. */
  bytes(bytes: Uint8Array): this {
    return this.varint(bytes.length).raw(bytes, 0, bytes.length);
  }

  /** bytes[start … end − 1] as they are. */
  raw(bytes: Uint8Array, start: number, end: number): this {
    const count = end - start;
    this.#reserve(count);
    // A loop beats a call for few bytes.
    if (count < 32) for (let i = start; i < end; i++) this.#bytes[this.#used++] = bytes[i];
    else {
      this.#bytes.set(bytes.subarray(start, end), this.#used);
      this.#used += count;
    }
    return this;
  }

  textField(field: number, text: string): this {
    const { length } = text;
    this.key(field, 2);
    const start = this.#used;
    this.varint(length);
    this.#reserve(length);
    let at = this.#used;
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i);
      if (code > 127) {
        this.#used = start;
        return this.bytes(toUtf8.encode(text));
      }
      this.#bytes[at++] = code;
    }
    this.#used = at;
    return this;
  }

  doubleField(field: number, value: number): this {
    this.key(field, 1);
    this.#reserve(8);
    new DataView(this.#bytes.buffer).setFloat64(this.#used, value, true);
    this.#used += 8;
    return this;
  }

  /** The bytes written, as a view that the next write invalidates. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#used);
  }

  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#used);
  }

  clear(): void {
    this.#used = 0;
  }
}
