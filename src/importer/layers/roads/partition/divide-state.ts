import { RADIANS } from "../../../../core/geo/distance.ts";

/** Directions in which a cell is cut: across, along, and six between. */
export const DIRECTIONS = [
  [1, 0],
  [0, 1],
  [1, 1],
  [1, -1],
  [2, 1],
  [1, 2],
  [2, -1],
  [1, -2],
] as const;

/**
 * Larger cells are cut in the first four directions only: the others seldom win there, and cost the most. Smaller ones
 * are copied out and divided to the end in one go.
 */
export const SMALL_CELL = 20_000;
export const WIDE_DIRECTIONS = 4;

/**
 * The state of dividing a graph: one set of arrays for all threads, as cells that are divided at the same time have no
 * node and no road in common. Some 64 bytes a junction, where 1.33 roads begin at each. Nodes are numbered again, so that
 * those near each other on the ground are so in memory: searches wait for memory more than for anything else.
 */
export interface DivideState {
  /** The graph's number of a node. */
  nodeOf: Int32Array;
  /** By the graph's numbers. */
  latitude: Int32Array;
  longitude: Int32Array;
  scales: readonly OrderScale[];
  /** Roads at node n: roadsAt[n] ≤ i < roadsAt[n + 1]. */
  roadsAt: Int32Array;
  otherEnd: Int32Array;
  /** Road × 2 + 1 at its start, + 0 at its end. */
  road: Int32Array;
  /** Along each road: −1, 0, 1. */
  flow: Int8Array;
  /** Nodes of each cell side by side, in the order of a direction. */
  orders: readonly Int32Array[];
  /** By node: where its cell begins in the orders. */
  cell: Int32Array;
  /** By node: 1 on the source's side of the best cut, 2 among the sinks. */
  marks: Uint8Array;
  depth: Int32Array;
  next: Int32Array;
  /** By place in the orders. */
  queue: Int32Array;
}

/** How a place becomes a whole number along a direction. */
interface OrderScale {
  least: number;
  scale: number;
  /** A node's number takes so many: key × numbers + node is exact in a float. */
  numbers: number;
}

/** Shared memory, so that threads see it without a copy. */
export const sharedInts = (count: number) => new Int32Array(new SharedArrayBuffer(count * 4));
const sharedBytes = (count: number) => new SharedArrayBuffer(count);

export function divideState(
  latitude: Int32Array,
  longitude: Int32Array,
  roadsFrom: Int32Array,
  roadsTo: Int32Array,
): DivideState {
  const count = latitude.length;
  const scales = DIRECTIONS.map((_, direction) => scaleAlong(latitude, longitude, direction));
  const nodeOf = alongCurve(latitude, longitude);
  const numberOf = sharedInts(count);
  for (let number = 0; number < count; number++) numberOf[nodeOf[number]] = number;
  const orders = scales.slice(0, WIDE_DIRECTIONS).map((scale, direction) => {
    const keys = new Float64Array(count);
    for (let node = 0; node < count; node++) keys[node] = sortKey(latitude, longitude, direction, scale, node);
    const order = numbersInOrder(keys, scale, sharedInts(count));
    for (let i = 0; i < count; i++) order[i] = numberOf[order[i]];
    return order;
  });
  const roadsAt = sharedInts(count + 1);
  for (let road = 0; road < roadsFrom.length; road++) {
    if (roadsFrom[road] === roadsTo[road]) continue;
    roadsAt[numberOf[roadsFrom[road]] + 1]++;
    roadsAt[numberOf[roadsTo[road]] + 1]++;
  }
  for (let node = 0; node < count; node++) roadsAt[node + 1] += roadsAt[node];
  const next = sharedInts(count);
  next.set(roadsAt.subarray(0, count));
  const otherEnd = sharedInts(roadsAt[count]);
  const roads = sharedInts(roadsAt[count]);
  for (let road = 0; road < roadsFrom.length; road++) {
    const from = numberOf[roadsFrom[road]];
    const to = numberOf[roadsTo[road]];
    if (from === to) continue;
    otherEnd[next[from]] = to;
    roads[next[from]++] = road * 2 + 1;
    otherEnd[next[to]] = from;
    roads[next[to]++] = road * 2;
  }
  // Its memory serves on: no one asks for these numbers any more.
  const depth = numberOf.fill(-1);
  return {
    nodeOf,
    latitude: shared(latitude),
    longitude: shared(longitude),
    scales,
    roadsAt,
    otherEnd,
    road: roads,
    flow: new Int8Array(sharedBytes(roadsFrom.length)),
    orders,
    cell: sharedInts(count),
    marks: new Uint8Array(sharedBytes(count)),
    depth,
    next,
    queue: sharedInts(count),
  };
}

