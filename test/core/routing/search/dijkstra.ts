import { metricWeights, withTraffic } from "../../../../src/core/routing/graph/arcs.ts";
import { Heap } from "../../../../src/core/routing/graph/heap.ts";
import { AVOID_FACTOR, type Metric } from "../../../../src/core/routing/graph/modes.ts";
import type { Numbers } from "../../../../src/core/routing/graph/topology.ts";
import type { EndPoint } from "../../../../src/core/routing/search/end-points.ts";
import type { RoadsBuild } from "../graph/whole-graph.ts";

/** Dijkstra's algorithm (1959) on the whole edge-based graph, nothing clever: what the overlay is compared with. */
export class Dijkstra {
  private readonly build: RoadsBuild;
  private readonly weights = new Map<number, Numbers>();
  private readonly heap: Heap;
  private readonly label: Int32Array;
  private readonly stamp: Int32Array;
  private readonly change: ((edge: number, weight: number) => number) | undefined;
  private runs = 0;

  /** `change`: what an edge weighs in place of its weight, Infinity where it may not be used. */
  constructor(build: RoadsBuild, change?: (edge: number, weight: number) => number) {
    const { edgeCount } = build.part.topology;
    this.build = build;
    this.change = change;
    this.heap = new Heap(edgeCount);
    this.label = new Int32Array(edgeCount);
    this.stamp = new Int32Array(edgeCount);
  }

  /** Weight [0.1 s] of the lightest path, undefined when there is none. */
  weight(metric: Metric, starts: readonly EndPoint[], ends: readonly EndPoint[]): number | undefined {
    return this.run(metric, starts, ends)(ends);
  }

  /** From the starts to everywhere: the answer tells the weight to any ends, until the next question is asked. */
  tree(metric: Metric, starts: readonly EndPoint[]): (ends: readonly EndPoint[]) => number | undefined {
    return this.run(metric, starts, undefined);
  }

  /** Searches from the starts, until nothing nearer can lie ahead of `until`, or to the end. */
  private run(metric: Metric, starts: readonly EndPoint[], until: readonly EndPoint[] | undefined) {
    const arcs = this.build.arcs[metric.mode];
    const weights = this.weightsOf(metric);
    const { heap, label, stamp } = this;
    const run = ++this.runs;
    heap.clear();
    const relaxArcs = (edge: number, cost: number) => {
      for (let i = arcs.first[edge]; i < arcs.first[edge + 1]; i++) {
        const next = arcs.to[i];
        const sum = cost + arcs.turnWeight[arcs.turn[i]] + weights[next];
        if (sum === Number.POSITIVE_INFINITY) continue;
        if (stamp[next] === run && label[next] <= sum) continue;
        stamp[next] = run;
        label[next] = sum;
        heap.set(next, sum);
      }
    };
    for (const start of starts) {
      const edge = this.edgeOf(start);
      relaxArcs(edge, Math.round(weights[edge] * (1 - start.share)));
    }
    // How much of each edge lies beyond an end on it.
    const targets = new Map<number, number>();
    for (const end of until ?? []) {
      const edge = this.edgeOf(end);
      targets.set(edge, Math.max(Math.round(weights[edge] * (1 - end.share)), targets.get(edge) ?? 0));
    }
    const slack = Math.max(0, ...targets.values());
    let bound = Number.POSITIVE_INFINITY;
    while (heap.size > 0 && heap.least - slack < bound) {
      const cost = heap.least;
      const edge = heap.pop();
      const rest = targets.get(edge);
      if (rest !== undefined) bound = Math.min(bound, cost - rest);
      relaxArcs(edge, cost);
    }
    return (ends: readonly EndPoint[]): number | undefined => {
      let best = Number.POSITIVE_INFINITY;
      for (const end of ends) {
        const edge = this.edgeOf(end);
        if (stamp[edge] === run) best = Math.min(best, label[edge] - Math.round(weights[edge] * (1 - end.share)));
        for (const start of starts) {
          if (this.edgeOf(start) !== edge || end.share < start.share) continue;
          best = Math.min(best, Math.round(weights[edge] * (end.share - start.share)));
        }
      }
      return best < Number.POSITIVE_INFINITY ? best : undefined;
    };
  }

  private edgeOf({ tile, edge }: EndPoint): number {
    return this.build.tiles[tile.index].edges[edge];
  }

  private weightsOf({ mode, avoid, bucket = 0 }: Metric): Numbers {
    const key = (bucket * 4 + mode) * 16 + avoid;
    let weights = this.weights.get(key);
    if (!weights) {
      const { topology } = this.build.part;
      const arcs = withTraffic(topology, this.build.arcs[mode], bucket);
      weights = metricWeights(topology, arcs, avoid, AVOID_FACTOR);
      const { change } = this;
      if (change) weights = Float64Array.from(weights, (weight, edge) => change(edge, weight)) as unknown as Numbers;
      this.weights.set(key, weights);
    }
    return weights;
  }
}
