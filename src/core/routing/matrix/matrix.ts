import { arcBetween } from "../graph/arcs.ts";
import { UNREACHABLE } from "../graph/pack.ts";
import type { EndPoint } from "../search/end-points.ts";
import type { HourlyArcs } from "../search/hourly-arcs.ts";
import { BY_ARCS, Marks, NOWHERE } from "../search/marks.ts";
import type { OverlayWindow } from "../search/overlay.ts";
import { sameEdge } from "../search/search.ts";
import { ARCS, looked, overlayLabels, takeWork } from "../store/search-labels.ts";
import type { TileView } from "../store/tile-view.ts";
import { Buckets } from "./buckets.ts";

export interface MatrixCell {
  /** The minimized weight [0.1 s]. */
  weight: number;
  /** [s] */
  duration: number;
  /** [m] */
  distance: number;
  /** The path may meet restrictions that depend on the hour; duration and distance are then void. */
  isHourly?: true;
  /** It begins or ends on the mainland, although an island is much nearer. */
  isElsewhere?: true;
  /** A journey that begins later, but ends until so many seconds after the departure, takes the same. Absent: at any time. */
  steadyUntil?: number;
}

const [labels] = overlayLabels;
/** When the journeys of a matrix are under way: what of the network may be slower then than the search assumes. */
export interface MatrixHours {
  /** Bits of the week (`segmentsFrom`), for cliques. */
  segments: number;
  /** For the tiles in full. */
  arcsOf(view: TileView): HourlyArcs | undefined;
}

/** Added to a duration [0.1 s] where a path passes something that may be slower or closed at its hour: no path takes as long. */
const HOURLY = 2 ** 40;

/** Duration and distance in tenths. */
function cellOf(weight: number, duration: number, distance: number): MatrixCell {
  const cell: MatrixCell = { weight, duration: duration / 10, distance: distance / 10 };
  return duration < HOURLY / 2 ? cell : { ...cell, isHourly: true };
}

/** Buckets that no matrix is using: a matrix yields between its searches, and another may start meanwhile. */
const idle: Buckets[] = [];
const MAX_IDLE = 2;

/**
 * Many to many with buckets (Knopp, Sanders, Schultes, Schulz & Wagner 2007) over the overlay: one backward search from
 * each destination stores its labels in buckets, one forward search from each origin collects them. Each search goes up
 * the levels around its own end only, so they meet where their cells part.
 *
 * Only the searches of one side (the one with fewer points) continue over the top level; those of the other end at the
 * border of the top cell around their own point. Exact all the same: where a path enters the destination's top cell for
 * the last time, or leaves the origin's for the first, it passes an edge that both sides have settled.
 *
 * starts[i] and ends[j] are the end points of origin i and destination j; the window has loaded their tiles. `hours`: cells whose path
 * may be slower or closed then are marked (`isHourly`).
 */
export async function matrixSearch(
  window: OverlayWindow,
  starts: readonly (readonly EndPoint[])[],
  ends: readonly (readonly EndPoint[])[],
  hours?: MatrixHours,
): Promise<(MatrixCell | undefined)[][]> {
  for (const { tile } of [...starts.flat(), ...ends.flat()]) window.open(tile);
  if (window.isClosedOften) await window.prepareCells();
  window.settle();
  const run: Run = {
    window,
    segments: hours?.segments ?? 0,
    // Most have none, and searches must not look for each arc in vain.
    hourly: hours ? window.views.map((view) => hours.arcsOf(view)) : [],
  };
  // The searches of the side with fewer points cross the entire network, the others stay in the top cell of their own
  // end.
  const forwardCrosses = starts.length <= ends.length;
  const buckets = idle.pop() ?? new Buckets();
  buckets.clear();
  // Every search runs without yielding; other requests get a turn between two of them.
  for (let column = 0; column < ends.length; column++) {
    if (ends[column].length > 0) backwardSearch(run, ends[column], column, !forwardCrosses, buckets);
    const turn = window.store.spend(takeWork());
    if (turn) await turn;
  }
  buckets.arrange(window.labelCount);
  const rows: (MatrixCell | undefined)[][] = [];
  for (const points of starts) {
    rows.push(forwardSearch(run, points, ends, forwardCrosses, buckets));
    const turn = window.store.spend(takeWork());
    if (turn) await turn;
  }
  buckets.release();
  if (idle.length < MAX_IDLE) idle.push(buckets);
  return rows;
}

/** What all searches of a matrix share. */
interface Run {
  window: OverlayWindow;
  segments: number;
  /** By view. */
  hourly: readonly (HourlyArcs | undefined)[];
}

