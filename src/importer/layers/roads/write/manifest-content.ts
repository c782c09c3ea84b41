import type { TimeWindow } from "../../../../core/routing/graph/traffic.ts";
import type { DistrictContent, HourlyTiles, ManifestContent } from "../../../../core/routing/graph/write-manifest.ts";
import { bundleBits } from "../overlay/bundles.ts";
import type { BitsOfMode, PackBits } from "../overlay/cell-cliques.ts";
import { childrenOf, parentCount } from "../overlay/cell-tree.ts";
import { districtCount, districtLevelOf } from "../overlay/districts.ts";
import type { Division } from "../partition/division.ts";
import type { RoadGrids } from "./tile-grid.ts";

/** Content of the manifest; `bits`, and lengths of packs that are in no bundle: by mode. */
export function manifestContent(
  division: Division,
  bits: readonly BitsOfMode[],
  packs: readonly (readonly number[])[],
  windows: readonly TimeWindow[],
  { districts: grid }: RoadGrids,
  hourly: HourlyTiles,
): ManifestContent {
  const { levels, cellCounts } = division;
  const districtLevel = districtLevelOf(division);
  const starts = districtStarts(division);
  const children: number[][] = [];
  for (let level = districtLevel; level < levels; level++) {
    children.push(
      Array.from({ length: parentCount(division, level) }, (_, parent) => childCount(division, level, parent)),
    );
  }
  const own = (of: (bits: PackBits) => number) =>
    bits.map((ofMode) =>
      [bundleBits(division, ofMode), ...ofMode.slice(districtLevel - 1)].map((parents) => parents.map(of)),
    );
  return {
    districtLevel,
    cells: cellCounts.slice(1, levels),
    first: starts.slice(1, districtLevel),
    children,
    windows,
    avoid: own(({ avoid }) => avoid),
    traffic: own(({ traffic }) => traffic),
    packs,
    grid,
    hourly,
  };
}

/** Content of the tables of each district. */
export function* districtContents(division: Division, grids: RoadGrids): Generator<DistrictContent> {
  const districtLevel = districtLevelOf(division);
  const starts = districtStarts(division);
  for (let district = 0; district < districtCount(division); district++) {
    const children: number[][] = [];
    for (let level = 1; level + 1 < districtLevel; level++) {
      const [first, end] = [starts[level + 1][district], starts[level + 1][district + 1]];
      children.push(Array.from({ length: end - first }, (_, i) => childCount(division, level, first + i)));
    }
    yield { children, grid: grids.tiles[district], firstTile: starts[1][district] };
  }
}

/** By level from 1 to below the districts: the first cell of each district, and the end. */
function districtStarts(division: Division): number[][] {
  const districtLevel = districtLevelOf(division);
  const count = districtCount(division);
  const starts: number[][] = [];
  starts[districtLevel] = Array.from({ length: count + 1 }, (_, district) => district);
  for (let level = districtLevel - 1; level >= 1; level--) {
    starts[level] = starts[level + 1].map((parent, i) =>
      i < count ? childrenOf(division, level, parent)[0] : division.cellCounts[level],
    );
  }
  return starts;
}

function childCount(division: Division, level: number, parent: number): number {
  const [first, end] = childrenOf(division, level, parent);
  return end - first;
}
