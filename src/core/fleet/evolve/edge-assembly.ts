import type { Random } from "../insertion.ts";
import type { UniformFleet } from "./uniform-fleet.ts";

/** Routes as links: the stop after and before each (the number of stops: the depot), and the cost without penalties. */
export interface Individual {
  next: Int32Array;
  prev: Int32Array;
  /** First and last stops of the `count` routes in use. */
  firsts: Int32Array;
  lasts: Int32Array;
  count: number;
  cost: number;
}

/**
 * Edge assembly crossover for routes (Nagata 2007; Nagata, Bräysy & Dullaert 2010, "A penalty-based edge assembly memetic
 * algorithm for the vehicle routing problem with time windows"): the edges of two parents form cycles in which they alternate. A
 * child is the first parent, in which the edges of one cycle are replaced by those of the second. What then is a ring without
 * the depot joins the nearest route.
 */
export class EdgeAssembly {
  /** Links of the last child. `isChanged`: by stop, whether its links differ from its parent's. */
  readonly next: Int32Array;
  readonly firsts: Int32Array;
  count = 0;
  readonly isChanged: Uint8Array;
  /** Work done so far: stops passed. */
  passed = 0;
  readonly #fleet: UniformFleet;
  readonly #random: Random;
  readonly #routes: number;
  /** The tails of a cycle's edges in the first parent, one after the other; where each cycle begins. */
  readonly #tails: Int32Array;
  #cycles: number[] = [];
  /** By tail (a stop, or the number of stops + i for the i-th route): head in the first parent; then the tail of the next edge. */
  readonly #head: Int32Array;
  readonly #then: Int32Array;
  readonly #isFirst: Uint8Array;
  readonly #routeOf: Int32Array;

