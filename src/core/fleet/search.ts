import type { Pace } from "../geo/pace.ts";
import { Inserter, type Insertion, noInsertion, type Random } from "./insertion.ts";
import { arriveAt, beginAt, type Model, NEVER } from "./model.ts";
import { removeStrings } from "./ruin.ts";
import { Tour } from "./tour.ts";

/** Places of insertion looked at in a unit of pace: seen with `npm run bench -- fleet`. */
const LOOKED_PER_UNIT = 75;
/**
 * Other costs, in units of examined positions: inserting a task, and an iteration of ruin and recreate in addition to
 * its stops.
 */
const TAKING = 20;
const ROUND = 250;
const BLINKS = 0.01;

/** The stops of each vehicle, and the unassigned tasks. */
export interface Assignment {
  routes: Int32Array[];
  undone: number[];
}

/** Better means: a lower total cost of unassigned tasks; then a lower cost. */
export interface Score {
  undone: number;
  cost: number;
}

export const isBetter = (a: Score, b: Score): boolean =>
  a.undone !== b.undone ? a.undone < b.undone : a.cost < b.cost - 1e-9;

/**
 * The assignment that is being improved: tours, the position of each node, and the unassigned tasks. A change is tried
 * in place; the state it affects is saved, so that it can be undone.
 */
export class Search {
  readonly model: Model;
  readonly tours: Tour[];
  readonly random: Random;
  readonly inserter: Inserter;
  /** Vehicles that are not used while the fleet is reduced. */
  readonly closed: Uint8Array;
  readonly tourOf: Int32Array;
  undone: number[] = [];
  readonly #pace: Pace;
  #paid = 0;
  /**
   * Tours changed since `begin`, and their previous state: reused buffers, because this happens about 100,000 times a
   * second.
   */
  readonly #kept: number[] = [];
  readonly #isKept: Uint8Array;
  readonly #before: Int32Array[];
  readonly #countBefore: Int32Array;
  #undoneKept: number[] = [];
  readonly #gone: Uint8Array;
  readonly #bestNodes: Int32Array;
  readonly #bestCounts: Int32Array;
  #bestUndone: number[] = [];
  readonly #best = noInsertion();
  /** [task] sort key of #order. */
  readonly #keys: Float64Array;

  constructor(model: Model, random: Random, pace: Pace) {
    const vehicles = model.problem.vehicles.length;
    this.model = model;
    this.random = random;
    this.#pace = pace;
    this.inserter = new Inserter(model, random);
    this.tours = model.problem.vehicles.map((_, vehicle) => new Tour(model, vehicle));
    this.closed = new Uint8Array(vehicles);
    this.tourOf = new Int32Array(model.nodes).fill(-1);
    this.undone = Array.from(model.nodesOf.keys());
    this.#isKept = new Uint8Array(vehicles);
    this.#before = this.tours.map(() => new Int32Array(0));
    this.#countBefore = new Int32Array(vehicles);
    this.#gone = new Uint8Array(model.nodes);
    this.#bestNodes = new Int32Array(model.nodes);
    this.#bestCounts = new Int32Array(vehicles);
    this.#keys = new Float64Array(model.nodesOf.length);
  }

  get score(): Score {
    let [undone, cost] = [0, 0];
    for (const task of this.undone) undone += this.model.worth[task];
    for (const tour of this.tours) cost += tour.cost;
    return { undone, cost };
  }

  /** Number of vehicles with at least one task. */
  get used(): number {
    let used = 0;
    for (const { count } of this.tours) if (count > 0) used++;
    return used;
  }

  /** Work since the search began [units of pace]. */
  get spent(): number {
    return this.inserter.looked / LOOKED_PER_UNIT;
  }

  /** Counts work that was done outside of insertions [units of pace]. */
  work(units: number): void {
    this.inserter.looked += units * LOOKED_PER_UNIT;
  }

  /** Counts the work done, and yields when it is time to. `more`: work that is no part of the effort [units of pace]. */
  rest(more = 0): Promise<void> | undefined {
    const owed = this.spent - this.#paid;
    this.#paid += owed;
    return this.#pace.spend(owed + more);
  }

  save(): Assignment {
    return { routes: this.tours.map(({ nodes, count }) => nodes.slice(0, count)), undone: [...this.undone] };
  }

  restore({ routes, undone }: Assignment): void {
    this.tourOf.fill(-1);
    routes.forEach((nodes, tour) => {
      this.#place(tour, nodes);
    });
    this.undone = [...undone];
  }

  /**
   * Saves the current assignment as the best, in buffers: this happens often, and the result is rarely needed
   * otherwise.
   */
  remember(): void {
    let at = 0;
    this.tours.forEach(({ nodes, count }, tour) => {
      for (let k = 0; k < count; k++) this.#bestNodes[at++] = nodes[k];
      this.#bestCounts[tour] = count;
    });
    this.#bestUndone = this.undone.slice();
  }

