/** Yields: resolves after all other work that waits for the isolate has had a turn. */
type GiveWay = () => Promise<void>;

/** A request needs more work than one request may cost. */
export class TooMuchWork extends Error {
  override name = "TooMuchWork";
}

/**
 * Keeps long work from blocking the isolate: work is counted as it is done, and after every slice others get a turn. It
 * is counted and not timed, because a Worker's clock does not advance during computation. A unit is about a microsecond
 * on a typical core; the cost of a kernel's step is defined next to the kernel.
 *
 * In a loop, write `const turn = pace.spend(units); if (turn) await turn;` so that most iterations do not wait.
 */
export class Pace {
  readonly #giveWay: GiveWay;
  readonly #slice: number;
  readonly #budget: number;
  #sinceTurn = 0;
  #spent = 0;

  /** `slice`: units between two turns; `budget`: units after which the work is aborted. */
  constructor(giveWay: GiveWay, { slice = 20_000, budget = Number.POSITIVE_INFINITY } = {}) {
    this.#giveWay = giveWay;
    this.#slice = slice;
    this.#budget = budget;
  }

  get spent(): number {
    return this.#spent;
  }

  /** @throws TooMuchWork when the budget is used up */
  spend(units: number): Promise<void> | undefined {
    this.#spent += units;
    if (this.#spent > this.#budget) throw new TooMuchWork(`more than ${this.#budget} units of work`);
    this.#sinceTurn += units;
    if (this.#sinceTurn < this.#slice) return undefined;
    this.#sinceTurn = 0;
    return this.#giveWay();
  }
}

/** Never yields: for tests, tools and short work. */
export const unpaced = (): Pace => new Pace(async () => {}, { slice: Number.POSITIVE_INFINITY });
