import { RADIANS } from "../../geo/distance.ts";
import { MinimumCut } from "./minimum-cut.ts";

/** The most junctions a cell of each level holds. */
export const LEVEL_SIZES: readonly number[] = [128, 1024, 8192, 65536, 524288, 4194304];

/**
 * A nested partition. Cells of a level are numbered so that the cells inside one cell of the next level follow one
 * another. Levels 0 (search cell) and 1 (tile) always exist; higher ones only where they still divide something.
 */
export interface Partition {
  levels: number;
  /** cellOf[level][node]. */
  cellOf: Int32Array[];
  /** parentOf[level][cell]: the cell of level + 1 that holds it. */
  parentOf: Int32Array[];
  cellCounts: number[];
}

/** A level of fewer cells than this is left out: it shortens searches less than its objects cost cold ones. */
const FEWEST_CELLS = 5;

/** Directions in which a cell is cut: across, along, and six between. */
const DIRECTIONS = [
  [1, 0],
  [0, 1],
  [1, 1],
  [1, -1],
  [2, 1],
  [1, 2],
  [2, -1],
  [1, -2],
] as const;

/** Share of the nodes at either end of a direction between which the smallest cut is sought. */
const END_SHARE = 0.25;

interface TreeNode {
  size: number;
  parent: number;
  low: number;
  high: number;
}

/**
 * Recursive bisection by inertial flow (Schild & Sommer 2015): order the junctions along a direction, join the first
 * and the last quarter to a source and a sink, cut where the fewest roads cross; the best of eight directions, weighed
 * by balance. The orders are made once and split with their cell, so no cell is sorted again.
 */
export function partition(
  latitude: Int32Array,
  longitude: Int32Array,
  roadsFrom: Int32Array,
  roadsTo: Int32Array,
  sizes: readonly number[] = LEVEL_SIZES,
): Partition {
  const count = latitude.length;
  const orders = DIRECTIONS.map(([dx, dy]) => orderAlong(latitude, longitude, dx, dy));
  const cut = new MinimumCut(count, roadsFrom, roadsTo);
  const tree: TreeNode[] = [{ size: count, parent: -1, low: 0, high: count }];
  const scratch = new Int32Array(count);
  const side = new Uint8Array(count);
  const leaves: number[] = [];
  const stack = [0];
  while (stack.length > 0) {
    const index = stack.pop()!;
    const { low, high, size } = tree[index];
    if (size <= sizes[0]) {
      leaves.push(index);
      continue;
    }
    const middle = low + bisect(cut, orders, low, high, side);
    for (const order of orders) splitBySide(order, low, high, side, scratch);
    tree.push({ size: middle - low, parent: index, low, high: middle });
    tree.push({ size: high - middle, parent: index, low: middle, high });
    stack.push(tree.length - 1, tree.length - 2);
  }
  return levelsOf(tree, leaves, orders[0], count, sizes);
}

function orderAlong(latitude: Int32Array, longitude: Int32Array, dx: number, dy: number): Int32Array {
  const count = latitude.length;
  const keys = new Float64Array(count);
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (let node = 0; node < count; node++) {
    keys[node] = longitude[node] * Math.cos((latitude[node] / 1e6) * RADIANS) * dx + latitude[node] * dy;
    least = Math.min(least, keys[node]);
    most = Math.max(most, keys[node]);
  }
  // Key and number in one float, so that the sort needs no comparison function: 30 bits + 23 bits.
  const scale = most > least ? (2 ** 30 - 1) / (most - least) : 0;
  for (let node = 0; node < count; node++) keys[node] = Math.floor((keys[node] - least) * scale) * 8388608 + node;
  keys.sort();
  return Int32Array.from(keys, (key) => key % 8388608);
}

/** Marks one side of the best cut in `side` and returns how many nodes it holds. */
function bisect(cut: MinimumCut, orders: Int32Array[], low: number, high: number, side: Uint8Array): number {
  const size = high - low;
  cut.enter(orders[0].subarray(low, high));
  const ends = Math.max(1, Math.floor(size * END_SHARE));
  // Large cells are cut in four directions only: the others seldom win there, and cost the most.
  const directions = size > 20_000 ? 4 : orders.length;
  let best = Number.POSITIVE_INFINITY;
  let bestSize = 0;
  for (let d = 0; d < directions; d++) {
    // A cut of half the best score or more cannot win, however even its halves are.
    const found = cut.between(orders[d].subarray(low, high), ends, Math.ceil(best / 2) - 1);
    if (!found) continue;
    const balance = Math.min(found.size, size - found.size) / size;
    const score = found.flow / Math.max(balance, 0.01);
    if (score >= best) continue;
    best = score;
    bestSize = found.size;
    for (let i = low; i < high; i++) side[orders[0][i]] = cut.onSourceSide(orders[0][i]) ? 1 : 0;
  }
  if (bestSize > 0 && bestSize < size) return bestSize;
  const half = size >> 1;
  for (let i = low; i < high; i++) side[orders[0][i]] = i < low + half ? 1 : 0;
  return half;
}

function splitBySide(order: Int32Array, low: number, high: number, side: Uint8Array, scratch: Int32Array): void {
  let write = low;
  let rest = 0;
  for (let i = low; i < high; i++) {
    if (side[order[i]] === 1) order[write++] = order[i];
    else scratch[rest++] = order[i];
  }
  order.set(scratch.subarray(0, rest), write);
}

function levelsOf(
  tree: TreeNode[],
  leaves: number[],
  order: Int32Array,
  count: number,
  sizes: readonly number[],
): Partition {
  leaves.sort((a, b) => tree[a].low - tree[b].low);
  // The cell of a level is the highest ancestor that is small enough; leaves in order make its numbers run in order
  // too.
  const raw = sizes.map((most) => {
    const cells = new Int32Array(leaves.length);
    let last = -1;
    let number = -1;
    leaves.forEach((leaf, i) => {
      let top = leaf;
      while (tree[top].parent >= 0 && tree[tree[top].parent].size <= most) top = tree[top].parent;
      if (top !== last) number++;
      last = top;
      cells[i] = number;
    });
    return { cells, count: number + 1 };
  });
  let levels = 2;
  while (levels < raw.length && raw[levels].count >= FEWEST_CELLS) levels++;
  const cellOf: Int32Array[] = [];
  const parentOf: Int32Array[] = [];
  const cellCounts: number[] = [];
  for (let level = 0; level < levels; level++) {
    const cells = new Int32Array(count);
    leaves.forEach((leaf, i) => {
      for (let at = tree[leaf].low; at < tree[leaf].high; at++) cells[order[at]] = raw[level].cells[i];
    });
    cellOf.push(cells);
    cellCounts.push(raw[level].count);
    const parents = new Int32Array(raw[level].count);
    if (level + 1 < levels) {
      for (let i = 0; i < leaves.length; i++) parents[raw[level].cells[i]] = raw[level + 1].cells[i];
    }
    parentOf.push(parents);
  }
  return { levels, cellOf, parentOf, cellCounts };
}
