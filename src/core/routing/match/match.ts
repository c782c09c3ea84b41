import { distance } from "../../geo/distance.ts";
import { atPace } from "../../geo/steps.ts";
import { MODES, type Mode } from "../graph/modes.ts";
import type { Router } from "../route/router.ts";
import { OverlayWindow } from "../search/overlay.ts";
import type { RoadStore } from "../store/road-store.ts";
import { takeWork } from "../store/search-labels.ts";
import { advance } from "./advance.ts";
import { type Candidate, candidatesFor } from "./candidates.ts";
import { type Course, layCourse, type MatchedPoint } from "./course.ts";
import { assumedNoise, noiseOf, sampleOf } from "./noise.ts";
import { withoutSpikes } from "./spikes.ts";
import { type Fix, fixesOf, isTooFast, MIN_SIGMA, type TracePoint } from "./trace.ts";

export interface MatchOptions {
  mode: Mode;
  /** A longer silence splits the trace [s]; absent: never. */
  gap?: number;
}

export interface MatchedTrace {
  points: MatchedPoint[];
  /** The roads travelled; a new course begins where the trace breaks off. */
  courses: Course[];
  /** Along the courses [m]. */
  distance: number;
}

/** Between points farther apart than this the trace is split [m]. */
const MAX_GAP = 2500;
/** After so many points in a row that no path leads to, a new run begins at the first of them. */
const MAX_MISSES = 3;
/** Maximum distance from a point to its road: three standard deviations, within these bounds [m]. */
const MIN_RADIUS = 25;
const MAX_RADIUS = 100;
/** The tiles of roads at least this near to a point are loaded [m]. */
const MARGIN = 250;
/** … and half as much again as a gap between two points may be wide, at most. */
const MAX_AROUND = Math.max(MARGIN, MAX_GAP * 0.75);
/** Work of finding the candidates of a point, without the searches between them [µs]. */
const FIX_COST = 60;
/** Tiles that are loaded for one run of searches, about. */
const MAX_TILES = 48;

/**
 * The roads on which a trace was most likely taken: a hidden Markov model (Newson & Krumm 2009) whose states are places
 * on roads, observed with a normally distributed error, and whose transitions are the paths between them. Points that
 * fit no path are dropped, gaps split the trace; the rest is matched. Without any match the result is empty. The noise of
 * points without an accuracy is that of a part of the trace that is matched first.
 */
export async function match(
  router: Router,
  trace: readonly TracePoint[],
  options: MatchOptions,
): Promise<MatchedTrace> {
  if (trace.every(({ accuracy }) => accuracy !== undefined)) return matchWith(router, trace, options, MIN_SIGMA);
  const sample = sampleOf(trace);
  const { points } = await matchWith(router, sample, options, assumedNoise(sample));
  return matchWith(router, trace, options, noiseOf(sample, points));
}

/** `noise`: standard deviation of points without an accuracy [m]. */
async function matchWith(
  router: Router,
  reported: readonly TracePoint[],
  { mode, gap = Number.POSITIVE_INFINITY }: MatchOptions,
  noise: number,
): Promise<MatchedTrace> {
  const { trace, spikes } = withoutSpikes(reported, noise);
  const fixes = fixesOf(trace, noise);
  const runs = await new Matcher(router.store, fixes, mode, gap).run();
  const long = runs.filter(({ columns }) => columns.length > 1);
  const points: MatchedPoint[] = [];
  const courses: Course[] = [];
  for (const { columns, fixes: own } of long.length > 0 ? long : runs) {
    const { course, points: matched } = await atPace(layCourse(backtrack(columns), own, trace), router.store);
    courses.push(course);
    const isNear = ({ index, location }: MatchedPoint) => distance(reported[index], location) <= MAX_RADIUS;
    points.push(...matched.filter((point) => !spikes.has(point.index) || isNear(point)));
  }
  return { points, courses, distance: courses.reduce((sum, course) => sum + course.distance, 0) };
}

/** Returns whether there was no point for longer than this number of seconds. */
function isSilent(before: Fix, fix: Fix, gap: number): boolean {
  return before.time !== undefined && fix.time !== undefined && fix.time - before.time > gap;
}

/** Consecutive fixes with a path from each to the next. */
interface Run {
  fixes: Fix[];
  columns: Candidate[][];
}

class Matcher {
  readonly #store: RoadStore;
  readonly #fixes: readonly Fix[];
  readonly #mode: Mode;
  readonly #gap: number;
  #window: OverlayWindow;
  readonly #runs: Run[] = [];

  constructor(store: RoadStore, fixes: readonly Fix[], mode: Mode, gap: number) {
    this.#store = store;
    this.#gap = gap;
    this.#fixes = fixes;
    this.#mode = mode;
    this.#window = this.#newWindow();
  }

