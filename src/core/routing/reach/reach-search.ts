import { UNREACHABLE } from "../graph/pack.ts";
import type { EndPoint } from "../search/end-points.ts";
import { BY_ARCS, Marks, NOWHERE } from "../search/marks.ts";
import type { OverlayWindow } from "../search/overlay.ts";
import { sameEdge } from "../search/search.ts";
import { ARCS, looked, overlayLabels, type SearchLabels, takeWork } from "../store/search-labels.ts";

/** Of searches that run without yielding. */
const [labels] = overlayLabels;
/** Work between two turns of a search that yields [entries and arcs looked at]: about 2 ms. */
const LOOKED_AT_ONCE = 80_000;

/**
 * One to many over the overlay: the search goes from the starts up the levels and down again into every search cell
 * that holds an end (Delling, Goldberg & Werneck 2011 call it one-to-many by restriction). Stores in `times`, by the
 * owner of an end, the time of the best path [s], if it is at most `within`; with `byLength` its length [m] instead of
 * the time. Exact. The window has loaded the tiles of starts and ends.
 */
export function reachSearch(
  window: OverlayWindow,
  starts: readonly EndPoint[],
  ends: readonly EndPoint[],
  within: number,
  times: Float64Array,
  byLength = false,
): void {
  window.settle();
  const marks = new Marks(window);
  for (const { tile, edge } of ends) marks.add(window.viewAt(tile.index), tile.tailOf(edge));
  spreadAtOnce(window, marks, starts, within * 10, byLength);
  collect(window, starts, ends, within, times, measure(window, byLength));
}

/**
 * Of some tiles, returns those that the search reaches within a time [s] (a length [m]), and those for which this is
 * unknown. It opens none of them: the search uses the cliques of tiles, which the window has loaded.
 */
export function tilesReached(
  window: OverlayWindow,
  starts: readonly EndPoint[],
  tiles: Iterable<number>,
  within: number,
  byLength = false,
): Set<number> {
  const { store, numbering } = window;
  window.settle();
  const marks = new Marks(window);
  const reached = new Set(starts.map(({ tile }) => tile.index));
  const asked = [...tiles];
  for (const tile of asked) marks.addAround(store.districts.cellsOf(tile));
  spreadAtOnce(window, marks, starts, within * 10, byLength);
  const { key, duration } = labels;
  for (const tile of asked) {
    const cell = numbering.cellAt(1, tile);
    const clique = cell < 0 ? undefined : window.borderOf(cell);
    if (!clique || clique.ins.some((label) => key[label] < UNREACHABLE && duration[label] <= within * 10))
      reached.add(tile);
  }
  return reached;
}

interface Spread {
  /** Cells that the search goes down into; the window has loaded the packs of these. */
  opened: readonly (readonly [level: number, cell: number])[];
  /** Search cells of tiles, by view, that it traverses edge by edge. */
  inside?: readonly (readonly [view: number, cell: number])[];
  within: number;
  byLength: boolean;
}

/**
 * Stores in labels of the caller's own when the search reaches the edges between the cells inside some cells, which are
 * those above the starts and the `opened` ones. Yields on the way.
 */
export async function spreadInto(
  window: OverlayWindow,
  own: SearchLabels,
  starts: readonly EndPoint[],
  { opened, inside = [], within, byLength }: Spread,
): Promise<void> {
  window.settle();
  const spreading: Spreading = { limit: within * 10, byLength, quickest: true, open: -1 };
  do {
    // Others may have marked cells since the last turn.
    const marks = new Marks(window);
    for (const [level, cell] of opened) marks.open(level, cell);
    for (const [view, cell] of inside) marks.openInside(view, cell);
    spread(window, own, marks, starts, spreading, LOOKED_AT_ONCE);
    const turn = window.store.spend(takeWork());
    if (turn) await turn;
  } while (spreading.open > 0);
}

function spreadAtOnce(
  window: OverlayWindow,
  marks: Marks,
  starts: readonly EndPoint[],
  limit: number,
  byLength: boolean,
): void {
  spread(window, labels, marks, starts, { limit, byLength, quickest: false, open: -1 }, Number.POSITIVE_INFINITY);
}

/** A search under way. */
interface Spreading {
  /** [0.1 s, 0.1 m] */
  limit: number;
  byLength: boolean;
  quickest: boolean;
  /** Labels in the queue that were reached from one within the limit: only these may be within it. −1 before the beginning. */
  open: number;
}

/**
 * Dijkstra's algorithm from the starts, in `labels`, until nothing more is reached within the limit, or so much was `looked` at. A label
 * beyond the limit is continued as long as labels in the queue come from one within it: where the lightest path to a place
 * is too long, a heavier one that is short enough does not count, because no route follows it.
 */
