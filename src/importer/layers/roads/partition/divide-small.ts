import { bestCut, endsOf, splitBySide } from "./best-cut.ts";
import { CellList } from "./cell-list.ts";
import { DIRECTIONS, type DivideState, numbersInOrder, SMALL_CELL, sortKey } from "./divide-state.ts";
import { MinimumCut } from "./minimum-cut.ts";

/**
 * Divides a small cell until no part holds more than `most` junctions. It is copied out first, its nodes numbered by
 * their place, so that all searches run over arrays as small as the cell. The nodes come to are by part in the first of
 * the state's orders; the result lists the parts, and the parts of parts (`CellList`).
 */
export function divideSmallCell(state: DivideState, low: number, high: number, most: number): Int32Array {
  const nodes = state.orders[0].slice(low, high);
  const { from, to } = roadsWithin(state, nodes, low);
  const cut = new MinimumCut(nodes.length, from, to);
  const ranked = placesByNumber(state, nodes);
  const orders = DIRECTIONS.map((_, direction) => orderOf(state, nodes, ranked, low, direction));
  const side = new Uint8Array(nodes.length);
  const scratch = new Int32Array(nodes.length);
  const cells = new CellList();
  const stack: [low: number, high: number][] = [[0, nodes.length]];
  while (stack.length > 0) {
    const [start, end] = stack.pop()!;
    if (end - start <= most) continue;
    const middle = start + bisect(cut, orders, start, end, side);
    for (const order of orders) splitBySide(order, start, end, (node) => side[node] === 1, scratch);
    for (const part of [
      [start, middle],
      [middle, end],
    ] as const) {
      cells.add(low + part[0], low + part[1], end - start);
      stack.push([...part]);
    }
  }
  for (let i = 0; i < nodes.length; i++) state.orders[0][low + i] = nodes[orders[0][i]];
  return cells.columns();
}

/** The roads between these nodes, by their places. */
function roadsWithin({ roadsAt, otherEnd, road, cell, next }: DivideState, nodes: Int32Array, low: number) {
  for (let i = 0; i < nodes.length; i++) next[nodes[i]] = i;
  let count = 0;
  const forEach = (visit: (from: number, to: number) => void) => {
    for (let i = 0; i < nodes.length; i++) {
      for (let j = roadsAt[nodes[i]]; j < roadsAt[nodes[i] + 1]; j++) {
        if ((road[j] & 1) === 1 && cell[otherEnd[j]] === low) visit(i, next[otherEnd[j]]);
      }
    }
  };
  forEach(() => count++);
  const from = new Int32Array(count);
  const to = new Int32Array(count);
  count = 0;
  forEach((a, b) => {
    from[count] = a;
    to[count++] = b;
  });
  return { from, to };
}

function placesByNumber({ nodeOf }: DivideState, nodes: Int32Array): Int32Array {
  // Number and place in one float, so that the sort needs no comparison function; small cells have few places.
  const keys = Float64Array.from(nodes, (node, place) => nodeOf[node] * SMALL_CELL + place).sort();
  return Int32Array.from(keys, (key) => key % SMALL_CELL);
}

/**
 * Places of the nodes along a direction: taken from the state where it keeps that order. `ranked`: places by the graph's
 * numbers of their nodes, which decide where two stand alike.
 */
function orderOf(
  state: DivideState,
  nodes: Int32Array,
  ranked: Int32Array,
  low: number,
  direction: number,
): Int32Array {
  const { latitude, longitude, next, nodeOf } = state;
  const kept = state.orders[direction];
  if (kept) return Int32Array.from(kept.subarray(low, low + nodes.length), (node) => next[node]);
  const scale = state.scales[direction];
  const keys = Float64Array.from(ranked, (place, rank) => {
    const node = nodeOf[nodes[place]];
    return sortKey(latitude, longitude, direction, scale, node) - node + rank;
  });
  return numbersInOrder(keys, scale, new Int32Array(nodes.length)).map((rank) => ranked[rank]);
}

/** Marks one side of the best cut in `side` and returns how many nodes it holds. */
function bisect(cut: MinimumCut, orders: Int32Array[], low: number, high: number, side: Uint8Array): number {
  const size = high - low;
  const ends = endsOf(size);
  const [first] = orders;
  cut.enter(first.subarray(low, high));
  const found = bestCut(
    size,
    orders.length,
    (direction, limit) => cut.between(orders[direction].subarray(low, high), ends, limit),
    () => {
      for (let i = low; i < high; i++) side[first[i]] = cut.onSourceSide(first[i]) ? 1 : 0;
    },
  );
  if (found > 0) return found;
  const half = size >> 1;
  for (let i = low; i < high; i++) side[first[i]] = i < low + half ? 1 : 0;
  return half;
}
