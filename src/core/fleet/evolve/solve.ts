import type { Pace } from "../../geo/pace.ts";
import { fewerVehicles, meanWay } from "../fleet-size.ts";
import type { Random } from "../insertion.ts";
import type { Model } from "../model.ts";
import { polish } from "../polish.ts";
import { constructByRegret } from "../regret.ts";
import { type Assignment, isBetter, Search } from "../search.ts";
import { eliminateRoutes } from "./eliminate-routes.ts";
import { evolve } from "./evolve.ts";
import { uniformFleet } from "./uniform-fleet.ts";

export interface SolveOptions {
  /** The same problem with the same seed and effort gives the same result. */
  seed: number;
  /**
   * Amount of work [units of pace, about a microsecond each]. Counted, not timed, so that the result is the same
   * everywhere.
   */
  effort: number;
  pace: Pace;
  /** Told now and then how much is done, 0 to 1. */
  progress?: (share: number) => void;
}

/**
 * Work after which the search of a problem ends, whatever the effort, per pair and per triple of stops [units of pace].
 * Problems of up to 30 stops then have the best plan that four seeds find.
 */
const ENOUGH_PER_PAIR = 1_200;
const ENOUGH_PER_TRIPLE = 40;
/** Share of the remaining effort for reducing vehicles, if using a vehicle has a cost. */
const FOR_FLEET = 0.6;
/** Of the effort, for each of two beginnings; with less than so much [units of pace] there is one. */
const FOR_A_START = 0.1;
const MIN_FOR_TWO = 200_000;
/** From so much on, and so much per pair of stops, a population plans like vehicles [units of pace]. */
const MIN_FOR_POPULATION = 1_000_000;
const MIN_FOR_POPULATION_PER_PAIR = 250;
/** Share of the effort for fewer vehicles, before a population; and at most so much per pair of stops to find fewer by annealing after it. */
const FOR_ELIMINATION = 0.3;
const FOR_ANNEALED_PER_PAIR = 75;
/** Temperatures at the beginning and the end of annealing, in mean costs of a way between two stops. */
const HOT = 1;
const COLD = 0.01;

/** The effort that a problem can use: small problems need less than the caller allows [units of pace]. */
export const usefulEffort = ({ nodes }: Model, effort: number): number =>
  Math.min(effort, nodes ** 2 * Math.max(ENOUGH_PER_PAIR, ENOUGH_PER_TRIPLE * nodes));

/**
 * Gives tasks to vehicles: regret insertion, then ruin and recreate under simulated annealing (SISR, Christiaens &
 * Vanden Berghe 2020) with its minimization of the fleet, and finally a local search until no improvement is left. Like vehicles
 * with enough effort are improved by a population instead of annealing.
 */
export async function solve(model: Model, options: SolveOptions): Promise<Assignment> {
  const { seed, pace, progress } = options;
  const effort = usefulEffort(model, options.effort);
  const search = new Search(model, randomFrom(seed), pace);
  await constructByRegret(search);
  const hasWork = model.nodes > 0 && search.tours.some(({ count }) => count > 0);
  if (!hasWork) return search.save();
  await polish(search);
  const savesVehicles = model.problem.vehicles.some(({ costs }) => costs.fixed > 0);
  const least = Math.max(MIN_FOR_POPULATION, MIN_FOR_POPULATION_PER_PAIR * model.nodes ** 2);
  const uniform = effort >= least && search.undone.length === 0 ? uniformFleet(model) : undefined;
  if (uniform) {
    if (savesVehicles) {
      await eliminateRoutes(search, uniform, effort * FOR_ELIMINATION);
      await fewerVehicles(search, Math.min(effort * FOR_ELIMINATION, FOR_ANNEALED_PER_PAIR * model.nodes ** 2));
    }
    await evolve(search, uniform, effort);
    await polish(search);
    return search.save();
  }
  if (effort >= MIN_FOR_TWO) {
    await anneal(search, search.spent + effort * FOR_A_START);
    await beginAnew(search, effort * FOR_A_START, savesVehicles);
  }
  if (savesVehicles) await fewerVehicles(search, (effort - search.spent) * FOR_FLEET);
  await anneal(search, effort, progress);
  await polish(search);
  return search.save();
}

