import type { GridContent } from "../../../../core/routing/graph/road-grid.ts";
import type { RoadGraph } from "../graph/road-graph.ts";
import type { Part } from "../partition/part.ts";
import type { TilePlan } from "../partition/tile-plan.ts";

/** Size of a cell of the grid that finds tiles [1e-6 degrees]: about 100 m. */
const GRID_STEP = 1000;
/** Rows and columns of the whole earth, so that a cell is one number: row by row, from west to east. */
const ROWS_SOUTH = 90_000;
const COLUMNS_WEST = 180_000;
const COLUMNS = 2 * COLUMNS_WEST + 1;
/** A part has fewer tiles than this. */
const TILES = 65_536;

/** Cells of the grid that roads of a part's tiles touch: cell × TILES + tile of the part, ascending, each once. */
export function gridCells(graph: RoadGraph, part: Part, plans: readonly TilePlan[]): Float64Array {
  const found: number[] = [];
  for (const { tile, pieces } of plans) {
    const own = new Set<number>();
    for (const piece of pieces) {
      forEachCell(graph, part.pieces[piece], (row, column) =>
        own.add((row + ROWS_SOUTH) * COLUMNS + column + COLUMNS_WEST),
      );
    }
    for (const cell of own) found.push(cell * TILES + tile - part.firstTile);
  }
  return Float64Array.from(found).sort();
}

/** The parts of the result of `gridCells`. */
export const gridCell = (number: number) => Math.floor(number / TILES);
export const gridTile = (number: number) => number % TILES;
export const gridColumn = (cell: number) => (cell % COLUMNS) - COLUMNS_WEST;
const gridRow = (cell: number) => Math.floor(cell / COLUMNS) - ROWS_SOUTH;

/** A longer run of cells without roads has its own run; of fewer it belongs to the run next to it. */
const LONG_GAP = 2;

/** Takes cells in ascending order, row by row, each with what has roads in it, and makes runs along the rows of them. */
class GridWriter {
  readonly #step: number;
  readonly #firstColumn: number;
  #firstRow: number | undefined;
  /** The first is empty. */
  readonly #lists = new Map<string, number>([["", 0]]);
  readonly #rows: [length: number, list: number][][] = [];
  #end = 0;

  /** @param firstColumn the westernmost of all cells */
  constructor(step: number, firstColumn: number) {
    this.#step = step;
    this.#firstColumn = firstColumn;
    this.#end = firstColumn;
  }

