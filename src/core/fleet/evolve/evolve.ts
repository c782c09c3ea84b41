import type { Assignment, Search } from "../search.ts";
import { Descent } from "./descent.ts";
import { EdgeAssembly } from "./edge-assembly.ts";
import { EjectionPool } from "./ejection-pool.ts";
import { PASSED_PER_UNIT, PenalizedTours } from "./penalized-tours.ts";
import { PenaltyControl } from "./penalty-control.ts";
import { fitterOf, type Member, noNearest, Subpopulation } from "./subpopulation.ts";
import type { UniformFleet } from "./uniform-fleet.ts";

/** Members of a new population. */
const BEGINNING = 60;
/** Share of its members that are not late, and of the remaining work for these. */
const WITHOUT_LATENESS = 0.5;
const FOR_WITHOUT_LATENESS = 0.15;
/** Share of the vehicles whose stops are planned again for a member, and random changes after it. */
const SHAKEN = 0.4;
const CHANGES = 200;
/** Share of children of a single cycle of edges, and of others the share of cycles. */
const SINGLE = 0.5;
const CYCLES = 0.5;
/** Share of infeasible children that are repaired, with penalties so many times higher. */
const REPAIRED = 0.5;
const REPAIR = 10;
/** Work of comparing two members, in stops passed. */
const COMPARISON = 8;
/** Children without a better plan after which the population begins again. */
const MAX_STALE = 5000;

/** Improves the plan of a search by a population, until the search has spent this much work [units of pace]. */
export async function evolve(search: Search, fleet: UniformFleet, until: number): Promise<void> {
  const before = search.save();
  const population = new Population(search, fleet);
  while (search.spent < until) await population.live(until);
  search.restore(population.best());
  // Sums in another order may differ by rounding: then a tour that is full to the last fraction is not possible.
  if (!search.tours.every((tour) => tour.update())) search.restore(before);
}

/**
 * A hybrid genetic search (Vidal, Crainic, Gendreau & Prins 2013; Wouda, Lan & Kool 2024): plans without violations and plans with
 * violations, each in a subpopulation. Two fit plans are crossed; the child is improved by a local search with penalties.
 */
class Population {
  readonly #search: Search;
  readonly #fleet: UniformFleet;
  readonly #tours: PenalizedTours;
  readonly #descent: Descent;
  readonly #assembly: EdgeAssembly;
  readonly #pool: EjectionPool;
  readonly #control: PenaltyControl;
  readonly #fixed: number;
  readonly #next: Int32Array;
  readonly #firsts: Int32Array;
  readonly #isOpen: Uint8Array;
  #feasible: Subpopulation;
  #infeasible: Subpopulation;
  #best: Member | undefined;
  #stale = 0;
  #paid = 0;
  #other = 0;

