/**
 * The glyphs that ship with the Worker: signed distance fields in the MapLibre glyph format, one gzipped protocol
 * buffer per font and range of 256 characters.
 *
 *     0   "GGLY"
 *     4   u8  version 1
 *     5   u8  number of fonts n
 *     6   u16 number of ranges m
 *     8   n × { u8 length, name in UTF-8 }
 *     …   m × { u8 font, u24 first character / 256, u32 offset from the start of the pack, u32 length }
 *     …   the ranges, gzipped
 *
 * All numbers little-endian. Written by src/demo/make/make-glyphs.ts.
 */
export const PACK_VERSION = 1;

export class GlyphPack {
  readonly #ranges = new Map<string, Uint8Array>();
  readonly fonts: string[] = [];

  /** Throws if the bytes are not a pack of this version. */
  constructor(bytes: Uint8Array) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const magic = String.fromCharCode(...bytes.subarray(0, 4));
    if (magic !== "GGLY" || bytes[4] !== PACK_VERSION)
      throw new Error(`This is no glyph pack of version ${PACK_VERSION}.`);
    let at = 8;
    for (let i = 0; i < bytes[5]; i++) {
      this.fonts.push(new TextDecoder().decode(bytes.subarray(at + 1, at + 1 + bytes[at])));
      at += 1 + bytes[at];
    }
    for (let i = view.getUint16(6, true); i > 0; i--, at += 12) {
      const head = view.getUint32(at, true);
      const offset = view.getUint32(at + 4, true);
      this.#ranges.set(
        `${this.fonts[head & 255]}/${(head >>> 8) * 256}`,
        bytes.subarray(offset, offset + view.getUint32(at + 8, true)),
      );
    }
  }

  /** The gzipped glyphs `first` to `first + 255` of a font; undefined if the pack has none. */
  range(font: string, first: number): Uint8Array | undefined {
    return this.#ranges.get(`${font}/${first}`);
  }
}

export function writeGlyphPack(
  fonts: readonly string[],
  ranges: readonly { font: string; first: number; gzipped: Uint8Array }[],
): Uint8Array {
  const names = fonts.map((font) => new TextEncoder().encode(font));
  const head = 8 + names.reduce((sum, name) => sum + 1 + name.length, 0) + 12 * ranges.length;
  const bytes = new Uint8Array(head + ranges.reduce((sum, { gzipped }) => sum + gzipped.length, 0));
  const view = new DataView(bytes.buffer);
  bytes.set([...new TextEncoder().encode("GGLY"), PACK_VERSION, fonts.length]);
  view.setUint16(6, ranges.length, true);
  let at = 8;
  for (const name of names) {
    bytes[at] = name.length;
    bytes.set(name, at + 1);
    at += 1 + name.length;
  }
  let offset = head;
  for (const { font, first, gzipped } of ranges) {
    view.setUint32(at, fonts.indexOf(font) | ((first / 256) << 8), true);
    view.setUint32(at + 4, offset, true);
    view.setUint32(at + 8, gzipped.length, true);
    bytes.set(gzipped, offset);
    at += 12;
    offset += gzipped.length;
  }
  return bytes;
}
