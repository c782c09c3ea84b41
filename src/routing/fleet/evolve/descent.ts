import type { Random } from "../insertion.ts";
import type { PenalizedTours } from "./penalized-tours.ts";

/** The longest piece that is moved or exchanged. */
const MAX_LENGTH = 3;
const MAX_CHANGES_PER_STOP = 100;
/** Less is rounding. */
const MIN_GAIN = 1e-6;
/** Work of looking at a pair of stops, and of judging a change, in stops passed. */
const LOOK = 1;
const JUDGE = 2;

/**
 * Local search on penalized tours: a piece of up to three stops moves behind a stop, also reversed, or changes places with
 * another piece; two routes exchange their ends (2-opt*); a piece is reversed. Tried only around stops that are near
 * each other. Lateness and load of changed routes follow from a few stops (Vidal et al. 2013, "A hybrid genetic algorithm with
 * adaptive diversity management for a large class of vehicle routing problems with time-windows").
 */
export class Descent {
  readonly #tours: PenalizedTours;
  readonly #random: Random;
  readonly #fixed: number;
  /** Stops to look at: a ring of `#waiting` from `#first` on. */
  readonly #queue: Int32Array;
  readonly #isQueued: Uint8Array;
  #first = 0;
  #waiting = 0;
  /** A new order of a part of a route. */
  readonly #part: Int32Array;
  readonly #newLoad: Float64Array;

  /** `fixed`: the cost of using a vehicle. */
  constructor(tours: PenalizedTours, random: Random, fixed: number) {
    const { stops, dimensions } = tours.fleet;
    this.#tours = tours;
    this.#random = random;
    this.#fixed = fixed;
    this.#queue = new Int32Array(stops);
    this.#isQueued = new Uint8Array(stops);
    this.#part = new Int32Array(stops + 2);
    this.#newLoad = new Float64Array(2 * dimensions);
  }

