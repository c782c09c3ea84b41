import { RowDeflater } from "./deflate.ts";
import type { Palette } from "./quantise.ts";

/**
 * PNG (ISO/IEC 15948). Images have 8-bit palette indexes, rows without filter: maps have few colors and large flat
 * areas.
 */
const SIGNATURE = Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10);
/** Color types. */
const PALETTE = 3;
const COLORS_AND_ALPHA = 6;
/** Rows that are compressed in one go [pixels]. */
export const CHUNK_PIXELS = 131_072;
/** [bytes] */
const MAX_STORED = 65535;

/** Accepts rows incrementally, so that an image need never be in memory as a whole. */
export class PngEncoder {
  readonly #width: number;
  readonly #height: number;
  readonly #palette: Palette;
  readonly #deflater: RowDeflater;
  /**
   * The data of the IDAT chunk and the checksum of the chunk, updated incrementally: megabytes in one step would block
   * other requests.
   */
  readonly #parts: Uint8Array[] = [];
  #crc = crc32(ascii("IDAT"));

  constructor(width: number, height: number, palette: Palette) {
    this.#width = width;
    this.#height = height;
    this.#palette = palette;
    this.#deflater = new RowDeflater(width + 1);
  }

  /** The next rows, as RGBA. */
  write(pixels: Uint8Array, rows: number): void {
    const length = (this.#width + 1) * rows;
    this.#palette.indexRows(pixels, this.#width, rows, this.#deflater.reserve(length));
    this.#deflater.write(length);
    this.#take();
  }

  finish(): Uint8Array {
    this.#deflater.finish();
    this.#take();
    const length = this.#parts.reduce((sum, part) => sum + part.length, 0);
    return join([
      SIGNATURE,
      header(this.#width, this.#height, PALETTE),
      chunk("PLTE", this.#palette.colors),
      ...[bigEndian(length), ascii("IDAT"), ...this.#parts, bigEndian(this.#crc)],
      chunk("IEND", new Uint8Array(0)),
    ]);
  }

  #take(): void {
    const part = this.#deflater.take();
    this.#parts.push(part);
    this.#crc = crc32(part, this.#crc);
  }
}

/**
 * RGBA pixels, colors not premultiplied by alpha: uncompressed, synchronous. For images passed to a PNG decoder, not
 * for responses.
 */
export function plainPng(pixels: Uint8Array, width: number, height: number): Uint8Array {
  const row = 4 * width;
  // Before each row the number of its filter: none.
  const rows = new Uint8Array((row + 1) * height);
  for (let y = 0; y < height; y++) rows.set(pixels.subarray(y * row, (y + 1) * row), y * (row + 1) + 1);
  return join([
    SIGNATURE,
    header(width, height, COLORS_AND_ALPHA),
    chunk("IDAT", stored(rows)),
    chunk("IEND", new Uint8Array(0)),
  ]);
}

/** zlib (RFC 1950) around blocks that are stored as they are (RFC 1951, section 3.2.4). */
function stored(bytes: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [Uint8Array.of(0x78, 0x01)];
  for (let at = 0; at < bytes.length; at += MAX_STORED) {
    const block = bytes.subarray(at, at + MAX_STORED);
    const head = new DataView(new ArrayBuffer(5));
    head.setUint8(0, at + MAX_STORED >= bytes.length ? 1 : 0);
    head.setUint16(1, block.length, true);
    head.setUint16(3, ~block.length, true);
    parts.push(new Uint8Array(head.buffer), block);
  }
  const check = new DataView(new ArrayBuffer(4));
  check.setUint32(0, adler32(bytes));
  return join([...parts, new Uint8Array(check.buffer)]);
}

/** RFC 1950, section 8.2. */
function adler32(bytes: Uint8Array): number {
  let [low, high] = [1, 0];
  for (let i = 0; i < bytes.length; i++) {
    low = (low + bytes[i]) % 65521;
    high = (high + low) % 65521;
  }
  return ((high << 16) | low) >>> 0;
}

const ascii = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

function bigEndian(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** With 8 bits each. */
function header(width: number, height: number, colorType: number): Uint8Array {
  const bytes = new Uint8Array(13);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  bytes[8] = 8;
  bytes[9] = colorType;
  return chunk("IHDR", bytes);
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const name = ascii(type);
  return join([bigEndian(data.length), name, data, bigEndian(crc32(data, crc32(name)))]);
}

let table: Uint32Array | undefined;

/** PNG, annex D. `before`: of the bytes that stand before these. */
export function crc32(bytes: Uint8Array, before = 0): number {
  if (!table) {
    table = new Uint32Array(256);
    for (let n = 0; n < 256; n++) {
      let c = n;
      for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
      table[n] = c >>> 0;
    }
  }
  let crc = (before ^ 0xffffffff) >>> 0;
  for (let i = 0; i < bytes.length; i++) crc = table[(crc ^ bytes[i]) & 255] ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}
