import { Ejector } from "./ejection.ts";
import { fewestVehicles } from "./fewest.ts";
import { isBetter, type Search } from "./search.ts";

/** Temperature while tasks are left, in mean costs of a way between two stops. */
const LUKEWARM = 0.1;
/** Iterations of ruin and recreate, which make space on their own, between two ejections. */
const BETWEEN_EJECTIONS = 20;

/**
 * Removes one vehicle after the other as long as the others can take over its tasks, and ends with the fewest.
 */
export async function fewerVehicles(search: Search, effort: number): Promise<void> {
  const until = search.spent + effort;
  const placer = new Placer(search);
  search.remember();
  let bestScore = search.score;
  const allowedUndone = bestScore.undone;
  const fewest = allowedUndone > 0 ? 1 : fewestVehicles(search.model);
  while (search.spent < until) {
    const victim = search.used > fewest ? placer.leastAbsent() : -1;
    if (victim < 0) break;
    search.begin();
    search.empty(victim);
    search.closed[victim] = 1;
    await placer.placeAll(allowedUndone, until);
    const { score } = search;
    if (score.undone > allowedUndone || !isBetter(score, bestScore)) continue;
    bestScore = score;
    search.remember();
  }
  search.closed.fill(0);
  search.recall();
}

/**
 * Finds vehicles for tasks that are left over. A task that was often unassigned gets a higher weight, so that hard tasks are placed
 * first (the absence counters of Christiaens & Vanden Berghe 2020). Now and then an unassigned task is inserted in exchange
 * for others with lower weights.
 */
class Placer {
  readonly #search: Search;
  readonly #ejector: Ejector;
  readonly #absences: Float64Array;

  constructor(search: Search) {
    this.#search = search;
    this.#ejector = new Ejector(search);
    this.#absences = new Float64Array(search.model.nodesOf.length).fill(1);
  }

  /** Continues until the unassigned tasks are worth no more than this, or the search has spent `until`. */
  async placeAll(allowedUndone: number, until: number): Promise<void> {
    const [search, absences] = [this.#search, this.#absences];
    const { random } = search;
    const temperature = meanWay(search) * LUKEWARM;
    let current = search.score;
    let weight = this.#weigh();
    for (let round = 1; search.spent < until && search.score.undone > allowedUndone; round++) {
      search.begin();
      if (round % BETWEEN_EJECTIONS === 0 && search.undone.length > 0) {
        const task = search.undone[Math.floor(random() * search.undone.length)];
        absences[task]++;
        if (this.#ejector.makeRoom(task, absences)) {
          current = search.score;
          weight = this.#weigh();
          search.begin();
        }
      }
      search.ruin();
      search.recreate();
      const score = search.score;
      const newWeight = this.#weigh();
      const isFewer = search.undone.length === 0 || score.undone < current.undone || newWeight < weight;
      const isCheaper = newWeight <= weight && score.cost < current.cost - temperature * Math.log(random() || 1e-12);
      for (const task of search.undone) absences[task]++;
      if (isFewer || isCheaper) current = score;
      else search.takeBack();
      weight = this.#weigh();
      const turn = search.rest();
      if (turn) await turn;
    }
  }

  /** The vehicle in use whose tasks were left over least often. */
  leastAbsent(): number {
    const { tours, model } = this.#search;
    let [victim, least, used] = [-1, Number.POSITIVE_INFINITY, 0];
    tours.forEach(({ count, nodes, type }, tour) => {
      if (count === 0) return;
      used++;
      if (type.vehicle.costs.fixed <= 0) return;
      let missed = 0;
      for (let k = 0; k < count; k++) missed += this.#absences[model.taskOf[nodes[k]]];
      if (missed < least) [victim, least] = [tour, missed];
    });
    return used > 1 ? victim : -1;
  }

  #weigh(): number {
    return this.#search.undone.reduce((sum, task) => sum + this.#absences[task], 0);
  }
}

/** Average cost of a route between two stops. */
export function meanWay({ tours, model }: Search): number {
  const ways = tours.reduce((sum, { count, travelCost }) => sum + (count > 0 ? travelCost : 0), 0);
  return Math.max(1e-9, ways / (model.nodes + 1));
}
