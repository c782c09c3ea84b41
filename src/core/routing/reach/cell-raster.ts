import type { Coordinate } from "../../geo/coordinate.ts";
import { METRES_PER_DEGREE, RADIANS } from "../../geo/distance.ts";
import { contourSteps, doubleArea, polygonSteps } from "../../geo/shapes/contour.ts";
import type { Steps } from "../../geo/steps.ts";
import type { Tile } from "../graph/tile.ts";

/** The smallest side of a cell [1e-6 degrees of latitude]; others are this times a power of two. */
const SMALLEST_STEP = 64;
const SMALLEST_METRES = (SMALLEST_STEP / 1e6) * METRES_PER_DEGREE;
/** The cells extend this much farther than the farthest position that can be reached. */
const MARGIN = 1.3;
const MAX_COORDINATE = 180e6;
/** Cost of a cell in a pass over all, and of a corner of an outline [units of a pace]. */
const CELL_COST = 0.01;
const CORNER_COST = 0.5;

/** A polygon of rings of [longitude, latitude], closed, outlines counter-clockwise, holes after them. */
export type Polygon = [longitude: number, latitude: number][][];

/**
 * The cells of a grid around a place through which reached roads run. Their sides are powers of two of one length, and one of their
 * corners is the place: the cells of a coarse grid are unions of those of a finer one. With the same center, the area of a
 * shorter limit on a finer grid is therefore inside that of a longer limit on a coarser grid, exactly:
 *
 * - roads set the cells that they run through, so more roads or larger cells cover more;
 * - `close` joins cells across gaps. Closing with a larger square covers more, if its side is a multiple of the other;
 * - the outline (`polygons`) runs at half a step from the cells, and cuts corners by straight lines between the middles of the
 *   sides;
 * - steps are even numbers of 1e-6 degrees, so that all corners have six decimals.
 */
export class CellRaster {
  readonly #originY: number;
  readonly #originX: number;
  readonly #stepY: number;
  readonly #stepX: number;
  /** Cells on each side of the center. */
  readonly #half: number;
  readonly #width: number;
  readonly #cells: Uint8Array;
  readonly #rowScale: number;
  /** [m²] */
  readonly #cellArea: number;
  #south = Number.POSITIVE_INFINITY;
  #west = Number.POSITIVE_INFINITY;
  #north = Number.NEGATIVE_INFINITY;
  #east = Number.NEGATIVE_INFINITY;
  /** Of a cell [m]. */
  readonly step: number;

  /** `step`: maximum side of a cell, `farthest`: no position farther away is reached [m]. */
  constructor(center: Coordinate, step: number, farthest: number) {
    const doublings = Math.max(0, Math.floor(Math.log2(step / SMALLEST_METRES)));
    const shrunk = Math.max(0.02, Math.cos(center.latitude * RADIANS));
    this.#stepY = SMALLEST_STEP * 2 ** doublings;
    this.#stepX = 2 * Math.round(SMALLEST_STEP / 2 / shrunk) * 2 ** doublings;
    this.step = SMALLEST_METRES * 2 ** doublings;
    this.#originY = Math.round(center.latitude * 1e6);
    this.#originX = Math.round(center.longitude * 1e6);
    this.#half = Math.ceil((farthest * MARGIN) / this.step) + 1;
    this.#width = 2 * this.#half;
    this.#cells = new Uint8Array(this.#width ** 2);
    this.#rowScale = this.#stepX / this.#stepY;
    this.#cellArea = this.step ** 2 * (this.#stepX / this.#stepY) * shrunk;
  }

