import { bestCut, type Cut, endsOf, splitBySide } from "./best-cut.ts";
import { type DivideState, WIDE_DIRECTIONS } from "./divide-state.ts";

const SOURCE_SIDE = 1;
const SINK = 2;
const SOURCE = 4;

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
  const { marks, roadsAt, road, flow, depth, queue } = state;
  const order = state.orders[direction];
  const ends = endsOf(high - low);
  for (let i = low; i < high; i++) {
    const node = order[i];
    const kind = i < low + ends ? SOURCE : i >= high - ends ? SINK : 0;
    marks[node] = (marks[node] & SOURCE_SIDE) | kind;
    depth[node] = -1;
    // Roads into other cells lose nothing: none of them is cut any more.
    for (let j = roadsAt[node]; j < roadsAt[node + 1]; j++) if ((road[j] & 1) === 1) flow[road[j] >> 1] = 0;
  }
  const sources = edgeOf(state, low, SOURCE, order.subarray(low, low + ends));
  const sinks = edgeOf(state, low, SINK, order.subarray(high - ends, high));
  const path: number[] = [];
  let total = 0;
  let end = low;
  for (;;) {
    for (let i = low; i < end; i++) depth[queue[i]] = -1;
    const layer = layers(state, low, sinks);
    end = layer.end;
    if (layer.reached < 0)
      return { flow: total, size: sourceSide(state, low, end, order.subarray(low, low + ends), sources) };
    for (let i = 0; i < sources.length; i++) {
      if (depth[sources[i]] !== layer.reached) continue;
      while (augment(state, sources[i], path)) if (++total > limit) return undefined;
    }
  }
}

/** The nodes of a kind with a road to one of another kind: no path leads through the rest. */
function edgeOf(
  { roadsAt, otherEnd, cell, marks }: DivideState,
  low: number,
  kind: number,
  nodes: Int32Array,
): Int32Array {
  return nodes.filter((node) => {
    for (let j = roadsAt[node]; j < roadsAt[node + 1]; j++)
      if (cell[otherEnd[j]] === low && (marks[otherEnd[j]] & kind) === 0) return true;
    return false;
  });
}

/**
 * Breadth-first depths from the sink against the capacity that is left, up to the nearest source: every path along falling depths then ends
 * in the sink. `reached`: the depth of that source, −1 without one; `end`: after the nodes with a depth, in the queue.
 */
function layers(
  { roadsAt, otherEnd, road, flow, cell, marks, depth, next, queue }: DivideState,
  low: number,
  sinks: Int32Array,
): { reached: number; end: number } {
  queue.set(sinks, low);
  for (let i = 0; i < sinks.length; i++) depth[sinks[i]] = 0;
  let tail = low + sinks.length;
  let reached = -1;
  for (let head = low; head < tail; head++) {
    const node = queue[head];
    const deeper = depth[node] + 1;
    if (reached >= 0 && deeper > reached) break;
    const end = roadsAt[node + 1];
    for (let j = roadsAt[node]; j < end; j++) {
      const there = otherEnd[j];
      if (cell[there] !== low || depth[there] >= 0 || (marks[there] & SINK) !== 0) continue;
      const way = road[j];
      // From there to here, so against the direction from here.
      if (((way & 1) === 1 ? -flow[way >> 1] : flow[way >> 1]) >= 1) continue;
      depth[there] = deeper;
      next[there] = roadsAt[there];
      queue[tail++] = there;
      if ((marks[there] & SOURCE) !== 0) reached = deeper;
    }
  }
  return { reached, end: tail };
}

/** Gives the nodes that capacity is left to from the source a depth, and no others, and returns how many they are. */
function sourceSide(
  { roadsAt, otherEnd, road, flow, cell, depth, queue }: DivideState,
  low: number,
  end: number,
  all: Int32Array,
  sources: Int32Array,
): number {
  for (let i = low; i < end; i++) depth[queue[i]] = -1;
  for (let i = 0; i < all.length; i++) depth[all[i]] = 0;
  queue.set(sources, low);
  let tail = low + sources.length;
  for (let head = low; head < tail; head++) {
    const node = queue[head];
    for (let j = roadsAt[node]; j < roadsAt[node + 1]; j++) {
      const there = otherEnd[j];
      if (cell[there] !== low || depth[there] >= 0) continue;
      const way = road[j];
      if (((way & 1) === 1 ? flow[way >> 1] : -flow[way >> 1]) >= 1) continue;
      depth[there] = 0;
      queue[tail++] = there;
    }
  }
  return all.length + tail - low - sources.length;
}

/** One path from a source node to the sink along falling depths. `path`: scratch. */
function augment(
  { roadsAt, otherEnd, road, flow, cell, depth, next }: DivideState,
  source: number,
  path: number[],
): boolean {
  const low = cell[source];
  let length = 0;
  let node = source;
  for (;;) {
    const nearer = depth[node] - 1;
    if (nearer < 0) {
      for (let i = 0; i < length; i++) flow[road[path[i]] >> 1] += (road[path[i]] & 1) === 1 ? 1 : -1;
      return true;
    }
    const end = roadsAt[node + 1];
    let j = next[node];
    for (; j < end; j++) {
      const there = otherEnd[j];
      if (cell[there] !== low || depth[there] !== nearer) continue;
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
