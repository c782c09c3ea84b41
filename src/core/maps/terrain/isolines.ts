/** Values on a grid of points, row by row from the north, `columns` in each; NaN: unknown. */
export interface Grid {
  columns: number;
  rows: number;
  values: Float32Array;
}

/** A line of points: x, y, x, y … in cells of the grid from its north-western point. */
export type Isoline = number[];

/**
 * Lines of equal value through a grid (marching squares: W. E. Lorensen and H. E. Cline 1987, in the plane), with greater values on their
 * right as seen on a screen. A crossing is the start of at most one piece of a line and the end of at most one, so that
 * pieces are joined by arrays, without searching.
 */
export class IsolineTracer {
  readonly #grid: Grid;
  /** By crossed edge, the next one of its line; −1: none. Edge 2 i leads from point i to the east, 2 i + 1 to the south. */
  readonly #next: Int32Array;
  readonly #isEnd: Uint8Array;

  constructor(grid: Grid) {
    this.#grid = grid;
    this.#next = new Int32Array(2 * grid.values.length).fill(-1);
    this.#isEnd = new Uint8Array(2 * grid.values.length);
  }

  /** @param cells the cells that a line of this value may cross; all if absent */
  trace(value: number, cells?: ArrayLike<number>): Isoline[] {
    const { columns, rows, values } = this.#grid;
    const starts: number[] = [];
    const add = (from: number, to: number) => {
      this.#next[from] = to;
      this.#isEnd[to] = 1;
      starts.push(from);
    };
    const visit = (cell: number) => {
      const a = values[cell];
      const b = values[cell + 1];
      const c = values[cell + columns + 1];
      const d = values[cell + columns];
      const kind = (a >= value ? 8 : 0) + (b >= value ? 4 : 0) + (c >= value ? 2 : 0) + (d >= value ? 1 : 0);
      if (kind === 0 || kind === 15 || Number.isNaN(a + b + c + d)) return;
      const [north, west, south, east] = [2 * cell, 2 * cell + 1, 2 * (cell + columns), 2 * (cell + 1) + 1];
      const edges = [north, west, south, east];
      if (kind === 5 || kind === 10) {
        // Two lines pass a saddle; the height of its middle decides which corners they separate.
        for (const [from, to] of SADDLES[kind][(a + b + c + d) / 4 >= value ? 1 : 0]) add(edges[from], edges[to]);
        return;
      }
      const [from, to] = PIECES[kind];
      add(edges[from], edges[to]);
    };
    if (cells) for (let i = 0; i < cells.length; i++) visit(cells[i]);
    else
      for (let row = 0; row < rows - 1; row++)
        for (let column = 0; column < columns - 1; column++) visit(row * columns + column);
    const lines: Isoline[] = [];
    // Open lines first, from their beginning; what is left are rings.
    for (const start of starts)
      if (this.#isEnd[start] === 0 && this.#next[start] >= 0) lines.push(this.#follow(start, value));
    for (const start of starts) if (this.#next[start] >= 0) lines.push(this.#follow(start, value));
    return lines;
  }

  #follow(start: number, value: number): Isoline {
    const line: Isoline = [];
    let edge = start;
    while (edge >= 0) {
      this.#add(line, edge, value);
      const next = this.#next[edge];
      this.#next[edge] = -1;
      this.#isEnd[edge] = 0;
      edge = next;
    }
    return line;
  }

  #add(line: Isoline, edge: number, value: number): void {
    const { columns, values } = this.#grid;
    const point = edge >> 1;
    const isSouth = (edge & 1) === 1;
    const [from, to] = [values[point], values[point + (isSouth ? columns : 1)]];
    const share = from === to ? 0.5 : (value - from) / (to - from);
    const [x, y] = [point % columns, Math.floor(point / columns)];
    line.push(isSouth ? x : x + share, isSouth ? y + share : y);
  }
}

const [NORTH, WEST, SOUTH, EAST] = [0, 1, 2, 3];
/** By the corners at or above the value (north-west 8, north-east 4, south-east 2, south-west 1): from which side to which. */
const PIECES: Readonly<Record<number, readonly [from: number, to: number]>> = {
  1: [WEST, SOUTH],
  2: [SOUTH, EAST],
  3: [WEST, EAST],
  4: [EAST, NORTH],
  6: [SOUTH, NORTH],
  7: [WEST, NORTH],
  8: [NORTH, WEST],
  9: [NORTH, SOUTH],
  11: [NORTH, EAST],
  12: [EAST, WEST],
  13: [EAST, SOUTH],
  14: [SOUTH, WEST],
};
/** Of the two kinds of saddles: with a low middle, and with a high one. */
const SADDLES: Readonly<Record<number, readonly [low: Pieces, high: Pieces]>> = {
  5: [
    [
      [EAST, NORTH],
      [WEST, SOUTH],
    ],
    [
      [WEST, NORTH],
      [EAST, SOUTH],
    ],
  ],
  10: [
    [
      [NORTH, WEST],
      [SOUTH, EAST],
    ],
    [
      [NORTH, EAST],
      [SOUTH, WEST],
    ],
  ],
};
type Pieces = readonly (readonly [from: number, to: number])[];
