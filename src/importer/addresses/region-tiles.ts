import { withNeighbours } from "../../geo/cell-neighbourhood.ts";
import { ancestorOf, cellAt, type PackedCell } from "../../geo/cells.ts";
import type { Coordinate } from "../../geo/coordinate.ts";
import type { PointRegions } from "../../regions/region.ts";
import { IMPORT_TILES, regionsIn, regionsThroughout } from "../../regions/region-index.ts";
import { RegionTile } from "../../regions/region-tile.ts";

/** Tiles of regions as bytes that all threads see. */
export interface SharedTiles {
  /** Cell, start and length of each, one after the other. */
  places: Float64Array;
  bytes: Uint8Array;
}

/** What the decoded tiles of one thread may take [bytes]; a house and the next mostly lie in the same. */
const DECODED = 24 * 1024 * 1024;

/** Cells that are remembered. */
const MOST_CELLS = 20_000;

/** The regions around points, from tiles that are decoded when they are asked for; the last ones are kept. */
export class RegionTiles {
  readonly #places = new Map<PackedCell, { start: number; length: number }>();
  readonly #bytes: Uint8Array;
  readonly #decoded = new Map<PackedCell, RegionTile>();
  /** What cells see as wholes; buckets have few, and each is asked for once more by each of its neighbours. */
  readonly #cells = new Map<PackedCell, PointRegions | undefined>();
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
   * What `at` answers for every point whose cell of this resolution is `cell`, told from the cells there and beside it: finer cells of
   * a point may belong to a neighbour by their number. undefined where it may differ from point to point.
   */
  throughout(cell: PackedCell): PointRegions | undefined {
    let answer: PointRegions | undefined;
    for (const one of withNeighbours(cell)) {
      const own = this.#ofCell(one);
      if (!own || (answer && own !== answer && JSON.stringify(own) !== JSON.stringify(answer))) return undefined;
      answer ??= own;
    }
    return answer;
  }

  #ofCell(cell: PackedCell): PointRegions | undefined {
    if (this.#cells.has(cell)) return this.#cells.get(cell);
    if (this.#cells.size >= MOST_CELLS) this.#cells.clear();
    const regions = regionsThroughout(this.#tile(ancestorOf(cell, IMPORT_TILES)), cell);
    this.#cells.set(cell, regions);
    return regions;
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
