import type { Coordinate } from "../../geo/coordinate.ts";
import { METRES_PER_DEGREE, RADIANS } from "../../geo/distance.ts";
import type { District } from "../graph/district.ts";
import type { Manifest } from "../graph/manifest.ts";
import type { Metric } from "../graph/modes.ts";
import type { RunVisitor } from "../graph/road-grid.ts";

interface DistrictReads {
  /** The tables of a district, if they are in the cache. */
  cached(number: number): District | undefined;
  /** Reads them, to the cache; undefined if they cannot be read. */
  read(number: number): Promise<District | undefined>;
  /** Starts to read what a search with the metric needs of a district. */
  prefetch(number: number, metric: Metric): void;
}

/**
 * Which tiles and cells a build has, and where, as one query sees it: from the manifest, and below the level of districts from their
 * tables. Those that the query has requested stay loaded until it ends.
 */
export class Districts {
  readonly #manifest: Manifest;
  readonly #reads: DistrictReads;
  /** Undefined: its tables cannot be read. */
  readonly #asked = new Map<number, District | undefined>();

  constructor(manifest: Manifest, reads: DistrictReads) {
    this.#manifest = manifest;
    this.#reads = reads;
  }

  atHand(number: number): District | undefined {
    const known = this.#asked.get(number);
    if (known) return known;
    const cached = this.#reads.cached(number);
    if (cached) this.#asked.set(number, cached);
    return cached;
  }

