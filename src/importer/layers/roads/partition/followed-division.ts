import type { RoadGraph } from "../graph/road-graph.ts";
import type { CarriedRoads } from "./carried-roads.ts";
import { type Division, divisionOf } from "./division.ts";

/** A cell may grow to so many times what it is divided by, before all is divided again. */
const GROWTH = 1.5;
/** Share of junctions that may be new: where there are more, cells that fit are worth more than cells that are known. */
const MAX_NEW_SHARE = 0.1;
/** Junctions that no road leads to from a known one: each takes a look at all of them. */
const MAX_ISOLATED_JUNCTIONS = 1000;

/**
 * Divides a graph as the one before it was: a junction that stands where one stood is in its cell, a new one in that of its
 * neighbours along roads (of most of them, of the least number where as many say another), one without any in that of the nearest.
 * Search cells that lost all junctions are gone.
 *
 * @returns undefined where the graph is to be divided again: too much is new, a cell has grown too large, or a tile is empty
 */
export function followedDivision(
  graph: RoadGraph,
  carried: CarriedRoads,
  sizes: readonly number[],
): Division | undefined {
  if (carried.sizes.join() !== sizes.join()) return undefined;
  const cells = knownCells(graph, carried);
  const fresh: number[] = [];
  for (let node = 0; node < cells.length; node++) if (cells[node] < 0) fresh.push(node);
  if (fresh.length > MAX_NEW_SHARE * cells.length || !joinNeighbours(graph, cells, fresh)) return undefined;
  const { levels, cellCounts } = carried;
  const tileCounts = new Int32Array(cellCounts[1]);
  const counts = new Int32Array(cellCounts[0]);
  for (const cell of cells) {
    counts[cell]++;
    tileCounts[carried.tileOf[cell]]++;
  }
  if (counts.some((count) => count > GROWTH * sizes[0])) return undefined;
  if (tileCounts.some((count) => count === 0 || count > GROWTH * sizes[1])) return undefined;
  const kept = counts.map((count) => (count > 0 ? 1 : 0));
  const numbers = new Int32Array(counts.length);
  for (let cell = 1; cell < counts.length; cell++) numbers[cell] = numbers[cell - 1] + kept[cell - 1];
  const tileOf = carried.tileOf.filter((_, cell) => kept[cell] === 1);
  return divisionOf({
    levels,
    searchCellOf: cells.map((cell) => numbers[cell]),
    cellOf: Array.from({ length: levels }, (_, level) => {
      if (level === 0) return tileOf.map((_, cell) => cell);
      return level === 1 ? tileOf : tileOf.map((tile) => carried.cellOf[level][tile]);
    }),
    parentOf: [tileOf, ...carried.parentOf.slice(1)],
    cellCounts: [tileOf.length, ...cellCounts.slice(1)],
  });
}

/** By junction: the search cell of the one that stood there, −1 where none did. Of two in one place each serves once. */
function knownCells({ nodeCount, nodeLatitude, nodeLongitude }: RoadGraph, carried: CarriedRoads): Int32Array {
  const { latitude, longitude, cell } = carried;
  const mask = 2 ** Math.ceil(Math.log2(2 * cell.length + 2)) - 1;
  const slotOf = (y: number, x: number) => (Math.imul(y, 0x9e3779b1) ^ Math.imul(x, 0x85ebca6b)) & mask;
  const slots = new Int32Array(mask + 1);
  for (let place = 0; place < cell.length; place++) {
    let slot = slotOf(latitude[place], longitude[place]);
    while (slots[slot] > 0) slot = (slot + 1) & mask;
    slots[slot] = place + 1;
  }
  const used = new Uint8Array(cell.length);
  const cells = new Int32Array(nodeCount).fill(-1);
  for (let node = 0; node < nodeCount; node++) {
    const [y, x] = [nodeLatitude[node], nodeLongitude[node]];
    for (let slot = slotOf(y, x); slots[slot] > 0; slot = (slot + 1) & mask) {
      const place = slots[slot] - 1;
      if (latitude[place] !== y || longitude[place] !== x || used[place] === 1) continue;
      used[place] = 1;
      cells[node] = cell[place];
      break;
    }
  }
  return cells;
}

/** Gives new junctions the cells of their neighbours, from known ones on. Whether it could. */
function joinNeighbours(graph: RoadGraph, cells: Int32Array, fresh: readonly number[]): boolean {
  const neighbours = new Map<number, number[]>(fresh.map((node) => [node, []]));
  for (let piece = 0; piece < graph.pieceCount; piece++) {
    const [from, to] = [graph.pieceStart[piece], graph.pieceEnd[piece]];
    if (cells[from] < 0) neighbours.get(from)?.push(to);
    if (cells[to] < 0) neighbours.get(to)?.push(from);
  }
  let waiting = [...fresh];
  for (let alone = 0; waiting.length > 0; ) {
    // All of a pass together, so that the order in which they come makes no difference.
    const found = waiting.map((node) => mostOf(neighbours.get(node) ?? [], cells));
    if (found.every((cell) => cell < 0)) {
      if (++alone > MAX_ISOLATED_JUNCTIONS) return false;
      found[0] = nearest(graph, cells, waiting[0]);
      if (found[0] < 0) return false;
    }
    const left: number[] = [];
    for (const [i, node] of waiting.entries()) {
      if (found[i] < 0) left.push(node);
      else cells[node] = found[i];
    }
    waiting = left;
  }
  return true;
}

function mostOf(nodes: readonly number[], cells: Int32Array): number {
  let best = -1;
  let most = 0;
  for (const node of nodes) {
    const cell = cells[node];
    if (cell < 0) continue;
    const count = nodes.filter((other) => cells[other] === cell).length;
    if (count > most || (count === most && cell < best)) [best, most] = [cell, count];
  }
  return best;
}

function nearest({ nodeLatitude, nodeLongitude }: RoadGraph, cells: Int32Array, node: number): number {
  const shrink = Math.cos((nodeLatitude[node] / 1e6) * (Math.PI / 180));
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  for (let other = 0; other < cells.length; other++) {
    if (cells[other] < 0) continue;
    // Squares, as the latitude alone excludes most.
    const north = nodeLatitude[other] - nodeLatitude[node];
    if (north * north >= least) continue;
    const east = (nodeLongitude[other] - nodeLongitude[node]) * shrink;
    const away = north * north + east * east;
    if (away < least) [best, least] = [cells[other], away];
  }
  return best;
}
