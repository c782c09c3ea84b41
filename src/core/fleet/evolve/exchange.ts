import type { PenalizedTours } from "./penalized-tours.ts";
import { MIN_GAIN, type Reordering } from "./reordering.ts";
import type { StopQueue } from "./stop-queue.ts";

/** Work of judging a change, in stops passed. */
const JUDGE = 2;

/** Changes of two routes. A change is applied if it is better; its ends are then looked at again. */
export class Exchange {
  readonly #tours: PenalizedTours;
  readonly #queue: StopQueue;
  readonly #reordering: Reordering;
  readonly #fixed: number;
  readonly #newLoad: Float64Array;

  /** `fixed`: the cost of using a vehicle. */
  constructor(tours: PenalizedTours, queue: StopQueue, reordering: Reordering, fixed: number) {
    this.#tours = tours;
    this.#queue = queue;
    this.#reordering = reordering;
    this.#fixed = fixed;
    this.#newLoad = new Float64Array(2 * tours.fleet.dimensions);
  }

  /**
   * The piece of m stops from u on changes places with that of n stops from v on; with n = 0 it moves behind v. `turned`: it is
   * reversed.
   */
  exchange(u: number, m: number, v: number, n: number, turned: boolean): boolean {
    const tours = this.#tours;
    const { next, prev, place, routeOf, position, penalty, count, fleet } = tours;
    const { cost, stops } = fleet;
    const places = stops + 1;
    let uLast = u;
    let inner = 0;
    for (let i = 1; i < m; i++) {
      const after = next[uLast];
      if (after >= stops) return false;
      if (turned) inner += cost[after * places + uLast] - cost[uLast * places + after];
      uLast = after;
    }
    let vLast = v;
    for (let i = 1; i < n; i++) {
      vLast = next[vLast];
      if (vLast >= stops) return false;
    }
    const one = routeOf[u];
    const two = routeOf[v];
    const pu = prev[u];
    const nu = next[uLast];
    const pv = n > 0 ? prev[v] : v;
    const nv = next[vLast];
    if (one === two) {
      // Pieces that overlap or touch: moves of other pieces cover what is possible.
      const a = position[u];
      const b = position[v];
      if (n === 0 ? b >= a - 1 && b < a + m : b < a + m + 1 && a < b + n + 1) return false;
    }
    const head = turned ? uLast : u;
    const tail = turned ? u : uLast;
    const at = place[pu] * places;
    const to = place[pv] * places;
    let delta =
      inner + cost[to + head] + cost[tail * places + place[nv]] - cost[at + u] - cost[uLast * places + place[nu]];
    if (n > 0) {
      delta += cost[at + v] + cost[vLast * places + place[nu]] - cost[to + v] - cost[vLast * places + place[nv]];
    } else {
      delta += cost[at + place[nu]] - cost[to + place[nv]];
      if (one !== two && this.#fixed > 0) {
        if (count[one] === m) delta -= this.#fixed;
        if (count[two] === 0) delta += this.#fixed;
      }
    }
    if (one === two) {
      tours.passed += JUDGE;
      return delta - penalty[one] <= -MIN_GAIN && this.#reordering.reorder(u, m, v, n, turned, delta);
    }
    // Lateness before and after the pieces remains.
    const { lateBefore, lateAfter, penalties } = tours;
    const remains = lateBefore[pu] + lateAfter[nu] + lateBefore[pv] + lateAfter[nv];
    if (delta + penalties.late * remains - penalty[one] - penalty[two] > -MIN_GAIN) return false;

    tours.passed += JUDGE;
    // First the route that gets the longer piece: it is more often the one that is late then.
    delta += this.#lateAfter(pv, u, m, turned, nv) + this.#overloadWith(u, m, v, n, two) - penalty[two];
    if (delta - penalty[one] > -MIN_GAIN) return false;

    delta += this.#lateAfter(pu, v, n, false, nu) + this.#overloadWith(v, n, u, m, one) - penalty[one];
    if (delta > -MIN_GAIN) return false;

    if (turned) this.#turn(u, m);
    this.#put(pu, v, n, nu);
    this.#put(pv, turned ? uLast : u, m, nv);
    tours.update(one);
    tours.update(two);
    const queue = this.#queue;
    queue.add(pu);
    queue.add(u);
    queue.add(uLast);
    queue.add(nu);
    queue.add(pv);
    queue.add(v);
    queue.add(vLast);
    queue.add(nv);
    return true;
  }

  /** Lateness of a route that goes straight from p to x. */
  lateWithout(p: number, x: number): number {
    const { leaves, lateBefore, due, lateAfter, place, fleet } = this.#tours;
    const arrival = leaves[p] + fleet.duration[place[p] * (fleet.stops + 1) + place[x]];
    return lateBefore[p] + lateAfter[x] + (arrival > due[x] ? arrival - due[x] : 0);
  }

  /** Penalty for load that a route saves without n stops from u on. */
  lighter(route: number, u: number, n: number): number {
    const { penalty, late, penalties } = this.#tours;
    const over = penalty[route] - penalties.late * late[route];
    return over > 0 ? over - this.#overloadWith(u, 0, u, n, route) : 0;
  }

