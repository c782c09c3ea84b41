import type { Random } from "../insertion.ts";
import type { PenalizedTours } from "./penalized-tours.ts";

/** Attempts per change. */
const ATTEMPTS = 6;

/** Random changes of routes without violations: a stop moves, two stops are exchanged, or two routes exchange their ends. */
export class Perturbation {
  readonly #tours: PenalizedTours;
  readonly #random: Random;

  constructor(tours: PenalizedTours, random: Random) {
    this.#tours = tours;
    this.#random = random;
  }

  run(changes: number): void {
    const { routeOf, fleet } = this.#tours;
    const random = this.#random;
    let done = 0;
    for (let attempt = 0; attempt < ATTEMPTS * changes && done < changes; attempt++) {
      const u = Math.floor(random() * fleet.stops);
      const near = fleet.near(u);
      const v = near[Math.floor(random() * near.length)];
      if (routeOf[u] < 0 || routeOf[v] < 0 || routeOf[u] === routeOf[v]) continue;
      const kind = random();
      if (kind < 0.34 ? this.#move(u, v) : kind < 0.67 ? this.#exchange(u, v) : this.#swapEnds(u, v)) done++;
    }
    this.#tours.passed += changes;
  }

  #move(u: number, v: number): boolean {
    const { next, prev, routeOf } = this.#tours;
    const [pu, nu, nv] = [prev[u], next[u], next[v]];
    if (!this.#fits(v, u, nv) || !this.#carries(routeOf[v], u, -1)) return false;
    // A shorter route may take longer than a detour, if the matrix says so.
    if (!this.#isInTime(pu, nu)) return false;
    const one = routeOf[u];
    this.#link(pu, nu);
    this.#link(v, u);
    this.#link(u, nv);
    this.#tours.update(one);
    this.#tours.update(routeOf[v]);
    return true;
  }

  #exchange(u: number, v: number): boolean {
    const { next, prev, routeOf } = this.#tours;
    const [pu, nu, pv, nv] = [prev[u], next[u], prev[v], next[v]];
    if (!this.#fits(pv, u, nv) || !this.#fits(pu, v, nu)) return false;
    const [one, two] = [routeOf[u], routeOf[v]];
    if (!this.#carries(two, u, v) || !this.#carries(one, v, u)) return false;
    this.#link(pv, u);
    this.#link(u, nv);
    this.#link(pu, v);
    this.#link(v, nu);
    this.#tours.update(one);
    this.#tours.update(two);
    return true;
  }

  /** What follows u becomes what follows the stop before v, so that v follows u. */
  #swapEnds(u: number, v: number): boolean {
    const tours = this.#tours;
    const { next, prev, routeOf, loadBefore, fleet } = tours;
    const { dimensions, capacity, stops } = fleet;
    const [w, x] = [prev[v], next[u]];
    if (!this.#isInTime(u, v) || !this.#isInTime(w, x)) return false;
    const [one, two] = [routeOf[u], routeOf[v]];
    const [endOne, endTwo] = [tours.end(one), tours.end(two)];
    for (let d = 0; d < dimensions; d++) {
      const [before, other] = [loadBefore[u * dimensions + d], loadBefore[w * dimensions + d]];
      if (before + loadBefore[endTwo * dimensions + d] - other > capacity[d]) return false;
      if (other + loadBefore[endOne * dimensions + d] - before > capacity[d]) return false;
    }
    const [lastOne, lastTwo] = [prev[endOne], prev[endTwo]];
    this.#link(u, v);
    this.#link(lastTwo, endOne);
    if (x < stops) {
      this.#link(w, x);
      this.#link(lastOne, endTwo);
    } else this.#link(w, endTwo);
    tours.update(one);
    tours.update(two);
    return true;
  }

  #link(a: number, b: number): void {
    this.#tours.next[a] = b;
    this.#tours.prev[b] = a;
  }

  #isInTime(a: number, b: number): boolean {
    const { leaves, due, place, fleet } = this.#tours;
    return leaves[a] + fleet.duration[place[a] * (fleet.stops + 1) + place[b]] <= due[b];
  }

  /** Returns whether a stop fits in time between two nodes of a route, or in place of the stop between them. */
  #fits(before: number, stop: number, after: number): boolean {
    const { leaves, due, place, fleet } = this.#tours;
    const { duration, opens, closes, service, stops } = fleet;
    const places = stops + 1;
    const arrival = leaves[before] + duration[place[before] * places + stop];
    if (arrival > closes[stop]) return false;
    const begins = Math.max(arrival, opens[stop]);
    return begins + service[stop] + duration[stop * places + place[after]] <= due[after];
  }

  /** Returns whether a route can carry a stop, without another one (or -1). */
  #carries(route: number, stop: number, without: number): boolean {
    const { loadBefore, fleet } = this.#tours;
    const { dimensions, load, capacity } = fleet;
    const end = this.#tours.end(route) * dimensions;
    for (let d = 0; d < dimensions; d++) {
      const gone = without < 0 ? 0 : load[without * dimensions + d];
      if (loadBefore[end + d] + load[stop * dimensions + d] - gone > capacity[d]) return false;
    }
    return true;
  }
}
