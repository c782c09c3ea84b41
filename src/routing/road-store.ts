import type { BoundedCache } from "../geo/bounded-cache.ts";
import { SharedReads } from "../geo/shared-reads.ts";
import { type TileSource, UnreadableObject } from "../geo/tile-source.ts";
import { Manifest } from "./manifest.ts";
import type { Metric } from "./modes.ts";
import { type Clique, MANIFEST_KEY, type Pack, packKey, readPack, tileKey } from "./pack.ts";
import { ownQuestion, type Question } from "./question.ts";
import { readTile, type Tile } from "./tile.ts";
import { TileView } from "./tile-view.ts";

export type { Metric };

/** A pack in use: the clique of every cell of its level and parent, found by cell. */
export interface LoadedPack {
  pack: Pack;
  firstCell: number;
}

/** By level and id of an edge between tiles: where it stands in the cliques of the cells it enters, and leaves. */
export interface CliquePlaces {
  rows: readonly Int16Array[];
  columns: readonly Int16Array[];
}

/** How many views of a tile are kept, of the 64 and more there can be. */
const MOST_VIEWS = 8;

const viewKey = (mode: number, avoid: number, bucket: number) => (bucket * 16 + avoid) * 4 + mode;

/** Work of making a view of a tile, and of decoding per byte of the result [µs]. */
const VIEW_COST = 1000;
const DECODE_COST = 1 / 60;

/** What all questions to one build share. */
interface SharedRoads {
  manifest: Manifest;
  source: TileSource;
  cache: BoundedCache;
  /** Tells builds apart in the cache. */
  prefix: string;
  placed: WeakSet<Pack>;
  views: WeakMap<Tile["kept"], Map<number, TileView>>;
  loads: SharedReads;
  tailTile: Int32Array;
  /** By mode, made when one is first asked for: most builds are asked for a car only. */
  places: (CliquePlaces | undefined)[];
  markStamps: readonly Int32Array[];
  lastMark: { value: number };
}

/**
 * Tiles and packs of one build, read through a source and kept decoded in a cache. Every question has a store of its
 * own (`asking`), which shares all of that and remembers what could not be read: such an object is asked for once per
 * question and never kept, so that a repair counts for the next.
 */
export class RoadStore {
  readonly manifest: Manifest;
  /**
   * The tile an edge between tiles begins in, as far as packs and tiles read so far say; structure alone, no metric.
   */
  readonly tailTile: Int32Array;
  /** For `Marks`: by level, the stamp of the last search with an end in a cell. */
  readonly markStamps: readonly Int32Array[];
  /**
   * Tiles around which a search must see the network in full, because a path led through something that cannot be read:
   * an unreadable tile, or the first tile of a cell whose pack is.
   */
  readonly detours = new Set<number>();
  readonly #shared: SharedRoads;
  readonly #question: Question;
  readonly #missing = new Set<string>();
  #owed = 0;

  /** Undefined where the build has no roads. @throws UnreadableObject */
  static async open(source: TileSource, cache: BoundedCache, prefix = ""): Promise<RoadStore | undefined> {
    const bytes = await source.read(MANIFEST_KEY);
    if (!bytes) return undefined;
    const manifest = await Manifest.read(bytes).catch((error) => unreadable(MANIFEST_KEY, error));
    const shared: SharedRoads = {
      manifest,
      source,
      cache,
      prefix,
      placed: new WeakSet(),
      views: new WeakMap(),
      loads: new SharedReads(),
      tailTile: new Int32Array(manifest.crossingCount).fill(-1),
      places: [],
      markStamps: manifest.cellCounts.map((count) => new Int32Array(count)),
      lastMark: { value: 0 },
    };
    return new RoadStore(shared, ownQuestion());
  }

  private constructor(shared: SharedRoads, question: Question) {
    this.#shared = shared;
    this.#question = question;
    this.manifest = shared.manifest;
    this.tailTile = shared.tailTile;
    this.markStamps = shared.markStamps;
  }

  /** Where edges stand in the cliques of a mode, as far as packs read so far say. */
  places(mode: number): CliquePlaces {
    const { places, manifest } = this.#shared;
    let known = places[mode];
    if (!known) {
      // Search cells have places of their own, by edge of their tile.
      const perId = () =>
        Array.from({ length: manifest.levels }, (_, level) => new Int16Array(level > 0 ? manifest.crossingCount : 0));
      known = { rows: perId(), columns: perId() };
      places[mode] = known;
    }
    return known;
  }

  /** The same roads for one question. */
  asking(question: Question): RoadStore {
    return new RoadStore(this.#shared, question);
  }

  /** Could something that was asked for not be read? */
  get isDamaged(): boolean {
    return this.#missing.size > 0;
  }

  /** Is a tile one of those that could not be read? */
  lacksTile(index: number): boolean {
    return this.#missing.has(tileKey(index));
  }

  /** Counts work [µs] and what decoding and views took since; gives way when it is time. @throws TooMuchWork */
  spend(units: number): Promise<void> | undefined {
    const owed = this.#owed;
    this.#owed = 0;
    return this.#question.pace.spend(units + owed);
  }

  nextMark(): number {
    const { lastMark } = this.#shared;
    if (lastMark.value === 0x7fffffff) {
      for (const stamps of this.markStamps) stamps.fill(0);
      lastMark.value = 0;
    }
    return ++lastMark.value;
  }

  tileAtHand(index: number): Tile | undefined {
    const { cache, prefix } = this.#shared;
    return cache.get(prefix + tileKey(index))?.value as Tile | undefined;
  }

  /** Undefined where it cannot be read. */
  async tile(index: number): Promise<Tile | undefined> {
    const known = this.tileAtHand(index);
    if (known) return known;
    const { cache, prefix } = this.#shared;
    const key = tileKey(index);
    return this.#load(
      key,
      async (bytes) => {
        const tile = await readTile(index, bytes);
        // Views and the like hang on their tile, and come and go with it.
        tile.onResize = () => cache.resize(prefix + key, tile, tile.size);
        return tile;
      },
      (tile) => this.#shrink(tile),
    );
  }

