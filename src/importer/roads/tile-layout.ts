import type { Topology } from "../../routing/topology.ts";
import type { Partition } from "./partition.ts";
import { type RoadGraph, topologyOf } from "./road-graph.ts";

/** Which node, piece and edge of the graph stands where in which tile, and the ids of the edges between tiles. */
export interface TileLayout {
  graph: RoadGraph;
  topology: Topology;
  partition: Partition;
  tileCount: number;
  /** Tile of each node. */
  tileOf: Int32Array;
  tiles: TilePlan[];
  /** Id of each edge that leads from tile to tile, −1 for the others. */
  crossing: Int32Array;
  crossingCount: number;
}

export interface TilePlan {
  /** Inside nodes in the order of their search cells, then outside nodes. */
  nodes: number[];
  insideCount: number;
  /** Number of inside nodes in each search cell. */
  cells: number[];
  pieces: number[];
  /** Edges in the tile's order: the graph's numbers. */
  edges: number[];
  copies: number[];
  firstEntering: number;
}

export function layOutTiles(graph: RoadGraph, partition: Partition): TileLayout {
  const topology = topologyOf(graph);
  const tileOf = partition.cellOf[1];
  const tileCount = partition.cellCounts[1];
  const tiles: TilePlan[] = Array.from({ length: tileCount }, () => ({
    nodes: [],
    insideCount: 0,
    cells: [],
    pieces: [],
    edges: [],
    copies: [],
    firstEntering: 0,
  }));
  const nodeOrder = Array.from({ length: graph.nodeCount }, (_, node) => node);
  nodeOrder.sort((a, b) => partition.cellOf[0][a] - partition.cellOf[0][b] || a - b);
  let lastCell = -1;
  for (const node of nodeOrder) {
    const plan = tiles[tileOf[node]];
    plan.nodes.push(node);
    const cell = partition.cellOf[0][node];
    if (cell !== lastCell) plan.cells.push(0);
    plan.cells[plan.cells.length - 1]++;
    lastCell = cell;
  }
  for (const plan of tiles) plan.insideCount = plan.nodes.length;

  const curve = pieceOrder(graph);
  for (const piece of curve) {
    const a = tileOf[graph.pieceStart[piece]];
    const b = tileOf[graph.pieceEnd[piece]];
    tiles[a].pieces.push(piece);
    if (b !== a) tiles[b].pieces.push(piece);
  }
  const edgeOf = (piece: number, there: boolean) =>
    firstEdges[piece] + (!there && graph.pieceForward[piece] !== 0 ? 1 : 0);
  const firstEdges = new Int32Array(graph.pieceCount);
  for (let piece = 0, edge = 0; piece < graph.pieceCount; piece++) {
    firstEdges[piece] = edge;
    edge += (graph.pieceForward[piece] !== 0 ? 1 : 0) + (graph.pieceBackward[piece] !== 0 ? 1 : 0);
  }
  const copiesOf = new Map<number, number[]>();
  for (let edge = 0; edge < topology.edgeCount; edge++) {
    const original = topology.original[edge];
    if (original === edge) continue;
    const list = copiesOf.get(original);
    if (list) list.push(edge);
    else copiesOf.set(original, [edge]);
  }
  const crossing = new Int32Array(topology.edgeCount).fill(-1);
  let crossingCount = 0;
  tiles.forEach((plan, tile) => {
    const outside = new Set<number>();
    for (const piece of plan.pieces) {
      if (graph.pieceForward[piece] !== 0) plan.edges.push(edgeOf(piece, true));
      if (graph.pieceBackward[piece] !== 0) plan.edges.push(edgeOf(piece, false));
      for (const node of [graph.pieceStart[piece], graph.pieceEnd[piece]]) if (tileOf[node] !== tile) outside.add(node);
    }
    for (const edge of [...plan.edges]) plan.copies.push(...(copiesOf.get(edge) ?? []));
    plan.edges.push(...plan.copies);
    plan.nodes.push(...outside);
    plan.firstEntering = crossingCount;
    for (const edge of plan.edges) {
      if (tileOf[topology.tail[edge]] !== tile) crossing[edge] = crossingCount++;
    }
  });
  return { graph, topology, partition, tileCount, tileOf, tiles, crossing, crossingCount };
}

/** Pieces along a Z-order curve of their starts, so that neighbours in a tile are neighbours on the ground. */
function pieceOrder(graph: RoadGraph): number[] {
  const keys = new Float64Array(graph.pieceCount);
  for (let piece = 0; piece < graph.pieceCount; piece++) {
    const node = graph.pieceStart[piece];
    const x = Math.floor((graph.nodeLongitude[node] + 180e6) / 500);
    const y = Math.floor((graph.nodeLatitude[node] + 90e6) / 500);
    let key = 0;
    for (let bit = 19; bit >= 0; bit--) key = key * 4 + ((x >> bit) & 1) * 2 + ((y >> bit) & 1);
    keys[piece] = key;
  }
  return Array.from({ length: graph.pieceCount }, (_, piece) => piece).sort((a, b) => keys[a] - keys[b] || a - b);
}
