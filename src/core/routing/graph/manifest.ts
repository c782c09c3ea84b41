import { ByteReader } from "../../geo/bytes/bytes.ts";
import { addSteps, ColumnReader } from "./columns.ts";
import type { Metric } from "./modes.ts";
import { openPayload } from "./object.ts";
import { RoadGrid } from "./road-grid.ts";
import type { TimeWindow } from "./traffic.ts";

export const MANIFEST_MAGIC = "GRDM";
export const MANIFEST_VERSION = 6;
/** Version 5 had nothing that depends on the hour. */
const OLDER_VERSIONS = [5];

/**
 * Version of all road objects: raised with the version of any of them, so that an import does not resume with older
 * ones.
 */
export const ROADS_VERSION = 10;

/** Districts are cells of this level, at most 65,536 junctions; in a graph of fewer levels there is one for all. */
export const DISTRICT_LEVEL = 3;

/**
 * The data that every query needs first, whatever the size of the graph: the levels, the district of each cell, and the
 * cells above the districts. The levels below are in a table for each district (`District`).
 *
 *     counts      i32 × 3   levels (0 search cells, 1 tiles, …), level of the districts, windows of time
 *     cells       i32       per level from 1 on
 *     first       i32 steps per level from 1 to below the districts: first cell of each district, and the end
 *     children    i32       per level from the districts' on: number of cells in each cell of the next
 *     windows     i32 × 3   each: days, from, until
 *     avoid       u8        per mode: by district, bits that change its bundle; then per level from the districts' on, by parent
 *                           cell, bits that change the pack
 *     traffic     u8        where there are windows, likewise: bit n − 1 = the n-th window changes it
 *     packs       i32       per mode, level whose packs are in no bundle, parent cell, and pack in the order of `packRank`: bytes in
 *                           the object that has them (`topKey`), seal included
 *     grid                  positions of the roads of districts: `RoadGrid`
 *     hours       u × 2     each, to the end: difference to the tile before, modes (bits) that conditions restrict in it by the hour
 */
export class Manifest {
  readonly levels: number;
  readonly districtLevel: number;
  readonly districtCount: number;
  readonly tileCount: number;
  /** By level, from 1 on. */
  readonly cellCounts: readonly number[];
  readonly windows: readonly TimeWindow[];
  /** Tiles in which something depends on the hour → for which modes (bits). */
  readonly hourly: ReadonlyMap<number, number>;
  readonly #first: readonly Int32Array[];
  readonly #firstChild: readonly Int32Array[];
  readonly #bits: PackBits;
  /** By mode, level and parent cell: where each of its packs begins in the object that has them, and the end. */
  readonly #ranges: Int32Array[][][];
  readonly #grid: RoadGrid;

  static async read(bytes: Uint8Array): Promise<Manifest> {
    return new Manifest(await openPayload(bytes, MANIFEST_MAGIC, MANIFEST_VERSION, OLDER_VERSIONS));
  }

