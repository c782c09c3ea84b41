/**
 * The byte encoding of this project's formats: integers of seven bits per byte, low bits first, the high bit set if
 * more follow (LEB128); signed ones zigzag, so that small ones stay short; strings with a length prefix.
 */
export class ByteWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  length = 0;

  constructor(capacity = 4096) {
    this.#bytes = new Uint8Array(capacity);
  }

  byte(value: number): void {
    if (this.length === this.#bytes.length) this.#grow(1);
    this.#bytes[this.length++] = value;
  }

  /** 0 … 2⁵³ − 1 */
  unsigned(value: number): void {
    // 2⁵³ − 1 takes eight bytes.
    if (this.length + 8 > this.#bytes.length) this.#grow(8);
    let rest = value;
    while (rest >= 128) {
      this.#bytes[this.length++] = (rest % 128) + 128;
      rest = Math.floor(rest / 128);
    }
    this.#bytes[this.length++] = rest;
  }

  /** Less than 2⁵² in magnitude: 0, −1, 1, −2 … as 0, 1, 2, 3 … */
  signed(value: number): void {
    this.unsigned(value < 0 ? -2 * value - 1 : 2 * value);
  }

  /** Four bytes, low ones first. */
  u32(value: number): void {
    for (let shift = 0; shift < 32; shift += 8) this.byte((value >>> shift) & 255);
  }

  text(value: string): void {
    const { length } = value;
    // Most strings are short and ASCII: a loop is faster than the call, and one byte holds their length.
    if (length < 128) {
      if (this.length + length + 1 > this.#bytes.length) this.#grow(length + 1);
      const bytes = this.#bytes;
      const start = this.length + 1;
      let i = 0;
      for (; i < length; i++) {
        const unit = value.charCodeAt(i);
        if (unit > 127) break;
        bytes[start + i] = unit;
      }
      if (i === length) {
        bytes[this.length] = length;
        this.length += length + 1;
        return;
      }
    }
    const bytes = ENCODER.encode(value);
    this.unsigned(bytes.length);
    this.bytes(bytes);
  }

  bytes(bytes: Uint8Array): void {
    if (this.length + bytes.length > this.#bytes.length) this.#grow(bytes.length);
    this.#bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** bytes[start … end − 1] */
  part(bytes: Uint8Array, start: number, end: number): void {
    if (this.length + end - start > this.#bytes.length) this.#grow(end - start);
    // A loop beats a call for the few bytes that most parts have.
    if (end - start < 32) for (let at = start; at < end; at++) this.#bytes[this.length++] = bytes[at];
    else {
      this.#bytes.set(bytes.subarray(start, end), this.length);
      this.length += end - start;
    }
  }

  /** A string without its length: only if the reader knows its end. */
  rawText(value: string): void {
    // At most three bytes for each UTF-16 unit.
    if (this.length + 3 * value.length > this.#bytes.length) this.#grow(3 * value.length);
    if (value.length < 128) {
      let i = 0;
      for (; i < value.length; i++) {
        const unit = value.charCodeAt(i);
        if (unit > 127) break;
        this.#bytes[this.length + i] = unit;
      }
      if (i === value.length) {
        this.length += i;
        return;
      }
    }
    this.length += ENCODER.encodeInto(value, this.#bytes.subarray(this.length)).written;
  }

  /** Eight bytes: any number exactly. */
  f64(value: number): void {
    NUMBER[0] = value;
    this.bytes(NUMBER_BYTES);
  }

  /** View of the bytes written so far: valid until the next write. */
  view(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.length);
  }

  finish(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.length);
  }

  #grow(by: number): void {
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.length + by));
    grown.set(this.#bytes);
    this.#bytes = grown;
  }
}

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder();
const NUMBER = new Float64Array(1);
const NUMBER_BYTES = new Uint8Array(NUMBER.buffer);

/** Reads the format of ByteWriter; throws past the end. */
export class ByteReader {
  readonly bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  byte(): number {
    if (this.at >= this.bytes.length) throw cutShort();
    return this.bytes[this.at++];
  }

  unsigned(): number {
    const { bytes } = this;
    let byte = bytes[this.at++];
    // Most numbers take one byte. Past the end the byte is undefined, which is not below 128.
    if (byte < 128) return byte;
    let value = byte & 127;
    for (let scale = 128; ; scale *= 128) {
      byte = bytes[this.at++];
      if (byte === undefined) throw cutShort();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  signed(): number {
    const value = this.unsigned();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  u32(): number {
    let value = 0;
    for (let scale = 1; scale <= 0x1000000; scale *= 256) value += this.byte() * scale;
    return value;
  }

  text(): string {
    const length = this.unsigned();
    const start = this.at;
    this.skip(length);
    return decodeText(this.bytes, start, this.at);
  }

  /** The string from here to `end`. */
  rawText(end: number): string {
    const start = this.at;
    this.at = end;
    return decodeText(this.bytes, start, end);
  }

  f64(): number {
    const start = this.at;
    this.skip(8);
    for (let i = 0; i < 8; i++) NUMBER_BYTES[i] = this.bytes[start + i];
    return NUMBER[0];
  }

  skip(length: number): void {
    this.at += length;
    if (this.at > this.bytes.length) throw cutShort();
  }

  /** The next `length` bytes as a copy, so that keeping them does not keep the entire object in memory. */
  copy(length: number): Uint8Array {
    this.skip(length);
    return this.bytes.slice(this.at - length, this.at);
  }
}

const cutShort = () => new Error("an object ends before its time");

/** Up to this length, putting characters together is twice as fast as the call of a decoder. */
const MAX_SHORT_TEXT = 12;

export function decodeText(bytes: Uint8Array, start: number, end: number): string {
  if (end - start <= MAX_SHORT_TEXT) {
    let text = "";
    let at = start;
    for (; at < end && bytes[at] < 128; at++) text += String.fromCharCode(bytes[at]);
    if (at === end) return text;
  }
  return DECODER.decode(bytes.subarray(start, end));
}

/**
 * Opens an object: checks its magic and version. @throws Error on anything else, with the expected kind in its message
 */
export function openObject(bytes: Uint8Array, magic: string, version: number, what: string): ByteReader {
  return openVersions(bytes, magic, [version, version], what).reader;
}

/**
 * The same for a reader that supports several versions; returns the version. @throws Error with the fix in its message
 */
export function openVersions(
  bytes: Uint8Array,
  magic: string,
  [oldest, newest]: readonly [oldest: number, newest: number],
  what: string,
): { reader: ByteReader; version: number } {
  const reader = new ByteReader(bytes);
  for (const letter of magic)
    if (bytes.length < 8 || reader.byte() !== letter.charCodeAt(0)) throw new Error(`not ${what}`);
  const version = reader.u32();
  if (version >= oldest && version <= newest) return { reader, version };
  const known = oldest === newest ? `version ${newest}` : `versions ${oldest} to ${newest}`;
  const remedy = version < oldest ? "import its data again" : "it was made by a newer importer";
  throw new Error(`${what} of version ${version}, this reader knows ${known}: ${remedy}`);
}

export function beginObject(magic: string, version: number): ByteWriter {
  const writer = new ByteWriter();
  for (const letter of magic) writer.byte(letter.charCodeAt(0));
  writer.u32(version);
  return writer;
}