/** Nodes along a Z-order curve over up to 16,384 × 16,384 squares, by number within each. */
function alongCurve(latitude: Int32Array, longitude: Int32Array): Int32Array {
  const count = latitude.length;
  const keys = new Float64Array(count);
  const numbers = 2 ** Math.max(1, Math.ceil(Math.log2(Math.max(1, count))));
  const bits = Math.min(14, Math.floor((53 - Math.log2(numbers)) / 2));
  const [south, west] = [least(latitude), least(longitude)];
  const extent = Math.max(1, most(latitude) - south, most(longitude) - west);
  const scale = (2 ** bits - 1) / extent;
  for (let node = 0; node < count; node++) {
    const x = spread(Math.floor((longitude[node] - west) * scale));
    const y = spread(Math.floor((latitude[node] - south) * scale));
    keys[node] = (x * 2 + y) * numbers + node;
  }
  keys.sort();
  const order = sharedInts(count);
  for (let i = 0; i < count; i++) order[i] = keys[i] % numbers;
  return order;
}

/** A number of 14 bits with a gap between every two of them. */
function spread(value: number): number {
  let bits = value & 0x3fff;
  bits = (bits | (bits << 8)) & 0x00ff00ff;
  bits = (bits | (bits << 4)) & 0x0f0f0f0f;
  bits = (bits | (bits << 2)) & 0x33333333;
  return (bits | (bits << 1)) & 0x55555555;
}

const least = (column: Int32Array) => column.reduce((so, value) => (value < so ? value : so), 2 ** 31 - 1);
const most = (column: Int32Array) => column.reduce((so, value) => (value > so ? value : so), -(2 ** 31));

function shared(column: Int32Array): Int32Array {
  if (column.buffer instanceof SharedArrayBuffer) return column;
  const copy = sharedInts(column.length);
  copy.set(column);
  return copy;
}

/** Up to 2²³ nodes have 30 bits of key and 23 of number; beyond, the number takes what it needs from the key. */
export function scaleAlong(latitude: Int32Array, longitude: Int32Array, direction: number): OrderScale {
  const count = latitude.length;
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (let node = 0; node < count; node++) {
    const along = placeAlong(latitude, longitude, direction, node);
    if (along < least) least = along;
    if (along > most) most = along;
  }
  const numberBits = Math.max(23, Math.ceil(Math.log2(Math.max(1, count))));
  const keyBits = Math.min(30, 53 - numberBits);
  return { least, scale: most > least ? (2 ** keyBits - 1) / (most - least) : 0, numbers: 2 ** numberBits };
}

const placeAlong = (latitude: Int32Array, longitude: Int32Array, direction: number, node: number) => {
  const [dx, dy] = DIRECTIONS[direction];
  return longitude[node] * Math.cos((latitude[node] / 1e6) * RADIANS) * dx + latitude[node] * dy;
};

/** Place and number of a node in one float, so that the sort needs no comparison function. */
export function sortKey(
  latitude: Int32Array,
  longitude: Int32Array,
  direction: number,
  { least, scale, numbers }: OrderScale,
  node: number,
): number {
  return Math.floor((placeAlong(latitude, longitude, direction, node) - least) * scale) * numbers + node;
}

/** Sorts the keys, and takes the numbers out of them. */
export function numbersInOrder(keys: Float64Array, { numbers }: OrderScale, into: Int32Array): Int32Array {
  keys.sort();
  for (let i = 0; i < keys.length; i++) into[i] = keys[i] % numbers;
  return into;
}