  /** Restores the saved assignment. */
  recall(): void {
    this.tourOf.fill(-1);
    let at = 0;
    for (let tour = 0; tour < this.tours.length; tour++) {
      const count = this.#bestCounts[tour];
      this.#place(tour, this.#bestNodes.subarray(at, at + count));
      at += count;
    }
    this.undone = this.#bestUndone.slice();
  }

  /** Starts a change that can be undone. */
  begin(): void {
    for (const tour of this.#kept) this.#isKept[tour] = 0;
    this.#kept.length = 0;
    this.#undoneKept.length = this.undone.length;
    for (let i = 0; i < this.undone.length; i++) this.#undoneKept[i] = this.undone[i];
  }

  /** Undoes the changes since `begin`. */
  takeBack(): void {
    for (const tour of this.#kept) {
      const { nodes, count } = this.tours[tour];
      for (let k = 0; k < count; k++) this.tourOf[nodes[k]] = -1;
    }
    for (const tour of this.#kept) this.#place(tour, this.#before[tour], this.#countBefore[tour]);
    [this.undone, this.#undoneKept] = [this.#undoneKept, this.undone];
    this.begin();
  }

  /** Removes strings of stops, with the other ends of their shipments. */
  ruin(): void {
    const { model, tourOf } = this;
    const gone: number[] = [];
    const drop = (node: number) => {
      if (this.#gone[node] === 1) return;
      this.#gone[node] = 1;
      gone.push(node);
      const other = model.partner[node];
      if (other >= 0 && this.#gone[other] === 0) {
        this.#gone[other] = 1;
        gone.push(other);
      }
    };
    const touched = removeStrings(model, this.tours, tourOf, this.random, drop);
    for (const tour of touched) {
      this.#keep(tour);
      if (this.#without(tour, this.#gone)) continue;
      // A shorter route may take longer than a detour, if the matrix says so: then the vehicle is emptied.
      const { nodes, count } = this.tours[tour];
      for (let k = 0; k < count; k++) drop(nodes[k]);
      this.#without(tour, this.#gone);
    }
    for (const node of gone) {
      this.#gone[node] = 0;
      tourOf[node] = -1;
      if (model.firstNode[model.taskOf[node]] === node) this.undone.push(model.taskOf[node]);
    }
    for (const tour of touched) this.inserter.looked += 6 * this.tours[tour].count;
    this.inserter.looked += ROUND + 4 * this.tours.length;
  }

  /** Sends a vehicle home; its tasks are undone. */
  empty(tour: number): void {
    this.#keep(tour);
    const { nodes, count } = this.tours[tour];
    for (let k = 0; k < count; k++) {
      const task = this.model.taskOf[nodes[k]];
      this.tourOf[nodes[k]] = -1;
      if (this.model.firstNode[task] === nodes[k]) this.undone.push(task);
    }
    this.tours[tour].set([]);
  }

  /** Inserts unassigned tasks where they cost least, one after the other, in one of several orders. */
  recreate(blinks = BLINKS): void {
    const waiting = this.undone;
    this.#order(waiting);
    let left = 0;
    for (const task of waiting) if (!this.#insert(task, blinks)) waiting[left++] = task;
    waiting.length = left;
  }

  #insert(task: number, blinks: number): boolean {
    const best = this.#best;
    best.cost = Number.POSITIVE_INFINITY;
    this.inserter.looked += 3 * this.tours.length;
    let chosen = -1;
    let opened = 0;
    for (let tour = 0; tour < this.tours.length; tour++) {
      if (this.closed[tour] === 1) continue;
      if (this.tours[tour].count === 0) {
        // One empty vehicle stands for all of its kind.
        const kind = 1 << (this.model.classOf[tour] % 31);
        if ((opened & kind) !== 0 && this.#hasEmptyBefore(tour)) continue;
        opened |= kind;
      }
      if (this.inserter.improve(best, this.tours[tour], task, blinks)) chosen = tour;
    }
    if (chosen < 0) return false;
    this.#take(task, chosen, best);
    return true;
  }

  #take(task: number, tour: number, at: Insertion): void {
    this.#keep(tour);
    this.inserter.insert(this.tours[tour], task, at);
    this.inserter.looked += TAKING + this.tours[tour].count;
    const first = this.model.firstNode[task];
    for (let i = 0; i < this.model.nodesOf[task]; i++) this.tourOf[first + i] = tour;
  }

  /** Gives an undone task to a vehicle. */
  put(task: number, tour: number, at: Insertion): void {
    this.undone = this.undone.filter((other) => other !== task);
    this.#take(task, tour, at);
  }

  /** Removes tasks from a tour and inserts an unassigned one, at a position that refers to the tour without them. */
  replace(tour: number, out: readonly number[], task: number, at: Insertion): void {
    this.#keep(tour);
    const { model, tourOf, tours } = this;
    for (const gone of out) {
      for (let i = 0; i < model.nodesOf[gone]; i++) {
        this.#gone[model.firstNode[gone] + i] = 1;
        tourOf[model.firstNode[gone] + i] = -1;
      }
    }
    this.#without(tour, this.#gone);
    for (const gone of out) this.#gone.fill(0, model.firstNode[gone], model.firstNode[gone] + model.nodesOf[gone]);
    this.inserter.insert(tours[tour], task, at);
    tourOf.fill(tour, model.firstNode[task], model.firstNode[task] + model.nodesOf[task]);
    this.undone = this.undone.filter((other) => other !== task).concat(out);
  }

  #hasEmptyBefore(tour: number): boolean {
    const { classOf } = this.model;
    for (let other = 0; other < tour; other++) {
      if (classOf[other] === classOf[tour] && this.tours[other].count === 0 && this.closed[other] === 0) return true;
    }
    return false;
  }

  /**
   * At random, or the largest, farthest, nearest, most urgent, earliest or last first; always the most expensive to
   * leave out.
   */
  #order(tasks: number[]): void {
    const { model, random } = this;
    const { firstNode, opens, closes, change, fromStart, dimensions, worth } = model;
    const type = model.classes[0];
    const draw = random() * 17;
    const keys = this.#keys;
    for (const task of tasks) {
      const node = firstNode[task];
      let key = random();
      if (draw >= 4 && draw < 8) {
        key = 0;
        for (let d = 0; d < dimensions; d++)
          key -= Math.abs(change[node * dimensions + d]) + fromStart[node * dimensions + d];
      } else if (draw < 4) key = random();
      else if (draw < 11) {
        const away = type.cost[type.start * type.size + model.location[node]];
        key = draw < 10 ? -away : away;
      } else if (draw < 13) key = closes[node] - opens[node];
      else if (draw < 15) key = opens[node];
      else key = -closes[node];
      keys[task] = key;
    }
    tasks.sort((a, b) => worth[b] - worth[a] || keys[a] - keys[b] || a - b);
  }

  #keep(tour: number): void {
    if (this.#isKept[tour] === 1) return;
    this.#isKept[tour] = 1;
    const { nodes, count } = this.tours[tour];
    if (this.#before[tour].length < count) this.#before[tour] = new Int32Array(nodes.length);
    const before = this.#before[tour];
    for (let k = 0; k < count; k++) before[k] = nodes[k];
    this.#countBefore[tour] = count;
    this.#kept.push(tour);
  }

  /** Removes some nodes from a tour. @returns whether the vehicle can do the rest */
  #without(tour: number, gone: Uint8Array): boolean {
    const { nodes, count } = this.tours[tour];
    let left = 0;
    for (let k = 0; k < count; k++) if (gone[nodes[k]] === 0) nodes[left++] = nodes[k];
    this.tours[tour].count = left;
    return this.tours[tour].update();
  }

  #place(tour: number, nodes: Int32Array, count = nodes.length): void {
    this.tours[tour].set(nodes, count);
    for (let k = 0; k < count; k++) this.tourOf[nodes[k]] = tour;
  }

  /**
   * Changes complete tours together, if their vehicles can do it. @returns whether they can; if not, nothing has
   * changed
   */
  tryTours(changes: readonly { tour: number; nodes: Int32Array }[]): boolean {
    this.inserter.looked += 4 * changes.reduce((sum, { nodes }) => sum + nodes.length + 2, 0);
    // Most changes fail by being too late; this is checked before anything is changed.
    if (!changes.every(({ tour, nodes }) => this.#isInTime(tour, nodes) && this.#isAble(tour, nodes))) return false;
    const before = changes.map(({ tour }) => this.tours[tour].nodes.slice(0, this.tours[tour].count));
    const fits = changes.every(({ tour, nodes }) => this.tours[tour].set(nodes));
    changes.forEach(({ tour, nodes }, i) => {
      this.#place(tour, fits ? nodes : before[i]);
    });
    return fits;
  }

  /** Returns whether the vehicle reaches all of them in time, ignoring other constraints. */
  #isInTime(tour: number, nodes: Int32Array): boolean {
    const { model } = this;
    const { type } = this.tours[tour];
    let [time, from] = [type.vehicle.window[0], type.start];
    for (const node of nodes) {
      const to = model.location[node];
      const begins = beginAt(model, node, arriveAt(type, from * type.size + to, time));
      if (begins >= NEVER) return false;
      time = begins + model.service[node];
      from = to;
    }
    return arriveAt(type, from * type.size + type.end, time) <= type.vehicle.window[1];
  }

  /** Returns whether the vehicle has the skills, and shipments are complete and picked up first. */
  #isAble(tour: number, nodes: Int32Array): boolean {
    const { able } = this.tours[tour].type;
    const { taskOf, partner } = this.model;
    for (let k = 0; k < nodes.length; k++) {
      const node = nodes[k];
      if (able[taskOf[node]] === 0) return false;
      if (partner[node] < 0) continue;
      const other = nodes.indexOf(partner[node]);
      if (other < 0 || other > k !== node < partner[node]) return false;
    }
    return true;
  }
}
