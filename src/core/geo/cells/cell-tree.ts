import type { Coordinate } from "../coordinate.ts";
import { cellCircle, DESCENDANT_REACH, type PackedCell, packCell, unpackCell } from "./cells.ts";
import { cellToChildren, getRes0Cells } from "./h3.ts";

/**
 * H3 as a tree of digits. A cell contains everything that its descendants by index contain, not the content of its own
 * hexagon: the two differ along the edge, where children extend beyond it and leave gaps. Code that stores something
 * per cell and looks it up by `ancestors(cellAt(point))` needs the tree's shape; `cellReach` is a circle that always
 * covers that shape.
 */

/** Children of a cell by digit: seven entries, of which the second is empty below a pentagon. */
export function childrenOf(cell: PackedCell): (PackedCell | undefined)[] {
  const resolution = (cell % 16) + 1;
  const children: (PackedCell | undefined)[] = new Array(7).fill(undefined);
  for (const h3 of cellToChildren(unpackCell(cell), resolution)) {
    const child = packCell(h3);
    children[digitOf(child)] = child;
  }
  return children;
}

/** The child with a digit 0 … 6, by arithmetic alone; a pentagon has no child with digit 1. */
export function childAt(cell: PackedCell, digit: number): PackedCell {
  const resolution = cell % 16;
  return cell + digit * 16 * 8 ** (11 - resolution) + 1;
}

/** The last digit of a cell, 0 … 6: its position among its parent's children. */
function digitOf(cell: PackedCell): number {
  return Math.floor(cell / 16 / 8 ** (12 - (cell % 16))) % 8;
}

/** The 122 cells of resolution 0, in the order of their keys. */
export function rootCells(): PackedCell[] {
  return getRes0Cells()
    .map(packCell)
    .sort((a, b) => a - b);
}

/** Center of a cell and a radius [m] that covers the cell and all its descendants. */
export function cellReach(cell: PackedCell): { center: Coordinate; radius: number } {
  const { center, radius } = cellCircle(cell);
  return { center, radius: radius * DESCENDANT_REACH };
}
