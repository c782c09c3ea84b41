import { type Arcs, metricWeights } from "../../routing/arcs.ts";
import { Heap } from "../../routing/heap.ts";
import { AVOID_FACTOR } from "../../routing/modes.ts";
import { type Clique, UNREACHABLE } from "../../routing/pack.ts";
import type { TileLayout } from "./tile-layout.ts";

/** Cells of one level as a mode sees them. Edges are the graph's numbers. */
interface Level {
  cellOf: Int32Array;
  ins: number[][];
  outs: number[][];
  /** Row and column of an edge in the clique of the cell it enters, and of the one it leaves. */
  row: Int32Array;
  column: Int32Array;
  /** Avoid bits on the edges that begin in each cell: only these can change its clique. */
  avoid: Uint8Array;
  /** cliques[cell] by avoid bits. */
  cliques: Map<number, Clique>[];
}

/** The cliques of one mode at all levels, for every avoid set that makes a difference. */
export class Overlay {
  readonly levels: readonly Level[];
  private readonly layout: TileLayout;
  private readonly arcs: Arcs;
  private readonly weights: Int32Array[];
  private readonly heap: Heap;
  private readonly label: Int32Array;
  private readonly time: Int32Array;
  private readonly way: Int32Array;
  private readonly stamp: Int32Array;
  private run = 0;

  constructor(layout: TileLayout, arcs: Arcs) {
    this.layout = layout;
    this.arcs = arcs;
    const { edgeCount } = layout.topology;
    this.heap = new Heap(edgeCount);
    this.label = new Int32Array(edgeCount);
    this.time = new Int32Array(edgeCount);
    this.way = new Int32Array(edgeCount);
    this.stamp = new Int32Array(edgeCount);
    this.weights = Array.from({ length: 16 }, (_, avoid) => metricWeights(layout.topology, arcs, avoid, AVOID_FACTOR));
    this.levels = layout.partition.cellOf.map((cellOf, level) =>
      this.cellsOf(cellOf, layout.partition.cellCounts[level]),
    );
    for (let level = 0; level < this.levels.length; level++) {
      const { avoid, cliques, ins } = this.levels[level];
      for (let cell = 0; cell < ins.length; cell++) {
        for (let bits = 0; bits < 16; bits++) {
          if ((bits & ~avoid[cell]) === 0) cliques[cell].set(bits, this.clique(level, cell, bits));
        }
      }
    }
  }

  private cellsOf(cellOf: Int32Array, count: number): Level {
    const { topology, crossing } = this.layout;
    const { tail, head, edgeCount } = topology;
    const ins: number[][] = Array.from({ length: count }, () => []);
    const outs: number[][] = Array.from({ length: count }, () => []);
    const avoid = new Uint8Array(count);
    for (let edge = 0; edge < edgeCount; edge++) {
      if (this.arcs.duration[edge] === 0) continue;
      const from = cellOf[tail[edge]];
      const into = cellOf[head[edge]];
      avoid[from] |= topology.profiles[topology.profile[edge]].passages[this.arcs.mode].avoid;
      if (from === into) continue;
      outs[from].push(edge);
      ins[into].push(edge);
    }
    const row = new Int32Array(edgeCount).fill(-1);
    const column = new Int32Array(edgeCount).fill(-1);
    const place = (lists: number[][], into: Int32Array) => {
      for (const list of lists) {
        list.sort((a, b) => crossing[a] - crossing[b] || a - b);
        for (let i = 0; i < list.length; i++) into[list[i]] = i;
      }
    };
    place(ins, row);
    place(outs, column);
    return { cellOf, ins, outs, row, column, avoid, cliques: Array.from({ length: count }, () => new Map()) };
  }

  /** Dijkstra's algorithm from every edge in, through base arcs (level 0) or the cliques of the level below. */
  private clique(level: number, cell: number, avoid: number): Clique {
    const { ins, outs, column, cellOf } = this.levels[level];
    const { head, length } = this.layout.topology;
    const { heap, label, time, way, stamp, arcs } = this;
    const weights = this.weights[avoid];
    const below = level > 0 ? this.levels[level - 1] : undefined;
    const width = outs[cell].length;
    const entries = ins[cell].length * width;
    const weight = new Int32Array(entries).fill(UNREACHABLE);
    const duration = new Int32Array(entries);
    const distance = new Int32Array(entries);
    ins[cell].forEach((start, r) => {
      const run = ++this.run;
      heap.clear();
      stamp[start] = run;
      label[start] = time[start] = way[start] = 0;
      heap.set(start, 0);
      let found = 0;
      while (heap.size > 0 && found < width) {
        const key = heap.least;
        const edge = heap.pop();
        if (edge !== start && cellOf[head[edge]] !== cell) {
          const at = r * width + column[edge];
          weight[at] = key;
          duration[at] = time[edge];
          distance[at] = way[edge];
          found++;
          continue;
        }
        if (!below) {
          for (let i = arcs.first[edge]; i < arcs.first[edge + 1]; i++) {
            const next = arcs.to[i];
            const cost = key + arcs.turnWeight[i] + weights[next];
            if (stamp[next] === run && label[next] <= cost) continue;
            stamp[next] = run;
            label[next] = cost;
            time[next] = time[edge] + arcs.turnDuration[i] + arcs.duration[next];
            way[next] = way[edge] + length[next];
            heap.set(next, cost);
          }
          continue;
        }
        const child = below.cellOf[head[edge]];
        const inner = below.cliques[child].get(avoid & below.avoid[child])!;
        const nexts = below.outs[child];
        const base = below.row[edge] * nexts.length;
        for (let c = 0; c < nexts.length; c++) {
          const step = inner.weight[base + c];
          if (step >= UNREACHABLE) continue;
          const next = nexts[c];
          const cost = key + step;
          if (stamp[next] === run && label[next] <= cost) continue;
          stamp[next] = run;
          label[next] = cost;
          time[next] = time[edge] + inner.duration[base + c];
          way[next] = way[edge] + inner.distance[base + c];
          heap.set(next, cost);
        }
      }
      heap.clear();
    });
    const { crossing } = this.layout;
    return {
      ins: Int32Array.from(ins[cell], (edge) => crossing[edge]),
      outs: Int32Array.from(outs[cell], (edge) => crossing[edge]),
      weight,
      duration,
      distance,
    };
  }
}
