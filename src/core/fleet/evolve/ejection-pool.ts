import type { Random } from "../insertion.ts";
import { Descent } from "./descent.ts";
import { EjectionSet } from "./ejection-set.ts";
import { PenalizedTours } from "./penalized-tours.ts";
import { Perturbation } from "./perturbation.ts";
import type { UniformFleet } from "./uniform-fleet.ts";

/** Random changes after an ejection. */
const CHANGES = 60;
/** How the weight of a load follows the result of a squeeze. */
const ADAPTATION = 0.99;

/**
 * Inserts stops into a fixed number of routes, without lateness and overload (Nagata & Bräysy 2009, "A powerful route minimization
 * heuristic for the vehicle routing problem with time windows"): at a random position where the stop fits; otherwise where it
 * violates least, if a local search then removes the violations; otherwise in exchange for the stops of one route that were hardest
 * to insert least often. After an exchange, random changes lead to other routes.
 */
export class EjectionPool {
  readonly tours: PenalizedTours;
  /** Stops without a route; the last is inserted first. */
  readonly #pool: number[] = [];
  readonly #random: Random;
  readonly #fleet: UniformFleet;
  readonly #descent: Descent;
  readonly #perturbation: Perturbation;
  /** By stop: number of times that it did not fit, from 1 on. */
  readonly #failures: Float64Array;
  readonly #next: Int32Array;
  readonly #firsts: Int32Array;
  readonly #isOpen: Uint8Array;
  readonly #ejection: EjectionSet;
  #loadWeight: number;

