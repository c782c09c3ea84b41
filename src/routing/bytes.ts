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

  /** The place of a text, to be decoded when it is asked for. */
  textBytes(): Uint8Array {
    const length = this.number();
    this.at += length;
    if (this.at > this.bytes.length) throw new Error("routing object: cut short");
    return this.bytes.subarray(this.at - length, this.at);
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
  const stream = new Blob([bytes.slice(HEADER)]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new ByteReader(new Uint8Array(await new Response(stream).arrayBuffer()));
}
