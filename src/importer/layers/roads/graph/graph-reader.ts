import { loadGraph, saveGraph, withoutShapes } from "./graph-file.ts";
import type { RoadGraph } from "./road-graph.ts";

/**
 * The graph of a layer for the steps that need it: each opens it and lets go of it. It is created once and is in a file from
 * then on; what is still in memory when it is opened again is used again, so that no column is ever there twice.
 */
export class GraphReader {
  readonly #path: string;
  /** Just made, and not asked for yet. */
  #made: RoadGraph | undefined;
  /** Handed out, and perhaps let go since. */
  #last: WeakRef<RoadGraph> | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  async save(graph: RoadGraph): Promise<void> {
    await saveGraph(this.#path, graph);
    this.#made = graph;
  }

  /** Without `shapes` the lines and names stay out of memory: dividing needs neither. */
  async open({ shapes }: { shapes: boolean }): Promise<RoadGraph> {
    const known = this.#made ?? this.#last?.deref();
    this.#made = undefined;
    const graph =
      known && !shapes ? withoutShapes(known) : await loadGraph(this.#path, { shapes, ...(known && { known }) });
    this.#last = new WeakRef(graph);
    return graph;
  }
}