  /** Lets go of what was made of a tile; answers its size. What still uses a view may go on. */
  #shrink(tile: Tile): number {
    for (const view of this.#shared.views.get(tile.kept)?.values() ?? []) view.drop();
    tile.shrink();
    return tile.size;
  }

  /** The tile as a metric sees it. */
  view(tile: Tile, metric: Metric): TileView {
    let views = this.#shared.views.get(tile.kept);
    if (!views) {
      views = new Map();
      this.#shared.views.set(tile.kept, views);
    }
    const bucket = tile.traffic ? (metric.bucket ?? 0) : 0;
    const key = viewKey(metric.mode, metric.avoid, bucket);
    const known = views.get(key);
    if (known) {
      // Moved to the end: where a view has to go, it is the one not asked for the longest time.
      if (views.size === MOST_VIEWS && views.delete(key)) views.set(key, known);
      return known;
    }
    const view = TileView.of(tile, { ...metric, bucket }, views.get(viewKey(metric.mode, 0, 0)));
    this.#owed += VIEW_COST;
    let size = view.size;
    if (views.size === MOST_VIEWS) {
      const [[oldest, dropped]] = views;
      views.delete(oldest);
      dropped.drop();
      size -= dropped.size;
    }
    views.set(key, view);
    // Where that takes too much room, the tile may let go of all its views at once, this one too.
    tile.resize(size);
    return view;
  }

  packAtHand(metric: Metric, level: number, parent: number): LoadedPack | undefined {
    const { cache, prefix, manifest } = this.#shared;
    const key = packKey(manifest.packMetric(metric, level, parent), level, parent);
    const loaded = cache.get(prefix + key)?.value as LoadedPack | undefined;
    if (loaded) this.#place(metric.mode, level, loaded);
    return loaded;
  }

  /** Undefined where it cannot be read. */
  async pack(metric: Metric, level: number, parent: number): Promise<LoadedPack | undefined> {
    const known = this.packAtHand(metric, level, parent);
    if (known) return known;
    const key = packKey(this.manifest.packMetric(metric, level, parent), level, parent);
    const loaded = await this.#load(key, async (bytes) => {
      const pack = await readPack(bytes);
      return { pack, firstCell: this.manifest.firstChild[level][parent], size: pack.size };
    });
    if (loaded) this.#place(metric.mode, level, loaded);
    return loaded;
  }

  /**
   * Begins to read the packs that a search from or to a tile will ask for, so that they come in the same round as
   * something else one must wait for. Failures are met by the search that needs them.
   */
  prefetchPacks(metric: Metric, tile: number): void {
    for (let level = 1; level < this.manifest.levels; level++) {
      this.pack(metric, level, this.manifest.parentOfTile(level, tile)).catch(() => undefined);
    }
  }

  /** Enters a pack's structure into the tables of this store, once. It is the same for every avoid set. */
  #place(mode: number, level: number, { pack, firstCell }: LoadedPack): void {
    const { placed } = this.#shared;
    if (placed.has(pack)) return;
    placed.add(pack);
    const { cliques, tails } = pack;
    const places = this.places(mode);
    const rows = places.rows[level];
    const columns = places.columns[level];
    cliques.forEach(({ ins, outs }: Clique, i) => {
      const firstTile = this.manifest.firstTileOf(level, firstCell + i);
      for (let r = 0; r < ins.length; r++) rows[ins[r]] = r;
      for (let c = 0; c < outs.length; c++) {
        columns[outs[c]] = c;
        this.tailTile[outs[c]] = firstTile + tails[i][c];
      }
    });
  }

  /** Reads and decodes an object once, however many ask for it at the same time; undefined where it cannot be read. */
  async #load<T extends { size: number }>(
    key: string,
    decode: (bytes: Uint8Array) => Promise<T>,
    // What has nothing to let go of still gets a second turn: reading it again is what costs most.
    shrink = (value: T) => value.size,
  ): Promise<T | undefined> {
    if (this.#missing.has(key)) return undefined;
    const { loads, source, cache, prefix } = this.#shared;
    try {
      return await loads.read(key, async () => {
        const bytes = await source.read(key);
        if (!bytes) throw new UnreadableObject(key, "the build lacks it");
        const value = await decode(bytes).catch((error) => unreadable(key, error));
        this.#owed += value.size * DECODE_COST;
        cache.put(prefix + key, value, value.size, () => shrink(value));
        return value;
      });
    } catch (error) {
      if (!(error instanceof UnreadableObject)) throw error;
      if (!this.#missing.has(key)) this.#question.missed(key);
      this.#missing.add(key);
      return undefined;
    }
  }
}

/** Bytes that cannot be decoded are as good as not there, whatever went wrong. */
function unreadable(key: string, error: unknown): never {
  throw new UnreadableObject(key, error instanceof Error ? error.message : String(error));
}
