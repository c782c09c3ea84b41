import { deserialize, serialize } from "node:v8";
import type { RoadGraph } from "../graph/road-graph.ts";
import type { Crossings } from "./crossings.ts";
import type { Division } from "./division.ts";

/**
 * How a graph was divided, for the update that follows: it divides a graph that is nearly the same in the same way, so that
 * what is far from every change keeps its bytes. Any division is as good as any other for what routes are found.
 */
export interface CarriedRoads {
  /** The most junctions of a cell of each level, as it was divided by. */
  sizes: readonly number[];
  levels: number;
  cellCounts: readonly number[];
  /** By search cell. */
  tileOf: Int32Array;
  /** By level from 1 on; by tile, and by cell. */
  cellOf: readonly Int32Array[];
  parentOf: readonly Int32Array[];
  /** Junctions by their places: where they are [1e-6 degrees], and their search cells. */
  latitude: Int32Array;
  longitude: Int32Array;
  cell: Int32Array;
  /** First id of the edges into each tile, and the end; with some spare ids. */
  firstEntering: Int32Array;
}

export function encodeCarried(
  { nodeLatitude, nodeLongitude }: RoadGraph,
  { levels, cellCounts, nodeAt, searchStart, tileStart, cellOf, parentOf }: Division,
  { firstEntering }: Crossings,
  sizes: readonly number[],
): Uint8Array {
  // Copies: memory that threads share cannot be written in this way.
  const own = (column: Int32Array) => Int32Array.from(column);
  return serialize({
    sizes: [...sizes],
    levels,
    cellCounts: [...cellCounts],
    tileOf: runs(tileStart, searchStart),
    cellOf: cellOf.map(own),
    parentOf: parentOf.map(own),
    latitude: Int32Array.from(nodeAt, (node) => nodeLatitude[node]),
    longitude: Int32Array.from(nodeAt, (node) => nodeLongitude[node]),
    cell: runs(
      searchStart,
      Int32Array.from({ length: nodeAt.length + 1 }, (_, place) => place),
    ),
    firstEntering: own(firstEntering),
  } satisfies CarriedRoads);
}

export const decodeCarried = (bytes: Uint8Array): CarriedRoads => deserialize(bytes) as CarriedRoads;

/** In which of the coarser runs each of the finer ones is; none is empty. */
function runs(coarse: Int32Array, fine: Int32Array): Int32Array {
  const of = new Int32Array(fine.length - 1);
  for (let i = 0, run = 0; i < of.length; i++) {
    while (coarse[run + 1] <= fine[i]) run++;
    of[i] = run;
  }
  return of;
}
