/**
 * JPEG, baseline (ITU-T T.81): for maps where PNG is not supported. Colors have full resolution (4:4:4), because the
 * letters of a map are colored edges; quantization and Huffman tables are those of the standard's annex K.
 */
const QUALITY = 85;

const ZIGZAG = [
  ...[
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21,
    28,
  ],
  ...[
    35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47,
    55, 62, 63,
  ],
];
/** K.1 and K.2, row by row. */
const LUMINANCE = [
  ...[
    16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29, 51,
    87, 80, 62,
  ],
  ...[
    18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95,
    98, 112, 100, 103, 99,
  ],
];
const CHROMINANCE = [
  ...[
    17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99, 24, 26, 56, 99, 99, 99, 99, 99, 47, 66, 99, 99, 99,
    99, 99, 99,
  ],
  ...Array<number>(32).fill(99),
];

/** A Huffman table: the number of codes of each length, and their symbols. */
interface HuffmanTable {
  counts: readonly number[];
  values: readonly number[];
}

const DC_LUMINANCE: HuffmanTable = { counts: [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0], values: range(12) };
const DC_CHROMINANCE: HuffmanTable = { counts: [0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0], values: range(12) };
const AC_LUMINANCE: HuffmanTable = {
  counts: [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 0x7d],
  values: bytesOf(
    "01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282090a161718191a25262728292a3435363738393a434445464748494a535455565758595a636465666768696a737475767778797a838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9fa",
  ),
};
const AC_CHROMINANCE: HuffmanTable = {
  counts: [0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 0x77],
  values: bytesOf(
    "000102031104052131120641510761711322328108144291a1b1c109233352f0156272d10a162434e125f11718191a262728292a35363738393a434445464748494a535455565758595a636465666768696a737475767778797a82838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae2e3e4e5e6e7e8e9eaf2f3f4f5f6f7f8f9fa",
  ),
};

function range(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}

function bytesOf(hex: string): number[] {
  return Array.from({ length: hex.length / 2 }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16));
}

/** Accepts rows incrementally, and buffers eight of them. */
export class JpegEncoder {
  readonly #width: number;
  readonly #out: Output;
  readonly #components: Component[];
  #rows: Uint8Array;
  #filled = 0;

