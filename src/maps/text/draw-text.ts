import type { Color } from "../color.ts";
import type { Raster } from "../image/sprite.ts";
import type { PlacedText } from "../labels/label.ts";
import type { FontSet } from "./font-set.ts";
import { GLYPH_BORDER, GLYPH_EDGE, GLYPH_EM, GLYPH_SLOPE } from "./glyphs.ts";

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

/** @param grow how far beyond the outline [pixels of the image] */
function drawGlyphs(raster: Raster, text: PlacedText, fonts: FontSet, scale: number, color: Color, grow: number): void {
  const { pixels, width, height } = raster;
  const [red, green, blue, opacity] = color;
  // Pixels of the image per pixel of the field.
  const k = (text.size * scale) / GLYPH_EM;
  const perPixel = GLYPH_SLOPE / k;
  const edge = GLYPH_EDGE - Math.min(grow * perPixel, 3.4 * GLYPH_SLOPE);
  // Coverage rises over one pixel of the image around the outline.
  const low = edge - perPixel / 2;
  for (const { code, x, y, cos, sin } of text.glyphs) {
    const glyph = fonts.glyph(text.font, code);
    if (!glyph?.field) continue;
    const { field } = glyph;
    const across = glyph.width + 2 * GLYPH_BORDER;
    const down = glyph.height + 2 * GLYPH_BORDER;
    // The field's corner from the pen on the baseline [pixels of the field].
    const fieldLeft = glyph.left - GLYPH_BORDER;
    const fieldTop = -(glyph.top + ASCENDER) - GLYPH_BORDER;
    const px = x * scale;
    const py = y * scale - raster.top;
    let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
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
    const stepA = cos / k;
    const stepB = -sin / k;
    for (let iy = fromY; iy <= toY; iy++) {
      const dx = fromX + 0.5 - px;
      const dy = iy + 0.5 - py;
      let a = (dx * cos + dy * sin) / k - fieldLeft - 0.5;
      let b = (-dx * sin + dy * cos) / k - fieldTop - 0.5;
      let at = (iy * width + fromX) * 4;
      for (let ix = fromX; ix <= toX; ix++, at += 4, a += stepA, b += stepB) {
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
  }
}
