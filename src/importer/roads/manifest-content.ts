import type { TimeWindow } from "../../routing/traffic.ts";
import type { ManifestContent, TileGrid } from "../../routing/write-manifest.ts";
import type { Crossings } from "./crossings.ts";
import type { Division } from "./division.ts";
import type { BitsOfMode } from "./step-overlay.ts";

/** What the manifest holds; `bits`: by mode. */
export function manifestContent(
  { levels, cellCounts, parentOf }: Division,
  { firstEntering }: Crossings,
  bits: readonly BitsOfMode[],
  windows: readonly TimeWindow[],
  grid: TileGrid,
): ManifestContent {
  const children: Int32Array[] = [];
  for (let level = 1; level + 1 < levels; level++) {
    const counts = new Int32Array(cellCounts[level + 1]);
    for (const parent of parentOf[level]) counts[parent]++;
    children.push(counts);
  }
  return {
    cells: cellCounts.slice(1, levels),
    children,
    entering: Array.from({ length: cellCounts[1] }, (_, tile) => firstEntering[tile + 1] - firstEntering[tile]),
    avoid: bits.map((levels) => levels.map((parents) => parents.map(({ avoid }) => avoid))),
    windows,
    traffic: bits.map((levels) => levels.map((parents) => parents.map(({ traffic }) => traffic))),
    grid,
  };
}
