import type { Color } from "../base/color.ts";
import type { Raster } from "../image/sprite.ts";

/** What is inside: any enclosed point, or points enclosed an odd number of times. */
export type FillRule = "nonzero" | "evenodd";

/** Pixels of a row that share a mark: rows are looked at only where an edge passes. */
const BLOCK_BITS = 3;
const BLOCK = 1 << BLOCK_BITS;
/** Stretches from here on are not written pixel by pixel [pixels]. */
const LONG = 32;

/**
 * Coverage of each pixel by a shape: edges are added one by one, in any order, and then drawn on an image in one color.
 * Each edge adds to the pixels it passes the area to its right, as a difference to the pixel before, so that a running
 * sum along a row is the winding number, times the share of the pixel (Levien 2016, "font-rs"; AGG and FreeType store
 * the same sums in lists). Where edges of two shapes pass through one pixel their areas add up, which is exact for
 * shapes that abut, and a shade too dark for shapes that cross there.
 *
 *     edges:   ╱‾‾‾╲        differences of a row:   0  .4  .6  0   0 -.3 -.7  0
 *             ╱     ╲       running sum:            0  .4   1  1   1  .7   0  0
 */
export class Coverage {
  readonly #width: number;
  readonly #height: number;
  readonly #stride: number;
  readonly #sums: Float32Array;
  /** A bit for each block of a row that has a difference. */
  readonly #marks: Int32Array;
  readonly #marksPerRow: number;
  /** Rows that were touched: from the first up to the last. */
  #top: number;
  #bottom = 0;
  #rows = 0;
  #pixels: Uint8Array | undefined;
  #words: Int32Array = new Int32Array(0);

  /** For images of this size [pixels]. */
  constructor(width: number, height: number) {
    this.#width = width;
    this.#height = height;
    // An edge in the last column writes to the column after it.
    this.#stride = width + 2;
    this.#sums = new Float32Array(this.#stride * height);
    this.#marksPerRow = (this.#stride >> (BLOCK_BITS + 5)) + 1;
    this.#marks = new Int32Array(this.#marksPerRow * height);
    this.#top = height;
  }

