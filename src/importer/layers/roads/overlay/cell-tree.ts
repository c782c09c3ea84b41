import type { Crossings } from "../partition/crossings.ts";
import type { Division } from "../partition/division.ts";
import { firstAtLeast } from "../partition/part.ts";
import type { CellSpan } from "./join-cells.ts";

/** Where cell `cell` of `level` is among tiles and among the ids of the edges between them. */
export function spanOf(
  { cellOf, cellCounts }: Division,
  { firstEntering }: Crossings,
  level: number,
  cell: number,
): CellSpan {
  const firstTile = level === 1 ? cell : firstAtLeast(cellOf[level], cell);
  const endTile = level === 1 ? cell + 1 : firstAtLeast(cellOf[level], cell + 1);
  if (cell >= cellCounts[level]) throw new RangeError(`level ${level} has no cell ${cell}`);
  return { firstTile, endTile, firstId: firstEntering[firstTile], endId: firstEntering[endTile] };
}

/** Cells of `level` in cell `parent` of the next: first ≤ cell < end. All of them in the one cell above the last level. */
export function childrenOf(
  { parentOf, cellCounts, levels }: Division,
  level: number,
  parent: number,
): [number, number] {
  if (level + 1 >= levels) return [0, cellCounts[level]];
  return [firstAtLeast(parentOf[level], parent), firstAtLeast(parentOf[level], parent + 1)];
}

/** How many cells there are above the cells of a level. */
export const parentCount = ({ levels, cellCounts }: Division, level: number) =>
  level + 1 < levels ? cellCounts[level + 1] : 1;
