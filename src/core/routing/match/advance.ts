import type { Coordinate } from "../../geo/coordinate.ts";
import { distance, METRES_PER_DEGREE, RADIANS } from "../../geo/distance.ts";
import type { Steps } from "../../geo/steps.ts";
import { UNREACHABLE } from "../graph/pack.ts";
import type { Tile } from "../graph/tile.ts";
import type { OverlayWindow } from "../search/overlay.ts";
import { ARCS, looked, overlayLabels, takeWork } from "../store/search-labels.ts";
import type { Candidate, PathStep } from "./candidates.ts";

/** Parameters of the transition from the candidates of one point to those of the next. */
export interface Transition {
  /** Straight line between the two points [m]. */
  metres: number;
  /** How much the length of a path differs from the straight line, on average [m]. */
  beta: number;
  /** The later point, and the standard deviation of its measurement [m]. */
  point: Coordinate;
  sigma: number;
}

/** Candidates whose log-likelihood is this much below that of the best are dropped. */
const BEAM = 20;
/** Log-likelihood that turning round in the middle of a road costs. */
const U_TURN = 14;
/** Of two paths of one length the quicker one is a little more likely: log-likelihood per 0.1 s. */
const HASTE = 1e-4;
/** A distance on the plane around the point, times this, is never longer than that on the Earth. */
const SHORTER = 0.98;
const HALF_TURN = 180e6;
/** No path longer than this is looked for: twice the straight line and some blocks [m]. */
const pathLimit = (metres: number) => metres * 2 + 400;

const [labels] = overlayLabels;
/** A label's candidate among the later ones, from 1 on; 0 for the others, and for all between two searches. */
let aimAt = new Int16Array(0);

/**
 * One step of Viterbi's algorithm (1967): scores the candidates of a point by the best path from those of the previous
 * point. The less the length of a path differs from the straight line, the likelier it is (Newson & Krumm 2009). Paths
 * come from one bounded search by time per earlier candidate, the likeliest first, so that later searches can be
 * shorter. False if no path leads to any candidate. The window holds the tiles around both points. A step of the work is a search.
 */
export function* advance(
  window: OverlayWindow,
  earlier: readonly Candidate[],
  later: Candidate[],
  transition: Transition,
): Steps<boolean> {
  window.settle();
  const search = new TransitionSearch(window, later, transition);
  const order = earlier
    .map((_, i) => i)
    .filter((i) => earlier[i].score > Number.NEGATIVE_INFINITY)
    .sort((a, b) => earlier[b].score - earlier[a].score);
  for (const i of order) {
    if (search.isHopeless(earlier[i])) break;
    search.from(earlier[i], i);
    yield takeWork();
  }
  turnRound(later);
  standStill(earlier, order, later, transition);
  return search.best > Number.NEGATIVE_INFINITY;
}

function turnRound(candidates: Candidate[]): void {
  const came = candidates.map(({ score }) => score);
  for (const candidate of candidates) {
    if (candidate.twin < 0 || came[candidate.twin] - U_TURN <= candidate.score) continue;
    candidate.score = came[candidate.twin] - U_TURN;
    candidate.turned = true;
  }
}

/** Points no farther apart than this may differ by measurement error alone [standard deviations]. */
const STILL_REACH = 4;
/** How many of the earlier candidates, the likeliest, are offered as places where the traveler stayed. */
const STILL_MOST = 3;

/**
 * A point measured slightly behind the previous one does not mean that the traveler drove around the block or made two
 * U-turns: it may be error alone. So the positions of the previous point are candidates for this point too.
 */
function standStill(
  earlier: readonly Candidate[],
  order: readonly number[],
  later: Candidate[],
  transition: Transition,
): void {
  const { metres, beta, sigma, point } = transition;
  if (metres > STILL_REACH * sigma) return;
  for (const from of order.slice(0, STILL_MOST)) {
    const before = earlier[from];
    const off = distance(before.location, point) / sigma;
    const emission = -0.5 * off * off;
    const score = before.score + emission - metres / beta;
    later.push({ ...before, emission, twin: -1, score, from, path: STAY, turned: false });
  }
}

class TransitionSearch {
  best = Number.NEGATIVE_INFINITY;
  readonly #window: OverlayWindow;
  readonly #later: Candidate[];
  readonly #transition: Transition;
  readonly #likeliest: number;
  /** The edges of all later candidates begin at most so far from the point [0.1 m]. */
  readonly #spread: number;
  /** Labels of the later candidates; −1 for those that are left out. */
  readonly #aims: number[];
  readonly #aimCount: number;
  /** By later candidate: weight of the best path found from the present earlier one, and the label it ends at. */
  readonly #foundKey: Int32Array;
  readonly #foundBy: Int32Array;
  #found = 0;

