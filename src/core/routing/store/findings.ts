import type { Tile } from "../graph/tile.ts";
import type { ManeuverNote } from "../guidance/junction-maneuver.ts";
import { PathMemory } from "./path-memory.ts";
import { type CellClique, cliqueSize, type SearchCells } from "./search-cells.ts";

/** Data that is the same for every metric of a mode. */
interface OfMode {
  cells?: SearchCells;
  notes: Map<number, ManeuverNote>;
  inside: Map<number, boolean>;
}

/**
 * Results that searches and guidance have found in a tile, for one metric: cliques of search cells, paths, turn
 * descriptions. It refers to edges and arcs by their numbers, which are the same in every view of the tile, so it
 * outlives the views. A view is larger but quick to rebuild; these results need searches.
 */
export class Findings {
  /** Windows that the tile was opened in. */
  opened = 0;
  readonly #tile: Tile;
  readonly #ofMode: OfMode;
  readonly #cliques: (CellClique | undefined)[] = [];
  readonly #paths = new PathMemory();
  #isCounted: boolean;
  #size = OBJECTS;

  /**
   * @param sibling findings of a metric of the same mode
   * @param isCounted false: for one query, so its size is not part of the tile's
   */
  constructor(tile: Tile, sibling: Findings | undefined, isCounted = true) {
    this.#tile = tile;
    this.#ofMode = sibling ? sibling.#ofMode : { notes: new Map(), inside: new Map() };
    this.#isCounted = isCounted;
    if (isCounted) tile.find(OBJECTS);
  }

  /** From now on its size, including earlier findings, is not part of the tile's. */
  drop(): void {
    if (this.#isCounted) this.#tile.find(-this.#size);
    this.#isCounted = false;
  }

  #grow(bytes: number): void {
    this.#size += bytes;
    if (this.#isCounted) this.#tile.find(bytes);
  }

  /** `make`: called on first use. */
  cells(make: () => SearchCells): SearchCells {
    const { cells } = this.#ofMode;
    if (cells) return cells;
    const made = make();
    this.#ofMode.cells = made;
    this.#grow(made.size);
    return made;
  }

  clique(cell: number): CellClique | undefined {
    return this.#cliques[cell];
  }

  keepClique(cell: number, clique: CellClique): void {
    this.#cliques[cell] = clique;
    this.#grow(cliqueSize(clique));
  }

  path(key: number): Uint16Array | undefined {
    return this.#paths.get(key);
  }

  /** Remembers a path and returns it. */
  keepPath(key: number, path: Uint16Array): Uint16Array {
    const before = this.#paths.size;
    const kept = this.#paths.keep(key, path);
    this.#grow(this.#paths.size - before);
    return kept;
  }

  noteOf(arc: number): ManeuverNote | undefined {
    return this.#ofMode.notes.get(arc);
  }

  keepNote(arc: number, note: ManeuverNote): void {
    this.#ofMode.notes.set(arc, note);
    this.#grow(MAP_ENTRY);
  }

  insideOf(arc: number): boolean | undefined {
    return this.#ofMode.inside.get(arc);
  }

  keepInside(arc: number, inside: boolean): void {
    this.#ofMode.inside.set(arc, inside);
    this.#grow(MAP_ENTRY);
  }
}

/** Objects and maps, in addition to their contents [bytes]. */
const OBJECTS = 900;
const MAP_ENTRY = 40;