  constructor(width: number, height: number, quality = QUALITY) {
    this.#width = width;
    this.#rows = new Uint8Array(4 * width * 8);
    const scaled = (table: readonly number[]) => {
      const factor = quality < 50 ? 5000 / quality : 200 - 2 * quality;
      return table.map((value) => Math.max(1, Math.min(255, Math.floor((value * factor + 50) / 100))));
    };
    const [luminance, chrominance] = [scaled(LUMINANCE), scaled(CHROMINANCE)];
    this.#components = [
      new Component(luminance, DC_LUMINANCE, AC_LUMINANCE),
      new Component(chrominance, DC_CHROMINANCE, AC_CHROMINANCE),
      new Component(chrominance, DC_CHROMINANCE, AC_CHROMINANCE),
    ];
    this.#out = new Output();
    this.#header(height, [luminance, chrominance]);
  }

  /** The next rows, as RGBA without transparency. */
  write(pixels: Uint8Array, rows: number): void {
    const stride = 4 * this.#width;
    for (let y = 0; y < rows; y++) {
      this.#rows.set(pixels.subarray(y * stride, (y + 1) * stride), stride * this.#filled);
      this.#filled++;
      if (this.#filled === 8) this.#flush();
    }
  }

  finish(): Uint8Array {
    if (this.#filled > 0) {
      // The last row is repeated to the end of its blocks.
      const stride = 4 * this.#width;
      const last = this.#rows.slice(stride * (this.#filled - 1), stride * this.#filled);
      while (this.#filled < 8) this.#rows.set(last, stride * this.#filled++);
      this.#flush();
    }
    this.#out.align();
    this.#out.bytes(0xff, 0xd9);
    return this.#out.taken();
  }

  #flush(): void {
    const width = this.#width;
    const blocks = [new Float64Array(64), new Float64Array(64), new Float64Array(64)];
    for (let left = 0; left < width; left += 8) {
      for (let y = 0; y < 8; y++)
        for (let x = 0; x < 8; x++) {
          const at = 4 * (y * width + Math.min(width - 1, left + x));
          const [r, g, b] = [this.#rows[at], this.#rows[at + 1], this.#rows[at + 2]];
          const i = 8 * y + x;
          // JFIF's Y, Cb and Cr, moved to around 0.
          blocks[0][i] = 0.299 * r + 0.587 * g + 0.114 * b - 128;
          blocks[1][i] = -0.168736 * r - 0.331264 * g + 0.5 * b;
          blocks[2][i] = 0.5 * r - 0.418688 * g - 0.081312 * b;
        }
      this.#components.forEach((component, i) => {
        component.write(blocks[i], this.#out);
      });
    }
    this.#filled = 0;
  }

  #header(height: number, tables: readonly (readonly number[])[]): void {
    const out = this.#out;
    const word = (value: number) => [value >> 8, value & 255];
    out.bytes(0xff, 0xd8, 0xff, 0xe0, ...word(16), 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, ...word(1), ...word(1), 0, 0);
    tables.forEach((table, id) => {
      out.bytes(0xff, 0xdb, ...word(67), id, ...ZIGZAG.map((i) => table[i]));
    });
    const parts = [1, 2, 3].flatMap((id) => [id, 0x11, id === 1 ? 0 : 1]);
    out.bytes(0xff, 0xc0, ...word(17), 8, ...word(height), ...word(this.#width), 3, ...parts);
    const huffman: [number, HuffmanTable][] = [
      [0x00, DC_LUMINANCE],
      [0x10, AC_LUMINANCE],
      [0x01, DC_CHROMINANCE],
      [0x11, AC_CHROMINANCE],
    ];
    for (const [id, { counts, values }] of huffman)
      out.bytes(0xff, 0xc4, ...word(19 + values.length), id, ...counts, ...values);
    out.bytes(0xff, 0xda, ...word(12), 3, 1, 0x00, 2, 0x11, 3, 0x11, 0, 63, 0);
  }
}

/** Codes by value: the bits, and above them their number. */
function codesOf({ counts, values }: HuffmanTable): Uint32Array {
  const codes = new Uint32Array(256);
  let code = 0;
  let at = 0;
  counts.forEach((count, i) => {
    for (let k = 0; k < count; k++) codes[values[at++]] = ((i + 1) << 16) | code++;
    code <<= 1;
  });
  return codes;
}

/** cos((2x + 1) u π / 16), with the factors of the transform. */
const COSINES = Float64Array.from({ length: 64 }, (_, i) => {
  const [u, x] = [i >> 3, i & 7];
  return (u === 0 ? Math.SQRT1_2 : 1) * 0.5 * Math.cos(((2 * x + 1) * u * Math.PI) / 16);
});

class Component {
  readonly #quantiser: Float64Array;
  readonly #dc: Uint32Array;
  readonly #ac: Uint32Array;
  readonly #columns = new Float64Array(64);
  readonly #levels = new Int32Array(64);
  #before = 0;

  constructor(quantiser: readonly number[], dc: HuffmanTable, ac: HuffmanTable) {
    this.#quantiser = Float64Array.from(quantiser);
    this.#dc = codesOf(dc);
    this.#ac = codesOf(ac);
  }

  /** A block of 8 × 8, transformed, quantized and encoded. */
  write(block: Float64Array, out: Output): void {
    this.#transform(block);
    const levels = this.#levels;
    const change = levels[0] - this.#before;
    this.#before = levels[0];
    const size = bitsOf(change);
    out.code(this.#dc[size]);
    out.bits(change < 0 ? change + (1 << size) - 1 : change, size);
    let zeros = 0;
    for (let i = 1; i < 64; i++) {
      const level = levels[i];
      if (level === 0) {
        zeros++;
        continue;
      }
      for (; zeros > 15; zeros -= 16) out.code(this.#ac[0xf0]);
      const bits = bitsOf(level);
      out.code(this.#ac[(zeros << 4) | bits]);
      out.bits(level < 0 ? level + (1 << bits) - 1 : level, bits);
      zeros = 0;
    }
    if (zeros > 0) out.code(this.#ac[0]);
  }

  /** The discrete cosine transform, columns and then rows; most blocks of a map have a single color. */
  #transform(block: Float64Array): void {
    const levels = this.#levels;
    const first = block[0];
    if (block.every((value) => value === first)) {
      levels.fill(0);
      levels[0] = Math.round((8 * first) / this.#quantiser[0]);
      return;
    }
    const columns = this.#columns;
    for (let u = 0; u < 8; u++)
      for (let x = 0; x < 8; x++) {
        let sum = 0;
        for (let y = 0; y < 8; y++) sum += COSINES[8 * u + y] * block[8 * y + x];
        columns[8 * u + x] = sum;
      }
    for (let k = 0; k < 64; k++) {
      const at = ZIGZAG[k];
      const [u, v] = [at >> 3, at & 7];
      let sum = 0;
      for (let x = 0; x < 8; x++) sum += COSINES[8 * v + x] * columns[8 * u + x];
      levels[k] = Math.round(sum / this.#quantiser[at]);
    }
  }
}

/** Number of bits of an absolute value. */
const bitsOf = (value: number) => 32 - Math.clz32(Math.abs(value));

/** Bytes, and bits from the highest; a byte 255 among the bits is followed by 0. */
class Output {
  #bytes = new Uint8Array(1 << 16);
  #length = 0;
  #buffer = 0;
  #pending = 0;

  bytes(...values: number[]): void {
    for (const value of values) this.#put(value);
  }

  #put(value: number): void {
    if (this.#length === this.#bytes.length) {
      const larger = new Uint8Array(2 * this.#length);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes[this.#length++] = value;
  }

  code(entry: number): void {
    this.bits(entry & 0xffff, entry >> 16);
  }

  /** At most 16 per call. */
  bits(value: number, count: number): void {
    this.#buffer = (this.#buffer << count) | (value & ((1 << count) - 1));
    this.#pending += count;
    while (this.#pending >= 8) {
      this.#pending -= 8;
      const byte = (this.#buffer >> this.#pending) & 255;
      this.#put(byte);
      if (byte === 255) this.#put(0);
    }
    this.#buffer &= (1 << this.#pending) - 1;
  }

  /** Fills the last byte with ones. */
  align(): void {
    if (this.#pending > 0) this.bits(127, 8 - this.#pending);
  }

  taken(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }
}
