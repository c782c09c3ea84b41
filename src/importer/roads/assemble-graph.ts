import { CAR } from "../../routing/modes.ts";
import type { CollectedRoads } from "./collected-roads.ts";
import { makeEdges, withCopies } from "./make-edges.ts";
import { makePieces, type Pieces } from "./make-pieces.ts";
import { makeTurns } from "./make-turns.ts";
import { markObstacles } from "./obstacles.ts";
import type { RoadGraph } from "./road-graph.ts";

/** The second half of building: collected ways, nodes and restrictions become pieces, then edges, then turns. */
export function assembleGraph(source: CollectedRoads): RoadGraph {
  const pieces = makePieces(source);
  const edges = makeEdges(pieces.forward, pieces.backward);
  const { exceptions, copies, broken } = makeTurns(source, pieces, edges);
  return {
    nodeCount: pieces.nodeLatitude.length,
    nodeLatitude: Int32Array.from(pieces.nodeLatitude),
    nodeLongitude: Int32Array.from(pieces.nodeLongitude),
    nodeBlocked: Uint8Array.from(pieces.nodeBlocked),
    nodeRecords: pieces.nodeRecords,
    pieceCount: pieces.start.length,
    pieceStart: Int32Array.from(pieces.start),
    pieceEnd: Int32Array.from(pieces.end),
    pieceLength: Int32Array.from(pieces.length),
    pieceForward: Uint32Array.from(pieces.forward),
    pieceBackward: Uint32Array.from(pieces.backward),
    pieceRecord: Int32Array.from(pieces.record),
    pieceObstacles: obstaclesOf(pieces),
    pieceBearingStart: Uint8Array.from(pieces.bearingStart),
    pieceBearingEnd: Uint8Array.from(pieces.bearingEnd),
    shapeFirst: Int32Array.from(pieces.shapeFirst),
    shapeLatitude: Int32Array.from(pieces.shapeLatitude),
    shapeLongitude: Int32Array.from(pieces.shapeLongitude),
    profiles: [...pieces.profiles],
    records: [...pieces.records],
    edges: withCopies(edges, copies),
    exceptions,
    ...trafficOf(source, pieces),
    report: {
      ways: source.ways.length,
      brokenWays: pieces.brokenWays,
      missingNodes: pieces.missingNodes,
      restrictions: source.restrictions.length,
      brokenRestrictions: broken,
    },
  };
}

function obstaclesOf({ obstructed, start, end, length, forward, backward, profiles }: Pieces): Uint8Array {
  return markObstacles(obstructed, start, end, (piece) => ({
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
      forward: Uint32Array.from(pieces.trafficForward),
      backward: Uint32Array.from(pieces.trafficBackward),
    },
  };
}
