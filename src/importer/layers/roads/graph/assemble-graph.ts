import { CAR } from "../../../../core/routing/graph/modes.ts";
import type { CollectedRoads } from "./collected-roads.ts";
import { EdgeColumns } from "./make-edges.ts";
import { makeTurns } from "./make-turns.ts";
import { markObstacles } from "./obstacles.ts";
import type { Pieces } from "./piece-columns.ts";
import type { RoadGraph } from "./road-graph.ts";
import { withStatedTurns } from "./stated-turns.ts";

/** Texts of conditions in the report. */
const MOST_SKIPPED = 10;

/** The second half of building: pieces become edges, restrictions turns, and all of it one graph. */
export function assembleGraph(source: CollectedRoads, pieces: Pieces): RoadGraph {
  const edges = new EdgeColumns(pieces.forward, pieces.backward);
  const { exceptions, copies, broken, unfollowed } = makeTurns(source, pieces, edges);
  return {
    nodeCount: pieces.nodeCount,
    nodeLatitude: pieces.nodeLatitude,
    nodeLongitude: pieces.nodeLongitude,
    nodeBlocked: pieces.nodeBlocked,
    nodeRecords: withStatedTurns(source, pieces, edges),
    pieceCount: pieces.count,
    pieceStart: pieces.start,
    pieceEnd: pieces.end,
    pieceLength: pieces.length,
    pieceForward: pieces.forward,
    pieceBackward: pieces.backward,
    pieceRecord: pieces.record,
    pieceObstacles: obstaclesOf(pieces),
    pieceBearingStart: pieces.bearingStart,
    pieceBearingEnd: pieces.bearingEnd,
    shapeFirst: pieces.shapeFirst,
    shapeLatitude: pieces.shapeLatitude,
    shapeLongitude: pieces.shapeLongitude,
    profiles: [...pieces.profiles],
    records: pieces.records.finish(),
    edges: edges.withCopies(copies),
    exceptions,
    ...trafficOf(source, pieces),
    ...(!source.zones.isEmpty && { zones: source.zones.names }),
    report: {
      ways: source.ways,
      brokenWays: pieces.brokenWays,
      missingNodes: pieces.missingNodes,
      restrictions: source.restrictions.length,
      brokenRestrictions: broken,
      unfollowedTurns: unfollowed,
      skippedConditions: source.skipped.total,
      frequentlySkipped: source.skipped.most(MOST_SKIPPED),
    },
  };
}

function obstaclesOf({ obstructed, nodeCount, start, end, length, forward, backward, profiles }: Pieces): Uint8Array {
  return markObstacles(obstructed, nodeCount, start, end, (piece) => ({
    length: length[piece] / 10,
    speed: Math.max(...[forward[piece], backward[piece]].map((number) => profiles[number].passages[CAR].speed)),
  }));
}

function trafficOf({ options: { speeds } }: CollectedRoads, pieces: Pieces): Pick<RoadGraph, "traffic"> {
  if (!speeds) return {};
  return {
    traffic: {
      windows: speeds.table.windows,
      rows: pieces.rows.map((row) => Uint16Array.from(row)),
      forward: pieces.trafficForward,
      backward: pieces.trafficBackward,
    },
  };
}
