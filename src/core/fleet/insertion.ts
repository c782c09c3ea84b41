import { arriveAt, beginAt, type Model, NEVER } from "./model.ts";
import type { Tour } from "./tour.ts";

/** Work of a break in a place of a tour, in units of examined positions. */
const BREAK_WORK = 24;

/** The cheapest positions for a task in a tour. Reused: insertions are computed millions of times. */
export interface Insertion {
  /** Added cost; NEVER if it does not fit. */
  cost: number;
  /** The place of the first node. */
  place: number;
  /** The place of a shipment's second node, as it is counted before the first is inserted. */
  second: number;
}

export const noInsertion = (): Insertion => ({ cost: NEVER, place: -1, second: -1 });

/** Draws a number in [0, 1). */
export type Random = () => number;

/**
 * Finds the cheapest positions for tasks. With `blinks` a position is skipped now and then, so that the same tasks do
 * not always get the same positions (Christiaens & Vanden Berghe 2020).
 */
export class Inserter {
  /** Places looked at so far. */
  looked = 0;
  readonly #model: Model;
  readonly #random: Random;
  readonly #trial = new Int32Array(2048);
  /** Number of positions to examine before one is skipped: it continues from tour to tour, because a draw is slow. */
  #blink = 0;

  constructor(model: Model, random: Random) {
    this.#model = model;
    this.#random = random;
  }

  /** Updates `best` if the tour has a cheaper position for the task than `best.cost`. @returns whether it had */
  improve(best: Insertion, tour: Tour, task: number, blinks: number): boolean {
    const model = this.#model;
    if (tour.type.able[task] === 0) return false;
    const added = model.nodesOf[task];
    if (tour.count + added > tour.type.vehicle.maxTasks) return false;
    const node = model.firstNode[task];
    return added === 1 ? this.#job(best, tour, node, blinks) : this.#shipment(best, tour, node, blinks);
  }