  constructor(fleet: UniformFleet, routes: number, random: Random) {
    // Violations alone decide: all ways are free.
    this.#fleet = { ...fleet, cost: new Float64Array(fleet.cost.length) };
    this.tours = new PenalizedTours(this.#fleet, routes);
    this.#random = random;
    this.#descent = new Descent(this.tours, random, 0);
    this.#perturbation = new Perturbation(this.tours, random);
    this.#failures = new Float64Array(fleet.stops).fill(1);
    this.#next = new Int32Array(fleet.stops);
    this.#firsts = new Int32Array(fleet.stops);
    this.#isOpen = new Uint8Array(fleet.stops);
    this.#ejection = new EjectionSet(this.tours, this.#failures);
    this.#loadWeight = startWeight(fleet);
  }

  /** Work done so far: stops passed. */
  get passed(): number {
    return this.tours.passed;
  }

  /** Number of stops without a route. */
  get waiting(): number {
    return this.#pool.length;
  }

  /** Takes over routes without violations. Stops that are not in them are inserted by `step`. */
  load(next: Int32Array, firsts: ArrayLike<number>, count: number): void {
    const { tours } = this;
    const { stops } = this.#fleet;
    tours.setPenalties({ late: 1, load: this.#loadWeight });
    tours.routeOf.fill(-1, 0, stops);
    tours.load(next, firsts, count);
    this.#pool.length = 0;
    for (let stop = 0; stop < stops; stop++) if (tours.routeOf[stop] < 0) this.#pool.push(stop);
    for (let i = this.#pool.length - 1; i > 0; i--) {
      const j = Math.floor(this.#random() * (i + 1));
      [this.#pool[i], this.#pool[j]] = [this.#pool[j], this.#pool[i]];
    }
  }

  /** Changes routes at random, without violations. */
  shake(changes: number): void {
    this.#perturbation.run(changes);
  }

  /** Inserts the next stop. */
  step(): void {
    const stop = this.#pool.pop();
    if (stop === undefined || this.#insert(stop) || this.#squeeze(stop)) return;
    this.#failures[stop]++;
    if (!this.#ejection.find(stop, Math.floor(this.#random() * this.tours.routes))) {
      this.#pool.unshift(stop);
      this.#perturbation.run(CHANGES);
      return;
    }
    for (const ejected of this.#ejection.apply(stop)) this.#pool.push(ejected);
    this.#perturbation.run(CHANGES);
  }

  /** Inserts a stop at a random position where it fits. */
  #insert(stop: number): boolean {
    const { tours } = this;
    const { routes, next, count } = tours;
    const { stops } = this.#fleet;
    let [fitting, chosen, hasEmpty] = [0, -1, false];
    for (let route = 0; route < routes; route++) {
      if (count[route] === 0) {
        if (hasEmpty) continue;
        hasEmpty = true;
      }
      if (!this.#mayCarry(route, stop)) continue;
      tours.passed += count[route];
      for (let node = tours.start(route); ; node = next[node]) {
        if (this.#lateAt(node, stop) === 0 && this.#random() * ++fitting < 1) chosen = node;
        if (next[node] >= stops) break;
      }
    }
    if (chosen < 0) return false;
    this.#link(chosen, stop);
    return true;
  }

  #mayCarry(route: number, stop: number): boolean {
    const { dimensions, load, capacity } = this.#fleet;
    const { loadBefore } = this.tours;
    const end = this.tours.end(route) * dimensions;
    for (let d = 0; d < dimensions; d++)
      if (loadBefore[end + d] + load[stop * dimensions + d] > capacity[d]) return false;
    return true;
  }

  /** Lateness of a route with a stop after a node. */
  #lateAt(node: number, stop: number): number {
    const { place, leaves, next, due, lateBefore, lateAfter } = this.tours;
    const { duration, opens, closes, service, stops } = this.#fleet;
    const places = stops + 1;
    let time = leaves[node] + duration[place[node] * places + stop];
    let late = lateBefore[node];
    if (time < opens[stop]) time = opens[stop];
    else if (time > closes[stop]) {
      late += time - closes[stop];
      time = closes[stop];
    }
    const after = next[node];
    time += service[stop] + duration[stop * places + place[after]];
    return late + lateAfter[after] + (time > due[after] ? time - due[after] : 0);
  }

  #link(node: number, stop: number): void {
    const { next, prev, routeOf } = this.tours;
    const after = next[node];
    next[node] = stop;
    prev[stop] = node;
    next[stop] = after;
    prev[after] = stop;
    this.tours.update(routeOf[node]);
  }

  /** Inserts a stop where it violates least, and removes the violations by local search. Otherwise nothing changes. */
  #squeeze(stop: number): boolean {
    const { tours } = this;
    const { routes, next, count, routeOf, penalty } = tours;
    const { stops, dimensions, load, capacity } = this.#fleet;
    let [least, chosen] = [Number.POSITIVE_INFINITY, -1];
    for (let route = 0; route < routes; route++) {
      tours.passed += count[route];
      const end = tours.end(route) * dimensions;
      let over = 0;
      for (let d = 0; d < dimensions; d++)
        over += Math.max(0, tours.loadBefore[end + d] + load[stop * dimensions + d] - capacity[d]);
      over *= this.#loadWeight;
      if (over >= least) continue;
      for (let node = tours.start(route); ; node = next[node]) {
        const violation = over + this.#lateAt(node, stop);
        if (violation < least) [least, chosen] = [violation, node];
        if (next[node] >= stops) break;
      }
    }
    const used = tours.save(this.#next, this.#firsts);
    this.#next.set(tours.next.subarray(0, stops));
    this.#link(chosen, stop);
    this.#isOpen.fill(0);
    for (let s = 0; s < stops; s++) if (routeOf[s] >= 0 && penalty[routeOf[s]] > 0) this.#isOpen[s] = 1;
    this.#descent.run(this.#isOpen);
    if (tours.isFeasible) return true;
    let late = 0;
    for (let route = 0; route < routes; route++) late += tours.late[route];
    const all = penalty.reduce((sum, one) => sum + one, 0);
    this.#loadWeight *= all - late < late ? ADAPTATION : 1 / ADAPTATION;
    tours.setPenalties({ late: 1, load: this.#loadWeight });
    tours.routeOf[stop] = -1;
    tours.load(this.#next, this.#firsts, used);
    return false;
  }
}

/** A second too late weighs as much as the share of a mean load. */
function startWeight({ duration, load, stops }: UniformFleet): number {
  const mean = (all: Float64Array) => all.reduce((sum, one) => sum + one, 0) / Math.max(1, all.length);
  const loads = mean(load);
  return loads > 0 ? mean(duration) / loads : stops;
}
