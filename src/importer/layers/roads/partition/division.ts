import { sharedInts } from "./divide-state.ts";
import type { Partition } from "./partition.ts";

/**
 * A graph's cells by the places of its junctions: these stand search cell by search cell, so that every cell of every
 * level is a run of places, and every cell above a tile a run of tiles.
 */
export interface Division {
  levels: number;
  /** By level. */
  cellCounts: readonly number[];
  /** Which junction is at a place; within a search cell by number. */
  nodeAt: Int32Array;
  /** The place of a junction. */
  placeOf: Int32Array;
  /** Where each search cell begins, and the end. */
  searchStart: Int32Array;
  /** Where each tile begins, and the end. */
  tileStart: Int32Array;
  /** cellOf[level][tile], level ≥ 1. */
  cellOf: readonly Int32Array[];
  /** parentOf[level][cell], level ≥ 1. */
  parentOf: readonly Int32Array[];
}

export function divisionOf({ levels, searchCellOf, cellOf, parentOf, cellCounts }: Partition): Division {
  const count = searchCellOf.length;
  const searchStart = sharedInts(cellCounts[0] + 1);
  for (const cell of searchCellOf) searchStart[cell + 1]++;
  for (let cell = 0; cell < cellCounts[0]; cell++) searchStart[cell + 1] += searchStart[cell];
  const next = searchStart.slice(0, cellCounts[0]);
  const nodeAt = sharedInts(count);
  for (let node = 0; node < count; node++) nodeAt[next[searchCellOf[node]]++] = node;
  const [, tileOf] = cellOf;
  const tileStart = sharedInts(cellCounts[1] + 1).fill(count);
  for (let cell = cellCounts[0] - 1; cell >= 0; cell--) tileStart[tileOf[cell]] = searchStart[cell];
  const ofTile = cellOf.map((own, level) => {
    const cells = sharedInts(level === 0 ? 0 : cellCounts[1]);
    if (level > 0) for (let cell = 0; cell < cellCounts[0]; cell++) cells[tileOf[cell]] = own[cell];
    return cells;
  });
  return withPlaces({ levels, cellCounts, nodeAt, searchStart, tileStart, cellOf: ofTile, parentOf });
}

/** The division with what follows from the rest. */
export function withPlaces(division: Omit<Division, "placeOf">): Division {
  const placeOf = sharedInts(division.nodeAt.length);
  for (let place = 0; place < placeOf.length; place++) placeOf[division.nodeAt[place]] = place;
  return { ...division, placeOf };
}

/** The last of these ascending starts that is not after a place. */
export function runOf(starts: Int32Array, place: number): number {
  let low = 0;
  let high = starts.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (starts[middle] <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Tile of a junction. */
export const tileOfNode = ({ placeOf, tileStart }: Division, node: number) => runOf(tileStart, placeOf[node]);