  constructor(fleet: UniformFleet, routes: number, random: Random) {
    const { stops } = fleet;
    this.#fleet = fleet;
    this.#random = random;
    this.#routes = routes;
    this.next = new Int32Array(stops);
    this.firsts = new Int32Array(stops);
    this.isChanged = new Uint8Array(stops);
    [this.#tails, this.#head, this.#then] = [0, 1, 2].map(() => new Int32Array(stops + routes));
    this.#isFirst = new Uint8Array(stops);
    this.#routeOf = new Int32Array(stops);
  }

  /** Finds the cycles of two parents. @returns how many there are that change something */
  mate(a: Individual, b: Individual): number {
    const { stops } = this.#fleet;
    const [head, then, routes] = [this.#head, this.#then, this.#routes];
    const numbers = stops + routes;
    head.set(a.next);
    for (let i = 0; i < routes; i++) head[stops + i] = i < a.count ? a.firsts[i] : stops;
    // Edges of the second parent out of the depot, by head: the next edge of the first parent leaves the depot, too. The same
    // edge if both have it, otherwise any.
    const copyAfter = new Int32Array(stops).fill(-1);
    const freeCopies: number[] = [];
    for (let i = 0; i < routes; i++) {
      if (i < a.count && b.prev[a.firsts[i]] === stops) copyAfter[a.firsts[i]] = stops + i;
      else freeCopies.push(stops + i);
    }
    this.#shuffle(freeCopies);
    for (let i = 0; i < b.count; i++) {
      if (copyAfter[b.firsts[i]] < 0) copyAfter[b.firsts[i]] = freeCopies.pop() as number;
    }
    // Likewise into it: by tail in the first parent, the tail in the second; unused vehicles go from the depot to the depot.
    const lastsOfB: number[] = [];
    const isShared = new Uint8Array(stops);
    for (let i = 0; i < a.count; i++) if (b.next[a.lasts[i]] === stops) isShared[a.lasts[i]] = 1;
    for (let i = 0; i < b.count; i++) if (isShared[b.lasts[i]] === 0) lastsOfB.push(b.lasts[i]);
    for (let i = b.count; i < routes; i++) lastsOfB.push(stops);
    this.#shuffle(lastsOfB);
    for (let tail = 0; tail < numbers; tail++) {
      const to = head[tail];
      let from: number;
      if (to < stops) from = b.prev[to];
      else if (tail < stops && isShared[tail] === 1) from = tail;
      else from = lastsOfB.pop() as number;
      if (from < stops) then[tail] = from;
      else then[tail] = to < stops ? copyAfter[to] : (freeCopies.pop() as number);
    }
    this.passed += 3 * numbers;
    return this.#split();
  }

  /** Cuts the permutation into cycles; one that passes the depot twice becomes two. */
  #split(): number {
    const { stops } = this.#fleet;
    const [then, tails] = [this.#then, this.#tails];
    const numbers = stops + this.#routes;
    const isDone = new Uint8Array(numbers);
    const path: number[] = [];
    this.#cycles = [0];
    let length = 0;
    for (let first = 0; first < numbers; first++) {
      if (isDone[first] === 1) continue;
      path.length = 0;
      let copyAt = -1;
      for (let tail = first; isDone[tail] === 0; tail = then[tail]) {
        isDone[tail] = 1;
        if (tail >= stops) {
          if (copyAt >= 0) {
            // Closes at the depot: the part since the last time is a cycle; the rest continues with this copy.
            for (let i = copyAt; i < path.length; i++) tails[length++] = path[i];
            this.#close(length);
            length = this.#cycles[this.#cycles.length - 1];
            path.length = copyAt;
          }
          copyAt = path.length;
        }
        path.push(tail);
      }
      for (const tail of path) tails[length++] = tail;
      this.#close(length);
      length = this.#cycles[this.#cycles.length - 1];
    }
    return this.#cycles.length - 1;
  }

  /** Ends a cycle. One of a single edge, which both parents have, is dropped. */
  #close(length: number): void {
    if (length - this.#cycles[this.#cycles.length - 1] >= 2) this.#cycles.push(length);
  }

  /** Creates the child of some cycles, in `next`, `firsts`, `count` and `isChanged`. */
  child(a: Individual, cycles: ArrayLike<number>): void {
    const { stops } = this.#fleet;
    const [head, tails, isFirst, isTouched] = [this.#head, this.#tails, this.#isFirst, this.isChanged];
    const next = this.next;
    next.set(a.next);
    isFirst.fill(0);
    isTouched.fill(0);
    for (let i = 0; i < a.count; i++) isFirst[a.firsts[i]] = 1;
    for (let c = 0; c < cycles.length; c++) {
      const [begin, end] = [this.#cycles[cycles[c]], this.#cycles[cycles[c] + 1]];
      for (let i = begin; i < end; i++) {
        const tail = tails[i];
        if (tail < stops) isTouched[tail] = 1;
        else if (head[tail] < stops) isFirst[head[tail]] = 0;
      }
    }
    for (let c = 0; c < cycles.length; c++) {
      const [begin, end] = [this.#cycles[cycles[c]], this.#cycles[cycles[c] + 1]];
      for (let i = begin; i < end; i++) {
        // The edge of the second parent that ends where this one ends begins where the next one begins.
        const to = head[tails[i]];
        const from = tails[i + 1 < end ? i + 1 : begin];
        if (to < stops) isTouched[to] = 1;
        if (from < stops) next[from] = to;
        else if (to < stops) isFirst[to] = 1;
      }
    }
    this.#trace();
  }

  #trace(): void {
    const { stops } = this.#fleet;
    const { next, firsts } = this;
    const [isFirst, routeOf] = [this.#isFirst, this.#routeOf];
    routeOf.fill(-1);
    this.count = 0;
    for (let stop = 0; stop < stops; stop++) {
      if (isFirst[stop] === 0) continue;
      const route = this.count++;
      firsts[route] = stop;
      for (let node = stop; node < stops; node = next[node]) {
        routeOf[node] = route;
      }
    }
    this.passed += 2 * stops;
    for (let stop = 0; stop < stops; stop++) {
      if (routeOf[stop] >= 0) continue;
      // Cycles that lead all routes past the depot leave only rings: the first becomes a route.
      if (this.count === 0) this.#open(stop);
      else this.#join(stop);
    }
  }

  /** Makes a route of the ring of a stop. */
  #open(first: number): void {
    const { next, isChanged } = this;
    let last = first;
    for (let node = first; ; node = next[node]) {
      this.#routeOf[node] = 0;
      last = node;
      if (next[node] === first) break;
    }
    next[last] = this.#fleet.stops;
    isChanged[first] = isChanged[last] = 1;
    this.firsts[0] = first;
    this.count = 1;
  }

  /** Opens the ring of a stop, and puts it into the route where that costs least. */
  #join(first: number): void {
    const { stops, cost } = this.#fleet;
    const { next, firsts, isChanged } = this;
    const routeOf = this.#routeOf;
    const places = stops + 1;
    let [least, a, c] = [Number.POSITIVE_INFINITY, -1, -1];
    let node = first;
    do {
      const after = next[node];
      const freed = cost[node * places + after];
      const near = this.#fleet.near(after);
      for (const before of near) {
        if (routeOf[before] < 0) continue;
        const delta =
          cost[before * places + after] +
          cost[node * places + next[before]] -
          freed -
          cost[before * places + next[before]];
        if (delta < least) [least, a, c] = [delta, node, before];
      }
      this.passed += near.length / 2;
      node = after;
    } while (node !== first);
    if (a < 0) {
      // No neighbor is on a route: behind any first stop.
      a = first;
      c = firsts[0];
    }
    const ringStart = next[a];
    next[a] = next[c];
    next[c] = ringStart;
    const route = routeOf[c];
    for (const stop of [a, c, ringStart, next[a]]) if (stop < stops) isChanged[stop] = 1;
    for (let stop = ringStart; ; stop = next[stop]) {
      routeOf[stop] = route;
      if (stop === a) break;
    }
  }

  #shuffle(list: number[]): void {
    for (let i = list.length - 1; i > 0; i--) {
      const j = Math.floor(this.#random() * (i + 1));
      const swapped = list[i];
      list[i] = list[j];
      list[j] = swapped;
    }
  }
}
