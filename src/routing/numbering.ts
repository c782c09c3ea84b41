import type { Clique, Pack } from "./pack.ts";
import type { Tile } from "./tile.ts";

/** A pack whose cliques name edges between tiles as searches number them. */
export interface PlacedPack {
  numbering: Numbering;
  cliques: readonly Clique[];
  /** As the numbering numbers packs. */
  number: number;
}

/** Cells have numbers up to 2^32. */
const LEVELS = 16;
const FIRST_ROOM = 1024;

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
  /** How many edges have numbers. */
  count = 0;
  /** By number: the id of the edge. */
  ids: Int32Array = new Int32Array(FIRST_ROOM);
  /** The tile that the edge leads into, and the one it begins in, where these were opened; −1. */
  headTile: Int32Array = new Int32Array(FIRST_ROOM).fill(-1);
  tailTile: Int32Array = new Int32Array(FIRST_ROOM).fill(-1);
  /**
   * By level from 1 on, by number: the cell of that level that the edge enters, and its row there; −1 where it lies inside a cell, or
   * no pack has told.
   */
  readonly headCell: Int32Array[];
  readonly row: Int16Array[];
  /** Likewise the cell that it leaves, and its column. */
  readonly tailCell: Int32Array[];
  readonly column: Int16Array[];
  /** For `Marks`: by cell, the stamp of the last search with an end in it. */
  stamps = new Int32Array(FIRST_ROOM);
  /** By cell: its pack. */
  packOf = new Int32Array(FIRST_ROOM);
  /** By pack: its first cell; the others follow. */
  readonly firstCell: number[] = [];
  #cellCount = 0;
  #lastStamp = 0;
  readonly #numberOf = new Map<number, number>();
  /** Pack by level and first cell of it. */
  readonly #packs = new Map<number, number>();
  readonly #cells = new Map<number, number>();
  readonly #places: [level: number, cell: number][] = [];
  readonly #borders = new Map<number, Int32Array>();

  constructor(levels: number) {
    this.levels = levels;
    const perLevel = <T>(make: () => T) => Array.from({ length: levels }, make);
    this.headCell = perLevel(() => new Int32Array(FIRST_ROOM).fill(-1));
    this.tailCell = perLevel(() => new Int32Array(FIRST_ROOM).fill(-1));
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
        this.headCell[level][ins[r]] = first + i;
        this.row[level][ins[r]] = r;
      }
      for (let c = 0; c < outs.length; c++) {
        this.tailCell[level][outs[c]] = first + i;
        this.column[level][outs[c]] = c;
      }
      return { ...clique, ins, outs };
    });
    return { numbering: this, cliques, number };
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
        this.packOf = doubled(this.packOf, new Int32Array(this.packOf.length * 2));
        this.stamps = doubled(this.stamps, new Int32Array(this.stamps.length * 2));
      }
      this.packOf[this.#cellCount] = number;
      this.#cells.set((firstCell + i) * LEVELS + level, this.#cellCount++);
      this.#places.push([level, firstCell + i]);
    }
    return number;
  }

  #number(id: number): number {
    const known = this.#numberOf.get(id);
    if (known !== undefined) return known;
    if (this.count === this.ids.length) this.#grow();
    const number = this.count++;
    this.#numberOf.set(id, number);
    this.ids[number] = id;
    return number;
  }

  #grow(): void {
    const size = this.ids.length * 2;
    const numbers = (old: Int32Array) => doubled(old, new Int32Array(size).fill(-1));
    this.ids = numbers(this.ids);
    this.headTile = numbers(this.headTile);
    this.tailTile = numbers(this.tailTile);
    for (let level = 1; level < this.levels; level++) {
      this.headCell[level] = numbers(this.headCell[level]);
      this.tailCell[level] = numbers(this.tailCell[level]);
      this.row[level] = doubled(this.row[level], new Int16Array(size));
      this.column[level] = doubled(this.column[level], new Int16Array(size));
    }
  }
}

function doubled<T extends Int32Array | Int16Array>(old: T, room: T): T {
  room.set(old);
  return room;
}
