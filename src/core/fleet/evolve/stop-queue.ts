import type { Random } from "../insertion.ts";

/** Stops to look at, each at most once: a ring. */
export class StopQueue {
  waiting = 0;
  readonly #stops: Int32Array;
  readonly #isQueued: Uint8Array;
  #first = 0;

  constructor(stops: number) {
    this.#stops = new Int32Array(stops);
    this.#isQueued = new Uint8Array(stops);
  }

  /** Starts with these stops (1 by stop; all if undefined) in a random order. */
  fill(isOpen: Uint8Array | undefined, random: Random): void {
    const stops = this.#stops;
    this.#first = this.waiting = 0;
    for (let stop = 0; stop < stops.length; stop++) {
      if (!isOpen || isOpen[stop] === 1) stops[this.waiting++] = stop;
      this.#isQueued[stop] = isOpen ? isOpen[stop] : 1;
    }
    for (let i = this.waiting - 1; i > 0; i--) {
      const j = Math.floor(random() * (i + 1));
      const swapped = stops[i];
      stops[i] = stops[j];
      stops[j] = swapped;
    }
  }

  take(): number {
    const stop = this.#stops[this.#first];
    this.#first = (this.#first + 1) % this.#stops.length;
    this.waiting--;
    this.#isQueued[stop] = 0;
    return stop;
  }

  /** Looks at a stop again; starts and ends of routes are never looked at. */
  add(node: number): void {
    const stops = this.#stops;
    if (node >= stops.length || this.#isQueued[node] === 1) return;
    this.#isQueued[node] = 1;
    stops[(this.#first + this.waiting++) % stops.length] = node;
  }
}
