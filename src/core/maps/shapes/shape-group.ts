import type { ByteWriter } from "../base/byte-writer.ts";
import { type Box, clipLine, clipRing } from "../base/clip.ts";
import type { Painter } from "../raster/painter.ts";
import { Q, type ShapePaint } from "./shape-paint.ts";

/** Lines are drawn this far beyond a window [pixels at scale 1]: wider than half of any road. */
export const LINE_MARGIN = 48;
/** Areas are drawn this far beyond a window [pixels at scale 1]. */
export const RING_MARGIN = 2;

const CIRCLE_CORNERS = 48;

/**
 * Shapes with the same paint, in 1/16 pixel: the points of all parts one after the other, and the end and box of each
 * part. A window of the image draws only the parts that touch it, so that many small windows cost little more than one
 * large image.
 */
export class ShapeGroup {
  readonly kind: "fill" | "line" | "circle";
  readonly paint: ShapePaint;
  readonly dashed: boolean;
  readonly #step: number;
  #points = new Int32Array(64);
  #count = 0;
  /** Of each part: the index after its last point, and 1 when it is closed. */
  readonly #ends: number[] = [];
  readonly #closed: boolean[] = [];
  /** Of each part: left, top, right, bottom. */
  readonly #boxes: number[] = [];

  /** @param step points nearer than this to the last are left out [1/16 pixel] */
  constructor(kind: ShapeGroup["kind"], paint: ShapePaint, step: number) {
    this.kind = kind;
    this.paint = paint;
    this.dashed = paint.stroke?.dashes !== undefined;
    this.#step = step;
  }

