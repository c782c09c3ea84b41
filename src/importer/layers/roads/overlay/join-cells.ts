import { type Clique, UNREACHABLE } from "../../../../routing/graph/pack.ts";
import { SearchLabels } from "../../../../routing/store/search-labels.ts";
import { type CellCliques, cliqueOf, hoursIfAny, makeAll } from "./cell-cliques.ts";

/** A cell above the tiles: the ids of the edges into its tiles, and where edges begin. */
export interface CellSpan {
  firstTile: number;
  endTile: number;
  /** Ids of the edges that come into its tiles: firstId ≤ id < endId. */
  firstId: number;
  endId: number;
}

/** A cell inside, as the searches see it. Labels are ids from `firstId` on, and after them the edges out. */
interface Child {
  cell: CellCliques;
  /** By column: label of the edge out. */
  labels: Int32Array;
}

const labels = new SearchLabels();

/** The cliques of a cell from those of the cells inside, which are all that is needed. */
export function joinCells(
  children: readonly CellCliques[],
  { firstTile, endTile, firstId, endId }: CellSpan,
  tailTile: Int32Array,
  windows: number,
): CellCliques {
  const isFromInside = (id: number) => tailTile[id] >= firstTile && tailTile[id] < endTile;
  const ins = Int32Array.from(children.flatMap((child) => [...child.ins].filter((id) => !isFromInside(id)))).sort();
  const leaving = children.flatMap((child) => [...child.outs].filter((id) => id < firstId || id >= endId));
  const outs = Int32Array.from(leaving).sort();
  const inner = endId - firstId;
  const labelOfOut = new Map(Array.from(outs, (id, column) => [id, inner + column]));
  /** By label: the cell inside that the edge comes into, and its row there. */
  const childOf = new Int32Array(inner);
  const rowOf = new Int32Array(inner);
  const inside: Child[] = children.map((cell, number) => {
    cell.ins.forEach((id, row) => {
      childOf[id - firstId] = number;
      rowOf[id - firstId] = row;
    });
    return { cell, labels: cell.outs.map((id) => labelOfOut.get(id) ?? id - firstId) };
  });
  const joined: CellCliques = {
    avoid: children.reduce((sum, { avoid }) => sum | avoid, 0),
    traffic: 0,
    ins,
    outs,
    cliques: new Map(),
  };
  const touched = children.reduce((sum, { traffic }) => sum | traffic, 0);
  joined.traffic = makeAll(
    joined,
    windows,
    (bucket) => ((touched >> (bucket - 1)) & 1) === 1,
    (avoid, bucket) => {
      const planes = inside.map(({ cell }) => cliqueOf(cell, avoid, bucket));
      return makeClique(joined, inside, planes, childOf, rowOf, firstId);
    },
  );
  return joined;
}

/** Dijkstra's algorithm from every edge in, across the cliques of the cells inside. */
function makeClique(
  { ins, outs }: CellCliques,
  inside: readonly Child[],
  planes: readonly Clique[],
  childOf: Int32Array,
  rowOf: Int32Array,
  firstId: number,
): Clique {
  const inner = childOf.length;
  const width = outs.length;
  const weight = new Int32Array(ins.length * width).fill(UNREACHABLE);
  const duration = new Int32Array(ins.length * width);
  const distance = new Int32Array(ins.length * width);
  const some = planes.some(({ hours }) => hours) ? new Uint8Array(ins.length * width) : undefined;
  for (let row = 0; row < ins.length; row++) {
    labels.reset(inner + width, "duration", "distance", "place");
    const { heap, key: keys, duration: durations, distance: distances, place: bits } = labels;
    const start = ins[row] - firstId;
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
        if (some) some[at] = bits[label];
        found++;
        continue;
      }
      const { labels: nexts } = inside[childOf[label]];
      const plane = planes[childOf[label]];
      const base = rowOf[label] * nexts.length;
      for (let column = 0; column < nexts.length; column++) {
        const next = nexts[column];
        const sum = key + plane.weight[base + column];
        if (sum >= keys[next]) continue;
        labels.lower(next, sum);
        durations[next] = durations[label] + plane.duration[base + column];
        distances[next] = distances[label] + plane.distance[base + column];
        if (some) bits[next] = bits[label] | (plane.hours?.[base + column] ?? 0);
      }
    }
  }
  return { ins, outs, weight, duration, distance, ...hoursIfAny(some) };
}
