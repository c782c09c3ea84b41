import type { Pack, PackClique } from "./pack.ts";
import type { Tile } from "./tile.ts";
import type { Numbers } from "./topology.ts";

/** A pack whose cliques name edges between tiles as searches number them. */
export interface PlacedPack {
  /** Whose: `Numbering.mark`. Not the numbering itself, which would live on in packs that nobody asks for any more. */
  mark: object;
  cliques: readonly PackClique[];
  /** As the numbering numbers packs. */
  number: number;
}

/** Cells have numbers up to 2^32. */
const LEVELS = 16;
const FIRST_ROOM = 1024;
/** Columns are made so much longer when they are full: twice would leave a quarter of their room empty, four times over. */
const GROWTH = 1.3;
/** Cells that 16 bits can name; 0 stands for none. A store begins anew long before it has met so many. */
const NARROW_CELLS = 65_535;

/**
 * The numbers that searches of one mode hang their values on: those of the edges between tiles that the packs and tiles in use
 * lead over, 0, 1, 2 … in the order in which they were met. A country has far more such edges than an isolate has room for;
 * what searches see of them is little. Beside each number stands, level by level, where the edge leads: into which cell, and
 * where it stands in that cell's clique; likewise out of which. Cells, too, have numbers of their own here.
 *
 * Numbers are given and never taken back: when there are too many, the store begins anew (`RoadStore.numbering`), and windows that are still
 * open keep the old ones.
 */
export class Numbering {
  readonly levels: number;
  /** Tells it apart from others. */
  readonly mark: object = {};
  /** How many edges have numbers. */
  count = 0;
  /** By number: the id of the edge. */
  ids: Int32Array = new Int32Array(FIRST_ROOM);
  /** The tile that the edge leads into, and the one it begins in, where these were opened; −1. */
  headTile: Int32Array = new Int32Array(FIRST_ROOM).fill(-1);
  tailTile: Int32Array = new Int32Array(FIRST_ROOM).fill(-1);
  /**
   * By level from 1 on, by number: the cell of that level that the edge enters, plus 1, and its row there; 0 where it lies inside a
   * cell, or no pack has told.
   */
  readonly headCell: Numbers[];
  readonly row: Int16Array[];
  /** Likewise the cell that it leaves, and its column. */
  readonly tailCell: Numbers[];
  readonly column: Int16Array[];
  /** For `Marks`: by cell, the stamp of the last search with an end in it. */
  stamps = new Int32Array(FIRST_ROOM);
  /** By cell: its pack. */
  packOf = new Int32Array(FIRST_ROOM);
  /** By pack: its first cell; the others follow. */
  readonly firstCell: number[] = [];
  #cellCount = 0;
  #lastStamp = 0;
  /** By hash of an id: the edge's number, plus 1; where that is taken, the next place. At most half is taken. */
  #slots = new Int32Array(2 * FIRST_ROOM);
  /** Pack by level and first cell of it. */
  readonly #packs = new Map<number, number>();
  readonly #cells = new Map<number, number>();
  readonly #places: [level: number, cell: number][] = [];
  readonly #borders = new Map<number, Int32Array>();
  #borderBytes = 0;

  constructor(levels: number) {
    this.levels = levels;
    const perLevel = <T>(make: () => T) => Array.from({ length: levels }, make);
    this.headCell = perLevel(() => new Uint16Array(FIRST_ROOM));
    this.tailCell = perLevel(() => new Uint16Array(FIRST_ROOM));
    this.row = perLevel(() => new Int16Array(FIRST_ROOM));
    this.column = perLevel(() => new Int16Array(FIRST_ROOM));
  }

  /** A stamp that no search has used. */
  nextStamp(): number {
    if (this.#lastStamp === 0x7fffffff) {
      this.stamps.fill(0);
      this.#lastStamp = 0;
    }
    return ++this.#lastStamp;
  }

  /** The number of a cell; −1 where no pack has told of it. */
  cellAt(level: number, cell: number): number {
    return this.#cells.get(cell * LEVELS + level) ?? -1;
  }

  /** The pack that holds a cell's clique; −1 likewise. */
  packAt(level: number, cell: number): number {
    const known = this.cellAt(level, cell);
    return known < 0 ? -1 : this.packOf[known];
  }

  /** Which cell a number stands for. */
  cell(number: number): readonly [level: number, cell: number] {
    return this.#places[number];
  }

  /**
   * Numbers of the edges that cross the border of a tile, from its `firstBorder` on; −1 for edges within. From now on it is
   * known that they lead into it, or out of it.
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

  /** Where an id stands, or would stand. */
  #slotOf(id: number): number {
    const slots = this.#slots;
    // Fibonacci hashing (Knuth): ids come in runs.
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

  /** The memory it takes, about [bytes]. */
  get bytes(): number {
    const { ids, headCell, levels, stamps } = this;
    const perNumber = 20 + (levels - 1) * 2 * (headCell[0].BYTES_PER_ELEMENT + 2);
    return ids.length * perNumber + stamps.byteLength * 2 + this.#places.length * PLACE + this.#borderBytes;
  }
}

/** What is kept of a cell, and of a tile's borders beside their numbers [bytes]. */
const PLACE = 120;
const BORDERS = 200;

function longer<T extends Int32Array | Int16Array | Uint16Array>(old: T, room: T): T {
  room.set(old);
  return room;
}
