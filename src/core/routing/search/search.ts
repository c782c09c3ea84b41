import { arcBetween } from "../graph/arcs.ts";
import { UNREACHABLE } from "../graph/pack.ts";
import { ARCS, looked, type SearchLabels, overlayLabels as sides } from "../store/search-labels.ts";
import type { EndPoint } from "./end-points.ts";
import { BY_ARCS, Marks, NOWHERE } from "./marks.ts";
import type { OverlayWindow } from "./overlay.ts";

/**
 * One step of a path through the overlay: from one edge to another, over a base arc (level −1, inside view `place`),
 * across a search cell (level 0, inside view `place`), or across cell `place` of a higher level, as the window's numbering
 * has it. Edges are labels of the window.
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

/** Weight of the part of an edge after (start) or before (end) the point [0.1 s]. */
function restOf(window: OverlayWindow, view: number, { edge, share }: EndPoint): number {
  return Math.round(window.views[view].weight[edge] * (1 - share));
}

/**
 * The lightest path from any of the starts to any of the ends: Dijkstra's algorithm from both sides over the
 * multi-level overlay (Delling, Goldberg, Pajor & Werneck 2011). Exact. The window must have loaded the tiles of all
 * end points.
 */
export function search(
  window: OverlayWindow,
  starts: readonly EndPoint[],
  ends: readonly EndPoint[],
): OverlayPath | undefined {
  const found = new BidirectionalSearch(window, starts, ends, true).run();
  return directPath(window, starts, ends, found);
}

/** `search` again, until no clique is lacking that it uses (`OverlayWindow.isLacking`). */
export async function searchExactly(
  window: OverlayWindow,
  starts: readonly EndPoint[],
  ends: readonly EndPoint[],
): Promise<OverlayPath | undefined> {
  for (;;) {
    await window.complete(true);
    const found = search(window, starts, ends);
    if (!window.isLacking) return found;
  }
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
      const view = window.viewAt(start.tile.index);
      const weight = Math.round(window.views[view].weight[start.edge] * (end.share - start.share));
      if (!result || weight <= result.weight) result = { weight, start, end, hops: [] };
    }
  }
  return result;
}

/** An edge between tiles is identified by its id, an inner edge by tile and number. */
export function sameEdge(a: EndPoint, b: EndPoint): boolean {
  const id = a.tile.crossingOf(a.edge);
  if (id >= 0) return id === b.tile.crossingOf(b.edge);
  // A tile may have been dropped and read again meanwhile.
  return a.tile.index === b.tile.index && a.edge === b.edge;
}

/** A path through an edge that the searches from both ends reached. */
export interface ViaPath {
  path: OverlayPath;
  /** The edge it leads through: its id between tiles, or (id −1) an edge of a tile. */
  via: { id: number; tile: number; edge: number };
}

/** An alternative may take this much longer than the best path, by weight. */
const MAX_STRETCH = 1.25;

/**
 * Extent to which each side continues to find via edges, as a share of the best weight: the two overlap in the middle.
 */
const VIA_REACH = 0.7;
const MAX_VIAS = 24;

