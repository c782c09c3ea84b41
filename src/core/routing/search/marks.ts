import type { Numbering } from "../graph/numbering.ts";
import type { PackClique } from "../graph/pack.ts";
import type { Numbers } from "../graph/topology.ts";
import type { CellClique } from "../store/search-cells.ts";
import { EMPTY_CLIQUE, type OverlayWindow } from "./overlay.ts";

const NO_EDGES = new Uint16Array(0);
const EMPTY_CELL: CellClique = {
  ins: NO_EDGES,
  outs: NO_EDGES,
  weight: NO_EDGES,
  none: 0,
  duration: NO_EDGES,
  distance: NO_EDGES,
};

/** How a search continues from a label: at a level ≥ 0 across a clique, or … */
export const BY_ARCS = -1;
/** … not at all, because the next tile is not loaded. */
export const NOWHERE = -2;

/**
 * The cells that contain an end of a search, and the lookup of a search's labels: inside those cells it goes a level
 * down, all others it crosses in one step. Marks are stamps in the store: the newest Marks invalidate older ones, so
 * searches run one after the other, each without yielding.
 */
export class Marks {
  /**
   * Result of `locateHead` and `locateTail`. Level > 0: the clique; level 0: that of the search cell; and the start of
   * the label's row or column in it. Kernels have a loop for each: numbers of a search cell are narrower.
   */
  clique: PackClique = EMPTY_CLIQUE;
  inner: CellClique = EMPTY_CELL;
  at = 0;
  /** Level > 0: the cell, as the window's numbering has it. */
  cell = -1;
  /** Level ≤ 0: the view, and the edge as its tile numbers it. */
  view = -1;
  edge = -1;
  readonly #window: OverlayWindow;
  readonly #numbering: Numbering;
  readonly #stamps: Int32Array;
  readonly #headCell: readonly Numbers[];
  readonly #tailCell: readonly Numbers[];
  readonly #row: readonly Int16Array[];
  readonly #column: readonly Int16Array[];
  readonly #top: number;
  readonly #stamp: number;

  /** The window is settled. */
  constructor(window: OverlayWindow) {
    const { numbering } = window;
    this.#window = window;
    this.#numbering = numbering;
    this.#stamps = numbering.stamps;
    this.#headCell = numbering.headCell;
    this.#tailCell = numbering.tailCell;
    this.#row = numbering.row;
    this.#column = numbering.column;
    this.#top = numbering.levels - 1;
    this.#stamp = numbering.nextStamp();
    for (const [lowest, cells] of window.unfolded) {
      for (let level = lowest; level <= this.#top; level++) this.#stampCell(numbering.cellAt(level, cells[level]));
    }
  }

  /** Searches do not reach cells that no pack contains. */
  #stampCell(cell: number): void {
    if (cell >= 0) this.#stamps[cell] = this.#stamp;
  }

  /** The search goes down into a cell, and over the cells inside it. */
  open(level: number, cell: number): void {
    this.#stampCell(this.#numbering.cellAt(level, cell));
  }

  /** Likewise, through a search cell of a tile edge by edge. */
  openInside(view: number, cell: number): void {
    this.#window.views[view].cellStamps[cell] = this.#stamp;
  }

  /** The search goes down to the tiles around this one, so that it meets the edges into it; these are its cells by level. */
  addAround(cells: Int32Array): void {
    for (let level = 2; level <= this.#top; level++) this.#stampCell(this.#numbering.cellAt(level, cells[level]));
  }

  /** Marks an end of the search at a node of the view's tile. */
  add(view: number, node: number): void {
    const { tile, cellStamps } = this.#window.views[view];
    const cells = this.#window.cellsOf[view];
    for (let level = 1; level <= this.#top; level++) this.#stampCell(cells[level]);
    cellStamps[tile.nodeCell[node]] = this.#stamp;
  }

  /**
   * The highest level at which an edge between tiles leads into (out of) a cell that contains no end, and `cell` and
   * `clique` there; 0 if there is none. An edge inside a cell is only reached if that cell contains an end.
   */
  #level(cells: readonly Numbers[], label: number): number {
    const window = this.#window;
    for (let level = this.#top; level >= 1; level--) {
      const cell = cells[level][label] - 1;
      if (cell < 0 || this.#stamps[cell] === this.#stamp) continue;
      const clique = window.cliqueOf(cell);
      if (!clique) continue;
      this.cell = cell;
      this.clique = clique;
      return level;
    }
    return 0;
  }

  /** Finds how the search continues from the head of a label's edge. Returns the level, BY_ARCS or NOWHERE. */
  locateHead(label: number): number {
    const window = this.#window;
    let view = window.innerView(label);
    let edge: number;
    if (view >= 0) edge = label - window.bases[view];
    else {
      const level = this.#level(this.#headCell, label);
      if (level > 0) {
        this.at = this.#row[level][label] * this.clique.outs.length;
        return level;
      }
      view = window.viewAt(this.#numbering.headTile[label]);
      if (view < 0) return NOWHERE;
      const { tile } = window.views[view];
      edge = tile.entering[this.#numbering.ids[label] - tile.firstEntering];
    }
    const seen = window.views[view];
    const { tile } = seen;
    this.view = view;
    this.edge = edge;
    const cell = tile.nodeCell[tile.headOf(edge)];
    if (window.isPlain[view] || seen.cellStamps[cell] === this.#stamp) return BY_ARCS;
    this.inner = seen.clique(cell);
    this.at = seen.cells.rowOf(edge) * this.inner.outs.length;
    return 0;
  }

  /** Finds how the search continues from the tail of a label's edge. Returns the same values. */
  locateTail(label: number): number {
    const window = this.#window;
    let view = window.innerView(label);
    let edge: number;
    if (view >= 0) edge = label - window.bases[view];
    else {
      const level = this.#level(this.#tailCell, label);
      if (level > 0) {
        this.at = this.#column[level][label];
        return level;
      }
      // Where an edge between tiles begins is unknown only while the tile that says so cannot be read.
      view = window.viewAt(this.#numbering.tailTile[label]);
      if (view < 0) return NOWHERE;
      edge = window.views[view].tile.leaving.get(this.#numbering.ids[label]) as number;
    }
    const seen = window.views[view];
    const { tile } = seen;
    this.view = view;
    this.edge = edge;
    const cell = tile.nodeCell[tile.tailOf(edge)];
    if (window.isPlain[view] || seen.cellStamps[cell] === this.#stamp) return BY_ARCS;
    this.inner = seen.clique(cell);
    this.at = seen.cells.columnOf(edge);
    return 0;
  }
}
