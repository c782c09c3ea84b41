/** Bytes that cannot be what they claim to be. */
export class Malformed extends Error {
  override name = "Malformed";
}

/**
 * The little of Protocol Buffers that OSM PBF needs (developers.google.com/protocol-buffers/docs/encoding): varints,
 * zigzag, length-delimited fields. 64-bit values become JavaScript numbers, exact to 2^53, which holds every OSM id and
 * every nanodegree.
 */
export class ProtobufReader {
  position: number;
  readonly bytes: Uint8Array;
  readonly end: number;

  constructor(bytes: Uint8Array, position = 0, end = bytes.length) {
    this.bytes = bytes;
    this.position = position;
    this.end = end;
  }

  get more(): boolean {
    return this.position < this.end;
  }

  /** The key of the next field: field number × 8 + wire type. */
  varint(): number {
    const bytes = this.bytes;
    let at = this.position;
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
    this.position = at;
    return value;
  }

  /** A zigzag-coded signed number. */
  signed(): number {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** A two's-complement int64 as used by `int64` fields (offsets and dates); exact to 2^53 in size. */
  int64(): number {
    const value = this.varint();
    return value >= 2 ** 63 ? value - 2 ** 64 : value;
  }

  /** Steps over a length-delimited field, and returns where it begins; this one is at its end. */
  field(): number {
    const length = this.varint();
    const start = this.position;
    if (start + length > this.end) throw new Malformed("a field runs past the end of its message");
    this.position = start + length;
    return start;
  }

  /** Steps into a length-delimited field: a reader over it, this one standing after it. */
  message(): ProtobufReader {
    const start = this.field();
    return new ProtobufReader(this.bytes, start, this.position);
  }

  /** A length-delimited field as bytes, not copied. */
  view(): Uint8Array {
    const field = this.message();
    return this.bytes.subarray(field.position, field.end);
  }

  text(): string {
    return Buffer.from(this.view()).toString("utf8");
  }

  /** Steps over a field of the given wire type. */
  skip(wireType: number): void {
    if (wireType === 0) this.varint();
    else if (wireType === 1) this.position += 8;
    else if (wireType === 2) this.field();
    else if (wireType === 5) this.position += 4;
    else throw new Malformed(`wire type ${wireType} does not exist`);
    if (this.position > this.end) throw new Malformed("a field runs past the end of its message");
  }
}

/** Writes fields into a buffer that grows. */
export class ProtobufWriter {
  #buffer = Buffer.allocUnsafe(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#length + count));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }

  /** A non-negative whole number below 2^53. */
  varint(value: number): void {
    this.#reserve(8);
    let rest = value;
    while (rest > 0x7fffffff) {
      this.#buffer[this.#length++] = (rest % 128) | 0x80;
      rest = Math.floor(rest / 128);
    }
    while (rest > 0x7f) {
      this.#buffer[this.#length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#buffer[this.#length++] = rest;
  }

  signed(value: number): void {
    this.varint(value < 0 ? -2 * value - 1 : 2 * value);
  }

  varintField(field: number, value: number): void {
    this.varint(field * 8);
    this.varint(value);
  }

  signedField(field: number, value: number): void {
    this.varint(field * 8);
    this.signed(value);
  }

  bytesField(field: number, bytes: Uint8Array): void {
    this.varint(field * 8 + 2);
    this.bytes(bytes);
  }

  /** Bytes with their length before them, no field. */
  bytes(bytes: Uint8Array): void {
    this.varint(bytes.length);
    this.raw(bytes);
  }

  /** Bytes that are a field, or several, already. */
  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  textField(field: number, text: string): void {
    this.bytesField(field, Buffer.from(text, "utf8"));
  }

  /** A field that is its own message, written by `write` into a writer that is used again and again. */
  messageField(field: number, write: (inner: ProtobufWriter) => void): void {
    const inner = scratch.pop() ?? new ProtobufWriter();
    inner.#length = 0;
    write(inner);
    this.bytesField(field, inner.finish());
    scratch.push(inner);
  }

  /** Packed unsigned numbers; no field when there are none. */
  packedField(field: number, values: readonly number[]): void {
    if (values.length === 0) return;
    this.messageField(field, (inner) => {
      for (const value of values) inner.varint(value);
    });
  }

  /** Packed zigzag numbers, each written as the difference from the one before it; no field when there are none. */
  deltaField(field: number, values: readonly number[]): void {
    if (values.length === 0) return;
    this.messageField(field, (inner) => {
      let before = 0;
      for (const value of values) {
        inner.signed(value - before);
        before = value;
      }
    });
  }

  /** Begins again, in the same memory. */
  clear(): void {
    this.#length = 0;
  }

  /** The written bytes; valid until the next write. */
  finish(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }
}

/** Writers between uses: a block has thousands of small messages, and each would want its own buffer. */
const scratch: ProtobufWriter[] = [];
