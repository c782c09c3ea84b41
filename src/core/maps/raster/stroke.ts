import type { Coverage } from "./coverage.ts";

export type Cap = "butt" | "round" | "square";
export type Join = "miter" | "round" | "bevel";

/** Style of a line [pixels of the image]. */
export interface StrokeStyle {
  width: number;
  cap: Cap;
  join: Join;
  /** Lengths of dashes and gaps, alternating; an odd number of them is repeated. */
  dashes?: readonly number[] | undefined;
}

/** Corners sharper than this are cut off: the length of a mitre in widths (SVG 1.1, stroke-miterlimit). */
const MITER_LIMIT = 4;
/** Maximum distance of a circle from its polygon [pixels]. */
const ROUNDNESS = 0.06;
/**
 * Corners that are no farther apart than this are joined by a straight edge; the corners of thin lines, such as the edges of buildings,
 * are always [pixels].
 */
const CLOSE = 0.2;
const THIN = 0.7;
/** Points nearer than this to the last one are the same [pixels]. */
const SAME = 1e-3;

/** Filled and read within one call, so all strokers share them: a map has hundreds. */
const scratch = {
  /** Points of the line, without those that coincide. */
  points: new Float64Array(512),
  /** Points of a dash. */
  dash: new Float64Array(64),
};
const NO_DASHES = new Float64Array(0);

/**
 * Adds the outlines of lines to a coverage. Each segment is a rectangle and each corner a wedge, all with the same
 * orientation, so that overlaps are covered; edges that two of them share in opposite directions are omitted.
 */
export class Stroker {
  readonly #coverage: Coverage;
  readonly #half: number;
  readonly #close: number;
  readonly #cap: Cap;
  readonly #join: Join;
  readonly #dashes: Float64Array;
  /** Between two corners of a circle [radians]. */
  readonly #arcStep: number;
  #count = 0;

  constructor(coverage: Coverage, { width, cap, join, dashes }: StrokeStyle) {
    this.#coverage = coverage;
    this.#half = width / 2;
    this.#close = width < THIN ? 2 * width : CLOSE;
    this.#cap = cap;
    this.#join = join;
    this.#dashes = dashes ? Float64Array.from(dashes.length % 2 === 1 ? [...dashes, ...dashes] : dashes) : NO_DASHES;
    this.#arcStep = 2 * Math.acos(Math.max(0, 1 - ROUNDNESS / Math.max(this.#half, ROUNDNESS)));
  }

