import { fewestVehicles } from "../fewest.ts";
import type { Search } from "../search.ts";
import { EjectionPool } from "./ejection-pool.ts";
import { PASSED_PER_UNIT } from "./penalized-tours.ts";
import type { UniformFleet } from "./uniform-fleet.ts";

/** Attempts with one vehicle less, each from the beginning: an attempt succeeds soon, or hardly at all. */
const ATTEMPTS = 3;

/**
 * Plans with fewer vehicles, if that is possible, with at most this much work [units of pace]. Routes that stops are inserted into
 * at random lead to fewer vehicles sooner than good routes do.
 */
export async function eliminateRoutes(search: Search, fleet: UniformFleet, effort: number): Promise<void> {
  const { random, model } = search;
  const { stops } = fleet;
  const fewest = fewestVehicles(model);
  const next = new Int32Array(stops);
  const firsts = new Int32Array(stops);
  const until = search.spent + effort;
  const before = search.save();
  let least = search.used;
  let best: { next: Int32Array; firsts: Int32Array } | undefined;
  for (let attempt = 0; attempt < ATTEMPTS && least > fewest && search.spent < until; ) {
    const end = Math.min(until, search.spent + effort / ATTEMPTS);
    let routes = least;
    let left = new Int32Array(0);
    while (routes >= fewest) {
      routes = await place(routes, left, end);
      if (routes === 0) break;
      const victim = Math.floor(random() * routes);
      left = firsts.slice(0, routes).filter((_, route) => route !== victim);
      if (routes < least) {
        least = routes;
        best = { next: next.slice(), firsts: firsts.slice(0, routes) };
        attempt = -1;
      }
      routes--;
    }
    attempt++;
  }
  if (!best) return;
  const { next: after, firsts: starts } = best;
  const routes: Int32Array[] = model.problem.vehicles.map(() => new Int32Array(0));
  starts.forEach((first, route) => {
    const nodes: number[] = [];
    for (let stop = first; stop < stops; stop = after[stop]) nodes.push(stop);
    routes[route] = Int32Array.from(nodes);
  });
  search.restore({ routes, undone: [] });
  // Sums in another order may differ by rounding: then a tour that is full to the last fraction is not possible.
  if (!search.tours.every((tour) => tour.update())) search.restore(before);

  /**
   * Inserts all stops into these routes (their first stops), which are in `next`. The result is in `next` and `firsts`.
   * @returns the number of routes, 0 if it was not possible
   */
  async function place(routes: number, left: Int32Array, end: number): Promise<number> {
    const pool = new EjectionPool(fleet, routes, random);
    pool.load(next, left, left.length);
    let paid = 0;
    while (pool.waiting > 0 && search.spent < end) {
      pool.step();
      search.work((pool.passed - paid) / PASSED_PER_UNIT);
      paid = pool.passed;
      const turn = search.rest();
      if (turn) await turn;
    }
    return pool.waiting === 0 ? pool.tours.save(next, firsts) : 0;
  }
}
