import type { ByteWriter } from "../../geo/bytes/bytes.ts";
import { ColumnWriter, steps } from "./columns.ts";
import { type GridContent, writeGrid } from "./road-grid.ts";
import type { TimeWindow } from "./traffic.ts";

/** By mode, level and parent cell: the parts of a metric that change a pack. */
export type BitsByMode = readonly (readonly (readonly number[])[])[];

/** Content of a manifest; for the format see `Manifest`. */
export interface ManifestContent {
  districtLevel: number;
  /** How many cells each level has, from 1 on. */
  cells: readonly number[];
  /** For each level from 1 to below the districts: the first cell of each district, and the end. */
  first: readonly (readonly number[])[];
  /** For each level from the districts' on: the number of its cells in each cell of the next. */
  children: readonly ArrayLike<number>[];
  windows: readonly TimeWindow[];
  /**
   * Avoid bits that have an effect: first, by district, on its bundle; then, by level from the districts' on and
   * parent, on the pack.
   */
  avoid: BitsByMode;
  /** Likewise: bit n − 1 for the n-th window. Not written where there are no windows. */
  traffic: BitsByMode;
  /** Bytes of the packs that are in no bundle: by mode, each in the order in which they were written. */
  packs: readonly (readonly number[])[];
  /** Of districts. */
  grid: GridContent;
  /** Tiles in which something depends on the hour, ascending, and for which modes (bits). */
  hourly: HourlyTiles;
}

export type HourlyTiles = readonly (readonly [tile: number, modes: number])[];

/** Content of the table of a district; for the format see `District`. */
export interface DistrictContent {
  /** For each level from 1 to the last but one below the district: the number of its cells in each cell of the next. */
  children: readonly ArrayLike<number>[];
  /** Of tiles. */
  grid: GridContent;
  firstTile: number;
}

/** The payload of a manifest. */
export function writeManifest(content: ManifestContent): ByteWriter {
  const { districtLevel, cells, first, children, windows, avoid, traffic, packs, grid, hourly } = content;
  const columns = new ColumnWriter();
  columns.i32([cells.length + 1, districtLevel, windows.length]);
  columns.i32(cells);
  for (const starts of first) columns.i32(steps(starts));
  for (const counts of children) columns.i32(counts);
  columns.i32(windows.flatMap(({ days, from, until }) => [days, from, until]));
  writeBits(columns, avoid);
  if (windows.length > 0) writeBits(columns, traffic);
  for (const lengths of packs) columns.i32(lengths);
  writeGrid(columns, grid, 0);
  let last = 0;
  for (const [tile, modes] of hourly) {
    columns.out.unsigned(tile - last);
    columns.out.unsigned(modes);
    last = tile;
  }
  return columns.out;
}

/** The payload of a district's table. */
export function writeDistrict({ children, grid, firstTile }: DistrictContent): ByteWriter {
  const columns = new ColumnWriter();
  for (const counts of children) columns.u16(counts);
  writeGrid(columns, grid, firstTile);
  return columns.out;
}

function writeBits(columns: ColumnWriter, modes: BitsByMode): void {
  for (const levels of modes) for (const parents of levels) columns.u8(parents);
}
