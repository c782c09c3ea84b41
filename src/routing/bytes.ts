/**
 * Reading and writing of routing objects: numbers of variable length (LEB128, seven bits to a byte, least first; signed
 * ones zigzag), columns one after the other, the whole deflated.
 *
 *     bytes 0–3   magic, ASCII
 *     byte  4     version
 *     bytes 5–…   the payload, raw deflate (RFC 1951)
 */
export class ByteWriter {
  private bytes = new Uint8Array(1 << 16);
  private used = 0;

  private room(count: number): void {
    if (this.used + count <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.used + count));
    larger.set(this.bytes.subarray(0, this.used));
    this.bytes = larger;
  }

  byte(value: number): void {
    this.room(1);
    this.bytes[this.used++] = value;
  }

  /** A whole number, 0 ≤ value < 2^53. */
  number(value: number): void {
    this.room(8);
    let rest = value;
    while (rest > 127) {
      this.bytes[this.used++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    this.bytes[this.used++] = rest;
  }

  signed(value: number): void {
    this.number(value < 0 ? -2 * value - 1 : 2 * value);
  }

  text(value: string): void {
    const encoded = new TextEncoder().encode(value);
    this.number(encoded.length);
    this.room(encoded.length);
    this.bytes.set(encoded, this.used);
    this.used += encoded.length;
  }

  finish(): Uint8Array<ArrayBuffer> {
    return this.bytes.slice(0, this.used);
  }
}

type Column = Int32Array | Int16Array | Uint16Array;

export class ByteReader {
  private readonly bytes: Uint8Array;
  private at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  byte(): number {
    if (this.at >= this.bytes.length) throw new Error("routing object: cut short");
    return this.bytes[this.at++];
  }

  number(): number {
    const { bytes } = this;
    let byte = bytes[this.at++];
    if (byte < 128) return byte;
    let value = byte & 127;
    let scale = 128;
    do {
      byte = bytes[this.at++];
      if (byte === undefined) throw new Error("routing object: cut short");
      value += (byte & 127) * scale;
      scale *= 128;
    } while (byte >= 128);
    return value;
  }

  signed(): number {
    const value = this.number();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** So many bytes, as a copy: who keeps them does not keep the whole object. */
  copy(count: number): Uint8Array {
    this.at += count;
    if (this.at > this.bytes.length) throw new Error("routing object: cut short");
    return this.bytes.slice(this.at - count, this.at);
  }

  /** A text, to be decoded when it is asked for. */
  textBytes(): Uint8Array {
    return this.copy(this.number());
  }

  /** Fills an array with unsigned numbers. */
  fill<T extends Column>(column: T): T {
    for (let i = 0; i < column.length; i++) column[i] = this.number();
    return column;
  }

  /** Fills an array from signed differences to the number before, the first to 0. */
  fillBySteps<T extends Column>(column: T): T {
    for (let i = 0, last = 0; i < column.length; i++) column[i] = last += this.signed();
    return column;
  }
}

const HEADER = 5;

export function withHeader(magic: string, version: number, deflated: Uint8Array): Uint8Array {
  const object = new Uint8Array(HEADER + deflated.length);
  for (let i = 0; i < 4; i++) object[i] = magic.charCodeAt(i);
  object[4] = version;
  object.set(deflated, HEADER);
  return object;
}

/** The payload of an object; throws when it is of another kind or a version this reader does not know. */
export async function openObject(bytes: Uint8Array, magic: string, version: number): Promise<ByteReader> {
  const found = String.fromCharCode(...bytes.subarray(0, 4));
  if (found !== magic) throw new Error(`routing object: expected ${magic}, found ${JSON.stringify(found)}`);
  if (bytes[4] !== version)
    throw new Error(`routing object ${magic}: version ${bytes[4]}, this reader knows ${version}`);
  const { writable, readable } = new DecompressionStream("deflate-raw");
  const inflated = new Response(readable).arrayBuffer();
  // Whoever waits for the bytes hears of what is wrong with them.
  const writer = writable.getWriter();
  const written = writer.write(bytes.slice(HEADER)).then(() => writer.close());
  written.catch(() => undefined);
  return new ByteReader(new Uint8Array(await inflated));
}