  /**
   * Improves until no change is left around the stops that are looked at: these (by stop, 1; all if undefined) and those next to a
   * change.
   */
  run(isOpen?: Uint8Array): void {
    const tours = this.#tours;
    const { stops } = tours.fleet;
    const { next } = tours;
    const [queue, isQueued] = [this.#queue, this.#isQueued];
    this.#first = this.#waiting = 0;
    for (let stop = 0; stop < stops; stop++) {
      if (!isOpen || isOpen[stop] === 1) queue[this.#waiting++] = stop;
      isQueued[stop] = isOpen ? isOpen[stop] : 1;
    }
    for (let i = this.#waiting - 1; i > 0; i--) {
      const j = Math.floor(this.#random() * (i + 1));
      const swapped = queue[i];
      queue[i] = queue[j];
      queue[j] = swapped;
    }
    // Changes that save no more than rounding could follow each other forever.
    let left = MAX_CHANGES_PER_STOP * stops;
    while (this.#waiting > 0 && left > 0) {
      const u = queue[this.#first];
      this.#first = (this.#first + 1) % stops;
      this.#waiting--;
      isQueued[u] = 0;
      if (this.#lookAround(u)) {
        this.#enqueue(u);
        left--;
      }
      const empty = this.#emptyRoute();
      if (empty < 0) continue;
      const start = tours.start(empty);
      if (this.#tryAfter(u, start) || (next[u] < stops && this.#swapEnds(u, start))) {
        this.#enqueue(u);
        left--;
      }
    }
  }

  /** Looks at a stop again; starts and ends of routes are never looked at. */
  #enqueue(node: number): void {
    const { stops } = this.#tours.fleet;
    if (node >= stops || this.#isQueued[node] === 1) return;
    this.#isQueued[node] = 1;
    this.#queue[(this.#first + this.#waiting++) % stops] = node;
  }

  #emptyRoute(): number {
    return this.#tours.count.indexOf(0);
  }

  #tryAfter(u: number, v: number): boolean {
    for (let m = 1; m <= MAX_LENGTH; m++) {
      if (this.#exchange(u, m, v, 0, false)) return true;
      if (m > 1 && this.#exchange(u, m, v, 0, true)) return true;
    }
    return false;
  }

  /**
   * Tries the changes of a stop and its neighbors. Most changes cost more
   * than all penalties of both routes: these are rejected here, by a few numbers, because this happens most often.
   */
  #lookAround(u: number): boolean {
    const tours = this.#tours;
    const { next, prev, place, routeOf, penalty, count, position, fleet } = tours;
    const { cost, stops } = fleet;
    const places = stops + 1;
    const near = fleet.near(u);
    const fixed = this.#fixed;
    let improved = false;
    let isStale = true;
    // The piece of 1, 2 and 3 stops from u on: its last stop, and the costs of taking it out.
    let [one, before, isPair, isTriple] = [0, 0, false, false];
    let [u1, u2, u3, at, after1, after2, after3] = [0, 0, 0, 0, 0, 0, 0];
    let [in1, in2, in3, out1, out2, out3, turn2, turn3] = [0, 0, 0, 0, 0, 0, 0, 0];
    for (let j = 0; j < near.length; j++) {
      const v = near[j];
      const two = routeOf[v];
      if (isStale) {
        isStale = false;
        one = routeOf[u];
        before = prev[u];
        at = place[before] * places;
        u1 = next[u];
        after1 = place[u1];
        in1 = cost[at + u];
        out1 = cost[at + after1] - in1 - cost[u * places + after1];
        isPair = u1 < stops;
        isTriple = false;
        if (isPair) {
          u2 = next[u1];
          after2 = place[u2];
          in2 = cost[u1 * places + after2];
          out2 = cost[at + after2] - in1 - in2;
          turn2 = cost[u1 * places + u] - cost[u * places + u1];
          isTriple = u2 < stops;
          if (isTriple) {
            u3 = next[u2];
            after3 = place[u3];
            in3 = cost[u2 * places + after3];
            out3 = cost[at + after3] - in1 - in3;
            turn3 = turn2 + cost[u2 * places + u1] - cost[u1 * places + u2];
          }
        }
      }
      const isWithin = one === two;
      const most =
        (isWithin ? penalty[one] : penalty[one] + penalty[two]) +
        (fixed > 0 && count[one] <= MAX_LENGTH ? fixed : 0) -
        MIN_GAIN;
      // A piece that leaves a route cannot make the other one less late.
      const mostMoved = isWithin ? most : most - penalty[two];
      const w = next[v];
      const from = v * places;
      const to = place[w];
      const link = cost[from + to];
      const toU = cost[from + u];
      const p = prev[v];
      let done = false;
      if (out1 + toU + cost[u * places + to] - link < mostMoved) done = this.#exchange(u, 1, v, 0, false);
      if (!done && isPair) {
        if (out2 + toU + cost[u1 * places + to] - link < mostMoved) done = this.#exchange(u, 2, v, 0, false);
        if (!done && out2 + turn2 + cost[from + u1] + cost[u * places + to] - link < mostMoved)
          done = this.#exchange(u, 2, v, 0, true);
        if (!done && isTriple) {
          if (out3 + toU + cost[u2 * places + to] - link < mostMoved) done = this.#exchange(u, 3, v, 0, false);
          if (!done && out3 + turn3 + cost[from + u2] + cost[u * places + to] - link < mostMoved)
            done = this.#exchange(u, 3, v, 0, true);
        }
      }
      const beforeV = place[p] * places;
      const intoV = cost[beforeV + v];
      const intoU = cost[beforeV + u];
      const putV = cost[at + v];
      if (!done) {
        const outV = -intoV - link;
        if (putV + cost[from + after1] - in1 - cost[u * places + after1] + intoU + cost[u * places + to] + outV < most)
          done = this.#exchange(u, 1, v, 1, false);
        if (!done && isPair) {
          if (putV + cost[from + after2] - in1 - in2 + intoU + cost[u1 * places + to] + outV < most)
            done = this.#exchange(u, 2, v, 1, false);
          if (!done && w < stops) {
            const x = place[next[w]];
            const outW = -intoV - cost[w * places + x];
            if (putV + cost[w * places + after2] - in1 - in2 + intoU + cost[u1 * places + x] + outW < most)
              done = this.#exchange(u, 2, v, 2, false);
          }
        }
      }
      if (!done) {
        if (!isWithin) {
          if (fixed > 0 || cost[u * places + v] + cost[beforeV + after1] - cost[u * places + after1] - intoV < most)
            done = this.#swapEnds(u, p);
        } else if (position[u] + 1 < position[v]) {
          // The inner links are unknown here: those of most matrices are alike in both directions.
          done = this.#reverse(u, v);
        }
      }
      if (!done && p >= stops) done = this.#tryAfter(u, p);
      if (done) {
        improved = true;
        isStale = true;
      }
    }
    tours.passed += LOOK * near.length;
    return improved;
  }

  /**
   * The piece of m stops from u on changes places with that of n stops from v on; with n = 0 it moves behind v. `turned`: it is
   * reversed.
   */
  #exchange(u: number, m: number, v: number, n: number, turned: boolean): boolean {
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
    const [one, two] = [routeOf[u], routeOf[v]];
    const [pu, nu] = [prev[u], next[uLast]];
    const [pv, nv] = [n > 0 ? prev[v] : v, next[vLast]];
    if (one === two) {
      // Pieces that overlap or touch: moves of other pieces cover what is possible.
      const [a, b] = [position[u], position[v]];
      if (n === 0 ? b >= a - 1 && b < a + m : b < a + m + 1 && a < b + n + 1) return false;
    }
    const [head, tail] = turned ? [uLast, u] : [u, uLast];
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
    const most = penalty[one] + (one === two || n === 0 ? 0 : penalty[two]);
    if (delta - most > -MIN_GAIN) return false;
    tours.passed += JUDGE;
    if (one === two) return this.#reorder(u, m, v, n, turned, delta);
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
    for (const node of [pu, u, uLast, nu, pv, v, vLast, nv]) this.#enqueue(node);
    return true;
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

  /** The same within one route: the new order from the first changed stop to the last is passed through. */
  #reorder(u: number, m: number, v: number, n: number, turned: boolean, delta: number): boolean {
    const tours = this.#tours;
    const { next, position } = tours;
    const part = this.#part;
    const uFirst = position[u] < position[v];
    let length = 0;
    const addPiece = (from: number, count: number, back: boolean) => {
      let node = from;
      for (let i = 0; i < count; i++, node = next[node]) part[back ? length + count - 1 - i : length + i] = node;
      length += count;
      return node;
    };
    const addUntil = (from: number, until: number) => {
      let node = from;
      for (; node !== until; node = next[node]) part[length++] = node;
    };
    let before: number;
    if (n > 0) {
      const [first, firstCount, second, secondCount] = uFirst ? [u, m, v, n] : [v, n, u, m];
      before = tours.prev[first];
      let rest = first;
      for (let i = 0; i < firstCount; i++) rest = next[rest];
      addPiece(second, secondCount, false);
      addUntil(rest, second);
      addPiece(first, firstCount, false);
    } else if (uFirst) {
      // Forward: what is between goes first, up to and with v.
      before = tours.prev[u];
      let rest = u;
      for (let i = 0; i < m; i++) rest = next[rest];
      addUntil(rest, next[v]);
      addPiece(u, m, turned);
    } else {
      before = v;
      addPiece(u, m, turned);
      addUntil(next[v], u);
    }
    return this.#replace(before, length, delta);
  }

  /** Puts the stops in `#part` behind a stop, in place of as many that follow it there, if that is better. */
  #replace(before: number, length: number, delta: number): boolean {
    const tours = this.#tours;
    const { next, prev, routeOf, leaves, lateBefore, due, lateAfter, place, fleet, penalties, late } = tours;
    const { duration, opens, closes, service, stops } = fleet;
    const places = stops + 1;
    const part = this.#part;
    const route = routeOf[before];
    let after = next[before];
    for (let i = 0; i < length; i++) after = next[after];
    let time = leaves[before];
    let lateness = lateBefore[before];
    let from = place[before];
    // More lateness than this costs more than the change saves.
    const mostLate = late[route] - (delta + MIN_GAIN) / penalties.late;
    for (let i = 0; i < length; i++) {
      const node = part[i];
      if (lateness > mostLate) {
        tours.passed += i;
        return false;
      }
      time += duration[from * places + node];
      if (time < opens[node]) time = opens[node];
      else if (time > closes[node]) {
        lateness += time - closes[node];
        time = closes[node];
      }
      time += service[node];
      from = node;
    }
    time += duration[from * places + place[after]];
    lateness += lateAfter[after] + Math.max(0, time - due[after]);
    tours.passed += length;
    if (lateness > mostLate) return false;
    let last = before;
    for (let i = 0; i < length; i++) {
      next[last] = part[i];
      prev[part[i]] = last;
      last = part[i];
    }
    next[last] = after;
    prev[after] = last;
    tours.update(route);
    this.#enqueue(before);
    this.#enqueue(part[0]);
    this.#enqueue(last);
    this.#enqueue(after);
    return true;
  }

  /** The stops from u to v of one route are driven in the other direction. */
  #reverse(u: number, v: number): boolean {
    const tours = this.#tours;
    const { next, prev, place, fleet, routeOf, penalty, position } = tours;
    const { cost, stops } = fleet;
    const places = stops + 1;
    const [p, x] = [prev[u], next[v]];
    if (position[v] - position[u] < 2) return false;
    const outer =
      cost[place[p] * places + v] +
      cost[u * places + place[x]] -
      cost[place[p] * places + u] -
      cost[v * places + place[x]];
    let inner = 0;
    let length = 0;
    const part = this.#part;
    for (let node = v; ; node = prev[node]) {
      part[length++] = node;
      if (node === u) break;
      inner += cost[node * places + prev[node]] - cost[prev[node] * places + node];
    }
    tours.passed += length;
    const delta = outer + inner;
    if (delta - penalty[routeOf[u]] > -MIN_GAIN) return false;
    return this.#replace(p, length, delta);
  }

  /** What follows u in its route and what follows w in another change places. */
  #swapEnds(u: number, w: number): boolean {
    const tours = this.#tours;
    const { next, prev, place, fleet, routeOf, penalty, leaves, lateBefore, due, lateAfter, loadBefore } = tours;
    const { cost, duration, stops, dimensions } = fleet;
    const { count, position, penalties } = tours;
    const places = stops + 1;
    const [one, two] = [routeOf[u], routeOf[w]];
    const [x, v] = [next[u], next[w]];
    if (x >= stops && v >= stops) return false;
    const [from, to] = [place[u] * places, place[w] * places];
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
    const [endOne, endTwo] = [tours.end(one) * dimensions, tours.end(two) * dimensions];
    for (let d = 0; d < dimensions; d++) {
      const [beforeU, beforeW] = [loadBefore[u * dimensions + d], loadBefore[w * dimensions + d]];
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
    for (const node of [u, x, w, v]) this.#enqueue(node);
    return true;

    function link(a: number, b: number): void {
      next[a] = b;
      prev[b] = a;
    }
  }
}
