import { POINT, POLYGON, type TileFeature } from "./mvt.ts";

/** A rectangle in the coordinates of the clipped geometry; its edges belong to it. */
export interface Rect {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

type Part = readonly number[];

/**
 * Clips a part list to the rectangle: points as they are; lines cut where they leave it; rings by Sutherland and
 * Hodgman (1974), whose result may run along the rectangle's edge where the ring does not.
 */
export function clipParts(type: TileFeature["type"], parts: readonly Part[], rect: Rect): number[][] {
  const columns = clipAxis(type, parts, 0, rect.left, rect.right);
  return clipAxis(type, columns, 1, rect.top, rect.bottom);
}

/** The same between two values of one axis (0: x, 1: y). Parts entirely inside are returned unchanged. */
export function clipAxis(
  type: TileFeature["type"],
  parts: readonly Part[],
  axis: 0 | 1,
  low: number,
  high: number,
): number[][] {
  const result: number[][] = [];
  for (const part of parts) {
    let min = Number.POSITIVE_INFINITY;
    let max = Number.NEGATIVE_INFINITY;
    for (let i = axis; i < part.length; i += 2) {
      if (part[i] < min) min = part[i];
      if (part[i] > max) max = part[i];
    }
    if (max < low || min > high) continue;
    if (min >= low && max <= high) result.push(part as number[]);
    else if (type === POINT) clipPoints(part, axis, low, high, result);
    else if (type === POLYGON) clipRing(part, axis, low, high, result);
    else clipLine(part, axis, low, high, result);
  }
  return result;
}

function clipPoints(part: Part, axis: 0 | 1, low: number, high: number, result: number[][]): void {
  const kept: number[] = [];
  for (let i = 0; i < part.length; i += 2) {
    if (part[i + axis] >= low && part[i + axis] <= high) kept.push(part[i], part[i + 1]);
  }
  if (kept.length > 0) result.push(kept);
}

/** Where the segment from corner i to corner j meets the value on the axis. */
function cross(part: Part, i: number, j: number, axis: 0 | 1, value: number, into: number[]): void {
  const other = 1 - axis;
  const share = (value - part[i + axis]) / (part[j + axis] - part[i + axis]);
  const at = part[i + other] + share * (part[j + other] - part[i + other]);
  if (axis === 0) into.push(value, at);
  else into.push(at, value);
}

function clipLine(part: Part, axis: 0 | 1, low: number, high: number, result: number[][]): void {
  let piece: number[] = [];
  const close = () => {
    if (piece.length > 2) result.push(piece);
    piece = [];
  };
  for (let i = 0; i + 3 < part.length; i += 2) {
    const j = i + 2;
    const a = part[i + axis];
    const b = part[j + axis];
    if ((a < low && b < low) || (a > high && b > high)) {
      close();
      continue;
    }
    if (piece.length === 0) {
      if (a < low) cross(part, i, j, axis, low, piece);
      else if (a > high) cross(part, i, j, axis, high, piece);
      else piece.push(part[i], part[i + 1]);
    }
    if (b < low) cross(part, i, j, axis, low, piece);
    else if (b > high) cross(part, i, j, axis, high, piece);
    else piece.push(part[j], part[j + 1]);
    if (b < low || b > high) close();
  }
  close();
}

function clipRing(part: Part, axis: 0 | 1, low: number, high: number, result: number[][]): void {
  const above = clipHalf(part, axis, low, 1);
  const ring = clipHalf(above, axis, high, -1);
  if (ring.length >= 6) result.push(ring);
}

/** The side of a half plane on which sign × (coordinate − value) ≥ 0. */
function clipHalf(ring: Part, axis: 0 | 1, value: number, sign: 1 | -1): number[] {
  const kept: number[] = [];
  let previous = ring.length - 2;
  for (let i = 0; i < ring.length; i += 2) {
    const inside = sign * (ring[i + axis] - value) >= 0;
    if (inside !== sign * (ring[previous + axis] - value) >= 0) cross(ring, previous, i, axis, value, kept);
    if (inside) kept.push(ring[i], ring[i + 1]);
    previous = i;
  }
  return kept;
}

/**
 * Returns the part outside the hole, within the frame. Areas are cut into up to four strips around the hole, which
 * overlap a little (`overlap`) so that no hairline shows between them when they are filled; lines are cut at the hole;
 * points on its edge are dropped.
 */
export function cutOut(
  type: TileFeature["type"],
  parts: readonly Part[],
  hole: Rect,
  frame: Rect,
  overlap: number,
): number[][] {
  if (type === POINT) {
    const out: number[] = [];
    for (const part of parts) {
      for (let i = 0; i < part.length; i += 2) {
        const [x, y] = [part[i], part[i + 1]];
        if (x < hole.left || x > hole.right || y < hole.top || y > hole.bottom) out.push(x, y);
      }
    }
    return out.length > 0 ? [out] : [];
  }
  const lap = type === POLYGON ? overlap : 0;
  const strips: Rect[] = [
    { left: frame.left, right: hole.left, top: frame.top, bottom: frame.bottom },
    { left: hole.right, right: frame.right, top: frame.top, bottom: frame.bottom },
    { left: hole.left - lap, right: hole.right + lap, top: frame.top, bottom: hole.top },
    { left: hole.left - lap, right: hole.right + lap, top: hole.bottom, bottom: frame.bottom },
  ];
  return strips.flatMap((strip) =>
    strip.left < strip.right && strip.top < strip.bottom ? clipParts(type, parts, strip) : [],
  );
}
