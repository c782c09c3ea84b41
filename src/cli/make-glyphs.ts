import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { DEFAULT_FONT, PACK_FONTS, PACK_SCRIPTS, PACK_SPANS } from "../maps/fonts/fonts.ts";
import { writeGlyphPack } from "../maps/text/glyph-pack.ts";
import { GLYPH_BORDER, GLYPH_EDGE, GLYPH_EM, GLYPH_SLOPE, type Glyph, writeGlyphs } from "../maps/text/glyphs.ts";

/**
 * Makes src/maps/fonts/glyphs.bin from the TrueType files of Noto Sans: `npm run glyphs`. The distance fields are
 * exact: for every pixel the distance to the flattened outline, inside by the nonzero rule.
 */
const require = createRequire(import.meta.url);
// biome-ignore lint/suspicious/noExplicitAny: the package has no types
const opentype: any = require("opentype.js");

type Line = [x0: number, y0: number, x1: number, y1: number];

/** Steps into which a curve is flattened; at 24 pixels to the em the error is below 1/100 pixel. */
const CURVE_STEPS = 8;
/** MapLibre counts a glyph's top from the ascender of its renderer's fonts. */
const ASCENDER = 26;

// biome-ignore lint/suspicious/noExplicitAny: as above
function outline(path: any): Line[] {
  const lines: Line[] = [];
  let [x, y, startX, startY] = [0, 0, 0, 0];
  const to = (nx: number, ny: number) => {
    if (nx !== x || ny !== y) lines.push([x, y, nx, ny]);
    [x, y] = [nx, ny];
  };
  for (const c of path.commands) {
    const [ox, oy] = [x, y];
    if (c.type === "M") [x, y, startX, startY] = [c.x, c.y, c.x, c.y];
    else if (c.type === "L") to(c.x, c.y);
    else if (c.type === "Z") to(startX, startY);
    else
      for (let i = 1; i <= CURVE_STEPS; i++) {
        const t = i / CURVE_STEPS;
        const u = 1 - t;
        if (c.type === "Q")
          to(u * u * ox + 2 * u * t * c.x1 + t * t * c.x, u * u * oy + 2 * u * t * c.y1 + t * t * c.y);
        else
          to(
            u ** 3 * ox + 3 * u * u * t * c.x1 + 3 * u * t * t * c.x2 + t ** 3 * c.x,
            u ** 3 * oy + 3 * u * u * t * c.y1 + 3 * u * t * t * c.y2 + t ** 3 * c.y,
          );
      }
  }
  return lines;
}

/** Positive inside. */
function signedDistance(lines: readonly Line[], x: number, y: number): number {
  let nearest = Infinity;
  let winding = 0;
  for (const [x0, y0, x1, y1] of lines) {
    const [dx, dy] = [x1 - x0, y1 - y0];
    const t = Math.max(0, Math.min(1, ((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy)));
    nearest = Math.min(nearest, Math.hypot(x0 + t * dx - x, y0 + t * dy - y));
    if (y0 <= y !== y1 <= y && x0 + ((y - y0) / dy) * dx > x) winding += y1 > y0 ? 1 : -1;
  }
  return winding !== 0 ? nearest : -nearest;
}

/**
 * Rounds to an eighth of a pixel, and cuts off distances that drawing never uses: halos reach 3.5 pixels out, smoothing
 * 2 in. This halves the pack and moves no outline by more than a sixteenth of a pixel.
 */
function quantise(value: number): number {
  const step = GLYPH_SLOPE / 4;
  const rounded = Math.round((value - GLYPH_EDGE) / step) * step + GLYPH_EDGE;
  return rounded < GLYPH_EDGE - 3.5 * GLYPH_SLOPE ? 0 : rounded > GLYPH_EDGE + 1.5 * GLYPH_SLOPE ? 255 : rounded;
}

// biome-ignore lint/suspicious/noExplicitAny: as above
function glyphOf(font: any, id: number): Glyph | undefined {
  const character = String.fromCodePoint(id);
  if (font.charToGlyphIndex(character) === 0) return undefined;
  const drawn = font.charToGlyph(character);
  const advance = Math.round((drawn.advanceWidth / font.unitsPerEm) * GLYPH_EM);
  const lines = outline(drawn.getPath(0, 0, GLYPH_EM));
  if (lines.length === 0) return { id, width: 0, height: 0, left: 0, top: 0, advance, field: undefined };
  const xs = lines.flatMap(([x0, , x1]) => [x0, x1]);
  const ys = lines.flatMap(([, y0, , y1]) => [y0, y1]);
  const [left, top] = [Math.floor(Math.min(...xs)), Math.floor(Math.min(...ys))];
  const [width, height] = [Math.ceil(Math.max(...xs)) - left, Math.ceil(Math.max(...ys)) - top];
  const across = width + 2 * GLYPH_BORDER;
  const field = new Uint8Array(across * (height + 2 * GLYPH_BORDER));
  for (let i = 0; i < field.length; i++) {
    const x = left - GLYPH_BORDER + (i % across) + 0.5;
    const y = top - GLYPH_BORDER + Math.floor(i / across) + 0.5;
    field[i] = quantise(GLYPH_EDGE + signedDistance(lines, x, y) * GLYPH_SLOPE);
  }
  return { id, width, height, left, top: -top - ASCENDER, advance, field };
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
writeFileSync(resolve(import.meta.dirname, "../maps/fonts/glyphs.bin"), pack);
console.log(`${pack.length} bytes`);
