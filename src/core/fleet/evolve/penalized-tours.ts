import type { UniformFleet } from "./uniform-fleet.ts";

/** Stops passed in a unit of pace: seen with `npm run bench -- fleet`. */
export const PASSED_PER_UNIT = 20;

/** Costs of a unit of load too much and of a second too late. */
export interface Penalties {
  load: number;
  late: number;
}

/**
 * The routes of a fleet as linked lists, in which stops may be late and vehicles overloaded: after a stop that is late, time
 * continues from the end of its window, and the lateness counts ("time warp", Nagata et al. 2010). Values from the start to each
 * stop and from each stop to the end make a change between two routes quick to judge.
 *
 * The numbers 0 ≤ i < stops are stops, then come the starts of routes, then their ends.
 */
export class PenalizedTours {
  readonly fleet: UniformFleet;
  readonly routes: number;
  readonly next: Int32Array;
  readonly prev: Int32Array;
  readonly routeOf: Int32Array;
  readonly position: Int32Array;
  /** Place in the matrices. */
  readonly place: Int32Array;
  /** Leaves there at the earliest; lateness up to and with it. */
  readonly leaves: Float64Array;
  readonly lateBefore: Float64Array;
  /** From there to the end: the lateness of a vehicle that arrives by `due`; more for one that arrives later. */
  readonly due: Float64Array;
  readonly lateAfter: Float64Array;
  /** [number × dimensions + d] load of the stops up to and with it. */
  readonly loadBefore: Float64Array;
  /** By route: number of stops, lateness, penalty. */
  readonly count: Int32Array;
  readonly late: Float64Array;
  readonly penalty: Float64Array;
  penalties: Penalties = { load: 1, late: 1 };
  /** Work done so far: stops passed. */
  passed = 0;
  /** Arrives at the earliest that makes a difference: needed only to compute `due`. */
  readonly #early: Float64Array;

  constructor(fleet: UniformFleet, routes: number) {
    const { stops, dimensions } = fleet;
    const numbers = stops + 2 * routes;
    this.fleet = fleet;
    this.routes = routes;
    [this.next, this.prev, this.routeOf, this.position] = [0, 1, 2, 3].map(() => new Int32Array(numbers));
    this.place = Int32Array.from({ length: numbers }, (_, i) => Math.min(i, stops));
    [this.leaves, this.lateBefore, this.due, this.lateAfter, this.#early] = Array.from(
      { length: 5 },
      () => new Float64Array(numbers),
    );
    this.loadBefore = new Float64Array(numbers * dimensions);
    this.count = new Int32Array(routes);
    [this.late, this.penalty] = [0, 1].map(() => new Float64Array(routes));
    for (let route = 0; route < routes; route++) {
      this.routeOf[this.start(route)] = this.routeOf[this.end(route)] = route;
    }
  }

  start(route: number): number {
    return this.fleet.stops + route;
  }

  end(route: number): number {
    return this.fleet.stops + this.routes + route;
  }

  /** Takes over routes: `next` of each stop (the number of stops: the depot), and their first stops. */
  load(next: Int32Array, firsts: ArrayLike<number>, count: number): void {
    const { stops } = this.fleet;
    for (let route = 0; route < this.routes; route++) {
      let last = this.start(route);
      for (let stop = route < count ? firsts[route] : stops; stop < stops; stop = next[stop]) {
        this.next[last] = stop;
        this.prev[stop] = last;
        last = stop;
      }
      this.next[last] = this.end(route);
      this.prev[this.end(route)] = last;
      this.update(route);
    }
  }

  /** Writes the routes in the form that `load` accepts. @returns the number of routes in use */
  save(next: Int32Array, firsts: Int32Array): number {
    const { stops } = this.fleet;
    let count = 0;
    for (let route = 0; route < this.routes; route++) {
      const first = this.next[this.start(route)];
      if (first >= stops) continue;
      firsts[count++] = first;
      for (let stop = first; stop < stops; stop = this.next[stop]) next[stop] = Math.min(this.next[stop], stops);
    }
    return count;
  }

