import type { Closure } from "./avoided-areas.ts";
import type { Clique } from "./pack.ts";
import type { LoadedPack, Metric, RoadStore } from "./road-store.ts";
import type { Tile } from "./tile.ts";
import type { TileView } from "./tile-view.ts";

/**
 * Where a search begins or ends: an edge of a tile, and how much of it is travelled there [0.1 s, 0.1 m, unrounded].
 */
export interface EndPoint {
  /** The tile in which the journey goes on (start: the edge's head lies there) or comes from (end: its tail does). */
  tile: Tile;
  edge: number;
  /** Share of the edge from its tail to the point, 0 … 1. */
  share: number;
  /** Which of the caller's points this belongs to. */
  owner: number;
}

/** Inner edges of the tiles in use get labels in blocks of 2^BLOCK_BITS, so that a shift gives the view of a label. */
export const BLOCK_BITS = 10;

/** The clique of a cell that nothing crosses. */
export const EMPTY_CLIQUE: Clique = {
  ins: new Int32Array(0),
  outs: new Int32Array(0),
  weight: new Int32Array(0),
  duration: new Int32Array(0),
  distance: new Int32Array(0),
};

/**
 * What one search sees of the road network: the tiles at its ends in full, everything else as cliques. Labels are
 * numbers that searches hang their values on: ids of edges between tiles first, then the inner edges of the tiles in
 * use.
 *
 *     0 … crossingCount − 1 │ edges of view 0, whole blocks │ edges of view 1 │ …
 */
export class OverlayWindow {
  readonly store: RoadStore;
  readonly metric: Metric;
  readonly views: TileView[] = [];
  /** By view: searches go through all its search cells edge by edge. */
  readonly isPlain: boolean[] = [];
  /** Where the labels of each view's inner edges begin. */
  readonly bases: number[] = [];
  labelCount: number;
  readonly viewOfTile = new Map<number, number>();
  /** Cells that searches must not cross in one step, though no end lies in them: see `Marks`. */
  readonly unfolded: [level: number, cell: number][] = [];
  /** Block of labels → view. */
  readonly #blocks: number[] = [];
  readonly #crossingCount: number;
  readonly #cliques: (Clique | undefined)[][];
  readonly #closure: Closure | undefined;

  /** `closure`: roads that are closed to this search; the tiles they lie in are seen in full. */
  constructor(store: RoadStore, metric: Metric, closure?: Closure) {
    this.store = store;
    this.metric = metric;
    this.#closure = closure;
    this.#crossingCount = store.manifest.crossingCount;
    this.labelCount = this.#crossingCount;
    this.#cliques = Array.from({ length: store.manifest.levels }, () => []);
  }

  /** Puts a tile among those seen in full. */
  open(tile: Tile): number {
    const known = this.viewOfTile.get(tile.index);
    if (known !== undefined) return known;
    const index = this.views.length;
    this.viewOfTile.set(tile.index, index);
    const changed = this.#closure?.view(this.store, tile, this.metric);
    const view = changed ?? this.store.view(tile, this.metric);
    this.views.push(view);
    // What is closed is closed to one question: cliques would not be used again.
    this.isPlain.push(changed !== undefined || view.isNew());
    this.bases.push(this.labelCount);
    const blocks = Math.ceil(tile.edgeCount / (1 << BLOCK_BITS));
    for (let i = 0; i < blocks; i++) this.#blocks.push(index);
    this.labelCount += blocks << BLOCK_BITS;
    const { tailTile } = this.store;
    for (const id of tile.leaving.keys()) tailTile[id] = tile.index;
    return index;
  }

  /** Keeps a pack at hand for as long as this window lives. */
  add(level: number, { pack, firstCell }: LoadedPack): void {
    pack.cliques.forEach((clique, i) => {
      this.#cliques[level][firstCell + i] = clique;
    });
  }

  cliques(level: number): readonly (Clique | undefined)[] {
    return this.#cliques[level];
  }

