import type { ImportCounts } from "../../../report/import-counts.ts";

/** Bytes of a directed edge: half a piece (31 bytes), two fifths of a junction (9), and what it is itself (9). */
const EDGE = 31 * 0.53 + 9 * 0.4 + 9;
/** While the graph is created, each junction has its node: id, effect, junction, and its places in a table half empty. */
const CUT_NODE = 0.4 * (8 + 4 + 4 + 4 * 2.8);
/** A point between junctions: latitude and longitude. */
const POINT = 8;
/** A way: its mark, and of every fourth its own record, with its text, hash and place. */
const ROAD = 1 + (150 + 8 + 1 + 4 + 12) / 4;
/** The sort of nodes, classes of ways, a block of elements, tables that do not grow. */
const ALWAYS = 64e6;

/** Minimum memory to build the graph, and to read all of it [bytes]. */
export const minMemoryOfGraph = ({ edges, roads, roadNodes }: ImportCounts): number =>
  ALWAYS + edges * (EDGE + CUT_NODE) + roadNodes * POINT + roads * ROAD;
