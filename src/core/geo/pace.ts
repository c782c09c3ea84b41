/** Yields: resolves after all other work that waits for the isolate has had a turn. */
type GiveWay = (pace: Pace) => Promise<void>;

/** A request needs more work than one request may cost. */
export class TooMuchWork extends Error {
  override name = "TooMuchWork";
}

/** Work ended for a reason of the request that began it: another request that shares it does it again. */
export class EndedEarly extends Error {}

/** The client closed the connection: nobody would receive the result. */
export class ClientLeft extends EndedEarly {
  override name = "ClientLeft";
}

/** The caller's earlier requests computed more than it may per second. */
export class InDebt extends EndedEarly {
  override name = "InDebt";
  /** What the caller may compute [ms per second]. */
  readonly rate: number;
  /** Until there is no debt [ms]. */
  readonly waitMs: number;

  constructor(rate: number, waitMs: number) {
    super(`${waitMs} ms of debt`);
    this.rate = rate;
    this.waitMs = waitMs;
  }
}

/** Work since everybody else last had a turn, of all paces that count on it [units]. `giveWay` sets it to zero. */
export interface Meter {
  units: number;
}

/** What pays for the work. */
export interface Account {
  /** Work that is done even if the account has debt [units]. */
  free: number;
  /** Called once, before more than that is done. @throws InDebt */
  open(): void;
  /** Called at each turn, and when the work ends. */
  charge(units: number): void;
  /** Called when the work has ended. */
  close?(): void;
}

interface PaceOptions {
  /** Units between two turns. */
  slice?: number;
  /** Units after which the work is aborted. */
  budget?: number;
  /** Shared with other paces; absent: the pace counts only its own work. */
  meter?: Meter;
  account?: Account;
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
  readonly #meter: Meter;
  readonly #isShared: boolean;
  readonly #account: Account | undefined;
  #isOpen: boolean;
  #budget: number;
  #sinceTurn = 0;
  #spent = 0;
  #isFinishing = false;
  /** Concurrent parts of the work wait for one turn together. */
  #turn: Promise<void> | undefined;

  constructor(
    giveWay: GiveWay,
    { slice = 20_000, budget = Number.POSITIVE_INFINITY, meter, account }: PaceOptions = {},
  ) {
    this.#giveWay = giveWay;
    this.#slice = slice;
    this.#budget = budget;
    this.#isShared = meter !== undefined;
    this.#meter = meter ?? { units: 0 };
    this.#account = account;
    this.#isOpen = account === undefined;
  }

  get spent(): number {
    return this.#spent;
  }

  /** The work has begun to change data: it ends neither because the client left nor because the account has debt. */
  get isFinishing(): boolean {
    return this.#isFinishing;
  }

  /** @throws TooMuchWork when the budget is used up; InDebt */
  spend(units: number): Promise<void> | undefined {
    this.#spent += units;
    this.#sinceTurn += units;
    this.#meter.units += units;
    if (this.#spent > this.#budget) throw new TooMuchWork(`more than ${this.#budget} units of work`);
    if (!this.#isOpen) this.#open();
    if (this.#meter.units < this.#slice) return undefined;
    if (!this.#isShared) this.#meter.units = 0;
    this.settle();
    this.#turn ??= this.#giveWay(this).finally(() => {
      this.#turn = undefined;
    });
    return this.#turn;
  }

  /** Another budget for this work. */
  within(budget: number): this {
    this.#budget = budget;
    return this;
  }

  /** From here on, data is changed: see `isFinishing`. */
  mustFinish(): void {
    this.#isFinishing = true;
    this.#isOpen = true;
  }

  /** Charges what was spent since the last turn. */
  settle(): void {
    const units = this.#sinceTurn;
    this.#sinceTurn = 0;
    if (units > 0) this.#account?.charge(units);
  }

  /** The work has ended. */
  end(): void {
    this.settle();
    this.#account?.close?.();
  }

  #open(): void {
    if (!this.#account || this.#spent <= this.#account.free) return;
    this.#account.open();
    this.#isOpen = true;
  }
}

/** Never yields: for tests, tools and short work. */
export const unpaced = (): Pace => new Pace(async () => {}, { slice: Number.POSITIVE_INFINITY });
