import { sharedInts } from "./divide-state.ts";
import { firstAtLeast, type Part } from "./part.ts";
import type { TilePlan } from "./tile-plan.ts";

/** Ids of the edges that lead from tile to tile: those into a tile follow one another, tile by tile. */
export interface Crossings {
  /** First id of each tile, and the end. */
  firstEntering: Int32Array;
  /** Tile in which each begins. */
  tailTile: Int32Array;
  /** Those that lead from part to part: the graph's numbers, ascending, and their ids. */
  betweenParts: Int32Array;
  betweenIds: Int32Array;
}

/** What a part knows of the edges that come into its tiles. */
export interface PartCrossings {
  /** By tile of the part. */
  entering: Int32Array;
  /** By id, counted from the first of the part. */
  tailTile: Int32Array;
  /** Pairs: the graph's number of an edge from another part, and its id, counted from the first of the part. */
  fromOutside: Int32Array;
}

export function partCrossings(part: Part, plans: readonly TilePlan[]): PartCrossings {
  const { tail } = part.topology;
  const all = plans.flatMap(({ entering }) => entering);
  const fromOutside: number[] = [];
  all.forEach((edge, id) => {
    if (tail[edge] >= part.topology.insideCount) fromOutside.push(part.edges[edge], id);
  });
  return {
    entering: Int32Array.from(plans, ({ entering }) => entering.length),
    tailTile: Int32Array.from(all, (edge) => part.tileOf[tail[edge]]),
    fromOutside: Int32Array.from(fromOutside),
  };
}

/** @param parts what all parts know, in their order */
export function joinCrossings(parts: readonly PartCrossings[]): Crossings {
  const sum = (length: (part: PartCrossings) => number) => parts.reduce((total, part) => total + length(part), 0);
  const firstEntering = sharedInts(sum(({ entering }) => entering.length) + 1);
  const tailTile = sharedInts(sum((part) => part.tailTile.length));
  const between: [edge: number, id: number][] = [];
  let tile = 0;
  let id = 0;
  for (const part of parts) {
    for (let i = 0; i < part.fromOutside.length; i += 2)
      between.push([part.fromOutside[i], id + part.fromOutside[i + 1]]);
    tailTile.set(part.tailTile, id);
    for (const count of part.entering) {
      firstEntering[++tile] = id += count;
    }
  }
  between.sort((a, b) => a[0] - b[0]);
  const betweenParts = sharedInts(between.length);
  const betweenIds = sharedInts(between.length);
  between.forEach(([edge, own], i) => {
    betweenParts[i] = edge;
    betweenIds[i] = own;
  });
  return { firstEntering, tailTile, betweenParts, betweenIds };
}

/** By edge of the part: its id, −1 where it stays in its tile. */
export function crossingIds(part: Part, plans: readonly TilePlan[], crossings: Crossings): Int32Array {
  const { topology, edges, tileOf } = part;
  const ids = new Int32Array(topology.edgeCount).fill(-1);
  for (const { tile, entering } of plans) {
    for (let i = 0; i < entering.length; i++) ids[entering[i]] = crossings.firstEntering[tile] + i;
  }
  for (let edge = 0; edge < ids.length; edge++) {
    if (ids[edge] >= 0 || topology.head[edge] < topology.insideCount) continue;
    if (tileOf[topology.tail[edge]] === tileOf[topology.head[edge]]) continue;
    ids[edge] = crossings.betweenIds[firstAtLeast(crossings.betweenParts, edges[edge])];
  }
  return ids;
}
