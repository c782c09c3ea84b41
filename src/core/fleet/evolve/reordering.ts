import type { PenalizedTours } from "./penalized-tours.ts";
import type { StopQueue } from "./stop-queue.ts";

/** Less is rounding. */
export const MIN_GAIN = 1e-6;

/** Changes of the order of stops in one route: the new order is passed through from the first changed stop to the last. */
export class Reordering {
  readonly #tours: PenalizedTours;
  readonly #queue: StopQueue;
  /** A new order of a part of a route. */
  readonly #part: Int32Array;
  #length = 0;

  constructor(tours: PenalizedTours, queue: StopQueue) {
    this.#tours = tours;
    this.#queue = queue;
    this.#part = new Int32Array(tours.fleet.stops + 2);
  }

  /**
   * In one route, the piece of m stops from u on changes places with that of n stops from v on; with n = 0 it moves after v.
   * `turned`: it is reversed. `delta`: change in cost.
   */
  reorder(u: number, m: number, v: number, n: number, turned: boolean, delta: number): boolean {
    const { next, prev, position } = this.#tours;
    const uFirst = position[u] < position[v];
    const before = n === 0 && !uFirst ? v : prev[uFirst ? u : v];
    // The stop after the last that changes.
    let after = n === 0 && uFirst ? next[v] : uFirst ? v : u;
    for (let i = n === 0 && uFirst ? 0 : uFirst ? n : m; i > 0; i--) after = next[after];
    if (!this.#mayGain(before, after, delta)) return false;
    this.#length = 0;
    if (n > 0) {
      const [first, firstCount, second, secondCount] = uFirst ? [u, m, v, n] : [v, n, u, m];
      let rest = first;
      for (let i = 0; i < firstCount; i++) rest = next[rest];
      this.#addPiece(second, secondCount, false);
      this.#addUntil(rest, second);
      this.#addPiece(first, firstCount, false);
    } else if (uFirst) {
      let rest = u;
      for (let i = 0; i < m; i++) rest = next[rest];
      this.#addUntil(rest, after);
      this.#addPiece(u, m, turned);
    } else {
      this.#addPiece(u, m, turned);
      this.#addUntil(next[v], u);
    }
    return this.#replace(before, after, delta);
  }

  /** The stops from u to v of one route are driven in the other direction. */
  reverse(u: number, v: number): boolean {
    const { next, prev, place, fleet, position } = this.#tours;
    const { cost, stops } = fleet;
    const places = stops + 1;
    if (position[v] - position[u] < 2) return false;
    const [p, x] = [prev[u], next[v]];
    let delta =
      cost[place[p] * places + v] +
      cost[u * places + place[x]] -
      cost[place[p] * places + u] -
      cost[v * places + place[x]];
    const part = this.#part;
    let length = 0;
    for (let node = v; ; node = prev[node]) {
      part[length++] = node;
      if (node === u) break;
      delta += cost[node * places + prev[node]] - cost[prev[node] * places + node];
    }
    this.#length = length;
    this.#tours.passed += length;
    return this.#mayGain(p, x, delta) && this.#replace(p, x, delta);
  }

  #addPiece(from: number, count: number, back: boolean): void {
    const { next } = this.#tours;
    const part = this.#part;
    let node = from;
    for (let i = 0; i < count; i++, node = next[node])
      part[back ? this.#length + count - 1 - i : this.#length + i] = node;
    this.#length += count;
  }

  #addUntil(from: number, until: number): void {
    const { next } = this.#tours;
    const part = this.#part;
    let length = this.#length;
    for (let node = from; node !== until; node = next[node]) part[length++] = node;
    this.#length = length;
  }

  /** Lateness before and after the part remains, whatever its order. */
  #mayGain(before: number, after: number, delta: number): boolean {
    const { late, lateBefore, lateAfter, routeOf, penalties } = this.#tours;
    return delta + penalties.late * (lateBefore[before] + lateAfter[after] - late[routeOf[before]]) < -MIN_GAIN;
  }

  /** Puts the stops in `#part` between two nodes, in place of those between them, if that is better. */
  #replace(before: number, after: number, delta: number): boolean {
    const tours = this.#tours;
    const { next, prev, routeOf, leaves, lateBefore, due, lateAfter, place, fleet, penalties, late } = tours;
    const { duration, opens, closes, service, stops } = fleet;
    const places = stops + 1;
    const part = this.#part;
    const length = this.#length;
    const route = routeOf[before];
    let time = leaves[before];
    let lateness = lateBefore[before] + lateAfter[after];
    let from = place[before];
    // More lateness than this costs more than the change saves.
    const mostLate = late[route] - (delta + MIN_GAIN) / penalties.late;
    for (let i = 0; i < length; i++) {
      const node = part[i];
      time += duration[from * places + node];
      if (time < opens[node]) time = opens[node];
      else if (time > closes[node]) {
        lateness += time - closes[node];
        if (lateness > mostLate) {
          tours.passed += i;
          return false;
        }
        time = closes[node];
      }
      time += service[node];
      from = node;
    }
    time += duration[from * places + place[after]];
    if (time > due[after]) lateness += time - due[after];
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
    this.#queue.add(before);
    this.#queue.add(part[0]);
    this.#queue.add(last);
    this.#queue.add(after);
    return true;
  }
}
