import type { BoundedCache } from "../../geo/bounded-cache.ts";
import { BoundedMap } from "../../geo/bounded-map.ts";
import { unseal } from "../../geo/builds/sealed.ts";
import { SharedReads } from "../../geo/builds/shared-reads.ts";
import { type TileSource, UnreadableObject } from "../../geo/builds/tile-source.ts";
import { Bundle, TABLES } from "../graph/bundle.ts";
import { District } from "../graph/district.ts";
import { Manifest } from "../graph/manifest.ts";
import type { Metric } from "../graph/modes.ts";
import type { Numbering, PlacedPack } from "../graph/numbering.ts";
import { bundleKey, districtKey, MANIFEST_KEY, type Pack, packKey, readPack, tileKey, topKey } from "../graph/pack.ts";
import { readTile, type Tile } from "../graph/tile.ts";
import { readZones, ZONES_KEY } from "../graph/zones.ts";
import { Districts } from "./districts.ts";
import { EdgeIndexes, NUMBERED } from "./edge-indexes.ts";
import { QueryBundles } from "./query-bundles.ts";
import { type QueryContext, unpacedContext } from "./query-context.ts";
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
  indexes: EdgeIndexes;
  /** Keys of tiles in the cache: a request looks some tiles up several times. */
  tileKeys: BoundedMap<number, string>;
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
  /** Which tiles and cells there are, and where. */
  readonly districts: Districts;
  readonly #shared: SharedRoads;
  readonly #query: QueryContext;
  readonly #missing = new Set<string>();
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
      indexes: new EdgeIndexes(cache, prefix, manifest.levels, capacity),
      tileKeys: new BoundedMap(MAX_TILE_KEYS),
      read: new SeenKeys(),
    };
    return new RoadStore(shared, unpacedContext());
  }

  private constructor(shared: SharedRoads, query: QueryContext) {
    this.#shared = shared;
    this.#query = query;
    this.manifest = shared.manifest;
    const { cache, prefix } = shared;
    this.districts = new Districts(shared.manifest, {
      cached: (number) => cache.get(prefix + districtKey(number))?.value as District | undefined,
      read: (number) => this.#readDistrict(number),
      prefetch: (number, metric) => void this.#bundle(metric, number),
    });
  }

  /** Edge index of a mode, for a new window. */
  numbering(mode: number): Numbering {
    return this.#shared.indexes.of(mode);
  }

  /** There will be no more queries to this build. */
  close(): void {
    this.#shared.indexes.close();
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

  /** Reads a district's tables: from a bundle if one was requested, else the separate object. */
  async #readDistrict(number: number): Promise<District | undefined> {
    const bundle = await this.#bundles.lastOf(number);
    const known = this.districts.atHand(number);
    if (known) return known;
    const bytes = bundle?.find(TABLES, 0);
    const decode = (all: Uint8Array) => District.read(all, this.manifest, number);
    return this.#load(districtKey(number), decode, bytes && { bytes });
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
    const opening = this.districts.openOne(district);
    return this.#load(
      key,
      async (bytes) => {
        const [tile] = await Promise.all([readTile(index, bytes), opening]);
        if (!this.districts.atHand(district)) throw new Error("the tables of its district cannot be read");
        tile.cells = this.districts.cellsOf(index);
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
    const children = await this.districts.childrenOf(level, parent);
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

/** Bytes that cannot be decoded are as good as not there, whatever went wrong. */
function unreadable(key: string, error: unknown): never {
  throw new UnreadableObject(key, error instanceof Error ? error.message : String(error));
}