  /**
   * Adds a line through `count` points x, y, x, y … from the point `first` on, times `factor`, moved by `left` and `top`.
   * @param closed the last point is joined with the first
   */
  add(points: ArrayLike<number>, first: number, count: number, closed: boolean, factor = 1, left = 0, top = 0): void {
    if (scratch.points.length < 2 * count + 2) scratch.points = new Float64Array(4 * count + 2);
    const own = scratch.points;
    let n = 0;
    for (let i = 2 * first; i < 2 * (first + count); i += 2) {
      const x = points[i] * factor + left;
      const y = points[i + 1] * factor + top;
      if (n > 0 && Math.abs(x - own[2 * n - 2]) + Math.abs(y - own[2 * n - 1]) < SAME) continue;
      own[2 * n] = x;
      own[2 * n + 1] = y;
      n++;
    }
    let isRing = closed && n > 1;
    if (isRing && Math.abs(own[0] - own[2 * n - 2]) + Math.abs(own[1] - own[2 * n - 1]) < SAME) {
      n--;
      isRing = n > 1;
    }
    this.#count = n;
    if (n === 0) return;
    if (n === 1) this.#dot(own[0], own[1]);
    else if (this.#dashes.length > 0) this.#dashed(isRing);
    else this.#whole(own, n, isRing);
  }

  /** A line without length: its caps. */
  #dot(x: number, y: number): void {
    if (this.#cap === "butt") return;
    const half = this.#half;
    if (this.#cap === "round") {
      this.#roundCap(x, y, half, 0);
      this.#roundCap(x, y, -half, 0);
      return;
    }
    this.#coverage.edge(x - half, y + half, x - half, y - half);
    this.#coverage.edge(x + half, y - half, x + half, y + half);
  }

  #whole(points: Float64Array, count: number, isRing: boolean): void {
    const coverage = this.#coverage;
    const half = this.#half;
    // The offset to the left of the segment before, and of the first.
    let beforeX = 0;
    let beforeY = 0;
    let firstX = 0;
    let firstY = 0;
    let lengthBefore = 0;
    let firstLength = 0;
    let x = points[0];
    let y = points[1];
    const segments = isRing ? count : count - 1;
    for (let i = 1; i <= segments; i++) {
      const to = i === count ? 0 : i;
      const nextX = points[2 * to];
      const nextY = points[2 * to + 1];
      const dx = nextX - x;
      const dy = nextY - y;
      const length = Math.sqrt(dx * dx + dy * dy);
      const offsetX = (dy * half) / length;
      const offsetY = (-dx * half) / length;
      if (i === 1) {
        firstX = offsetX;
        firstY = offsetY;
        firstLength = length;
      } else this.#corner(x, y, beforeX, beforeY, offsetX, offsetY, Math.min(lengthBefore, length));
      coverage.edge(x + offsetX, y + offsetY, nextX + offsetX, nextY + offsetY);
      coverage.edge(nextX - offsetX, nextY - offsetY, x - offsetX, y - offsetY);
      beforeX = offsetX;
      beforeY = offsetY;
      lengthBefore = length;
      x = nextX;
      y = nextY;
    }
    if (isRing) {
      this.#corner(x, y, beforeX, beforeY, firstX, firstY, Math.min(lengthBefore, firstLength));
      return;
    }
    this.#end(x, y, beforeX, beforeY);
    this.#end(points[0], points[1], -firstX, -firstY);
  }

