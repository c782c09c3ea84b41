/** Clipping of flat point lists x, y, x, y … against boxes. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export function grown(box: Box, by: number): Box {
  return { left: box.left - by, top: box.top - by, right: box.right + by, bottom: box.bottom + by };
}

export function intersection(a: Box, b: Box): Box {
  return {
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  };
}

export function boundsOf(points: Float64Array, count: number): Box {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (let i = 0; i < 2 * count; i += 2) {
    const x = points[i];
    const y = points[i + 1];
    if (x < box.left) box.left = x;
    if (x > box.right) box.right = x;
    if (y < box.top) box.top = y;
    if (y > box.bottom) box.bottom = y;
  }
  return box;
}

export const within = (inner: Box, outer: Box): boolean =>
  inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom;

export const touches = (a: Box, b: Box): boolean =>
  a.left <= b.right && a.right >= b.left && a.top <= b.bottom && a.bottom >= b.top;

/**
 * The pieces of a line inside a box (Liang & Barsky 1984, segment by segment).
 * @param piece called with each piece; the array is reused afterwards
 */
export function clipLine(
  points: Float64Array,
  count: number,
  box: Box,
  piece: (points: Float64Array, count: number) => void,
): void {
  const out = scratch(2 * count + 4, 0);
  let n = 0;
  for (let i = 1; i < count; i++) {
    const x0 = points[2 * i - 2];
    const y0 = points[2 * i - 1];
    const dx = points[2 * i] - x0;
    const dy = points[2 * i + 1] - y0;
    let enter = 0;
    let leave = 1;
    let seen = true;
    for (let side = 0; seen && side < 4; side++) {
      const p = side === 0 ? -dx : side === 1 ? dx : side === 2 ? -dy : dy;
      const q = side === 0 ? x0 - box.left : side === 1 ? box.right - x0 : side === 2 ? y0 - box.top : box.bottom - y0;
      if (p === 0) seen = q >= 0;
      else if (p < 0) {
        if (q / p > enter) enter = q / p;
      } else if (q / p < leave) leave = q / p;
      if (enter > leave) seen = false;
    }
    if (!seen) {
      if (n > 1) piece(out, n);
      n = 0;
      continue;
    }
    if (n === 0 || enter > 0) {
      if (n > 1) piece(out, n);
      out[0] = x0 + enter * dx;
      out[1] = y0 + enter * dy;
      n = 1;
    }
    out[2 * n] = x0 + leave * dx;
    out[2 * n + 1] = y0 + leave * dy;
    n++;
    if (leave < 1) {
      piece(out, n);
      n = 0;
    }
  }
  if (n > 1) piece(out, n);
}

/** A ring inside a box (Sutherland & Hodgman 1974). The result is valid until the next call. */
export function clipRing(points: Float64Array, count: number, box: Box): { points: Float64Array; count: number } {
  let source = points;
  let n = count;
  for (let side = 0; side < 4 && n > 0; side++) {
    const out = scratch(4 * n + 8, 1 + (side & 1));
    const axis = side < 2 ? 0 : 1;
    const limit = side === 0 ? box.left : side === 1 ? box.right : side === 2 ? box.top : box.bottom;
    const low = (side & 1) === 0;
    let m = 0;
    let before = 2 * (n - 1);
    let wasInside = low ? source[before + axis] >= limit : source[before + axis] <= limit;
    for (let i = 0; i < n; i++) {
      const at = 2 * i;
      const inside = low ? source[at + axis] >= limit : source[at + axis] <= limit;
      if (inside !== wasInside) {
        const t = (limit - source[before + axis]) / (source[at + axis] - source[before + axis]);
        out[2 * m] = source[before] + t * (source[at] - source[before]);
        out[2 * m + 1] = source[before + 1] + t * (source[at + 1] - source[before + 1]);
        m++;
      }
      if (inside) {
        out[2 * m] = source[at];
        out[2 * m + 1] = source[at + 1];
        m++;
      }
      before = at;
      wasInside = inside;
    }
    source = out;
    n = m;
  }
  return { points: source, count: n };
}

const buffers: Float64Array[] = [];

function scratch(length: number, index: number): Float64Array {
  if (!buffers[index] || buffers[index].length < length) buffers[index] = new Float64Array(Math.max(length, 4096) * 2);
  return buffers[index];
}