  constructor(search: Search, fleet: UniformFleet) {
    const { model, used, random } = search;
    const { fixed } = model.problem.vehicles[0].costs;
    const travel = search.tours.reduce((sum, { count, travelCost }) => sum + (count > 0 ? travelCost : 0), 0);
    // A vehicle that costs more than all ways: the number of vehicles is decided before.
    const isDecided = fixed > travel;
    const routes = isDecided ? used : Math.min(fleet.vehicles, Math.ceil(used * 1.2) + 1);
    this.#search = search;
    this.#fleet = fleet;
    this.#fixed = isDecided ? 0 : fixed;
    this.#tours = new PenalizedTours(fleet, routes);
    this.#descent = new Descent(this.#tours, random, this.#fixed);
    this.#assembly = new EdgeAssembly(fleet, routes, random);
    this.#pool = new EjectionPool(fleet, routes, random);
    this.#next = new Int32Array(fleet.stops);
    this.#firsts = new Int32Array(Math.max(routes, fleet.stops));
    this.#isOpen = new Uint8Array(fleet.stops);
    const time = search.tours.reduce((sum, tour) => sum + tour.travelTime, 0);
    this.#control = new PenaltyControl(fleet, travel / (fleet.stops + used), time > 0 ? travel / time : 1);
    [this.#feasible, this.#infeasible] = emptyPopulation();
    const count = this.#start(search.save());
    this.#pool.load(this.#next, this.#firsts, count);
    this.#add(count);
  }

  best(): Assignment {
    const { model } = this.#search;
    const routes: Int32Array[] = model.problem.vehicles.map(() => new Int32Array(0));
    const { next, firsts, count } = this.#best as Member;
    for (let route = 0; route < count; route++) {
      const nodes: number[] = [];
      for (let stop = firsts[route]; stop < this.#fleet.stops; stop = next[stop]) nodes.push(stop);
      routes[route] = Int32Array.from(nodes);
    }
    return { routes, undone: [] };
  }

  /** A population from its beginning until it has no better plan for long. */
  async live(until: number): Promise<void> {
    const search = this.#search;
    const { random } = search;
    await this.#fill(until);
    for (this.#stale = 0; this.#stale < MAX_STALE && search.spent < until; this.#stale++) {
      const populations = [this.#feasible, this.#infeasible];
      const a = fitterOf(populations, random);
      let b = fitterOf(populations, random);
      for (let i = 0; i < 5 && b === a; i++) b = fitterOf(populations, random);
      const cycles = this.#assembly.mate(a, b);
      if (cycles > 0) this.#bear(a, this.#someCycles(cycles));
      this.#pay();
      const turn = search.rest();
      if (turn) await turn;
    }
    [this.#feasible, this.#infeasible] = emptyPopulation();
    this.#control.reset();
  }

  /** Adds a child of some cycles of edges. */
  #bear(a: Member, cycles: readonly number[]): void {
    const [tours, assembly, control] = [this.#tours, this.#assembly, this.#control];
    assembly.child(a, cycles);
    tours.setPenalties(control.penalties);
    tours.load(assembly.next, assembly.firsts, assembly.count);
    this.#descent.run(assembly.isChanged);
    const member = this.#read();
    const { isAdapted } = control.count(member);
    this.#insert(member);
    if (isAdapted) this.#reweigh();
    if ((member.late > 0 || member.overload > 0) && this.#search.random() < REPAIRED) {
      const { late, load } = control.penalties;
      tours.setPenalties({ late: late * REPAIR, load: load * REPAIR });
      this.#descent.run(this.#penalized());
      if (tours.isFeasible) this.#insert(this.#read());
    }
  }

  #someCycles(cycles: number): readonly number[] {
    const { random } = this.#search;
    const one = [Math.floor(random() * cycles)];
    if (random() < SINGLE) return one;
    const some: number[] = [];
    for (let i = 0; i < cycles; i++) if (random() < CYCLES) some.push(i);
    return some.length > 0 ? some : one;
  }

  /** Begins a population. */
  async #fill(until: number): Promise<void> {
    const search = this.#search;
    const tight = Math.round(BEGINNING * WITHOUT_LATENESS);
    const each = ((until - search.spent) * FOR_WITHOUT_LATENESS) / tight;
    for (let i = 0; i < BEGINNING && search.spent < until; i++) {
      const count = i < tight ? await this.#shaken(search.spent + each) : this.#dealt();
      this.#add(count);
      const turn = search.rest();
      if (turn) await turn;
    }
    this.#reweigh();
  }

  /** Writes a plan to `#next` and `#firsts`. @returns the number of its routes */
  #start({ routes }: Assignment): number {
    let count = 0;
    this.#next.fill(this.#fleet.stops);
    for (const nodes of routes) {
      if (nodes.length > 0) this.#firsts[count++] = nodes[0];
      for (let i = 1; i < nodes.length; i++) this.#next[nodes[i - 1]] = nodes[i];
    }
    return count;
  }

  /** Likewise stops in a random order, in routes of about the same length. */
  #dealt(): number {
    const { stops } = this.#fleet;
    const { random } = this.#search;
    const { routes } = this.#tours;
    const order = Int32Array.from({ length: stops }, (_, i) => i);
    for (let i = stops - 1; i > 0; i--) {
      const j = Math.floor(random() * (i + 1));
      const swapped = order[i];
      order[i] = order[j];
      order[j] = swapped;
    }
    this.#next.fill(stops);
    const count = Math.min(routes, stops);
    for (let route = 0, at = 0; route < count; route++) {
      const end = Math.floor(((route + 1) * stops) / count);
      this.#firsts[route] = order[at];
      for (at++; at < end; at++) this.#next[order[at - 1]] = order[at];
    }
    return count;
  }

