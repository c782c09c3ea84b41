import type { RoadGraph } from "../graph/road-graph.ts";
import { type Division, runOf } from "./division.ts";
import { type Part, searchCells } from "./part.ts";

/** The layout of a tile; all numbers are those of its part. */
export interface TilePlan {
  tile: number;
  /** Inside nodes in the order of their search cells, then outside nodes. */
  nodes: number[];
  insideCount: number;
  /** Number of inside nodes in each search cell. */
  cells: number[];
  /** First those that stay in a search cell, then those that stay in the tile; each along the curve of `pieceOrder`. */
  pieces: number[];
  /** In the tile's order. */
  edges: number[];
  copies: number[];
  /** Edges that come in from other tiles; their ids follow one another. */
  entering: number[];
}

export function planTiles(graph: RoadGraph, division: Division, part: Part): TilePlan[] {
  const { firstTile, endTile, firstPlace, tileOf, topology, pieceStart, pieceEnd } = part;
  const plans = Array.from({ length: endTile - firstTile }, (_, i) => emptyPlan(division, firstTile + i, firstPlace));
  for (const piece of pieceOrder(graph, part)) {
    const a = tileOf[pieceStart[piece]];
    const b = tileOf[pieceEnd[piece]];
    if (a >= firstTile && a < endTile) plans[a - firstTile].pieces.push(piece);
    if (b !== a && b >= firstTile && b < endTile) plans[b - firstTile].pieces.push(piece);
  }
  const cells = searchCells(division, part);
  const copiesOf = new Map<number, number[]>();
  for (let copy = part.firstCopy; copy < topology.edgeCount; copy++) {
    const original = topology.original[copy];
    const list = copiesOf.get(original);
    if (list) list.push(copy);
    else copiesOf.set(original, [copy]);
  }
  for (const plan of plans) {
    plan.pieces = byReach(plan.pieces, part, cells);
    const outside = new Set<number>();
    for (const piece of plan.pieces) {
      if (part.edgeThere[piece] >= 0) plan.edges.push(part.edgeThere[piece]);
      if (part.edgeBack[piece] >= 0) plan.edges.push(part.edgeBack[piece]);
      for (const node of [pieceStart[piece], pieceEnd[piece]]) if (tileOf[node] !== plan.tile) outside.add(node);
    }
    for (const edge of plan.edges) plan.copies.push(...(copiesOf.get(edge) ?? []));
    plan.edges.push(...plan.copies);
    plan.nodes.push(...outside);
    plan.entering = plan.edges.filter((edge) => tileOf[topology.tail[edge]] !== plan.tile);
  }
  return plans;
}

/** First the pieces that stay in a search cell (`cells`: by node), then those that stay in the tile, then the others. */
function byReach(pieces: readonly number[], { tileOf, pieceStart, pieceEnd }: Part, cells: Int32Array): number[] {
  const byReach: [inCell: number[], inTile: number[], out: number[]] = [[], [], []];
  for (const piece of pieces) {
    const [from, to] = [pieceStart[piece], pieceEnd[piece]];
    byReach[tileOf[from] !== tileOf[to] ? 2 : cells[from] !== cells[to] ? 1 : 0].push(piece);
  }
  return byReach.flat();
}

function emptyPlan({ tileStart, searchStart }: Division, tile: number, firstPlace: number): TilePlan {
  const [from, to] = [tileStart[tile], tileStart[tile + 1]];
  const cells: number[] = [];
  for (let cell = runOf(searchStart, from); cell + 1 < searchStart.length && searchStart[cell] < to; cell++) {
    cells.push(searchStart[cell + 1] - searchStart[cell]);
  }
  const nodes = Array.from({ length: to - from }, (_, i) => from - firstPlace + i);
  return { tile, nodes, insideCount: nodes.length, cells, pieces: [], edges: [], copies: [], entering: [] };
}

/** Pieces along a Z-order curve of their starts, so that neighbours in a tile are neighbours on the ground. */
function pieceOrder(graph: RoadGraph, { nodes, pieceStart }: Part): Uint32Array {
  const keys = Float64Array.from(pieceStart, (start) => {
    const x = Math.floor((graph.nodeLongitude[nodes[start]] + 180e6) / 500);
    const y = Math.floor((graph.nodeLatitude[nodes[start]] + 90e6) / 500);
    let key = 0;
    for (let bit = 19; bit >= 0; bit--) key = key * 4 + ((x >> bit) & 1) * 2 + ((y >> bit) & 1);
    return key;
  });
  return Uint32Array.from(keys, (_, piece) => piece).sort((a, b) => keys[a] - keys[b] || a - b);
}
