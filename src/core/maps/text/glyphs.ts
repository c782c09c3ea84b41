/**
 * Glyphs as MapLibre has them: 24 pixels to the em, a border of 3 pixels, 192 at the outline and 32 more per pixel
 * inwards.
 */
export const GLYPH_EM = 24;
export const GLYPH_BORDER = 3;
/** The value of the field at the outline. */
export const GLYPH_EDGE = 192;
/** How the field rises per pixel. */
export const GLYPH_SLOPE = 32;

export interface Glyph {
  id: number;
  /** Size of the drawn part, without the border; the field has 2 × 3 more in each direction. */
  width: number;
  height: number;
  /**
   * From the pen to the glyph's left, and from the line of ascenders (MapLibre's origin, 24 above … ) down to its top.
   */
  left: number;
  top: number;
  /** [1/24 em] */
  advance: number;
  field: Uint8Array | undefined;
}

/** Reads `glyphs { stacks { name, range, glyphs { id, bitmap, width, height, left, top, advance } } }`. */
export function readGlyphs(bytes: Uint8Array): Glyph[] {
  const glyphs: Glyph[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
    }
  };
  const skip = (wire: number): void => {
    if (wire === 0) varint();
    else if (wire === 2) {
      // First the length, which moves `at` itself.
      const length = varint();
      at += length;
    } else at += wire === 5 ? 4 : 8;
  };
  const signed = () => {
    const value = varint();
    return (value >>> 1) ^ -(value & 1);
  };
  const glyph = (end: number): void => {
    const one: Glyph = { id: 0, width: 0, height: 0, left: 0, top: 0, advance: 0, field: undefined };
    while (at < end) {
      const key = varint();
      if (key === 8) one.id = varint();
      else if (key === 18) {
        const length = varint();
        one.field = bytes.subarray(at, at + length);
        at += length;
      } else if (key === 24) one.width = varint();
      else if (key === 32) one.height = varint();
      else if (key === 40) one.left = signed();
      else if (key === 48) one.top = signed();
      else if (key === 56) one.advance = varint();
      else skip(key & 7);
    }
    if (one.field?.length !== (one.width + 2 * GLYPH_BORDER) * (one.height + 2 * GLYPH_BORDER)) one.field = undefined;
    glyphs.push(one);
  };
  while (at < bytes.length) {
    if (varint() !== 10) throw new Error("These are no glyphs.");
    const end = varint() + at;
    while (at < end) {
      const key = varint();
      if (key === 26) glyph(varint() + at);
      else skip(key & 7);
    }
  }
  return glyphs;
}

/** Writes the format of `readGlyphs`. */
export function writeGlyphs(font: string, range: string, glyphs: readonly Glyph[]): Uint8Array {
  const out: number[] = [];
  const varint = (to: number[], value: number) => {
    let v = value >>> 0;
    for (; v > 127; v >>>= 7) to.push((v & 127) | 128);
    to.push(v);
  };
  const bytes = (to: number[], key: number, value: ArrayLike<number>) => {
    to.push(key);
    varint(to, value.length);
    for (let i = 0; i < value.length; i++) to.push(value[i]);
  };
  const signed = (value: number) => (value << 1) ^ (value >> 31);
  const utf8 = new TextEncoder();
  bytes(out, 10, utf8.encode(font));
  bytes(out, 18, utf8.encode(range));
  for (const { id, width, height, left, top, advance, field } of glyphs) {
    const one: number[] = [8];
    varint(one, id);
    if (field) bytes(one, 18, field);
    for (const [key, value] of [
      [24, width],
      [32, height],
      [40, signed(left)],
      [48, signed(top)],
      [56, advance],
    ]) {
      one.push(key);
      varint(one, value);
    }
    bytes(out, 26, one);
  }
  const whole: number[] = [];
  bytes(whole, 10, out);
  return Uint8Array.from(whole);
}
