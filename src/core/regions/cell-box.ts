import { cellReach } from "../geo/cells/cell-tree.ts";
import type { PackedCell } from "../geo/cells/cells.ts";
import { METRES_PER_DEGREE, RADIANS } from "../geo/distance.ts";
import { GRID, HALF_TURN } from "./crossing.ts";

/** Center of a cell and the box around its content [grid units]; near a pole the box spans all longitudes. */
export interface CellBox {
  x: number;
  y: number;
  south: number;
  north: number;
  halfWidth: number;
}

export function cellBox(cell: PackedCell): CellBox {
  const { center, radius } = cellReach(cell);
  const degrees = radius / METRES_PER_DEGREE;
  // The circle's widest meridians: sin Δλ = sin r / cos φ; beyond 1 the circle contains the pole.
  const ratio = Math.sin(degrees * RADIANS) / Math.cos(center.latitude * RADIANS);
  const polar = ratio >= 1 || Math.abs(center.latitude) + degrees >= 90;
  return {
    x: center.longitude * GRID,
    y: center.latitude * GRID,
    south: (center.latitude - degrees) * GRID,
    north: (center.latitude + degrees) * GRID,
    halfWidth: polar ? HALF_TURN : (Math.asin(ratio) / RADIANS) * GRID,
  };
}

/**
 * Returns whether an edge from (x1, y1) to (x2, y2) meets the box. x is relative to the box's center. First compares
 * the bounding boxes, then checks whether the box is entirely on one side of the edge's line (separating axes): a long
 * diagonal edge has a bounding box far larger than itself.
 */
export function meetsBox(
  { y, south, north, halfWidth }: CellBox,
  x1: number,
  y1: number,
  x2: number,
  y2: number,
): boolean {
  if (y1 < south ? y2 < south : y1 > north && y2 > north) return false;
  if (x1 < -halfWidth ? x2 < -halfWidth : x1 > halfWidth && x2 > halfWidth) return false;
  const dx = x2 - x1;
  const dy = y2 - y1;
  const limit = Math.abs(dx) * (north - y) + Math.abs(dy) * halfWidth;
  return Math.abs(dx * (y - y1) + dy * x1) <= limit * 1.000001;
}
