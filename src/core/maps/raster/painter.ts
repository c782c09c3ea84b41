import type { Color } from "../base/color.ts";
import type { Raster } from "../image/sprite.ts";
import { Coverage, type FillRule } from "./coverage.ts";
import { Stroker, type StrokeStyle } from "./stroke.ts";

/** Cost of work, measured on a 2.5 GHz core [µs]: an edge in a row, an examined pixel, a filled pixel. */
const ROW_COST = 0.035;
const LOOK_COST = 0.015;

/**
 * Draws shapes over rows of an image: positions are given in some unit of the whole image and placed on these rows. Shapes that
 * are added one after the other and then laid are one shape.
 */
export class Painter {
  readonly scale: number;
  #coverage: Coverage;
  #raster: Raster;
  #work = 0;
  /** Rows of edges that wait for being laid and are counted as work. */
  #counted = 0;

  /** `scale`: pixels of the image per pixel at scale 1. */
  constructor(raster: Raster, scale: number) {
    this.scale = scale;
    this.#raster = raster;
    this.#coverage = new Coverage(raster.width, raster.height);
  }

  /** Goes on with other rows of the image. */
  moveTo(raster: Raster): void {
    if (raster.width !== this.#raster.width || raster.height !== this.#raster.height)
      this.#coverage = new Coverage(raster.width, raster.height);
    this.#raster = raster;
  }

  /** The first row, and the row after the last [pixels at scale 1]. */
  get top(): number {
    return this.#raster.top / this.scale;
  }

  get bottom(): number {
    return (this.#raster.top + this.#raster.height) / this.scale;
  }

  /** The first column after the last [pixels at scale 1]. */
  get right(): number {
    return this.#raster.width / this.scale;
  }

  /**
   * Adds the inside of a ring: `count` points from the point `first` on, in units of which `perPixel` are one pixel at
   * scale 1.
   */
  ring(points: ArrayLike<number>, first: number, count: number, perPixel = 1): void {
    this.#coverage.ring(points, first, count, this.scale / perPixel, 0, -this.#raster.top);
  }

  /** For lines of one look, its width and dashes in pixels at scale 1. */
  stroker({ width, dashes, ...style }: StrokeStyle): Stroker {
    const { scale } = this;
    return new Stroker(this.#coverage, { ...style, width: width * scale, dashes: dashes?.map((part) => part * scale) });
  }

  /** Adds a line, of points as for `ring`. */
  line(stroker: Stroker, points: ArrayLike<number>, first: number, count: number, closed: boolean, perPixel = 1): void {
    stroker.add(points, first, count, closed, this.scale / perPixel, 0, -this.#raster.top);
  }

  /** Draws the added shapes on the image. */
  lay(color: Color, rule?: FillRule): void {
    this.#work += (this.#coverage.rows - this.#counted) * ROW_COST;
    this.#counted = 0;
    this.#work += this.#coverage.lay(this.#raster, color, rule) * LOOK_COST;
  }

  /** Covers all rows with a color. */
  wash([red, green, blue, alpha]: Color): void {
    const { pixels } = this.#raster;
    const words = new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.length >> 2);
    if (alpha >= 1) words.fill(((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0);
    else {
      const { width, height, top } = this.#raster;
      const [right, bottom] = [width / this.scale, (top + height) / this.scale];
      this.ring([0, this.top, right, this.top, right, bottom, 0, bottom], 0, 4);
      this.lay([red, green, blue, alpha]);
    }
  }

  /** Work done since the last call [µs]. */
  takeWork(): number {
    const added = this.#coverage.rows;
    const work = this.#work + (added - this.#counted) * ROW_COST;
    this.#counted = added;
    this.#work = 0;
    return work;
  }
}