  /** Penalty for lateness of a route that goes from p through the n stops from v on (reversed: back to v), and then to x. */
  #lateAfter(p: number, v: number, n: number, turned: boolean, x: number): number {
    const { leaves, lateBefore, due, lateAfter, place, next, prev, fleet, penalties } = this.#tours;
    const { duration, opens, closes, service, stops } = fleet;
    const places = stops + 1;
    let time = leaves[p];
    let late = lateBefore[p];
    let from = place[p];
    let node = v;
    if (turned) for (let i = 1; i < n; i++) node = next[node];
    for (let i = 0; i < n; i++) {
      time += duration[from * places + node];
      if (time < opens[node]) time = opens[node];
      else if (time > closes[node]) {
        late += time - closes[node];
        time = closes[node];
      }
      time += service[node];
      from = node;
      node = turned ? prev[node] : next[node];
    }
    time += duration[from * places + place[x]];
    late += lateAfter[x] + (time > due[x] ? time - due[x] : 0);
    return late * penalties.late;
  }

  /** Penalty for the load of a route that gets n stops from v on in place of m stops from u on. */
  #overloadWith(v: number, n: number, u: number, m: number, route: number): number {
    const tours = this.#tours;
    const { fleet, next, loadBefore } = tours;
    const { dimensions, load } = fleet;
    const total = this.#newLoad;
    const end = tours.end(route) * dimensions;
    for (let d = 0; d < dimensions; d++) {
      let sum = loadBefore[end + d];
      for (let i = 0, node = v; i < n; i++, node = next[node]) sum += load[node * dimensions + d];
      for (let i = 0, node = u; i < m; i++, node = next[node]) sum -= load[node * dimensions + d];
      total[d] = sum;
    }
    return tours.overload(total, 0);
  }

  /** Links p, the piece of n stops from v on, and x. */
  #put(p: number, v: number, n: number, x: number): void {
    const { next, prev } = this.#tours;
    let last = p;
    for (let i = 0, node = v; i < n; i++) {
      const after = next[node];
      next[last] = node;
      prev[node] = last;
      last = node;
      node = after;
    }
    next[last] = x;
    prev[x] = last;
  }

  /** Reverses the links within a piece. */
  #turn(u: number, m: number): void {
    const { next, prev } = this.#tours;
    let node = u;
    for (let i = 0; i < m; i++) {
      const after = next[node];
      next[node] = prev[node];
      prev[node] = after;
      node = after;
    }
  }

  /** What follows u in its route and what follows w in another change places. */
  swapEnds(u: number, w: number): boolean {
    const tours = this.#tours;
    const { next, prev, place, fleet, routeOf, penalty, leaves, lateBefore, due, lateAfter, loadBefore } = tours;
    const { cost, duration, stops, dimensions } = fleet;
    const { count, position, penalties } = tours;
    const places = stops + 1;
    const one = routeOf[u];
    const two = routeOf[w];
    const x = next[u];
    const v = next[w];
    if (x >= stops && v >= stops) return false;
    const from = place[u] * places;
    const to = place[w] * places;
    let delta = cost[from + place[v]] + cost[to + place[x]] - cost[from + place[x]] - cost[to + place[v]];
    if (this.#fixed > 0) {
      const [before, after] = [position[u], position[w]];
      const isUsed = (stopsOf: number) => (stopsOf > 0 ? this.#fixed : 0);
      delta += isUsed(before + count[two] - after) + isUsed(after + count[one] - before);
      delta -= isUsed(count[one]) + isUsed(count[two]);
    }
    if (delta - penalty[one] - penalty[two] > -MIN_GAIN) return false;
    tours.passed += JUDGE;
    const timeU = leaves[u] + duration[from + place[v]];
    const timeW = leaves[w] + duration[to + place[x]];
    let late = lateBefore[u] + lateAfter[v] + Math.max(0, timeU - due[v]);
    late += lateBefore[w] + lateAfter[x] + Math.max(0, timeW - due[x]);
    const loads = this.#newLoad;
    const endOne = tours.end(one) * dimensions;
    const endTwo = tours.end(two) * dimensions;
    for (let d = 0; d < dimensions; d++) {
      const beforeU = loadBefore[u * dimensions + d];
      const beforeW = loadBefore[w * dimensions + d];
      loads[d] = beforeU + loadBefore[endTwo + d] - beforeW;
      loads[dimensions + d] = beforeW + loadBefore[endOne + d] - beforeU;
    }
    delta += late * penalties.late + tours.overload(loads, 0) + tours.overload(loads, dimensions);
    if (delta - penalty[one] - penalty[two] > -MIN_GAIN) return false;
    const [lastOne, lastTwo] = [prev[tours.end(one)], prev[tours.end(two)]];
    link(u, v >= stops ? tours.end(one) : v);
    if (v < stops) link(lastTwo, tours.end(one));
    link(w, x >= stops ? tours.end(two) : x);
    if (x < stops) link(lastOne, tours.end(two));
    tours.update(one);
    tours.update(two);
    this.#queue.add(u);
    this.#queue.add(x);
    this.#queue.add(w);
    this.#queue.add(v);
    return true;

    function link(a: number, b: number): void {
      next[a] = b;
      prev[b] = a;
    }
  }
}
