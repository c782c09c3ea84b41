import { eastward, type Ring } from "../../geo/shapes/polygon.ts";

/** Rows of latitude that the edges of an area are sorted into. */
const ROWS = 128;
const TURN = 360e6;
/** Cost of comparing a position or a segment with an edge [µs]. */
const COMPARE_COST = 0.03;

/**
 * A part of the plane within rings: outlines and holes, of one polygon or several; a place is inside when an odd number of
 * rings goes round it. Coordinates are those of road tiles [1e-6 degrees]; edges are straight in longitude and latitude.
 */
export class Area {
  readonly south: number;
  readonly west: number;
  readonly north: number;
  /** East of `west`, perhaps beyond 180°. */
  readonly east: number;
  /** From and to of each edge: y, x, y, x. */
  readonly #edges: Float64Array;
  /** Edges that a row of latitude touches. */
  readonly #rows: readonly number[][];
  /** Edges compared since the last `takeWork`. */
  #compared = 0;

  constructor(rings: readonly Ring[]) {
    const edges: number[] = [];
    for (const ring of rings) addEdges(ring, edges.length > 0 ? edges[1] : undefined, edges);
    this.#edges = Float64Array.from(edges);
    let [south, west, north, east] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let i = 0; i < edges.length; i += 2) {
      south = Math.min(south, edges[i]);
      north = Math.max(north, edges[i]);
      west = Math.min(west, edges[i + 1]);
      east = Math.max(east, edges[i + 1]);
    }
    [this.south, this.west, this.north, this.east] = [south, west, north, east];
    const rows: number[][] = Array.from({ length: ROWS }, () => []);
    for (let i = 0; i < edges.length; i += 4) {
      const first = this.#rowOf(Math.min(edges[i], edges[i + 2]));
      const last = this.#rowOf(Math.max(edges[i], edges[i + 2]));
      for (let row = first; row <= last; row++) rows[row].push(i);
    }
    this.#rows = rows;
  }

  #rowOf(y: number): number {
    const row = Math.floor(((y - this.south) / (this.north - this.south || 1)) * ROWS);
    return Math.max(0, Math.min(ROWS - 1, row));
  }

  /** By how much longitudes must be shifted for a box to meet the area's; empty where they do not meet. */
  shifts(south: number, west: number, north: number, east: number): number[] {
    if (south > this.north || north < this.south) return [];
    return [0, TURN, -TURN].filter((shift) => west + shift <= this.east && east + shift >= this.west);
  }

  /** The cost of comparisons since the last call [µs]. */
  takeWork(): number {
    const work = this.#compared * COMPARE_COST;
    this.#compared = 0;
    return work;
  }

  contains(y: number, x: number): boolean {
    if (y < this.south || y > this.north || x < this.west || x > this.east) return false;
    const edges = this.#edges;
    let inside = false;
    const row = this.#rows[this.#rowOf(y)];
    this.#compared += row.length;
    for (const i of row) {
      const [ay, ax, by, bx] = [edges[i], edges[i + 1], edges[i + 2], edges[i + 3]];
      if (ay > y !== by > y && x < ax + ((y - ay) * (bx - ax)) / (by - ay)) inside = !inside;
    }
    return inside;
  }

  /** Returns whether the segment between two positions crosses an edge. */
  isCrossedBy(y: number, x: number, toY: number, toX: number): boolean {
    const [low, high] = y < toY ? [y, toY] : [toY, y];
    const [left, right] = x < toX ? [x, toX] : [toX, x];
    if (high < this.south || low > this.north || right < this.west || left > this.east) return false;
    const edges = this.#edges;
    const last = this.#rowOf(high);
    for (let row = this.#rowOf(low); row <= last; row++) {
      this.#compared += this.#rows[row].length;
      for (const i of this.#rows[row]) {
        const [ay, ax, by, bx] = [edges[i], edges[i + 1], edges[i + 2], edges[i + 3]];
        if (Math.max(ay, by) < low || Math.min(ay, by) > high || Math.max(ax, bx) < left || Math.min(ax, bx) > right)
          continue;
        const a = side(y, x, toY, toX, ay, ax);
        const b = side(y, x, toY, toX, by, bx);
        const c = side(ay, ax, by, bx, y, x);
        const d = side(ay, ax, by, bx, toY, toX);
        if (a * b <= 0 && c * d <= 0) return true;
      }
    }
    return false;
  }
}

/** Returns the side of the line from a to b on which a position is, as its sign. */
function side(ay: number, ax: number, by: number, bx: number, y: number, x: number): number {
  return Math.sign((bx - ax) * (y - ay) - (by - ay) * (x - ax));
}

/**
 * Adds the edges of a ring, unrolled continuously, so that it may extend beyond 180°; starts on the same turn as
 * `near`.
 */
function addEdges(ring: Ring, near: number | undefined, edges: number[]): void {
  let x = ring[0][0] * 1e6;
  if (near !== undefined) x += Math.round((near - x) / TURN) * TURN;
  let previous = ring[0];
  for (let i = 1; i <= ring.length; i++) {
    const next = ring[i % ring.length];
    const to = x + eastward(previous, next) * 1e6;
    if (next[0] !== previous[0] || next[1] !== previous[1]) edges.push(previous[1] * 1e6, x, next[1] * 1e6, to);
    x = to;
    previous = next;
  }
}
