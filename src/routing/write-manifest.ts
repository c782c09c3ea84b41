import { ByteWriter } from "../geo/bytes.ts";
import { writeAll } from "./object.ts";
import type { TimeWindow } from "./traffic.ts";

/**
 * What a manifest holds; its format stands at `Manifest`. Levels are counted from 1, the tiles: index 0 stands for
 * level 1.
 */
export interface ManifestContent {
  /** How many cells each level has. */
  cells: readonly number[];
  /** For each level but the last: how many of its cells lie in each cell of the next. */
  children: readonly ArrayLike<number>[];
  /** By tile: edges that come in. */
  entering: readonly number[];
  /** By mode, level and parent cell: bits of what to avoid that change the pack. */
  avoid: readonly (readonly (readonly number[])[])[];
  windows: readonly TimeWindow[];
  /** Likewise: bit n − 1 for the n-th window. Not written where there are no windows. */
  traffic: readonly (readonly (readonly number[])[])[];
  grid: TileGrid;
}

/** Which tiles have roads in which cells of a grid, as runs along its rows. */
export interface TileGrid {
  /** Size of a cell [1e-6 degrees]. */
  step: number;
  firstRow: number;
  firstColumn: number;
  /** Lists of tiles that runs name. */
  lists: readonly (readonly number[])[];
  rows: readonly (readonly [cells: number, list: number][])[];
}

/** The payload of a manifest. */
export function writeManifest(content: ManifestContent): ByteWriter {
  const out = new ByteWriter();
  const all = (values: ArrayLike<number>) => writeAll(out, values);
  const perPack = (modes: ManifestContent["avoid"]) => {
    for (const levels of modes) for (const parents of levels) all(parents);
  };
  out.unsigned(content.cells.length + 1);
  all(content.cells);
  for (const counts of content.children) all(counts);
  all(content.entering);
  perPack(content.avoid);
  out.unsigned(content.windows.length);
  for (const { days, from, until } of content.windows) all([days, from, until]);
  if (content.windows.length > 0) perPack(content.traffic);
  const { step, firstRow, firstColumn, lists, rows } = content.grid;
  out.unsigned(step);
  out.signed(firstRow);
  out.signed(firstColumn);
  out.unsigned(rows.length);
  out.unsigned(lists.length);
  for (const tiles of lists) all([tiles.length, ...tiles]);
  for (const runs of rows) all([runs.length, ...runs.flat()]);
  return out;
}
