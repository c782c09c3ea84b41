import type { BoundedCache } from "../../geo/bounded-cache.ts";
import { BoundedMap } from "../../geo/bounded-map.ts";
import { unseal } from "../../geo/builds/sealed.ts";
import { SharedReads } from "../../geo/builds/shared-reads.ts";
import { type TileSource, UnreadableObject } from "../../geo/builds/tile-source.ts";
import type { Coordinate } from "../../geo/coordinate.ts";
import { METRES_PER_DEGREE, RADIANS } from "../../geo/distance.ts";
import { Bundle, TABLES } from "../graph/bundle.ts";
import { District } from "../graph/district.ts";
import { Manifest } from "../graph/manifest.ts";
import type { Metric } from "../graph/modes.ts";
import { Numbering, type PlacedPack } from "../graph/numbering.ts";
import { bundleKey, districtKey, MANIFEST_KEY, type Pack, packKey, readPack, tileKey, topKey } from "../graph/pack.ts";
import type { RunVisitor } from "../graph/road-grid.ts";
import { readTile, type Tile } from "../graph/tile.ts";
import { readZones, ZONES_KEY } from "../graph/zones.ts";
import { QueryBundles } from "./query-bundles.ts";
import { type QueryContext, unpacedContext } from "./query-context.ts";
import { labelBytes } from "./search-labels.ts";
import { SeenKeys } from "./seen-keys.ts";
import type { TileView } from "./tile-view.ts";
import { TileViews } from "./tile-views.ts";
import { VariantCells } from "./variant-cells.ts";

export type { Metric };

/** A pack in use: the clique of every cell of its level and parent, found by cell. */
export interface LoadedPack {
  pack: Pack;
  firstCell: number;
  /** Its numbers in the newest edge index that requested it. */
  placed?: PlacedPack;
}

/** Edges that an index may hold before the next window begins a new one; searches use about 250 bytes for each. */
const NUMBERED = 16_384;
/**
 * If it fills up sooner than this, it is too small: rebuilding the index of the top levels takes a few milliseconds.
 */
const WINDOWS = 16;
/** Upper limit, as a multiple of the initial capacity: four modes may have an index each. */
const MAX_CAPACITY = 4;

/** Work of making a view of a tile, and of decoding per byte of the result [µs]. */
const VIEW_COST = 1000;
const DECODE_COST = 1 / 60;

/** Tiles whose keys are kept, about 100 bytes each. */
const MAX_TILE_KEYS = 2_000;

/** State that all queries to one build share. */
interface SharedRoads {
  manifest: Manifest;
  source: TileSource;
  cache: BoundedCache;
  /** Tells builds apart in the cache. */
  prefix: string;
  views: TileViews;
  variants: VariantCells;
  loads: SharedReads;
  /** By mode, created on first use: most builds are used for cars only. */
  numberings: ({ numbering: Numbering; capacity: number; windows: number } | undefined)[];
  /** Capacity of a new index [edges]. */
  capacity: number;
  /** Keys of tiles in the cache: a request looks some tiles up several times. */
  tileKeys: BoundedMap<number, string>;
  /** What was claimed of the cache last [bytes]. */
  claimed: { numberings: number; labels: number };
  /**
   * Keys read before. If an object is read again, the cache cannot hold everything in use: the raw object is cached
   * too, which takes a sixth of the memory.
   */
  read: SeenKeys;
}

/**
 * Tiles and packs of one build, read through a source and cached in decoded form. Every query has its own store
 * (`forQuery`), which shares all of that and remembers the objects that could not be read: such an object is requested
 * once per query and never cached, so that a repair takes effect with the next query.
 */
