import { type Insertion, noInsertion } from "./insertion.ts";
import { NEVER } from "./model.ts";
import type { Search } from "./search.ts";
import type { Tour } from "./tour.ts";

/**
 * Maximum number of tasks removed from a tour to make space for one: more for tours with few tasks, which have fewer
 * choices.
 */
const mostOut = (tasks: number) => (tasks <= 14 ? 3 : tasks <= 40 ? 2 : 1);

/**
 * Makes space for a task that fits nowhere: of all sets of up to three tasks of one tour without which it would fit,
 * removes the set with the lowest total price. If the price of a task grows each time it stays unassigned, hard tasks
 * are inserted and easy ones removed (Nagata & Bräysy 2009, "A powerful route minimization heuristic for the vehicle
 * routing problem with time windows").
 */
export class Ejector {
  readonly #search: Search;
  readonly #scratches = new Map<Tour["type"], Tour>();
  readonly #trial = noInsertion();
  readonly #out: number[] = [];
  #nodes = new Int32Array(64);

  constructor(search: Search) {
    this.#search = search;
  }

  /** @param price by task, above 0. @returns whether space was made */
  makeRoom(task: number, price: Float64Array): boolean {
    const search = this.#search;
    const { tours, closed, random } = search;
    let least = Number.POSITIVE_INFINITY;
    let into = -1;
    let out: number[] = [];
    let at: Insertion = noInsertion();
    // Starts with a random tour, so that ties are not always resolved in favor of the first.
    const first = Math.floor(random() * tours.length);
    for (let i = 0; i < tours.length; i++) {
      const index = (first + i) % tours.length;
      const tour = tours[index];
      if (closed[index] === 1 || tour.count === 0 || tour.type.able[task] === 0) continue;
      const tasks = this.#tasksOf(tour).sort((a, b) => price[a] - price[b] || a - b);
      const most = mostOut(tasks.length);
      const choose = (from: number, sum: number) => {
        for (let t = from; t < tasks.length; t++) {
          const total = sum + price[tasks[t]];
          if (total >= least) return;
          this.#out.push(tasks[t]);
          if (this.#fits(tour, task)) {
            [least, into, out] = [total, index, this.#out.slice()];
            at = { ...this.#trial };
          } else if (this.#out.length < most) choose(t + 1, total);
          this.#out.pop();
        }
      };
      choose(0, 0);
    }
    if (into < 0) return false;
    search.replace(into, out, task, at);
    return true;
  }

  #tasksOf({ nodes, count }: Tour): number[] {
    const { taskOf, firstNode } = this.#search.model;
    const tasks: number[] = [];
    for (let k = 0; k < count; k++) if (firstNode[taskOf[nodes[k]]] === nodes[k]) tasks.push(taskOf[nodes[k]]);
    return tasks;
  }

  /** Returns whether the task fits into the tour without the tasks in #out. Its cheapest position is then in #trial. */
  #fits(tour: Tour, task: number): boolean {
    const { model, inserter } = this.#search;
    if (this.#nodes.length < tour.count) this.#nodes = new Int32Array(2 * tour.count);
    let left = 0;
    for (let k = 0; k < tour.count; k++) {
      const node = tour.nodes[k];
      if (!this.#out.includes(model.taskOf[node])) this.#nodes[left++] = node;
    }
    inserter.looked += 4 * left + 8;
    let scratch = this.#scratches.get(tour.type);
    if (!scratch) {
      scratch = tour.empty();
      this.#scratches.set(tour.type, scratch);
    }
    // A shorter route may take longer than a detour, if the matrix says so.
    if (!scratch.set(this.#nodes, left)) return false;
    this.#trial.cost = NEVER;
    return inserter.improve(this.#trial, scratch, task, 0);
  }
}
