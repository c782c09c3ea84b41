import type { BoundedCache } from "../geo/bounded-cache.ts";
import { SharedReads } from "../geo/shared-reads.ts";
import type { TileSource } from "../geo/tile-source.ts";
import { Manifest } from "./manifest.ts";
import type { Metric } from "./modes.ts";
import { type Clique, MANIFEST_KEY, type Pack, packKey, readPack, tileKey } from "./pack.ts";
import { readTile, type Tile } from "./tile.ts";
import { TileView } from "./tile-view.ts";

export type { Metric };

/** A pack in use: the clique of every cell of its level and parent, found by cell. */
export interface LoadedPack {
  pack: Pack;
  firstCell: number;
}

/** Ways of seeing a tile that are kept, of the 64 and more there are. */
const MOST_VIEWS = 8;

const viewKey = (mode: number, avoid: number, bucket: number) => (bucket * 16 + avoid) * 4 + mode;

/** Tiles and packs of one build, read through a source and kept decoded in a cache. */
export class RoadStore {
  readonly manifest: Manifest;
  readonly #source: TileSource;
  readonly #cache: BoundedCache;
  readonly #prefix: string;
  readonly #placed = new WeakSet<Pack>();
  readonly #views = new WeakMap<Tile, Map<number, TileView>>();
  readonly #loads = new SharedReads();
  /** The tile an edge between tiles begins in, as far as packs and tiles have told; structure alone, no metric. */
  readonly tailTile: Int32Array;
  /** rows[mode][level][id], columns likewise: where an edge stands in the cliques of the cells it enters and leaves. */
  readonly rows: Int16Array[][];
  readonly columns: Int16Array[][];

  /** For `Marks`: by level, the stamp of the last search with an end in a cell. */
  readonly markStamps: readonly Int32Array[];
  #mark = 0;

  static async open(source: TileSource, cache: BoundedCache, prefix = ""): Promise<RoadStore | undefined> {
    const bytes = await source.read(MANIFEST_KEY);
    return bytes && new RoadStore(await Manifest.read(bytes), source, cache, prefix);
  }

  constructor(manifest: Manifest, source: TileSource, cache: BoundedCache, prefix: string) {
    this.manifest = manifest;
    this.#source = source;
    this.#cache = cache;
    this.#prefix = prefix;
    this.tailTile = new Int32Array(manifest.crossingCount).fill(-1);
    const places = () =>
      [0, 1, 2, 3].map(() => Array.from({ length: manifest.levels }, () => new Int16Array(manifest.crossingCount)));
    this.markStamps = manifest.cellCounts.map((count) => new Int32Array(count));
    this.rows = places();
    this.columns = places();
  }

  nextMark(): number {
    if (this.#mark === 0x7fffffff) {
      for (const stamps of this.markStamps) stamps.fill(0);
      this.#mark = 0;
    }
    return ++this.#mark;
  }

  tileAtHand(index: number): Tile | undefined {
    return this.#cache.get(this.#prefix + tileKey(index))?.value as Tile | undefined;
  }

  async tile(index: number): Promise<Tile> {
    const known = this.tileAtHand(index);
    if (known) return known;
    const key = tileKey(index);
    return this.#load(key, async (bytes) => {
      const tile = await readTile(index, bytes);
      // Views and the like hang on their tile, and come and go with it.
      tile.onResize = () => this.#cache.resize(this.#prefix + key, tile, tile.size);
      return tile;
    });
  }

  /** The tile as a metric sees it. */
  view(tile: Tile, metric: Metric): TileView {
    let views = this.#views.get(tile);
    if (!views) {
      views = new Map();
      this.#views.set(tile, views);
    }
    const bucket = tile.traffic ? (metric.bucket ?? 0) : 0;
    const key = viewKey(metric.mode, metric.avoid, bucket);
    const known = views.get(key);
    if (known) {
      // Where some have to go, those that were not asked for longest do.
      if (views.size === MOST_VIEWS && views.delete(key)) views.set(key, known);
      return known;
    }
    const view = new TileView(tile, { ...metric, bucket }, views.get(viewKey(metric.mode, 0, 0)));
    views.set(key, view);
    tile.resize(view.size);
    if (views.size > MOST_VIEWS) {
      const [[oldest, dropped]] = views;
      views.delete(oldest);
      dropped.drop();
      tile.resize(-dropped.size);
    }
    return view;
  }

  packAtHand(metric: Metric, level: number, parent: number): LoadedPack | undefined {
    const key = packKey(this.manifest.packMetric(metric, level, parent), level, parent);
    const loaded = this.#cache.get(this.#prefix + key)?.value as LoadedPack | undefined;
    if (loaded) this.#place(metric.mode, level, loaded);
    return loaded;
  }

  async pack(metric: Metric, level: number, parent: number): Promise<LoadedPack> {
    const known = this.packAtHand(metric, level, parent);
    if (known) return known;
    const key = packKey(this.manifest.packMetric(metric, level, parent), level, parent);
    const loaded = await this.#load(key, async (bytes) => {
      const pack = await readPack(bytes);
      return { pack, firstCell: this.manifest.firstChild[level][parent], size: pack.size };
    });
    this.#place(metric.mode, level, loaded);
    return loaded;
  }

  /**
   * Begins to read the packs that a search from or to a tile will ask for, so that they come in the same round as something
   * else one must wait for. Whoever needs them hears of failures.
   */
  prefetchPacks(metric: Metric, tile: number): void {
    for (let level = 1; level < this.manifest.levels; level++) {
      this.pack(metric, level, this.manifest.parentOfTile(level, tile)).catch(() => undefined);
    }
  }

  /** Enters a pack's structure into the tables of this store, once. It is the same for every avoid set. */
  #place(mode: number, level: number, { pack, firstCell }: LoadedPack): void {
    if (this.#placed.has(pack)) return;
    this.#placed.add(pack);
    const { cliques, tails } = pack;
    const rows = this.rows[mode][level];
    const columns = this.columns[mode][level];
    cliques.forEach(({ ins, outs }: Clique, i) => {
      const firstTile = this.#firstTile(level, firstCell + i);
      for (let r = 0; r < ins.length; r++) rows[ins[r]] = r;
      for (let c = 0; c < outs.length; c++) {
        columns[outs[c]] = c;
        this.tailTile[outs[c]] = firstTile + tails[i][c];
      }
    });
  }

  #firstTile(level: number, cell: number): number {
    let first = cell;
    for (let below = level - 1; below >= 1; below--) first = this.manifest.firstChild[below][first];
    return first;
  }

  /** Reads and decodes an object once, however many ask for it at the same time. */
  #load<T extends { size: number }>(key: string, decode: (bytes: Uint8Array) => Promise<T>): Promise<T> {
    return this.#loads.read(key, async () => {
      const bytes = await this.#source.read(key);
      if (!bytes) throw new Error(`routing: the build lacks ${key}`);
      const value = await decode(bytes);
      this.#cache.put(this.#prefix + key, value, value.size);
      return value;
    });
  }
}
