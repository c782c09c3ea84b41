import { arcBetween } from "./arcs.ts";
import { Buckets } from "./buckets.ts";
import { Heap } from "./heap.ts";
import { Marks } from "./marks.ts";
import type { EndPoint, OverlayWindow } from "./overlay.ts";
import { type Clique, UNREACHABLE } from "./pack.ts";
import { sameEdge } from "./search.ts";

export interface MatrixCell {
  /** What was minimised [0.1 s]. */
  weight: number;
  /** [s] */
  duration: number;
  /** [m] */
  distance: number;
}

/**
 * Labels of one search. Keys no search has set are UNREACHABLE, so one
 * comparison refuses worse ways and missing ones alike; a search clears the keys it set.
 */
class Labels {
  readonly heap: Heap;
  readonly key: Int32Array;
  readonly time: Float64Array;
  readonly way: Float64Array;
  private readonly touched: Int32Array;
  private touchedCount = 0;

  constructor(size: number) {
    this.heap = new Heap(size);
    this.key = new Int32Array(size).fill(UNREACHABLE);
    this.time = new Float64Array(size);
    this.way = new Float64Array(size);
    this.touched = new Int32Array(size);
  }

  /** Takes over a cost that is lower than the label's. */
  lower(label: number, cost: number, seconds: number, metres: number): void {
    if (this.key[label] === UNREACHABLE) this.touched[this.touchedCount++] = label;
    this.key[label] = cost;
    this.time[label] = seconds;
    this.way[label] = metres;
    this.heap.set(label, cost);
  }

  clear(): void {
    for (let i = 0; i < this.touchedCount; i++) this.key[this.touched[i]] = UNREACHABLE;
    this.touchedCount = 0;
    this.heap.clear();
  }
}

let labels = new Labels(0);
const buckets = new Buckets();

/**
 * Many to many with buckets (Knopp, Sanders, Schultes, Schulz & Wagner 2007) over the overlay: one backward search from each
 * destination leaves its labels in buckets, one forward search from each origin collects them. Each search goes up the
 * levels around its own end only, so they meet where their cells part.
 *
 * Only the searches of one side (the one with fewer points) go on over the top level; those of the other end at the border
 * of the top cell around their own point. Exact all the same: where a way enters the destination's top cell for
 * the last time, or leaves the origin's for the first, it passes an edge that both sides have settled.
 *
 * starts[i] and ends[j] are the end points of origin i and destination j; the window has loaded their tiles.
 */
export function matrixSearch(
  window: OverlayWindow,
  starts: readonly (readonly EndPoint[])[],
  ends: readonly (readonly EndPoint[])[],
): (MatrixCell | undefined)[][] {
  for (const { tile } of [...starts.flat(), ...ends.flat()]) window.open(tile);
  if (window.labelCount > labels.key.length) labels = new Labels(Math.ceil(window.labelCount * 1.3));
  // The searches of the shorter side cross the whole network, the others stay in the top cell of their own end.
  const forwardCrosses = starts.length <= ends.length;
  buckets.clear();
  ends.forEach((points, column) => {
    if (points.length > 0) backwardSearch(window, points, column, !forwardCrosses);
  });
  buckets.arrange(window.labelCount);
  const cells = starts.map((points) => forwardSearch(window, points, ends, forwardCrosses));
  buckets.release();
  return cells;
}

