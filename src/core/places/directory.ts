import { ancestorOf, type PackedCell, resolutionOf, unpackCell } from "../geo/cells/cells.ts";
import type { Coordinate } from "../geo/coordinate.ts";
import { haversine } from "../geo/distance.ts";

/**
 * A directory lists the tiles that a search from anywhere in one H3 cell of resolution 1 can need, up to 10 km away:
 * one read lists all other reads. Little endian, sorted by cell:
 *
 *     0   u32  magic "GPLD"
 *     4   u16  version
 *     6   u16  0
 *     8   u32  n, number of tiles
 *     12  u32  0
 *     16  f64  × n  packed cell (geo/cells/cells.ts)
 *         i32  × n  latitude of the cell's center [1e-7 degrees]
 *         i32  × n  longitude
 *         u32  × n  radius that contains the cell and its descendants [meters]
 */
export const DIRECTORY_RESOLUTION = 1;
export const DIRECTORY_VERSION = 1;
const MAGIC = 0x444c5047;
const HEADER = 16;

/** Tiles are cells of these resolutions; a dense cell is split into its seven children. */
export const COARSEST_TILE = 3;
export const FINEST_TILE = 7;

/** Search radius that directories are built for [meters]. */
export const MAX_RADIUS = 10_000;

export const directoryKey = (cell: PackedCell): string => `places/directory/${unpackCell(cell)}`;
export const tileKey = (cell: PackedCell): string => `places/tile/${unpackCell(cell)}`;
/** The cells of all directories (geo/cells/cell-list.ts). */
export const DIRECTORIES_KEY = "places/directories";
export const AIRPORTS_KEY = "places/airports";

export interface DirectoryEntry {
  cell: PackedCell;
  center: Coordinate;
  radius: number;
}

export function encodeDirectory(entries: readonly DirectoryEntry[]): Uint8Array {
  const n = entries.length;
  const bytes = new Uint8Array(HEADER + 20 * n);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint16(4, DIRECTORY_VERSION, true);
  view.setUint32(8, n, true);
  [...entries]
    .sort((a, b) => a.cell - b.cell)
    .forEach(({ cell, center, radius }, i) => {
      view.setFloat64(HEADER + 8 * i, cell, true);
      view.setInt32(HEADER + 8 * n + 4 * i, Math.round(center.latitude * 1e7), true);
      view.setInt32(HEADER + 12 * n + 4 * i, Math.round(center.longitude * 1e7), true);
      view.setUint32(HEADER + 16 * n + 4 * i, Math.ceil(radius), true);
    });
  return bytes;
}

export class Directory {
  readonly #cells: Float64Array;
  readonly #latitudes: Int32Array;
  readonly #longitudes: Int32Array;
  readonly #radii: Uint32Array;

  constructor(source: Uint8Array) {
    const bytes = source.byteOffset % 8 === 0 ? source : source.slice();
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (bytes.length < HEADER || view.getUint32(0, true) !== MAGIC) throw new Error("not a directory of places");
    const version = view.getUint16(4, true);
    if (version !== DIRECTORY_VERSION)
      throw new Error(`a directory of version ${version}, this reader knows ${DIRECTORY_VERSION}`);
    const n = view.getUint32(8, true);
    if (bytes.length < HEADER + 20 * n) throw new Error("a directory of places is cut short");
    const start = bytes.byteOffset + HEADER;
    this.#cells = new Float64Array(bytes.buffer, start, n);
    this.#latitudes = new Int32Array(bytes.buffer, start + 8 * n, n);
    this.#longitudes = new Int32Array(bytes.buffer, start + 12 * n, n);
    this.#radii = new Uint32Array(bytes.buffer, start + 16 * n, n);
  }

  /** The one tile whose places (and visitors) can be at a point; undefined if there is none. */
  tileOf(cell: PackedCell): PackedCell | undefined {
    for (let resolution = COARSEST_TILE; resolution <= Math.min(FINEST_TILE, resolutionOf(cell)); resolution++) {
      const ancestor = ancestorOf(cell, resolution);
      if (this.#has(ancestor)) return ancestor;
    }
    return undefined;
  }

  /** Tiles that overlap a circle, nearest first; `distance` is a lower bound for every place of the tile [meters]. */
  tilesWithin({ latitude, longitude }: Coordinate, radius: number): { cell: PackedCell; distance: number }[] {
    const out: { cell: PackedCell; distance: number }[] = [];
    for (let i = 0; i < this.#cells.length; i++) {
      const toCentre = haversine(latitude, longitude, this.#latitudes[i] / 1e7, this.#longitudes[i] / 1e7);
      const distance = Math.max(0, toCentre - this.#radii[i]);
      if (distance <= radius) out.push({ cell: this.#cells[i], distance });
    }
    return out.sort((a, b) => a.distance - b.distance || a.cell - b.cell);
  }

  #has(cell: PackedCell): boolean {
    let low = 0;
    let high = this.#cells.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      if (this.#cells[middle] === cell) return true;
      if (this.#cells[middle] < cell) low = middle + 1;
      else high = middle - 1;
    }
    return false;
  }
}
