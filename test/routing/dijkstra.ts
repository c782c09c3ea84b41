import type { RoadsBuild } from "../../src/importer/roads/write-roads.ts";
import { metricWeights } from "../../src/routing/arcs.ts";
import { Heap } from "../../src/routing/heap.ts";
import { AVOID_FACTOR } from "../../src/routing/modes.ts";
import type { EndPoint } from "../../src/routing/overlay.ts";

/** Dijkstra's algorithm (1959) on the whole edge-based graph, nothing clever: what the overlay is compared with. */
export class Dijkstra {
  private readonly build: RoadsBuild;
  private readonly weights = new Map<number, Int32Array>();
  private readonly heap: Heap;
  private readonly label: Int32Array;
  private readonly stamp: Int32Array;
  private run = 0;

  constructor(build: RoadsBuild) {
    const { edgeCount } = build.layout.topology;
    this.build = build;
    this.heap = new Heap(edgeCount);
    this.label = new Int32Array(edgeCount);
    this.stamp = new Int32Array(edgeCount);
  }

  /** Weight [0.1 s] of the lightest path, undefined when there is none. */
  weight(mode: number, avoid: number, starts: readonly EndPoint[], ends: readonly EndPoint[]): number | undefined {
    const { layout } = this.build;
    const arcs = this.build.arcs[mode];
    const key = mode * 16 + avoid;
    let weights = this.weights.get(key);
    if (!weights) {
      weights = metricWeights(layout.topology, arcs, avoid, AVOID_FACTOR);
      this.weights.set(key, weights);
    }
    const edgeOf = ({ tile, edge }: EndPoint) => layout.tiles[tile.index].edges[edge];
    const { heap, label, stamp } = this;
    const run = ++this.run;
    heap.clear();
    const relax = (edge: number, cost: number) => {
      if (stamp[edge] === run && label[edge] <= cost) return;
      stamp[edge] = run;
      label[edge] = cost;
      heap.set(edge, cost);
    };
    const relaxArcs = (edge: number, cost: number) => {
      for (let i = arcs.first[edge]; i < arcs.first[edge + 1]; i++) {
        relax(arcs.to[i], cost + arcs.turnWeight[i] + weights[arcs.to[i]]);
      }
    };
    let best = Number.POSITIVE_INFINITY;
    for (const start of starts) {
      const edge = edgeOf(start);
      relaxArcs(edge, Math.round(weights[edge] * (1 - start.share)));
      for (const end of ends) {
        if (edgeOf(end) !== edge || end.share < start.share) continue;
        best = Math.min(best, Math.round(weights[edge] * (end.share - start.share)));
      }
    }
    const targets = new Map<number, number>();
    let slack = 0;
    for (const end of ends) {
      const edge = edgeOf(end);
      const rest = Math.round(weights[edge] * (1 - end.share));
      targets.set(edge, Math.max(rest, targets.get(edge) ?? 0));
      slack = Math.max(slack, rest);
    }
    while (heap.size > 0 && heap.least - slack < best) {
      const cost = heap.least;
      const edge = heap.pop();
      const rest = targets.get(edge);
      if (rest !== undefined) best = Math.min(best, cost - rest);
      relaxArcs(edge, cost);
    }
    return best < Number.POSITIVE_INFINITY ? best : undefined;
  }
}
