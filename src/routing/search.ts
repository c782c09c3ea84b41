import { arcBetween } from "./arcs.ts";
import { Heap } from "./heap.ts";
import { Marks } from "./marks.ts";
import type { EndPoint, OverlayWindow } from "./overlay.ts";
import { UNREACHABLE } from "./pack.ts";

/**
 * One step of a path through the overlay: from one edge to another, over a base arc (level −1, inside view `place`), across
 * a search cell (level 0, inside view `place`), or across cell `place` of a higher level. Edges are labels of the window.
 */
export interface Hop {
  from: number;
  to: number;
  level: number;
  place: number;
}

export interface OverlayPath {
  /** [0.1 s]. */
  weight: number;
  start: EndPoint;
  end: EndPoint;
  /** Empty when start and end share an edge and the path stays on it. */
  hops: Hop[];
}

const BASE = -1;

/** Labels of one direction of a search; reused from search to search. Keys no search has set are UNREACHABLE. */
class Side {
  readonly heap = new Heap(1);
  key = new Int32Array(0);
  /** The label one came from; −1 − i for end point i. */
  from = new Int32Array(0);
  level = new Int8Array(0);
  place = new Int32Array(0);
  private touched = new Int32Array(0);
  private touchedCount = 0;

  /** Forgets the last search and makes room for labels up to `count`. */
  reset(count: number): void {
    this.heap.clear();
    if (count > this.key.length) {
      const size = Math.ceil(count * 1.3);
      this.heap.reserve(size);
      this.key = new Int32Array(size).fill(UNREACHABLE);
      this.from = new Int32Array(size);
      this.level = new Int8Array(size);
      this.place = new Int32Array(size);
      this.touched = new Int32Array(size);
    } else for (let i = 0; i < this.touchedCount; i++) this.key[this.touched[i]] = UNREACHABLE;
    this.touchedCount = 0;
  }

  /** Takes over a key that is lower than the label's. */
  lower(label: number, key: number, from: number, level: number, place: number): void {
    if (this.key[label] === UNREACHABLE) this.touched[this.touchedCount++] = label;
    this.key[label] = key;
    this.from[label] = from;
    this.level[label] = level;
    this.place[label] = place;
    this.heap.set(label, key);
  }
}

const sides = [new Side(), new Side()] as const;

/** Weight of the part of an edge that lies behind (start) or before (end) the point [0.1 s]. */
function restOf(window: OverlayWindow, view: number, { edge, share }: EndPoint): number {
  return Math.round(window.views[view].weight[edge] * (1 - share));
}

/**
 * The lightest path from any of the starts to any of the ends: Dijkstra's algorithm from both sides over the multi-level
 * overlay (Delling, Goldberg, Pajor & Werneck 2011). Exact. The window must have loaded the tiles of all end points.
 */
export function search(
  window: OverlayWindow,
  starts: readonly EndPoint[],
  ends: readonly EndPoint[],
): OverlayPath | undefined {
  const found = new BidirectionalSearch(window, starts, ends, true).run();
  return directPath(window, starts, ends, found);
}

/** Both on one edge, the end ahead of the start: the path that never leaves the edge, when it is the lightest. */
function directPath(
  window: OverlayWindow,
  starts: readonly EndPoint[],
  ends: readonly EndPoint[],
  best: OverlayPath | undefined,
): OverlayPath | undefined {
  let result = best;
  for (const start of starts) {
    for (const end of ends) {
      if (end.share < start.share || !sameEdge(start, end)) continue;
      const view = window.viewOfTile.get(start.tile.index)!;
      const weight = Math.round(window.views[view].weight[start.edge] * (end.share - start.share));
      if (!result || weight <= result.weight) result = { weight, start, end, hops: [] };
    }
  }
  return result;
}

/** An edge between tiles is told by its id, an inner edge by tile and number. */
export function sameEdge(a: EndPoint, b: EndPoint): boolean {
  const id = a.tile.crossing[a.edge];
  if (id >= 0) return id === b.tile.crossing[b.edge];
  // A tile may have been let go and read again meanwhile.
  return a.tile.index === b.tile.index && a.edge === b.edge;
}

/** A way through an edge that the searches from both ends reached. */
export interface ViaPath {
  path: OverlayPath;
  /** The edge it leads through: its id between tiles, or (id −1) an edge of a tile. */
  via: { id: number; tile: number; edge: number };
}

/** An alternative may take this much longer than the best way, by weight. */
export const MAX_STRETCH = 1.25;

/** How far each side goes on to find via edges, as a share of the best weight: the two overlap in the middle. */
const VIA_REACH = 0.7;
const MAX_VIAS = 24;

/** The lightest path and, lightest first, ways through other edges that may be alternatives to it. */
export function searchWithVias(
  window: OverlayWindow,
  starts: readonly EndPoint[],
  ends: readonly EndPoint[],
): { path: OverlayPath; vias: ViaPath[] } | undefined {
  const run = new BidirectionalSearch(window, starts, ends, false);
  const path = directPath(window, starts, ends, run.run());
  if (!path) return undefined;
  return { path, vias: path.hops.length === 0 ? [] : run.vias(path) };
}