  /** Adds an edge of a ring, which has its inside to the right when it goes down [pixels]. */
  edge(fromX: number, fromY: number, toX: number, toY: number): void {
    const goesDown = fromY < toY;
    const sign = goesDown ? 1 : -1;
    const x0 = goesDown ? fromX : toX;
    const x1 = goesDown ? toX : fromX;
    let y0 = goesDown ? fromY : toY;
    let y1 = goesDown ? toY : fromY;
    const width = this.#width;
    const height = this.#height;
    // Written so that positions that are no numbers are passed over.
    if (!(y1 > 0 && y0 < height && y0 < y1)) return;
    if (x0 >= width && x1 >= width) return;
    const slope = (x1 - x0) / (y1 - y0);
    let x = x0;
    if (y0 < 0) {
      x -= y0 * slope;
      y0 = 0;
    }
    if (y1 > height) y1 = height;
    const first = y0 | 0;
    const last = Math.ceil(y1);
    if (first < this.#top) this.#top = first;
    if (last > this.#bottom) this.#bottom = last;
    this.#rows += last - first;
    const sums = this.#sums;
    const marks = this.#marks;
    const marksPerRow = this.#marksPerRow;
    let row = first * this.#stride;
    let mark = first * marksPerRow;
    for (let y = first; y < last; y++, row += this.#stride, mark += marksPerRow) {
      const down = (y + 1 < y1 ? y + 1 : y1) - (y > y0 ? y : y0);
      const next = x + slope * down;
      let left = x;
      let right = next;
      if (left > right) {
        left = next;
        right = x;
      }
      x = next;
      let area = down * sign;
      if (left < 0) {
        // An edge left of the image covers everything to its right.
        if (right <= 0) {
          sums[row] += area;
          marks[mark] |= 1;
          continue;
        }
        const outside = (area * left) / (left - right);
        sums[row] += outside;
        marks[mark] |= 1;
        area -= outside;
        left = 0;
      }
      if (right > width) {
        if (left >= width) continue;
        area *= (width - left) / (right - left);
        right = width;
      }
      const from = left | 0;
      const block = from >> BLOCK_BITS;
      marks[mark + (block >> 5)] |= 1 << (block & 31);
      const at = row + from;
      if (right <= from + 1) {
        const beyond = area * (0.5 * (left + right) - from);
        sums[at] += area - beyond;
        sums[at + 1] += beyond;
        if ((from + 1) >> BLOCK_BITS !== block) {
          const after = block + 1;
          marks[mark + (after >> 5)] |= 1 << (after & 31);
        }
        continue;
      }
      // The edge crosses several pixels: a triangle in the first and last, trapezoids between.
      const to = Math.ceil(right);
      const perPixel = 1 / (right - left);
      const inFirst = from + 1 - left;
      const inLast = right - to + 1;
      const firstArea = 0.5 * perPixel * inFirst * inFirst;
      const lastArea = 0.5 * perPixel * inLast * inLast;
      sums[at] += area * firstArea;
      const end = row + to;
      if (to === from + 2) sums[at + 1] += area * (1 - firstArea - lastArea);
      else {
        const secondArea = perPixel * (inFirst + 0.5);
        sums[at + 1] += area * (secondArea - firstArea);
        for (let i = at + 2; i < end - 1; i++) sums[i] += area * perPixel;
        sums[end - 1] += area * (1 - (secondArea + (to - from - 3) * perPixel) - lastArea);
      }
      sums[end] += area * lastArea;
      for (let b = block + 1; b <= to >> BLOCK_BITS; b++) marks[mark + (b >> 5)] |= 1 << (b & 31);
    }
  }

  /** Of all edges since the last laying, the rows they pass. */
  get rows(): number {
    return this.#rows;
  }

  /** Adds a ring through `count` points x, y, x, y … from the point `first` on, times `factor`, moved by `left` and `top`. */
  ring(points: ArrayLike<number>, first: number, count: number, factor = 1, left = 0, top = 0): void {
    const end = 2 * (first + count);
    let x = points[end - 2] * factor + left;
    let y = points[end - 1] * factor + top;
    for (let i = 2 * first; i < end; i += 2) {
      const nextX = points[i] * factor + left;
      const nextY = points[i + 1] * factor + top;
      this.edge(x, y, nextX, nextY);
      x = nextX;
      y = nextY;
    }
  }

  /**
   * Draws the added edges on an image of this size, whose pixels are opaque, and clears them.
   * @returns number of examined pixels, for counting work
   */
  lay({ pixels }: Pick<Raster, "pixels">, color: Color, rule: FillRule = "nonzero"): number {
    const width = this.#width;
    const top = this.#top;
    const bottom = this.#bottom;
    this.#top = this.#height;
    this.#bottom = 0;
    this.#rows = 0;
    const words = this.#wordsOf(pixels);
    const { redBlue, greens, opaque, most } = inkOf(color);
    const sums = this.#sums;
    const stride = this.#stride;
    const marks = this.#marks;
    const marksPerRow = this.#marksPerRow;
    const evenOdd = rule === "evenodd";
    let looked = 0;
    for (let y = top; y < bottom; y++) {
      const row = y * stride;
      const image = y * width;
      let winding = 0;
      let share = 0;
      let x = 0;
      for (let word = 0; word < marksPerRow; word++) {
        let bits = marks[y * marksPerRow + word];
        if (bits === 0) continue;
        marks[y * marksPerRow + word] = 0;
        do {
          const lowest = bits & -bits;
          bits ^= lowest;
          const from = ((word << 5) + 31 - Math.clz32(lowest)) << BLOCK_BITS;
          if (from > x && share > 0) stretch(words, image + x, image + (from < width ? from : width), opaque, share);
          const to = from + BLOCK < width ? from + BLOCK : width;
          for (x = from; x < to; x++) {
            const difference = sums[row + x];
            if (difference !== 0) {
              winding += difference;
              sums[row + x] = 0;
              share = shareOf(evenOdd ? folded(winding) : winding, most);
            }
            if (share === 0) continue;
            if (share === 256) {
              words[image + x] = opaque;
              continue;
            }
            const below = words[image + x];
            const rest = 256 - share;
            const two = (Math.imul(below & 0xff00ff, rest) + Math.imul(redBlue, share) + 0x800080) >>> 8;
            const one = (Math.imul(below & 0xff00, rest) + Math.imul(greens, share) + 0x8000) >>> 8;
            words[image + x] = (255 << 24) | (two & 0xff00ff) | (one & 0xff00);
          }
          looked += BLOCK;
        } while (bits !== 0);
      }
      // The part after the last column is not visible.
      sums[row + width] = 0;
      sums[row + width + 1] = 0;
      if (x < width && share > 0) stretch(words, image + x, image + width, opaque, share);
    }
    return looked;
  }

  /** The image as pixels, the same view for all shapes of a band; signed, because numbers beyond 31 bits are slower. */
  #wordsOf(pixels: Uint8Array): Int32Array {
    if (this.#pixels !== pixels) {
      this.#pixels = pixels;
      this.#words = new Int32Array(pixels.buffer, pixels.byteOffset, pixels.length >> 2);
    }
    return this.#words;
  }
}

/** A color for pixels: red in the lowest byte; two channels share a product, because neither can overflow into the other. */
function inkOf([red, green, blue, alpha]: Color) {
  const redBlue = (blue << 16) | red;
  const greens = green << 8;
  const opaque = (255 << 24) | redBlue | greens;
  return { redBlue, greens, opaque, most: Math.round(256 * Math.max(0, Math.min(1, alpha))) };
}

/** Opacity of a color on a pixel by its winding number, in 256ths; `most`: the opacity if fully covered. */
function shareOf(winding: number, most: number): number {
  const share = ((winding < 0 ? -winding : winding) * most + 0.5) | 0;
  return share < most ? share : most;
}

/** Of a winding number that grows evenly: 1 at the odd ones, 0 at the even ones. */
function folded(winding: number): number {
  const rest = (winding < 0 ? -winding : winding) % 2;
  return rest > 1 ? 2 - rest : rest;
}

/** Draws a color on pixels with the same coverage. */
function stretch(words: Int32Array, from: number, to: number, color: number, share: number): void {
  if (share === 256) {
    if (to - from >= LONG) words.fill(color, from, to);
    else for (let at = from; at < to; at++) words[at] = color;
    return;
  }
  const rest = 256 - share;
  const redBlue = Math.imul(color & 0xff00ff, share) + 0x800080;
  const green = Math.imul(color & 0xff00, share) + 0x8000;
  for (let at = from; at < to; at++) {
    const below = words[at];
    const two = (Math.imul(below & 0xff00ff, rest) + redBlue) >>> 8;
    const one = (Math.imul(below & 0xff00, rest) + green) >>> 8;
    words[at] = (255 << 24) | (two & 0xff00ff) | (one & 0xff00);
  }
}