  /**
   * Likewise a plan without violations. Continues from the last one: empties routes near each other, inserts their stops again, and
   * changes routes at random. So plans become less and less like the first one.
   */
  async #shaken(until: number): Promise<number> {
    const [pool, search] = [this.#pool, this.#search];
    const { random } = search;
    const { stops } = this.#fleet;
    const [next, firsts] = [this.#next, this.#firsts];
    const count = pool.tours.save(next, firsts);
    const parts = Math.max(1, Math.round(count * SHAKEN * (0.5 + random())));
    const emptied = new Set<number>();
    for (const node of search.model.nearTo(Math.floor(random() * stops))) {
      emptied.add(pool.tours.routeOf[node]);
      if (emptied.size >= parts) break;
    }
    const left: number[] = [];
    for (let route = 0; route < count; route++)
      if (!emptied.has(pool.tours.routeOf[firsts[route]])) left.push(firsts[route]);
    pool.load(next, left, left.length);
    while (pool.waiting > 0 && search.spent < until) {
      pool.step();
      this.#pay();
      const turn = search.rest();
      if (turn) await turn;
    }
    if (pool.waiting > 0) pool.load(next, firsts, count);
    pool.shake(CHANGES);
    return pool.tours.save(next, firsts);
  }

  /** Improves the plan in `#next` and `#firsts`, and adds it. */
  #add(count: number): void {
    const tours = this.#tours;
    tours.setPenalties(this.#control.penalties);
    tours.load(this.#next, this.#firsts, count);
    if (!this.#best) this.#insert(this.#read());
    this.#descent.run();
    const member = this.#read();
    this.#insert(member);
    if (member.late > 0 || member.overload > 0) {
      const { late, load } = this.#control.penalties;
      tours.setPenalties({ late: late * REPAIR, load: load * REPAIR });
      this.#descent.run(this.#penalized());
      if (tours.isFeasible) this.#insert(this.#read());
    }
    this.#pay();
  }

  /** The plan in the tours. */
  #read(): Member {
    const { stops } = this.#fleet;
    const tours = this.#tours;
    const next = new Int32Array(stops);
    const firsts = new Int32Array(tours.routes);
    const count = tours.save(next, firsts);
    const prev = new Int32Array(stops).fill(stops);
    const lasts = new Int32Array(tours.routes);
    for (let route = 0; route < count; route++) {
      let stop = firsts[route];
      for (; next[stop] < stops; stop = next[stop]) prev[next[stop]] = stop;
      lasts[route] = stop;
    }
    const { late, overload } = tours.violations();
    const cost = tours.travelCost + this.#fixed * count;
    const penalized = this.#control.penalize(cost, late, overload);
    return {
      next,
      prev,
      firsts,
      lasts,
      count,
      cost,
      late,
      overload,
      penalized,
      fitness: 0,
      differences: new Map(),
      nearest: noNearest(),
    };
  }

  #insert(member: Member): void {
    const isFeasible = member.late === 0 && member.overload === 0;
    const population = isFeasible ? this.#feasible : this.#infeasible;
    this.#other += population.add(member) * (COMPARISON + (this.#fleet.stops >> 3));
    if (!isFeasible || (this.#best && member.cost >= this.#best.cost - 1e-6)) return;
    this.#best = member;
    this.#stale = 0;
  }

  /** Applies changed penalties to plans with violations. */
  #reweigh(): void {
    for (const member of this.#infeasible.members)
      member.penalized = this.#control.penalize(member.cost, member.late, member.overload);
    this.#infeasible.changed();
  }

  /** The stops of routes with a penalty. */
  #penalized(): Uint8Array {
    const { penalty, routeOf } = this.#tours;
    const isOpen = this.#isOpen;
    for (let stop = 0; stop < isOpen.length; stop++) isOpen[stop] = penalty[routeOf[stop]] > 0 ? 1 : 0;
    return isOpen;
  }

  /** Counts the work since the last time as that of the search. */
  #pay(): void {
    const passed = this.#tours.passed + this.#assembly.passed + this.#pool.passed + this.#other;
    this.#search.work((passed - this.#paid) / PASSED_PER_UNIT);
    this.#paid = passed;
  }
}

const emptyPopulation = (): [Subpopulation, Subpopulation] => [
  new Subpopulation(({ cost }) => cost),
  new Subpopulation(({ penalized }) => penalized),
];
