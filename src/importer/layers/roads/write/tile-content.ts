import { Interned } from "../../../../core/geo/bytes/interned.ts";
import type { TileContent } from "../../../../core/routing/graph/write-tile.ts";
import type { RoadGraph } from "../graph/road-graph.ts";
import type { Part } from "../partition/part.ts";
import type { TilePlan } from "../partition/tile-plan.ts";
import { islandBits } from "./islands.ts";

/** A part with what its tiles need next to it. */
interface PartTiles {
  graph: RoadGraph;
  part: Part;
  plans: readonly TilePlan[];
  /** Id of each edge that leads from tile to tile, −1 for the others. */
  crossing: Int32Array;
  /** First id of each tile of the graph. */
  firstEntering: Int32Array;
  /** Of the graph's edges: what they are to each mode (`MAINLAND_BIT`, `ISLAND_BIT`). */
  islands: Uint8Array;
}

/** Content of a tile. `exceptions`: those at its junctions. */
export function tileContent(tiles: PartTiles, plan: TilePlan, exceptions: TileContent["exceptions"]): TileContent {
  const { graph, part, crossing, firstEntering } = tiles;
  const { topology, tileOf } = part;
  const { nodes, insideCount, edges, tile } = plan;
  const all = (column: ArrayLike<number>) => pieces.map((piece) => column[piece]);
  const pieces = plan.pieces.map((piece) => part.pieces[piece]);
  const nodeAt = new Map(nodes.map((node, i) => [node, i]));
  const edgeAt = new Map(edges.map((edge, i) => [edge, i]));
  const profiles = new Interned<number>(String, [0]);
  const records = new Interned<number>(String);
  const forward = pieces.map((piece) => profiles.add(graph.pieceForward[piece]));
  const backward = pieces.map((piece) => profiles.add(graph.pieceBackward[piece]));
  const onIsland = islandMarks(tiles, plan);
  const leaves = (edge: number) => tileOf[topology.tail[edge]] === tile && tileOf[topology.head[edge]] !== tile;
  return {
    insideCount,
    latitude: nodes.map((node) => graph.nodeLatitude[part.nodes[node]]),
    longitude: nodes.map((node) => graph.nodeLongitude[part.nodes[node]]),
    cells: plan.cells,
    blocked: nodes.slice(0, insideCount).map((node) => topology.nodeBlocked[node]),
    outside: nodes.slice(insideCount).map((node) => tileOf[node]),
    start: plan.pieces.map((piece) => nodeAt.get(part.pieceStart[piece])!),
    end: plan.pieces.map((piece) => nodeAt.get(part.pieceEnd[piece])!),
    length: all(graph.pieceLength),
    forward,
    backward,
    record: pieces.map((piece) => records.add(graph.pieceRecord[piece])),
    marks: plan.pieces.map((piece, i) => graph.pieceObstacles[pieces[i]] | (onIsland.get(piece) ?? 0)),
    bearingStart: all(graph.pieceBearingStart),
    bearingEnd: all(graph.pieceBearingEnd),
    shapes: pieces.map((piece) => {
      const [first, last] = [graph.shapeFirst[piece], graph.shapeFirst[piece + 1]];
      return {
        latitude: graph.shapeLatitude.subarray(first, last),
        longitude: graph.shapeLongitude.subarray(first, last),
      };
    }),
    copies: plan.copies.map((copy) => edgeAt.get(topology.original[copy])!),
    firstEntering: firstEntering[tile],
    leaving: edges.filter(leaves).map((edge) => crossing[edge]),
    exceptions: exceptions.map((one) => ({ ...one, from: edgeAt.get(one.from)!, to: edgeAt.get(one.to)! })),
    traffic: trafficOf(graph, pieces),
    profiles: profiles.values.map((number) => graph.profiles[number]),
    records: records.values.map((number) => graph.records.get(number)),
    nodeRecords: nodes.flatMap((node, i) => {
      const record = graph.nodeRecords.get(part.nodes[node]);
      return record ? [[i, record] as const] : [];
    }),
  };
}

/** The exceptions of the part by the tile in which the turn is. */
export function exceptionsByTile({ part, plans }: PartTiles): TileContent["exceptions"][] {
  const byTile: TileContent["exceptions"][number][][] = plans.map(() => []);
  const { head, exceptions } = part.topology;
  for (const exception of exceptions) byTile[part.tileOf[head[exception.from]] - part.firstTile].push(exception);
  return byTile;
}

/** By piece: 16 … 128 where it is on a small island for mode 0 … 3; one edge on the mainland is enough. */
function islandMarks({ part, islands }: PartTiles, { edges }: TilePlan): Map<number, number> {
  const marks = new Map<number, number>();
  for (const edge of edges) {
    const piece = part.topology.piece[edge];
    marks.set(piece, (marks.get(piece) ?? 0) | islands[part.edges[edge]]);
  }
  for (const [piece, mark] of marks) marks.set(piece, islandBits(mark));
  return marks;
}

function trafficOf({ traffic }: RoadGraph, pieces: readonly number[]): TileContent["traffic"] {
  if (!traffic) return { windows: 0, rows: [], along: [], against: [] };
  const rows = new Interned<number>(String);
  const own = (column: Uint32Array) => pieces.map((piece) => (column[piece] === 0 ? 0 : rows.add(column[piece]) + 1));
  const along = own(traffic.forward);
  const against = own(traffic.backward);
  return { windows: traffic.windows.length, rows: rows.values.map((row) => traffic.rows[row - 1]), along, against };
}
