import { withNeighbours } from "../../../../core/geo/cells/cell-neighbourhood.ts";
import { ancestorOf, cellAt, type PackedCell } from "../../../../core/geo/cells/cells.ts";
import type { Coordinate } from "../../../../core/geo/coordinate.ts";
import type { PointRegions } from "../../../../core/regions/region.ts";
import { IMPORT_TILES, regionsHeld, regionsIn } from "../../../../core/regions/region-index.ts";
import { RegionTile } from "../../../../core/regions/region-tile.ts";

/** Tiles of regions as bytes that all threads see. */
export interface SharedTiles {
  /** Cell, start and length of each, one after the other. */
  places: Float64Array;
  bytes: Uint8Array;
}

/** Maximum size of the decoded tiles of one thread [bytes]; neighboring houses are mostly in the same tile. */
const DECODED = 24 * 1024 * 1024;

/** Cells that are remembered. */
const MAX_CACHED_CELLS = 20_000;

/** The regions around points, from tiles that are decoded when they are asked for; the last ones are kept. */
export class RegionTiles {
  readonly #places = new Map<PackedCell, { start: number; length: number }>();
  readonly #bytes: Uint8Array;
  readonly #decoded = new Map<PackedCell, RegionTile>();
  /** By cell: the tile of all its points. */
  readonly #cells = new Map<PackedCell, PackedCell | undefined>();
  /** Regions of squares of tiles. */
  readonly #squares = new WeakMap<RegionTile, Map<number, PointRegions | undefined>>();
  #held = 0;

  constructor({ places, bytes }: SharedTiles) {
    for (let i = 0; i < places.length; i += 3)
      this.#places.set(places[i], { start: places[i + 1], length: places[i + 2] });
    this.#bytes = bytes;
  }

  at(point: Coordinate): PointRegions {
    const cell = cellAt(point);
    return regionsIn(this.#tile(ancestorOf(cell, IMPORT_TILES)), point, cell);
  }

  /**
   * The same as `at` for a point whose cell is known, mostly without finding its finer one: all points of a square of the tile that no border
   * passes through see the same.
   */
  within(point: Coordinate, cell: PackedCell): PointRegions {
    const own = this.#tileOf(cell);
    const tile = own === undefined ? undefined : this.#tile(own);
    const square = own === undefined ? undefined : tile?.squareOf(point, own);
    if (!tile || square === undefined) return this.at(point);
    let squares = this.#squares.get(tile);
    if (!squares) {
      squares = new Map();
      this.#squares.set(tile, squares);
    }
    if (!squares.has(square)) squares.set(square, regionsHeld(tile, point, cellAt(point)));
    return squares.get(square) ?? this.at(point);
  }

  /**
   * The tile that has all points of a cell; undefined where there may be several. The finer cell of a point may belong to a neighbour
   * of its own by number, but to no other.
   */
  #tileOf(cell: PackedCell): PackedCell | undefined {
    if (this.#cells.has(cell)) return this.#cells.get(cell);
    if (this.#cells.size >= MAX_CACHED_CELLS) this.#cells.clear();
    const tile = ancestorOf(cell, IMPORT_TILES);
    const sure = withNeighbours(cell).every((one) => ancestorOf(one, IMPORT_TILES) === tile);
    this.#cells.set(cell, sure ? tile : undefined);
    return this.#cells.get(cell);
  }

  #tile(cell: PackedCell): RegionTile | undefined {
    const known = this.#decoded.get(cell);
    if (known) return known;
    const place = this.#places.get(cell);
    if (!place) return undefined;
    // A copy: texts are not decoded from shared memory everywhere.
    const tile = new RegionTile(new Uint8Array(this.#bytes.subarray(place.start, place.start + place.length)));
    this.#held += tile.weight;
    this.#decoded.set(cell, tile);
    for (const [old, one] of this.#decoded) {
      if (this.#held <= DECODED || old === cell) break;
      this.#decoded.delete(old);
      this.#held -= one.weight;
    }
    return tile;
  }
}
