import { bestCut, type Cut, endsOf, splitBySide } from "./best-cut.ts";
import { type DivideState, WIDE_DIRECTIONS } from "./divide-state.ts";

const SOURCE_SIDE = 1;
const SINK = 2;

/**
 * Divides a large cell: smallest cuts by Dinic's algorithm (1970), with capacities of one per road and direction, over the
 * arrays of the whole graph, as a copy of half a country would not fit next to it. Returns where its second half begins.
 */
export function divideWideCell(state: DivideState, low: number, high: number): number {
  const { orders, marks, cell, queue } = state;
  const first = orders[0];
  const size = high - low;
  const keep = () => {
    for (let i = low; i < high; i++) marks[first[i]] &= ~SOURCE_SIDE;
    for (let i = low; i < high; i++) if (state.depth[first[i]] >= 0) marks[first[i]] |= SOURCE_SIDE;
  };
  let half = bestCut(size, WIDE_DIRECTIONS, (direction, limit) => between(state, low, high, direction, limit), keep);
  if (half === 0) {
    half = size >> 1;
    for (let i = low; i < high; i++) marks[first[i]] = i < low + half ? SOURCE_SIDE : 0;
  }
  const isSource = (node: number) => (marks[node] & SOURCE_SIDE) !== 0;
  for (const order of orders) splitBySide(order, low, high, isSource, queue);
  for (let i = low; i < high; i++) {
    marks[first[i]] = 0;
    state.depth[first[i]] = -1;
    if (i >= low + half) cell[first[i]] = low + half;
  }
  return low + half;
}

/** The smallest cut between the ends of the cell in a direction; undefined when it is over `limit`. */
function between(state: DivideState, low: number, high: number, direction: number, limit: number): Cut | undefined {
  const { marks, roadsAt, road, flow } = state;
  const order = state.orders[direction];
  const ends = endsOf(high - low);
  for (let i = low; i < high; i++) {
    const node = order[i];
    if (i >= high - ends) marks[node] |= SINK;
    else marks[node] &= ~SINK;
    state.depth[node] = -1;
    // Roads into other cells lose nothing: none of them is cut any more.
    for (let j = roadsAt[node]; j < roadsAt[node + 1]; j++) if ((road[j] & 1) === 1) flow[road[j] >> 1] = 0;
  }
  const path: number[] = [];
  let total = 0;
  let reached = low;
  for (;;) {
    for (let i = low; i < reached; i++) state.depth[state.queue[i]] = -1;
    const layer = layers(state, low, ends, order);
    reached = layer.end;
    if (!layer.sink) return { flow: total, size: reached - low };
    for (let i = low; i < low + ends; i++) {
      while (augment(state, order[i], path)) if (++total > limit) return undefined;
    }
  }
}

/** Breadth-first depths from the source in what capacity is left. */
function layers(
  { roadsAt, otherEnd, road, flow, cell, marks, depth, next, queue }: DivideState,
  low: number,
  ends: number,
  order: Int32Array,
): { sink: boolean; end: number } {
  let tail = low;
  for (; tail < low + ends; tail++) {
    const node = order[tail];
    queue[tail] = node;
    depth[node] = 0;
    next[node] = roadsAt[node];
  }
  let sinkDepth = -1;
  for (let head = low; head < tail; head++) {
    const node = queue[head];
    const deeper = depth[node] + 1;
    if (sinkDepth >= 0 && deeper > sinkDepth) break;
    const end = roadsAt[node + 1];
    for (let j = roadsAt[node]; j < end; j++) {
      const there = otherEnd[j];
      if (cell[there] !== low || depth[there] >= 0) continue;
      const way = road[j];
      if (((way & 1) === 1 ? flow[way >> 1] : -flow[way >> 1]) >= 1) continue;
      depth[there] = deeper;
      next[there] = roadsAt[there];
      queue[tail++] = there;
      if (sinkDepth < 0 && (marks[there] & SINK) !== 0) sinkDepth = deeper;
    }
  }
  return { sink: sinkDepth >= 0, end: tail };
}

/** One path from a source node to the sink along rising depths. `path`: scratch. */
function augment(
  { roadsAt, otherEnd, road, flow, cell, marks, depth, next }: DivideState,
  source: number,
  path: number[],
): boolean {
  const low = cell[source];
  let length = 0;
  let node = source;
  for (;;) {
    if ((marks[node] & SINK) !== 0) {
      for (let i = 0; i < length; i++) flow[road[path[i]] >> 1] += (road[path[i]] & 1) === 1 ? 1 : -1;
      return true;
    }
    const end = roadsAt[node + 1];
    const deeper = depth[node] + 1;
    let j = next[node];
    for (; j < end; j++) {
      const there = otherEnd[j];
      if (cell[there] !== low || depth[there] !== deeper) continue;
      const way = road[j];
      if (((way & 1) === 1 ? flow[way >> 1] : -flow[way >> 1]) < 1) break;
    }
    next[node] = j;
    if (j < end) {
      path[length++] = j;
      node = otherEnd[j];
    } else {
      if (length === 0) return false;
      length--;
      node = length === 0 ? source : otherEnd[path[length - 1]];
      next[node]++;
    }
  }
}