class BidirectionalSearch {
  private readonly window: OverlayWindow;
  private readonly starts: readonly EndPoint[];
  private readonly ends: readonly EndPoint[];
  private readonly marks: Marks;
  /** Labels the forward side is done with. */
  private readonly settled: number[] = [];
  private best = UNREACHABLE;
  private meeting = -1;
  /** Labels that cannot lie on the best way are let go; alternatives may use them. */
  private readonly bestOnly: boolean;
  private readonly rows: readonly Int16Array[];
  private readonly columns: readonly Int16Array[];

  constructor(window: OverlayWindow, starts: readonly EndPoint[], ends: readonly EndPoint[], bestOnly: boolean) {
    this.window = window;
    this.bestOnly = bestOnly;
    this.rows = window.store.rows[window.metric.mode];
    this.columns = window.store.columns[window.metric.mode];
    this.starts = starts;
    this.ends = ends;
    this.marks = new Marks(window);
    for (const { tile, edge } of starts) this.marks.add(window.open(tile), tile.head[edge]);
    for (const { tile, edge } of ends) this.marks.add(window.open(tile), tile.tail[edge]);
    sides[0].reset(window.labelCount);
    sides[1].reset(window.labelCount);
  }

  run(): OverlayPath | undefined {
    const [forward, backward] = sides;
    const { window } = this;
    this.ends.forEach((end, i) => {
      const view = window.viewOfTile.get(end.tile.index)!;
      const label = window.label(view, end.edge);
      const key = -restOf(window, view, end);
      if (key < backward.key[label]) backward.lower(label, key, -1 - i, BASE, view);
    });
    // A start is not a label of its own: whoever comes back to its edge has gone round a block.
    this.starts.forEach((start, i) => {
      const view = window.viewOfTile.get(start.tile.index)!;
      this.baseForward(view, start.edge, -1 - i, restOf(window, view, start));
    });
    while (forward.heap.size > 0 && backward.heap.size > 0) {
      if (forward.heap.least + backward.heap.least >= this.best) break;
      if (forward.heap.least <= backward.heap.least) {
        const key = forward.heap.least;
        const label = forward.heap.pop();
        this.settled.push(label);
        this.forward(label, key);
      } else {
        const key = backward.heap.least;
        this.backward(backward.heap.pop(), key);
      }
    }
    return this.meeting < 0 ? undefined : this.path(this.meeting, this.best);
  }

  /** After `run`: goes on until what a good alternative can use is settled, and collects the edges both sides reached. */
  vias(best: OverlayPath): ViaPath[] {
    const [forward, backward] = sides;
    const reach = best.weight * VIA_REACH;
    while (backward.heap.size > 0 && backward.heap.least < reach) {
      const key = backward.heap.least;
      this.backward(backward.heap.pop(), key);
    }
    while (forward.heap.size > 0 && forward.heap.least < reach) {
      const key = forward.heap.least;
      const label = forward.heap.pop();
      this.settled.push(label);
      this.forward(label, key);
    }
    const sum = (label: number) => forward.key[label] + backward.key[label];
    const most = best.weight * MAX_STRETCH;
    const candidates = this.settled.filter(
      (label) => backward.key[label] < UNREACHABLE && sum(label) > best.weight && sum(label) <= most,
    );
    candidates.sort((a, b) => sum(a) - sum(b) || a - b);
    const vias: ViaPath[] = [];
    let last = -1;
    for (const label of candidates) {
      // Edges along one and the same way have the same sum.
      if (sum(label) === last) continue;
      last = sum(label);
      vias.push({ path: this.path(label, last), via: this.edgeOf(label) });
      if (vias.length === MAX_VIAS) break;
    }
    return vias;
  }

  private edgeOf(label: number): ViaPath["via"] {
    const { window } = this;
    const ids = window.store.manifest.crossingCount;
    if (label < ids) return { id: label, tile: -1, edge: -1 };
    const view = window.blocks[(label - ids) >> 10];
    return { id: -1, tile: window.views[view].tile.index, edge: label - window.bases[view] };
  }

  private forward(label: number, key: number): void {
    const [side, other] = sides;
    const keys = side.key;
    const { window, marks } = this;
    const { store, viewOfTile } = window;
    const { manifest } = store;
    const ids = manifest.crossingCount;
    const inner = label >= ids;
    const innerView = inner ? window.blocks[(label - ids) >> 10] : -1;
    const tileIndex = inner ? window.views[innerView].tile.index : manifest.headTile[label];
    const level = marks.level(tileIndex);
    if (level > 0) {
      const cell = manifest.cellOf[level][tileIndex];
      const { outs, weight } = window.clique(level, cell);
      const width = outs.length;
      const row = this.rows[level][label] * width;
      for (let c = 0; c < width; c++) {
        const sum = key + weight[row + c];
        if (sum < keys[outs[c]]) this.relax(side, other, outs[c], sum, label, level, cell);
      }
      return;
    }
    const view = inner ? innerView : viewOfTile.get(tileIndex)!;
    const { tile } = window.views[view];
    const edge = inner ? label - window.bases[view] : tile.entering[label - tile.firstEntering];
    const cell = tile.nodeCell[tile.head[edge]];
    if (window.isPlain[view] || marks.hasSearchCell(view, cell)) {
      this.baseForward(view, edge, label, key);
      return;
    }
    const { outs, weight } = window.views[view].clique(cell);
    const width = outs.length;
    const row = window.views[view].cells.row[edge] * width;
    for (let c = 0; c < width; c++) {
      const next = window.label(view, outs[c]);
      const sum = key + weight[row + c];
      if (sum < keys[next]) this.relax(side, other, next, sum, label, 0, view);
    }
  }

