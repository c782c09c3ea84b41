import type { Steps } from "../geo/steps.ts";
import { NEVER } from "./model.ts";
import type { Search } from "./search.ts";
import type { Tour } from "./tour.ts";

/** The longest piece that is moved or exchanged. */
const MAX_LENGTH = 3;
/** Cost of trying a move, and of each stop of its tours then [units of pace]. */
const TRY_COST = 2;
const STOP_COST = 0.1;
/** Less is rounding. */
const MIN_GAIN = 1e-6;

/**
 * Local search until no move is left that costs less: or-opt and relocate (a segment moves, optionally reversed),
 * exchange and cross-exchange (two segments are swapped), 2-opt (a segment is reversed) and 2-opt* (two tours exchange
 * their ends; Potvin & Rousseau 1995). The saving of a move follows from a few routes; only moves with a saving are
 * tried on the complete tours.
 */
export async function polish(search: Search): Promise<void> {
  const { tours } = search;
  for (let improved = true; improved; ) {
    improved = false;
    for (let a = 0; a < tours.length; a++) {
      if (tours[a].count === 0) continue;
      for (let b = 0; b < tours.length; b++) {
        if (b !== a && tours[b].count === 0) continue;
        if (await atRest(search, b === a ? within(search, a) : between(search, a, b))) improved = true;
        if (tours[a].count === 0) break;
      }
    }
  }
}

/** Looks for a move, and yields when it is time. The cost of moves that fail is no part of the effort, on which the result depends. */
async function atRest(search: Search, steps: Steps<boolean>): Promise<boolean> {
  for (;;) {
    const { value, done } = steps.next();
    const turn = search.rest(done ? 0 : value);
    if (turn) await turn;
    if (done) return value;
  }
}

/** Cost of a route; 0 if there is none. */
const way = ({ type }: Tour, from: number, to: number): number => type.cost[from * type.size + to];

/** Cost of the routes between stops j … j + n − 1 of a tour, driven by the vehicle of another. */
function along(tour: Tour, { locations }: Tour, j: number, n: number): number {
  let cost = 0;
  for (let k = j + 1; k < j + n; k++) cost += way(tour, locations[k], locations[k + 1]);
  return cost;
}

function* within(search: Search, a: number): Steps<boolean> {
  const tour = search.tours[a];
  const { locations, wayCost, count } = tour;
  let tries = 0;
  for (let i = 0; i < count; i++) {
    yield tries * (TRY_COST + count * STOP_COST);
    tries = 0;
    const before = locations[i];
    const first = locations[i + 1];
    // 2-opt: stops i … j − 1 the other way round.
    let [forth, back] = [0, 0];
    for (let j = i + 2; j <= count; j++) {
      forth += wayCost[j - 1];
      back += way(tour, locations[j], locations[j - 1]);
      const now = wayCost[i] + forth + wayCost[j];
      const saved = way(tour, before, locations[j]) + back + way(tour, first, locations[j + 1]) - now;
      if (saved < -MIN_GAIN && tried((all) => [...all.slice(0, i), ...all.slice(i, j).reverse(), ...all.slice(j)]))
        return true;
    }
    // Or-opt: they go elsewhere, also turned round.
    for (let n = 1; n <= MAX_LENGTH && i + n <= count; n++) {
      const last = locations[i + n];
      let turned = 0;
      for (let k = i + 1; k < i + n; k++) turned += way(tour, locations[k + 1], locations[k]) - wayCost[k];
      const freed = wayCost[i] + wayCost[i + n] - way(tour, before, locations[i + n + 1]);
      for (let place = 0; place <= count; place++) {
        if (place >= i && place <= i + n) continue;
        const [from, to] = [locations[place], locations[place + 1]];
        for (const isTurned of n > 1 ? [false, true] : [false]) {
          const [head, tail] = isTurned ? [last, first] : [first, last];
          const added = way(tour, from, head) + way(tour, tail, to) - wayCost[place] + (isTurned ? turned : 0);
          if (added - freed > -MIN_GAIN) continue;
          const moved = (all: Int32Array) => {
            const piece = isTurned ? all.slice(i, i + n).reverse() : all.slice(i, i + n);
            return place < i
              ? [...all.slice(0, place), ...piece, ...all.slice(place, i), ...all.slice(i + n)]
              : [...all.slice(0, i), ...all.slice(i + n, place), ...piece, ...all.slice(place)];
          };
          if (tried(moved)) return true;
        }
      }
    }
    search.inserter.looked += 8 * count;
  }
  return false;

  function tried(change: (all: Int32Array) => number[]): boolean {
    tries++;
    return search.tryTours([{ tour: a, nodes: Int32Array.from(change(tour.nodes.slice(0, tour.count))) }]);
  }
}