function spread(
  window: OverlayWindow,
  labels: SearchLabels,
  marks: Marks,
  starts: readonly EndPoint[],
  spreading: Spreading,
  most: number,
): void {
  const { limit, byLength, quickest } = spreading;
  const until = looked.at + most;
  const { views } = window;
  const spentOn = measure(window, byLength);
  for (const { tile, edge } of starts) marks.add(window.viewAt(tile.index), tile.headOf(edge));
  const isFirst = spreading.open < 0;
  if (isFirst) labels.reset(window.labelCount, "duration", "level");
  const { heap, key, duration: durations, level: isFromTimely } = labels;
  let open = isFirst ? 0 : spreading.open;
  let now = 0;
  const lower = (label: number, weight: number, spent: number, timely: number) => {
    // Of several lightest paths `quickest` selects one: which of them is found first depends on the cells that a search opens.
    if (weight === key[label] && (!quickest || spent >= durations[label] || weight === now)) return;
    open += timely - (key[label] < UNREACHABLE ? isFromTimely[label] : 0);
    labels.lower(label, weight);
    durations[label] = spent;
    isFromTimely[label] = timely;
  };
  const followArcs = (view: number, edge: number, cost: number, spent: number, timely: number) => {
    const { arcs, weight } = views[view];
    looked.at += ARCS;
    for (let i = arcs.first[edge]; i < arcs.first[edge + 1]; i++) {
      const next = arcs.to[i];
      const label = window.label(view, next);
      const sum = cost + arcs.turnWeight[arcs.turn[i]] + weight[next];
      if (sum > key[label]) continue;
      lower(label, sum, spent + (byLength ? 0 : arcs.turnDuration[arcs.turn[i]]) + spentOn(view, next), timely);
    }
  };
  for (const { tile, edge, share } of isFirst ? starts : []) {
    const view = window.viewAt(tile.index);
    const rest = 1 - share;
    // A multiple of 2^-24: sums are then exact, in whatever order.
    const spent = Math.round(spentOn(view, edge) * rest * 2 ** 24) / 2 ** 24;
    followArcs(view, edge, Math.round(views[view].weight[edge] * rest), spent, 1);
  }
  while (open > 0 && looked.at < until) {
    const cost = heap.least;
    const label = heap.pop();
    now = cost;
    open -= isFromTimely[label];
    const spent = durations[label];
    const timely = spent <= limit ? 1 : 0;
    const level = marks.locateHead(label);
    if (level === NOWHERE) continue;
    if (level === BY_ARCS) {
      followArcs(marks.view, marks.edge, cost, spent, timely);
      continue;
    }
    if (level > 0) {
      const { outs, weight, none } = marks.clique;
      const across = byLength ? marks.clique.distance : marks.clique.duration;
      looked.at += outs.length;
      for (let c = 0, { at } = marks; c < outs.length; c++, at++) {
        if (weight[at] === none) continue;
        const sum = cost + weight[at];
        if (sum <= key[outs[c]]) lower(outs[c], sum, spent + across[at], timely);
      }
      continue;
    }
    const { view } = marks;
    const { outs, weight, none } = marks.inner;
    const across = byLength ? marks.inner.distance : marks.inner.duration;
    looked.at += outs.length;
    for (let c = 0, { at } = marks; c < outs.length; c++, at++) {
      if (weight[at] === none) continue;
      const next = window.label(view, outs[c]);
      const sum = cost + weight[at];
      if (sum <= key[next]) lower(next, sum, spent + across[at], timely);
    }
  }
  spreading.open = open;
}

/** Travel time along an edge [0.1 s], or its length [0.1 m]. */
export function measure({ views }: OverlayWindow, byLength: boolean): (view: number, edge: number) => number {
  return byLength ? (view, edge) => views[view].tile.lengthOf(edge) : (view, edge) => views[view].arcs.duration[edge];
}

/** The time of each owner is that of its end with the least weight. */
function collect(
  window: OverlayWindow,
  starts: readonly EndPoint[],
  ends: readonly EndPoint[],
  within: number,
  times: Float64Array,
  spentOn: (view: number, edge: number) => number,
): void {
  const { key, duration: durations } = labels;
  const least = new Map<number, number>();
  const offer = (owner: number, weight: number, seconds: number) => {
    if (weight >= (least.get(owner) ?? Number.POSITIVE_INFINITY)) return;
    least.set(owner, weight);
    times[owner] = seconds <= within ? seconds : Number.POSITIVE_INFINITY;
  };
  for (const end of ends) {
    const { tile, edge, share, owner } = end;
    const view = window.viewAt(tile.index);
    const { weight } = window.views[view];
    const label = window.label(view, edge);
    if (key[label] < UNREACHABLE) {
      const rest = 1 - share;
      offer(owner, key[label] - Math.round(weight[edge] * rest), (durations[label] - spentOn(view, edge) * rest) / 10);
    }
    for (const start of starts) {
      if (share < start.share || !sameEdge(start, end)) continue;
      const part = share - start.share;
      offer(owner, Math.round(weight[edge] * part), (spentOn(view, edge) * part) / 10);
    }
  }
}
