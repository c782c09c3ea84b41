import type { ByteReader } from "../geo/bytes.ts";
import type { Metric } from "./modes.ts";
import { openObject } from "./object.ts";
import type { TimeWindow } from "./traffic.ts";

export const MANIFEST_MAGIC = "GRDM";
export const MANIFEST_VERSION = 2;

/**
 * What one must know before the first tile:
 *
 *     levels      u        how many; 0 search cells, 1 tiles, …
 *     cells       u each   per level from 1 on
 *     children    u each   per level from 1 to the last but one: how many of its cells lie in each cell of the next
 *     entering    u each   per tile: edges that come in; their ids follow one another
 *     avoid       u each   per mode, level from 1 on, parent cell (one above the last level): bits that change the pack
 *     windows     u        how many windows of time have speeds of their own; then of each u × 3: days, from, until
 *     traffic     u each   where there are windows, per mode and pack as above: bit n − 1 = the n-th window changes the pack
 *     grid        u, s × 2, u × 2   size of a cell [1e-6 degrees], lowest row and column, number of rows, of tile lists
 *     lists       u each   per list: length, tiles
 *     rows                 u number of runs, then per run: u cells, u list. A run's list holds the tiles whose roads touch
 *                          its cells; cells no road touches belong to a run beside them.
 */
export class Manifest {
  readonly levels: number;
  readonly tileCount: number;
  /** cellOf[level][tile], level ≥ 1. */
  readonly cellOf: readonly Int32Array[];
  /**
   * Cells of `level` inside cell `parent` of the next: firstChild[level][parent] ≤ cell < firstChild[level][parent +
   * 1].
   */
  readonly firstChild: readonly Int32Array[];
  readonly cellCounts: readonly number[];
  readonly crossingCount: number;
  readonly firstEntering: Int32Array;
  /** The tile that an edge between tiles leads into. */
  readonly headTile: Int32Array;
  readonly windows: readonly TimeWindow[];
  readonly #avoid: Uint8Array[][];
  readonly #traffic: Uint8Array[][];
  readonly #gridStep: number;
  readonly #firstRow: number;
  readonly #firstColumn: number;
  readonly #lists: readonly Int32Array[];
  readonly #rows: readonly { ends: Int32Array; lists: Int32Array }[];

  static async read(bytes: Uint8Array): Promise<Manifest> {
    return new Manifest(await openObject(bytes, MANIFEST_MAGIC, MANIFEST_VERSION));
  }

  constructor(reader: ByteReader) {
    const numbers = (count: number) => Int32Array.from({ length: count }, () => reader.unsigned());
    this.levels = reader.unsigned();
    this.cellCounts = [0, ...numbers(this.levels - 1)];
    this.tileCount = this.cellCounts[1];
    const firstChild: Int32Array[] = [new Int32Array(0)];
    for (let level = 1; level < this.levels; level++) {
      const parents = level + 1 < this.levels ? this.cellCounts[level + 1] : 1;
      const counts = level + 1 < this.levels ? numbers(parents) : Int32Array.of(this.cellCounts[level]);
      firstChild.push(runningSums(counts));
    }
    this.firstChild = firstChild;
    const cellOf = [new Int32Array(0), Int32Array.from({ length: this.tileCount }, (_, tile) => tile)];
    for (let level = 2; level < this.levels; level++) {
      const parentOf = new Int32Array(this.cellCounts[level - 1]);
      const first = firstChild[level - 1];
      for (let parent = 0; parent + 1 < first.length; parent++) parentOf.fill(parent, first[parent], first[parent + 1]);
      cellOf.push(cellOf[level - 1].map((cell) => parentOf[cell]));
    }
    this.cellOf = cellOf;
    this.firstEntering = runningSums(numbers(this.tileCount));
    this.crossingCount = this.firstEntering[this.tileCount];
    this.headTile = new Int32Array(this.crossingCount);
    for (let tile = 0; tile < this.tileCount; tile++) {
      this.headTile.fill(tile, this.firstEntering[tile], this.firstEntering[tile + 1]);
    }
    const perPack = () =>
      [0, 1, 2, 3].map(() =>
        firstChild.map((first, level) => Uint8Array.from(level === 0 ? [] : numbers(first.length - 1))),
      );
    this.#avoid = perPack();
    this.windows = Array.from({ length: reader.unsigned() }, () => {
      return { days: reader.unsigned(), from: reader.unsigned(), until: reader.unsigned() };
    });
    this.#traffic = this.windows.length > 0 ? perPack() : [];
    this.#gridStep = reader.unsigned();
    this.#firstRow = reader.signed();
    this.#firstColumn = reader.signed();
    const rows = reader.unsigned();
    const lists = reader.unsigned();
    this.#lists = Array.from({ length: lists }, () => numbers(reader.unsigned()));
    this.#rows = Array.from({ length: rows }, () => {
      const runs = reader.unsigned();
      const ends = new Int32Array(runs);
      const own = new Int32Array(runs);
      for (let run = 0, end = 0; run < runs; run++) {
        ends[run] = end += reader.unsigned();
        own[run] = reader.unsigned();
      }
      return { ends, lists: own };
    });
  }

  /** The cell of `level` + 1 in which a cell of `level` lies; 0 above the last level. */
  parentOfTile(level: number, tile: number): number {
    return level + 1 < this.levels ? this.cellOf[level + 1][tile] : 0;
  }

  /** The first of the tiles in a cell. */
  firstTileOf(level: number, cell: number): number {
    let first = cell;
    for (let below = level - 1; below >= 1; below--) first = this.firstChild[below][first];
    return first;
  }

  /** What of a metric makes a difference to a pack: others share one. */
  packMetric({ mode, avoid, bucket = 0 }: Metric, level: number, parent: number): Metric {
    const changed = bucket > 0 && ((this.#traffic[mode]?.[level][parent] ?? 0) >> (bucket - 1)) & 1;
    return { mode, avoid: avoid & this.#avoid[mode][level][parent], bucket: changed ? bucket : 0 };
  }

  /**
   * Tiles that may have roads within `reach` [1e-6 degrees of latitude, of longitude: half the axes of an ellipse] of a
   * point.
   */
  tilesNear(latitude: number, longitude: number, reachLatitude: number, reachLongitude: number): Set<number> {
    const tiles = new Set<number>();
    const cell = (value: number) => Math.floor(value / this.#gridStep);
    const bottom = Math.max(0, cell(latitude - reachLatitude) - this.#firstRow);
    const top = Math.min(this.#rows.length - 1, cell(latitude + reachLatitude) - this.#firstRow);
    for (let row = bottom; row <= top; row++) {
      // How wide the ellipse is where it is nearest to its middle in this row.
      const south = (row + this.#firstRow) * this.#gridStep;
      const away = Math.max(0, south - latitude, latitude - south - this.#gridStep);
      const wide = reachLongitude * Math.sqrt(Math.max(0, 1 - (away / reachLatitude) ** 2));
      const left = cell(longitude - wide) - this.#firstColumn;
      const right = cell(longitude + wide) - this.#firstColumn;
      const { ends, lists } = this.#rows[row];
      let start = 0;
      for (let run = 0; run < ends.length && start <= right; run++) {
        if (ends[run] > left) for (const tile of this.#lists[lists[run]]) tiles.add(tile);
        start = ends[run];
      }
    }
    return tiles;
  }
}

function runningSums(counts: Int32Array): Int32Array {
  const sums = new Int32Array(counts.length + 1);
  for (let i = 0; i < counts.length; i++) sums[i + 1] = sums[i] + counts[i];
  return sums;
}
