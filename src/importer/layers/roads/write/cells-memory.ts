import type { ImportCounts } from "../../../report/import-counts.ts";

/** Bytes of a directed edge in the graph, without lines and names: see `minMemoryOfGraph`. */
const EDGE = 31 * 0.53 + 9 * 0.4 + 9;
/** While the graph is divided, each junction has its place in the state of that (64), and in a sort (8). */
const DIVIDED_NODE = 0.4 * (64 + 8);
/** Afterwards: its places, pieces of parts, islands. */
const LAID_OUT = 0.4 * 8 + 0.53 * 4 + 1;
/** A point between junctions, and a way's share of the records. */
const POINT = 8;
const ROAD = 45;
/** Two threads with the smallest part each, waiting cliques, objects in transit. */
const ALWAYS = 48e6;

/** Minimum memory to divide a graph and to write its tiles and overlay [bytes]. */
export function minMemoryOfCells({ edges, roads, roadNodes }: ImportCounts): number {
  const dividing = edges * (EDGE + DIVIDED_NODE);
  const tiles = edges * (EDGE + LAID_OUT) + roadNodes * POINT + roads * ROAD;
  return Math.ceil(ALWAYS + Math.max(dividing, tiles));
}
