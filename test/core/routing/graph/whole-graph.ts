import { type Arcs, buildArcs } from "../../../../src/core/routing/graph/arcs.ts";
import { MODES } from "../../../../src/core/routing/graph/modes.ts";
import type { RoadGraph } from "../../../../src/importer/layers/roads/graph/road-graph.ts";
import type { CellCliques } from "../../../../src/importer/layers/roads/overlay/cell-cliques.ts";
import { childrenOf, spanOf } from "../../../../src/importer/layers/roads/overlay/cell-tree.ts";
import { TileCliques } from "../../../../src/importer/layers/roads/overlay/customise.ts";
import { joinCells } from "../../../../src/importer/layers/roads/overlay/join-cells.ts";
import {
  crossingIds,
  joinCrossings,
  partCrossings,
} from "../../../../src/importer/layers/roads/partition/crossings.ts";
import type { Division } from "../../../../src/importer/layers/roads/partition/division.ts";
import { makePart, type Part, searchCells } from "../../../../src/importer/layers/roads/partition/part.ts";
import { partsOf } from "../../../../src/importer/layers/roads/partition/parts.ts";
import { planTiles, type TilePlan } from "../../../../src/importer/layers/roads/partition/tile-plan.ts";

/** A graph in one part with the arcs of all modes: what the engine is compared with. */
export interface RoadsBuild {
  graph: RoadGraph;
  division: Division;
  part: Part;
  tiles: TilePlan[];
  arcs: Arcs[];
}

export function wholeGraph(graph: RoadGraph, division: Division): RoadsBuild {
  const part = makePart(graph, division, partsOf(graph, division, Number.POSITIVE_INFINITY), 0);
  const arcs = MODES.map((_, mode) => buildArcs(part.topology, mode));
  return { graph, division, part, tiles: planTiles(graph, division, part), arcs };
}

/** The cells of a mode by level, from 1 on. */
export function wholeOverlay({ division, part, tiles, arcs }: RoadsBuild, mode: number): CellCliques[][] {
  const crossings = joinCrossings([partCrossings(part, tiles)]);
  const ids = crossingIds(part, crossings);
  const levels = [[], [...new TileCliques(part, searchCells(division, part), ids, arcs[mode]).tiles()]];
  for (let level = 2; level < division.levels; level++) {
    const cells = Array.from({ length: division.cellCounts[level] }, (_, cell) => {
      const children = levels[level - 1].slice(...childrenOf(division, level - 1, cell));
      return joinCells(children, spanOf(division, crossings, level, cell), crossings.tailTile, 0);
    });
    levels.push(cells);
  }
  return levels;
}
