import type { TileGrid } from "../../routing/write-manifest.ts";
import type { Part } from "./part.ts";
import type { RoadGraph } from "./road-graph.ts";
import type { TilePlan } from "./tile-plan.ts";

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

/** The parts of what `gridCells` tells. */
export const gridCell = (number: number) => Math.floor(number / TILES);
export const gridTile = (number: number) => number % TILES;
export const gridColumn = (cell: number) => (cell % COLUMNS) - COLUMNS_WEST;

/** Takes cells in ascending order, each with the tiles that have roads in it, and makes runs along the rows of them. */
export class GridWriter {
  readonly #firstColumn: number;
  #firstRow: number | undefined;
  readonly #lists = new Map<string, number>();
  readonly #rows: [length: number, list: number][][] = [];
  #end = 0;

  /** @param firstColumn the westernmost of all cells */
  constructor(firstColumn: number) {
    this.#firstColumn = firstColumn;
    this.#end = firstColumn;
  }

  add(cell: number, tiles: readonly number[]): void {
    const row = Math.floor(cell / COLUMNS) - ROWS_SOUTH;
    this.#firstRow ??= row;
    while (this.#rows.length <= row - this.#firstRow) {
      this.#rows.push([]);
      this.#end = this.#firstColumn;
    }
    const column = gridColumn(cell);
    const key = tiles.join();
    let list = this.#lists.get(key);
    if (list === undefined) {
      list = this.#lists.size;
      this.#lists.set(key, list);
    }
    const runs = this.#rows[this.#rows.length - 1];
    const last = runs[runs.length - 1];
    if (last && last[1] === list) last[0] += column + 1 - this.#end;
    else runs.push([column + 1 - this.#end, list]);
    this.#end = column + 1;
  }

  finish(): TileGrid {
    return {
      step: GRID_STEP,
      firstRow: this.#firstRow ?? 0,
      firstColumn: this.#firstColumn,
      lists: [...this.#lists.keys()].map((key) => key.split(",").map(Number)),
      rows: this.#rows,
    };
  }
}

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