  #newWindow(): OverlayWindow {
    return new OverlayWindow(this.#store, { mode: MODES.indexOf(this.#mode), avoid: 0 });
  }

  async run(): Promise<Run[]> {
    const fixes = this.#fixes;
    const opening = this.#store.districts.openAround(fixes, MAX_AROUND, this.#window.metric);
    if (opening) await opening;
    let current: Run | undefined;
    let misses: number[] = [];
    let ready = 0;
    for (let i = 0; i < fixes.length; i++) {
      // Skipped points are examined again, so their data must still be loaded.
      if (i >= ready) ready = await this.#prepare(misses[0] ?? i, current);
      const turn = this.#store.spend(FIX_COST + takeWork());
      if (turn) await turn;
      if (current && !(await this.#extend(current, fixes[i]))) {
        misses.push(i);
        if (misses.length < MAX_MISSES && i + 1 < fixes.length) continue;
        // No path continues: the skipped fixes may form a separate run.
        current = undefined;
        i = misses[0];
        misses = [];
      } else if (current) misses = [];
      current ??= this.#begin(fixes[i]);
    }
    return this.#runs;
  }

  #begin(fix: Fix): Run | undefined {
    const column = this.#candidates(fix);
    if (column.length === 0) return undefined;
    for (const candidate of column) candidate.score = candidate.emission;
    const run = { fixes: [fix], columns: [column] };
    this.#runs.push(run);
    return run;
  }

  async #extend(run: Run, fix: Fix): Promise<boolean> {
    const last = run.fixes[run.fixes.length - 1];
    const metres = distance(last, fix);
    if (metres > MAX_GAP || isSilent(last, fix, this.#gap) || isTooFast(last, fix, this.#mode)) return false;
    const column = this.#candidates(fix);
    if (column.length === 0) return false;
    const sigma = Math.max(last.sigma, fix.sigma);
    // The longer the line and the larger the error, the more a path may differ from it (Newson & Krumm fit β to time).
    const beta = Math.min(10, Math.max(3, sigma / 2)) + metres / 100;
    const transition = { metres, beta, point: fix, sigma };
    const steps = advance(this.#window, run.columns[run.columns.length - 1], column, transition);
    if (!(await atPace(steps, this.#store))) return false;
    run.fixes.push(fix);
    run.columns.push(column);
    return true;
  }

  #candidates(fix: Fix): Candidate[] {
    const radius = Math.min(MAX_RADIUS, Math.max(MIN_RADIUS, 3 * fix.sigma));
    const most = 8 + Math.round(fix.sigma / 3);
    for (const reach of radius < MAX_RADIUS ? [radius, MAX_RADIUS] : [radius]) {
      const found = candidatesFor(
        this.#window,
        this.#store.districts.tilesAround(fix, reach),
        fix,
        fix.sigma,
        reach,
        most,
      );
      if (found.length > 0) return found;
    }
    return [];
  }

  /** Loads the tiles around the fixes from `first` on, as many as fit; returns the index of the first that did not. */
  async #prepare(first: number, current: Run | undefined): Promise<number> {
    const fixes = this.#fixes;
    const store = this.#store;
    const wanted = new Set<number>();
    let next = first;
    for (; next < fixes.length && (next < first + MAX_MISSES + 1 || wanted.size < MAX_TILES); next++) {
      const last = next === first ? current?.fixes[current.fixes.length - 1] : fixes[next - 1];
      const metres = last ? distance(last, fixes[next]) : 0;
      const around = metres > MAX_GAP ? MARGIN : Math.max(MARGIN, metres * 0.75);
      for (const tile of store.districts.tilesAround(fixes[next], around)) wanted.add(tile);
    }
    const tiles = await Promise.all([...wanted].map((index) => store.tileAtHand(index) ?? store.tile(index)));
    if (this.#window.views.length + tiles.length > 2 * MAX_TILES) {
      this.#window = this.#newWindow();
      for (const { tile } of current?.columns[current.columns.length - 1] ?? []) this.#window.open(tile);
    }
    for (const tile of tiles) {
      if (tile) this.#window.open(tile);
      const turn = store.spend(0);
      if (turn) await turn;
    }
    return next;
  }
}

/** The likeliest candidate of each column, and the one first arrived at: its twin where the traveler turned round. */
function backtrack(columns: readonly Candidate[][]): { arrived: Candidate; left: Candidate }[] {
  const chain: { arrived: Candidate; left: Candidate }[] = [];
  let column = columns[columns.length - 1];
  // Turning round at the very end leads nowhere; such candidates are never the best.
  let left = column.reduce((best, candidate) => (candidate.score > best.score ? candidate : best));
  for (let i = columns.length - 1; ; i--) {
    const arrived = left.turned ? column[left.twin] : left;
    chain.push({ arrived, left });
    if (i === 0) break;
    column = columns[i - 1];
    left = column[arrived.from];
  }
  return chain.reverse();
}