  constructor(window: OverlayWindow, later: Candidate[], transition: Transition) {
    this.#window = window;
    this.#later = later;
    this.#transition = transition;
    this.#likeliest = later.reduce((most, { emission }) => Math.max(most, emission), Number.NEGATIVE_INFINITY);
    this.#spread = later.reduce((most, { location, tile, edge }) => {
      return Math.max(most, distance(location, transition.point) * 10 + tile.lengthOf(edge));
    }, 0);
    // The very beginning of an edge is also the end of the edge before it: one of the two candidates is enough.
    const all = later.every(({ share }) => share === 0);
    this.#aims = later.map((candidate) => {
      if (candidate.share === 0 && !all) return -1;
      return labelOf(window, candidate);
    });
    this.#aimCount = this.#aims.filter((label) => label >= 0).length;
    this.#foundKey = new Int32Array(later.length);
    this.#foundBy = new Int32Array(later.length);
  }

  /** Returns whether no path from this candidate can come near enough to the best score any more. */
  isHopeless({ score }: Candidate): boolean {
    return score + this.#likeliest < this.best - BEAM;
  }

  /** Offers every later candidate the best path from an earlier one. */
  from(start: Candidate, index: number): void {
    const later = this.#later;
    this.#found = 0;
    this.#foundBy.fill(-1);
    // Along the edge of the earlier candidate, without leaving it.
    const startLabel = labelOf(this.#window, start);
    const whole = start.tile.lengthOf(start.edge);
    for (let i = 0; i < later.length; i++) {
      if (this.#aims[i] !== startLabel) continue;
      const forward = ((later[i].share - start.share) * whole) / 10;
      if (forward >= 0) this.#offer(i, index, start.score, forward, 0);
    }
    // Over other edges. Other searches use the same labels.
    if (aimAt.length < this.#window.labelCount) aimAt = new Int16Array(Math.ceil(this.#window.labelCount * 1.3));
    for (const [i, label] of this.#aims.entries()) if (label >= 0) aimAt[label] = i + 1;
    this.#search(start);
    for (const label of this.#aims) if (label >= 0) aimAt[label] = 0;
    for (let i = 0; i < later.length; i++) {
      const by = this.#foundBy[i];
      if (by < 0) continue;
      const { tile, edge, share } = later[i];
      const metres = (labels.distance[by] - tile.lengthOf(edge) * (1 - share)) / 10;
      if (this.#offer(i, index, start.score, metres, labels.key[by])) later[i].path = this.#pathTo(by);
    }
  }

  #offer(i: number, from: number, score: number, metres: number, weight: number): boolean {
    const candidate = this.#later[i];
    const transition = this.#transition;
    const off = Math.abs(metres - transition.metres);
    const sum = score + candidate.emission - off / transition.beta - weight * HASTE;
    if (sum <= candidate.score) return false;
    candidate.score = sum;
    candidate.from = from;
    candidate.path = STAY;
    candidate.turned = false;
    if (sum > this.best) this.best = sum;
    return true;
  }

  /** No longer path can still reach a score near enough to `best`, the best one found [0.1 m]. */
  #limit(score: number, best: number): number {
    const { metres, beta } = this.#transition;
    const most = pathLimit(metres);
    if (best === Number.NEGATIVE_INFINITY) return most * 10;
    return Math.min(most, metres + beta * (score + this.#likeliest - best + BEAM)) * 10;
  }

  /** Dijkstra's algorithm by time from an earlier candidate, until all later ones are found or are too far away. */
  #search(start: Candidate): void {
    const window = this.#window;
    const later = this.#later;
    const transition = this.#transition;
    const foundKey = this.#foundKey;
    const foundBy = this.#foundBy;
    const { views, bases, numbering } = window;
    const { latitude, longitude } = transition.point;
    const [y, x] = [latitude * 1e6, longitude * 1e6];
    const perNorth = METRES_PER_DEGREE * 1e-5 * SHORTER;
    const perEast = perNorth * Math.cos(latitude * RADIANS);
    /** Whether all ways from the end of an edge, `metres` from the start, to a later candidate are too long [0.1 m]. */
    const isAway = (tile: Tile, edge: number, metres: number): boolean => {
      if (metres > limit) return true;
      const node = tile.headOf(edge);
      const north = (tile.latitude[node] - y) * perNorth;
      const east = (tile.longitude[node] - x) * perEast;
      const least = limit - metres + this.#spread;
      return north * north + east * east > least * least && Math.abs(tile.longitude[node] - x) < HALF_TURN;
    };
    labels.reset(window.labelCount, "from", "distance");
    const { heap, key, from: before, distance: distances } = labels;
    let best = this.best;
    let limit = this.#limit(start.score, best);
    let worst = 0;
    const followArcs = (view: number, edge: number, from: number, cost: number, metres: number) => {
      const { arcs, weight, tile } = views[view];
      looked.at += ARCS;
      for (let i = arcs.first[edge]; i < arcs.first[edge + 1]; i++) {
        const next = arcs.to[i];
        const label = window.label(view, next);
        const sum = cost + arcs.turnWeight[arcs.turn[i]] + weight[next];
        if (sum >= key[label]) continue;
        labels.lower(label, sum);
        distances[label] = metres + tile.lengthOf(next);
        before[label] = from;
        // Matches the edge of a later candidate, or a restriction's copy of it.
        const original = tile.originalOf(next);
        const at = aimAt[original === next ? label : window.label(view, original)] - 1;
        if (at < 0 || (foundBy[at] >= 0 && foundKey[at] <= sum)) continue;
        if (foundBy[at] < 0) this.#found++;
        foundBy[at] = label;
        foundKey[at] = sum;
        worst = Math.max(worst, sum);
        // A better score bounds how far the search need go.
        const { emission, share } = later[at];
        const length = (distances[label] - tile.lengthOf(next) * (1 - share)) / 10;
        const score = start.score + emission - Math.abs(length - transition.metres) / transition.beta;
        if (score <= best) continue;
        best = score;
        limit = this.#limit(start.score, best);
      }
    };
    const first = inHeadTile(window, start);
    if (!first) return;
    const rest = 1 - start.share;
    const { weight, tile: firstTile } = views[first.view];
    followArcs(
      first.view,
      first.edge,
      -1,
      Math.round(weight[first.edge] * rest),
      Math.round(firstTile.lengthOf(first.edge) * rest),
    );
    while (heap.size > 0) {
      if (this.#found === this.#aimCount && heap.least >= worst) break;
      const cost = heap.least;
      const label = heap.pop();
      const metres = distances[label];
      const inner = window.innerView(label);
      const view = inner >= 0 ? inner : window.viewAt(numbering.headTile[label]);
      if (view < 0) continue;
      const { tile } = views[view];
      const edge = inner >= 0 ? label - bases[view] : tile.entering[numbering.ids[label] - tile.firstEntering];
      if (!isAway(tile, edge, metres)) followArcs(view, edge, label, cost, metres);
    }
  }

  #pathTo(last: number): PathStep[] {
    const { views, bases, numbering } = this.#window;
    const path: PathStep[] = [];
    for (let label = last; label >= 0; label = labels.from[label]) {
      if (labels.key[label] === UNREACHABLE) throw new Error("match: a path leads out of its search");
      const inner = this.#window.innerView(label);
      if (inner >= 0) {
        path.push({ tile: views[inner].tile, edge: label - bases[inner] });
        continue;
      }
      const into = this.#window.viewAt(numbering.headTile[label]);
      const { tile } = views[into >= 0 ? into : this.#window.viewAt(numbering.tailTile[label])];
      const id = numbering.ids[label];
      const edge = into < 0 ? tile.leaving.get(id)! : tile.entering[id - tile.firstEntering];
      path.push({ tile, edge });
    }
    return path.reverse();
  }
}

const STAY: readonly PathStep[] = [];

function labelOf(window: OverlayWindow, { tile, edge }: Candidate): number {
  return window.label(window.viewAt(tile.index), edge);
}

/** The candidate's edge as the tile in which it ends numbers it; undefined where that tile is not in the window. */
function inHeadTile(window: OverlayWindow, { tile, edge }: Candidate): { view: number; edge: number } | undefined {
  const node = tile.headOf(edge);
  if (node < tile.insideCount) return { view: window.viewAt(tile.index), edge };
  const view = window.viewAt(tile.outsideTile[node - tile.insideCount]);
  if (view < 0) return undefined;
  const other = window.views[view].tile;
  return { view, edge: other.entering[tile.crossingOf(edge) - other.firstEntering] };
}
