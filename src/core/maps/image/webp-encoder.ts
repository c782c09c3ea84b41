import { type Code, huffmanCode, writeCode } from "./prefix-code.ts";
import type { Palette } from "./quantise.ts";

/**
 * Lossless WebP (VP8L; RFC 9649): the palette of a map and an index for each pixel. Flat areas and straight edges
 * repeat the pixels to the left or above: only these two distances are examined, which costs a comparison per pixel and
 * finds nearly all repetitions.
 */
const MAX_LENGTH = 4096;
const SHORTEST = 3;
/** Distances by RFC 9649, 5.2.2: 1 is the pixel above, 2 the one to the left; as prefix symbols one less. */
const ABOVE = 0;
const LEFT = 1;
/** Literals, then prefixes of lengths. */
const GREENS = 256 + 24;
/** With 16 colors or fewer several indexes share a pixel; a few more entries cost less than that. */
const MIN_COLORS = 17;

/** Accepts rows incrementally; stores one byte for each pixel. */
export class WebpEncoder {
  readonly #width: number;
  readonly #height: number;
  readonly #palette: Palette;
  readonly #indices: Uint8Array;
  #filled = 0;

  constructor(width: number, height: number, palette: Palette) {
    this.#width = width;
    this.#height = height;
    this.#palette = palette;
    this.#indices = new Uint8Array(width * height);
  }

  /** The next rows, as RGBA without transparency. */
  write(pixels: Uint8Array, rows: number): void {
    const width = this.#width;
    // Each row follows the number of its PNG filter.
    const indexed = this.#palette.indexRows(pixels, width, rows);
    for (let y = 0; y < rows; y++) {
      this.#indices.set(indexed.subarray(y * (width + 1) + 1, (y + 1) * (width + 1)), this.#filled);
      this.#filled += width;
    }
  }

  finish(): Uint8Array {
    const bits = new BitWriter();
    bits.put(0x2f, 8);
    bits.put(this.#width - 1, 14);
    bits.put(this.#height - 1, 14);
    // No transparency; version 0.
    bits.put(0, 4);
    this.#writePalette(bits);
    // No more transforms; no color cache; one set of codes for the entire image.
    bits.put(0, 3);
    writeImage(bits, this.#indices, this.#width);
    return riff(bits.bytes());
  }

  #writePalette(bits: BitWriter): void {
    const { colors } = this.#palette;
    const count = Math.max(MIN_COLORS, colors.length / 3);
    bits.put(1, 1);
    bits.put(3, 2);
    bits.put(count - 1, 8);
    // An image of one row, in which each color is stored as the difference to the previous one.
    bits.put(0, 1);
    const parts = [new Uint8Array(count), new Uint8Array(count), new Uint8Array(count), new Uint8Array(count)];
    for (let i = 0; i < count; i++) {
      const at = 3 * Math.min(i, colors.length / 3 - 1);
      for (let c = 0; c < 3; c++) {
        const before = i === 0 ? 0 : colors[3 * Math.min(i - 1, colors.length / 3 - 1) + c];
        parts[c][i] = colors[at + c] - before;
      }
      parts[3][i] = i === 0 ? 255 : 0;
    }
    const [red, green, blue, alpha] = parts;
    const codes = [green, red, blue, alpha].map((part, i) => codeOf(part, i === 0 ? GREENS : 256));
    for (const code of codes) writeCode(bits, code);
    writeCode(bits, codeOf(new Uint8Array(0), 40));
    const values = [green, red, blue, alpha];
    for (let i = 0; i < count; i++) for (let k = 0; k < 4; k++) codes[k].put(bits, values[k][i]);
  }
}

function codeOf(values: Uint8Array, symbols: number): Code {
  const counts = new Uint32Array(symbols);
  for (const value of values) counts[value]++;
  return huffmanCode(counts);
}

/** The indexes as literals and copies; red, blue and alpha are always the same and cost nothing. */
function writeImage(bits: BitWriter, indices: Uint8Array, width: number): void {
  const greens = new Uint32Array(GREENS);
  const distances = new Uint32Array(40);
  eachToken(indices, width, (literal, length, distance) => {
    if (length === 0) greens[literal]++;
    else {
      greens[256 + prefixOf(length).symbol]++;
      distances[distance]++;
    }
  });
  const [green, distance] = [huffmanCode(greens), huffmanCode(distances)];
  const zero = huffmanCode(Uint32Array.of(1));
  for (const code of [green, zero, zero, zero, distance]) writeCode(bits, code);
  eachToken(indices, width, (literal, length, from) => {
    if (length === 0) return green.put(bits, literal);
    const { symbol, extra, extraBits } = prefixOf(length);
    green.put(bits, 256 + symbol);
    bits.put(extra, extraBits);
    distance.put(bits, from);
  });
}

/** Generates the same tokens on every call: counting them and writing them needs no list. */
function eachToken(
  indices: Uint8Array,
  width: number,
  token: (literal: number, length: number, distance: number) => void,
): void {
  const reach = (at: number, back: number) => {
    if (at < back) return 0;
    const end = Math.min(indices.length, at + MAX_LENGTH);
    let to = at;
    while (to < end && indices[to] === indices[to - back]) to++;
    return to - at;
  };
  for (let at = 0; at < indices.length; ) {
    const left = reach(at, 1);
    const above = left >= MAX_LENGTH ? 0 : reach(at, width);
    const length = Math.max(left, above);
    if (length >= SHORTEST) {
      token(0, length, above >= left ? ABOVE : LEFT);
      at += length;
    } else token(indices[at++], 0, 0);
  }
}

/** A length as a symbol and extra bits (RFC 9649, 5.2.2). */
function prefixOf(value: number): { symbol: number; extra: number; extraBits: number } {
  if (value <= 4) return { symbol: value - 1, extra: 0, extraBits: 0 };
  const rest = value - 1;
  const high = 31 - Math.clz32(rest);
  const extraBits = high - 1;
  return { symbol: 2 * high + ((rest >> extraBits) & 1), extra: rest & ((1 << extraBits) - 1), extraBits };
}

function riff(stream: Uint8Array): Uint8Array {
  const padded = stream.length + (stream.length & 1);
  const out = new Uint8Array(20 + padded);
  const view = new DataView(out.buffer);
  const name = (text: string, at: number) => {
    for (let i = 0; i < 4; i++) out[at + i] = text.charCodeAt(i);
  };
  name("RIFF", 0);
  view.setUint32(4, 12 + padded, true);
  name("WEBP", 8);
  name("VP8L", 12);
  view.setUint32(16, stream.length, true);
  out.set(stream, 20);
  return out;
}

/** Bits from the lowest of each byte. */
class BitWriter {
  #bytes = new Uint8Array(1 << 16);
  #length = 0;
  #buffer = 0;
  #pending = 0;

  /** At most 16 per call. */
  put(value: number, count: number): void {
    this.#buffer |= value << this.#pending;
    this.#pending += count;
    while (this.#pending >= 8) {
      if (this.#length === this.#bytes.length) {
        const larger = new Uint8Array(2 * this.#length);
        larger.set(this.#bytes);
        this.#bytes = larger;
      }
      this.#bytes[this.#length++] = this.#buffer & 255;
      this.#buffer >>>= 8;
      this.#pending -= 8;
    }
  }

  bytes(): Uint8Array {
    if (this.#pending > 0) this.put(0, 8 - this.#pending);
    return this.#bytes.slice(0, this.#length);
  }
}
