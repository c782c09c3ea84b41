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
 * Labels of one search, and of the buckets that all backward searches fill. Keys no search has set are UNREACHABLE, so one
 * comparison refuses worse ways and missing ones alike; a search clears the keys it set.
 */
class Labels {
  readonly heap: Heap;
  readonly key: Int32Array;
  readonly time: Float64Array;
  readonly way: Float64Array;
  readonly bucketHead: Int32Array;
  readonly bucketStamp: Int32Array;
  private readonly touched: Int32Array;
  private touchedCount = 0;

  constructor(size: number) {
    this.heap = new Heap(size);
    this.key = new Int32Array(size).fill(UNREACHABLE);
    this.time = new Float64Array(size);
    this.way = new Float64Array(size);
    this.bucketHead = new Int32Array(size);
    this.bucketStamp = new Int32Array(size);
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
let bucketRun = 0;

/** What the backward searches left at the labels: the entries of one label are a linked list. */
class Buckets {
  next = new Int32Array(8192);
  column = new Int32Array(8192);
  weight = new Int32Array(8192);
  time = new Float64Array(8192);
  way = new Float64Array(8192);
  /** The smallest weight of all: 0 or below, for a destination lies on its edge, not at its end. */
  least = 0;
  readonly stamp: number;
  private count = 0;

  constructor(stamp: number) {
    this.stamp = stamp;
  }

  add(label: number, column: number, weight: number, seconds: number, metres: number): void {
    if (this.count === this.next.length) this.grow();
    const { bucketHead, bucketStamp } = labels;
    const at = this.count++;
    this.next[at] = bucketStamp[label] === this.stamp ? bucketHead[label] : -1;
    bucketStamp[label] = this.stamp;
    bucketHead[label] = at;
    this.column[at] = column;
    this.weight[at] = weight;
    if (weight < this.least) this.least = weight;
    this.time[at] = seconds;
    this.way[at] = metres;
  }

  private grow(): void {
    const size = this.next.length * 2;
    this.next = larger(this.next, new Int32Array(size));
    this.column = larger(this.column, new Int32Array(size));
    this.weight = larger(this.weight, new Int32Array(size));
    this.time = larger(this.time, new Float64Array(size));
    this.way = larger(this.way, new Float64Array(size));
  }
}

function larger<T extends Int32Array | Float64Array>(old: T, grown: T): T {
  grown.set(old);
  return grown;
}

/**
 * Many to many with buckets (Knopp, Sanders, Schultes, Schulz & Wagner 2007) over the overlay: one backward search from each
 * destination leaves its labels in buckets, one forward search from each origin collects them. Each search goes up the
 * levels around its own end only, so they meet where their cells part. Exact.
 * starts[i] and ends[j] are the end points of origin i and destination j; the window has loaded their tiles.
 */
export function matrixSearch(
  window: OverlayWindow,
  starts: readonly (readonly EndPoint[])[],
  ends: readonly (readonly EndPoint[])[],
): (MatrixCell | undefined)[][] {
  for (const { tile } of [...starts.flat(), ...ends.flat()]) window.open(tile);
  if (window.labelCount > labels.key.length) labels = new Labels(Math.ceil(window.labelCount * 1.3));
  const buckets = new Buckets(++bucketRun);
  ends.forEach((points, column) => {
    if (points.length > 0) backwardSearch(window, points, column, buckets);
  });
  return starts.map((points) => forwardSearch(window, points, ends, buckets));
}

function backwardSearch(window: OverlayWindow, ends: readonly EndPoint[], column: number, buckets: Buckets): void {
  const { store, views, bases, blocks } = window;
  const { manifest, tailTile } = store;
  const ids = manifest.crossingCount;
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
      -tile.length[edge] * rest,
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
    let clique: Clique;
    let at: number;
    let view = -1;
    if (level > 0) {
      clique = window.clique(level, manifest.cellOf[level][tileIndex]);
      at = columns[level][label];
    } else {
      view = inner ? innerView : window.viewOfTile.get(tileIndex)!;
      const { tile, arcs, weight, cells } = views[view];
      const edge = inner ? label - bases[view] : tile.leaving.get(label)!;
      const cell = tile.nodeCell[tile.tail[edge]];
      if (marks.hasSearchCell(view, cell)) {
        for (let i = arcs.backFirst[edge]; i < arcs.backFirst[edge + 1]; i++) {
          const arc = arcs.backArc[i];
          relax(
            window.label(view, arcs.backFrom[i]),
            cost + weight[edge] + arcs.turnWeight[arc],
            seconds + arcs.duration[edge] + arcs.turnDuration[arc],
            metres + tile.length[edge],
          );
        }
        continue;
      }
      clique = views[view].clique(cell);
      at = cells.column[edge];
    }
    const { ins, weight, duration, distance } = clique;
    const width = clique.outs.length;
    const height = ins.length;
    for (let r = 0; r < height; r++, at += width) {
      const sum = cost + weight[at];
      const next = view < 0 ? ins[r] : window.label(view, ins[r]);
      if (sum < key[next]) labels.lower(next, sum, seconds + duration[at], metres + distance[at]);
    }
  }
}

function forwardSearch(
  window: OverlayWindow,
  starts: readonly EndPoint[],
  ends: readonly (readonly EndPoint[])[],
  buckets: Buckets,
): (MatrixCell | undefined)[] {
  const { store, views, bases, blocks } = window;
  const { manifest } = store;
  const ids = manifest.crossingCount;
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
        metres + tile.length[next],
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
      tile.length[edge] * rest,
    );
  }
  const { bucketHead, bucketStamp } = labels;
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
    if (bucketStamp[label] === buckets.stamp) {
      const { next, column: columns, weight } = buckets;
      for (let at = bucketHead[label]; at >= 0; at = next[at]) {
        const column = columns[at];
        const sum = cost + weight[at];
        if (sum >= best[column]) continue;
        best[column] = sum;
        duration[column] = seconds + buckets.time[at];
        distance[column] = metres + buckets.way[at];
      }
    }
    const inner = label >= ids;
    const innerView = inner ? blocks[(label - ids) >> 10] : -1;
    const tileIndex = inner ? views[innerView].tile.index : manifest.headTile[label];
    const level = marks.level(tileIndex);
    let clique: Clique;
    let row: number;
    let view = -1;
    if (level > 0) {
      clique = window.clique(level, manifest.cellOf[level][tileIndex]);
      row = rows[level][label];
    } else {
      view = inner ? innerView : window.viewOfTile.get(tileIndex)!;
      const { tile, cells } = views[view];
      const edge = inner ? label - bases[view] : tile.entering[label - tile.firstEntering];
      const cell = tile.nodeCell[tile.head[edge]];
      if (marks.hasSearchCell(view, cell)) {
        relaxArcs(view, edge, cost, seconds, metres);
        continue;
      }
      clique = views[view].clique(cell);
      row = cells.row[edge];
    }
    const { outs, weight } = clique;
    const count = outs.length;
    const base = row * count;
    for (let c = 0; c < count; c++) {
      const sum = cost + weight[base + c];
      const next = view < 0 ? outs[c] : window.label(view, outs[c]);
      if (sum < key[next]) {
        labels.lower(next, sum, seconds + clique.duration[base + c], metres + clique.distance[base + c]);
      }
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
        cell = { weight: direct, duration: seconds, distance: (start.tile.length[start.edge] * share) / 10 };
      }
    }
    return cell;
  });
}
