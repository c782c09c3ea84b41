import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { DEFAULT_FONT, PACK_FONTS, PACK_SCRIPTS, PACK_SPANS } from "../../core/maps/fonts/fonts.ts";
import { writeGlyphPack } from "../../core/maps/text/glyph-pack.ts";
import { GLYPH_EM, type Glyph, writeGlyphs } from "../../core/maps/text/glyphs.ts";
import { flatten, glyphOfLines } from "../../importer/glyphs/distance-field.ts";

/**
 * Makes src/core/maps/fonts/glyphs.bin from the TrueType files of Noto Sans: `npm run glyphs`. The distance fields are
 * exact (importer/glyphs/distance-field.ts).
 */
const require = createRequire(import.meta.url);
// biome-ignore lint/suspicious/noExplicitAny: the package has no types
const opentype: any = require("opentype.js");

// biome-ignore lint/suspicious/noExplicitAny: as above
function glyphOf(font: any, id: number): Glyph | undefined {
  const character = String.fromCodePoint(id);
  if (font.charToGlyphIndex(character) === 0) return undefined;
  const drawn = font.charToGlyph(character);
  const advance = Math.round((drawn.advanceWidth / font.unitsPerEm) * GLYPH_EM);
  return glyphOfLines(flatten(drawn.getPath(0, 0, GLYPH_EM).commands), id, advance);
}

const ranges: { font: string; first: number; gzipped: Uint8Array }[] = [];
// biome-ignore lint/suspicious/noExplicitAny: as above
function openFont(file: string): any {
  const bytes = readFileSync(require.resolve(`@expo-google-fonts/${file}`));
  return opentype.parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}

for (const { name, file } of PACK_FONTS) {
  const byRange = new Map<number, Glyph[]>();
  const scripts = name === DEFAULT_FONT ? PACK_SCRIPTS : [];
  for (const part of [{ file, spans: PACK_SPANS }, ...scripts]) {
    const font = openFont(part.file);
    for (const [from, to] of part.spans)
      for (let id = from; id <= to; id++) {
        const glyph = glyphOf(font, id);
        const first = id - (id % 256);
        if (glyph) byRange.set(first, [...(byRange.get(first) ?? []), glyph]);
      }
  }
  for (const [first, glyphs] of byRange) {
    const gzipped = gzipSync(writeGlyphs(name, `${first}-${first + 255}`, glyphs), { level: 9 });
    ranges.push({ font: name, first, gzipped });
    console.log(`${name} ${first}: ${glyphs.length} glyphs, ${gzipped.length} bytes`);
  }
}
const pack = writeGlyphPack(
  PACK_FONTS.map(({ name }) => name),
  ranges,
);
writeFileSync(resolve(import.meta.dirname, "../../core/maps/fonts/glyphs.bin"), pack);
console.log(`${pack.length} bytes`);
