import { type Arcs, metricWeights, withTraffic } from "../../routing/arcs.ts";
import { AVOID_FACTOR } from "../../routing/modes.ts";
import { type Clique, UNREACHABLE } from "../../routing/pack.ts";
import { SearchLabels } from "../../routing/search-labels.ts";
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
  /** Windows of time (bit n − 1: the n-th) in which the clique of each cell is another. */
  traffic: Uint8Array;
  /** cliques[cell] by `metricKey`. */
  cliques: Map<number, Clique>[];
}

/** Avoid bits and a bucket as one number. */
export const metricKey = (avoid: number, bucket: number) => bucket * 16 + avoid;

/** The cliques of one mode at all levels, for every avoid set and window of time that makes a difference. */
export class Overlay {
  readonly levels: readonly Level[];
  readonly #layout: TileLayout;
  /** Of the bucket at hand. */
  #arcs: Arcs;
  #weights: Int32Array[] = [];
  readonly #labels = new SearchLabels("duration", "distance");

  constructor(layout: TileLayout, arcs: Arcs) {
    this.#layout = layout;
    this.#arcs = arcs;
    this.levels = layout.partition.cellOf.map((cellOf, level) =>
      this.#cellsOf(cellOf, layout.partition.cellCounts[level]),
    );
    const windows = layout.graph.traffic?.windows.length ?? 0;
    for (let bucket = 0; bucket <= windows; bucket++) {
      this.#arcs = withTraffic(layout.topology, arcs, bucket);
      if (bucket > 0 && this.#arcs === arcs) continue;
      this.#weights = Array.from({ length: 16 }, (_, avoid) =>
        metricWeights(layout.topology, this.#arcs, avoid, AVOID_FACTOR),
      );
      const slowed = this.#arcs.duration.map((duration, edge) => (duration === arcs.duration[edge] ? 0 : 1));
      for (let level = 0; level < this.levels.length; level++) this.#weighLevel(level, bucket, slowed);
    }
  }

  /** The cliques of a level in a bucket; those of a window only where they differ from what they are at other times. */
  #weighLevel(level: number, bucket: number, slowed: Int32Array): void {
    const { avoid, cliques, cellOf, traffic } = this.levels[level];
    const { tail, edgeCount } = this.#layout.topology;
    const touched = new Uint8Array(cliques.length);
    for (let edge = 0; edge < edgeCount; edge++) if (slowed[edge] === 1) touched[cellOf[tail[edge]]] = 1;
    for (let cell = 0; cell < cliques.length; cell++) {
      if (bucket > 0 && touched[cell] === 0) continue;
      const made: [bits: number, clique: Clique][] = [];
      for (let bits = 0; bits < 16; bits++) {
        if ((bits & ~avoid[cell]) === 0) made.push([bits, this.#makeClique(level, cell, bits, bucket)]);
      }
      const differs = made.some(([bits, clique]) => !isSame(clique, cliques[cell].get(metricKey(bits, 0))));
      if (bucket > 0 && !differs) continue;
      if (bucket > 0) traffic[cell] |= 1 << (bucket - 1);
      for (const [bits, clique] of made) cliques[cell].set(metricKey(bits, bucket), clique);
    }
  }

  /** The clique of a cell for an avoid set and a bucket, whichever of them it shares. */
  cliqueOf(level: number, cell: number, avoid: number, bucket: number): Clique {
    const { cliques, avoid: bits, traffic } = this.levels[level];
    const own = bucket > 0 && (traffic[cell] >> (bucket - 1)) & 1 ? bucket : 0;
    return cliques[cell].get(metricKey(avoid & bits[cell], own))!;
  }

  #cellsOf(cellOf: Int32Array, count: number): Level {
    const { topology, crossing } = this.#layout;
    const { tail, head, edgeCount } = topology;
    const ins: number[][] = Array.from({ length: count }, () => []);
    const outs: number[][] = Array.from({ length: count }, () => []);
    const avoid = new Uint8Array(count);
    for (let edge = 0; edge < edgeCount; edge++) {
      if (this.#arcs.duration[edge] === 0) continue;
      const from = cellOf[tail[edge]];
      const into = cellOf[head[edge]];
      avoid[from] |= topology.profiles[topology.profile[edge]].passages[this.#arcs.mode].avoid;
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
    const cliques = Array.from({ length: count }, () => new Map<number, Clique>());
    return { cellOf, ins, outs, row, column, avoid, traffic: new Uint8Array(count), cliques };
  }

  /** Dijkstra's algorithm from every edge in, through base arcs (level 0) or the cliques of the level below. */
  #makeClique(level: number, cell: number, avoid: number, bucket: number): Clique {
    const { ins, outs, column, cellOf } = this.levels[level];
    const { head, length, edgeCount } = this.#layout.topology;
    const labels = this.#labels;
    const arcs = this.#arcs;
    const weights = this.#weights[avoid];
    const below = level > 0 ? this.levels[level - 1] : undefined;
    const width = outs[cell].length;
    const entries = ins[cell].length * width;
    const weight = new Int32Array(entries).fill(UNREACHABLE);
    const duration = new Int32Array(entries);
    const distance = new Int32Array(entries);
    ins[cell].forEach((start, r) => {
      labels.reset(edgeCount);
      const { heap, key: keys, duration: durations, distance: distances } = labels;
      labels.lower(start, 0);
      durations[start] = distances[start] = 0;
      let found = 0;
      while (heap.size > 0 && found < width) {
        const key = heap.least;
        const edge = heap.pop();
        // Out of the cell: an entry of the clique.
        if (edge !== start && cellOf[head[edge]] !== cell) {
          const at = r * width + column[edge];
          weight[at] = key;
          duration[at] = durations[edge];
          distance[at] = distances[edge];
          found++;
          continue;
        }
        if (!below) {
          for (let i = arcs.first[edge]; i < arcs.first[edge + 1]; i++) {
            const next = arcs.to[i];
            const sum = key + arcs.turnWeight[i] + weights[next];
            if (sum >= keys[next]) continue;
            labels.lower(next, sum);
            durations[next] = durations[edge] + arcs.turnDuration[i] + arcs.duration[next];
            distances[next] = distances[edge] + length[next];
          }
          continue;
        }
        const child = below.cellOf[head[edge]];
        const inner = this.cliqueOf(level - 1, child, avoid, bucket);
        const nexts = below.outs[child];
        const base = below.row[edge] * nexts.length;
        for (let c = 0; c < nexts.length; c++) {
          const next = nexts[c];
          const sum = key + inner.weight[base + c];
          if (sum >= keys[next]) continue;
          labels.lower(next, sum);
          durations[next] = durations[edge] + inner.duration[base + c];
          distances[next] = distances[edge] + inner.distance[base + c];
        }
      }
    });
    const { crossing } = this.#layout;
    return {
      ins: Int32Array.from(ins[cell], (edge) => crossing[edge]),
      outs: Int32Array.from(outs[cell], (edge) => crossing[edge]),
      weight,
      duration,
      distance,
    };
  }
}

function isSame(a: Clique, b: Clique | undefined): boolean {
  const equal = (x: Int32Array, y: Int32Array) => x.every((value, i) => value === y[i]);
  return b !== undefined && equal(a.weight, b.weight) && equal(a.duration, b.duration) && equal(a.distance, b.distance);
}