  private baseForward(view: number, edge: number, from: number, key: number): void {
    const [side, other] = sides;
    const { window } = this;
    const { arcs, weight } = window.views[view];
    for (let i = arcs.first[edge]; i < arcs.first[edge + 1]; i++) {
      const next = arcs.to[i];
      const label = window.label(view, next);
      const sum = key + arcs.turnWeight[i] + weight[next];
      if (sum < side.key[label]) this.relax(side, other, label, sum, from, BASE, view);
    }
  }

  private backward(label: number, key: number): void {
    const [other, side] = sides;
    const keys = side.key;
    const { window, marks } = this;
    const { store, viewOfTile } = window;
    const { manifest } = store;
    const ids = manifest.crossingCount;
    const inner = label >= ids;
    const innerView = inner ? window.blocks[(label - ids) >> 10] : -1;
    const tileIndex = inner ? window.views[innerView].tile.index : store.tailTile[label];
    const level = marks.level(tileIndex);
    if (level > 0) {
      const cell = manifest.cellOf[level][tileIndex];
      const { ins, outs, weight } = window.clique(level, cell);
      const width = outs.length;
      const height = ins.length;
      let at = this.columns[level][label];
      for (let r = 0; r < height; r++, at += width) {
        const sum = key + weight[at];
        if (sum < keys[ins[r]]) this.relax(side, other, ins[r], sum, label, level, cell);
      }
      return;
    }
    const view = inner ? innerView : viewOfTile.get(tileIndex)!;
    const { tile } = window.views[view];
    const edge = inner ? label - window.bases[view] : tile.leaving.get(label)!;
    const cell = tile.nodeCell[tile.tail[edge]];
    if (window.isPlain[view] || marks.hasSearchCell(view, cell)) {
      this.baseBackward(view, edge, label, key);
      return;
    }
    const { ins, outs, weight } = window.views[view].clique(cell);
    const width = outs.length;
    const height = ins.length;
    let at = window.views[view].cells.column[edge];
    for (let r = 0; r < height; r++, at += width) {
      const next = window.label(view, ins[r]);
      const sum = key + weight[at];
      if (sum < keys[next]) this.relax(side, other, next, sum, label, 0, view);
    }
  }

  private baseBackward(view: number, edge: number, to: number, key: number): void {
    const [other, side] = sides;
    const { window } = this;
    const { tile, arcs, weight, arriving } = window.views[view];
    const own = key + weight[edge];
    const node = tile.tail[edge];
    for (let i = arriving.first[node]; i < arriving.first[node + 1]; i++) {
      const from = arriving.edges[i];
      const arc = arcBetween(arcs, from, edge);
      if (arc < 0) continue;
      const label = window.label(view, from);
      const sum = own + arcs.turnWeight[arc];
      if (sum < side.key[label]) this.relax(side, other, label, sum, to, BASE, view);
    }
  }

  private relax(side: Side, other: Side, label: number, key: number, from: number, level: number, place: number): void {
    const sum = key + other.key[label];
    if (sum < this.best) {
      this.best = sum;
      this.meeting = label;
    } else if (this.bestOnly && key + other.heap.least >= this.best) {
      // Where the other side has been, it has told its sum; where it has not, it is still this far away.
      return;
    }
    side.lower(label, key, from, level, place);
  }

  private path(through: number, weight: number): OverlayPath {
    const [forward, backward] = sides;
    const hops: Hop[] = [];
    let label = through;
    while (label >= 0) {
      const from = forward.from[label];
      hops.push({ from, to: label, level: forward.level[label], place: forward.place[label] });
      label = from;
    }
    const start = this.starts[-1 - label];
    hops.reverse();
    hops[0].from = this.window.label(this.window.viewOfTile.get(start.tile.index)!, start.edge);
    label = through;
    for (;;) {
      const next = backward.from[label];
      if (next < 0) return { weight, start, end: this.ends[-1 - next], hops };
      hops.push({ from: label, to: next, level: backward.level[label], place: backward.place[label] });
      label = next;
    }
  }
}

/** The edge behind a label, as the tile of a view numbers it. */
export function localEdge(window: OverlayWindow, index: number, label: number, arriving: boolean): number {
  const { tile } = window.views[index];
  if (label >= window.store.manifest.crossingCount) return label - window.bases[index];
  const entering = label - tile.firstEntering;
  if (arriving && entering >= 0 && entering < tile.entering.length) return tile.entering[entering];
  return tile.leaving.get(label) ?? tile.entering[entering];
}
