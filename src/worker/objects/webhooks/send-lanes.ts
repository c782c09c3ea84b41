/** Where lanes get their work. */
export interface LaneWork<T> {
  /** The next piece; undefined if there is none now. */
  next(): T | undefined;
  /** Sends it. Never rejects. */
  send(piece: T): Promise<void>;
  /** Called when the last lane of this work ends. */
  onLast?(): void;
}

/** Concurrent lanes, each of which sends one piece after the other. Work of several kinds shares them. */
export class SendLanes {
  readonly #open = new Set<Promise<void>>();
  readonly #lanes = new Map<object, number>();

  get size(): number {
    return this.#open.size;
  }

  /** Starts lanes while there is work for them, up to `parallel` of all kinds. */
  fill<T>(parallel: number, work: LaneWork<T>): void {
    while (this.#open.size < parallel) {
      const first = work.next();
      if (first === undefined) return;
      const lane: Promise<void> = this.#run(first, work).finally(() => this.#open.delete(lane));
      this.#open.add(lane);
    }
  }

  /** Resolves when a lane ends. */
  firstEnd(): Promise<void> {
    return Promise.race(this.#open);
  }

  async #run<T>(first: T, work: LaneWork<T>): Promise<void> {
    const count = (by: number) => {
      const lanes = (this.#lanes.get(work) ?? 0) + by;
      this.#lanes.set(work, lanes);
      return lanes;
    };
    count(1);
    for (let piece: T | undefined = first; piece !== undefined; piece = work.next()) await work.send(piece);
    if (count(-1) === 0) work.onLast?.();
  }
}
