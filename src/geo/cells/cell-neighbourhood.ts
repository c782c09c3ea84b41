import type { Coordinate } from "../coordinate.ts";
import { haversine } from "../distance.ts";
import { DESCENDANT_REACH, type PackedCell, packCell, unpackCell } from "./cells.ts";
import {
  cellToChildren,
  cellToLatLng,
  getHexagonEdgeLengthAvg,
  getRes0Cells,
  gridDisk,
  latLngToCell,
  UNITS,
} from "./h3.ts";

/**
 * A cell's corners are at most this many average edges from its center (1.10 over random cells of several resolutions).
 */
const MAX_VALUE = 1.15;
/** Rings of cells around a cell are at least this many average edges apart. */
const RING_SPACING = 0.95;

/** Every cell of a resolution; for coarse ones (resolution 1 has 842). */
export function allCells(resolution: number): PackedCell[] {
  return getRes0Cells().flatMap((base) => cellToChildren(base, resolution).map(packCell));
}

/**
 * Cells of a resolution that contain (through their descendants) every point of the circle [meters], and some around
 * it.
 */
export function cellsTouching(center: Coordinate, radius: number, resolution: number): PackedCell[] {
  const { latitude, longitude } = center;
  const edge = EDGES[resolution];
  const reach = radius + DESCENDANT_REACH * MAX_VALUE * edge;
  // The center can be anywhere in its own cell, hence one more circumradius.
  const rings = Math.ceil((reach + MAX_VALUE * edge) / (RING_SPACING * edge)) - 1;
  const out: PackedCell[] = [];
  for (const cell of gridDisk(latLngToCell(latitude, longitude, resolution), rings)) {
    const [lat, lon] = cellToLatLng(cell);
    if (haversine(latitude, longitude, lat, lon) <= reach) out.push(packCell(cell));
  }
  return out;
}

/**
 * A cell and its neighbors. The finer cell of a point in it has its number under one of these: descendants reach a
 * tenth of a circumradius beyond a cell, its neighbors a full circumradius.
 */
export function withNeighbours(cell: PackedCell): PackedCell[] {
  return gridDisk(unpackCell(cell), 1).map(packCell);
}

/** Average edge by resolution [meters]. */
const EDGES: readonly number[] = Array.from({ length: 13 }, (_, resolution) =>
  getHexagonEdgeLengthAvg(resolution, UNITS.m),
);
