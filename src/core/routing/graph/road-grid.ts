import { addSteps, type ColumnReader, type ColumnWriter, steps } from "./columns.ts";

/** Which of some numbered things (tiles, districts) have roads in which cells of a grid, as runs along its rows. */
export interface GridContent {
  /** Size of a cell [1e-6 degrees]. */
  step: number;
  firstRow: number;
  firstColumn: number;
  /** Lists of numbers that runs name. */
  lists: readonly (readonly number[])[];
  rows: readonly (readonly [cells: number, list: number][])[];
}

/** Gets the bounds of a run of cells. */
export type RunVisitor = (south: number, west: number, north: number, east: number) => void;

const COUNTS = 8;

/**
 * A grid, read in place:
 *
 *     counts   i32 × 8   size of a cell [1e-6 degrees], lowest row and column, rows, runs, lists, members of all lists;
 *                        1: the columns that follow are i32, where their numbers do not fit u16
 *     rows     u16 steps, one more than rows    the first run of each
 *     ends     u16 steps, modulo 2^16, per run  the column after its last, counted from the lowest
 *     named    u16 per run                      its list
 *     lists    u16 steps, one more than lists   the first member of each
 *     members  u16                              counted from the first number of the district; of the root: districts
 */
export class RoadGrid {
  readonly #step: number;
  readonly #firstRow: number;
  readonly #firstColumn: number;
  readonly #rowCount: number;
  readonly #rows: Int32Array | Uint16Array;
  readonly #ends: Int32Array | Uint16Array;
  readonly #named: Int32Array | Uint16Array;
  readonly #lists: Int32Array | Uint16Array;
  readonly #members: Int32Array | Uint16Array;

  constructor(columns: ColumnReader) {
    const [step, firstRow, firstColumn, rows, runs, lists, members, wide] = columns.i32(COUNTS);
    const numbers = (count: number) => (wide === 1 ? columns.i32(count) : columns.u16(count));
    this.#step = step;
    this.#firstRow = firstRow;
    this.#firstColumn = firstColumn;
    this.#rowCount = rows;
    this.#rows = addSteps(numbers(rows + 1));
    this.#ends = addSteps(numbers(runs));
    this.#named = numbers(runs);
    this.#lists = addSteps(numbers(lists + 1));
    this.#members = numbers(members);
  }

  /**
   * Adds to `found`, numbered from `first`, the members that may have roads within `reach` [1e-6 degrees of latitude,
   * of longitude: half the axes of an ellipse] of a position.
   */
  near(y: number, x: number, reachY: number, reachX: number, first: number, found: Set<number>): void {
    const size = this.#step;
    const bottom = Math.max(0, Math.floor((y - reachY) / size) - this.#firstRow);
    const top = Math.min(this.#rowCount - 1, Math.floor((y + reachY) / size) - this.#firstRow);
    for (let row = bottom; row <= top; row++) {
      // How wide the ellipse is where it is nearest to its middle in this row.
      const south = (row + this.#firstRow) * size;
      const away = Math.max(0, south - y, y - south - size);
      const wide = reachX * Math.sqrt(Math.max(0, 1 - (away / reachY) ** 2));
      const left = Math.floor((x - wide) / size) - this.#firstColumn;
      const right = Math.floor((x + wide) / size) - this.#firstColumn;
      if (right < 0) continue;
      const end = this.#rows[row + 1];
      for (let run = this.#runBehind(this.#rows[row], end, left); run < end; run++) {
        const list = this.#named[run];
        for (let i = this.#lists[list]; i < this.#lists[list + 1]; i++) found.add(first + this.#members[i]);
        if (this.#ends[run] > right) break;
      }
    }
  }

  /**
   * Visits the cells of the grid that have roads of some members, numbered from `first`, in runs along its rows [1e-6
   * degrees].
   */
  visit(isIn: (member: number) => boolean, first: number, visit: RunVisitor): void {
    const size = this.#step;
    const named = new Uint8Array(this.#lists.length - 1);
    for (let list = 0; list < named.length; list++) {
      for (let i = this.#lists[list]; i < this.#lists[list + 1]; i++) {
        if (isIn(first + this.#members[i])) named[list] = 1;
      }
    }
    for (let row = 0; row < this.#rowCount; row++) {
      const south = (row + this.#firstRow) * size;
      let begin = 0;
      for (let run = this.#rows[row]; run < this.#rows[row + 1]; run++) {
        const end = this.#ends[run];
        if (named[this.#named[run]] === 1) {
          visit(south, (begin + this.#firstColumn) * size, south + size, (end + this.#firstColumn) * size);
        }
        begin = end;
      }
    }
  }

  /** The first run of low ≤ run < high that ends after a column. */
  #runBehind(low: number, high: number, column: number): number {
    let [from, to] = [low, high];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.#ends[middle] > column) to = middle;
      else from = middle + 1;
    }
    return from;
  }
}

/** Writes the format of RoadGrid; `first`: the number from which members are counted. */
export function writeGrid(out: ColumnWriter, content: GridContent, first: number): void {
  const { step, firstRow, firstColumn, lists, rows } = content;
  const runs = rows.flat();
  const ends = rows.flatMap((row) => {
    let end = 0;
    return row.map(([cells]) => {
      end += cells;
      return end;
    });
  });
  const members = lists.flat().map((number) => number - first);
  const rowStarts = runningSums(rows.map((row) => row.length));
  const listStarts = runningSums(lists.map((list) => list.length));
  const most = [...ends, ...members, runs.length, lists.length, members.length].reduce((a, b) => Math.max(a, b), 0);
  const wide = most > 0xffff;
  out.i32([step, firstRow, firstColumn, rows.length, runs.length, lists.length, members.length, wide ? 1 : 0]);
  const numbers = (values: readonly number[]) => (wide ? out.i32(values) : out.u16(values));
  numbers(steps(rowStarts));
  numbers(steps(ends));
  numbers(runs.map(([, list]) => list));
  numbers(steps(listStarts));
  numbers(members);
}

function runningSums(counts: readonly number[]): number[] {
  const sums = [0];
  for (const count of counts) sums.push(sums[sums.length - 1] + count);
  return sums;
}
