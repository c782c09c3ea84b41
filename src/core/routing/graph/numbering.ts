import type { Pack, PackClique } from "./pack.ts";
import type { Tile } from "./tile.ts";
import type { Numbers } from "./topology.ts";

/** A pack whose cliques name edges between tiles as searches number them. */
export interface PlacedPack {
  /** Identifies the edge index: `Numbering.mark`. Not the index itself, which would stay alive in unused packs. */
  mark: object;
  cliques: readonly PackClique[];
  /** As the numbering numbers packs. */
  number: number;
}

/** Cells have numbers up to 2^32. */
const LEVELS = 16;
const INITIAL_CAPACITY = 1024;
/** Full columns grow by this factor: doubling would leave a quarter of the memory empty, summed over four columns. */
const GROWTH = 1.3;
/** Cells that 16 bits can address; 0 means none. A store starts a new index long before it reaches this number. */
const NARROW_CELLS = 65_535;

/**
 * The numbers that searches of one mode attach their values to: those of the edges between tiles that the packs and
 * tiles in use contain, 0, 1, 2 … in the order in which they were first seen. A country has far more such edges than an
 * isolate has memory for, but searches see only few of them. For each number, this index stores level by level the cell
 * that the edge enters and its row in that cell's clique, and likewise for the cell it leaves. Cells also have numbers
 * here.
 *
 * Numbers are assigned and never released: when there are too many, the store starts a new index
 * (`RoadStore.numbering`), and windows that are still open keep the old one.
 */
export class Numbering {
  readonly levels: number;
  /** Tells it apart from others. */
  readonly mark: object = {};
  /** How many edges have numbers. */
  count = 0;
  /** By number: the id of the edge. */
  ids: Int32Array = new Int32Array(INITIAL_CAPACITY);
  /** The tile that the edge leads into, and the one it begins in, where these were opened; −1. */
  headTile: Int32Array = new Int32Array(INITIAL_CAPACITY).fill(-1);
  tailTile: Int32Array = new Int32Array(INITIAL_CAPACITY).fill(-1);
  /**
   * By level from 1 on, by number: the cell of that level that the edge enters, plus 1, and its row there; 0 if the
   * edge is inside a cell, or no pack contains it.
   */
  readonly headCell: Numbers[];
  readonly row: Int16Array[];
  /** Likewise the cell that it leaves, and its column. */
  readonly tailCell: Numbers[];
  readonly column: Int16Array[];
  /** For `Marks`: by cell, the stamp of the last search with an end in it. */
  stamps = new Int32Array(INITIAL_CAPACITY);
  /** By cell: its pack. */
  packOf = new Int32Array(INITIAL_CAPACITY);
  /** By pack: its first cell; the others follow. */
  readonly firstCell: number[] = [];
  #cellCount = 0;
  #lastStamp = 0;
  /**
   * By hash of an id: the edge's number, plus 1; if the slot is occupied, the next one. At most half of the slots are
   * occupied.
   */
  #slots = new Int32Array(2 * INITIAL_CAPACITY);
  /** Pack by level and first cell of it. */
  readonly #packs = new Map<number, number>();
  readonly #cells = new Map<number, number>();
  readonly #places: [level: number, cell: number][] = [];
  readonly #borders = new Map<number, Int32Array>();
  #borderBytes = 0;

  constructor(levels: number) {
    this.levels = levels;
    const perLevel = <T>(make: () => T) => Array.from({ length: levels }, make);
    this.headCell = perLevel(() => new Uint16Array(INITIAL_CAPACITY));
    this.tailCell = perLevel(() => new Uint16Array(INITIAL_CAPACITY));
    this.row = perLevel(() => new Int16Array(INITIAL_CAPACITY));
    this.column = perLevel(() => new Int16Array(INITIAL_CAPACITY));
  }

  /** A stamp that no search has used. */
  nextStamp(): number {
    if (this.#lastStamp === 0x7fffffff) {
      this.stamps.fill(0);
      this.#lastStamp = 0;
    }
    return ++this.#lastStamp;
  }

  /** The number of a cell; −1 if no pack contains it. */
  cellAt(level: number, cell: number): number {
    return this.#cells.get(cell * LEVELS + level) ?? -1;
  }

  /** The pack with a cell's clique; −1 likewise. */
  packAt(level: number, cell: number): number {
    const known = this.cellAt(level, cell);
    return known < 0 ? -1 : this.packOf[known];
  }

  /** Which cell a number stands for. */
  cell(number: number): readonly [level: number, cell: number] {
    return this.#places[number];
  }

