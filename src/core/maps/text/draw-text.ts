import type { Color } from "../base/color.ts";
import type { Raster } from "../image/sprite.ts";
import type { FontSet } from "./font-set.ts";
import { GLYPH_BORDER, GLYPH_EDGE, GLYPH_EM, GLYPH_SLOPE, type Glyph } from "./glyphs.ts";
import type { PlacedGlyph, PlacedText } from "./label.ts";

/** MapLibre counts a glyph's top from 26 pixels above the baseline. */
const ASCENDER = 26;

/**
 * Stems of small type are thinner than a pixel and would look gray: letters grow by this much [pixels of the image].
 */
const STEM = 0.12;

/**
 * Draws texts from distance fields (Green 2007, "Improved Alpha-Tested Magnification"): halos first, letters over them.
 */
export function drawTexts(raster: Raster, texts: readonly PlacedText[], fonts: FontSet, scale: number): void {
  for (const text of texts) {
    const { boxes } = text;
    let top = Infinity;
    let bottom = -Infinity;
    for (const box of boxes) {
      if (box.top < top) top = box.top;
      if (box.bottom > bottom) bottom = box.bottom;
    }
    if (bottom * scale < raster.top || top * scale > raster.top + raster.height) continue;
    if (text.haloColor && text.haloWidth > 0)
      drawGlyphs(raster, text, fonts, scale, text.haloColor, text.haloWidth * scale);
    drawGlyphs(raster, text, fonts, scale, text.color, STEM);
  }
}

interface Ink {
  color: Color;
  /** Value of the field at which the ink begins, and its change per pixel of the image. */
  low: number;
  perPixel: number;
}

/** @param grow how far beyond the outline [pixels of the image] */
function drawGlyphs(raster: Raster, text: PlacedText, fonts: FontSet, scale: number, color: Color, grow: number): void {
  // Pixels of the image per pixel of the field.
  const k = (text.size * scale) / GLYPH_EM;
  const perPixel = GLYPH_SLOPE / k;
  const edge = GLYPH_EDGE - Math.min(grow * perPixel, 3.4 * GLYPH_SLOPE);
  // Coverage rises over one pixel of the image around the outline.
  const ink = { color, low: edge - perPixel / 2, perPixel };
  for (const placed of text.glyphs) {
    const glyph = fonts.glyph(text.font, placed.code);
    if (glyph?.field) drawGlyph(raster, glyph as DrawnGlyph, placed, scale, k, ink);
  }
}

type DrawnGlyph = Glyph & { field: Uint8Array };

function drawGlyph(raster: Raster, glyph: DrawnGlyph, placed: PlacedGlyph, scale: number, k: number, ink: Ink): void {
  const { width, height } = raster;
  const { x, y, cos, sin } = placed;
  const across = glyph.width + 2 * GLYPH_BORDER;
  const down = glyph.height + 2 * GLYPH_BORDER;
  // The field's corner from the pen on the baseline [pixels of the field].
  const fieldLeft = glyph.left - GLYPH_BORDER;
  const fieldTop = -(glyph.top + ASCENDER) - GLYPH_BORDER;
  const px = x * scale;
  const py = y * scale - raster.top;
  let x0 = Infinity;
  let y0 = Infinity;
  let x1 = -Infinity;
  let y1 = -Infinity;
  for (let corner = 0; corner < 4; corner++) {
    const a = (fieldLeft + (corner & 1 ? across : 0)) * k;
    const b = (fieldTop + (corner & 2 ? down : 0)) * k;
    const cx = px + a * cos - b * sin;
    const cy = py + a * sin + b * cos;
    x0 = Math.min(x0, cx);
    x1 = Math.max(x1, cx);
    y0 = Math.min(y0, cy);
    y1 = Math.max(y1, cy);
  }
  const fromX = Math.max(0, Math.floor(x0));
  const toX = Math.min(width - 1, Math.ceil(x1));
  const fromY = Math.max(0, Math.floor(y0));
  const toY = Math.min(height - 1, Math.ceil(y1));
  const dx = fromX + 0.5 - px;
  for (let iy = fromY; iy <= toY; iy++) {
    const dy = iy + 0.5 - py;
    const a = (dx * cos + dy * sin) / k - fieldLeft - 0.5;
    const b = (-dx * sin + dy * cos) / k - fieldTop - 0.5;
    drawRow(raster.pixels, (iy * width + fromX) * 4, toX - fromX + 1, glyph.field, across, down, a, b, cos / k, -sin / k, ink); // biome-ignore format: a line
  }
}

/** A function of its own: the first map of an isolate calls it often enough for the engine to compile it in time. */
function drawRow(
  pixels: Uint8Array,
  first: number,
  count: number,
  field: Uint8Array,
  across: number,
  down: number,
  firstA: number,
  firstB: number,
  stepA: number,
  stepB: number,
  ink: Ink,
): void {
  const { low, perPixel } = ink;
  const [red, green, blue, opacity] = ink.color;
  let a = firstA;
  let b = firstB;
  const end = first + 4 * count;
  for (let at = first; at < end; at += 4, a += stepA, b += stepB) {
    if (a < 0 || b < 0 || a >= across - 1 || b >= down - 1) continue;
    const ia = a | 0;
    const ib = b | 0;
    const ta = a - ia;
    const tb = b - ib;
    const q = ib * across + ia;
    const upper = field[q] + (field[q + 1] - field[q]) * ta;
    const lower = field[q + across] + (field[q + across + 1] - field[q + across]) * ta;
    let alpha = (upper + (lower - upper) * tb - low) / perPixel;
    if (alpha <= 0) continue;
    alpha = (alpha > 1 ? 1 : alpha) * opacity;
    pixels[at] += (red - pixels[at]) * alpha + 0.5;
    pixels[at + 1] += (green - pixels[at + 1]) * alpha + 0.5;
    pixels[at + 2] += (blue - pixels[at + 2]) * alpha + 0.5;
  }
}