function backwardSearch(window: OverlayWindow, ends: readonly EndPoint[], column: number, crosses: boolean): void {
  const { store, views, bases, blocks } = window;
  const { manifest, tailTile } = store;
  const ids = manifest.crossingCount;
  const top = manifest.levels - 1;
  const marks = new Marks(window);
  const columns = store.columns[window.metric.mode];
  const { heap, key, time, way } = labels;
  labels.clear();
  const relax = (label: number, cost: number, seconds: number, metres: number) => {
    if (cost < key[label]) labels.lower(label, cost, seconds, metres);
  };
  for (const { tile, edge, share } of ends) {
    const view = window.viewOfTile.get(tile.index)!;
    marks.add(view, tile.tail[edge]);
    const rest = 1 - share;
    relax(
      window.label(view, edge),
      -Math.round(views[view].weight[edge] * rest),
      -views[view].arcs.duration[edge] * rest,
      -tile.lengthOf(edge) * rest,
    );
  }
  while (heap.size > 0) {
    const cost = heap.least;
    const label = heap.pop();
    const seconds = time[label];
    const metres = way[label];
    buckets.add(label, column, cost, seconds, metres);
    const inner = label >= ids;
    const innerView = inner ? blocks[(label - ids) >> 10] : -1;
    const tileIndex = inner ? views[innerView].tile.index : tailTile[label];
    const level = marks.level(tileIndex);
    if (level === top && !crosses) continue;
    let clique: Clique;
    let at: number;
    let view = -1;
    if (level > 0) {
      clique = window.clique(level, manifest.cellOf[level][tileIndex]);
      at = columns[level][label];
    } else {
      view = inner ? innerView : window.viewOfTile.get(tileIndex)!;
      const { tile, arcs, weight, arriving } = views[view];
      const edge = inner ? label - bases[view] : tile.leaving.get(label)!;
      const node = tile.tail[edge];
      const cell = tile.nodeCell[node];
      if (window.isPlain[view] || marks.hasSearchCell(view, cell)) {
        for (let i = arriving.first[node]; i < arriving.first[node + 1]; i++) {
          const from = arriving.edges[i];
          const arc = arcBetween(arcs, from, edge);
          if (arc < 0) continue;
          relax(
            window.label(view, from),
            cost + weight[edge] + arcs.turnWeight[arc],
            seconds + arcs.duration[edge] + arcs.turnDuration[arc],
            metres + tile.lengthOf(edge),
          );
        }
        continue;
      }
      clique = views[view].clique(cell);
      at = views[view].cells.column[edge];
    }
    const { ins, weight, duration, distance } = clique;
    const width = clique.outs.length;
    const height = ins.length;
    if (view < 0) {
      for (let r = 0; r < height; r++, at += width) {
        const sum = cost + weight[at];
        if (sum < key[ins[r]]) labels.lower(ins[r], sum, seconds + duration[at], metres + distance[at]);
      }
      continue;
    }
    const { crossing } = views[view].tile;
    for (let r = 0; r < height; r++, at += width) {
      const sum = cost + weight[at];
      const next = crossing[ins[r]] >= 0 ? crossing[ins[r]] : bases[view] + ins[r];
      if (sum < key[next]) labels.lower(next, sum, seconds + duration[at], metres + distance[at]);
    }
  }
}