function* between(search: Search, a: number, b: number): Steps<boolean> {
  const { tours } = search;
  const [one, two] = [tours[a], tours[b]];
  const tryCost = TRY_COST + (one.count + two.count) * STOP_COST;
  if (a < b && (yield* swapEnds(search, a, b, tryCost))) return true;
  let tries = 0;
  for (let i = 0; i < one.count; i++) {
    for (let m = 1; m <= MAX_LENGTH && i + m <= one.count; m++) {
      yield tries * tryCost;
      tries = 0;
      for (let j = 0; j <= two.count; j++) {
        // n = 0: the piece moves; otherwise it changes places with one, each pair once.
        for (let n = 0; n <= (a < b ? MAX_LENGTH : 0) && j + n <= two.count; n++) {
          const saved = change(one, i, m, two, j, n) + change(two, j, n, one, i, m);
          if (saved > -MIN_GAIN) continue;
          tries++;
          if (search.tryTours([put(a, i, m, two, j, n), put(b, j, n, one, i, m)])) return true;
        }
      }
      search.inserter.looked += (a < b ? 2 * (MAX_LENGTH + 1) : 2) * (two.count + 1);
    }
  }
  return false;

  /** Change in cost of a tour when stops j … j + m − 1 of another replace its own k … k + n − 1. */
  function change(tour: Tour, k: number, n: number, other: Tour, j: number, m: number): number {
    const { locations, wayCost } = tour;
    let now = wayCost[k + n];
    for (let place = k; place < k + n; place++) now += wayCost[place];
    const [from, to] = [locations[k], locations[k + n + 1]];
    if (m === 0) return (tour.count === n ? -tour.type.vehicle.costs.fixed : way(tour, from, to)) - now;
    const ends = way(tour, from, other.locations[j + 1]) + way(tour, other.locations[j + m], to);
    return ends + along(tour, other, j, m) - now;
  }

  function put(tour: number, k: number, n: number, other: Tour, j: number, m: number) {
    const { nodes: old, count } = tours[tour];
    const nodes = new Int32Array(count - n + m);
    nodes.set(old.subarray(0, k));
    nodes.set(other.nodes.subarray(j, j + m), k);
    nodes.set(old.subarray(k + n, count), k + m);
    return { tour, nodes };
  }
}

/** Two tours exchange all after a place in each. */
function* swapEnds(search: Search, a: number, b: number, tryCost: number): Steps<boolean> {
  const [one, two] = [search.tours[a], search.tours[b]];
  // Two kinds of vehicles have different costs, which the comparison of a few routes does not show.
  if (one.type !== two.type) return false;
  for (let i = 0; i <= one.count; i++) {
    search.inserter.looked += 2 * (two.count + 1);
    for (let j = 0; j <= two.count; j++) {
      const [p, q] = [one.before(i), two.before(j)];
      const saved =
        way(one, p, two.after(j)) + way(one, q, one.after(i)) - way(one, p, one.after(i)) - way(one, q, two.after(j));
      if (saved > -MIN_GAIN || saved < -NEVER) continue;
      const [x, y] = [one.nodes.slice(0, one.count), two.nodes.slice(0, two.count)];
      const first = Int32Array.from([...x.subarray(0, i), ...y.subarray(j)]);
      const second = Int32Array.from([...y.subarray(0, j), ...x.subarray(i)]);
      const changes = [
        { tour: a, nodes: first },
        { tour: b, nodes: second },
      ];
      if (search.tryTours(changes)) return true;
      yield tryCost;
    }
  }
  return false;
}