export class RoadStore {
  readonly manifest: Manifest;
  /**
   * Tiles around which a search must see the network in full, because a path led through an object that cannot be read:
   * an unreadable tile, or the first tile of a cell with an unreadable pack.
   */
  readonly detours = new Set<number>();
  readonly #shared: SharedRoads;
  readonly #query: QueryContext;
  readonly #missing = new Set<string>();
  /** Tables that this query has requested: they stay loaded until it ends. Undefined: they cannot be read. */
  readonly #districts = new Map<number, District | undefined>();
  readonly #bundles = new QueryBundles((key) => this.#readBundle(key));
  #owed = 0;

  /**
   * Undefined if the build has no roads. `capacity`: number of edges between tiles at which a new index starts.
   * @throws UnreadableObject
   */
  static async open(
    source: TileSource,
    cache: BoundedCache,
    prefix = "",
    capacity = NUMBERED,
  ): Promise<RoadStore | undefined> {
    const bytes = await source.read(MANIFEST_KEY);
    if (!bytes) return undefined;
    const manifest = await Manifest.read(bytes).catch((error) => unreadable(MANIFEST_KEY, error));
    const shared: SharedRoads = {
      manifest,
      source,
      cache,
      prefix,
      views: new TileViews(),
      variants: new VariantCells(cache, prefix),
      loads: new SharedReads(),
      numberings: [],
      capacity,
      tileKeys: new BoundedMap(MAX_TILE_KEYS),
      claimed: { numberings: 0, labels: 0 },
      read: new SeenKeys(),
    };
    return new RoadStore(shared, unpacedContext());
  }

  private constructor(shared: SharedRoads, query: QueryContext) {
    this.#shared = shared;
    this.#query = query;
    this.manifest = shared.manifest;
  }

  /** Edge index of a mode. For a new window: an index that has grown too large is replaced. */
  numbering(mode: number): Numbering {
    const { numberings, manifest } = this.#shared;
    let known = numberings[mode];
    if (!known || known.numbering.count > known.capacity) {
      // Queries that exceed the capacity would rebuild the index again and again.
      const first = this.#shared.capacity;
      const capacity = known
        ? Math.min(known.capacity * (known.windows < WINDOWS ? 2 : 1), first * MAX_CAPACITY)
        : first;
      known = { numbering: new Numbering(manifest.levels), capacity, windows: 0 };
      numberings[mode] = known;
    }
    known.windows++;
    this.#claimMemory();
    return known.numbering;
  }

