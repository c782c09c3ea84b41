import { createHash, type Hash } from "node:crypto";
import { Interned } from "../../../../core/geo/bytes/interned.ts";
import type { RoadGraph } from "../graph/road-graph.ts";
import type { Crossings } from "../partition/crossings.ts";
import type { Division } from "../partition/division.ts";
import { firstAtLeast, type Part, searchCells } from "../partition/part.ts";
import type { Parts } from "../partition/parts.ts";

/** A part as an update sees it, before it makes anything of it: what names it, and its numbers in the graph. */
export interface PartLook {
  /** Of its edges with their turns and speeds, and its cells. */
  topology: Uint8Array;
  /** Of all else that is in its tiles: lines, names, what is at junctions. */
  content: Uint8Array;
  /** The graph's number of each edge. */
  edges: Int32Array;
  /** Edges of the part that lead from tile to tile. */
  between: Int32Array;
}

export function lookAtPart(graph: RoadGraph, division: Division, parts: Parts, part: Part): PartLook {
  const { topology, tileOf, edges } = part;
  const between: number[] = [];
  for (let edge = 0; edge < edges.length; edge++)
    if (tileOf[topology.tail[edge]] !== tileOf[topology.head[edge]]) between.push(edge);
  return {
    topology: topologyDigest(part, division, parts),
    content: contentDigest(graph, part),
    edges: Int32Array.from(edges),
    between: Int32Array.from(between),
  };
}

/** All that the islands and the overlay of a part follow from, whatever the mode, but for ids of edges between tiles. */
function topologyDigest(part: Part, division: Division, { level }: Parts): Uint8Array {
  const { topology, firstTile, endTile, tileOf } = part;
  const hash = createHash("sha256");
  const { profiles, exceptions, traffic, nodeCount, insideCount, edgeCount, ...columns } = topology;
  hash.update(JSON.stringify([nodeCount, insideCount, edgeCount, firstTile, endTile, level, profiles, exceptions]));
  for (const name of Object.keys(columns).sort()) add(hash, columns[name as keyof typeof columns] as Int32Array);
  if (traffic) {
    hash.update(`${traffic.windows} windows\n`);
    for (const row of traffic.rows) add(hash, row);
    add(hash, traffic.ofEdge as Uint32Array);
  }
  add(hash, tileOf);
  add(hash, searchCells(division, part));
  for (let above = 1; above <= level && above < division.levels; above++)
    add(hash, division.cellOf[above].subarray(firstTile, endTile));
  return hash.digest();
}

/** Of pieces also those that are closed to all: they are in tiles. */
function contentDigest(graph: RoadGraph, { nodes, pieces, pieceStart, pieceEnd }: Part): Uint8Array {
  const hash = createHash("sha256");
  const { nodeLatitude, nodeLongitude, shapeFirst } = graph;
  const of = (column: ArrayLike<number>, numbers: Int32Array) =>
    add(
      hash,
      numbers.map((number) => column[number]),
    );
  for (const column of [nodeLatitude, nodeLongitude]) of(column, nodes);
  for (const column of [pieceStart, pieceEnd]) add(hash, column);
  for (const column of [graph.pieceLength, graph.pieceObstacles, graph.pieceBearingStart, graph.pieceBearingEnd])
    of(column, pieces);
  const profiles = new Interned<number>(String);
  for (const column of [graph.pieceForward, graph.pieceBackward])
    add(
      hash,
      pieces.map((piece) => profiles.add(column[piece])),
    );
  hash.update(JSON.stringify(profiles.values.map((number) => graph.profiles[number])));
  const records = new Interned<number>(String);
  add(
    hash,
    pieces.map((piece) => records.add(graph.pieceRecord[piece])),
  );
  for (const number of records.values) hash.update(`${graph.records.text(number)}\n`);
  const points = pieces.map((piece) => shapeFirst[piece + 1] - shapeFirst[piece]);
  add(hash, points);
  for (const column of [graph.shapeLatitude, graph.shapeLongitude]) {
    const all = new Int32Array(points.reduce((sum, count) => sum + count, 0));
    let at = 0;
    for (const piece of pieces) {
      const own = column.subarray(shapeFirst[piece], shapeFirst[piece + 1]);
      all.set(own, at);
      at += own.length;
    }
    add(hash, all);
  }
  for (const [i, node] of nodes.entries()) {
    const record = graph.nodeRecords.get(node);
    if (record) hash.update(`${i} ${JSON.stringify(record)}\n`);
  }
  return hash.digest();
}

/** Names a part by all that its overlay follows from. */
export function digestOfPart(look: PartLook, parts: Parts, part: number, crossings: Crossings): Uint8Array {
  return createHash("sha256")
    .update(look.topology)
    .update(idsDigest(look, parts, part, crossings))
    .digest();
}

/** Of the ids of the edges into and out of the tiles of a part. */
export function idsDigest({ edges, between }: PartLook, parts: Parts, part: number, crossings: Crossings): Uint8Array {
  const { firstEntering, tailTile, edges: numbers, ids } = crossings;
  const [firstTile, endTile] = [parts.firstTile[part], parts.firstTile[part + 1]];
  const hash = createHash("sha256");
  add(
    hash,
    between.map((edge) => ids[firstAtLeast(numbers, edges[edge])]),
  );
  add(hash, firstEntering.subarray(firstTile, endTile + 1));
  add(hash, tailTile.subarray(firstEntering[firstTile], firstEntering[endTile]));
  return hash.digest();
}

function add(hash: Hash, column: Int32Array | Uint8Array | Uint16Array | Uint32Array): void {
  hash.update(`${column.length}\n`);
  // A copy: memory that threads share is not hashed everywhere.
  hash.update(Uint8Array.from(new Uint8Array(column.buffer, column.byteOffset, column.byteLength)));
}
