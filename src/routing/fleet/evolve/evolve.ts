import { meanWay, Placer } from "../fleet-size.ts";
import type { Random } from "../insertion.ts";
import type { Assignment, Search } from "../search.ts";
import { Descent } from "./descent.ts";
import { EdgeAssembly, type Individual } from "./edge-assembly.ts";
import { PenalizedTours, type Penalties } from "./penalized-tours.ts";
import type { UniformFleet } from "./uniform-fleet.ts";

const POPULATION = 30;
/** Share of the vehicles whose stops are planned again for an individual. */
const SHAKEN = 0.4;
/** Share of the remaining work for creating individuals. */
const FOR_INDIVIDUALS = 0.3;
/** Temperature at their beginning, in mean costs of a way between two stops. */
const HOT = 1;
/** Children of a pair of parents. */
const CHILDREN = 20;
/** Share of children that should be feasible before their repair (Vidal et al. 2013), and how penalties are adapted to it. */
const FEASIBLE = 0.43;
const CHILDREN_PER_ADAPTATION = 50;
/** Penalties at the beginning, in mean costs of a second and of a load. */
const FIRST_PENALTY = 2;
const RAISE = 1.2;
const LOWER = 0.85;
/** Bounds of their adaptation: beyond, rounding would decide. */
const MAX_SCALE = 100;
const REPAIR = 20;
/** Stops passed in a unit of pace: seen with `npm run bench -- fleet`. */
const PASSED_PER_UNIT = 20;
/** Generations without a better plan after which the others are replaced. */
const MAX_STALE = 40;

/** Improves the plan of a search by a population, until the search has spent this much work [units of pace]. */
export async function evolve(search: Search, fleet: UniformFleet, until: number): Promise<void> {
  const before = search.save();
  const population = new Population(search, fleet);
  await population.fill(until);
  while (search.spent < until) await population.generation(until);
  search.restore(population.best());
  // Sums in another order may differ by rounding: then a tour that is full to the last fraction is not possible.
  if (!search.tours.every((tour) => tour.update())) search.restore(before);
}

class Population {
  readonly #search: Search;
  readonly #fleet: UniformFleet;
  readonly #random: Random;
  readonly #tours: PenalizedTours;
  readonly #descent: Descent;
  readonly #assembly: EdgeAssembly;
  readonly #fixed: number;
  readonly #placer: Placer;
  #members: Individual[] = [];
  #best: Individual | undefined;
  #stale = 0;
  #penalties: Penalties;
  /** Of the penalties, relative to the first. */
  #scale = 1;
  #children = 0;
  #feasible = 0;
  #paid = 0;
  readonly #first: Assignment;

