import type { Coordinate } from "../coordinate.ts";
import { ancestors, cellAt, cellRange, type PackedCell } from "./cells.ts";
import { coverCircle } from "./cover.ts";

/** A lookup uses few cells, because each costs a range to read. */
const LOOKUP_CELLS = 7;

/**
 * Rows of an index of coverings to read: those whose cell is one of `keys` or is in one of `ranges` (low ≤ cell <
 * high).
 */
export interface CoverLookup {
  keys: PackedCell[];
  ranges: [low: number, high: number][];
}

/**
 * Rows of all shapes that may share a point with the cells. The cell of a common point has an ancestor in both covers,
 * and of two ancestors of one cell one is an ancestor of the other. A row may match both a key and a range.
 */
function lookupCells(cells: readonly PackedCell[]): CoverLookup {
  const keys = new Set<PackedCell>();
  for (const cell of cells) for (const key of ancestors(cell)) keys.add(key);
  return { keys: [...keys], ranges: cells.map(cellRange) };
}

/** Rows of all shapes that may be within `radius` meters of the point. */
export function lookupAround(point: Coordinate, radius: number): CoverLookup {
  if (radius <= 0) return { keys: ancestors(cellAt(point)), ranges: [] };
  return lookupCells(coverCircle(point, radius, LOOKUP_CELLS));
}