  add(row: number, column: number, numbers: readonly number[]): void {
    this.#firstRow ??= row;
    while (this.#rows.length <= row - this.#firstRow) {
      this.#rows.push([]);
      this.#end = this.#firstColumn;
    }
    const key = numbers.join();
    let list = this.#lists.get(key);
    if (list === undefined) {
      list = this.#lists.size;
      this.#lists.set(key, list);
    }
    const runs = this.#rows[this.#rows.length - 1];
    if (column - this.#end > LONG_GAP) {
      runs.push([column - this.#end, 0]);
      this.#end = column;
    }
    const last = runs[runs.length - 1];
    if (last && last[1] === list) last[0] += column + 1 - this.#end;
    else runs.push([column + 1 - this.#end, list]);
    this.#end = column + 1;
  }

  finish(): GridContent {
    return {
      step: this.#step,
      firstRow: this.#firstRow ?? 0,
      firstColumn: this.#firstColumn,
      lists: [...this.#lists.keys()].map((key) => (key === "" ? [] : key.split(",").map(Number))),
      rows: this.#rows,
    };
  }
}

/** The written index of roads: tiles by district, and districts. */
export interface RoadGrids {
  tiles: GridContent[];
  districts: GridContent;
}

/** Cells of the grid of districts are so many cells wide at first (0.002°), and twice that until … */
const WIDE = 2;
/** … there are no more runs than this: the table that everyone reads first stays small, however large the country. */
const MAX_RUNS = 24_000;
/** So many cells are held at a time: more runs than that were too many. */
const MAX_WIDE_CELLS = 500_000;

/** By wide cell: its districts, ascending; a number where it is one, as in most. */
type WideCells = Map<number, number | number[]>;

/** Takes cells of the whole graph in ascending order, and lays them out district by district. */
export class GridsWriter {
  readonly #districtOf: (tile: number) => number;
  readonly #writers: GridWriter[];
  #wide: WideCells = new Map();
  /** Their width, in cells. */
  #width = WIDE;

  /** @param west by district, the westernmost of its cells */
  constructor(west: Float64Array, districtOf: (tile: number) => number) {
    this.#districtOf = districtOf;
    this.#writers = Array.from(west, (column) => new GridWriter(GRID_STEP, Number.isFinite(column) ? column : 0));
  }

  add(cell: number, tiles: readonly number[]): void {
    const row = gridRow(cell);
    const column = gridColumn(cell);
    while (this.#wide.size > MAX_WIDE_CELLS) this.#widen();
    const wide = wideKey(Math.floor(row / this.#width), Math.floor(column / this.#width));
    const byDistrict = new Map<number, number[]>();
    for (const tile of tiles) {
      const district = this.#districtOf(tile);
      const own = byDistrict.get(district);
      if (own) own.push(tile);
      else byDistrict.set(district, [tile]);
    }
    for (const [district, own] of byDistrict) {
      joinInto(this.#wide, wide, district);
      this.#writers[district].add(row, column, own);
    }
  }

  finish(): RoadGrids {
    let districts = this.#districts(this.#width);
    while (districts.rows.reduce((sum, { length }) => sum + length, 0) > MAX_RUNS) {
      this.#widen();
      districts = this.#districts(this.#width);
    }
    return { tiles: this.#writers.map((one) => one.finish()), districts };
  }

  #districts(width: number): GridContent {
    const keys = Float64Array.from(this.#wide.keys()).sort();
    const west = keys.reduce((least, key) => Math.min(least, wideColumn(key)), Number.POSITIVE_INFINITY);
    const writer = new GridWriter(GRID_STEP * width, keys.length > 0 ? west : 0);
    for (const key of keys) writer.add(wideRow(key), wideColumn(key), [this.#wide.get(key)!].flat());
    return writer.finish();
  }

  /** Four cells become one. */
  #widen(): void {
    const wider: WideCells = new Map();
    for (const [key, districts] of this.#wide) {
      const into = wideKey(Math.floor(wideRow(key) / 2), Math.floor(wideColumn(key) / 2));
      for (const district of [districts].flat()) joinInto(wider, into, district);
    }
    this.#wide = wider;
    this.#width *= 2;
  }
}

function joinInto(cells: WideCells, key: number, district: number): void {
  const known = cells.get(key);
  if (known === undefined) cells.set(key, district);
  else if (typeof known === "number" ? known !== district : !known.includes(district)) {
    cells.set(
      key,
      [known, district].flat().sort((a, b) => a - b),
    );
  }
}

/** Rows and columns of wide cells as one number, in the order of rows and then columns. */
const wideKey = (row: number, column: number) => (row + ROWS_SOUTH) * COLUMNS + column + COLUMNS_WEST;
const wideRow = (key: number) => Math.floor(key / COLUMNS) - ROWS_SOUTH;
const wideColumn = (key: number) => (key % COLUMNS) - COLUMNS_WEST;

function forEachCell(graph: RoadGraph, piece: number, touch: (row: number, column: number) => void): void {
  forEachSegment(graph, piece, (latA, lonA, latB, lonB) => {
    const bottom = Math.floor(Math.min(latA, latB) / GRID_STEP);
    const top = Math.floor(Math.max(latA, latB) / GRID_STEP);
    const left = Math.floor(Math.min(lonA, lonB) / GRID_STEP);
    const right = Math.floor(Math.max(lonA, lonB) / GRID_STEP);
    // A long ferry fills its box only along its line: step along rows, cross the columns that the row meets.
    for (let row = bottom; row <= top; row++) {
      const share = (edge: number) =>
        latA === latB ? 0 : Math.max(0, Math.min(1, (edge * GRID_STEP - latA) / (latB - latA)));
      const low = latA === latB ? lonA : lonA + (lonB - lonA) * share(row);
      const high = latA === latB ? lonB : lonA + (lonB - lonA) * share(row + 1);
      const from = Math.max(left, Math.floor(Math.min(low, high) / GRID_STEP));
      const to = Math.min(right, Math.floor(Math.max(low, high) / GRID_STEP));
      for (let column = from; column <= to; column++) touch(row, column);
    }
  });
}

function forEachSegment(
  graph: RoadGraph,
  piece: number,
  visit: (latA: number, lonA: number, latB: number, lonB: number) => void,
): void {
  let lat = graph.nodeLatitude[graph.pieceStart[piece]];
  let lon = graph.nodeLongitude[graph.pieceStart[piece]];
  for (let i = graph.shapeFirst[piece]; i < graph.shapeFirst[piece + 1]; i++) {
    visit(lat, lon, graph.shapeLatitude[i], graph.shapeLongitude[i]);
    lat = graph.shapeLatitude[i];
    lon = graph.shapeLongitude[i];
  }
  const end = graph.pieceEnd[piece];
  visit(lat, lon, graph.nodeLatitude[end], graph.nodeLongitude[end]);
}
