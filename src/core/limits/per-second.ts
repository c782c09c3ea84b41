/** Allows a number of events in each clock second. */
export class PerSecond {
  readonly #most: number;
  #second = 0;
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Is one more allowed now [ms]? */
  take(now: number): boolean {
    const second = Math.floor(now / 1000);
    if (second !== this.#second) this.#taken = 0;
    this.#second = second;
    return ++this.#taken <= this.#most;
  }
}
