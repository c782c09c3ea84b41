import type { NarrowTable } from "../graph/narrow.ts";
import type { Numbering } from "../graph/numbering.ts";
import type { PackClique } from "../graph/pack.ts";
import type { LoadedPack, Metric, RoadStore } from "../store/road-store.ts";
import { keysOf } from "../store/variant-cells.ts";

/** Cells of this level have at most eight tiles: fewer than a search in detail would open anyway. */
const MAX_COMPUTED_LEVEL = 2;

/** Tiles that a search opens instead of computing cliques for a new vehicle: their views take memory. */
const MAX_OPENED_TILES = 16;

/** What the cliques of a vehicle change in their window. */
interface Window {
  /** Replaces the cliques of a pack, by its number. */
  replace(pack: number, cliques: readonly PackClique[]): void;
  /** Replaces the clique of a cell by what is in it. */
  open(level: number, cell: number): Promise<void>;
  /** How many tiles are open. */
  opened(): number;
}

/**
 * The cliques of a window for a vehicle unlike the default one of its mode: those of the packs may be wrong for it (`VariantCells`). A
 * search that requests one of these is lacking it: `complete`, and search again.
 */
export class VehicleCliques {
  readonly #store: RoadStore;
  readonly #metric: Metric;
  readonly #numbering: Numbering;
  readonly #window: Window;
  /** Packs in use, by number. */
  readonly #loaded = new Map<number, [level: number, loaded: LoadedPack]>();
  /** Cells, by number, whose cliques may be wrong; those that were requested though; and those opened instead. */
  readonly #approximate = new Set<number>();
  readonly #lacking = new Set<number>();
  readonly #opened = new Set<number>();
  /** By cell. Computed for this window: it must not depend on what the cache keeps. */
  readonly #made = new Map<number, NarrowTable>();

  constructor(store: RoadStore, metric: Metric, numbering: Numbering, window: Window) {
    this.#store = store;
    this.#metric = metric;
    this.#numbering = numbering;
    this.#window = window;
  }

  has(pack: number): boolean {
    return this.#loaded.has(pack);
  }

  /** Adds a pack, which has a number. */
  add(level: number, loaded: LoadedPack): void {
    this.#loaded.set(loaded.placed!.number, [level, loaded]);
    this.#adapt(level, loaded);
  }

  get isLacking(): boolean {
    return this.#lacking.size > 0;
  }

  isApproximate(cell: number): boolean {
    return this.#approximate.has(cell);
  }

  /** A search uses the clique of a cell. */
  request(cell: number): void {
    if (this.#approximate.size > 0 && this.#approximate.has(cell) && !this.#opened.has(cell)) this.#lacking.add(cell);
  }

  /** Replaces the stored cliques of a pack that are wrong for the window's vehicle, as far as they are computed. */
  #adapt(level: number, loaded: LoadedPack): void {
    const { number, cliques } = loaded.placed!;
    const first = this.#numbering.firstCell[number];
    const own = this.#store.variants.pack(this.#metric, level, loaded);
    const adapted = cliques.map((clique, i) => {
      const made = this.#made.get(first + i);
      const isApproximate = own.isApproximate[i] && !made;
      if (isApproximate) this.#approximate.add(first + i);
      else this.#approximate.delete(first + i);
      const table = made ?? own.tables[i];
      return table === loaded.pack.cliques[i] ? clique : { ...table, ins: clique.ins, outs: clique.outs };
    });
    this.#window.replace(number, adapted);
  }

  /**
   * Computes the cliques that were lacking. A large cell is opened instead, so that the next search shows which cells inside it
   * matter, unless these are all computed. One that contains something unreadable is opened, too. `once`: this search may be the
   * only one of its vehicle, so cells are opened down to tiles in full.
   */
  async complete(once = false): Promise<void> {
    const lacking = [...this.#lacking];
    this.#lacking.clear();
    for (const number of lacking) {
      const [level] = this.#numbering.cell(number);
      const mayOpen = once && level <= MAX_COMPUTED_LEVEL && this.#window.opened() < MAX_OPENED_TILES;
      const isComputed =
        !(mayOpen && this.#isNew(number)) &&
        (level <= MAX_COMPUTED_LEVEL || (await this.#hasExactChildren(number))) &&
        (await this.#make(number));
      if (!isComputed) await this.#openCell(number);
    }
    for (const [level, loaded] of this.#loaded.values()) this.#adapt(level, loaded);
  }

  /** Computes the cliques of cells of a level from `first` on, of one pack in use. Returns false if some object cannot be read. */
  async completeAll(level: number, first: number): Promise<boolean> {
    const [, loaded] = this.#loaded.get(this.#numbering.packAt(level, first))!;
    const from = this.#numbering.firstCell[loaded.placed!.number];
    const all = loaded.pack.cliques.map((_, i) => from + i).filter((number) => this.#approximate.has(number));
    let isWhole = true;
    for (const number of all) isWhole = (await this.#make(number)) && isWhole;
    if (all.length > 0) this.#adapt(level, loaded);
    return isWhole;
  }

  #isNew(number: number): boolean {
    return this.#store.variants.isNew(this.#metric, ...this.#numbering.cell(number), this.#keyOf(number));
  }

  #keyOf(number: number): string {
    const numbering = this.#numbering;
    const [, { pack, firstCell }] = this.#loaded.get(numbering.packOf[number])!;
    return keysOf(pack, this.#metric.variant!)[numbering.cell(number)[1] - firstCell];
  }

  async #make(number: number): Promise<boolean> {
    const [level, cell] = this.#numbering.cell(number);
    const [, { pack, firstCell }] = this.#loaded.get(this.#numbering.packOf[number])!;
    const stored = pack.cliques[cell - firstCell];
    const made = await this.#store.variants.make(this.#store, this.#metric, level, cell, stored, this.#keyOf(number));
    if (made) this.#made.set(number, made);
    return made !== undefined;
  }

  async #hasExactChildren(number: number): Promise<boolean> {
    const [level, cell] = this.#numbering.cell(number);
    const children = await this.#store.pack(this.#metric, level - 1, cell);
    return (
      children !== undefined &&
      !this.#store.variants.pack(this.#metric, level - 1, children).isApproximate.includes(true)
    );
  }

  async #openCell(number: number): Promise<void> {
    if (this.#opened.has(number)) return;
    this.#opened.add(number);
    await this.#window.open(...this.#numbering.cell(number));
  }
}
