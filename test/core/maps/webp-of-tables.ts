/**
 * A lossless WebP of 1024 × 1024 pixels in so many groups of five Huffman codes each (RFC 9649, section 5): a group takes
 * 20 bits of the file, and some 12 KB of a decoder's memory.
 */
export function webpOfTables(groups: number): Uint8Array {
  const bits = new Bits();
  const side = 1024;
  bits
    .put(0x2f, 8)
    .put(side - 1, 14)
    .put(side - 1, 14)
    .put(0, 4);
  // No transform, no colour cache; then an image of groups, an entry for 4 × 4 pixels, without a colour cache of its own.
  bits.put(0, 1).put(0, 1).put(1, 1).put(0, 3).put(0, 1);
  // Green has 280 symbols and red 256, of which the first 256 have codes of 8 bits; blue, alpha and distances have one symbol.
  for (const rest of [24, 0]) {
    bits.put(0, 1).put(8, 4);
    // Of the lengths of codes only 0 and 8 occur, in the order of the format: 17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8.
    for (const length of [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1]) bits.put(length, 3);
    bits.put(0, 1);
    for (let i = 0; i < 256; i++) bits.put(1, 1);
    for (let i = 0; i < rest; i++) bits.put(0, 1);
  }
  for (let i = 0; i < 3; i++) bits.put(ONE_SYMBOL, 4);
  for (let i = 0; i < (side / 4) ** 2; i++) {
    const group = i % groups;
    bits.put(mirrored(group & 255), 8).put(mirrored(group >> 8), 8);
  }
  for (let i = 0; i < 5 * groups; i++) bits.put(ONE_SYMBOL, 4);

  const { bytes } = bits;
  const file = new Uint8Array(20 + bytes.length + (bytes.length % 2));
  const view = new DataView(file.buffer);
  file.set(new TextEncoder().encode("RIFF....WEBPVP8L"));
  view.setUint32(4, file.length - 8, true);
  view.setUint32(16, bytes.length, true);
  file.set(bytes, 20);
  return file;
}

/** A simple code (1), of one symbol (0), of one bit (0), which is 0. */
const ONE_SYMBOL = 0b0001;

/** Codes are written from their most significant bit, numbers from their least. */
const mirrored = (value: number) => Number.parseInt(value.toString(2).padStart(8, "0").split("").reverse().join(""), 2);

class Bits {
  readonly bytes: number[] = [];
  #length = 0;

  put(value: number, count: number): this {
    for (let i = 0; i < count; i++, this.#length++) {
      if (this.#length % 8 === 0) this.bytes.push(0);
      this.bytes[this.bytes.length - 1] |= ((value >>> i) & 1) << (this.#length % 8);
    }
    return this;
  }
}
