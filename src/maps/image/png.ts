import { buildPalette, type Palette } from "./quantise.ts";

/** PNG (ISO/IEC 15948) with 8-bit palette indices, rows without filter: maps have few colours and large flat areas. */
const SIGNATURE = Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10);

/** The whole image from RGBA pixels. */
export async function encodePng(pixels: Uint8Array, width: number, height: number): Promise<Uint8Array> {
  const encoder = new PngEncoder(width, height, buildPalette(pixels));
  await encoder.write(pixels, height);
  return encoder.finish();
}

/** Takes rows as they are made, so that an image never has to be in memory as a whole. */
export class PngEncoder {
  readonly #width: number;
  readonly #height: number;
  readonly #palette: Palette;
  readonly #writer: WritableStreamDefaultWriter<BufferSource>;
  readonly #compressed: Promise<Uint8Array>;

  constructor(width: number, height: number, palette: Palette) {
    this.#width = width;
    this.#height = height;
    this.#palette = palette;
    const stream = new CompressionStream("deflate");
    this.#writer = stream.writable.getWriter();
    this.#compressed = readAll(stream.readable);
    // A failure is reported by `finish`.
    this.#compressed.catch(() => {});
  }

  /** The next rows, as RGBA. */
  async write(pixels: Uint8Array, rows: number): Promise<void> {
    await this.#writer.write(this.#palette.indexRows(pixels, this.#width, rows) as BufferSource);
  }

  async finish(): Promise<Uint8Array> {
    await this.#writer.close();
    const data = await this.#compressed;
    const header = new Uint8Array(13);
    const view = new DataView(header.buffer);
    view.setUint32(0, this.#width);
    view.setUint32(4, this.#height);
    // 8 bits, colour type 3: palette.
    header[8] = 8;
    header[9] = 3;
    return join([
      SIGNATURE,
      chunk("IHDR", header),
      chunk("PLTE", this.#palette.colors),
      chunk("IDAT", data),
      chunk("IEND", new Uint8Array(0)),
    ]);
  }
}

async function readAll(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return join(parts);
    parts.push(value);
  }
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

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(data.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  for (let i = 0; i < 4; i++) bytes[4 + i] = type.charCodeAt(i);
  bytes.set(data, 8);
  view.setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)));
  return bytes;
}

let table: Uint32Array | undefined;

/** PNG, annex D. */
export function crc32(bytes: Uint8Array): number {
  if (!table) {
    table = new Uint32Array(256);
    for (let n = 0; n < 256; n++) {
      let c = n;
      for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
      table[n] = c >>> 0;
    }
  }
  let crc = 0xffffffff;
  for (let i = 0; i < bytes.length; i++) crc = table[(crc ^ bytes[i]) & 255] ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}
