/** Bytes that cannot be what they claim to be. */
export class Malformed extends RangeError {
  override name = "Malformed";
}

const PAST_END = "a field runs past the end of its message";

/**
 * The part of Protocol Buffers that OSM PBF, vector tiles, glyphs and PMTiles need
 * (developers.google.com/protocol-buffers/docs/encoding): varints, zigzag, length-delimited fields. 64-bit values become JavaScript
 * numbers, exact to 2^53, which holds every OSM id and every nanodegree.
 */
export class ProtobufReader {
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

  /** A number below 2^64; also the key of the next field: field number × 8 + wire type. */
  varint(): number {
    const bytes = this.bytes;
    let at = this.at;
    let byte = bytes[at++];
    let value = byte & 0x7f;
    if (byte > 0x7f) {
      byte = bytes[at++];
      value |= (byte & 0x7f) << 7;
      if (byte > 0x7f) {
        byte = bytes[at++];
        value |= (byte & 0x7f) << 14;
        if (byte > 0x7f) {
          byte = bytes[at++];
          value |= (byte & 0x7f) << 21;
          let scale = 268435456;
          while (byte > 0x7f) {
            byte = bytes[at++];
            value += (byte & 0x7f) * scale;
            scale *= 128;
          }
        }
      }
    }
    if (!(at <= this.end)) throw new Malformed("a number runs past the end of its message");
    this.at = at;
    return value;
  }

  /** A zigzag-coded signed number. */
  signed(): number {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** Pairs x, y, x, y … that are written as zigzag-coded steps from one to the next, the first from 0, 0. */
  pairs(count: number): number[] {
    const { bytes } = this;
    const pairs = new Array<number>(2 * count);
    let [x, y] = [0, 0];
    for (let i = 0; i < pairs.length; i += 2) {
      // Most steps take one byte.
      let byte = bytes[this.at];
      if (byte < 0x80) {
        this.at++;
        x += (byte >>> 1) ^ -(byte & 1);
      } else x += this.signed();
      byte = bytes[this.at];
      if (byte < 0x80) {
        this.at++;
        y += (byte >>> 1) ^ -(byte & 1);
      } else y += this.signed();
      pairs[i] = x;
      pairs[i + 1] = y;
    }
    if (this.at > this.end) throw new Malformed(PAST_END);
    return pairs;
  }

  /** A two's-complement int64 as used by `int64` fields (offsets and dates); exact to 2^53 in size. */
  int64(): number {
    const start = this.at;
    const value = this.varint();
    if (value < 2 ** 63) return value;
    // The bits are inverted first, as 2^64 less a small number is no number of JavaScript.
    let inverted = 0;
    for (let i = this.at - 1; i >= start; i--)
      inverted = inverted * 128 + (~this.bytes[i] & (i - start === 9 ? 1 : 0x7f));
    return -1 - inverted;
  }

  float(bytes: 4 | 8): number {
    if (this.at + bytes > this.end) throw new Malformed(PAST_END);
    const view = new DataView(this.bytes.buffer, this.bytes.byteOffset + this.at, bytes);
    this.at += bytes;
    return bytes === 4 ? view.getFloat32(0, true) : view.getFloat64(0, true);
  }

  /** Where the length-delimited field that begins here ends. */
  fieldEnd(): number {
    const length = this.varint();
    const end = this.at + length;
    if (!(end <= this.end)) throw new Malformed(PAST_END);
    return end;
  }

  /** Steps over a length-delimited field, and returns where it begins; this reader is at its end. */
  field(): number {
    const end = this.fieldEnd();
    const start = this.at;
    this.at = end;
    return start;
  }

  /** Steps over a length-delimited field, and returns a reader of it. */
  message(): ProtobufReader {
    const start = this.field();
    return new ProtobufReader(this.bytes, start, this.at);
  }

  /** A length-delimited field as bytes, not copied. */
  view(): Uint8Array {
    const start = this.field();
    return this.bytes.subarray(start, this.at);
  }

  text(): string {
    return utf8.decode(this.view());
  }

  /** Steps over a field of the given wire type. */
  skip(wireType: number): void {
    if (wireType === 0) this.varint();
    else if (wireType === 1) this.at += 8;
    else if (wireType === 2) this.field();
    else if (wireType === 5) this.at += 4;
    else throw new Malformed(`wire type ${wireType} does not exist`);
    if (this.at > this.end) throw new Malformed(PAST_END);
  }
}

const utf8 = new TextDecoder();
const toUtf8 = new TextEncoder();

/** Writes fields into a buffer that grows. */
export class ProtobufWriter {
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

