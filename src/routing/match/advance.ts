import type { Coordinate } from "../../geo/coordinate.ts";
import { distance } from "../../geo/distance.ts";
import { Heap } from "../heap.ts";
import type { OverlayWindow } from "../overlay.ts";
import type { Candidate, PathStep } from "./candidates.ts";

/** How one gets from the candidates of a point to those of the next. */
export interface Step {
  /** Between the two points, straight [m]. */
  metres: number;
  /** How much a way differs from the straight line, on average [m]. */
  beta: number;
  /** The later point, and the standard deviation of its measurement [m]. */
  point: Coordinate;
  sigma: number;
}

/** Candidates less likely than the best by this factor (its logarithm) are given up. */
const BEAM = 20;
/** What it takes to believe that someone turned round in the middle of a road; as above. */
const U_TURN = 9;
/** Between ways of one length the quicker is the likelier, a little [per 0.1 s]. */
const HASTE = 1e-4;
/** No way longer than this is looked for: twice the straight line and some blocks [m]. */
const wayLimit = (metres: number) => metres * 2 + 400;

const heap = new Heap(1);
let key = new Int32Array(0);
let way = new Int32Array(0);
let before = new Int32Array(0);
let stamp = new Int32Array(0);
let target = new Int32Array(0);
let targetStamp = new Int32Array(0);
let run = 0;

function reserve(labels: number): void {
  heap.clear();
  if (labels <= key.length) return;
  const size = Math.ceil(labels * 1.3);
  heap.reserve(size);
  key = new Int32Array(size);
  way = new Int32Array(size);
  before = new Int32Array(size);
  stamp = new Int32Array(size);
  target = new Int32Array(size);
  targetStamp = new Int32Array(size);
  run = 0;
}

/**
 * One step of Viterbi's algorithm (1967): scores the candidates of a point by the best way from those of the point before,
 * where a way is the likelier the less its length differs from the straight line (Newson & Krumm 2009). Ways come from one
 * bounded search by time per earlier candidate, the likeliest first, so that later ones need not look far. False when
 * no way leads to any. The window holds the tiles around both points.
 */
