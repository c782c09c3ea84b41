import type { Progress } from "../common/progress.ts";

/** How far a phase is. */
export interface Measure {
  seconds: number;
  done: number;
  total: number;
  /** "" if the phase does not specify its unit. */
  unit: string;
  /** Units in a second. */
  rate: number;
  /** 0 … 1, where there is a count or a forecast. */
  share?: number;
  /** Seconds. */
  left?: number;
}

/** A forecast never shows 100 %: the phase itself reports its end. */
const MAX_SHARE = 0.99;

/** Up to here the bar follows the forecast; then it slows down, so that it moves on when the phase takes longer. */
const EVEN_SHARE = 0.8;

/** @param time that has passed, as a share of the forecast */
function shareOf(time: number): number {
  const rest = 1 - EVEN_SHARE;
  return time <= EVEN_SHARE ? time : 1 - rest / (1 + (time - EVEN_SHARE) / rest);
}

/** Counts what a phase has done: by its own count, else by what it took before. `now` in milliseconds. */
export class PhaseMeter implements Progress {
  readonly #now: () => number;
  readonly #start: number;
  readonly #forecast: number | undefined;
  readonly #tick: () => void;
  #total = 0;
  #unit = "";
  #done = 0;
  #calls = 0;

  /** @param tick called now and then while the phase advances */
  constructor(now: () => number, forecast: number | undefined, tick: () => void) {
    this.#now = now;
    this.#start = now();
    this.#forecast = forecast;
    this.#tick = tick;
  }

  expect(total: number, unit = ""): void {
    this.#total = total;
    this.#unit = unit;
  }

  advance(count = 1): void {
    this.#done += count;
    // Reading the clock for every element would cost more than the elements.
    if (count < 1000 && ++this.#calls % 256 !== 0) return;
    this.#tick();
  }

  measure(): Measure {
    const seconds = (this.#now() - this.#start) / 1000;
    const rate = seconds > 0 ? this.#done / seconds : 0;
    return { seconds, done: this.#done, total: this.#total, unit: this.#unit, rate, ...this.#ahead(seconds, rate) };
  }

  #ahead(seconds: number, rate: number): { share?: number; left?: number } {
    const [done, total, forecast] = [this.#done, this.#total, this.#forecast];
    if (total > 0) {
      return { share: Math.min(1, done / total), ...(total > done && rate > 0 && { left: (total - done) / rate }) };
    }
    if (forecast === undefined) return {};
    const left = forecast - seconds;
    return { share: Math.min(MAX_SHARE, shareOf(seconds / forecast)), ...(left > 0 && { left }) };
  }
}