  /** A non-negative whole number below 2^53. */
  varint(value: number): this {
    this.#reserve(8);
    // Most numbers of a tile are steps of one byte.
    if (value < 0x80) {
      this.#bytes[this.#used++] = value;
      return this;
    }
    this.#used = putVarint(this.#bytes, this.#used, value);
    return this;
  }

  signed(value: number): this {
    return this.varint(value < 0 ? -2 * value - 1 : 2 * value);
  }

  /** pairs[start … end − 1] (x, y, x, y …) as zigzag-coded steps from one to the next, the first from (x, y). */
  pairs(pairs: readonly number[], start: number, end: number, x: number, y: number): this {
    this.#reserve(8 * (end - start));
    const bytes = this.#bytes;
    let at = this.#used;
    for (let i = start; i < end; i += 2) {
      const [east, south] = [pairs[i] - x, pairs[i + 1] - y];
      x = pairs[i];
      y = pairs[i + 1];
      let step = east < 0 ? -2 * east - 1 : 2 * east;
      // Most steps take one byte.
      if (step < 0x80) bytes[at++] = step;
      else at = putVarint(bytes, at, step);
      step = south < 0 ? -2 * south - 1 : 2 * south;
      if (step < 0x80) bytes[at++] = step;
      else at = putVarint(bytes, at, step);
    }
    this.#used = at;
    return this;
  }

  key(field: number, wireType: number): this {
    return this.varint(field * 8 + wireType);
  }

  varintField(field: number, value: number): this {
    return this.key(field, 0).varint(value);
  }

  signedField(field: number, value: number): this {
    return this.key(field, 0).signed(value);
  }

  doubleField(field: number, value: number): this {
    this.key(field, 1);
    this.#reserve(8);
    new DataView(this.#bytes.buffer).setFloat64(this.#used, value, true);
    this.#used += 8;
    return this;
  }

  /** A length-delimited field. */
  bytesField(field: number, bytes: Uint8Array): this {
    return this.key(field, 2).bytes(bytes);
  }

  /** Bytes with their length before them, no field. */
  bytes(bytes: Uint8Array): this {
    return this.varint(bytes.length).raw(bytes);
  }

  /** bytes[start … end − 1] as they are. */
  raw(bytes: Uint8Array, start = 0, end = bytes.length): this {
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

  /** A field that is a message, written by `write` into a writer that is reused. */
  messageField(field: number, write: (inner: ProtobufWriter) => void): this {
    const inner = scratch.pop() ?? new ProtobufWriter();
    inner.clear();
    write(inner);
    this.bytesField(field, inner.view());
    scratch.push(inner);
    return this;
  }

  /** Packed unsigned numbers; no field if there are none. */
  packedField(field: number, values: readonly number[]): this {
    if (values.length === 0) return this;
    return this.messageField(field, (inner) => {
      for (const value of values) inner.varint(value);
    });
  }

  /** Packed zigzag numbers, each written as the difference from the previous one; no field if there are none. */
  deltaField(field: number, values: readonly number[]): this {
    if (values.length === 0) return this;
    return this.messageField(field, (inner) => {
      let before = 0;
      for (const value of values) {
        inner.signed(value - before);
        before = value;
      }
    });
  }

  /** Starts over, in the same memory. */
  clear(): void {
    this.#used = 0;
  }

  /** The bytes written, as a view that the next write invalidates. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#used);
  }

  /** A copy of the bytes written. */
  finish(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#used);
  }
}

/** Writes a non-negative whole number below 2^53 where there is room for it, and returns where it ends. */
function putVarint(bytes: Uint8Array, start: number, value: number): number {
  let at = start;
  let rest = value;
  while (rest > 0x7fffffff) {
    bytes[at++] = (rest % 128) | 0x80;
    rest = Math.floor(rest / 128);
  }
  while (rest > 0x7f) {
    bytes[at++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  bytes[at++] = rest;
  return at;
}

/** Writers between uses: a block has thousands of small messages, and each would need a buffer. */
const scratch: ProtobufWriter[] = [];