function forwardSearch(
  window: OverlayWindow,
  starts: readonly EndPoint[],
  ends: readonly (readonly EndPoint[])[],
  crosses: boolean,
): (MatrixCell | undefined)[] {
  const { store, views, bases, blocks } = window;
  const { manifest } = store;
  const ids = manifest.crossingCount;
  const top = manifest.levels - 1;
  const rows = store.rows[window.metric.mode];
  const best = new Int32Array(ends.length).fill(UNREACHABLE);
  const duration = new Float64Array(ends.length);
  const distance = new Float64Array(ends.length);
  const marks = new Marks(window);
  const { heap, key, time, way } = labels;
  labels.clear();
  const relax = (label: number, cost: number, seconds: number, metres: number) => {
    if (cost < key[label]) labels.lower(label, cost, seconds, metres);
  };
  const relaxArcs = (view: number, edge: number, cost: number, seconds: number, metres: number) => {
    const { arcs, weight, tile } = views[view];
    for (let i = arcs.first[edge]; i < arcs.first[edge + 1]; i++) {
      const next = arcs.to[i];
      relax(
        window.label(view, next),
        cost + arcs.turnWeight[i] + weight[next],
        seconds + arcs.turnDuration[i] + arcs.duration[next],
        metres + tile.lengthOf(next),
      );
    }
  };
  for (const { tile, edge } of starts) marks.add(window.viewOfTile.get(tile.index)!, tile.head[edge]);
  for (const { tile, edge, share } of starts) {
    const view = window.viewOfTile.get(tile.index)!;
    const rest = 1 - share;
    relaxArcs(
      view,
      edge,
      Math.round(views[view].weight[edge] * rest),
      views[view].arcs.duration[edge] * rest,
      tile.lengthOf(edge) * rest,
    );
  }
  const { first, column: columns, weight: bucketWeight } = buckets;
  // Once every destination is reached, nothing beyond the farthest of them matters.
  let worst = UNREACHABLE;
  let pops = 0;
  while (heap.size > 0) {
    const cost = heap.least;
    if (cost + buckets.least >= worst) break;
    if ((++pops & 63) === 0) worst = best.reduce((most, weight) => (weight > most ? weight : most), 0);
    const label = heap.pop();
    const seconds = time[label];
    const metres = way[label];
    for (let at = first[label]; at < first[label + 1]; at++) {
      const column = columns[at];
      const sum = cost + bucketWeight[at];
      if (sum >= best[column]) continue;
      best[column] = sum;
      duration[column] = seconds + buckets.time[at];
      distance[column] = metres + buckets.way[at];
    }
    const inner = label >= ids;
    const innerView = inner ? blocks[(label - ids) >> 10] : -1;
    const tileIndex = inner ? views[innerView].tile.index : manifest.headTile[label];
    const level = marks.level(tileIndex);
    if (level === top && !crosses) continue;
    let clique: Clique;
    let row: number;
    let view = -1;
    if (level > 0) {
      clique = window.clique(level, manifest.cellOf[level][tileIndex]);
      row = rows[level][label];
    } else {
      view = inner ? innerView : window.viewOfTile.get(tileIndex)!;
      const { tile } = views[view];
      const edge = inner ? label - bases[view] : tile.entering[label - tile.firstEntering];
      const cell = tile.nodeCell[tile.head[edge]];
      if (window.isPlain[view] || marks.hasSearchCell(view, cell)) {
        relaxArcs(view, edge, cost, seconds, metres);
        continue;
      }
      clique = views[view].clique(cell);
      row = views[view].cells.row[edge];
    }
    const { outs, weight, duration: times, distance: ways } = clique;
    const count = outs.length;
    let at = row * count;
    if (view < 0) {
      for (let c = 0; c < count; c++, at++) {
        const sum = cost + weight[at];
        if (sum < key[outs[c]]) labels.lower(outs[c], sum, seconds + times[at], metres + ways[at]);
      }
      continue;
    }
    const { crossing } = views[view].tile;
    for (let c = 0; c < count; c++, at++) {
      const sum = cost + weight[at];
      const next = crossing[outs[c]] >= 0 ? crossing[outs[c]] : bases[view] + outs[c];
      if (sum < key[next]) labels.lower(next, sum, seconds + times[at], metres + ways[at]);
    }
  }
  return ends.map((points, column) => {
    let cell: MatrixCell | undefined =
      best[column] < UNREACHABLE
        ? { weight: best[column], duration: duration[column] / 10, distance: distance[column] / 10 }
        : undefined;
    for (const start of starts) {
      for (const end of points) {
        if (end.share < start.share || !sameEdge(start, end)) continue;
        const { weight, arcs } = views[window.viewOfTile.get(start.tile.index)!];
        const share = end.share - start.share;
        const direct = Math.round(weight[start.edge] * share);
        if (cell && direct > cell.weight) continue;
        const seconds = (arcs.duration[start.edge] * share) / 10;
        cell = { weight: direct, duration: seconds, distance: (start.tile.lengthOf(start.edge) * share) / 10 };
      }
    }
    return cell;
  });
}