  /** Recomputes the values of a route. */
  update(route: number): void {
    const { fleet, next, prev, place, leaves, lateBefore, due, lateAfter, loadBefore, routeOf, position } = this;
    const { duration, opens, closes, service, stops, dimensions, load } = fleet;
    const places = stops + 1;
    const [start, end] = [this.start(route), this.end(route)];
    let [time, late, at] = [opens[stops], 0, 0];
    leaves[start] = time;
    lateBefore[start] = 0;
    position[start] = 0;
    for (let d = 0; d < dimensions; d++) loadBefore[start * dimensions + d] = 0;
    let last = start;
    for (let node = next[start]; ; node = next[node]) {
      const here = place[node];
      time += duration[place[last] * places + here];
      if (time < opens[here]) time = opens[here];
      else if (time > closes[here]) {
        late += time - closes[here];
        time = closes[here];
      }
      time += service[here];
      leaves[node] = time;
      lateBefore[node] = late;
      routeOf[node] = route;
      position[node] = ++at;
      for (let d = 0; d < dimensions; d++)
        loadBefore[node * dimensions + d] =
          loadBefore[last * dimensions + d] + (node < stops ? load[node * dimensions + d] : 0);
      last = node;
      if (node === end) break;
    }
    this.count[route] = at - 1;
    this.passed += 2 * at;
    const early = this.#early;
    early[end] = opens[stops];
    due[end] = closes[stops];
    lateAfter[end] = 0;
    for (let node = prev[end]; ; node = prev[node]) {
      const here = place[node];
      const after = next[node];
      const drive = (node === start ? 0 : service[here]) + duration[here * places + place[after]];
      const waits = Math.max(early[after] - drive - closes[here], 0);
      const isLateBy = Math.max(opens[here] + drive - due[after], 0);
      early[node] = Math.max(early[after] - drive, opens[here]) - waits;
      due[node] = Math.min(due[after] - drive, closes[here]) + isLateBy;
      lateAfter[node] = lateAfter[after] + isLateBy;
      if (node === start) break;
    }
    this.late[route] = late;
    this.penalty[route] = this.penalties.late * late + this.overload(loadBefore, end * dimensions);
  }

  /** Penalty of a load, which is `dimensions` numbers from an index on. */
  overload(load: Float64Array, from: number): number {
    const { dimensions, capacity } = this.fleet;
    let over = 0;
    for (let d = 0; d < dimensions; d++) if (load[from + d] > capacity[d]) over += load[from + d] - capacity[d];
    return over * this.penalties.load;
  }

  /** Applies other penalties to all routes. */
  setPenalties(penalties: Penalties): void {
    this.penalties = penalties;
    const { dimensions } = this.fleet;
    for (let route = 0; route < this.routes; route++) {
      this.penalty[route] =
        penalties.late * this.late[route] + this.overload(this.loadBefore, this.end(route) * dimensions);
    }
  }

  /** Lateness and overload of all routes. */
  violations(): { late: number; overload: number } {
    const { dimensions } = this.fleet;
    let late = 0;
    let overload = 0;
    for (let route = 0; route < this.routes; route++) {
      late += this.late[route];
      overload += this.overload(this.loadBefore, this.end(route) * dimensions);
    }
    return { late, overload: overload / this.penalties.load };
  }

  get isFeasible(): boolean {
    for (let route = 0; route < this.routes; route++) if (this.penalty[route] > 0) return false;
    return true;
  }

  /** Without penalties, and without the fixed costs of vehicles. */
  get travelCost(): number {
    const { cost, stops } = this.fleet;
    const { next, place } = this;
    const places = stops + 1;
    let sum = 0;
    for (let stop = 0; stop < stops; stop++) sum += cost[stop * places + place[next[stop]]];
    for (let route = 0; route < this.routes; route++) {
      const first = next[this.start(route)];
      if (first < stops) sum += cost[stops * places + first];
    }
    return sum;
  }
}