  /** From a segment with the offset (ax, ay) to its left to the next with (bx, by); `length`: of the shorter one. */
  #corner(x: number, y: number, ax: number, ay: number, bx: number, by: number, length: number): void {
    const coverage = this.#coverage;
    const apart = Math.abs(bx - ax) + Math.abs(by - ay);
    const cross = ax * by - ay * bx;
    if (apart < this.#close && apart < length) {
      if (apart > 0) {
        coverage.edge(x + ax, y + ay, x + bx, y + by);
        coverage.edge(x - bx, y - by, x - ax, y - ay);
      }
      return;
    }
    // Turning right (on the screen, where y goes down) the left side is the outer one.
    if (cross > 0) {
      this.#outer(x, y, ax, ay, bx, by, cross);
      coverage.edge(x - bx, y - by, x, y);
      coverage.edge(x, y, x - ax, y - ay);
    } else {
      this.#outer(x, y, -bx, -by, -ax, -ay, -cross);
      coverage.edge(x + ax, y + ay, x, y);
      coverage.edge(x, y, x + bx, y + by);
    }
  }

  /** The outer side of a corner, around it from (ax, ay) to (bx, by); `cross`: their cross product, not negative. */
  #outer(x: number, y: number, ax: number, ay: number, bx: number, by: number, cross: number): void {
    const half = this.#half;
    const dot = ax * bx + ay * by;
    if (this.#join === "round") {
      this.#arc(x, y, ax, ay, Math.atan2(cross, dot), bx, by);
      return;
    }
    if (this.#join === "miter") {
      // Of the angle between the offsets, the cosine of its half is 1 / the mitre's length.
      const cosine2 = (1 + dot / (half * half)) / 2;
      if (cosine2 * MITER_LIMIT * MITER_LIMIT >= 1) {
        const reach = 1 / (2 * cosine2);
        const tipX = x + (ax + bx) * reach;
        const tipY = y + (ay + by) * reach;
        this.#coverage.edge(x + ax, y + ay, tipX, tipY);
        this.#coverage.edge(tipX, tipY, x + bx, y + by);
        return;
      }
    }
    this.#coverage.edge(x + ax, y + ay, x + bx, y + by);
  }

  /** The end of a line whose last segment has the offset (ax, ay) to its left. */
  #end(x: number, y: number, ax: number, ay: number): void {
    const coverage = this.#coverage;
    if (this.#cap === "round") this.#roundCap(x, y, ax, ay);
    else if (this.#cap === "square") {
      // The line continues a quarter turn to the right of the offset.
      const aheadX = x - ay;
      const aheadY = y + ax;
      coverage.edge(x + ax, y + ay, aheadX + ax, aheadY + ay);
      coverage.edge(aheadX + ax, aheadY + ay, aheadX - ax, aheadY - ay);
      coverage.edge(aheadX - ax, aheadY - ay, x - ax, y - ay);
    } else coverage.edge(x + ax, y + ay, x - ax, y - ay);
  }

  /** Half a circle from (ax, ay) around the front to the opposite side. */
  #roundCap(x: number, y: number, ax: number, ay: number): void {
    this.#arc(x, y, ax, ay, Math.PI, -ax, -ay);
  }

  /** Corners of a circle around (x, y): from (ax, ay) by an angle to (bx, by). */
  #arc(x: number, y: number, ax: number, ay: number, angle: number, bx: number, by: number): void {
    const coverage = this.#coverage;
    const steps = Math.ceil(angle / this.#arcStep);
    const cos = Math.cos(angle / steps);
    const sin = Math.sin(angle / steps);
    let fromX = ax;
    let fromY = ay;
    for (let i = 1; i < steps; i++) {
      const toX = fromX * cos - fromY * sin;
      const toY = fromX * sin + fromY * cos;
      coverage.edge(x + fromX, y + fromY, x + toX, y + toY);
      fromX = toX;
      fromY = toY;
    }
    coverage.edge(x + fromX, y + fromY, x + bx, y + by);
  }

  /** Each dash is a separate line, with caps. Dashes start at the line's first point. */
  #dashed(isRing: boolean): void {
    const points = scratch.points;
    const dashes = this.#dashes;
    const segments = isRing ? this.#count : this.#count - 1;
    let turn = 0;
    let left = dashes[0];
    let n = this.#begin(0, points[0], points[1]);
    for (let i = 1; i <= segments; i++) {
      const to = i === this.#count ? 0 : i;
      let x = points[2 * i - 2];
      let y = points[2 * i - 1];
      const [endX, endY] = [points[2 * to], points[2 * to + 1]];
      let rest = Math.hypot(endX - x, endY - y);
      const unitX = (endX - x) / rest;
      const unitY = (endY - y) / rest;
      while (rest > left) {
        x += unitX * left;
        y += unitY * left;
        rest -= left;
        if (turn % 2 === 0) {
          n = this.#begin(n, x, y);
          this.#finish(n);
        }
        turn = (turn + 1) % dashes.length;
        left = dashes[turn];
        n = turn % 2 === 0 ? this.#begin(0, x, y) : 0;
      }
      left -= rest;
      if (turn % 2 === 0) n = this.#begin(n, endX, endY);
    }
    if (turn % 2 === 0) this.#finish(n);
  }

  /** Notes the next point of a dash → number of its points. */
  #begin(n: number, x: number, y: number): number {
    if (scratch.dash.length < 2 * n + 2) {
      const larger = new Float64Array(4 * n + 2);
      larger.set(scratch.dash);
      scratch.dash = larger;
    }
    const dash = scratch.dash;
    if (n > 0 && Math.abs(x - dash[2 * n - 2]) + Math.abs(y - dash[2 * n - 1]) < SAME) return n;
    dash[2 * n] = x;
    dash[2 * n + 1] = y;
    return n + 1;
  }

  #finish(n: number): void {
    if (n === 1) this.#dot(scratch.dash[0], scratch.dash[1]);
    else if (n > 1) this.#whole(scratch.dash, n, false);
  }
}
