import { ancestorOf, cellRange, type PackedCell, resolutionOf } from "../../geo/cells/cells.ts";
import type { Collected } from "./collector.ts";
import { COARSEST_TILE, FINEST_TILE } from "./layout.ts";

/** A tile is split while its names, or its house numbers, are expected to exceed this [bytes]. */
export const TILE_BYTES = 48 * 1024;
/** Size of an entry besides its name, and size of a house, as measured in several towns. */
const ENTRY_BYTES = 14;
export const HOUSE_BYTES = 5;

/** Estimated size of an entry other than a street in a tile of names. */
export const entryBytes = (name: string): number => ENTRY_BYTES + 2 * name.length;

/** Content of one tile. */
export interface Group {
  cell: PackedCell;
  /** Sorted by cell: houses, then pieces, then entries, by their positions. */
  houses: Uint32Array;
  pieces: readonly number[];
  entries: readonly number[];
  weight: number;
}

/** Tiles are numbered in this order: those with most in them first. */
export const byWeight = (a: { weight: number; cell: PackedCell }, b: { weight: number; cell: PackedCell }): number =>
  b.weight - a.weight || a.cell - b.cell;

/** Keys of cells from the first one to before the second. */
export type KeyRange = readonly [low: number, high: number];
const EVERYWHERE: KeyRange = [0, Number.POSITIVE_INFINITY];

/**
 * Cells from the coarsest down, split while they are too full; by cell.
 *
 * @param whole where all there is has been collected: cells that reach beyond are split
 */
export function tilesOf(collected: Collected, whole = EVERYWHERE): Group[] {
  const { houses, pieces, entries } = collected;
  const byCell = new Uint32Array(houses.count).map((_, i) => i);
  // Those of an import come in this order.
  if (!isAscending(houses.cell, houses.count)) byCell.sort((a, b) => houses.cell[a] - houses.cell[b] || a - b);
  const piecesByCell = pieces.map((_, i) => i).sort((a, b) => pieces[a].cell - pieces[b].cell || a - b);
  const entriesByCell = entries.map((_, i) => i).sort((a, b) => entries[a].cell - entries[b].cell || a - b);
  const out: Group[] = [];
  const roots = new Set<PackedCell>();
  addAncestors(roots, byCell, (i) => houses.cell[i], COARSEST_TILE);
  for (const { cell } of [...pieces, ...entries]) roots.add(ancestorOf(cell, COARSEST_TILE));

  const within = <T extends Uint32Array | readonly number[]>(
    list: T,
    cellOf: (i: number) => number,
    cell: PackedCell,
  ) => {
    const [low, high] = cellRange(cell);
    return list.slice(firstNotBelow(list, cellOf, low), firstNotBelow(list, cellOf, high)) as T;
  };
  const split = (cell: PackedCell, group: Omit<Group, "cell" | "weight">) => {
    const size = sizeOf(collected, group);
    const resolution = resolutionOf(cell);
    const [low, high] = cellRange(cell);
    const isWhole = low >= whole[0] && high <= whole[1];
    if (resolution === FINEST_TILE || (isWhole && Math.max(size.names, size.houses) <= TILE_BYTES)) {
      out.push({ cell, ...group, weight: group.houses.length + size.entries });
      return;
    }
    const children = new Set<PackedCell>();
    addAncestors(children, group.houses, (i) => houses.cell[i], resolution + 1);
    for (const i of group.pieces) children.add(ancestorOf(pieces[i].cell, resolution + 1));
    for (const i of group.entries) children.add(ancestorOf(entries[i].cell, resolution + 1));
    for (const child of [...children].sort((a, b) => a - b)) split(child, part(group, child));
  };
  const part = (group: Omit<Group, "cell" | "weight">, cell: PackedCell) => ({
    houses: within(group.houses, (i) => houses.cell[i], cell),
    pieces: within(group.pieces, (i) => pieces[i].cell, cell),
    entries: within(group.entries, (i) => entries[i].cell, cell),
  });
  const all = { houses: byCell, pieces: piecesByCell, entries: entriesByCell };
  for (const root of [...roots].sort((a, b) => a - b)) split(root, part(all, root));
  return out;
}

function isAscending(cells: Float64Array, count: number): boolean {
  for (let i = 1; i < count; i++) if (cells[i - 1] > cells[i]) return false;
  return true;
}

/** Of cells that mostly are those before them. */
function addAncestors(
  set: Set<PackedCell>,
  list: Uint32Array,
  cellOf: (i: number) => PackedCell,
  resolution: number,
): void {
  let last = -1;
  for (const i of list) {
    const cell = cellOf(i);
    if (cell !== last) set.add(ancestorOf(cell, resolution));
    last = cell;
  }
}

/** Cells carry their resolution in the last bits; all here are of one resolution, so order is that of their keys. */
function firstNotBelow(list: Uint32Array | readonly number[], cellOf: (i: number) => number, key: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cellOf(list[middle]) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

function sizeOf({ houses, streets, pieces, entries }: Collected, group: Omit<Group, "cell" | "weight">) {
  const seen = new Set<number>();
  let last = -1;
  for (const i of group.houses) {
    if (houses.street[i] !== last) seen.add(houses.street[i]);
    last = houses.street[i];
  }
  for (const i of group.pieces) seen.add(pieces[i].street);
  let names = 0;
  for (const street of seen) names += ENTRY_BYTES + 1.5 * streets[street].name.length;
  for (const i of group.entries) names += entryBytes(entries[i].name);
  let points = 0;
  for (const i of group.pieces) points += pieces[i].line.length;
  return { names, houses: HOUSE_BYTES * (group.houses.length + points), entries: seen.size + group.entries.length };
}
