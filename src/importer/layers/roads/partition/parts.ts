import type { RoadGraph } from "../graph/road-graph.ts";
import { sharedInts } from "./divide-state.ts";
import { type Division, runOf } from "./division.ts";

/**
 * A country in parts: runs of tiles, each small enough for a thread to hold with all that is built from it. A part is built from
 * whole cells of `level` (and so of all levels below); what is above is built from what the parts hand up.
 */
export interface Parts {
  count: number;
  level: number;
  /** First tile of each part, and the end. */
  firstTile: Int32Array;
  /** Pieces that touch part p, ascending: pieces[i], pieceFirst[p] ≤ i < pieceFirst[p + 1]. */
  pieceFirst: Int32Array;
  pieces: Int32Array;
  /** Likewise the exceptions at junctions of the part: their numbers. */
  exceptionFirst: Int32Array;
  exceptions: Int32Array;
  /** Copies of edges by what they copy, ascending. */
  copyOf: Int32Array;
  copies: Int32Array;
}

/** Cells of this level are as large as a part gets. */
const PART_LEVEL = 3;
const SMALL_LEVEL = 2;
/** A level with fewer cells than this divides work too coarsely between threads. */
const MIN_PARTS = 12;

/** @param small parts of level 2 at most, which an update knows again more often */
export function partsOf(graph: RoadGraph, division: Division, mostJunctions: number, small = false): Parts {
  const level = small ? Math.min(SMALL_LEVEL, division.levels - 1) : partLevel(division);
  const firstTile = grouped(division, level, mostJunctions);
  const count = firstTile.length - 1;
  const partStart = firstTile.map((tile) => division.tileStart[tile]);
  const partOf = (node: number) => runOf(partStart, division.placeOf[node]);
  const pieceLists = lists(count, graph.pieceCount, (piece, put) => {
    const a = partOf(graph.pieceStart[piece]);
    const b = partOf(graph.pieceEnd[piece]);
    put(a);
    if (b !== a) put(b);
  });
  const headOf = (edge: number) =>
    (graph.edges.along[edge] === 1 ? graph.pieceEnd : graph.pieceStart)[graph.edges.piece[edge]];
  const exceptionLists = lists(count, graph.exceptions.length, (number, put) =>
    put(partOf(headOf(graph.exceptions[number].from))),
  );
  return {
    count,
    level,
    firstTile,
    pieceFirst: pieceLists.first,
    pieces: pieceLists.values,
    exceptionFirst: exceptionLists.first,
    exceptions: exceptionLists.values,
    ...copiesByOriginal(graph),
  };
}

function partLevel({ levels, cellCounts }: Division): number {
  let level = Math.min(PART_LEVEL, levels - 1);
  while (level > 1 && cellCounts[level] < MIN_PARTS) level--;
  return level;
}

/** Cells of a level in runs of at most so many junctions. */
function grouped({ tileStart, cellOf, cellCounts }: Division, level: number, mostJunctions: number): Int32Array {
  const own = cellOf[level];
  const first: number[] = [0];
  let start = 0;
  for (let tile = 1; tile <= cellCounts[1]; tile++) {
    if (tile < cellCounts[1] && own[tile] === own[tile - 1]) continue;
    // With the cell that ends here the part is too large: the cell begins another.
    const begin = tile === 0 ? 0 : own.indexOf(own[tile - 1], start);
    if (begin > first[first.length - 1] && tileStart[tile] - tileStart[first[first.length - 1]] > mostJunctions) {
      first.push(begin);
    }
    start = begin;
  }
  first.push(cellCounts[1]);
  const starts = sharedInts(first.length);
  starts.set(first);
  return starts;
}

function lists(count: number, items: number, each: (item: number, put: (list: number) => void) => void) {
  const first = sharedInts(count + 1);
  for (let item = 0; item < items; item++) each(item, (list) => first[list + 1]++);
  for (let list = 0; list < count; list++) first[list + 1] += first[list];
  const next = first.slice(0, count);
  const values = sharedInts(first[count]);
  for (let item = 0; item < items; item++) {
    each(item, (list) => {
      values[next[list]++] = item;
    });
  }
  return { first, values };
}

/** Copies are the last edges. */
function copiesByOriginal({ edges }: RoadGraph): Pick<Parts, "copyOf" | "copies"> {
  let first = edges.count;
  while (first > 0 && edges.original[first - 1] !== first - 1) first--;
  const order = Array.from({ length: edges.count - first }, (_, i) => first + i);
  order.sort((a, b) => edges.original[a] - edges.original[b] || a - b);
  const copies = sharedInts(order.length);
  copies.set(order);
  const copyOf = sharedInts(order.length);
  order.forEach((copy, i) => {
    copyOf[i] = edges.original[copy];
  });
  return { copyOf, copies };
}