  clique(level: number, cell: number): Clique {
    const clique = this.#cliques[level][cell];
    if (!clique) throw new Error(`routing: no clique of cell ${cell} at level ${level} at hand`);
    return clique;
  }

  label(view: number, edge: number): number {
    const id = this.views[view].tile.crossingOf(edge);
    return id >= 0 ? id : this.bases[view] + edge;
  }

  /** The view of an inner edge's label, −1 for an edge between tiles. */
  innerView(label: number): number {
    return label < this.#crossingCount ? -1 : this.#blocks[(label - this.#crossingCount) >> BLOCK_BITS];
  }

  /** The view of a tile, −1 where it is not seen in full. */
  viewAt(tile: number): number {
    return this.viewOfTile.get(tile) ?? -1;
  }

  /**
   * The edge behind a label, as the tile of a view numbers it. `arriving`: in case it both comes in and goes out there.
   */
  edgeIn(view: number, label: number, arriving: boolean): number {
    if (label >= this.#crossingCount) return label - this.bases[view];
    const { tile } = this.views[view];
    const entering = label - tile.firstEntering;
    if (arriving && entering >= 0 && entering < tile.entering.length) return tile.entering[entering];
    return tile.leaving.get(label) ?? tile.entering[entering];
  }

  /** Opens tiles and reads whatever searches between them need. One round of parallel reads. */
  async load(tiles: readonly Tile[]): Promise<void> {
    for (const tile of tiles) {
      this.open(tile);
      const turn = this.store.spend(0);
      if (turn) await turn;
    }
    await this.readPacks(tiles.map(({ index }) => index));
  }

  /**
   * Reads what searches between these tiles need beside the tiles: per level the cliques of the cell above each. What
   * cannot be read is replaced by what lies below it.
   */
  async readPacks(tiles: Iterable<number>): Promise<void> {
    const { manifest, detours } = this.store;
    const wanted: [level: number, parent: number][] = [];
    const seen = new Set<number>();
    const changed = await this.#openChanged();
    for (const tile of [...tiles, ...detours, ...changed]) {
      for (let level = 1; level < manifest.levels; level++) {
        const parent = manifest.parentOfTile(level, tile);
        const key = parent * 16 + level;
        if (seen.has(key)) continue;
        seen.add(key);
        const known = this.store.packAtHand(this.metric, level, parent);
        if (known) this.add(level, known);
        else wanted.push([level, parent]);
      }
    }
    // A tile that cannot be read has no way through.
    for (const tile of detours) if (this.store.lacksTile(tile)) this.unfolded.push([1, tile]);
    if (wanted.length > 0) await Promise.all(wanted.map(([level, parent]) => this.#readPack(level, parent)));
    const turn = this.store.spend(0);
    if (turn) await turn;
  }

  /** Cliques lead through roads that are closed here: the tiles that hold some are seen in full. */
  async #openChanged(): Promise<number[]> {
    const changed: number[] = [];
    for (const tile of this.#closure?.tiles() ?? []) {
      this.open(tile);
      this.unfolded.push([1, tile.index]);
      changed.push(tile.index);
      const turn = this.store.spend(0);
      if (turn) await turn;
    }
    return changed;
  }

  async #readPack(level: number, parent: number): Promise<void> {
    const loaded = await this.store.pack(this.metric, level, parent);
    if (loaded) this.add(level, loaded);
    else await this.#unfold(level, parent);
  }

  /**
   * The cliques of a level in a cell cannot be read: the cells they belong to are seen one level further down, at last
   * as tiles in full. Ways stay exact; only tiles that cannot be read either have no way through.
   */
  async #unfold(level: number, parent: number): Promise<void> {
    const { manifest } = this.store;
    const first = manifest.firstChild[level][parent];
    const end = manifest.firstChild[level][parent + 1];
    await Promise.all(
      Array.from({ length: end - first }, async (_, i) => {
        this.unfolded.push([level, first + i]);
        if (level > 1) return this.#readPack(level - 1, first + i);
        const tile = this.store.tileAtHand(first + i) ?? (await this.store.tile(first + i));
        if (tile) this.open(tile);
      }),
    );
  }
}
