/**
 * Points inside rings on a plane, by the even-odd rule: a ray from the point crosses the edge of a ring around it an odd number of times
 * (Shimrat 1962). A point exactly on an edge may be either. Positions on the Earth have `ringContains` (polygon.ts), which works across
 * the 180th meridian.
 */

/**
 * Where the edge from a to b meets the line at the height y; NaN if both ends are above the line, or neither. Comparisons with NaN are
 * false, so `x < crossingAt(…)` is true if a ray from (x, y) to the right crosses the edge.
 */
export function crossingAt(ax: number, ay: number, bx: number, by: number, y: number): number {
  return ay > y === by > y ? Number.NaN : ax + ((y - ay) * (bx - ax)) / (by - ay);
}

/** The first corner may be repeated at the end. */
export function inRing(ring: readonly (readonly number[])[], x: number, y: number): boolean {
  let isInside = false;
  let [ax, ay] = ring[ring.length - 1];
  for (const [bx, by] of ring) {
    if (x < crossingAt(ax, ay, bx, by, y)) isInside = !isInside;
    [ax, ay] = [bx, by];
  }
  return isInside;
}

/** As `inRing`, for a ring of alternating coordinates: x, y, x, y, … */
export function inFlatRing(ring: ArrayLike<number>, x: number, y: number): boolean {
  let isInside = false;
  let before = ring.length - 2;
  for (let i = 0; i < ring.length; before = i, i += 2)
    if (x < crossingAt(ring[before], ring[before + 1], ring[i], ring[i + 1], y)) isInside = !isInside;
  return isInside;
}
