/** Lets a number of things through in each second of the clock. */
export class PerSecond {
  readonly #most: number;
  #second = 0;
  #taken = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** May one more pass now [ms]? */
  take(now: number): boolean {
    const second = Math.floor(now / 1000);
    if (second !== this.#second) this.#taken = 0;
    this.#second = second;
    return ++this.#taken <= this.#most;
  }
}
