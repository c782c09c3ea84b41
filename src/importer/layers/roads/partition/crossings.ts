import { sharedInts } from "./divide-state.ts";
import { firstAtLeast, type Part } from "./part.ts";
import type { TilePlan } from "./tile-plan.ts";

/**
 * Ids of the edges that lead from tile to tile, about one in a hundred: those into a tile follow one another, tile by tile. Behind
 * those of a tile some belong to no edge.
 */
export type Crossings = {
  /** First id of each tile, and the end. */
  firstEntering: Int32Array;
  /** By id: the tile in which the edge begins; 0 where there is no edge. */
  tailTile: Int32Array;
  /** The graph's numbers of these edges, ascending, and their ids. */
  edges: Int32Array;
  ids: Int32Array;
};

/** The edges into the tiles of a part. */
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

/**
 * @param parts what all parts know, in their order
 * @param before first ids of the previous import, which are reused if all tiles have enough ids for their edges
 */
export function joinCrossings(parts: readonly PartCrossings[], before: Int32Array = new Int32Array(0)): Crossings {
  const entering = Int32Array.from(parts.flatMap((part) => [...part.entering]));
  const firstEntering = sharedInts(entering.length + 1);
  const fits = before.length === firstEntering.length && entering.every((n, i) => before[i] + n <= before[i + 1]);
  if (fits) firstEntering.set(before);
  else for (const [tile, count] of entering.entries()) firstEntering[tile + 1] = firstEntering[tile] + roomFor(count);
  const end = firstEntering[entering.length];
  if (end > IDS) throw new RangeError(`${end} edges between tiles are more than can be numbered`);
  const tailTile = sharedInts(end);
  // Number and id in one float, so that the sort needs no comparison function: 2³¹ edges, 2²² ids.
  const keys = new Float64Array(entering.reduce((sum, count) => sum + count, 0));
  let tile = 0;
  let key = 0;
  for (const part of parts) {
    let i = 0;
    for (const count of part.entering) {
      for (let id = firstEntering[tile++]; id < firstEntering[tile - 1] + count; id++, i++) {
        tailTile[id] = part.tailTile[i];
        keys[key++] = part.edges[i] * IDS + id;
      }
    }
  }
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

/** Ids for the edges into a tile, with some to spare: an update that adds a few need not number all the others again. */
const roomFor = (edges: number) => edges + 4 + (edges >> 2);

/** By edge of the part: its id, −1 where it stays in its tile. */
export function crossingIds({ topology, edges, tileOf }: Part, crossings: Crossings): Int32Array {
  const ids = new Int32Array(topology.edgeCount).fill(-1);
  for (let edge = 0; edge < ids.length; edge++) {
    if (tileOf[topology.tail[edge]] === tileOf[topology.head[edge]]) continue;
    ids[edge] = crossings.ids[firstAtLeast(crossings.edges, edges[edge])];
  }
  return ids;
}