export function advance(window: OverlayWindow, earlier: readonly Candidate[], later: Candidate[], step: Step): boolean {
  reserve(window.labelCount);
  const search = new StepSearch(window, later, step);
  const order = earlier
    .map((_, i) => i)
    .filter((i) => earlier[i].score > Number.NEGATIVE_INFINITY)
    .sort((a, b) => earlier[b].score - earlier[a].score);
  for (const i of order) {
    if (search.isHopeless(earlier[i])) break;
    search.from(earlier[i], i);
  }
  turnRound(later);
  standStill(earlier, order, later, step);
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

/** Steps up to so many standard deviations may be nothing but error. */
const STILL_REACH = 4;
/** How many of the likeliest candidates may have stayed where they were. */
const STILL_MOST = 3;

/**
 * Who was measured behind himself has not gone round the block, nor turned round twice: the place where he was is a place
 * where he may still be.
 */
function standStill(earlier: readonly Candidate[], order: readonly number[], later: Candidate[], step: Step): void {
  const { metres, beta, sigma, point } = step;
  if (metres > STILL_REACH * sigma) return;
  for (const from of order.slice(0, STILL_MOST)) {
    const before = earlier[from];
    const off = distance(before.location, point) / sigma;
    const emission = -0.5 * off * off;
    const score = before.score + emission - metres / beta;
    later.push({ ...before, emission, twin: -1, score, from, path: STAY, turned: false });
  }
}

class StepSearch {
  best = Number.NEGATIVE_INFINITY;
  private readonly window: OverlayWindow;
  private readonly later: Candidate[];
  private readonly step: Step;
  private readonly likeliest: number;
  /** Labels of the later candidates; −1 for those that are left out. */
  private readonly labels: number[];
  private readonly aims: number;
  private readonly aimStamp: number;
  /** By later candidate: the weight of the best way found in this run, and the label it comes in by. */
  private readonly foundKey: Int32Array;
  private readonly foundBy: Int32Array;
  private found = 0;

  constructor(window: OverlayWindow, later: Candidate[], step: Step) {
    this.window = window;
    this.later = later;
    this.step = step;
    this.likeliest = later.reduce((most, { emission }) => Math.max(most, emission), Number.NEGATIVE_INFINITY);
    // Who is at the very beginning of an edge is also at the end of the one before.
    const all = later.every(({ share }) => share === 0);
    const aim = ++run;
    this.labels = later.map((candidate, i) => {
      if (candidate.share === 0 && !all) return -1;
      const label = labelOf(window, candidate);
      target[label] = i;
      targetStamp[label] = aim;
      return label;
    });
    this.aimStamp = aim;
    this.aims = this.labels.reduce((count, label) => (label >= 0 ? count + 1 : count), 0);
    this.foundKey = new Int32Array(later.length);
    this.foundBy = new Int32Array(later.length);
  }

  /** Can nothing that leads on from here matter any more? */
  isHopeless({ score }: Candidate): boolean {
    return score + this.likeliest < this.best - BEAM;
  }

  from(start: Candidate, index: number): void {
    const { window, later, labels } = this;
    const own = ++run;
    this.found = 0;
    this.foundBy.fill(-1);
    const startLabel = labelOf(window, start);
    const whole = start.tile.lengthOf(start.edge);
    for (let i = 0; i < later.length; i++) {
      if (labels[i] !== startLabel) continue;
      const forward = ((later[i].share - start.share) * whole) / 10;
      if (forward >= 0) this.offer(i, index, start.score, forward, 0);
    }
    heap.clear();
    this.search(start, own);
    heap.clear();
    for (let i = 0; i < later.length; i++) {
      const by = this.foundBy[i];
      if (by < 0) continue;
      const { tile, edge, share } = later[i];
      const metres = (way[by] - tile.lengthOf(edge) * (1 - share)) / 10;
      if (this.offer(i, index, start.score, metres, key[by])) later[i].path = this.pathTo(by, own);
    }
  }

  private offer(i: number, from: number, score: number, metres: number, weight: number): boolean {
    const { later, step } = this;
    const sum = score + later[i].emission - Math.abs(metres - step.metres) / step.beta - weight * HASTE;
    if (sum <= later[i].score) return false;
    later[i].score = sum;
    later[i].from = from;
    later[i].path = STAY;
    later[i].turned = false;
    if (sum > this.best) this.best = sum;
    return true;
  }

  /** How long a way from here may be so that its end is worth knowing [0.1 m]. `best`: the best score that is sure. */
  private limit(score: number, best: number): number {
    const { metres, beta } = this.step;
    const most = wayLimit(metres);
    if (best === Number.NEGATIVE_INFINITY) return most * 10;
    return Math.min(most, metres + beta * (score + this.likeliest - best + BEAM)) * 10;
  }

  private search(start: Candidate, own: number): void {
    const { window, later, step } = this;
    const { views, bases, blocks, store } = window;
    const ids = store.manifest.crossingCount;
    let sure = this.best;
    let limit = this.limit(start.score, sure);
    let worst = 0;
    const expand = (view: number, edge: number, from: number, cost: number, metres: number) => {
      const { arcs, weight, tile } = views[view];
      for (let i = arcs.first[edge]; i < arcs.first[edge + 1]; i++) {
        const next = arcs.to[i];
        const label = window.label(view, next);
        const sum = cost + arcs.turnWeight[i] + weight[next];
        if (stamp[label] === own && key[label] <= sum) continue;
        stamp[label] = own;
        key[label] = sum;
        way[label] = metres + tile.lengthOf(next);
        before[label] = from;
        heap.set(label, sum);
        const original = tile.originalOf(next);
        const aim = original === next ? label : window.label(view, original);
        if (targetStamp[aim] !== this.aimStamp) continue;
        const at = target[aim];
        if (this.foundBy[at] >= 0 && this.foundKey[at] <= sum) continue;
        if (this.foundBy[at] < 0) this.found++;
        this.foundBy[at] = label;
        this.foundKey[at] = sum;
        worst = Math.max(worst, sum);
        const { emission, share } = later[at];
        const length = (way[label] - tile.lengthOf(next) * (1 - share)) / 10;
        const score = start.score + emission - Math.abs(length - step.metres) / step.beta;
        if (score <= sure) continue;
        sure = score;
        limit = this.limit(start.score, sure);
      }
    };
    const first = bind(window, start);
    if (!first) return;
    const rest = 1 - start.share;
    const { weight, tile } = views[first.view];
    expand(
      first.view,
      first.edge,
      -1,
      Math.round(weight[first.edge] * rest),
      Math.round(tile.lengthOf(first.edge) * rest),
    );
    while (heap.size > 0) {
      if (this.found === this.aims && heap.least >= worst) break;
      const cost = heap.least;
      const label = heap.pop();
      if (way[label] > limit) continue;
      if (label >= ids) {
        const view = blocks[(label - ids) >> 10];
        expand(view, label - bases[view], label, cost, way[label]);
        continue;
      }
      const view = window.viewOfTile.get(store.manifest.headTile[label]);
      if (view === undefined) continue;
      const entered = views[view].tile;
      expand(view, entered.entering[label - entered.firstEntering], label, cost, way[label]);
    }
  }

  private pathTo(last: number, own: number): PathStep[] {
    const { views, bases, blocks, store, viewOfTile } = this.window;
    const ids = store.manifest.crossingCount;
    const path: PathStep[] = [];
    for (let label = last; label >= 0; label = before[label]) {
      if (stamp[label] !== own) throw new Error("match: a path leads out of its search");
      if (label >= ids) {
        const view = blocks[(label - ids) >> 10];
        path.push({ tile: views[view].tile, edge: label - bases[view] });
        continue;
      }
      const into = viewOfTile.get(store.manifest.headTile[label]);
      const { tile } = views[into ?? viewOfTile.get(store.tailTile[label])!];
      const edge = into === undefined ? tile.leaving.get(label)! : tile.entering[label - tile.firstEntering];
      path.push({ tile, edge });
    }
    return path.reverse();
  }
}

const STAY: readonly PathStep[] = [];

function labelOf(window: OverlayWindow, { tile, edge }: Candidate): number {
  return window.label(window.viewOfTile.get(tile.index)!, edge);
}

/** The candidate's edge in the tile where it ends, if that is at hand. */
function bind(window: OverlayWindow, { tile, edge }: Candidate): { view: number; edge: number } | undefined {
  const node = tile.head[edge];
  if (node < tile.insideCount) return { view: window.viewOfTile.get(tile.index)!, edge };
  const view = window.viewOfTile.get(tile.outsideTile[node - tile.insideCount]);
  if (view === undefined) return undefined;
  const other = window.views[view].tile;
  return { view, edge: other.entering[tile.crossing[edge] - other.firstEntering] };
}
