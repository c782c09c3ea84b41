import { GLYPH_BORDER, GLYPH_EDGE, GLYPH_SLOPE, type Glyph } from "../../core/maps/text/glyphs.ts";

/** A straight piece of an outline [pixels at 24 to the em, y downwards]. */
export type Line = [x0: number, y0: number, x1: number, y1: number];

/** A command of a path, as opentype.js and HarfBuzz call them. */
export interface PathCommand {
  type: "M" | "L" | "Q" | "C" | "Z";
  x?: number;
  y?: number;
  x1?: number;
  y1?: number;
  x2?: number;
  y2?: number;
}

/** Steps into which a curve is flattened; at 24 pixels to the em the error is below 1/100 pixel. */
const CURVE_STEPS = 8;
/** MapLibre counts a glyph's top from the ascender of its renderer's fonts. */
const ASCENDER = 26;

/** The outline as straight lines; contours are closed. */
export function flatten(commands: readonly PathCommand[], steps = CURVE_STEPS): Line[] {
  const lines: Line[] = [];
  let [x, y, startX, startY] = [0, 0, 0, 0];
  const to = (nx: number, ny: number) => {
    if (nx !== x || ny !== y) lines.push([x, y, nx, ny]);
    [x, y] = [nx, ny];
  };
  for (const { type, x: cx = 0, y: cy = 0, x1 = 0, y1 = 0, x2 = 0, y2 = 0 } of commands) {
    const [ox, oy] = [x, y];
    if (type === "M") {
      to(startX, startY);
      [x, y, startX, startY] = [cx, cy, cx, cy];
    } else if (type === "L") to(cx, cy);
    else if (type === "Z") to(startX, startY);
    else
      for (let i = 1; i <= steps; i++) {
        const t = i / steps;
        const u = 1 - t;
        if (type === "Q") to(u * u * ox + 2 * u * t * x1 + t * t * cx, u * u * oy + 2 * u * t * y1 + t * t * cy);
        else
          to(
            u ** 3 * ox + 3 * u * u * t * x1 + 3 * u * t * t * x2 + t ** 3 * cx,
            u ** 3 * oy + 3 * u * u * t * y1 + 3 * u * t * t * y2 + t ** 3 * cy,
          );
      }
  }
  to(startX, startY);
  return lines;
}

/** Distances that drawing uses: halos reach 3.5 pixels out, smoothing 2 in [pixels]. */
const REACH = 3.5;

/**
 * The field of an outline: for every pixel the distance to the nearest line, positive inside by the nonzero rule. Each line looks at
 * the pixels it is near alone, so that an ideograph of 400 lines takes less than a millisecond.
 */
export function glyphOfLines(lines: readonly Line[], id: number, advance: number): Glyph {
  if (lines.length === 0) return { id, width: 0, height: 0, left: 0, top: 0, advance, field: undefined };
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [ax, ay, bx, by] of lines) {
    x0 = Math.min(x0, ax, bx);
    x1 = Math.max(x1, ax, bx);
    y0 = Math.min(y0, ay, by);
    y1 = Math.max(y1, ay, by);
  }
  const [left, top] = [Math.floor(x0), Math.floor(y0)];
  const [width, height] = [Math.ceil(x1) - left, Math.ceil(y1) - top];
  const across = width + 2 * GLYPH_BORDER;
  const down = height + 2 * GLYPH_BORDER;
  const squared = new Float64Array(across * down).fill(REACH * REACH);
  /** Turns of the outline around what is right of a pixel's left neighbour; summed along the row they show which pixels are inside. */
  const turns = new Int16Array((across + 1) * down);
  for (const [ax, ay, bx, by] of lines) {
    // By the field's own corner; a pixel's middle is half a pixel from its number.
    const [px, py] = [ax - left + GLYPH_BORDER - 0.5, ay - top + GLYPH_BORDER - 0.5];
    const [dx, dy] = [bx - ax, by - ay];
    const length = dx * dx + dy * dy;
    const fromX = Math.max(0, Math.ceil(Math.min(px, px + dx) - REACH));
    const toX = Math.min(across - 1, Math.floor(Math.max(px, px + dx) + REACH));
    const fromY = Math.max(0, Math.ceil(Math.min(py, py + dy) - REACH));
    const toY = Math.min(down - 1, Math.floor(Math.max(py, py + dy) + REACH));
    for (let y = fromY; y <= toY; y++) {
      for (let x = fromX; x <= toX; x++) {
        const t = Math.max(0, Math.min(1, ((x - px) * dx + (y - py) * dy) / length));
        const ex = px + t * dx - x;
        const ey = py + t * dy - y;
        const found = ex * ex + ey * ey;
        if (found < squared[y * across + x]) squared[y * across + x] = found;
      }
      if (py <= y !== py + dy <= y) {
        // The first pixel right of where the line crosses the row's middle.
        const crossing = px + ((y - py) / dy) * dx;
        const first = Math.max(0, Math.min(across, Math.floor(crossing) + 1));
        turns[y * (across + 1) + first] += dy > 0 ? 1 : -1;
      }
    }
  }
  const field = new Uint8Array(across * down);
  for (let y = 0; y < down; y++) {
    let winding = 0;
    for (let x = 0; x < across; x++) {
      winding += turns[y * (across + 1) + x];
      const distance = Math.sqrt(squared[y * across + x]);
      field[y * across + x] = quantise(GLYPH_EDGE + (winding !== 0 ? distance : -distance) * GLYPH_SLOPE);
    }
  }
  return { id, width, height, left, top: -top - ASCENDER, advance, field };
}

/**
 * Rounds to an eighth of a pixel, and cuts off distances that drawing never uses. This halves the size and moves no outline
 * by more than a sixteenth of a pixel.
 */
function quantise(value: number): number {
  const step = GLYPH_SLOPE / 4;
  const rounded = Math.round((value - GLYPH_EDGE) / step) * step + GLYPH_EDGE;
  return rounded < GLYPH_EDGE - REACH * GLYPH_SLOPE ? 0 : rounded > GLYPH_EDGE + 1.5 * GLYPH_SLOPE ? 255 : rounded;
}
