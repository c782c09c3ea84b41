import { type Arcs, buildArcs, metricWeights, withTraffic } from "./arcs.ts";
import type { TurnNote } from "./guidance/turn.ts";
import { Heap } from "./heap.ts";
import { AVOID_FACTOR, type Metric } from "./modes.ts";
import { type Clique, UNREACHABLE } from "./pack.ts";
import type { Tile } from "./tile.ts";

/** Scratch space of the searches inside one tile; one per isolate is enough, they never overlap. */
const heap = new Heap(4096);
let label = new Int32Array(4096);
let time = new Int32Array(4096);
let way = new Int32Array(4096);
let before = new Int32Array(4096);
let stamp = new Int32Array(4096);
let run = 0;

function reserve(edges: number): void {
  if (edges <= label.length) return;
  const size = edges * 2;
  heap.reserve(size);
  label = new Int32Array(size);
  time = new Int32Array(size);
  way = new Int32Array(size);
  before = new Int32Array(size);
  stamp = new Int32Array(size);
}

/** Edges of remembered paths per view, each path counted 16 more. */
const MOST_REMEMBERED = 6000;

/** Search cells (level 0) of a tile as a mode sees them; edges are the tile's. */
interface Cells {
  ins: Int32Array[];
  outs: Int32Array[];
  row: Int16Array;
  column: Int16Array;
}

/**
 * A tile as one metric sees it. The cliques of its search cells are not stored but made when a search first meets them:
 * a fraction of a millisecond each, and half the bytes of the overlay.
 */
export class TileView {
  readonly tile: Tile;
  readonly arcs: Arcs;
  readonly weight: Int32Array;
  readonly cells: Cells;
  /** By arc: what guidance found where a path took that turn. */
  readonly notes: (TurnNote | undefined)[];
  readonly #cliques: (Clique | undefined)[];
  readonly #paths = new Map<number, Int32Array>();
  #pathEdges = 0;

  /** `sibling`: a view of the same tile and mode that avoids nothing at any time, whose arcs are the same. */
  constructor(tile: Tile, { mode, avoid, bucket = 0 }: Metric, sibling?: TileView) {
    this.tile = tile;
    this.arcs = withTraffic(tile, sibling?.arcs ?? buildArcs(tile, mode), bucket);
    this.cells = sibling?.cells ?? cellsOf(tile, this.arcs);
    this.notes = sibling?.notes ?? new Array(this.arcs.to.length).fill(undefined);
    this.weight = metricWeights(tile, this.arcs, avoid, AVOID_FACTOR);
    this.#cliques = new Array(tile.cellCount).fill(undefined);
  }

  /** The memory it takes, about, with all it may come to remember [bytes]. */
  get size(): number {
    let cliques = 0;
    for (let cell = 0; cell < this.tile.cellCount; cell++) {
      cliques += this.cells.ins[cell].length * this.cells.outs[cell].length * 12 + 300;
    }
    const arrays = this.arcs.to.length * (8 + 8) + this.tile.edgeCount * 16;
    return arrays + cliques + MOST_REMEMBERED * 4;
  }

  clique(cell: number): Clique {
    this.#cliques[cell] ??= this.#makeClique(cell);
    return this.#cliques[cell];
  }