  /** Search buffers count towards the cache limit as cached entries do. */
  #claimMemory(): void {
    const { cache, prefix, numberings, claimed } = this.#shared;
    let bytes = 0;
    for (const known of numberings) bytes += known?.numbering.bytes ?? 0;
    const labels = labelBytes();
    if (bytes === claimed.numberings && labels === claimed.labels) return;
    this.#shared.claimed = { numberings: bytes, labels };
    cache.claim(`${prefix}numberings`, bytes);
    cache.claim("labels", labels);
  }

  /** There will be no more queries to this build. */
  close(): void {
    const { cache, prefix } = this.#shared;
    cache.claim(`${prefix}numberings`, 0);
    this.#shared.claimed = { numberings: 0, labels: 0 };
  }

  /** The same roads for one query. */
  forQuery(query: QueryContext): RoadStore {
    return new RoadStore(this.#shared, query);
  }

  /** Whether a requested object could not be read. */
  get isDamaged(): boolean {
    return this.#missing.size > 0;
  }

  /** Returns whether a tile is one of those that could not be read. */
  lacksTile(index: number): boolean {
    return this.#missing.has(tileKey(index));
  }

  /**
   * Counts work [µs] and the work of decoding and views since the last call; yields when it is time. @throws
   * TooMuchWork
   */
  spend(units: number): Promise<void> | undefined {
    const owed = this.#owed;
    this.#owed = 0;
    return this.#query.pace.spend(units + owed);
  }

  #districtAtHand(number: number): District | undefined {
    const known = this.#districts.get(number);
    if (known) return known;
    const { cache, prefix } = this.#shared;
    const cached = cache.get(prefix + districtKey(number))?.value as District | undefined;
    if (cached) this.#districts.set(number, cached);
    return cached;
  }

  /** Returns whether the tables of a district were read or are unreadable. */
  #hasAsked(number: number): boolean {
    return this.#districts.has(number) || this.#districtAtHand(number) !== undefined;
  }

  /** Reads its tables: from a bundle if one was requested, else the separate object. */
  async #openDistrict(number: number): Promise<void> {
    if (this.#hasAsked(number)) return;
    const key = districtKey(number);
    const decode = (bytes: Uint8Array) => District.read(bytes, this.manifest, number);
    const bundle = await this.#bundles.lastOf(number);
    if (this.#hasAsked(number)) return;
    const bytes = bundle?.find(TABLES, 0);
    this.#districts.set(number, await this.#load(key, decode, bytes && { bytes }));
  }

  /** `metric`: that of the coming search; the data of the districts that it needs is fetched in the same read. */
  #openAll(districts: Iterable<number>, metric?: Metric): Promise<void> | undefined {
    const lacking = [...districts].filter((number) => !this.#hasAsked(number));
    if (lacking.length === 0) return undefined;
    if (metric) for (const number of lacking) void this.#bundle(metric, number);
    return Promise.all(lacking.map((number) => this.#openDistrict(number))).then(() => undefined);
  }

  /** Reads the tables of the districts of some tiles; undefined if they are loaded. */
  openDistricts(tiles: Iterable<number>, metric?: Metric): Promise<void> | undefined {
    return this.#openAll(new Set(Array.from(tiles, (tile) => this.manifest.districtOf(1, tile))), metric);
  }

  /** Returns whether the tables of the districts of some tiles are loaded, or unreadable. */
  knowsDistricts(tiles: readonly number[]): boolean {
    return tiles.every((tile) => this.#hasAsked(this.manifest.districtOf(1, tile)));
  }

  /**
   * Reads the tables that `tilesAround` needs for each of some points; undefined if they are loaded. `metric` as in
   * `#openAll`.
   */
  openAround(points: Iterable<Coordinate>, metres: number, metric?: Metric): Promise<void> | undefined {
    const districts = new Set<number>();
    for (const { latitude, longitude } of points) {
      const near = this.manifest.districtsNear(latitude * 1e6, longitude * 1e6, ...reachOf(latitude, metres));
      for (const number of near) districts.add(number);
    }
    return this.#openAll(districts, metric);
  }

  /** Returns whether the tables that `tilesAround` needs are loaded. */
  knowsAround({ latitude, longitude }: Coordinate, metres: number): boolean {
    const near = this.manifest.districtsNear(latitude * 1e6, longitude * 1e6, ...reachOf(latitude, metres));
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
    for (const number of this.manifest.districtsNear(y, x, reachY, reachX)) {
      const district = this.#districtAtHand(number);
      if (!district) return undefined;
      district.tilesNear(y, x, reachY, reachX, tiles);
    }
    return tiles.size < 2 ? [...tiles] : [...tiles].sort((a, b) => a - b);
  }

  /** Reads the tables that `tilesNear` needs; undefined if they are loaded. */
  openNear(y: number, x: number, reachY: number, reachX: number): Promise<void> | undefined {
    return this.#openAll(this.manifest.districtsNear(y, x, reachY, reachX));
  }

  /**
   * Tiles that may have roads within `reach` [1e-6 degrees of latitude, of longitude: half the axes of an ellipse] of a
   * position. The required objects have been read (`openNear`). A district whose tables cannot be read is represented
   * by its first tile, which cannot be read either.
   */
  tilesNear(y: number, x: number, reachY: number, reachX: number): Set<number> {
    const tiles = new Set<number>();
    for (const number of this.manifest.districtsNear(y, x, reachY, reachX)) {
      const district = this.#districtAtHand(number);
      if (district) district.tilesNear(y, x, reachY, reachX, tiles);
      else if (this.#districts.has(number)) tiles.add(this.manifest.firstIn(1, number));
      else throw new Error(`routing: the tables of district ${number} are not at hand`);
    }
    return tiles;
  }

  /**
   * Visits the cells of about 100 m that have roads of some tiles, in runs [1e-6 degrees]. `openDistricts` has been awaited;
   * tiles of unreadable districts are left out.
   */
  visitRoads(tiles: ReadonlySet<number>, visit: RunVisitor): void {
    const districts = new Set(Array.from(tiles, (tile) => this.manifest.districtOf(1, tile)));
    for (const number of districts) this.#districtAtHand(number)?.visit((tile) => tiles.has(tile), visit);
  }

  /**
   * The ancestor cells of a tile, by level from 1 on, itself first; −1 for those in tables that cannot be read.
   * `openDistricts` has been awaited.
   */
  cellsOf(tile: number): Int32Array {
    return this.#cellsFrom(1, tile);
  }

  /** Likewise of any cell, from its own level on. */
  async cellsAround(level: number, cell: number): Promise<Int32Array> {
    if (level < this.manifest.districtLevel) await this.#openDistrict(this.manifest.districtOf(level, cell));
    return this.#cellsFrom(level, cell);
  }

  /** The common ancestor cells of all districts with roads around a point, by level. */
  cellsAroundDistricts({ latitude, longitude }: Coordinate, metres: number): Int32Array {
    const { manifest } = this;
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
    const { manifest } = this;
    const cells = new Int32Array(manifest.levels).fill(-1);
    if (level >= manifest.districtLevel) {
      manifest.cellsFrom(level, cell, cells);
      return cells;
    }
    const number = manifest.districtOf(level, cell);
    const district = this.#districtAtHand(number);
    if (district) district.cellsFrom(level, cell, cells);
    else {
      cells[level] = cell;
      manifest.cellsFrom(manifest.districtLevel, number, cells);
    }
    return cells;
  }

  /** Cells of `level` in cell `parent` of the next: first ≤ cell < end; undefined if the tables are not loaded. */
  childrenAtHand(level: number, parent: number): readonly [first: number, end: number] | undefined {
    const { manifest } = this;
    if (level >= manifest.districtLevel) return manifest.childrenOf(level, parent);
    return this.#districtAtHand(manifest.districtOf(level + 1, parent))?.childrenOf(level, parent);
  }

  /** Likewise; undefined where the tables cannot be read. */
  async childrenOf(level: number, parent: number): Promise<readonly [first: number, end: number] | undefined> {
    const { manifest } = this;
    if (level < manifest.districtLevel) await this.#openDistrict(manifest.districtOf(level + 1, parent));
    return this.childrenAtHand(level, parent);
  }

  /** The first of the tiles in a cell; that of its district where tables cannot be read. */
  async firstTileOf(level: number, cell: number): Promise<number> {
    const { manifest } = this;
    if (level >= manifest.districtLevel) return manifest.firstTileOf(level, cell);
    const number = manifest.districtOf(level, cell);
    await this.#openDistrict(number);
    return this.#districtAtHand(number)?.firstTileOf(level, cell) ?? manifest.firstIn(1, number);
  }

  tileAtHand(index: number): Tile | undefined {
    const { cache, prefix, tileKeys } = this.#shared;
    let key = tileKeys.get(index);
    if (key === undefined) {
      key = prefix + tileKey(index);
      tileKeys.set(index, key);
    }
    return cache.get(key)?.value as Tile | undefined;
  }

  /** Undefined where it cannot be read. */
  async tile(index: number): Promise<Tile | undefined> {
    const known = this.tileAtHand(index);
    if (known) return known;
    const { cache, prefix, manifest } = this.#shared;
    const key = tileKey(index);
    const district = manifest.districtOf(1, index);
    const opening = this.#openDistrict(district);
    return this.#load(
      key,
      async (bytes) => {
        const [tile] = await Promise.all([readTile(index, bytes), opening]);
        if (!this.#districtAtHand(district)) throw new Error("the tables of its district cannot be read");
        tile.cells = this.cellsOf(index);
        // Views and other derived data belong to their tile and share its lifetime.
        tile.onResize = () => cache.resize(prefix + key, tile, tile.size);
        return tile;
      },
      undefined,
      (tile) => this.#shrink(tile),
    );
  }

  /** Drops the data derived from a tile; returns its size. Current users of a view may continue. */
  #shrink(tile: Tile): number {
    this.#shared.views.drop(tile);
    tile.shrink();
    return tile.size;
  }

  /** The tile as a metric sees it. */
  view(tile: Tile, metric: Metric): TileView {
    const { views } = this.#shared;
    const known = views.atHand(tile, metric);
    if (known) return known;
    this.#owed += VIEW_COST;
    return views.make(tile, metric);
  }

  /** Names of low-emission zones; none where they cannot be read. */
  async zones(): Promise<readonly string[]> {
    const { cache, prefix, source } = this.#shared;
    const key = prefix + ZONES_KEY;
    const known = cache.get(key)?.value as readonly string[] | undefined;
    if (known) return known;
    const names = await this.#unlessMissing(ZONES_KEY, async () => {
      const bytes = await source.read(ZONES_KEY);
      return bytes ? readZones(bytes).catch((error) => unreadable(ZONES_KEY, error)) : [];
    });
    if (!names) return [];
    cache.put(
      key,
      names,
      names.reduce((sum, name) => sum + 2 * name.length, 500),
    );
    return names;
  }

  /** The cliques of vehicles unlike the default one. */
  get variants(): VariantCells {
    return this.#shared.variants;
  }

  packAtHand(metric: Metric, level: number, parent: number): LoadedPack | undefined {
    const { cache, prefix } = this.#shared;
    const key = packKey(this.manifest.packMetric(metric, level, parent), level, parent);
    return cache.get(prefix + key)?.value as LoadedPack | undefined;
  }

  /**
   * Undefined if it cannot be read. `near`: the preferred district among those that contain it, because more of it will
   * be needed.
   */
  async pack(metric: Metric, level: number, parent: number, near?: number): Promise<LoadedPack | undefined> {
    const known = this.packAtHand(metric, level, parent);
    if (known) return known;
    const { manifest } = this;
    const bytes = manifest.isBundled(level) ? await this.#bundled(metric, level, parent, near) : undefined;
    const children = await this.childrenOf(level, parent);
    if (!children || (manifest.isBundled(level) && !bytes)) return undefined;
    const decode = async (read: Uint8Array): Promise<LoadedPack & { size: number }> => {
      const pack = await readPack(read);
      return { pack, firstCell: children[0], size: pack.size };
    };
    const own = manifest.packMetric(metric, level, parent);
    return this.#load(packKey(own, level, parent), decode, bytes ? { bytes } : () => this.#readTop(own, level, parent));
  }

  /** The bytes of a pack that is in no bundle; `metric`: its own. An error in transit must not count: it is read twice. */
  async #readTop(metric: Metric, level: number, parent: number): Promise<Uint8Array | undefined> {
    const key = topKey(metric.mode, level, parent);
    const range = this.manifest.packRange(metric, level, parent);
    for (let attempt = 1; attempt <= 2; attempt++) {
      const sealed = await this.#shared.source.read(key, range);
      const bytes = sealed && unseal(sealed);
      if (!sealed || bytes) return bytes;
    }
    throw new UnreadableObject(key, "its checksum does not fit");
  }

  /**
   * The bytes of a pack, from the bundle of a district that contains it: a loaded one if possible, the next if one
   * cannot be read.
   */
  async #bundled(metric: Metric, level: number, parent: number, near?: number): Promise<Uint8Array | undefined> {
    const { manifest } = this;
    const { districtLevel } = manifest;
    if (level < districtLevel)
      return (await this.#bundle(metric, manifest.districtOf(level + 1, parent)))?.find(level, parent);
    const [first, end] = manifest.childrenOf(level, parent);
    const districts = Array.from({ length: end - first }, (_, i) => first + i);
    const isAsked = (number: number) => this.#bundles.has(bundleKey(manifest.bundleMetric(metric, number), number));
    const rank = (number: number) => (isAsked(number) ? 0 : number === near ? 1 : 2);
    for (const number of districts.sort((a, b) => rank(a) - rank(b) || a - b)) {
      const bytes = (await this.#bundle(metric, number))?.find(level, parent);
      if (bytes) return bytes;
    }
    return undefined;
  }

  /** The bundle of a district; undefined where it cannot be read. */
  #bundle(metric: Metric, district: number): Promise<Bundle | undefined> {
    return this.#bundles.get(district, bundleKey(this.manifest.bundleMetric(metric, district), district));
  }

  async #readBundle(key: string): Promise<Bundle | undefined> {
    const { cache, prefix } = this.#shared;
    return this.#unlessMissing(key, async () => {
      const kept = cache.source(prefix + key);
      const bytes = kept ?? (await this.#shared.source.read(key));
      if (!bytes) throw new UnreadableObject(key, "the build lacks it");
      try {
        const bundle = new Bundle(bytes);
        // Most of its content is not needed immediately.
        if (!kept) cache.putSource(prefix + key, bytes);
        return bundle;
      } catch (error) {
        unreadable(key, error);
      }
    });
  }

  /**
   * Starts to read the packs that a search from or to these cells (by level, −1 unknown) will need, in the same round
   * trip as other required reads. The search that needs them handles failures.
   */
  prefetchPacks(metric: Metric, cells: Int32Array): void {
    const { levels, districtLevel } = this.manifest;
    const near = districtLevel < levels ? cells[districtLevel] : 0;
    for (let level = 1; level < levels; level++) {
      const parent = level + 1 < levels ? cells[level + 1] : 0;
      if (parent >= 0) this.pack(metric, level, parent, near).catch(() => undefined);
    }
  }

  /**
   * Reads and decodes an object once for all concurrent callers; undefined if it cannot be read. `held`: its bytes,
   * from a bundle, or a function that reads them, if not by the key.
   */
  async #load<T extends { size: number }>(
    key: string,
    decode: (bytes: Uint8Array) => Promise<T>,
    held?: { bytes: Uint8Array } | (() => Promise<Uint8Array | undefined>),
    // Values without derived data also get a second turn: reading them again is the most expensive part.
    shrink = (value: T) => value.size,
  ): Promise<T | undefined> {
    const { source, cache, prefix } = this.#shared;
    return this.#unlessMissing(key, async () => {
      const read = typeof held === "function" ? held : () => source.read(key);
      const kept = (typeof held === "object" ? held.bytes : undefined) ?? cache.source(prefix + key);
      const bytes = kept ?? (await read());
      if (!bytes) throw new UnreadableObject(key, "the build lacks it");
      const value = await decode(bytes).catch((error) => unreadable(key, error));
      if (!kept && this.#shared.read.addAndTest(key)) cache.putSource(prefix + key, bytes);
      this.#owed += value.size * DECODE_COST;
      cache.put(prefix + key, value, value.size, () => shrink(value));
      return value;
    });
  }

  /** Runs a read once for all concurrent callers; undefined if the object cannot be read, from then on. */
  async #unlessMissing<T>(key: string, read: () => Promise<T>): Promise<T | undefined> {
    if (this.#missing.has(key)) return undefined;
    try {
      return await this.#shared.loads.read(key, read);
    } catch (error) {
      if (!(error instanceof UnreadableObject)) throw error;
      if (!this.#missing.has(key)) this.#query.missed(key);
      this.#missing.add(key);
      return undefined;
    }
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

/** Bytes that cannot be decoded are as good as not there, whatever went wrong. */
function unreadable(key: string, error: unknown): never {
  throw new UnreadableObject(key, error instanceof Error ? error.message : String(error));
}
