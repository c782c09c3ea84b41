import type { Edges } from "./road-graph.ts";

/** The directed edges of the pieces, before restrictions copy any. */
export interface NumberedEdges extends Edges {
  /** By piece: the edge along it and the one against it, −1 where closed. */
  forwardEdge: Int32Array;
  backwardEdge: Int32Array;
}

/** Phase two: an edge for each direction of a piece that some mode may take, numbered piece by piece (there, back). */
export function makeEdges(forward: readonly number[], backward: readonly number[]): NumberedEdges {
  const forwardEdge = new Int32Array(forward.length).fill(-1);
  const backwardEdge = new Int32Array(forward.length).fill(-1);
  let count = 0;
  for (let piece = 0; piece < forward.length; piece++) {
    if (forward[piece] !== 0) forwardEdge[piece] = count++;
    if (backward[piece] !== 0) backwardEdge[piece] = count++;
  }
  const pieces = new Int32Array(count);
  const along = new Uint8Array(count);
  for (let piece = 0; piece < forward.length; piece++) {
    if (forwardEdge[piece] >= 0) {
      pieces[forwardEdge[piece]] = piece;
      along[forwardEdge[piece]] = 1;
    }
    if (backwardEdge[piece] >= 0) pieces[backwardEdge[piece]] = piece;
  }
  return {
    count,
    piece: pieces,
    along,
    original: Int32Array.from({ length: count }, (_, e) => e),
    forwardEdge,
    backwardEdge,
  };
}

/** The edges with the copies that restrictions made of some, last. */
export function withCopies(edges: Edges, copies: readonly number[]): Edges {
  const piece = new Int32Array(edges.count + copies.length);
  const along = new Uint8Array(piece.length);
  const original = new Int32Array(piece.length);
  piece.set(edges.piece);
  along.set(edges.along);
  original.set(edges.original);
  copies.forEach((edge, i) => {
    piece[edges.count + i] = edges.piece[edge];
    along[edges.count + i] = edges.along[edge];
    original[edges.count + i] = edge;
  });
  return { count: piece.length, piece, along, original };
}