  constructor(search: Search, fleet: UniformFleet) {
    const { model, used, random } = search;
    const { fixed } = model.problem.vehicles[0].costs;
    const travel = search.tours.reduce((sum, { count, travelCost }) => sum + (count > 0 ? travelCost : 0), 0);
    // A vehicle that costs more than all ways: the number of vehicles is decided before.
    const isDecided = fixed > travel;
    const routes = isDecided ? used : Math.min(fleet.vehicles, Math.ceil(used * 1.2) + 1);
    this.#search = search;
    this.#placer = new Placer(search);
    this.#fleet = fleet;
    this.#random = random;
    this.#fixed = isDecided ? 0 : fixed;
    this.#tours = new PenalizedTours(fleet, routes);
    this.#descent = new Descent(this.#tours, random, this.#fixed);
    this.#assembly = new EdgeAssembly(fleet, routes, random);
    this.#first = search.save();
    const way = travel / (fleet.stops + used);
    const largest = fleet.load.reduce((most, load) => Math.max(most, load), 0);
    const time = search.tours.reduce((sum, tour) => sum + tour.travelTime, 0);
    this.#penalties = {
      load: largest > 0 ? (FIRST_PENALTY * way) / largest : 1,
      late: time > 0 ? (FIRST_PENALTY * travel) / time : 1,
    };
  }

  best(): Assignment {
    const { model } = this.#search;
    const routes: Int32Array[] = model.problem.vehicles.map(() => new Int32Array(0));
    const { next, firsts, count } = this.#best as Individual;
    for (let route = 0; route < count; route++) {
      const nodes: number[] = [];
      for (let stop = firsts[route]; stop < this.#fleet.stops; stop = next[stop]) nodes.push(stop);
      routes[route] = Int32Array.from(nodes);
    }
    return { routes, undone: [] };
  }

  /** Adds individuals until the population is complete: from the best plan, of which a part is planned again. */
  async fill(until: number): Promise<void> {
    const search = this.#search;
    if (this.#members.length === 0) this.#add(this.#first);
    const each = ((until - search.spent) * FOR_INDIVIDUALS) / POPULATION;
    while (this.#members.length < POPULATION && search.spent < until) {
      search.restore(this.best());
      for (let tour = 0; tour < search.tours.length; tour++) search.closed[tour] = tour < this.#tours.routes ? 0 : 1;
      await this.#shake(search.spent + each / 2);
      // A tight fleet may have no other grouping that is found so soon.
      if (search.undone.length > 0) search.restore(this.best());
      await this.#walk(search.spent + each / 2);
      this.#add(search.save());
    }
    search.closed.fill(0);
  }

  /** Empties vehicles near each other, and assigns their tasks again. */
  async #shake(until: number): Promise<void> {
    const search = this.#search;
    const { tours, model } = search;
    const parts = Math.max(1, Math.round(search.used * SHAKEN * (0.5 + this.#random())));
    search.begin();
    const center = Math.floor(this.#random() * model.nodes);
    let emptied = 0;
    for (const node of model.nearTo(center)) {
      const tour = search.tourOf[node];
      if (tour < 0 || tours[tour].count === 0) continue;
      search.empty(tour);
      if (++emptied >= parts) break;
    }
    search.recreate(0.2);
    await this.#placer.placeAll(0, until);
  }

  /** Ruins and recreates from warm to cold, with all tasks assigned. */
  async #walk(until: number): Promise<void> {
    const search = this.#search;
    const from = search.spent;
    const mean = meanWay(search);
    let current = search.score.cost;
    while (search.spent < until) {
      search.begin();
      search.ruin();
      search.recreate();
      const { cost } = search.score;
      const temperature = (mean * HOT * (until - search.spent)) / (until - from);
      if (search.undone.length === 0 && cost < current - temperature * Math.log(this.#random() || 1e-12))
        current = cost;
      else search.takeBack();
      const turn = search.rest();
      if (turn) await turn;
    }
  }

  /** Continues with such penalties that most is feasible in the end. */
  #repair(): void {
    this.#tours.setPenalties({ load: this.#penalties.load * REPAIR, late: this.#penalties.late * REPAIR });
    this.#descent.run(this.#penalized());
  }

  #add({ routes }: Assignment): void {
    const next = new Int32Array(this.#fleet.stops).fill(this.#fleet.stops);
    const firsts: number[] = [];
    for (const nodes of routes) {
      if (nodes.length > 0) firsts.push(nodes[0]);
      for (let i = 1; i < nodes.length; i++) next[nodes[i - 1]] = nodes[i];
    }
    const tours = this.#tours;
    tours.setPenalties({ load: this.#penalties.load * REPAIR ** 3, late: this.#penalties.late * REPAIR ** 3 });
    tours.load(next, firsts, firsts.length);
    this.#descent.run();
    if (!tours.isFeasible) {
      tours.load(next, firsts, firsts.length);
    }
    const individual = this.#read();
    this.#members.push(individual);
    this.#offer(individual);
    this.#pay();
  }

  /** The individual in the tours. */
  #read(): Individual {
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
    return { next, prev, firsts, lasts, count, cost: tours.travelCost + this.#fixed * count };
  }

  #offer(individual: Individual): void {
    if (this.#best && individual.cost >= this.#best.cost - 1e-6) return;
    this.#best = individual;
    this.#stale = 0;
  }

  /** Each individual mates with the next of a random order; its best child replaces it. */
  async generation(until: number): Promise<void> {
    const members = this.#members;
    const order = members.map((_, i) => i);
    for (let i = order.length - 1; i > 0; i--) {
      const j = Math.floor(this.#random() * (i + 1));
      [order[i], order[j]] = [order[j], order[i]];
    }
    const first = members[order[0]];
    let couples = 0;
    this.#stale++;
    for (let i = 0; i < order.length && this.#search.spent < until; i++) {
      const a = members[order[i]];
      const b = i + 1 < order.length ? members[order[i + 1]] : first;
      let best = a;
      const cycles = this.#assembly.mate(a, b);
      if (cycles > 0) couples++;
      for (let child = 0; child < (cycles > 0 ? CHILDREN : 0) && this.#search.spent < until; child++) {
        const found = this.#childOf(a, this.#someCycles(cycles, child), best.cost);
        if (found && found.cost < best.cost - 1e-6 && !this.#isKnown(found)) {
          best = found;
          this.#offer(found);
        }
        this.#pay();
        const turn = this.#search.rest();
        if (turn) await turn;
      }
      members[order[i]] = best;
    }
    if (couples < members.length / 10 || this.#stale > MAX_STALE) {
      this.#stale = 0;
      this.#members = [this.#best as Individual];
      await this.fill(until);
    }
  }

  #someCycles(cycles: number, child: number): number[] {
    if (child < CHILDREN / 2 || cycles === 1) return [Math.floor(this.#random() * cycles)];
    const share = this.#random() ** 2;
    const some = Array.from({ length: cycles }, (_, i) => i).filter(() => this.#random() < share);
    return some.length > 0 ? some : [Math.floor(this.#random() * cycles)];
  }

  #isKnown({ cost }: Individual): boolean {
    return this.#members.some((member) => Math.abs(member.cost - cost) < 1e-6);
  }

  #childOf(a: Individual, cycles: readonly number[], most: number): Individual | undefined {
    const [tours, assembly] = [this.#tours, this.#assembly];
    assembly.child(a, cycles);
    tours.setPenalties(this.#penalties);
    tours.load(assembly.next, assembly.firsts, assembly.count);
    this.#descent.run(assembly.isChanged);
    const isFeasible = tours.isFeasible;
    this.#adapt(isFeasible);
    if (tours.travelCost >= most + this.#fixed) return undefined;
    if (!isFeasible) {
      this.#repair();
      if (!tours.isFeasible) return undefined;
    }
    return this.#read();
  }

  /** The stops of routes with a penalty. */
  #penalized(): Uint8Array {
    const { penalty, routeOf } = this.#tours;
    return Uint8Array.from({ length: this.#fleet.stops }, (_, stop) => (penalty[routeOf[stop]] > 0 ? 1 : 0));
  }

  /** Raises or lowers penalties so that the intended share of children is feasible. */
  #adapt(isFeasible: boolean): void {
    this.#children++;
    if (isFeasible) this.#feasible++;
    if (this.#children < CHILDREN_PER_ADAPTATION) return;
    const share = this.#feasible / this.#children;
    const factor =
      share < FEASIBLE / 3 ? RAISE ** 3 : share < FEASIBLE - 0.05 ? RAISE : share > FEASIBLE + 0.05 ? LOWER : 1;
    const scale = Math.min(MAX_SCALE, Math.max(1 / MAX_SCALE, this.#scale * factor));
    const change = scale / this.#scale;
    this.#scale = scale;
    this.#penalties = { load: this.#penalties.load * change, late: this.#penalties.late * change };
    this.#children = this.#feasible = 0;
  }

  /** Counts the work since the last time as that of the search. */
  #pay(): void {
    const passed = this.#tours.passed + this.#assembly.passed;
    this.#search.work((passed - this.#paid) / PASSED_PER_UNIT);
    this.#paid = passed;
  }
}
