import { Interned } from "../../geo/interned.ts";
import type { TurnException } from "../../routing/topology.ts";
import type { TileContent } from "../../routing/write-tile.ts";
import { ISLAND, MAINLAND } from "./islands.ts";
import type { TileLayout, TilePlan } from "./tile-layout.ts";

/** The exceptions of the graph, grouped by the tile in which the turn lies. */
export function exceptionsByTile({ graph, topology, tileOf, tileCount }: TileLayout): TurnException[][] {
  const byTile: TurnException[][] = Array.from({ length: tileCount }, () => []);
  for (const exception of graph.exceptions) byTile[tileOf[topology.head[exception.from]]].push(exception);
  return byTile;
}

/**
 * What tile `tile` of a layout holds. `islands`: per mode, the edges of small islands; `exceptions`: those of the tile.
 */
export function tileContent(
  layout: TileLayout,
  tile: number,
  islands: readonly Uint8Array[],
  exceptions: readonly TurnException[],
): TileContent {
  const { graph, topology, tileOf, crossing } = layout;
  const plan = layout.tiles[tile];
  const { nodes, insideCount, pieces, edges } = plan;
  const nodeAt = new Map(nodes.map((node, i) => [node, i]));
  const edgeAt = new Map(edges.map((edge, i) => [edge, i]));
  const profiles = new Interned<number>(String, [0]);
  const records = new Interned<number>(String);
  const forward = pieces.map((piece) => profiles.add(graph.pieceForward[piece]));
  const backward = pieces.map((piece) => profiles.add(graph.pieceBackward[piece]));
  const onIsland = islandMarks(layout, plan, islands);
  const leaves = (edge: number) => tileOf[topology.tail[edge]] === tile && tileOf[topology.head[edge]] !== tile;
  return {
    insideCount,
    latitude: nodes.map((node) => graph.nodeLatitude[node]),
    longitude: nodes.map((node) => graph.nodeLongitude[node]),
    cells: plan.cells,
    blocked: nodes.slice(0, insideCount).map((node) => graph.nodeBlocked[node]),
    outside: nodes.slice(insideCount).map((node) => tileOf[node]),
    start: pieces.map((piece) => nodeAt.get(graph.pieceStart[piece])!),
    end: pieces.map((piece) => nodeAt.get(graph.pieceEnd[piece])!),
    length: pieces.map((piece) => graph.pieceLength[piece]),
    forward,
    backward,
    record: pieces.map((piece) => records.add(graph.pieceRecord[piece])),
    marks: pieces.map((piece) => graph.pieceObstacles[piece] | (onIsland.get(piece) ?? 0)),
    bearingStart: pieces.map((piece) => graph.pieceBearingStart[piece]),
    bearingEnd: pieces.map((piece) => graph.pieceBearingEnd[piece]),
    shapes: pieces.map((piece) => {
      const [first, last] = [graph.shapeFirst[piece], graph.shapeFirst[piece + 1]];
      return {
        latitude: graph.shapeLatitude.subarray(first, last),
        longitude: graph.shapeLongitude.subarray(first, last),
      };
    }),
    copies: plan.copies.map((copy) => edgeAt.get(topology.original[copy])!),
    firstEntering: plan.firstEntering,
    leaving: edges.filter(leaves).map((edge) => crossing[edge]),
    exceptions: exceptions.map(({ from, to, modes }) => ({ from: edgeAt.get(from)!, to: edgeAt.get(to)!, modes })),
    traffic: trafficOf(layout, pieces),
    profiles: profiles.values.map((number) => graph.profiles[number]),
    records: records.values.map((number) => graph.records.get(number)),
    nodeRecords: nodes.flatMap((node, i) => {
      const record = graph.nodeRecords.get(node);
      return record ? [[i, record] as const] : [];
    }),
  };
}

/** By piece: 16 … 128 where it lies on a small island for mode 0 … 3; one edge on the mainland makes it mainland. */
function islandMarks(
  { topology }: TileLayout,
  { edges }: TilePlan,
  islands: readonly Uint8Array[],
): Map<number, number> {
  const marks = new Map<number, number>();
  for (const kind of [ISLAND, MAINLAND]) {
    for (const edge of edges) {
      const piece = topology.piece[edge];
      let modes = marks.get(piece) ?? 0;
      for (let mode = 0; mode < 4; mode++) {
        if (islands[mode][edge] === kind) modes = kind === ISLAND ? modes | (16 << mode) : modes & ~(16 << mode);
      }
      marks.set(piece, modes);
    }
  }
  return marks;
}

function trafficOf({ graph: { traffic } }: TileLayout, pieces: readonly number[]): TileContent["traffic"] {
  if (!traffic) return { windows: 0, rows: [], along: [], against: [] };
  const rows = new Interned<number>(String);
  const own = (column: Uint32Array) => pieces.map((piece) => (column[piece] === 0 ? 0 : rows.add(column[piece]) + 1));
  const along = own(traffic.forward);
  const against = own(traffic.backward);
  return { windows: traffic.windows.length, rows: rows.values.map((row) => traffic.rows[row - 1]), along, against };
}