  /** Returns whether the tables of a district were read or are unreadable. */
  #hasAsked(number: number): boolean {
    return this.#asked.has(number) || this.atHand(number) !== undefined;
  }

  /** Reads the tables of a district. */
  async openOne(number: number): Promise<void> {
    if (!this.#hasAsked(number)) this.#asked.set(number, await this.#reads.read(number));
  }

  /** `metric`: that of the coming search; the data of the districts that it needs is fetched in the same read. */
  #openAll(districts: Iterable<number>, metric?: Metric): Promise<void> | undefined {
    const lacking = [...districts].filter((number) => !this.#hasAsked(number));
    if (lacking.length === 0) return undefined;
    if (metric) for (const number of lacking) this.#reads.prefetch(number, metric);
    return Promise.all(lacking.map((number) => this.openOne(number))).then(() => undefined);
  }

  /** Reads the tables of the districts of some tiles; undefined if they are loaded. */
  open(tiles: Iterable<number>, metric?: Metric): Promise<void> | undefined {
    return this.#openAll(new Set(Array.from(tiles, (tile) => this.#manifest.districtOf(1, tile))), metric);
  }

  /** Returns whether the tables of the districts of some tiles are loaded, or unreadable. */
  knows(tiles: readonly number[]): boolean {
    return tiles.every((tile) => this.#hasAsked(this.#manifest.districtOf(1, tile)));
  }

  /**
   * Reads the tables that `tilesAround` needs for each of some points; undefined if they are loaded. `metric` as in
   * `#openAll`.
   */
  openAround(points: Iterable<Coordinate>, metres: number, metric?: Metric): Promise<void> | undefined {
    const districts = new Set<number>();
    for (const { latitude, longitude } of points) {
      const near = this.#manifest.districtsNear(latitude * 1e6, longitude * 1e6, ...reachOf(latitude, metres));
      for (const number of near) districts.add(number);
    }
    return this.#openAll(districts, metric);
  }

  /** Returns whether the tables that `tilesAround` needs are loaded. */
  knowsAround({ latitude, longitude }: Coordinate, metres: number): boolean {
    const near = this.#manifest.districtsNear(latitude * 1e6, longitude * 1e6, ...reachOf(latitude, metres));
    return Array.from(near).every((number) => this.#hasAsked(number));
  }

  /**
   * Tiles that may have roads within a number of meters of a point. The required objects have been read (`openAround`).
   */
  tilesAround({ latitude, longitude }: Coordinate, metres: number): Set<number> {
    return this.tilesNear(latitude * 1e6, longitude * 1e6, ...reachOf(latitude, metres));
  }

  /** Likewise, ascending; undefined if the required objects are not loaded. */
  tilesAroundAtHand({ latitude, longitude }: Coordinate, metres: number): number[] | undefined {
    const [y, x, [reachY, reachX]] = [latitude * 1e6, longitude * 1e6, reachOf(latitude, metres)];
    const tiles = new Set<number>();
    for (const number of this.#manifest.districtsNear(y, x, reachY, reachX)) {
      const district = this.atHand(number);
      if (!district) return undefined;
      district.tilesNear(y, x, reachY, reachX, tiles);
    }
    return tiles.size < 2 ? [...tiles] : [...tiles].sort((a, b) => a - b);
  }

  /** Reads the tables that `tilesNear` needs; undefined if they are loaded. */
  openNear(y: number, x: number, reachY: number, reachX: number): Promise<void> | undefined {
    return this.#openAll(this.#manifest.districtsNear(y, x, reachY, reachX));
  }

  /**
   * Tiles that may have roads within `reach` [1e-6 degrees of latitude, of longitude: half the axes of an ellipse] of a
   * position. The required objects have been read (`openNear`). A district whose tables cannot be read is represented
   * by its first tile, which cannot be read either.
   */
  tilesNear(y: number, x: number, reachY: number, reachX: number): Set<number> {
    const tiles = new Set<number>();
    for (const number of this.#manifest.districtsNear(y, x, reachY, reachX)) {
      const district = this.atHand(number);
      if (district) district.tilesNear(y, x, reachY, reachX, tiles);
      else if (this.#asked.has(number)) tiles.add(this.#manifest.firstIn(1, number));
      else throw new Error(`routing: the tables of district ${number} are not at hand`);
    }
    return tiles;
  }

  /**
   * Visits the cells of about 100 m that have roads of some tiles, in runs [1e-6 degrees]. `open` has been awaited;
   * tiles of unreadable districts are left out.
   */
  visitRoads(tiles: ReadonlySet<number>, visit: RunVisitor): void {
    const districts = new Set(Array.from(tiles, (tile) => this.#manifest.districtOf(1, tile)));
    for (const number of districts) this.atHand(number)?.visit((tile) => tiles.has(tile), visit);
  }

  /**
   * The ancestor cells of a tile, by level from 1 on, itself first; −1 for those in tables that cannot be read.
   * `open` has been awaited.
   */
  cellsOf(tile: number): Int32Array {
    return this.#cellsFrom(1, tile);
  }

  /** Likewise of any cell, from its own level on. */
  async cellsAround(level: number, cell: number): Promise<Int32Array> {
    if (level < this.#manifest.districtLevel) await this.openOne(this.#manifest.districtOf(level, cell));
    return this.#cellsFrom(level, cell);
  }

  /** The common ancestor cells of all districts with roads around a point, by level. */
  cellsAroundDistricts({ latitude, longitude }: Coordinate, metres: number): Int32Array {
    const manifest = this.#manifest;
    const districts = manifest.districtsNear(latitude * 1e6, longitude * 1e6, ...reachOf(latitude, metres));
    return sharedCells(
      Array.from(districts, (number) => {
        const cells = new Int32Array(manifest.levels).fill(-1);
        manifest.cellsFrom(manifest.districtLevel, number, cells);
        return cells;
      }),
      manifest.levels,
    );
  }

  #cellsFrom(level: number, cell: number): Int32Array {
    const manifest = this.#manifest;
    const cells = new Int32Array(manifest.levels).fill(-1);
    if (level >= manifest.districtLevel) {
      manifest.cellsFrom(level, cell, cells);
      return cells;
    }
    const number = manifest.districtOf(level, cell);
    const district = this.atHand(number);
    if (district) district.cellsFrom(level, cell, cells);
    else {
      cells[level] = cell;
      manifest.cellsFrom(manifest.districtLevel, number, cells);
    }
    return cells;
  }

  /** Cells of `level` in cell `parent` of the next: first ≤ cell < end; undefined if the tables are not loaded. */
  childrenAtHand(level: number, parent: number): readonly [first: number, end: number] | undefined {
    const manifest = this.#manifest;
    if (level >= manifest.districtLevel) return manifest.childrenOf(level, parent);
    return this.atHand(manifest.districtOf(level + 1, parent))?.childrenOf(level, parent);
  }

  /** Likewise; undefined where the tables cannot be read. */
  async childrenOf(level: number, parent: number): Promise<readonly [first: number, end: number] | undefined> {
    const manifest = this.#manifest;
    if (level < manifest.districtLevel) await this.openOne(manifest.districtOf(level + 1, parent));
    return this.childrenAtHand(level, parent);
  }

  /** The first of the tiles in a cell; that of its district where tables cannot be read. */
  async firstTileOf(level: number, cell: number): Promise<number> {
    const manifest = this.#manifest;
    if (level >= manifest.districtLevel) return manifest.firstTileOf(level, cell);
    const number = manifest.districtOf(level, cell);
    await this.openOne(number);
    return this.atHand(number)?.firstTileOf(level, cell) ?? manifest.firstIn(1, number);
  }
}

/** Meters as latitude and longitude [1e-6 degrees]. */
function reachOf(latitude: number, metres: number): [reachY: number, reachX: number] {
  const reach = (metres / METRES_PER_DEGREE) * 1e6;
  return [reach, reach / Math.max(0.01, Math.cos(latitude * RADIANS))];
}

/** Common cells of several lists of cells by level; −1 where they differ. */
export function sharedCells(lists: readonly Int32Array[], levels = lists[0].length): Int32Array {
  if (lists.length === 0) return new Int32Array(levels).fill(-1);
  return lists[0].map((cell, level) => (lists.every((cells) => cells[level] === cell) ? cell : -1));
}