  /** Sets the cells of a box [1e-6 degrees]. */
  setBox(south: number, west: number, north: number, east: number): void {
    const turn = this.#turnOf(west);
    const left = (west + turn - this.#originX) / this.#stepX;
    const right = (east + turn - this.#originX) / this.#stepX;
    const first = Math.floor((south - this.#originY) / this.#stepY);
    const last = Math.floor((north - this.#originY) / this.#stepY);
    for (let row = first; row <= last; row++) this.#setRun(row, Math.floor(left), Math.floor(right));
  }

  /** Sets the cells of a part of a piece of road, `from` and `to` as shares of it. */
  setPiece(tile: Tile, piece: number, from: number, to: number): void {
    const first = tile.shapeFirst[piece];
    const count = tile.shapeFirst[piece + 1] - first;
    let y = tile.latitude[tile.startOf(piece)];
    let x = tile.longitude[tile.startOf(piece)];
    const [endY, endX] = [tile.latitude[tile.endOf(piece)], tile.longitude[tile.endOf(piece)]];
    const isWhole = from <= 0 && to >= 1;
    let whole = 0;
    if (!isWhole) {
      let [lastY, lastX] = [y, x];
      for (let i = 0; i <= count; i++) {
        const nextY = i < count ? lastY + tile.shapeNorth[first + i] : endY;
        const nextX = i < count ? lastX + tile.shapeEast[first + i] : endX;
        whole += this.#lengthOf(nextY - lastY, nextX - lastX);
        [lastY, lastX] = [nextY, nextX];
      }
    }
    let walked = 0;
    for (let i = 0; i <= count; i++) {
      const nextY = i < count ? y + tile.shapeNorth[first + i] : endY;
      const nextX = i < count ? x + tile.shapeEast[first + i] : endX;
      if (isWhole) this.#setSegment(y, x, nextY, nextX, 0, 1);
      else {
        const length = this.#lengthOf(nextY - y, nextX - x);
        const shareOf = (share: number) => (length > 0 ? (share * whole - walked) / length : 0);
        const [begin, end] = [Math.max(0, shareOf(from)), Math.min(1, shareOf(to))];
        if (begin <= end) this.#setSegment(y, x, nextY, nextX, begin, end);
        walked += length;
      }
      y = nextY;
      x = nextX;
    }
  }

  #lengthOf(north: number, east: number): number {
    return Math.hypot(north * this.#rowScale, east);
  }

  /** Full turns that bring a longitude next to the center. */
  #turnOf(x: number): number {
    const east = x - this.#originX;
    return east > MAX_COORDINATE ? -2 * MAX_COORDINATE : east < -MAX_COORDINATE ? 2 * MAX_COORDINATE : 0;
  }

  /**
   * Sets the cells that a part of a straight line runs through, column by column (row by row, if it is steep). Positions on the line
   * are computed in the same way for each part and each size of cells.
   */
  #setSegment(y0: number, x0: number, y1: number, x1: number, from: number, to: number): void {
    const turn = this.#turnOf(x0);
    const ay = (y0 - this.#originY) / this.#stepY;
    const ax = (x0 + turn - this.#originX) / this.#stepX;
    const by = (y1 - this.#originY) / this.#stepY;
    const bx = (x1 + turn - this.#originX) / this.#stepX;
    const [floorY, floorX] = [Math.floor(ay), Math.floor(ax)];
    if (floorY === Math.floor(by) && floorX === Math.floor(bx)) this.#setRun(floorY, floorX, floorX);
    else if (Math.abs(bx - ax) >= Math.abs(by - ay)) this.#setLine(ax, ay, bx, by, from, to, false);
    else this.#setLine(ay, ax, by, bx, from, to, true);
  }

  /** From (a, b) to (c, d), along the first coordinate. */
  #setLine(a: number, b: number, c: number, d: number, from: number, to: number, isSteep: boolean): void {
    const slope = (d - b) / (c - a);
    const [low, high] = [Math.min(b, d), Math.max(b, d)];
    const at = (along: number) => Math.floor(Math.max(low, Math.min(high, b + (along - a) * slope)));
    const [begin, end] = [a + (c - a) * from, a + (c - a) * to];
    const [first, last] = [Math.min(begin, end), Math.max(begin, end)];
    for (let column = Math.floor(first); column <= last; column++) {
      const left = at(Math.max(first, column));
      const right = at(Math.min(last, column + 1));
      for (let row = Math.min(left, right); row <= Math.max(left, right); row++) {
        if (isSteep) this.#setRun(column, row, row);
        else this.#setRun(row, column, column);
      }
    }
  }

  #setRun(row: number, west: number, east: number): void {
    const [half, width] = [this.#half, this.#width];
    const [left, right] = [Math.max(west, -half), Math.min(east, half - 1)];
    if (row < -half || row >= half || left > right) return;
    const at = (row + half) * width + half;
    if (left === right) this.#cells[at + left] = 1;
    else this.#cells.fill(1, at + left, at + right + 1);
    if (row < this.#south) this.#south = row;
    if (row > this.#north) this.#north = row;
    if (left < this.#west) this.#west = left;
    if (right > this.#east) this.#east = right;
  }

  /**
   * The outlines of the cells in steps, after gaps narrower than `gap` [m] have been filled, and without holes that are smaller than a share
   * (`denoise`) of the largest outline.
   */
  *polygonSteps(gap: number, denoise: number): Steps<{ polygons: Polygon[]; area: number }> {
    if (this.#south > this.#north) return { polygons: [], area: 0 };
    const window = Math.max(1, Math.ceil(gap / this.step));
    const [south, west] = [this.#south - window, this.#west - window];
    const rows = this.#north - south + 1 + window;
    const columns = this.#east - west + 1 + window;
    const cells = new Uint8Array(rows * columns);
    for (let row = this.#south; row <= this.#north; row++) {
      const from = (row + this.#half) * this.#width + this.#half;
      cells.set(
        this.#cells.subarray(from + this.#west, from + this.#east + 1),
        (row - south) * columns + this.#west - west,
      );
    }
    yield rows * columns * CELL_COST;
    yield* close(cells, rows, columns, window);
    const rings = yield* contourSteps(yield* cornersOf(cells, rows, columns), 0);
    for (const [i, ring] of rings.entries()) {
      rings[i] = withoutCollinear(ring);
      yield ring.length * CORNER_COST;
    }
    const largest = rings.reduce((most, ring) => Math.max(most, doubleArea(ring)), 0);
    const kept = rings.filter((ring) => doubleArea(ring) > 0 || -doubleArea(ring) >= denoise * largest);
    const [y, x] = [this.#originY + south * this.#stepY, this.#originX + west * this.#stepX];
    const place = ([column, row]: readonly [number, number]): [number, number] => {
      const longitude = x + column * this.#stepX;
      const latitude = y + row * this.#stepY;
      return [
        (longitude + (Math.abs(longitude) > MAX_COORDINATE ? this.#wrap(longitude) : 0)) / 1e6,
        Math.max(-90, Math.min(90, latitude / 1e6)),
      ];
    };
    const polygons: Polygon[] = [];
    for (const polygon of yield* polygonSteps(kept)) {
      const placed: Polygon = [];
      for (const ring of polygon) {
        placed.push([...ring, ring[0]].map(place));
        yield ring.length * CORNER_COST;
      }
      polygons.push(placed);
    }
    return { area: (kept.reduce((sum, ring) => sum + doubleArea(ring), 0) / 2) * this.#cellArea, polygons };
  }

  #wrap(longitude: number): number {
    return longitude > 0 ? -2 * MAX_COORDINATE : 2 * MAX_COORDINATE;
  }
}

/** A corner of the grid is inside if one of the cells around it is set. */
function* cornersOf(cells: Uint8Array, rows: number, columns: number) {
  const values = new Float64Array((rows + 1) * (columns + 1)).fill(Number.POSITIVE_INFINITY);
  for (let row = 0; row < rows; row++) {
    yield columns * CELL_COST;
    for (let column = 0; column < columns; column++) {
      if (cells[row * columns + column] === 0) continue;
      const at = row * (columns + 1) + column;
      values[at] = values[at + 1] = values[at + columns + 1] = values[at + columns + 2] = 0;
    }
  }
  return { columns: columns + 1, rows: rows + 1, values };
}

/**
 * Closing of mathematical morphology (Serra 1982) with a square of `window` cells: a cell is set if each such square that contains it
 * touches a set cell. The border of `window` − 1 cells is empty.
 */
function* close(cells: Uint8Array, rows: number, columns: number, window: number): Steps<void> {
  if (window < 2) return;
  const before = (window - 1) >> 1;
  const after = window - 1 - before;
  const line = new Uint8Array(Math.max(rows, columns));
  for (const value of [1, 0]) {
    const [back, ahead] = value === 1 ? [before, after] : [after, before];
    for (let row = 0; row < rows; row++) {
      spreadAlong(cells, row * columns, 1, columns, value, back, ahead, line);
      yield columns * CELL_COST;
    }
    for (let column = 0; column < columns; column++) {
      spreadAlong(cells, column, columns, rows, value, back, ahead, line);
      yield rows * CELL_COST;
    }
  }
}

/** Sets cells of a line to `value` if one that has it is at most `back` cells before them or `ahead` after them. */
function spreadAlong(
  cells: Uint8Array,
  from: number,
  stride: number,
  count: number,
  value: number,
  back: number,
  ahead: number,
  line: Uint8Array,
): void {
  for (let i = 0, at = from; i < count; i++, at += stride) line[i] = cells[at];
  let until = -1;
  for (let i = 0; i < count; i++) {
    if (line[i] !== value) continue;
    const first = Math.max(until, i - ahead);
    until = Math.min(count, i + back + 1);
    for (let k = Math.max(0, first), at = from + k * stride; k < until; k++, at += stride) cells[at] = value;
  }
}

/** Without the corners at which the line continues straight on. */
function withoutCollinear(ring: readonly [number, number][]): [number, number][] {
  return ring.filter(([x, y], i) => {
    const [px, py] = ring[(i + ring.length - 1) % ring.length];
    const [nx, ny] = ring[(i + 1) % ring.length];
    return (x - px) * (ny - y) !== (y - py) * (nx - x);
  });
}