  /** Puts the task where it was found to be cheapest. */
  insert(tour: Tour, task: number, { place, second }: Insertion): void {
    const node = this.#model.firstNode[task];
    if (this.#model.nodesOf[task] === 2) tour.insert(node + 1, second);
    tour.insert(node, place);
  }

  #job(best: Insertion, tour: Tour, node: number, blinks: number): boolean {
    if (!this.#mayCarry(tour, node)) return false;
    const { count, type, ready, locations, wayCost } = tour;
    const model = this.#model;
    const here = model.location[node];
    // Routes from here and to here, each as a row.
    const row = here * type.size;
    const { cost, costTo, durationTo, hours, size } = type;
    const opening = count === 0 ? type.vehicle.costs.fixed : 0;
    const closes = model.closes[node];
    const first = model.opens[node] + model.service[node];
    const setup = model.setup[node];
    let found = false;
    let k = firstPlace(tour, first);
    let looked = k;
    let blink = blinks > 0 ? this.#blink : NEVER;
    for (; k <= count; k++) {
      if (ready[k] > closes) break;
      looked += 2;
      if (--blink < 0) {
        blink = this.#untilBlink(blinks);
        continue;
      }
      const from = locations[k];
      const delta = costTo[row + from] + cost[row + locations[k + 1]] - wayCost[k] + opening;
      if (delta >= best.cost) continue;
      looked += 3;
      const arrival = hours ? hours.arrive(from * size + here, ready[k]) : ready[k] + durationTo[row + from];
      const begins = beginAt(model, node, arrival);
      const done = begins + model.service[node] + (setup === 0 || from === here ? 0 : setup);
      if (!this.#arrives(tour, k, from, here, done) || !this.#carries(tour, node, k)) continue;
      if (!this.#keepsLimits(tour, node, k, -1, -1)) continue;
      best.cost = delta;
      best.place = k;
      found = true;
    }
    if (blinks > 0) this.#blink = blink;
    this.looked += looked;
    return found;
  }

  /**
   * Number of positions examined before one is skipped. Drawn for a run of positions, because a draw for each costs
   * more than examining it.
   */
  #untilBlink(blinks: number): number {
    return blinks > 0 ? Math.floor(Math.log(this.#random() || 1e-12) / Math.log1p(-blinks)) : NEVER;
  }

  /**
   * Returns whether there is any position in the tour at which the load of this job fits. Loads are lowest before the
   * first stop, or after the last.
   */
  #mayCarry({ highBefore, highAfter, count, type }: Tour, node: number): boolean {
    const { dimensions, fromStart, change } = this.#model;
    for (let d = 0; d < dimensions; d++) {
      const out = fromStart[node * dimensions + d];
      if (highBefore[d] + out > type.capacity[d]) return false;
      if (highAfter[count * dimensions + d] + out + change[node * dimensions + d] > type.capacity[d]) return false;
    }
    return true;
  }

  #shipment(best: Insertion, tour: Tour, fetch: number, blinks: number): boolean {
    const { count, type, ready, nodes, latest, locations, wayCost } = tour;
    const { size, cost, costTo } = type;
    const model = this.#model;
    const bring = fetch + 1;
    const [here, there] = [model.location[fetch], model.location[bring]];
    const [row, rowThere] = [here * size, there * size];
    const opening = count === 0 ? type.vehicle.costs.fixed : 0;
    const first = model.opens[fetch] + model.service[fetch];
    const closes = model.closes[bring];
    let found = false;
    let k = firstPlace(tour, first);
    let looked = k;
    let blink = blinks > 0 ? this.#blink : NEVER;
    for (; k <= count; k++) {
      if (ready[k] > model.closes[fetch]) break;
      looked += 2;
      if (--blink < 0) {
        blink = this.#untilBlink(blinks);
        continue;
      }
      const from = locations[k];
      const begins = beginAt(model, fetch, arriveAt(type, from * size + here, ready[k]));
      const done = begins + model.service[fetch] + (from === here ? 0 : model.setup[fetch]);
      if (done >= NEVER) continue;
      const fetching = costTo[row + from] - wayCost[k] + opening;
      const detour = fetching + cost[row + locations[k + 1]];
      // Walks on with the shipment on board, and looks at each place whether it can be brought from there.
      let time = done;
      let last = here;
      for (let j = k; j <= count; j++) {
        looked += 3;
        if (time > closes || !this.#holds(tour, fetch, j)) break;
        const next = locations[j + 1];
        const delta =
          j === k
            ? fetching + costTo[rowThere + here] + cost[rowThere + next]
            : detour + costTo[rowThere + last] + cost[rowThere + next] - wayCost[j];
        if (delta < best.cost) {
          looked += 3;
          const begin = beginAt(model, bring, arriveAt(type, last * size + there, time));
          const ends = begin + model.service[bring] + (last === there ? 0 : model.setup[bring]);
          if (this.#arrives(tour, j, last, there, ends) && this.#keepsLimits(tour, fetch, k, bring, j)) {
            best.cost = delta;
            best.place = k;
            best.second = j;
            found = true;
          }
        }
        if (j === count) break;
        const begin = beginAt(model, nodes[j], arriveAt(type, last * size + next, time));
        if (begin > latest[j]) break;
        time = begin + model.service[nodes[j]] + (last === next ? 0 : model.setup[nodes[j]]);
        last = next;
      }
    }
    if (blinks > 0) this.#blink = blink;
    this.looked += looked;
    return found;
  }

  /**
   * Returns whether a vehicle that leaves `here` at `done` reaches the stop after position k in time. That stop was
   * reached from `from` before, so its setup may be needed only now.
   */
  #arrives(tour: Tour, k: number, from: number, here: number, done: number): boolean {
    if (done >= NEVER) return false;
    const { type, count, nodes, latest } = tour;
    const to = tour.after(k);
    const arrival = arriveAt(type, here * type.size + to, done);
    if (arrival > latest[k]) return false;
    if (k === count) return true;
    const { setup } = this.#model;
    const node = nodes[k];
    if (setup[node] === 0 || from !== to || here === to) return true;
    return beginAt(this.#model, node, arrival) + setup[node] <= latest[k];
  }

  #carries({ highBefore, highAfter, type }: Tour, node: number, k: number): boolean {
    const { dimensions, fromStart, change } = this.#model;
    for (let d = 0; d < dimensions; d++) {
      const out = fromStart[node * dimensions + d];
      if (highBefore[k * dimensions + d] + out > type.capacity[d]) return false;
      if (highAfter[k * dimensions + d] + out + change[node * dimensions + d] > type.capacity[d]) return false;
    }
    return true;
  }

  /** Returns whether a pickup at `node` fits at position k. */
  #holds({ load, type }: Tour, node: number, k: number): boolean {
    const { dimensions, change } = this.#model;
    for (let d = 0; d < dimensions; d++)
      if (load[k * dimensions + d] + change[node * dimensions + d] > type.capacity[d]) return false;
    return true;
  }

  /**
   * Breaks and the limits of driving, which few vehicles have. For a job they follow from a few sums, if breaks are
   * simple; otherwise the complete tour is tried.
   */
  #keepsLimits(tour: Tour, node: number, k: number, second: number, j: number): boolean {
    const { breaks, maxTravelTime, maxDistance } = tour.type.vehicle;
    if (breaks.length === 0 && maxTravelTime >= NEVER && maxDistance >= NEVER) return true;
    if (second < 0 && tour.count > 0 && !tour.type.hours && (breaks.length === 0 || tour.breakTimes)) {
      if (!this.#staysWithin(tour, node, k)) return false;
      this.looked += BREAK_WORK * breaks.length;
      return !tour.breakTimes || tour.breakTimes.fits(node, k, tour.locations);
    }
    const trial = this.#trial;
    let length = 0;
    for (let place = 0; place <= tour.count; place++) {
      if (place === k) trial[length++] = node;
      if (place === j) trial[length++] = second;
      if (place < tour.count) trial[length++] = tour.nodes[place];
    }
    this.looked += (4 + BREAK_WORK * breaks.length) * length;
    return this.#scratch(tour).set(trial, length);
  }

  /** Returns whether driving time and distance stay within their limits with a job at place k. */
  #staysWithin({ type, locations, travelTime, distance: soFar }: Tour, node: number, k: number): boolean {
    const { size, duration, distance, vehicle } = type;
    const here = this.#model.location[node];
    const [direct, there] = [locations[k] * size + locations[k + 1], locations[k] * size + here];
    const on = here * size + locations[k + 1];
    return (
      travelTime + duration[there] + duration[on] - duration[direct] <= vehicle.maxTravelTime &&
      soFar + distance[there] + distance[on] - distance[direct] <= vehicle.maxDistance
    );
  }

  readonly #scratches = new Map<Tour["type"], Tour>();
  #scratch(tour: Tour): Tour {
    let scratch = this.#scratches.get(tour.type);
    if (!scratch) {
      scratch = tour.empty();
      this.#scratches.set(tour.type, scratch);
    }
    return scratch;
  }
}

/** The first place in a tour before which a vehicle may be at `time`: one that waits longer is too late for the stops after. */
function firstPlace({ count, latest }: Tour, time: number): number {
  let k = 0;
  while (k < count && latest[k] < time) k++;
  return k;
}
