import { atOnce, type Steps } from "../steps.ts";
import { inRing } from "./in-ring.ts";

/**
 * Lines of equal value in a grid (marching squares: Lorensen & Cline 1987, in two dimensions), as closed rings.
 *
 * Columns run east, rows north. A corner is inside where its value is at most `level`. Between a corner inside and one outside the
 * line runs where a straight line between the two values meets the level; halfway where one of them is infinite. Two opposite
 * corners inside count as joined.
 */
export interface Grid {
  columns: number;
  rows: number;
  /** By row × columns + column. */
  values: Float64Array;
}

/** x, y in columns and rows of the grid. */
type Point = [x: number, y: number];

/** Cost of a cell of the grid, of a corner of a ring, and of comparing a point with a corner [units of a pace]. */
const CELL_COST = 0.02;
const CORNER_COST = 0.3;
const COMPARE_COST = 0.01;
/** Corners of a ring that are followed in a step. */
const CORNERS_IN_STEP = 4_096;

/** Closed rings, first corner not repeated, with the inside on the left: outlines counter-clockwise, holes clockwise. */
export function contourRings(grid: Grid, level: number): Point[][] {
  return atOnce(contourSteps(grid, level));
}

/** The same in steps. */
export function* contourSteps(grid: Grid, level: number): Steps<Point[][]> {
  const next = yield* segments(grid, level);
  const rings: Point[][] = [];
  for (const first of next.keys()) {
    const ring: Point[] = [];
    for (let edge: number | undefined = first; edge !== undefined; ) {
      const to: number | undefined = next.get(edge);
      if (to === undefined) break;
      ring.push(crossing(grid, level, edge));
      next.delete(edge);
      edge = to;
      if (ring.length % CORNERS_IN_STEP === 0) yield CORNERS_IN_STEP * CORNER_COST;
    }
    yield (ring.length % CORNERS_IN_STEP) * CORNER_COST;
    // Corners that fall together where the line runs through a corner of the grid.
    const corners = ring.filter(([x, y], i) => {
      const [px, py] = ring[(i + ring.length - 1) % ring.length];
      return x !== px || y !== py;
    });
    if (corners.length >= 3) rings.push(corners);
  }
  return rings;
}

/**
 * From grid edge to grid edge: where the line enters a cell, and where it leaves it. An edge is its lower or left
 * corner × 2, + 1 if it runs north. Everything around the grid is outside.
 */
function* segments({ columns, rows, values }: Grid, level: number): Steps<Map<number, number>> {
  // The grid with a border of outside around it, so that every line closes.
  const width = columns + 2;
  const inside = (x: number, y: number) =>
    x >= 0 && y >= 0 && x < columns && y < rows && values[y * columns + x] <= level ? 1 : 0;
  const next = new Map<number, number>();
  for (let y = -1; y < rows; y++) {
    yield width * CELL_COST;
    for (let x = -1; x < columns; x++) {
      const corner = (y + 1) * width + x + 1;
      const [south, west, north, east] = [corner * 2, corner * 2 + 1, (corner + width) * 2, (corner + 1) * 2 + 1];
      const kind = inside(x, y) + 2 * inside(x + 1, y) + 4 * inside(x + 1, y + 1) + 8 * inside(x, y + 1);
      switch (kind) {
        case 1:
          next.set(south, west);
          break;
        case 2:
          next.set(east, south);
          break;
        case 3:
          next.set(east, west);
          break;
        case 4:
          next.set(north, east);
          break;
        case 5:
          next.set(south, east).set(north, west);
          break;
        case 6:
          next.set(north, south);
          break;
        case 7:
          next.set(north, west);
          break;
        case 8:
          next.set(west, north);
          break;
        case 9:
          next.set(south, north);
          break;
        case 10:
          next.set(west, south).set(east, north);
          break;
        case 11:
          next.set(east, north);
          break;
        case 12:
          next.set(west, east);
          break;
        case 13:
          next.set(south, east);
          break;
        case 14:
          next.set(west, south);
          break;
      }
    }
  }
  return next;
}

function crossing({ columns, rows, values }: Grid, level: number, edge: number): Point {
  const width = columns + 2;
  const corner = edge >> 1;
  const x = (corner % width) - 1;
  const y = Math.floor(corner / width) - 1;
  const [dx, dy] = edge & 1 ? [0, 1] : [1, 0];
  const value = (x: number, y: number) =>
    x < 0 || y < 0 || x >= columns || y >= rows ? Number.POSITIVE_INFINITY : values[y * columns + x];
  const a = value(x, y);
  const b = value(x + dx, y + dy);
  const share = Number.isFinite(a) && Number.isFinite(b) ? (level - a) / (b - a) : 0.5;
  return [x + dx * share, y + dy * share];
}

/** Twice the area that a ring encloses, negative where it runs clockwise [square cells]. */
export function doubleArea(ring: readonly (readonly number[])[]): number {
  let sum = 0;
  let [px, py] = ring[ring.length - 1];
  for (const [x, y] of ring) {
    sum += px * y - x * py;
    [px, py] = [x, y];
  }
  return sum;
}

/** Outlines with their holes, in steps. A hole belongs to the smallest outline around it. */
export function* polygonSteps(rings: readonly Point[][]): Steps<Point[][][]> {
  const measured = rings.map((ring) => ({ ring, area: doubleArea(ring) }));
  const outlines = measured.filter(({ area }) => area > 0).sort((a, b) => a.area - b.area);
  const polygons = outlines.map(({ ring }) => ({ rings: [ring], box: boxOf(ring) }));
  yield rings.reduce((sum, ring) => sum + ring.length, 0) * COMPARE_COST;
  for (const { ring: hole, area } of measured) {
    if (area >= 0) continue;
    const [x, y] = hole[0];
    for (const { rings, box } of polygons) {
      if (x < box.west || x > box.east || y < box.south || y > box.north) continue;
      const isAround = inRing(rings[0], x, y);
      yield rings[0].length * COMPARE_COST;
      if (!isAround) continue;
      rings.push(hole);
      break;
    }
    yield polygons.length * COMPARE_COST;
  }
  // The largest first.
  return polygons.reverse().map(({ rings }) => rings);
}

function boxOf(ring: readonly Point[]) {
  const box = { west: Infinity, east: -Infinity, south: Infinity, north: -Infinity };
  for (const [x, y] of ring) {
    box.west = Math.min(box.west, x);
    box.east = Math.max(box.east, x);
    box.south = Math.min(box.south, y);
    box.north = Math.max(box.north, y);
  }
  return box;
}
