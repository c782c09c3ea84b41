import { sharedInts } from "./divide-state.ts";
import { firstAtLeast, type Part } from "./part.ts";
import type { TilePlan } from "./tile-plan.ts";

/** Ids of the edges that lead from tile to tile, about one in a hundred: those into a tile follow one another, tile by tile. */
export interface Crossings {
  /** First id of each tile, and the end. */
  firstEntering: Int32Array;
  /** By id: the tile in which the edge begins. */
  tailTile: Int32Array;
  /** The graph's numbers of these edges, ascending, and their ids. */
  edges: Int32Array;
  ids: Int32Array;
}

/** What a part knows of the edges that come into its tiles. */
export interface PartCrossings {
  /** By tile of the part: how many. */
  entering: Int32Array;
  /** In the order of their ids: the tile in which each begins, and the graph's number. */
  tailTile: Int32Array;
  edges: Int32Array;
}

export function partCrossings(part: Part, plans: readonly TilePlan[]): PartCrossings {
  const { tail } = part.topology;
  const all = plans.flatMap(({ entering }) => entering);
  return {
    entering: Int32Array.from(plans, ({ entering }) => entering.length),
    tailTile: Int32Array.from(all, (edge) => part.tileOf[tail[edge]]),
    edges: Int32Array.from(all, (edge) => part.edges[edge]),
  };
}

/** @param parts what all parts know, in their order */
export function joinCrossings(parts: readonly PartCrossings[]): Crossings {
  const sum = (length: (part: PartCrossings) => number) => parts.reduce((total, part) => total + length(part), 0);
  const firstEntering = sharedInts(sum(({ entering }) => entering.length) + 1);
  const tailTile = sharedInts(sum(({ edges }) => edges.length));
  // Number and id in one float, so that the sort needs no comparison function: 2³¹ edges, 2²² ids.
  const keys = new Float64Array(tailTile.length);
  let tile = 0;
  let id = 0;
  for (const part of parts) {
    tailTile.set(part.tailTile, id);
    for (let i = 0; i < part.edges.length; i++) keys[id + i] = part.edges[i] * IDS + id + i;
    for (const count of part.entering) firstEntering[++tile] = id += count;
  }
  if (id > IDS) throw new RangeError(`${id} edges between tiles are more than can be numbered`);
  keys.sort();
  const edges = sharedInts(keys.length);
  const ids = sharedInts(keys.length);
  for (let i = 0; i < keys.length; i++) {
    edges[i] = Math.floor(keys[i] / IDS);
    ids[i] = keys[i] % IDS;
  }
  return { firstEntering, tailTile, edges, ids };
}

const IDS = 2 ** 22;

/** By edge of the part: its id, −1 where it stays in its tile. */
export function crossingIds({ topology, edges, tileOf }: Part, crossings: Crossings): Int32Array {
  const ids = new Int32Array(topology.edgeCount).fill(-1);
  for (let edge = 0; edge < ids.length; edge++) {
    if (tileOf[topology.tail[edge]] === tileOf[topology.head[edge]]) continue;
    ids[edge] = crossings.ids[firstAtLeast(crossings.edges, edges[edge])];
  }
  return ids;
}
