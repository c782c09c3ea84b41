/** Calls of a scope in a month so far, and how many of them failed. */
export interface CallCount {
  scope: number;
  calls: number;
  failures: number;
}

/** Time window for a share [ms]. */
const WINDOW_MS = 5 * 60_000;
/** With fewer calls than this, the share is not meaningful. */
const MIN_CALLS = 20;

/**
 * The recent share of failed calls of a scope, from cumulative counters: the current count minus the count five minutes
 * ago. In memory: after a restart, and at the start of a month, there is no result for five minutes.
 */
export class ErrorRates {
  #month = "";
  #samples: { at: number; counts: Map<number, CallCount> }[] = [];

  /**
   * Adds the counters of a run.
   * @returns the shares [%] of scopes with enough calls
   */
  note(counts: readonly CallCount[], month: string, now: number): { scope: number; share: number }[] {
    if (month !== this.#month) this.#samples = [];
    this.#month = month;
    // Runs are a minute apart. Of those that are old enough, one is kept for comparison.
    while (this.#samples.length > 1 && this.#samples[1].at <= now - WINDOW_MS) this.#samples.shift();
    const [before] = this.#samples;
    this.#samples.push({ at: now, counts: new Map(counts.map((one) => [one.scope, one])) });
    if (!before) return [];
    return counts.flatMap(({ scope, calls, failures }) => {
      const then = before.counts.get(scope) ?? { calls: 0, failures: 0 };
      const within = calls - then.calls;
      if (within < MIN_CALLS) return [];
      return { scope, share: (100 * (failures - then.failures)) / within };
    });
  }
}
