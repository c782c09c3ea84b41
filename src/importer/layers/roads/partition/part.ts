import type { EdgeProfile } from "../../../../core/routing/graph/modes.ts";
import type { Topology, TurnException } from "../../../../core/routing/graph/topology.ts";
import type { Traffic } from "../../../../core/routing/graph/traffic.ts";
import { obstacleMet } from "../../../../core/routing/graph/turn-cost.ts";
import type { RoadGraph } from "../graph/road-graph.ts";
import { type Division, runOf, tileOfNode } from "./division.ts";
import type { Parts } from "./parts.ts";

/**
 * A part of the graph with its own numbers. Junctions inside are numbered by their places, those at the other ends of roads
 * that leave come after them. Pieces and edges keep the order they have in the graph, so that searches meet them in
 * the same order whatever the part.
 */
export interface Part {
  firstTile: number;
  endTile: number;
  firstPlace: number;
  /** The graph's numbers. */
  nodes: Int32Array;
  pieces: Int32Array;
  edges: Int32Array;
  /** Tile of each node. */
  tileOf: Int32Array;
  pieceStart: Int32Array;
  pieceEnd: Int32Array;
  /** The edge along each piece and the one against it, −1 where closed. */
  edgeThere: Int32Array;
  edgeBack: Int32Array;
  /** Edges from here on are copies. */
  firstCopy: number;
  topology: Topology;
}

export function makePart(graph: RoadGraph, division: Division, parts: Parts, number: number): Part {
  const [firstTile, endTile] = [parts.firstTile[number], parts.firstTile[number + 1]];
  const [firstPlace, endPlace] = [division.tileStart[firstTile], division.tileStart[endTile]];
  const insideCount = endPlace - firstPlace;
  const pieces = parts.pieces.slice(parts.pieceFirst[number], parts.pieceFirst[number + 1]);
  const outside = new Map<number, number>();
  const local = (node: number) => {
    const place = division.placeOf[node];
    if (place >= firstPlace && place < endPlace) return place - firstPlace;
    const known = outside.get(node);
    if (known !== undefined) return known;
    outside.set(node, insideCount + outside.size);
    return insideCount + outside.size - 1;
  };
  const pieceStart = pieces.map((piece) => local(graph.pieceStart[piece]));
  const pieceEnd = pieces.map((piece) => local(graph.pieceEnd[piece]));
  const nodes = new Int32Array(insideCount + outside.size);
  nodes.set(division.nodeAt.subarray(firstPlace, endPlace));
  nodes.set([...outside.keys()], insideCount);
  const tileOf = new Int32Array(nodes.length);
  for (let tile = firstTile; tile < endTile; tile++) {
    tileOf.fill(tile, division.tileStart[tile] - firstPlace, division.tileStart[tile + 1] - firstPlace);
  }
  for (const [node, at] of outside) tileOf[at] = tileOfNode(division, node);
  const own = edgesOf(graph, parts, pieces);
  return {
    firstTile,
    endTile,
    firstPlace,
    nodes,
    pieces,
    tileOf,
    pieceStart,
    pieceEnd,
    ...own,
    topology: topologyOf(graph, parts, number, { nodes, insideCount, pieces, pieceStart, pieceEnd, ...own }),
  };
}

type OwnEdges = Pick<Part, "edges" | "edgeThere" | "edgeBack" | "firstCopy"> & {
  /** By edge: its piece within the part. */
  pieceOf: Int32Array;
  original: Int32Array;
};

function edgesOf(graph: RoadGraph, parts: Parts, pieces: Int32Array): OwnEdges {
  const edgeThere = new Int32Array(pieces.length).fill(-1);
  const edgeBack = new Int32Array(pieces.length).fill(-1);
  const most = pieces.length * 2;
  const edges = new Int32Array(most);
  const pieceOf = new Int32Array(most);
  let firstCopy = 0;
  const copies: [copy: number, original: number, piece: number][] = [];
  const add = (edge: number, piece: number) => {
    for (let c = firstAtLeast(parts.copyOf, edge); parts.copyOf[c] === edge; c++) {
      copies.push([parts.copies[c], firstCopy, piece]);
    }
    edges[firstCopy] = edge;
    pieceOf[firstCopy] = piece;
    return firstCopy++;
  };
  for (let i = 0; i < pieces.length; i++) {
    const isOpen = graph.pieceForward[pieces[i]] !== 0;
    const isOpenBack = graph.pieceBackward[pieces[i]] !== 0;
    if (!isOpen && !isOpenBack) continue;
    const edge = firstEdge(graph, parts, pieces[i]);
    if (isOpen) edgeThere[i] = add(edge, i);
    if (isOpenBack) edgeBack[i] = add(isOpen ? edge + 1 : edge, i);
  }
  copies.sort((a, b) => a[0] - b[0]);
  const original = Int32Array.from({ length: firstCopy + copies.length }, (_, edge) => edge);
  const withCopies = (column: Int32Array, ofCopy: (copy: (typeof copies)[number]) => number) => {
    const all = new Int32Array(original.length);
    all.set(column.subarray(0, firstCopy));
    all.set(copies.map(ofCopy), firstCopy);
    return all;
  };
  return {
    edges: withCopies(edges, ([copy]) => copy),
    edgeThere,
    edgeBack,
    firstCopy,
    pieceOf: withCopies(pieceOf, ([, , piece]) => piece),
    original: withCopies(original, ([, of]) => of),
  };
}

