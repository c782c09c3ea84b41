/**
 * Side of an edge on which a point is, derived from a reference point whose side is known. Everything is in grid units
 * around the reference: x east of it, y the latitude. The path from the reference to the point goes along the meridian
 * and then along the point's parallel, so each half is the usual even-odd test with half-open edges:
 *
 *              ┌────────► point (px, py)
 *              │
 *     reference (0, qy)
 *
 * Edges are straight in longitude and latitude and take the shorter direction, as in geo/shapes/polygon.
 */

/** Coordinates in tiles are integers of 10⁻⁵ degrees, 1.1 m at most: more precise than any border's source. */
export const GRID = 1e5;
export const HALF_TURN = 18_000_000;
export const FULL_TURN = 36_000_000;

/** Brings a difference of two longitudes [grid units, each within ±180°] into [−180°, 180°). */
export function shorterWay(difference: number): number {
  if (difference >= HALF_TURN) return difference - FULL_TURN;
  return difference < -HALF_TURN ? difference + FULL_TURN : difference;
}

/** Brings any longitude [grid units] into [−180°, 180°). */
export function normalLongitude(longitude: number): number {
  if (longitude >= -HALF_TURN && longitude < HALF_TURN) return longitude;
  return ((((longitude + HALF_TURN) % FULL_TURN) + FULL_TURN) % FULL_TURN) - HALF_TURN;
}

/** Returns whether the path from (0, qy) over (0, py) to (px, py) crosses the edge an odd number of times. */
export function crosses(x1: number, y1: number, x2: number, y2: number, qy: number, px: number, py: number): boolean {
  let odd = false;
  if (x1 > 0 !== x2 > 0) {
    const y = y1 - (x1 * (y2 - y1)) / (x2 - x1);
    if (y > py !== y > qy) odd = true;
  }
  if (y1 > py !== y2 > py) {
    const x = x1 + ((py - y1) * (x2 - x1)) / (y2 - y1);
    if (x > px !== x > 0) odd = !odd;
  }
  return odd;
}

/**
 * The full turn by which an edge around the reference must be tested again because it spans the opposite meridian: near
 * a pole the path to a point may lead there. 0 if it does not.
 */
export function secondTurn(x1: number, x2: number): number {
  if (x1 < -HALF_TURN || x2 < -HALF_TURN) return FULL_TURN;
  return x1 >= HALF_TURN || x2 >= HALF_TURN ? -FULL_TURN : 0;
}
