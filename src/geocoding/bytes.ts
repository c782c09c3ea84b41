/** Growing buffer: bytes, integers of seven bits a byte (LEB128, low ones first), texts. */
export class Writer {
  #bytes = new Uint8Array(4096);
  length = 0;

  byte(value: number): void {
    if (this.length === this.#bytes.length) this.#grow(1);
    this.#bytes[this.length++] = value;
  }

  /** 0 … 2⁵³ − 1 */
  unsigned(value: number): void {
    let rest = value;
    while (rest >= 128) {
      this.byte((rest % 128) + 128);
      rest = Math.floor(rest / 128);
    }
    this.byte(rest);
  }

  /** 0, −1, 1, −2 … as 0, 1, 2, 3 … */
  signed(value: number): void {
    this.unsigned(value < 0 ? -2 * value - 1 : 2 * value);
  }

  u32(value: number): void {
    for (let shift = 0; shift < 32; shift += 8) this.byte((value >>> shift) & 255);
  }

  text(value: string): void {
    const bytes = UTF8.encode(value);
    this.unsigned(bytes.length);
    this.bytes(bytes);
  }

  bytes(bytes: Uint8Array): void {
    if (this.length + bytes.length > this.#bytes.length) this.#grow(bytes.length);
    this.#bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  finish(): Uint8Array {
    return this.#bytes.slice(0, this.length);
  }

  #grow(by: number): void {
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.length + by));
    grown.set(this.#bytes);
    this.#bytes = grown;
  }
}

const UTF8 = new TextEncoder();
const DECODER = new TextDecoder();

/** Reads what Writer wrote; past the end it throws. */
export class Reader {
  readonly bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  byte(): number {
    if (this.at >= this.bytes.length) throw new Error("geocoding: an object ends before its time");
    return this.bytes[this.at++];
  }

  unsigned(): number {
    let byte = this.byte();
    if (byte < 128) return byte;
    let value = byte & 127;
    for (let scale = 128; ; scale *= 128) {
      byte = this.byte();
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

  skip(length: number): void {
    this.at += length;
    if (this.at > this.bytes.length) throw new Error("geocoding: an object ends before its time");
  }
}

export function decodeText(bytes: Uint8Array, start: number, end: number): string {
  return DECODER.decode(bytes.subarray(start, end));
}

/** Opens an object: checks its magic and version. @throws Error on anything else, with the name of what was expected */
export function openObject(bytes: Uint8Array, magic: string, version: number, what: string): Reader {
  const reader = new Reader(bytes);
  for (const letter of magic)
    if (bytes.length < 8 || reader.byte() !== letter.charCodeAt(0)) throw new Error(`not ${what}`);
  const found = reader.u32();
  if (found !== version) throw new Error(`${what} of version ${found}, this reader knows ${version}`);
  return reader;
}

export function beginObject(magic: string, version: number): Writer {
  const writer = new Writer();
  for (const letter of magic) writer.byte(letter.charCodeAt(0));
  writer.u32(version);
  return writer;
}
