import { packKey } from "../../routing/pack.ts";
import { MOST_WINDOWS } from "../../routing/traffic.ts";
import type { ManifestContent } from "../../routing/write-manifest.ts";
import type { PackCell } from "../../routing/write-pack.ts";
import type { Overlay } from "./customise.ts";
import { tileGrid } from "./tile-grid.ts";
import type { TileLayout } from "./tile-layout.ts";

/** Cells of `level` that lie in cell `parent` of the next level. */
function childrenOf({ partition }: TileLayout, level: number, parent: number): number[] {
  const cells = Array.from({ length: partition.cellCounts[level] }, (_, cell) => cell);
  return level + 1 < partition.levels ? cells.filter((cell) => partition.parentOf[level][cell] === parent) : cells;
}

const parentCount = ({ partition }: TileLayout, level: number) =>
  level + 1 < partition.levels ? partition.cellCounts[level + 1] : 1;

/**
 * What of a metric makes a difference to the packs of one mode, by level (from 1) and parent cell: for the manifest.
 */
export interface PackBits {
  avoid: number[][];
  /** Bit n − 1: the n-th window of time. */
  traffic: number[][];
}

/** All packs of one mode, as keys and what they hold; fills in `packBits`. */
export function* packsOf(
  layout: TileLayout,
  overlay: Overlay,
  mode: number,
  packBits: PackBits,
): Generator<[key: string, cells: PackCell[]]> {
  const { topology, tileOf } = layout;
  for (let level = 1; level < layout.partition.levels; level++) {
    const { outs, avoid, traffic, cliques, cellOf } = overlay.levels[level];
    const firstTile = new Int32Array(cliques.length).fill(layout.tileCount);
    tileOf.forEach((tile, node) => {
      firstTile[cellOf[node]] = Math.min(firstTile[cellOf[node]], tile);
    });
    const avoids: number[] = [];
    const traffics: number[] = [];
    packBits.avoid.push(avoids);
    packBits.traffic.push(traffics);
    for (let parent = 0; parent < parentCount(layout, level); parent++) {
      const children = childrenOf(layout, level, parent);
      const bits = children.reduce((sum, cell) => sum | avoid[cell], 0);
      const windows = children.reduce((sum, cell) => sum | traffic[cell], 0);
      avoids.push(bits);
      traffics.push(windows);
      for (let key = 0; key < 16 * (MOST_WINDOWS + 1); key++) {
        const [set, bucket] = [key & 15, key >> 4];
        if ((set & ~bits) !== 0 || (bucket > 0 && ((windows >> (bucket - 1)) & 1) === 0)) continue;
        const cells = children.map((cell) => ({
          clique: overlay.cliqueOf(level, cell, set, bucket),
          tails: outs[cell].map((edge) => tileOf[topology.tail[edge]] - firstTile[cell]),
        }));
        yield [packKey({ mode, avoid: set, bucket }, level, parent), cells];
      }
    }
  }
}

/** What the manifest holds; `bits`: per mode what `packsOf` found. */
export function manifestContent(layout: TileLayout, bits: readonly PackBits[]): ManifestContent {
  const { partition, tiles, crossingCount } = layout;
  const children: Int32Array[] = [];
  for (let level = 1; level + 1 < partition.levels; level++) {
    const counts = new Int32Array(partition.cellCounts[level + 1]);
    for (const parent of partition.parentOf[level]) counts[parent]++;
    children.push(counts);
  }
  return {
    cells: partition.cellCounts.slice(1, partition.levels),
    children,
    entering: tiles.map(
      ({ firstEntering }, tile) =>
        (tile + 1 < tiles.length ? tiles[tile + 1].firstEntering : crossingCount) - firstEntering,
    ),
    avoid: bits.map(({ avoid }) => avoid),
    windows: layout.graph.traffic?.windows ?? [],
    traffic: bits.map(({ traffic }) => traffic),
    grid: tileGrid(layout),
  };
}