/** New marks: the search goes edge by edge through search cells whose cliques do not tell which ways depend on the hour. */
function marksOf({ window, hourly }: Run): Marks {
  const marks = new Marks(window);
  for (const [view, own] of hourly.entries()) if (own) for (const cell of own.cells) marks.openInside(view, cell);
  return marks;
}

/**
 * Dijkstra's algorithm from a destination against the direction of travel. The loops over arcs are duplicated here and in
 * `forwardSearch`: `npm run bench -- routing` (matrix) shows the cost of a call per arc.
 */
function backwardSearch(run: Run, ends: readonly EndPoint[], column: number, crosses: boolean, buckets: Buckets): void {
  const { window, segments, hourly } = run;
  const { views, store } = window;
  const top = store.manifest.levels - 1;
  const marks = marksOf(run);
  labels.reset(window.labelCount, "duration", "distance");
  const { heap, key, duration: durations, distance: distances } = labels;
  const relax = (label: number, weight: number, duration: number, distance: number) => {
    if (weight >= key[label]) return;
    labels.lower(label, weight);
    durations[label] = duration;
    distances[label] = distance;
  };
  // A destination is on its edge, not at the edge's end: the distance between is subtracted beforehand.
  for (const { tile, edge, share } of ends) {
    const view = window.viewAt(tile.index);
    marks.add(view, tile.tailOf(edge));
    const rest = 1 - share;
    relax(
      window.label(view, edge),
      -Math.round(views[view].weight[edge] * rest),
      -views[view].arcs.duration[edge] * rest,
      -tile.lengthOf(edge) * rest,
    );
  }
  while (heap.size > 0) {
    // Settle the nearest label, and leave an entry in its bucket.
    const cost = heap.least;
    const label = heap.pop();
    const [duration, distance] = [durations[label], distances[label]];
    buckets.add(label, column, cost, duration, distance);
    const level = marks.locateTail(label);
    if (level === NOWHERE || (level === top && !crosses)) continue;
    // Near an end: arc by arc.
    if (level === BY_ARCS) {
      looked.at += ARCS;
      const { edge, view } = marks;
      const { tile, arcs, weight, arriving } = views[view];
      const node = tile.tailOf(edge);
      const marked = hourly[view]?.arcs;
      for (let i = arriving.first[node]; i < arriving.first[node + 1]; i++) {
        const from = arriving.edges[i];
        const arc = arcBetween(arcs, from, edge);
        if (arc < 0) continue;
        const mark = marked !== undefined && marked[arc] === 1 ? HOURLY : 0;
        relax(
          window.label(view, from),
          cost + weight[edge] + arcs.turnWeight[arcs.turn[arc]],
          duration + arcs.duration[edge] + arcs.turnDuration[arcs.turn[arc]] + mark,
          distance + tile.lengthOf(edge),
        );
      }
      continue;
    }
    // Elsewhere: across a whole cell in one step, along a column of its clique.
    const { clique, inner } = marks;
    if (level > 0) crossClique(marks, clique.ins, clique.outs.length, segments, cost, duration, distance);
    else crossInner(run, marks, inner.ins, inner.outs.length, cost, duration, distance);
  }
}

/** Lowers the labels on the other side of a cell: those of a row of its clique (`step` 1), or of a column (`step`: its width). */
function crossClique(
  { clique, at: start }: Marks,
  names: Int32Array,
  step: number,
  segments: number,
  cost: number,
  duration: number,
  distance: number,
): void {
  const { weight, none, duration: times, distance: lengths, hours } = clique;
  const { key, duration: durations, distance: distances } = labels;
  looked.at += names.length;
  for (let i = 0, at = start; i < names.length; i++, at += step) {
    if (weight[at] === none) continue;
    const next = names[i];
    const sum = cost + weight[at];
    if (sum >= key[next]) continue;
    labels.lower(next, sum);
    durations[next] = duration + times[at];
    distances[next] = distance + lengths[at];
    if (hours !== undefined && (hours[at] & segments) !== 0) durations[next] += HOURLY;
  }
}

/** The same of a search cell: its clique names edges of the tile. */
function crossInner(
  { window }: Run,
  { inner, at: start, view }: Marks,
  names: Uint16Array,
  step: number,
  cost: number,
  duration: number,
  distance: number,
): void {
  const { weight, none, duration: times, distance: lengths } = inner;
  const { key, duration: durations, distance: distances } = labels;
  const base = window.bases[view];
  const { firstBorder } = window.views[view].tile;
  looked.at += names.length;
  for (let i = 0, at = start; i < names.length; i++, at += step) {
    if (weight[at] === none) continue;
    const next = names[i] < firstBorder ? base + names[i] : window.label(view, names[i]);
    const sum = cost + weight[at];
    if (sum >= key[next]) continue;
    labels.lower(next, sum);
    durations[next] = duration + times[at];
    distances[next] = distance + lengths[at];
  }
}