  /**
   * Numbers of the edges that cross the border of a tile, from its `firstBorder` on; −1 for edges within. Marks them as
   * entering or leaving it.
   */
  bordersOf(tile: Tile): Int32Array {
    const known = this.#borders.get(tile.index);
    if (known) return known;
    const borders = new Int32Array(tile.edgeCount - tile.firstBorder).fill(-1);
    for (let edge = tile.firstBorder; edge < tile.edgeCount; edge++) {
      const id = tile.crossingOf(edge);
      if (id < 0) continue;
      const number = this.#number(id);
      borders[edge - tile.firstBorder] = number;
      if (tile.tailOf(edge) < tile.insideCount) this.tailTile[number] = tile.index;
      else this.headTile[number] = tile.index;
    }
    this.#borders.set(tile.index, borders);
    this.#borderBytes += BORDERS + borders.byteLength;
    return borders;
  }

  /** Enters a pack into the columns; its structure is the same for every avoid set and window. */
  place(pack: Pack, level: number, firstCell: number): PlacedPack {
    const number = this.#numberOfPack(pack, level, firstCell);
    const first = this.firstCell[number];
    const cliques = pack.cliques.map((clique, i) => {
      const ins = clique.ins.map((id) => this.#number(id));
      const outs = clique.outs.map((id) => this.#number(id));
      for (let r = 0; r < ins.length; r++) {
        this.headCell[level][ins[r]] = first + i + 1;
        this.row[level][ins[r]] = r;
      }
      for (let c = 0; c < outs.length; c++) {
        this.tailCell[level][outs[c]] = first + i + 1;
        this.column[level][outs[c]] = c;
      }
      return { ...clique, ins, outs };
    });
    return { mark: this.mark, cliques, number };
  }

  #numberOfPack(pack: Pack, level: number, firstCell: number): number {
    const key = firstCell * LEVELS + level;
    const known = this.#packs.get(key);
    if (known !== undefined) return known;
    const number = this.firstCell.length;
    this.#packs.set(key, number);
    this.firstCell.push(this.#cellCount);
    for (let i = 0; i < pack.cliques.length; i++) {
      if (this.#cellCount === this.packOf.length) {
        this.packOf = longer(this.packOf, new Int32Array(this.packOf.length * 2));
        this.stamps = longer(this.stamps, new Int32Array(this.stamps.length * 2));
      }
      this.packOf[this.#cellCount] = number;
      this.#cells.set((firstCell + i) * LEVELS + level, this.#cellCount++);
      this.#places.push([level, firstCell + i]);
    }
    if (this.#cellCount > NARROW_CELLS) this.#widen();
    return number;
  }

  /** Cells are too many for 16 bits. */
  #widen(): void {
    if (this.headCell[0] instanceof Int32Array) return;
    for (const columns of [this.headCell, this.tailCell])
      for (let level = 0; level < this.levels; level++) columns[level] = Int32Array.from(columns[level]);
  }

  #number(id: number): number {
    let at = this.#slotOf(id);
    const known = this.#slots[at];
    if (known > 0) return known - 1;
    if (this.count === this.ids.length) {
      this.#grow();
      at = this.#slotOf(id);
    }
    const number = this.count++;
    this.ids[number] = id;
    this.#slots[at] = number + 1;
    return number;
  }

  /** Slot of an id, or the free slot for it. */
  #slotOf(id: number): number {
    const slots = this.#slots;
    // Fibonacci hashing (Knuth): ids are often consecutive.
    let at = Math.imul(id, 0x9e3779b1) >>> 7;
    for (at %= slots.length; slots[at] > 0 && this.ids[slots[at] - 1] !== id; ) if (++at === slots.length) at = 0;
    return at;
  }

  #grow(): void {
    const size = Math.ceil(this.ids.length * GROWTH);
    const { ids } = this;
    this.ids = longer(ids, new Int32Array(size));
    this.headTile = longer(this.headTile, new Int32Array(size).fill(-1));
    this.tailTile = longer(this.tailTile, new Int32Array(size).fill(-1));
    const cells = (old: Numbers) =>
      old instanceof Int32Array ? longer(old, new Int32Array(size)) : longer(old, new Uint16Array(size));
    for (let level = 1; level < this.levels; level++) {
      this.headCell[level] = cells(this.headCell[level]);
      this.tailCell[level] = cells(this.tailCell[level]);
      this.row[level] = longer(this.row[level], new Int16Array(size));
      this.column[level] = longer(this.column[level], new Int16Array(size));
    }
    this.#slots = new Int32Array(2 * size);
    for (let number = 0; number < this.count; number++) this.#slots[this.#slotOf(ids[number])] = number + 1;
  }

  /** Approximate memory size [bytes]. */
  get bytes(): number {
    const { ids, headCell, levels, stamps } = this;
    const perNumber = 20 + (levels - 1) * 2 * (headCell[0].BYTES_PER_ELEMENT + 2);
    return ids.length * perNumber + stamps.byteLength * 2 + this.#places.length * PLACE + this.#borderBytes;
  }
}

/** Data of a cell and of a tile's borders, in addition to their numbers [bytes]. */
const PLACE = 120;
const BORDERS = 200;

function longer<T extends Int32Array | Int16Array | Uint16Array>(old: T, target: T): T {
  target.set(old);
  return target;
}
