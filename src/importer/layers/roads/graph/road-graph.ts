import type { EdgeProfile } from "../../../../core/routing/graph/modes.ts";
import type { TurnException } from "../../../../core/routing/graph/topology.ts";
import type { TimeWindow } from "../../../../core/routing/graph/traffic.ts";
import type { NodeRecords } from "./node-records.ts";
import type { RoadRecords } from "./record-table.ts";

/**
 * The roads of an extract as one graph for all modes.
 *
 *     junction A ──────piece──────▶ junction B      A piece has a shape and a record; each of its directions that some
 *                                                   mode may use is a directed edge.
 *
 * Edges are numbered piece by piece (there, back), copies for restrictions that span several roads last. All columns are
 * in memory that threads share; `shareGraph` hands them over.
 */
export interface RoadGraph {
  nodeCount: number;
  /** [1e-6 degrees]. */
  nodeLatitude: Int32Array;
  nodeLongitude: Int32Array;
  nodeBlocked: Uint8Array;
  nodeRecords: NodeRecords;
  pieceCount: number;
  pieceStart: Int32Array;
  pieceEnd: Int32Array;
  /** [0.1 m]. */
  pieceLength: Int32Array;
  /** Into `profiles`; 0 = no mode goes that way. */
  pieceForward: Uint32Array;
  pieceBackward: Uint32Array;
  /** Into `records`. */
  pieceRecord: Int32Array;
  /** Obstacles at either end for arriving traffic (see `obstacleMarks`). */
  pieceObstacles: Uint8Array;
  /** Bearings [1/256 turn] along the piece: leaving its start, arriving at its end. */
  pieceBearingStart: Uint8Array;
  pieceBearingEnd: Uint8Array;
  /** Points between the ends of piece p: shapeFirst[p] ≤ i < shapeFirst[p + 1] [1e-6 degrees]. */
  shapeFirst: Int32Array;
  shapeLatitude: Int32Array;
  shapeLongitude: Int32Array;
  /** profiles[0] is closed to all. */
  profiles: EdgeProfile[];
  records: RoadRecords;
  edges: Edges;
  exceptions: TurnException[];
  /** Where an operator's file gives speeds: rows as in `Traffic`, and by piece 0 or row + 1. */
  traffic?: {
    windows: readonly TimeWindow[];
    rows: Uint16Array[];
    forward: Uint32Array;
    backward: Uint32Array;
  };
  /** Names of low-emission zones, if there are any; see `EmissionZones`. */
  zones?: readonly string[];
  report: GraphReport;
}

export interface Edges {
  count: number;
  piece: Int32Array;
  along: Uint8Array;
  original: Int32Array;
}

/** Counts and notes of the builder, for the log of the import. */
export interface GraphReport {
  /** Pieces of road with other speeds on foot or by bike because of their slopes; absent without elevations. */
  graded?: number;
  ways: number;
  brokenWays: number;
  missingNodes: number;
  restrictions: number;
  brokenRestrictions: number;
  /** Turns over several roads that stay open, because restricting them would take too many copies of edges. */
  unfollowedTurns: number;
  /** Conditions that are not understood: how many, and the most frequent ones with their counts. */
  skippedConditions: number;
  frequentlySkipped: readonly (readonly [text: string, count: number])[];
}
