import { type PackedCell, packCell, unpackCell } from "./cells.ts";
import type { Coordinate } from "./coordinate.ts";
import { haversine } from "./distance.ts";
import { cellToBoundary, cellToChildren, cellToLatLng, getRes0Cells } from "./h3.ts";

/**
 * H3 as a tree of digits. A cell holds what its descendants by index hold, not what its own hexagon holds: the two differ
 * along the edge, where children stick out and leave gaps. Whoever stores something per cell and looks up by
 * `ancestors(cellAt(point))` wants the tree's shape, and for that shape `cellReach` is the circle that surely covers it.
 */

/** Children of a cell by digit: seven places, the second one empty below a pentagon. */
export function childrenOf(cell: PackedCell): (PackedCell | undefined)[] {
  const resolution = (cell % 16) + 1;
  const children: (PackedCell | undefined)[] = new Array(7).fill(undefined);
  for (const h3 of cellToChildren(unpackCell(cell), resolution)) {
    const child = packCell(h3);
    children[digitOf(child)] = child;
  }
  return children;
}

/** The child with a digit 0 … 6, by arithmetic alone; below a pentagon there is none with 1. */
export function childAt(cell: PackedCell, digit: number): PackedCell {
  const resolution = cell % 16;
  return cell + digit * 16 * 8 ** (11 - resolution) + 1;
}

/** The last digit of a cell, 0 … 6: its place among its parent's children. */
export function digitOf(cell: PackedCell): number {
  return Math.floor(cell / 16 / 8 ** (12 - (cell % 16))) % 8;
}

/** The 122 cells of resolution 0, in the order of their keys. */
export function rootCells(): PackedCell[] {
  return getRes0Cells()
    .map(packCell)
    .sort((a, b) => a - b);
}

/**
 * How far the tree's shape may reach past the hexagon's circumradius r. In the plane children stick out to
 * √3/√7 r + 1/√7 of the same again, in all 1.053 r; the rest is room for the sphere's distortion.
 */
const REACH = 1.2;

/** Centre of a cell and a radius [m] that covers the cell and all its descendants. */
export function cellReach(cell: PackedCell): { center: Coordinate; radius: number } {
  const h3 = unpackCell(cell);
  const [latitude, longitude] = cellToLatLng(h3);
  let radius = 0;
  for (const [lat, lon] of cellToBoundary(h3)) radius = Math.max(radius, haversine(latitude, longitude, lat, lon));
  return { center: { latitude, longitude }, radius: radius * REACH };
}