/** Dijkstra's algorithm from an origin; reads the buckets of the labels it settles. One row of the matrix. */
function forwardSearch(
  run: Run,
  starts: readonly EndPoint[],
  ends: readonly (readonly EndPoint[])[],
  crosses: boolean,
  buckets: Buckets,
): (MatrixCell | undefined)[] {
  const { window, segments, hourly } = run;
  const { views, store } = window;
  const top = store.manifest.levels - 1;
  const best = new Int32Array(ends.length).fill(UNREACHABLE);
  const bestDuration = new Float64Array(ends.length);
  const bestDistance = new Float64Array(ends.length);
  const marks = marksOf(run);
  labels.reset(window.labelCount, "duration", "distance");
  const { heap, key, duration: durations, distance: distances } = labels;
  const followArcs = (view: number, edge: number, cost: number, duration: number, distance: number) => {
    const { arcs, weight, tile } = views[view];
    const marked = hourly[view]?.arcs;
    for (let i = arcs.first[edge]; i < arcs.first[edge + 1]; i++) {
      const next = arcs.to[i];
      const label = window.label(view, next);
      const sum = cost + arcs.turnWeight[arcs.turn[i]] + weight[next];
      if (sum >= key[label]) continue;
      labels.lower(label, sum);
      durations[label] = duration + arcs.turnDuration[arcs.turn[i]] + arcs.duration[next];
      if (marked !== undefined && marked[i] === 1) durations[label] += HOURLY;
      distances[label] = distance + tile.lengthOf(next);
    }
  };
  for (const { tile, edge } of starts) marks.add(window.viewAt(tile.index), tile.headOf(edge));
  for (const { tile, edge, share } of starts) {
    const view = window.viewAt(tile.index);
    const rest = 1 - share;
    followArcs(
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
    // Settle the nearest label.
    const cost = heap.least;
    if (cost + buckets.least >= worst) break;
    if ((++pops & 63) === 0) worst = best.reduce((most, weight) => (weight > most ? weight : most), 0);
    const label = heap.pop();
    const duration = durations[label];
    const distance = distances[label];
    // Its bucket lists the destinations that can be reached from here, with their costs.
    for (let at = first[label]; at < first[label + 1]; at++) {
      const column = columns[at];
      const sum = cost + bucketWeight[at];
      if (sum >= best[column]) continue;
      best[column] = sum;
      bestDuration[column] = duration + buckets.duration[at];
      bestDistance[column] = distance + buckets.distance[at];
    }
    const level = marks.locateHead(label);
    if (level === NOWHERE || (level === top && !crosses)) continue;
    if (level === BY_ARCS) {
      // Near an end: arc by arc.
      looked.at += ARCS;
      followArcs(marks.view, marks.edge, cost, duration, distance);
      continue;
    }
    // Elsewhere: across a whole cell in one step, along a row of its clique.
    const { clique, inner } = marks;
    if (level > 0) crossClique(marks, clique.outs, 1, segments, cost, duration, distance);
    else crossInner(run, marks, inner.outs, 1, cost, duration, distance);
  }
  return ends.map((points, column) => {
    const cell =
      best[column] < UNREACHABLE ? cellOf(best[column], bestDuration[column], bestDistance[column]) : undefined;
    return alongOneEdge(run, starts, points, cell);
  });
}

/** The better of a cell of the matrix and the way along the edge that holds both ends, if one does. */
function alongOneEdge(
  { window, hourly }: Run,
  starts: readonly EndPoint[],
  ends: readonly EndPoint[],
  found: MatrixCell | undefined,
): MatrixCell | undefined {
  let cell = found;
  for (const start of starts) {
    for (const end of ends) {
      if (end.share < start.share || !sameEdge(start, end)) continue;
      const view = window.viewAt(start.tile.index);
      const { weight, arcs } = window.views[view];
      const share = end.share - start.share;
      const direct = Math.round(weight[start.edge] * share);
      if (cell && direct > cell.weight) continue;
      const seconds = (arcs.duration[start.edge] * share) / 10;
      cell = { weight: direct, duration: seconds, distance: (start.tile.lengthOf(start.edge) * share) / 10 };
      if (hourly[view]?.edges[start.edge] === 1) cell.isHourly = true;
    }
  }
  return cell;
}
