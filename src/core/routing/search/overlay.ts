import type { Closure } from "../areas/avoided-areas.ts";
import type { Numbering } from "../graph/numbering.ts";
import { type PackClique, UNREACHABLE } from "../graph/pack.ts";
import type { Tile } from "../graph/tile.ts";
import type { LoadedPack, Metric, RoadStore } from "../store/road-store.ts";
import { takeWork } from "../store/search-labels.ts";
import type { TileView } from "../store/tile-view.ts";
import { VehicleCliques } from "./vehicle-cliques.ts";

/** Inner edges of the tiles in use get labels in blocks of 2^BLOCK_BITS, so that a shift gives the view of a label. */
const BLOCK_BITS = 10;

/** Cost of opening a tile with closed roads, whose view may be new [µs]. */
const CLOSED_VIEW_COST = 300;

/** The clique of a cell that no route crosses. */
export const EMPTY_CLIQUE: PackClique = {
  ins: new Int32Array(0),
  outs: new Int32Array(0),
  weight: new Int32Array(0),
  none: UNREACHABLE,
  duration: new Int32Array(0),
  distance: new Int32Array(0),
};

/** By tile: local minutes at which its conditional restrictions are considered (`Metric.minutes`). */
export type TileMinutes = ReadonlyMap<number, readonly number[]>;

const NO_MINUTES: TileMinutes = new Map();

/** For windows in which every cell around a tile with minutes is opened, whatever its clique says. */
const ALL_SEGMENTS = -1;

/** By the bits of a clique: those of all its paths together. */
const joinedHours = new WeakMap<Uint8Array, number>();

/**
 * One search's view of the road network: the tiles at its ends in full, everything else as cliques. Labels are numbers
 * that searches attach their values to: those of edges between tiles first (`Numbering`), then the inner edges of the
 * tiles in use.
 *
 *     0 … innerFrom − 1 │ edges of view 0, whole blocks │ edges of view 1 │ …
 */
export class OverlayWindow {
  readonly store: RoadStore;
  readonly metric: Metric;
  readonly numbering: Numbering;
  readonly views: TileView[] = [];
  /** By view: searches go through all its search cells edge by edge. */
  readonly isPlain: boolean[] = [];
  /** Where the labels of each view's inner edges begin. */
  readonly bases: number[] = [];
  /** By view: the first edge from which on some lead out, and their numbers, −1 for those that do not. */
  readonly #firstBorder: number[] = [];
  readonly #borders: Int32Array[] = [];
  /** By view: the numbers of its cells, by level. */
  readonly cellsOf: Int32Array[] = [];
  readonly viewOfTile = new Map<number, number>();
  /**
   * Cells that searches must not cross in one step, though they contain no end: see `Marks`. With the ancestors of
   * each, from its own level on.
   */
  readonly unfolded: [level: number, cells: Int32Array][] = [];
  labelCount = 0;
  /** The first label of an inner edge. */
  #innerFrom = 0;
  /** Block of inner labels → view. */
  readonly #blocks: number[] = [];
  readonly #firstBlock: number[] = [];
  /** By number of the pack. */
  readonly #packs: (readonly PackClique[] | undefined)[] = [];
  readonly #closure: Closure | undefined;
  readonly #minutes: TileMinutes;
  readonly #segments: number;
  #isSettled = false;
  /** Undefined for the default vehicle of the mode. */
  readonly #vehicle: VehicleCliques | undefined;

