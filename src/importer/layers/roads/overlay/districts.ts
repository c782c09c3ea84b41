import { DISTRICT_LEVEL } from "../../../../core/routing/graph/manifest.ts";
import type { Division } from "../partition/division.ts";

/** The level whose cells are districts; where a graph has fewer levels, the one above the last, which is the whole. */
export const districtLevelOf = ({ levels }: Division) => Math.min(DISTRICT_LEVEL, levels);

export function districtCount(division: Division): number {
  const level = districtLevelOf(division);
  return level < division.levels ? division.cellCounts[level] : 1;
}

export function districtOfTile(division: Division, tile: number): number {
  const level = districtLevelOf(division);
  return level < division.levels ? division.cellOf[level][tile] : 0;
}
