import { NEVER } from "./model.ts";
import type { Search } from "./search.ts";
import type { Tour } from "./tour.ts";

/** The longest piece that is moved or exchanged. */
const LONGEST = 3;
/** Less is rounding. */
const WORTH_IT = 1e-6;

/**
 * Local search until no move is left that costs less: or-opt and relocate (a piece goes elsewhere, also turned round), exchange and
 * cross-exchange (two pieces change places), 2-opt (a piece is turned round) and 2-opt* (two tours exchange their ends; Potvin &
 * Rousseau 1995). What a move saves is told by a few ways; only what saves is tried on the whole tours.
 */
export async function polish(search: Search): Promise<void> {
  const { tours } = search;
  for (let improved = true; improved; ) {
    improved = false;
    for (let a = 0; a < tours.length; a++) {
      if (tours[a].count === 0) continue;
      for (let b = 0; b < tours.length; b++) {
        if (b !== a && tours[b].count === 0) continue;
        if (b === a ? within(search, a) : between(search, a, b)) improved = true;
        const turn = search.rest();
        if (turn) await turn;
        if (tours[a].count === 0) break;
      }
    }
  }
}

/** A way's cost; nothing for none. */
const way = ({ type }: Tour, from: number, to: number): number => type.cost[from * type.size + to];

/** The cost of a piece of a tour, driven by the vehicle of another. */
function along(tour: Tour, nodes: ArrayLike<number>, location: Int32Array): number {
  let cost = 0;
  for (let k = 1; k < nodes.length; k++) cost += way(tour, location[nodes[k - 1]], location[nodes[k]]);
  return cost;
}

function within(search: Search, a: number): boolean {
  const tour = search.tours[a];
  const { location } = search.model;
  for (let i = 0; i < tour.count; i++) {
    for (let j = i + 1; j <= tour.count; j++) {
      search.inserter.looked++;
      const all = tour.nodes.slice(0, tour.count);
      const turned = Int32Array.from([...all.subarray(0, i), ...all.slice(i, j).reverse(), ...all.subarray(j)]);
      if (j - i > 1 && isCheaper(turned) && search.tryTours([{ tour: a, nodes: turned }])) return true;
      if (j - i > LONGEST) continue;
      const piece = all.slice(i, j);
      const rest = Int32Array.from([...all.subarray(0, i), ...all.subarray(j)]);
      for (let place = 0; place <= rest.length; place++) {
        if (place === i) continue;
        const moved = Int32Array.from([...rest.subarray(0, place), ...piece, ...rest.subarray(place)]);
        if (isCheaper(moved) && search.tryTours([{ tour: a, nodes: moved }])) return true;
      }
    }
  }
  return false;

  function isCheaper(nodes: Int32Array): boolean {
    search.inserter.looked += nodes.length;
    const { type } = tour;
    const first = way(tour, type.start, location[nodes[0]]);
    const last = way(tour, location[nodes[nodes.length - 1]], type.end);
    return first + along(tour, nodes, location) + last < tour.travelCost - WORTH_IT;
  }
}

function between(search: Search, a: number, b: number): boolean {
  const { model, tours } = search;
  const { location } = model;
  const [one, two] = [tours[a], tours[b]];
  if (a < b && swapEnds()) return true;
  for (let i = 0; i < one.count; i++) {
    for (let m = 1; m <= LONGEST && i + m <= one.count; m++) {
      const piece = one.nodes.slice(i, i + m);
      for (let j = 0; j <= two.count; j++) {
        // n = 0: the piece moves; otherwise it changes places with one, each pair once.
        for (let n = 0; n <= (a < b ? LONGEST : 0) && j + n <= two.count; n++) {
          search.inserter.looked++;
          const other = two.nodes.slice(j, j + n);
          const saved = change(one, i, m, other) + change(two, j, n, piece);
          if (saved > -WORTH_IT) continue;
          if (search.tryTours([put(a, i, m, other), put(b, j, n, piece)])) return true;
        }
      }
    }
  }
  return false;

  /** What a tour costs more with other nodes in place of n from k on. */
  function change(tour: Tour, k: number, n: number, nodes: Int32Array): number {
    const [from, to] = [tour.before(k), tour.after(k + n)];
    const old = tour.nodes.subarray(k, k + n);
    const isLast = tour.count - n + nodes.length === 0;
    return (isLast ? -tour.type.vehicle.costs.fixed : through(tour, from, nodes, to)) - through(tour, from, old, to);
  }

  function through(tour: Tour, from: number, nodes: Int32Array, to: number): number {
    if (nodes.length === 0) return way(tour, from, to);
    const last = location[nodes[nodes.length - 1]];
    return way(tour, from, location[nodes[0]]) + along(tour, nodes, location) + way(tour, last, to);
  }

  function put(tour: number, k: number, n: number, nodes: Int32Array) {
    const { nodes: old, count } = tours[tour];
    return { tour, nodes: Int32Array.from([...old.subarray(0, k), ...nodes, ...old.subarray(k + n, count)]) };
  }

  function swapEnds(): boolean {
    // Vehicles of two kinds drive at different costs, which a few ways would not tell.
    if (one.type !== two.type) return false;
    for (let i = 0; i <= one.count; i++) {
      for (let j = 0; j <= two.count; j++) {
        search.inserter.looked++;
        const [p, q] = [one.before(i), two.before(j)];
        const saved =
          way(one, p, two.after(j)) + way(one, q, one.after(i)) - way(one, p, one.after(i)) - way(one, q, two.after(j));
        if (saved > -WORTH_IT || saved < -NEVER) continue;
        const [x, y] = [one.nodes.slice(0, one.count), two.nodes.slice(0, two.count)];
        const first = Int32Array.from([...x.subarray(0, i), ...y.subarray(j)]);
        const second = Int32Array.from([...y.subarray(0, j), ...x.subarray(i)]);
        const changes = [
          { tour: a, nodes: first },
          { tour: b, nodes: second },
        ];
        if (search.tryTours(changes)) return true;
      }
    }
    return false;
  }
}
