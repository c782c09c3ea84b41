import type { Coordinate } from "../geo/coordinate.ts";
import type { CellBox } from "./cell-box.ts";
import { GRID, normalLongitude, secondTurn, shorterWay } from "./crossing.ts";
import type { TileEdges } from "./tile-format.ts";

/** Side of a square [grid units]: some 330 m. */
const SIDE = 300;
/** Tiles wider than this, such as those near a pole, have no clear squares [grid units]. */
const WIDEST = 2e6;
/** Squares of a row. */
const COLUMNS = 2 ** 20;

/**
 * Squares of latitude and longitude in a tile, by whether a border of the tile passes through. All points of the tile
 * in a square without a border are in the same regions: a line between two of them crosses no edge.
 */
export class ClearSquares {
  readonly #x: number;
  readonly #met: Set<number> | undefined;

  /** @param box around the tile */
  constructor(edges: TileEdges, box: CellBox) {
    this.#x = box.x;
    this.#met = box.halfWidth > WIDEST ? undefined : squaresOf(edges, box);
  }

  /** The number of a point's square; undefined where a border passes through. */
  of({ latitude, longitude }: Coordinate): number | undefined {
    const x = shorterWay(normalLongitude(longitude * GRID) - this.#x);
    const square = numberOf(Math.floor((latitude * GRID) / SIDE), Math.floor(x / SIDE));
    return !this.#met || this.#met.has(square) ? undefined : square;
  }
}

const numberOf = (row: number, column: number) => row * COLUMNS + column + COLUMNS / 2;

/** Squares that an edge meets, and some next to it; undefined if unknown. */
function squaresOf(
  { x, y, dx, dy }: TileEdges,
  { x: middle, south, north, halfWidth }: CellBox,
): Set<number> | undefined {
  const met = new Set<number>();
  for (let i = 0; i < x.length; i++) {
    const x1 = shorterWay(normalLongitude(x[i]) - middle);
    const x2 = x1 + dx[i];
    if (secondTurn(x1, x2) !== 0) return undefined;
    const [y1, y2] = [y[i], y[i] + dy[i]];
    const low = Math.max(south, Math.min(y1, y2)) - 1;
    const high = Math.min(north, Math.max(y1, y2)) + 1;
    for (let row = Math.floor(low / SIDE); row * SIDE <= high; row++) {
      // The part of the edge in the row, extended by one meter on either side.
      const at = (border: number) => (y1 === y2 ? 0 : Math.max(0, Math.min(1, (border - y1) / (y2 - y1))));
      const from = y1 === y2 ? x1 : x1 + at(row * SIDE - 1) * dx[i];
      const to = y1 === y2 ? x2 : x1 + at((row + 1) * SIDE + 1) * dx[i];
      const first = Math.max(-halfWidth, Math.min(from, to)) - 1;
      const last = Math.min(halfWidth, Math.max(from, to)) + 1;
      for (let column = Math.floor(first / SIDE); column * SIDE <= last; column++) met.add(numberOf(row, column));
    }
  }
  return met;
}