/** Edges are numbered piece by piece: found by halving. */
function firstEdge({ edges }: RoadGraph, { copies }: Parts, piece: number): number {
  let low = 0;
  let high = edges.count - copies.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (edges.piece[middle] < piece) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first of these ascending numbers that is not less. */
export function firstAtLeast(numbers: Int32Array, least: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle] < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The part as the turn rules see it, with its own profiles and rows of speeds. */
function topologyOf(
  graph: RoadGraph,
  parts: Parts,
  number: number,
  part: OwnEdges & Pick<Part, "nodes" | "pieces" | "pieceStart" | "pieceEnd"> & { insideCount: number },
): Topology {
  const { nodes, pieces, pieceStart, pieceEnd, edges, pieceOf, original, insideCount, firstCopy } = part;
  const count = edges.length;
  const profiles = new LocalNumbers<EdgeProfile>(graph.profiles, 0);
  const rows = new LocalNumbers<Uint16Array>(graph.traffic?.rows ?? []);
  const topology = {
    nodeCount: nodes.length,
    insideCount,
    nodeBlocked: Uint8Array.from(nodes, (node) => graph.nodeBlocked[node]),
    edgeCount: count,
    tail: new Int32Array(count),
    head: new Int32Array(count),
    piece: pieceOf,
    along: new Uint8Array(count),
    original,
    profile: new Uint32Array(count),
    profiles: profiles.values,
    bearingOut: new Uint8Array(count),
    bearingIn: new Uint8Array(count),
    obstacle: new Uint8Array(count),
    length: new Int32Array(count),
    exceptions: exceptionsOf(graph, parts, number, edges, firstCopy),
  };
  const ofEdge = new Uint32Array(graph.traffic ? count : 0);
  for (let edge = 0; edge < count; edge++) {
    const at = pieceOf[edge];
    const p = pieces[at];
    const there = graph.edges.along[edges[edge]] === 1;
    topology.along[edge] = there ? 1 : 0;
    topology.tail[edge] = there ? pieceStart[at] : pieceEnd[at];
    topology.head[edge] = there ? pieceEnd[at] : pieceStart[at];
    topology.profile[edge] = profiles.numberOf(there ? graph.pieceForward[p] : graph.pieceBackward[p]);
    topology.bearingOut[edge] = there ? graph.pieceBearingStart[p] : graph.pieceBearingEnd[p] + 128;
    topology.bearingIn[edge] = there ? graph.pieceBearingEnd[p] : graph.pieceBearingStart[p] + 128;
    topology.obstacle[edge] = obstacleMet(graph.pieceObstacles[p], there);
    topology.length[edge] = graph.pieceLength[p];
    if (graph.traffic) {
      const row = (there ? graph.traffic.forward : graph.traffic.backward)[p];
      ofEdge[edge] = row === 0 ? 0 : rows.numberOf(row - 1) + 1;
    }
  }
  const traffic: Traffic | undefined = graph.traffic && {
    windows: graph.traffic.windows.length,
    rows: rows.values,
    ofEdge,
  };
  return { ...topology, ...(traffic && { traffic }) };
}

/** Things of a large list that are met, numbered as they come. */
class LocalNumbers<T> {
  readonly values: T[] = [];
  readonly #all: readonly T[];
  readonly #numbers = new Map<number, number>();

  constructor(all: readonly T[], ...first: number[]) {
    this.#all = all;
    for (const number of first) this.numberOf(number);
  }

  numberOf(number: number): number {
    const known = this.#numbers.get(number);
    if (known !== undefined) return known;
    this.#numbers.set(number, this.values.length);
    return this.values.push(this.#all[number]) - 1;
  }
}

function exceptionsOf(
  graph: RoadGraph,
  parts: Parts,
  number: number,
  edges: Int32Array,
  firstCopy: number,
): TurnException[] {
  const originals = edges.subarray(0, firstCopy);
  const copies = edges.subarray(firstCopy);
  const local = (edge: number) => {
    const at = firstAtLeast(originals, edge);
    return originals[at] === edge ? at : firstCopy + firstAtLeast(copies, edge);
  };
  const found: TurnException[] = [];
  for (let i = parts.exceptionFirst[number]; i < parts.exceptionFirst[number + 1]; i++) {
    const exception = graph.exceptions[parts.exceptions[i]];
    found.push({ ...exception, from: local(exception.from), to: local(exception.to) });
  }
  return found;
}

/** The search cell of each place of the part, counted from its first. */
export function searchCells({ searchStart }: Division, { firstPlace, topology }: Part): Int32Array {
  const first = runOf(searchStart, firstPlace);
  const cells = new Int32Array(topology.insideCount);
  for (let cell = first; cell + 1 < searchStart.length; cell++) {
    const from = searchStart[cell] - firstPlace;
    if (from >= cells.length) break;
    cells.fill(cell - first, from, Math.min(cells.length, searchStart[cell + 1] - firstPlace));
  }
  return cells;
}
