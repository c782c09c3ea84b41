import { noInsertion } from "./insertion.ts";
import { NEVER } from "./model.ts";
import type { Search } from "./search.ts";

/**
 * Regret insertion (Potvin & Rousseau 1993): of the unassigned tasks, the next is the one that would lose most if it
 * got its second-best vehicle instead of its best. Tasks that fit nowhere stay unassigned.
 */
export async function constructByRegret(search: Search): Promise<void> {
  const { model, tours, inserter } = search;
  const vehicles = tours.length;
  const found = search.undone.map((task) => ({ task, places: tours.map(noInsertion) }));
  // An empty vehicle stands for all of its kind: the others would hide how much a task wants the one.
  const isOneMore = (tour: number) =>
    tours[tour].count === 0 &&
    tours.slice(0, tour).some((other) => other.type === tours[tour].type && other.count === 0);
  const look = (tour: number) => {
    const skip = isOneMore(tour);
    for (const { task, places } of found) {
      places[tour].cost = NEVER;
      if (!skip) inserter.improve(places[tour], tours[tour], task, 0);
    }
  };
  for (let tour = 0; tour < vehicles; tour++) look(tour);
  while (found.length > 0) {
    let chosen = -1;
    let into = -1;
    let [worth, most, least] = [-1, -1, NEVER];
    for (let i = 0; i < found.length; i++) {
      let [first, second, tour] = [NEVER, NEVER, -1];
      for (let v = 0; v < vehicles; v++) {
        const { cost } = found[i].places[v];
        if (cost < first) [first, second, tour] = [cost, first, v];
        else if (cost < second) second = cost;
      }
      if (tour < 0) continue;
      const own = model.worth[found[i].task];
      const regret = second - first;
      const isNext = own > worth || (own === worth && (regret > most || (regret === most && first < least)));
      if (isNext) [worth, most, least, chosen, into] = [own, regret, first, i, tour];
    }
    if (chosen < 0) break;
    inserter.looked += (found.length * vehicles) >> 2;
    const [{ task, places }] = found.splice(chosen, 1);
    const opens = tours[into].count === 0;
    search.put(task, into, places[into]);
    look(into);
    if (opens) for (let v = into + 1; v < vehicles; v++) if (tours[v].type === tours[into].type) look(v);
    const turn = search.rest();
    if (turn) await turn;
  }
}
