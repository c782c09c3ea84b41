import { ColumnReader } from "./columns.ts";
import { type Manifest, runningSums, runOf } from "./manifest.ts";
import { openPayload } from "./object.ts";
import { RoadGrid, type RunVisitor } from "./road-grid.ts";

export const DISTRICT_MAGIC = "GRDD";
export const DISTRICT_VERSION = 2;

/**
 * The tables of a district, a cell of level 3: how its tiles are joined to cells, and which tiles have roads where.
 * Read on first use, separately or in a bundle (`Bundle`); columns of one width, read in place.
 *
 *     children    u16   per level from 1 to the last but one below the district: cells in each cell of the next
 *     grid              positions of the roads of its tiles, numbered from the first: `RoadGrid`
 */
export class District {
  readonly number: number;
  /** Approximate memory size [bytes]. */
  readonly size: number;
  readonly #manifest: Manifest;
  /** By level; counted from the district's first cell, of `level` and of the next. */
  readonly #firstChild: readonly Int32Array[];
  readonly #grid: RoadGrid;

  static async read(bytes: Uint8Array, manifest: Manifest, number: number): Promise<District> {
    return new District(await openPayload(bytes, DISTRICT_MAGIC, DISTRICT_VERSION), manifest, number);
  }

  /** `payload` becomes the district's own. */
  constructor(payload: Uint8Array, manifest: Manifest, number: number) {
    this.number = number;
    this.#manifest = manifest;
    const columns = new ColumnReader(payload);
    const { districtLevel } = manifest;
    const count = (level: number) =>
      level < districtLevel ? manifest.firstIn(level, number + 1) - manifest.firstIn(level, number) : 1;
    const firstChild: Int32Array[] = [];
    let made = 0;
    for (let level = 1; level < districtLevel; level++) {
      firstChild[level] =
        level + 1 < districtLevel ? runningSums(columns.u16(count(level + 1))) : Int32Array.of(0, count(level));
      made += firstChild[level].byteLength;
    }
    this.#firstChild = firstChild;
    this.#grid = new RoadGrid(columns);
    this.size = OBJECTS + payload.length + made;
  }

  #firstOf(level: number): number {
    return level < this.#manifest.districtLevel ? this.#manifest.firstIn(level, this.number) : this.number;
  }

  /** Fills in, by level, a cell of the district and its ancestors. */
  cellsFrom(level: number, cell: number, cells: Int32Array): void {
    const { districtLevel } = this.#manifest;
    let own = cell;
    for (let at = level; at < districtLevel; at++) {
      cells[at] = own;
      own = runOf(this.#firstChild[at], own - this.#firstOf(at)) + this.#firstOf(at + 1);
    }
    this.#manifest.cellsFrom(districtLevel, own, cells);
  }

  /** Cells of `level` in cell `parent` of the next: first ≤ cell < end. */
  childrenOf(level: number, parent: number): readonly [first: number, end: number] {
    const own = parent - this.#firstOf(level + 1);
    const first = this.#firstOf(level);
    return [first + this.#firstChild[level][own], first + this.#firstChild[level][own + 1]];
  }

  /** The first of the tiles in a cell of the district. */
  firstTileOf(level: number, cell: number): number {
    let first = cell;
    for (let below = level - 1; below >= 1; below--) [first] = this.childrenOf(below, first);
    return first;
  }

  /** Adds its tiles that may have roads near a place; see `RoadGrid`. */
  tilesNear(y: number, x: number, reachY: number, reachX: number, tiles: Set<number>): void {
    this.#grid.near(y, x, reachY, reachX, this.#firstOf(1), tiles);
  }

  /** Visits the cells of its grid that have roads of some of its tiles; see `RoadGrid`. */
  visit(isIn: (tile: number) => boolean, visit: RunVisitor): void {
    this.#grid.visit(isIn, this.#firstOf(1), visit);
  }
}

/** The district, its arrays and grid, in addition to their numbers [bytes]. */
const OBJECTS = 2500;