  /** `payload` becomes the manifest's own. */
  constructor(payload: Uint8Array) {
    const columns = new ColumnReader(payload);
    const [levels, districtLevel, windows] = columns.i32(3);
    this.levels = levels;
    this.districtLevel = districtLevel;
    this.cellCounts = [0, ...columns.i32(levels - 1)];
    this.tileCount = this.cellCounts[1];
    this.districtCount = this.#parents(districtLevel - 1);
    const first: Int32Array[] = [];
    for (let level = 1; level < districtLevel; level++) first[level] = addSteps(columns.i32(this.districtCount + 1));
    this.#first = first;
    const firstChild: Int32Array[] = [];
    for (let level = districtLevel; level < levels; level++) {
      firstChild[level] = runningSums(columns.i32(this.#parents(level)));
    }
    this.#firstChild = firstChild;
    const numbers = columns.i32(3 * windows);
    this.windows = Array.from({ length: windows }, (_, i) => {
      return { days: numbers[3 * i], from: numbers[3 * i + 1], until: numbers[3 * i + 2] };
    });
    this.#bits = new PackBits(columns, windows > 0, districtLevel - 1, levels, (level) => this.#parents(level));
    this.#ranges = this.#readRanges(columns);
    this.#grid = new RoadGrid(columns);
    this.hourly = readHourly(columns.rest());
  }

  /** Whether something depends on the hour for a mode. */
  isHourly(mode: number): boolean {
    for (const modes of this.hourly.values()) if ((modes & (1 << mode)) !== 0) return true;
    return false;
  }

  /** How many cells there are above the cells of a level. */
  #parents(level: number): number {
    return level + 1 < this.levels ? this.cellCounts[level + 1] : 1;
  }

  /** The district of a cell that is no larger than one. */
  districtOf(level: number, cell: number): number {
    return level === this.districtLevel ? cell : runOf(this.#first[level], cell);
  }

  /** The first of a district's cells of a level below it. */
  firstIn(level: number, district: number): number {
    return this.#first[level][district];
  }

  /** Fills in, by level, a cell from the districts on and its ancestors. */
  cellsFrom(level: number, cell: number, cells: Int32Array): void {
    let own = cell;
    for (let at = level; at < this.levels; at++) {
      cells[at] = own;
      own = runOf(this.#firstChild[at], own);
    }
  }

  /** Cells of `level` in cell `parent` of the next, from districts on: first ≤ cell < end. */
  childrenOf(level: number, parent: number): readonly [first: number, end: number] {
    return [this.#firstChild[level][parent], this.#firstChild[level][parent + 1]];
  }

  /** The first of the tiles in a cell, from districts on. */
  firstTileOf(level: number, cell: number): number {
    let first = cell;
    for (let below = level - 1; below >= this.districtLevel; below--) first = this.#firstChild[below][first];
    return this.districtLevel > 1 ? this.#first[1][first] : first;
  }

  /**
   * Returns whether the packs of a level are in the bundles of districts (`Bundle`): those below districts, and those
   * of the districts themselves if one pack does not contain all of them.
   */
  isBundled(level: number): boolean {
    return level < this.districtLevel || (level === this.districtLevel && level + 1 < this.levels);
  }

  /** Returns the part of a metric that affects a bundle: metrics with the same part share a bundle. */
  bundleMetric(metric: Metric, district: number): Metric {
    return this.#bits.packMetric(metric, this.districtLevel - 1, district);
  }

  /** The same for a pack. Packs below districts are distinguished as their bundles are. */
  packMetric(metric: Metric, level: number, parent: number): Metric {
    if (level < this.districtLevel) return this.bundleMetric(metric, this.districtOf(level + 1, parent));
    return this.#bits.packMetric(metric, level, parent);
  }

  /** Range in the object under its `topKey` of a pack that is in no bundle [bytes], seal included. */
  packRange(metric: Metric, level: number, parent: number): { offset: number; length: number } {
    const starts = this.#ranges[metric.mode][level][parent];
    const rank = packRank(metric, this.#bits.of(metric.mode, level, parent));
    return { offset: starts[rank], length: starts[rank + 1] - starts[rank] };
  }

  #readRanges(columns: ColumnReader): Int32Array[][][] {
    return [0, 1, 2, 3].map((mode) => {
      const ranges: Int32Array[][] = [];
      for (let level = this.districtLevel; level < this.levels; level++) {
        if (this.isBundled(level)) continue;
        ranges[level] = Array.from({ length: this.#parents(level) }, (_, parent) =>
          runningSums(columns.i32(packCount(this.#bits.of(mode, level, parent)))),
        );
      }
      return ranges;
    });
  }

  /** Districts that may have roads near a place; see `RoadGrid`. */
  districtsNear(y: number, x: number, reachY: number, reachX: number): Set<number> {
    const districts = new Set<number>();
    this.#grid.near(y, x, reachY, reachX, 0, districts);
    return districts;
  }
}

function readHourly(bytes: Uint8Array): Map<number, number> {
  const reader = new ByteReader(bytes);
  const hourly = new Map<number, number>();
  for (let tile = 0; reader.at < bytes.length; ) {
    tile += reader.unsigned();
    hourly.set(tile, reader.unsigned());
  }
  return hourly;
}

/** By mode, level and parent cell: the parts of a metric that change a pack. */
class PackBits {
  readonly #avoid: Uint8Array[][];
  readonly #traffic: Uint8Array[][];

  /** Levels from `first` to below `end`; `parents`: how many parent cells the cells of a level have. */
  constructor(
    columns: ColumnReader,
    hasWindows: boolean,
    first: number,
    end: number,
    parents: (level: number) => number,
  ) {
    const read = () =>
      [0, 1, 2, 3].map(() => {
        const levels: Uint8Array[] = [];
        for (let level = first; level < end; level++) levels[level] = columns.u8(parents(level));
        return levels;
      });
    this.#avoid = read();
    this.#traffic = hasWindows ? read() : [];
  }

  of(mode: number, level: number, parent: number): { avoid: number; traffic: number } {
    return { avoid: this.#avoid[mode][level][parent], traffic: this.#traffic[mode]?.[level][parent] ?? 0 };
  }

  packMetric({ mode, avoid, bucket = 0 }: Metric, level: number, parent: number): Metric {
    const own = this.of(mode, level, parent);
    const changed = bucket > 0 && (own.traffic >> (bucket - 1)) & 1;
    return { mode, avoid: avoid & own.avoid, bucket: changed ? bucket : 0 };
  }
}

/** Number of avoid sets and windows that differ in these bits. */
const packCount = ({ avoid, traffic }: { avoid: number; traffic: number }): number =>
  (1 << ones(avoid)) * (1 + ones(traffic));

/** The place of a pack among all of its parent: those of no window first, then window by window; in each ascending by avoid set. */
function packRank({ avoid, bucket = 0 }: Metric, bits: { avoid: number; traffic: number }): number {
  const windows = bucket === 0 ? 0 : 1 + ones(bits.traffic & ((1 << (bucket - 1)) - 1));
  let rank = 0;
  for (let set = 0; set < avoid; set++) if ((set & ~bits.avoid) === 0) rank++;
  return (windows << ones(bits.avoid)) + rank;
}

function ones(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}

export function runningSums(counts: ArrayLike<number>): Int32Array {
  const sums = new Int32Array(counts.length + 1);
  for (let i = 0; i < counts.length; i++) sums[i + 1] = sums[i] + counts[i];
  return sums;
}

/** Returns the index of the last of these ascending starts (the last is the end) that is not after a number. */
export function runOf(starts: Int32Array, number: number): number {
  let low = 0;
  let high = starts.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (starts[middle] <= number) low = middle;
    else high = middle - 1;
  }
  return low;
}