/** The lightest path and, lightest first, paths through other edges that may be alternatives to it. */
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
  readonly #window: OverlayWindow;
  readonly #starts: readonly EndPoint[];
  readonly #ends: readonly EndPoint[];
  readonly #marks: Marks;
  /** Labels the forward side is done with. */
  readonly #settled: number[] = [];
  #best = UNREACHABLE;
  #meeting = -1;
  /** Labels that cannot be on the best path are dropped; alternatives may use them. */
  readonly #bestOnly: boolean;

  constructor(window: OverlayWindow, starts: readonly EndPoint[], ends: readonly EndPoint[], bestOnly: boolean) {
    this.#window = window;
    this.#bestOnly = bestOnly;
    this.#starts = starts;
    this.#ends = ends;
    for (const { tile } of starts) window.open(tile);
    for (const { tile } of ends) window.open(tile);
    window.settle();
    this.#marks = new Marks(window);
    for (const { tile, edge } of starts) this.#marks.add(window.open(tile), tile.headOf(edge));
    for (const { tile, edge } of ends) this.#marks.add(window.open(tile), tile.tailOf(edge));
    // Forward, backward. `from` at an end: −1 − its number among the end points.
    for (const side of sides) side.reset(window.labelCount, "from", "level", "place");
  }

  run(): OverlayPath | undefined {
    const [forward, backward] = sides;
    const window = this.#window;
    this.#ends.forEach((end, i) => {
      const view = window.viewAt(end.tile.index);
      const label = window.label(view, end.edge);
      const key = -restOf(window, view, end);
      if (key < backward.key[label]) this.#lower(backward, label, key, -1 - i, BY_ARCS, view);
    });
    // The label of a start edge represents its end when a path around a block reaches it again.
    this.#starts.forEach((start, i) => {
      const view = window.viewAt(start.tile.index);
      this.#followArcs(view, start.edge, -1 - i, restOf(window, view, start));
    });
    // The side that is less far along continues, until no path through open labels can be lighter than the best known.
    while (forward.heap.size > 0 && backward.heap.size > 0) {
      if (forward.heap.least + backward.heap.least >= this.#best) break;
      if (forward.heap.least <= backward.heap.least) this.#settleForward();
      else this.#settleBackward();
    }
    return this.#meeting < 0 ? undefined : this.#path(this.#meeting, this.#best);
  }

  /**
   * After `run`: continues until everything that a good alternative can use is settled, and collects the edges that
   * both sides reached.
   */
  vias(best: OverlayPath): ViaPath[] {
    const [forward, backward] = sides;
    const reach = best.weight * VIA_REACH;
    while (backward.heap.size > 0 && backward.heap.least < reach) this.#settleBackward();
    while (forward.heap.size > 0 && forward.heap.least < reach) this.#settleForward();
    const sum = (label: number) => forward.key[label] + backward.key[label];
    const most = best.weight * MAX_STRETCH;
    const candidates = this.#settled.filter(
      (label) => backward.key[label] < UNREACHABLE && sum(label) > best.weight && sum(label) <= most,
    );
    candidates.sort((a, b) => sum(a) - sum(b) || a - b);
    const vias: ViaPath[] = [];
    let last = -1;
    for (const label of candidates) {
      // Edges along one and the same path have the same sum.
      if (sum(label) === last) continue;
      last = sum(label);
      vias.push({ path: this.#path(label, last), via: this.#edgeOf(label) });
      if (vias.length === MAX_VIAS) break;
    }
    return vias;
  }

  #edgeOf(label: number): ViaPath["via"] {
    const window = this.#window;
    const view = window.innerView(label);
    if (view < 0) return { id: window.numbering.ids[label], tile: -1, edge: -1 };
    return { id: -1, tile: window.views[view].tile.index, edge: label - window.bases[view] };
  }

  #settleForward(): void {
    const [side, other] = sides;
    const window = this.#window;
    const marks = this.#marks;
    const { heap, key: keys } = side;
    const key = heap.least;
    const label = heap.pop();
    this.#settled.push(label);
    const level = marks.locateHead(label);
    if (level === NOWHERE) return;
    if (level === BY_ARCS) {
      this.#followArcs(marks.view, marks.edge, label, key);
      return;
    }
    // Across a cell: a row of its clique leads to every edge that leaves it.
    const { view, cell, at: row } = marks;
    if (level > 0) {
      const { outs, weight, none } = marks.clique;
      const width = outs.length;
      looked.at += width;
      for (let c = 0; c < width; c++) {
        const across = weight[row + c];
        if (across === none) continue;
        const sum = key + across;
        if (sum < keys[outs[c]]) this.#relax(side, other, outs[c], sum, label, level, cell);
      }
      return;
    }
    const { outs, weight, none } = marks.inner;
    const width = outs.length;
    looked.at += width;
    for (let c = 0; c < width; c++) {
      const across = weight[row + c];
      if (across === none) continue;
      const next = window.label(view, outs[c]);
      const sum = key + across;
      if (sum < keys[next]) this.#relax(side, other, next, sum, label, 0, view);
    }
  }

  /** Relaxes the arcs that lead on from an edge. */
  #followArcs(view: number, edge: number, from: number, key: number): void {
    const [side, other] = sides;
    const window = this.#window;
    const { arcs, weight } = window.views[view];
    looked.at += ARCS;
    for (let i = arcs.first[edge]; i < arcs.first[edge + 1]; i++) {
      const next = arcs.to[i];
      const label = window.label(view, next);
      const sum = key + arcs.turnWeight[arcs.turn[i]] + weight[next];
      if (sum < side.key[label]) this.#relax(side, other, label, sum, from, BY_ARCS, view);
    }
  }

  #settleBackward(): void {
    const [other, side] = sides;
    const window = this.#window;
    const marks = this.#marks;
    const { heap, key: keys } = side;
    const key = heap.least;
    const label = heap.pop();
    const level = marks.locateTail(label);
    if (level === NOWHERE) return;
    if (level === BY_ARCS) {
      this.#followArcsBack(marks.view, marks.edge, label, key);
      return;
    }
    // Across a cell: a column of its clique leads from every edge that enters it.
    const { view, cell } = marks;
    let { at } = marks;
    if (level > 0) {
      const { ins, outs, weight, none } = marks.clique;
      const width = outs.length;
      const height = ins.length;
      looked.at += height;
      for (let r = 0; r < height; r++, at += width) {
        const across = weight[at];
        if (across === none) continue;
        const sum = key + across;
        if (sum < keys[ins[r]]) this.#relax(side, other, ins[r], sum, label, level, cell);
      }
      return;
    }
    const { ins, outs, weight, none } = marks.inner;
    const width = outs.length;
    const height = ins.length;
    looked.at += height;
    for (let r = 0; r < height; r++, at += width) {
      if (weight[at] === none) continue;
      const next = window.label(view, ins[r]);
      const sum = key + weight[at];
      if (sum < keys[next]) this.#relax(side, other, next, sum, label, 0, view);
    }
  }

  /** Relaxes, against the direction of travel, the arcs that lead onto an edge. */
  #followArcsBack(view: number, edge: number, to: number, key: number): void {
    const [other, side] = sides;
    const window = this.#window;
    const { tile, arcs, weight, arriving } = window.views[view];
    const own = key + weight[edge];
    const node = tile.tailOf(edge);
    looked.at += ARCS;
    for (let i = arriving.first[node]; i < arriving.first[node + 1]; i++) {
      const from = arriving.edges[i];
      const arc = arcBetween(arcs, from, edge);
      if (arc < 0) continue;
      const label = window.label(view, from);
      const sum = own + arcs.turnWeight[arcs.turn[arc]];
      if (sum < side.key[label]) this.#relax(side, other, label, sum, to, BY_ARCS, view);
    }
  }

  #relax(
    side: SearchLabels,
    other: SearchLabels,
    label: number,
    key: number,
    from: number,
    level: number,
    place: number,
  ): void {
    const sum = key + other.key[label];
    if (sum < this.#best) {
      this.#best = sum;
      this.#meeting = label;
    } else if (this.#bestOnly && key + other.heap.least >= this.#best) {
      // Labels that the other side has not reached yet are at least as far from it as its nearest open label.
      return;
    }
    this.#lower(side, label, key, from, level, place);
  }

  #lower(side: SearchLabels, label: number, key: number, from: number, level: number, place: number): void {
    side.lower(label, key);
    side.from[label] = from;
    side.level[label] = level;
    side.place[label] = place;
  }

  #path(through: number, weight: number): OverlayPath {
    const [forward, backward] = sides;
    const hops: Hop[] = [];
    let label = through;
    while (label >= 0) {
      const from = forward.from[label];
      hops.push({ from, to: label, level: forward.level[label], place: forward.place[label] });
      label = from;
    }
    const start = this.#starts[-1 - label];
    hops.reverse();
    hops[0].from = this.#window.label(this.#window.viewAt(start.tile.index), start.edge);
    label = through;
    for (;;) {
      const next = backward.from[label];
      if (next < 0) return { weight, start, end: this.#ends[-1 - next], hops };
      hops.push({ from: label, to: next, level: backward.level[label], place: backward.place[label] });
      label = next;
    }
  }
}