  /** Takes a part [pixels at scale 1]; the array may be reused afterwards. */
  add(points: Float64Array, count: number, closed: boolean): void {
    if (this.#points.length < 2 * (this.#count + count)) {
      const larger = new Int32Array(4 * (this.#count + count));
      larger.set(this.#points.subarray(0, 2 * this.#count));
      this.#points = larger;
    }
    const out = this.#points;
    let n = this.#count;
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let i = 0; i < count; i++) {
      const x = Math.round(points[2 * i] * Q);
      const y = Math.round(points[2 * i + 1] * Q);
      const near = i > 0 && Math.abs(x - out[2 * n - 2]) + Math.abs(y - out[2 * n - 1]) < this.#step;
      if (near && (closed || i < count - 1)) continue;
      out[2 * n] = x;
      out[2 * n + 1] = y;
      n++;
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      if (y > bottom) bottom = y;
    }
    this.#count = n;
    this.#ends.push(n);
    this.#closed.push(closed);
    this.#boxes.push(left, top, right, bottom);
  }

  /** Draws the part visible in some rows of the image. */
  draw(painter: Painter): void {
    const { fill, stroke } = this.paint;
    if (this.kind === "circle") {
      this.#drawCircles(painter);
      return;
    }
    if (fill && fill[3] > 0) {
      this.#eachPart(painter, 0, (first, count) => painter.ring(this.#points, first, count, Q));
      painter.lay(fill);
    }
    if (!stroke) return;
    const stroker = painter.stroker(stroke);
    // A mitre reaches beyond the line's half by as much again, and more.
    this.#eachPart(painter, 2 * stroke.width, (first, count, closed) =>
      painter.line(stroker, this.#points, first, count, closed, Q),
    );
    painter.lay(stroke.color);
  }

  /** One by one: if two of them overlap, the later one is on top. */
  #drawCircles(painter: Painter): void {
    const { fill, stroke, radius = 0 } = this.paint;
    const around = new Float64Array(2 * CIRCLE_CORNERS);
    this.#eachPart(painter, radius + (stroke?.width ?? 0), (first) => {
      for (let i = 0; i < CIRCLE_CORNERS; i++) {
        const angle = (2 * Math.PI * i) / CIRCLE_CORNERS;
        around[2 * i] = this.#points[2 * first] / Q + radius * Math.cos(angle);
        around[2 * i + 1] = this.#points[2 * first + 1] / Q + radius * Math.sin(angle);
      }
      if (fill) {
        painter.ring(around, 0, CIRCLE_CORNERS);
        painter.lay(fill);
      }
      if (stroke) {
        painter.line(painter.stroker(stroke), around, 0, CIRCLE_CORNERS, true);
        painter.lay(stroke.color);
      }
    });
  }

  /**
   * The parts that overlap the painter's rows; `reach`: how far they are drawn beyond their points [pixels at scale 1].
   */
  #eachPart(painter: Painter, reach: number, draw: (first: number, count: number, closed: boolean) => void): void {
    const top = (painter.top - reach) * Q;
    const bottom = (painter.bottom + reach) * Q;
    const boxes = this.#boxes;
    for (let part = 0; part < this.#ends.length; part++) {
      if (boxes[4 * part + 1] > bottom || boxes[4 * part + 3] < top) continue;
      const first = part === 0 ? 0 : this.#ends[part - 1];
      draw(first, this.#ends[part] - first, this.#closed[part]);
    }
  }

  /** Writes the part visible in a window as SVG. `window` in pixels at scale 1. */
  write(window: Box, out: ByteWriter): void {
    const margin = this.kind === "fill" ? RING_MARGIN : LINE_MARGIN;
    const box = {
      left: Math.floor((window.left - margin) * Q),
      top: Math.floor((window.top - margin) * Q),
      right: Math.ceil((window.right + margin) * Q),
      bottom: Math.ceil((window.bottom + margin) * Q),
    };
    const boxes = this.#boxes;
    let open = false;
    for (let part = 0; part < this.#ends.length; part++) {
      const at = 4 * part;
      if (boxes[at] > box.right || boxes[at + 2] < box.left) continue;
      if (boxes[at + 1] > box.bottom || boxes[at + 3] < box.top) continue;
      if (this.kind === "circle") {
        out.text(
          `<circle cx="${this.#points[2 * part]}" cy="${this.#points[2 * part + 1]}" ${this.paint.attributes}/>`,
        );
        continue;
      }
      if (!open) out.text(`<path ${this.paint.attributes} d="`);
      open = true;
      const inside =
        boxes[at] >= box.left && boxes[at + 2] <= box.right && boxes[at + 1] >= box.top && boxes[at + 3] <= box.bottom;
      this.#writePart(part, inside ? undefined : box, out);
    }
    if (open) out.text('"/>');
  }

  /** `box`: the clipping box. Dashed lines are not clipped, because their dashes are counted from their start. */
  #writePart(part: number, box: Box | undefined, out: ByteWriter): void {
    const from = part === 0 ? 0 : this.#ends[part - 1];
    const count = this.#ends[part] - from;
    const closed = this.#closed[part];
    const points = this.#points.subarray(2 * from, 2 * (from + count));
    if (!box || this.dashed) {
      writePath(out, points, count, closed);
      return;
    }
    const floats = new Float64Array(2 * count + 2);
    floats.set(points);
    if (this.kind === "fill") {
      const ring = clipRing(floats, count, box);
      if (ring.count > 2) writePath(out, ring.points, ring.count, true);
      return;
    }
    if (closed) floats.set(points.subarray(0, 2), 2 * count);
    clipLine(floats, closed ? count + 1 : count, box, (piece, n) => writePath(out, piece, n, false));
  }
}

/** "M100 200l5-3 …": relative whole numbers. */
function writePath(path: ByteWriter, points: ArrayLike<number>, count: number, closed: boolean): void {
  let x = Math.round(points[0]);
  let y = Math.round(points[1]);
  path.character(77);
  path.integer(x);
  path.character(32);
  path.integer(y);
  let first = true;
  for (let i = 1; i < count; i++) {
    const nx = Math.round(points[2 * i]);
    const ny = Math.round(points[2 * i + 1]);
    const dx = nx - x;
    const dy = ny - y;
    if (first) path.character(108);
    else if (dx >= 0) path.character(32);
    first = false;
    path.integer(dx);
    if (dy >= 0) path.character(32);
    path.integer(dy);
    x = nx;
    y = ny;
  }
  // A line without length is a dot, if it has round caps.
  if (first) path.text("l0 0");
  if (closed) path.character(90);
}