/**
 * Restarts from an empty assignment, by plain insertion, and keeps the better result after the same effort: in a few
 * long tours the grouping of areas is decided at the beginning, and changes of about ten stops cannot move from one
 * grouping to another.
 */
async function beginAnew(search: Search, effort: number, savesVehicles: boolean): Promise<void> {
  const [before, scoreBefore] = [search.save(), search.score];
  search.restore({ routes: before.routes.map(() => new Int32Array(0)), undone: [...search.model.nodesOf.keys()] });
  search.recreate(0);
  await polish(search);
  if (savesVehicles) await fewerVehicles(search, effort / 2);
  await anneal(search, search.spent + effort);
  if (!isBetter(search.score, scoreBefore)) search.restore(before);
}

/** State passed from one step to the next: only numbers, so that it can be stored. */
export interface Halfway {
  routes: number[][];
  undone: number[];
  /** Of the whole effort, 0 to 1. */
  share: number;
}

/**
 * The same in steps, for problems that take longer than one computation may: from the state of the last step (or from
 * the start) to a share of the effort. A step begins with the best assignment so far, so a repeated step has the same
 * result; the last, at share 1, ends with the local search.
 */
export async function solveStep(
  model: Model,
  { seed, effort, pace }: Omit<SolveOptions, "progress">,
  from: Halfway | undefined,
  until: number,
): Promise<Halfway> {
  const begun = from?.share ?? 0;
  // A separate random stream for each step.
  const search = new Search(model, randomFrom((seed + Math.round(begun * 1_000_003)) >>> 0), pace);
  if (from) search.restore({ routes: from.routes.map((nodes) => Int32Array.from(nodes)), undone: from.undone });
  else {
    await constructByRegret(search);
    await polish(search);
  }
  if (model.nodes > 0 && search.tours.some(({ count }) => count > 0)) {
    const forFleet = model.problem.vehicles.some(({ costs }) => costs.fixed > 0) ? FOR_FLEET : 0;
    if (begun < forFleet) await fewerVehicles(search, effort * (until - begun));
    else {
      const coolness = (share: number) => (share - forFleet) / (1 - forFleet);
      const stretch = { from: coolness(begun), until: coolness(until) };
      await anneal(search, search.spent + effort * (until - begun), undefined, stretch);
    }
    if (until >= 1) await polish(search);
  }
  const { routes, undone } = search.save();
  return { routes: routes.map((nodes) => [...nodes]), undone, share: until };
}

/** Ruins and recreates until the effort is spent; ends with the best that was seen. `stretch`: of the way from hot to cold. */
async function anneal(
  search: Search,
  effort: number,
  progress?: (share: number) => void,
  stretch = { from: 0, until: 1 },
): Promise<void> {
  const from = search.spent;
  const { random } = search;
  let current = search.score;
  let bestScore = current;
  search.remember();
  const mean = meanWay(search);
  for (let round = 0; ; round++) {
    const share = effort > from ? (search.spent - from) / (effort - from) : 1;
    if (share >= 1) break;
    if (round % 256 === 0) progress?.(share);
    const cooled = stretch.from + (stretch.until - stretch.from) * share;
    const temperature = mean * HOT * (COLD / HOT) ** cooled;
    search.begin();
    search.ruin();
    search.recreate();
    const score = search.score;
    const allowed = current.cost - temperature * Math.log(random() || 1e-12);
    if (score.undone < current.undone || (score.undone === current.undone && score.cost < allowed)) {
      current = score;
      if (isBetter(score, bestScore)) {
        bestScore = score;
        search.remember();
      }
    } else search.takeBack();
    const turn = search.rest();
    if (turn) await turn;
  }
  search.recall();
}

/** mulberry32 (Tommy Ettinger, public domain). */
function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
