import { Heap } from "./heap.ts";
import type { EndPoint, OverlayWindow } from "./overlay.ts";
import { type Clique, UNREACHABLE } from "./pack.ts";
import { sameEdge } from "./search.ts";

const heap = new Heap(1);
let key = new Int32Array(0);
let time = new Float64Array(0);
let stamp = new Int32Array(0);
let run = 0;

function reserve(labels: number): void {
  heap.clear();
  if (labels <= key.length) return;
  const size = Math.ceil(labels * 1.3);
  heap.reserve(size);
  key = new Int32Array(size);
  time = new Float64Array(size);
  stamp = new Int32Array(size);
  run = 0;
}

/**
 * One to many over the overlay: the search goes from the starts up the levels and down again into every search cell that
 * holds an end (Delling, Goldberg & Werneck 2011 call it one-to-many by restriction). Puts into `times`, by the owner of
 * an end, how long the best way takes [s], where it takes no longer than `within`. Exact. The window has loaded
 * the tiles of starts and ends.
 */
export function reachSearch(
  window: OverlayWindow,
  starts: readonly EndPoint[],
  ends: readonly EndPoint[],
  within: number,
  times: Float64Array,
): void {
  const { store, views, bases, blocks, viewOfTile, metric } = window;
  const { manifest } = store;
  const ids = manifest.crossingCount;
  const rows = store.rows[metric.mode];
  const top = manifest.levels - 1;
  const mark = store.nextMark();
  /** By view: the search cells seen edge by edge. */
  const seen = views.map(({ tile }) => new Uint8Array(tile.cellCount));
  const open = (view: number, node: number) => {
    const { tile } = views[view];
    for (let level = 1; level <= top; level++) store.markStamps[level][manifest.cellOf[level][tile.index]] = mark;
    seen[view][tile.nodeCell[node]] = 1;
  };
  for (const { tile, edge } of starts) open(viewOfTile.get(tile.index)!, tile.head[edge]);
  for (const { tile, edge } of ends) open(viewOfTile.get(tile.index)!, tile.tail[edge]);

  reserve(window.labelCount);
  const own = ++run;
  const limit = within * 10;
  const relax = (label: number, cost: number, spent: number) => {
    if (stamp[label] === own && key[label] <= cost) return;
    stamp[label] = own;
    key[label] = cost;
    time[label] = spent;
    heap.set(label, cost);
  };
  const relaxArcs = (view: number, edge: number, cost: number, spent: number) => {
    const { arcs, weight } = views[view];
    for (let i = arcs.first[edge]; i < arcs.first[edge + 1]; i++) {
      const next = arcs.to[i];
      const sum = spent + arcs.turnDuration[i] + arcs.duration[next];
      relax(window.label(view, next), cost + arcs.turnWeight[i] + weight[next], sum);
    }
  };
  for (const { tile, edge, share } of starts) {
    const view = viewOfTile.get(tile.index)!;
    const { weight, arcs } = views[view];
    relaxArcs(view, edge, Math.round(weight[edge] * (1 - share)), arcs.duration[edge] * (1 - share));
  }
  while (heap.size > 0) {
    const cost = heap.least;
    const label = heap.pop();
    const spent = time[label];
    // Time only grows along a way: nothing beyond is in time.
    if (spent > limit) continue;
    const inner = label >= ids;
    const innerView = inner ? blocks[(label - ids) >> 10] : -1;
    const tileIndex = inner ? views[innerView].tile.index : manifest.headTile[label];
    let level = top;
    while (level >= 1 && store.markStamps[level][manifest.cellOf[level][tileIndex]] === mark) level--;
    let clique: Clique;
    let row: number;
    let view = -1;
    if (level > 0) {
      clique = window.clique(level, manifest.cellOf[level][tileIndex]);
      row = rows[level][label];
    } else {
      view = inner ? innerView : viewOfTile.get(tileIndex)!;
      const { tile } = views[view];
      const edge = inner ? label - bases[view] : tile.entering[label - tile.firstEntering];
      const cell = tile.nodeCell[tile.head[edge]];
      if (window.isPlain[view] || seen[view][cell] === 1) {
        relaxArcs(view, edge, cost, spent);
        continue;
      }
      clique = views[view].clique(cell);
      row = views[view].cells.row[edge];
    }
    const { outs, weight, duration } = clique;
    for (let c = 0, at = row * outs.length; c < outs.length; c++, at++) {
      if (weight[at] >= UNREACHABLE) continue;
      relax(view < 0 ? outs[c] : window.label(view, outs[c]), cost + weight[at], spent + duration[at]);
    }
  }
  collect(window, starts, ends, own, within, times);
}

/** Of each owner's ends the one with the least weight tells the time. */
function collect(
  window: OverlayWindow,
  starts: readonly EndPoint[],
  ends: readonly EndPoint[],
  own: number,
  within: number,
  times: Float64Array,
): void {
  const least = new Map<number, number>();
  const offer = (owner: number, weight: number, seconds: number) => {
    if (weight >= (least.get(owner) ?? Number.POSITIVE_INFINITY)) return;
    least.set(owner, weight);
    times[owner] = seconds <= within ? seconds : Number.POSITIVE_INFINITY;
  };
  for (const end of ends) {
    const { tile, edge, share, owner } = end;
    const view = window.viewOfTile.get(tile.index)!;
    const { weight, arcs } = window.views[view];
    const label = window.label(view, edge);
    if (stamp[label] === own) {
      const rest = 1 - share;
      offer(owner, key[label] - Math.round(weight[edge] * rest), (time[label] - arcs.duration[edge] * rest) / 10);
    }
    for (const start of starts) {
      if (share < start.share || !sameEdge(start, end)) continue;
      const part = share - start.share;
      offer(owner, Math.round(weight[edge] * part), (arcs.duration[edge] * part) / 10);
    }
  }
}
