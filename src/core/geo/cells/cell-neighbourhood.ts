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
  for (const { cell, lat, lon } of diskAround(latLngToCell(latitude, longitude, resolution), rings))
    if (haversine(latitude, longitude, lat, lon) <= reach) out.push(cell);
  return out;
}

interface DiskCell {
  cell: PackedCell;
  lat: number;
  lon: number;
}

/** Points that follow each other share disks or their cells: importers go through them in the order of cells, devices return to the same towns. */
const lastDisks = new Map<string, readonly DiskCell[]>();
const lastCells = new Map<string, DiskCell>();
const [MAX_LAST_DISKS, MAX_LAST_CELLS] = [256, 4096];

function diskAround(origin: string, rings: number): readonly DiskCell[] {
  const key = `${origin} ${rings}`;
  const kept = lastDisks.get(key);
  if (kept) return kept;
  if (lastCells.size > MAX_LAST_CELLS) lastCells.clear();
  if (lastDisks.size > MAX_LAST_DISKS) lastDisks.clear();
  const cells = gridDisk(origin, rings).map((h3): DiskCell => {
    let cell = lastCells.get(h3);
    if (!cell) {
      const [lat, lon] = cellToLatLng(h3);
      cell = { cell: packCell(h3), lat, lon };
      lastCells.set(h3, cell);
    }
    return cell;
  });
  lastDisks.set(key, cells);
  return cells;
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
