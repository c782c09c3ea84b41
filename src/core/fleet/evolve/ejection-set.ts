import type { PenalizedTours } from "./penalized-tours.ts";

/** Maximum number of stops removed from a route to insert one: fewer for long routes, because their sets are numerous. */
const maxEjected = (stops: number) => (stops <= 20 ? 3 : stops <= 80 ? 2 : 1);
/** The stops to remove from a route so that another fits, with the fewest failures in total. */
export class EjectionSet {
  readonly #tours: PenalizedTours;
  readonly #failures: Float64Array;
  /** The stops of a route with the new one, its end, and the latest arrival at each. */
  readonly #sequence: Int32Array;
  readonly #latest: Float64Array;
  readonly #totals: Float64Array;
  readonly #out = new Int32Array(4);
  readonly #bestOut = new Int32Array(4);
  #length = 0;
  #max = 0;
  #stop = 0;
  #least = 0;
  #after = -1;
  #node = -1;
  #ejected = 0;

  constructor(tours: PenalizedTours, failures: Float64Array) {
    const { stops, dimensions } = tours.fleet;
    this.#tours = tours;
    this.#failures = failures;
    this.#sequence = new Int32Array(stops + 2);
    this.#latest = new Float64Array(stops + 2);
    this.#totals = new Float64Array(dimensions);
  }

  /** @returns whether there is such a set */
  find(stop: number, firstRoute: number): boolean {
    const tours = this.#tours;
    const { routes, next, count, fleet, loadBefore } = tours;
    const { stops, dimensions, load, opens } = fleet;
    this.#stop = stop;
    this.#least = Number.POSITIVE_INFINITY;
    this.#after = -1;
    for (let i = 0; i < routes; i++) {
      const route = (firstRoute + i) % routes;
      if (count[route] === 0) continue;
      this.#max = maxEjected(count[route]);
      this.#length = count[route] + 1;
      const end = tours.end(route);
      for (let d = 0; d < dimensions; d++)
        this.#totals[d] = loadBefore[end * dimensions + d] + load[stop * dimensions + d];
      let at = 0;
      for (let node = tours.start(route); ; node = next[node]) {
        this.#fill(route, at++);
        this.#node = node;
        this.#explore(0, stops, opens[stops], 0, 0);
        if (next[node] >= stops) break;
      }
    }
    return this.#after >= 0;
  }

  /** Writes the stops of a route with the new one at a position, and the latest arrivals at them. */
  #fill(route: number, at: number): void {
    const tours = this.#tours;
    const { next, fleet } = tours;
    const { stops, duration, opens, closes, service } = fleet;
    const places = stops + 1;
    const [sequence, latest] = [this.#sequence, this.#latest];
    const length = this.#length;
    let node = next[tours.start(route)];
    for (let i = 0; i < length; i++) {
      if (i === at) sequence[i] = this.#stop;
      else {
        sequence[i] = node;
        node = next[node];
      }
    }
    sequence[length] = stops;
    latest[length] = closes[stops];
    for (let i = length - 1; i >= 0; i--) {
      const here = sequence[i];
      const until = Math.min(closes[here], latest[i + 1] - service[here] - duration[here * places + sequence[i + 1]]);
      latest[i] = until < opens[here] ? Number.NEGATIVE_INFINITY : until;
    }
    tours.passed += length >> 1;
  }

  /**
   * Removes one stop from position `from` on, and maybe more after it. The vehicle leaves `last`, the place before, at `time`.
   * Sets follow each other in lexicographic order, so that the times of the stops before are known.
   */
  #explore(from: number, last: number, time: number, depth: number, sum: number): void {
    const { duration, opens, closes, service, stops } = this.#tours.fleet;
    const places = stops + 1;
    const [sequence, latest, out] = [this.#sequence, this.#latest, this.#out];
    const length = this.#length;
    this.#tours.passed += 2;
    for (let i = from; i < length; i++) {
      const here = sequence[i];
      if (here !== this.#stop) {
        const total = sum + this.#failures[here];
        if (total < this.#least) {
          out[depth] = here;
          if (time + duration[last * places + sequence[i + 1]] <= latest[i + 1] && this.#carries(depth + 1)) {
            this.#least = total;
            this.#after = this.#node;
            this.#ejected = depth + 1;
            this.#bestOut.set(out);
          } else if (depth + 1 < this.#max) this.#explore(i + 1, last, time, depth + 1, total);
        }
      }
      time += duration[last * places + here];
      if (time > closes[here]) return;
      if (time < opens[here]) time = opens[here];
      time += service[here];
      last = here;
    }
  }

  #carries(ejected: number): boolean {
    const { dimensions, load, capacity } = this.#tours.fleet;
    for (let d = 0; d < dimensions; d++) {
      let total = this.#totals[d];
      for (let i = 0; i < ejected; i++) total -= load[this.#out[i] * dimensions + d];
      if (total > capacity[d]) return false;
    }
    return true;
  }

  /** Inserts the stop in exchange for the others. @returns those */
  apply(stop: number): Int32Array {
    const tours = this.#tours;
    const { next, prev, routeOf } = tours;
    const route = routeOf[this.#after];
    const after = next[this.#after];
    next[this.#after] = stop;
    prev[stop] = this.#after;
    next[stop] = after;
    prev[after] = stop;
    const ejected = this.#bestOut.subarray(0, this.#ejected);
    for (const gone of ejected) {
      next[prev[gone]] = next[gone];
      prev[next[gone]] = prev[gone];
      routeOf[gone] = -1;
    }
    tours.update(route);
    return ejected;
  }
}
