import type { Coordinate } from "../coordinate.ts";
import { haversine } from "../distance.ts";
import { cellToBoundary, cellToLatLng, latLngToCell } from "./h3.ts";

/**
 * H3 cells as integers. An H3 index is 64 bits; its base cell (7 bits) and the digits down to resolution 12 (36 bits)
 * fit with the resolution (4 bits) into 47 bits, so a cell is a JavaScript number and an SQLite integer:
 *
 *     packed = (base cell and digits, left aligned as if at resolution 12) × 16 + resolution
 *
 * Digits below the cell's own resolution are zero, so all descendants of a cell are in one key range (`cellRange`) and
 * the ancestors are integer arithmetic (`ancestors`).
 */
export type PackedCell = number;

/** Finest resolution in use: cells with edges of about 9 m. */
export const MAX_RESOLUTION = 12;

export function packCell(h3: string): PackedCell {
  const high = Number.parseInt(h3.slice(0, 7), 16);
  const low = Number.parseInt(h3.slice(7), 16);
  const resolution = (high >>> 20) & 15;
  const low52 = (high & 0xfffff) * 4294967296 + low;
  return Math.floor(low52 / 8 ** (15 - resolution)) * 8 ** (MAX_RESOLUTION - resolution) * 16 + resolution;
}

export function unpackCell(cell: PackedCell): string {
  const resolution = cell % 16;
  const digits = BigInt((cell - resolution) / 16);
  // Mode 1 (cell) in bits 59–62, resolution in bits 52–55; unused digits are 7.
  const unused = (1n << BigInt(3 * (15 - resolution))) - 1n;
  const index = (1n << 59n) | (BigInt(resolution) << 52n) | (digits << 9n) | unused;
  return index.toString(16);
}

export function cellAt({ latitude, longitude }: Coordinate, resolution = MAX_RESOLUTION): PackedCell {
  return packCell(latLngToCell(latitude, longitude, resolution));
}

export function resolutionOf(cell: PackedCell): number {
  return cell % 16;
}

/** The ancestor of a cell at a coarser resolution (or the cell itself). */
export function ancestorOf(cell: PackedCell, resolution: number): PackedCell {
  const own = cell % 16;
  const step = 8 ** (MAX_RESOLUTION - resolution);
  return Math.floor((cell - own) / 16 / step) * step * 16 + resolution;
}

/** The cell and its ancestors, finest first, down to `coarsest`. */
export function ancestors(cell: PackedCell, coarsest = 0): PackedCell[] {
  const out: PackedCell[] = [];
  for (let resolution = cell % 16; resolution >= coarsest; resolution--) out.push(ancestorOf(cell, resolution));
  return out;
}

/** Keys of the cell and all its descendants k satisfy low ≤ k < high. */
export function cellRange(cell: PackedCell): [low: number, high: number] {
  const resolution = cell % 16;
  const low = cell - resolution;
  return [low, low + 8 ** (MAX_RESOLUTION - resolution) * 16];
}

/**
 * Maximum distance of a cell's descendants (by index) from its center, as a multiple of its circumradius
 * (`cellCircle`). Seven children tile their parent only roughly: they extend beyond it and leave gaps inside it. In the
 * plane a child's center is √3/√7 of a circumradius from its parent's, the grandchild's 1/√7 of that, and so on, 1.053
 * in total. On the Earth, 1.067 is the maximum found (all cells of three resolutions, those around the pentagons, and
 * random cells of all other resolutions).
 */
export const DESCENDANT_REACH = 1.1;

/** Center of a cell and its circumradius [m] (distance to its farthest corner). */
export function cellCircle(cell: PackedCell): { center: Coordinate; radius: number } {
  const h3 = unpackCell(cell);
  const [latitude, longitude] = cellToLatLng(h3);
  let radius = 0;
  for (const [lat, lon] of cellToBoundary(h3)) radius = Math.max(radius, haversine(latitude, longitude, lat, lon));
  return { center: { latitude, longitude }, radius };
}
