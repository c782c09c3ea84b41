/** Calls of a scope in a month so far, and how many of them failed. */
export interface CallCount {
  scope: number;
  calls: number;
  failures: number;
}

/** Over which time a share is taken [ms]. */
const WINDOW_MS = 5 * 60_000;
/** Fewer calls than this within it say nothing. */
const MIN_CALLS = 20;

/**
 * Which share of a scope's calls has failed lately, from sums that only grow: what was counted now less what was counted
 * five minutes ago. In memory: after a restart, and where a month begins, the first five minutes say nothing.
 */
export class ErrorRates {
  #month = "";
  #rounds: { at: number; counts: Map<number, CallCount> }[] = [];

  /** Takes the sums of a round. @returns the shares [%] of scopes with enough calls */
  note(counts: readonly CallCount[], month: string, now: number): { scope: number; share: number }[] {
    if (month !== this.#month) this.#rounds = [];
    this.#month = month;
    // Rounds are a minute apart; of those that are old enough one is kept, to compare with.
    while (this.#rounds.length > 1 && this.#rounds[1].at <= now - WINDOW_MS) this.#rounds.shift();
    const [before] = this.#rounds;
    this.#rounds.push({ at: now, counts: new Map(counts.map((one) => [one.scope, one])) });
    if (!before) return [];
    return counts.flatMap(({ scope, calls, failures }) => {
      const then = before.counts.get(scope) ?? { calls: 0, failures: 0 };
      const within = calls - then.calls;
      if (within < MIN_CALLS) return [];
      return { scope, share: (100 * (failures - then.failures)) / within };
    });
  }
}
