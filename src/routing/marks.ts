import { EMPTY_CLIQUE, type OverlayWindow } from "./overlay.ts";
import type { Clique } from "./pack.ts";
import type { CellClique } from "./search-cells.ts";

const NO_EDGES = new Uint16Array(0);
const EMPTY_CELL: CellClique = {
  ...{ ins: NO_EDGES, outs: NO_EDGES, weight: NO_EDGES, none: 0, duration: NO_EDGES, distance: NO_EDGES },
};

/** How a search goes on from a label: at a level ≥ 0 across a clique, or … */
export const BY_ARCS = -1;
/** … not at all, as the tile behind it is not at hand. */
export const NOWHERE = -2;

/**
 * The cells that hold an end of a search, and what a search finds at its labels: inside those cells it goes a level
 * down, all others it crosses in one step. Marks are stamps that the store keeps: the newest Marks make older ones
 * void, so searches run one after the other, each without waiting.
 */
export class Marks {
  /**
   * What `locateHead` and `locateTail` found. Level > 0: the clique; level 0: that of the search cell; and where the
   * label's row or column begins in it. Kernels have a loop for each: numbers of a search cell are narrower.
   */
  clique: Clique = EMPTY_CLIQUE;
  inner: CellClique = EMPTY_CELL;
  at = 0;
  /** Level > 0: the cell. */
  cell = -1;
  /** Level ≤ 0: the view, and the edge as its tile numbers it. */
  view = -1;
  edge = -1;
  readonly #window: OverlayWindow;
  readonly #stamps: readonly Int32Array[];
  readonly #cellOf: readonly Int32Array[];
  readonly #rows: readonly Int16Array[];
  readonly #columns: readonly Int16Array[];
  readonly #headTile: Int32Array;
  readonly #tailTile: Int32Array;
  readonly #top: number;
  readonly #stamp: number;

  constructor(window: OverlayWindow) {
    const { store, metric } = window;
    this.#window = window;
    this.#stamps = store.markStamps;
    this.#cellOf = store.manifest.cellOf;
    ({ rows: this.#rows, columns: this.#columns } = store.places(metric.mode));
    this.#headTile = store.manifest.headTile;
    this.#tailTile = store.tailTile;
    this.#top = store.manifest.levels - 1;
    this.#stamp = store.nextMark();
    for (const [level, cell] of window.unfolded) this.#stampFrom(level, store.manifest.firstTileOf(level, cell));
  }

  /** Marks the cells around a tile, from a level on. */
  #stampFrom(lowest: number, tile: number): void {
    for (let level = lowest; level <= this.#top; level++) this.#stamps[level][this.#cellOf[level][tile]] = this.#stamp;
  }

  /** An end of the search lies at a node of the view's tile. */
  add(view: number, node: number): void {
    const { tile, cellStamps } = this.#window.views[view];
    this.#stampFrom(1, tile.index);
    cellStamps[tile.nodeCell[node]] = this.#stamp;
  }

  /** The highest level at which the tile's cell holds no end; 0 when the tile itself holds one. */
  #level(tile: number): number {
    let level = this.#top;
    while (level >= 1 && this.#stamps[level][this.#cellOf[level][tile]] === this.#stamp) level--;
    return level;
  }

  /** What lies ahead of a label: what begins at the head of its edge. Answers the level, BY_ARCS or NOWHERE. */
  locateHead(label: number): number {
    const window = this.#window;
    const inner = window.innerView(label);
    const tileIndex = inner >= 0 ? window.views[inner].tile.index : this.#headTile[label];
    const level = this.#level(tileIndex);
    if (level > 0) {
      this.cell = this.#cellOf[level][tileIndex];
      this.clique = window.clique(level, this.cell);
      this.at = this.#rows[level][label] * this.clique.outs.length;
      return level;
    }
    const view = inner >= 0 ? inner : window.viewAt(tileIndex);
    if (view < 0) return NOWHERE;
    const seen = window.views[view];
    const { tile } = seen;
    const edge = inner >= 0 ? label - window.bases[view] : tile.entering[label - tile.firstEntering];
    this.view = view;
    this.edge = edge;
    const cell = tile.nodeCell[tile.headOf(edge)];
    if (window.isPlain[view] || seen.cellStamps[cell] === this.#stamp) return BY_ARCS;
    this.inner = seen.clique(cell);
    this.at = seen.cells.rowOf(edge) * this.inner.outs.length;
    return 0;
  }

  /** What lies behind a label: what ends at the tail of its edge. Likewise. */
  locateTail(label: number): number {
    const window = this.#window;
    const inner = window.innerView(label);
    const tileIndex = inner >= 0 ? window.views[inner].tile.index : this.#tailTile[label];
    // Where an edge between tiles begins is unknown only while the tile that says so cannot be read.
    if (tileIndex < 0) return NOWHERE;
    const level = this.#level(tileIndex);
    if (level > 0) {
      this.cell = this.#cellOf[level][tileIndex];
      this.clique = window.clique(level, this.cell);
      this.at = this.#columns[level][label];
      return level;
    }
    const view = inner >= 0 ? inner : window.viewAt(tileIndex);
    if (view < 0) return NOWHERE;
    const seen = window.views[view];
    const { tile } = seen;
    const edge = inner >= 0 ? label - window.bases[view] : (tile.leaving.get(label) as number);
    this.view = view;
    this.edge = edge;
    const cell = tile.nodeCell[tile.tailOf(edge)];
    if (window.isPlain[view] || seen.cellStamps[cell] === this.#stamp) return BY_ARCS;
    this.inner = seen.clique(cell);
    this.at = seen.cells.columnOf(edge);
    return 0;
  }
}
