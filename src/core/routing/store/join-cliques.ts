import { type NarrowTable, UNREACHABLE } from "../graph/narrow.ts";
import { tileLabels as labels, looked } from "./search-labels.ts";

/** The cells inside a larger one. Labels are numbers of the edges that enter them, and after those of the edges out of the larger cell. */
interface CellsInside {
  /** By label of an edge that enters a cell: the cell, and its row there. */
  childOf: Int32Array;
  rowOf: Int32Array;
  /** By cell: labels of its edges out, in the order of columns. */
  labels: readonly Int32Array[];
  /** By cell. */
  tables: readonly NarrowTable[];
}

/** Where `joinCliques` writes, row by row. */
interface Table {
  weight: Int32Array;
  duration: Int32Array;
  distance: Int32Array;
  /** Where a path across the cells inside depends on the hour; absent if none does. */
  hours?: Uint8Array | undefined;
}

/**
 * Dijkstra's algorithm from every edge that enters a cell, across the cliques of the cells inside. `starts`: labels of the edges
 * that enter it, −1 for one that leads nowhere; `width`: number of edges that leave it.
 */
export function joinCliques(
  starts: ArrayLike<number>,
  width: number,
  { childOf, rowOf, labels: nextsOf, tables }: CellsInside,
  { weight, duration, distance, hours }: Table,
): void {
  const inner = childOf.length;
  weight.fill(UNREACHABLE, 0, starts.length * width);
  for (let row = 0; row < starts.length; row++) {
    const start = starts[row];
    if (start < 0) continue;
    labels.reset(inner + width, "duration", "distance", "place");
    const { heap, key: keys, duration: durations, distance: distances, place: bits } = labels;
    labels.lower(start, 0);
    durations[start] = distances[start] = bits[start] = 0;
    let found = 0;
    while (heap.size > 0 && found < width) {
      const key = heap.least;
      const label = heap.pop();
      if (label >= inner) {
        const at = row * width + label - inner;
        weight[at] = key;
        duration[at] = durations[label];
        distance[at] = distances[label];
        if (hours) hours[at] = bits[label];
        found++;
        continue;
      }
      const nexts = nextsOf[childOf[label]];
      const { weight: weights, none, duration: times, distance: lengths, hours: own } = tables[childOf[label]];
      const base = rowOf[label] * nexts.length;
      looked.at += nexts.length;
      for (let column = 0; column < nexts.length; column++) {
        const across = weights[base + column];
        if (across === none) continue;
        const next = nexts[column];
        const sum = key + across;
        if (sum >= keys[next]) continue;
        labels.lower(next, sum);
        durations[next] = durations[label] + times[base + column];
        distances[next] = distances[label] + lengths[base + column];
        if (hours) bits[next] = bits[label] | (own?.[base + column] ?? 0);
      }
    }
  }
}