  #makeClique(cell: number): Clique {
    const { tile, arcs, weight: weights } = this;
    const ins = this.cells.ins[cell];
    const outs = this.cells.outs[cell];
    const { column } = this.cells;
    const entries = ins.length * outs.length;
    const weight = new Int32Array(entries).fill(UNREACHABLE);
    const duration = new Int32Array(entries);
    const distance = new Int32Array(entries);
    reserve(tile.edgeCount);
    for (let r = 0; r < ins.length; r++) {
      run++;
      heap.clear();
      const start = ins[r];
      stamp[start] = run;
      label[start] = time[start] = way[start] = 0;
      heap.set(start, 0);
      let found = 0;
      while (heap.size > 0 && found < outs.length) {
        const key = heap.least;
        const edge = heap.pop();
        if (edge !== start && tile.nodeCell[tile.head[edge]] !== cell) {
          const at = r * outs.length + column[edge];
          weight[at] = key;
          duration[at] = time[edge];
          distance[at] = way[edge];
          found++;
          continue;
        }
        for (let i = arcs.first[edge]; i < arcs.first[edge + 1]; i++) {
          const next = arcs.to[i];
          const cost = key + arcs.turnWeight[i] + weights[next];
          if (stamp[next] === run && label[next] <= cost) continue;
          stamp[next] = run;
          label[next] = cost;
          time[next] = time[edge] + arcs.turnDuration[i] + arcs.duration[next];
          way[next] = way[edge] + tile.length[next];
          heap.set(next, cost);
        }
      }
    }
    heap.clear();
    return { ins, outs, weight, duration, distance };
  }

  /** The edges from one that enters the tile to one that leaves it, both included, staying inside. */
  path(from: number, to: number): Int32Array {
    const key = from * 65536 + to;
    let path = this.#paths.get(key);
    if (path) return path;
    path = this.#findPath(from, to, -1);
    this.#remember(key, path);
    return path;
  }

  /** The edges across one search cell, both ends included. */
  pathInCell(cell: number, from: number, to: number): Int32Array {
    const key = from * 65536 + to + 4294967296;
    let path = this.#paths.get(key);
    if (path) return path;
    path = this.#findPath(from, to, cell);
    this.#remember(key, path);
    return path;
  }

  /** Well-used passages are remembered; a tile on many routes must not remember without end. */
  #remember(key: number, path: Int32Array): void {
    if (this.#pathEdges > MOST_REMEMBERED) {
      this.#paths.clear();
      this.#pathEdges = 0;
    }
    this.#paths.set(key, path);
    this.#pathEdges += path.length + 16;
  }

  #findPath(from: number, to: number, cell: number): Int32Array {
    const { tile, arcs, weight } = this;
    const { head, insideCount, nodeCell } = tile;
    reserve(tile.edgeCount);
    run++;
    heap.clear();
    stamp[from] = run;
    label[from] = 0;
    before[from] = -1;
    heap.set(from, 0);
    for (;;) {
      if (heap.size === 0) throw new Error(`tile ${tile.index}: no path from edge ${from} to edge ${to}`);
      const key = heap.least;
      const edge = heap.pop();
      if (edge === to && edge !== from) break;
      if (edge !== from && (cell < 0 ? head[edge] >= insideCount : nodeCell[head[edge]] !== cell)) continue;
      for (let i = arcs.first[edge]; i < arcs.first[edge + 1]; i++) {
        const next = arcs.to[i];
        const cost = key + arcs.turnWeight[i] + weight[next];
        if (stamp[next] === run && label[next] <= cost) continue;
        stamp[next] = run;
        label[next] = cost;
        before[next] = edge;
        heap.set(next, cost);
      }
    }
    heap.clear();
    let count = 0;
    for (let edge = to; edge >= 0; edge = before[edge]) count++;
    const path = new Int32Array(count);
    for (let edge = to; edge >= 0; edge = before[edge]) path[--count] = edge;
    return path;
  }
}

function cellsOf(tile: Tile, { duration }: Arcs): Cells {
  const ins: number[][] = Array.from({ length: tile.cellCount }, () => []);
  const outs: number[][] = Array.from({ length: tile.cellCount }, () => []);
  const row = new Int16Array(tile.edgeCount).fill(-1);
  const column = new Int16Array(tile.edgeCount).fill(-1);
  for (let edge = 0; edge < tile.edgeCount; edge++) {
    if (duration[edge] === 0) continue;
    const from = tile.nodeCell[tile.tail[edge]];
    const into = tile.nodeCell[tile.head[edge]];
    if (from === into) continue;
    if (from >= 0) column[edge] = outs[from].push(edge) - 1;
    if (into >= 0) row[edge] = ins[into].push(edge) - 1;
  }
  const frozen = (lists: number[][]) => lists.map((list) => Int32Array.from(list));
  return { ins: frozen(ins), outs: frozen(outs), row, column };
}