  /**
   * `closure`: roads that are closed to this search; their tiles are loaded in full. So are those with `minutes`, at which
   * their conditional restrictions are considered. `segments`: only the cells whose cliques depend on the hour in some of these, which
   * include the minutes. Without it, all of them: a path that is unpacked may differ from that of a clique if both are equally light.
   */
  constructor(
    store: RoadStore,
    metric: Metric,
    closure?: Closure,
    minutes: TileMinutes = NO_MINUTES,
    segments: number = ALL_SEGMENTS,
  ) {
    this.store = store;
    this.metric = metric;
    this.#closure = closure;
    this.#minutes = minutes;
    this.#segments = segments;
    this.numbering = store.numbering(metric.mode);
    if (metric.variant)
      this.#vehicle = new VehicleCliques(store, metric, this.numbering, {
        replace: (pack, cliques) => {
          this.#packs[pack] = cliques;
        },
        open: async (level, cell) => {
          await this.#openCell(level, cell);
          if (level === 1 && this.viewAt(cell) < 0) store.detours.add(cell);
        },
        opened: () => this.views.length,
      });
  }

  /** Shows a tile in full. */
  open(tile: Tile): number {
    const known = this.viewOfTile.get(tile.index);
    if (known !== undefined) return known;
    const index = this.views.length;
    this.viewOfTile.set(tile.index, index);
    const minutes = this.#minutes.get(tile.index);
    const metric = minutes ? { ...this.metric, minutes } : this.metric;
    const changed = this.#closure?.view(this.store, tile, metric);
    const view = changed ?? this.store.view(tile, metric);
    this.views.push(view);
    // Closed roads apply to one query only: few searches would not reuse cliques.
    this.isPlain.push(changed ? !this.#closure?.isUsedOften : view.isNew());
    this.#firstBorder.push(tile.firstBorder);
    this.#borders.push(this.numbering.bordersOf(tile));
    this.#firstBlock.push(this.#blocks.length);
    const blocks = Math.ceil(tile.edgeCount / (1 << BLOCK_BITS));
    for (let i = 0; i < blocks; i++) this.#blocks.push(index);
    this.#isSettled = false;
    return index;
  }

  /** Keeps a pack loaded for as long as this window lives. */
  add(level: number, loaded: LoadedPack): void {
    if (loaded.placed?.mark !== this.numbering.mark) {
      loaded.placed = this.numbering.place(loaded.pack, level, loaded.firstCell);
    }
    const { number, cliques } = loaded.placed;
    if (this.#packs[number] === cliques || this.#vehicle?.has(number)) return;
    while (this.#packs.length < number) this.#packs.push(undefined);
    this.#isSettled = false;
    this.#packs[number] = cliques;
    this.#vehicle?.add(level, loaded);
  }

  /** Whether searches have used cliques that may be wrong for the window's vehicle: then `complete`, and search again. */
  get isLacking(): boolean {
    return this.#vehicle?.isLacking ?? false;
  }

  /** See `VehicleCliques`. */
  async complete(once = false): Promise<void> {
    await this.#vehicle?.complete(once);
  }

  /** See `VehicleCliques`. Returns false if some object cannot be read. */
  async completeAll(level: number, first: number): Promise<boolean> {
    return (await this.#vehicle?.completeAll(level, first)) ?? true;
  }

  /**
   * Call it before labels are used, once everything is loaded: from then on a label identifies the same edge until a
   * tile or a pack is added and this is called again.
   */
  settle(): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    const { numbering, views, bases } = this;
    this.#innerFrom = numbering.count;
    this.labelCount = this.#innerFrom + (this.#blocks.length << BLOCK_BITS);
    for (let view = 0; view < views.length; view++) {
      bases[view] = this.#innerFrom + (this.#firstBlock[view] << BLOCK_BITS);
      const { cells } = views[view].tile;
      this.cellsOf[view] = cells.map((cell, level) => numbering.cellAt(level, cell));
    }
  }

  /** Returns whether the cliques of the cells that include this one are loaded. */
  has(level: number, cell: number): boolean {
    const pack = this.numbering.packAt(level, cell);
    return pack >= 0 && this.#packs[pack] !== undefined;
  }

  /** The clique of a cell, by its number; undefined only where it could not be read. */
  cliqueOf(cell: number): PackClique | undefined {
    if (this.#vehicle !== undefined) this.#vehicle.request(cell);
    return this.borderOf(cell);
  }

  /** Likewise, for its edges: its numbers may be those of another vehicle. */
  borderOf(cell: number): PackClique | undefined {
    const { packOf, firstCell } = this.numbering;
    const pack = packOf[cell];
    const clique = this.#packs[pack]?.[cell - firstCell[pack]];
    if (clique || this.store.isDamaged) return clique;
    const [level, which] = this.numbering.cell(cell);
    throw new Error(`routing: no clique of cell ${which} at level ${level} at hand`);
  }

  clique(cell: number): PackClique {
    return this.cliqueOf(cell)!;
  }

  label(view: number, edge: number): number {
    const border = edge - this.#firstBorder[view];
    if (border < 0) return this.bases[view] + edge;
    const number = this.#borders[view][border];
    return number >= 0 ? number : this.bases[view] + edge;
  }

  /** The view of an inner edge's label, −1 for an edge between tiles. */
  innerView(label: number): number {
    return label < this.#innerFrom ? -1 : this.#blocks[(label - this.#innerFrom) >> BLOCK_BITS];
  }

  /** The view of a tile, −1 where it is not seen in full. */
  viewAt(tile: number): number {
    return this.viewOfTile.get(tile) ?? -1;
  }

  /** The edge of a label, numbered in the tile of a view. `arriving`: applies if it both enters and leaves the tile. */
  edgeIn(view: number, label: number, arriving: boolean): number {
    if (label >= this.#innerFrom) return label - this.bases[view];
    const { tile } = this.views[view];
    const id = this.numbering.ids[label];
    const entering = id - tile.firstEntering;
    if (arriving && entering >= 0 && entering < tile.entering.length) return tile.entering[entering];
    return tile.leaving.get(id) ?? tile.entering[entering];
  }

  /** Opens tiles and reads whatever searches between them need. One round of parallel reads. */
  async load(tiles: readonly Tile[]): Promise<void> {
    for (const tile of tiles) {
      this.open(tile);
      const turn = this.store.spend(0);
      if (turn) await turn;
    }
    const reading = this.readPacks(tiles.map(({ index }) => index));
    if (reading) await reading;
  }

  /**
   * Reads the objects that searches between these tiles need besides the tiles: per level, the cliques of the cell
   * above each. An object that cannot be read is replaced by the level below it. Undefined if they are loaded.
   */
  readPacks(tiles: readonly number[]): Promise<void> | undefined {
    return this.#addLoaded(tiles) ? undefined : this.#readPacks(tiles);
  }

  /** Makes the missing cliques of search cells: a search, which does not yield, should not make them all. */
  async prepareCells(): Promise<void> {
    for (const [index, view] of this.views.entries()) {
      for (let cell = 0; cell < view.tile.cellCount && !this.isPlain[index]; cell++) {
        view.clique(cell);
        const turn = this.store.spend(takeWork());
        if (turn) await turn;
      }
    }
  }

  /** Whether many searches will use the window, between closed roads. */
  get isClosedOften(): boolean {
    return this.#closure?.isUsedOften ?? false;
  }

  /** Adds the packs of `readPacks`, if all are loaded. */
  #addLoaded(tiles: readonly number[]): boolean {
    const { store } = this;
    if (this.#closure || this.#minutes.size > 0 || store.detours.size > 0 || !store.districts.knows(tiles))
      return false;
    const { levels } = store.manifest;
    let before: Int32Array | undefined;
    for (const tile of tiles) {
      const cells = store.districts.cellsOf(tile);
      for (let level = 1; level < levels; level++) {
        const parent = level + 1 < levels ? cells[level + 1] : 0;
        if (parent < 0 || (before && (level + 1 === levels || before[level + 1] === parent))) continue;
        const known = store.packAtHand(this.metric, level, parent);
        if (!known) return false;
        this.add(level, known);
      }
      before = cells;
    }
    return true;
  }

  async #readPacks(tiles: readonly number[]): Promise<void> {
    const { store } = this;
    const { levels } = store.manifest;
    const { detours } = store;
    const wanted: [level: number, parent: number, near: number][] = [];
    const seen = new Set<number>();
    const around = [...tiles, ...detours, ...(await this.#openClosed()), ...this.#minutes.keys()];
    const opening = store.districts.open(around, this.metric);
    if (opening) await opening;
    for (const tile of around) {
      const cells = store.districts.cellsOf(tile);
      for (let level = 1; level < levels; level++) {
        const parent = level + 1 < levels ? cells[level + 1] : 0;
        // Tables that cannot be read: no tile of the district can be, either.
        if (parent < 0) continue;
        const key = parent * 16 + level;
        if (seen.has(key)) continue;
        seen.add(key);
        const known = store.packAtHand(this.metric, level, parent);
        if (known) this.add(level, known);
        else wanted.push([level, parent, cells[store.manifest.districtLevel] ?? 0]);
      }
    }
    // A tile that cannot be read has no way through.
    for (const tile of detours) if (store.lacksTile(tile)) this.#unfoldTile(tile);
    if (wanted.length > 0) await Promise.all(wanted.map((one) => this.#readPack(...one)));
    await this.#openHourly();
    const turn = store.spend(0);
    if (turn) await turn;
  }

  /** Cliques include roads that are closed here: the tiles of closed roads are loaded in full. */
  async #openClosed(): Promise<number[]> {
    const tiles = [...(this.#closure?.tiles() ?? [])];
    for (const tile of tiles) await this.#unfoldTo(tile, tile.cells, CLOSED_VIEW_COST);
    return tiles.map(({ index }) => index);
  }

  /** Likewise of tiles with minutes, and the cells around them, where ways across them depend on the hour. */
  async #openHourly(): Promise<void> {
    const { store } = this;
    const cellsOf = new Map<number, Int32Array>();
    for (const index of this.#minutes.keys()) {
      const cells = store.districts
        .cellsOf(index)
        .map((cell, level) => (cell >= 0 && this.#isHourly(level, cell) ? cell : -1));
      if (cells.some((cell) => cell >= 0)) cellsOf.set(index, cells);
    }
    // An unreadable tile is a detour for the store, as everywhere.
    const tiles = await Promise.all([...cellsOf.keys()].map((index) => store.tileAtHand(index) ?? store.tile(index)));
    for (const tile of tiles) if (tile) await this.#unfoldTo(tile, cellsOf.get(tile.index)!);
  }

  async #unfoldTo(tile: Tile, cells: Int32Array, units = 0): Promise<void> {
    this.open(tile);
    this.unfolded.push([1, cells]);
    const turn = this.store.spend(units);
    if (turn) await turn;
  }

  /** Whether some way across a cell depends on the hour in the window's segments. */
  #isHourly(level: number, cell: number): boolean {
    const number = this.numbering.cellAt(level, cell);
    if (this.#segments === ALL_SEGMENTS || number < 0 || this.#vehicle?.isApproximate(number)) return true;
    const { packOf, firstCell } = this.numbering;
    const clique = this.#packs[packOf[number]]?.[number - firstCell[packOf[number]]];
    if (!clique) return true;
    const { hours } = clique;
    if (!hours) return false;
    let joined = joinedHours.get(hours);
    if (joined === undefined) {
      joined = hours.reduce((all, bits) => all | bits, 0);
      joinedHours.set(hours, joined);
    }
    return (joined & this.#segments) !== 0;
  }

  async #readPack(level: number, parent: number, near?: number): Promise<void> {
    const loaded = await this.store.pack(this.metric, level, parent, near);
    if (loaded) this.add(level, loaded);
    else await this.#unfold(level, parent);
  }

  #unfoldTile(tile: number): void {
    this.unfolded.push([1, this.store.districts.cellsOf(tile)]);
  }

  /**
   * The cliques of a level in a cell cannot be read: its cells are replaced by those one level down, finally by tiles
   * in full. Routes stay exact; only tiles that cannot be read either cannot be crossed.
   */
  async #unfold(level: number, parent: number): Promise<void> {
    const { store } = this;
    const children = await store.districts.childrenOf(level, parent);
    if (!children) {
      // Nothing is known of its content.
      this.unfolded.push([level + 1, await store.districts.cellsAround(level + 1, parent)]);
      return;
    }
    const [first, end] = children;
    await Promise.all(Array.from({ length: end - first }, (_, i) => this.#openCell(level, first + i)));
  }

  /** Replaces the clique of a cell by those of the cells in it, of a tile by the tile in full. */
  async #openCell(level: number, cell: number): Promise<void> {
    const { store } = this;
    this.unfolded.push([level, await store.districts.cellsAround(level, cell)]);
    if (level > 1) return this.#readPack(level - 1, cell);
    const tile = store.tileAtHand(cell) ?? (await store.tile(cell));
    if (tile) this.open(tile);
  }
}
