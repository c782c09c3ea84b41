import { BUCKET_COUNT } from "./histogram.ts";

/** A window of five minutes, in steps of ten seconds. */
export const WINDOW_MS = 5 * 60_000;
const STEP_MS = 10_000;
const STEPS = WINDOW_MS / STEP_MS;

/** Per step: responses, rejected requests, server errors, and the buckets of their durations. */
const BUCKETS_AT = 3;
const ROW = BUCKETS_AT + BUCKET_COUNT;

/** Counts of the last five minutes. */
export interface Recent {
  requests: number;
  /** Responses of 400 to 499. */
  rejected: number;
  /** Responses of 500 and above. */
  errors: number;
  /** By bucket of histogram.ts. */
  counts: number[];
}

/**
 * Recent responses of an endpoint: a ring of thirty steps, each cleared before it is reused. A request costs four
 * additions.
 */
export class SlidingWindow {
  readonly #rows = new Float64Array(STEPS * ROW);
  /** The number of the step in each row; a row with another number is expired. */
  readonly #steps = new Float64Array(STEPS).fill(Number.NaN);

  note(now: number, bucket: number, status: number): void {
    const step = Math.floor(now / STEP_MS);
    const i = step % STEPS;
    const row = i * ROW;
    if (this.#steps[i] !== step) {
      this.#steps[i] = step;
      this.#rows.fill(0, row, row + ROW);
    }
    this.#rows[row]++;
    if (status >= 500) this.#rows[row + 2]++;
    else if (status >= 400) this.#rows[row + 1]++;
    this.#rows[row + BUCKETS_AT + bucket]++;
  }

  /** The last five minutes before `now` [ms], including the current step. */
  recent(now: number): Recent {
    const last = Math.floor(now / STEP_MS);
    const recent: Recent = { requests: 0, rejected: 0, errors: 0, counts: new Array<number>(BUCKET_COUNT).fill(0) };
    for (let i = 0; i < STEPS; i++) {
      const step = this.#steps[i];
      if (!(step > last - STEPS && step <= last)) continue;
      const row = i * ROW;
      recent.requests += this.#rows[row];
      recent.rejected += this.#rows[row + 1];
      recent.errors += this.#rows[row + 2];
      for (let b = 0; b < BUCKET_COUNT; b++) recent.counts[b] += this.#rows[row + BUCKETS_AT + b];
    }
    return recent;
  }
}
