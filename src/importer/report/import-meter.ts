import type { Measure } from "./phase-meter.ts";
import { leafOf } from "./phase-times.ts";

/** How far an import is. */
export interface ImportShare {
  /** 0 … 1. */
  share: number;
  /** Seconds. */
  left: number;
}

/** A phase, or a step of one, with the seconds that it will likely take. */
interface Leaf {
  name: string;
  seconds: number;
  share: number;
}

/** The forecast counts like so large a share of an import: what was measured decides soon [share of the forecast]. */
const PRIOR = 0.05;
/** From this share of its forecast on, a phase that cannot count approaches its end without reaching it. */
const STRAIGHT = 0.7;
/** A count moves a phase by its forecast time so many times faster at most: counts come in leaps, time does not. */
const MAX_LEAP = 3;
/** Some counts stay at 0 for long: the clock may be ahead of a count by so much of a phase. */
const MAX_AHEAD = 0.4;

/**
 * How far an import is, over all its phases: each is as long as its forecast, and advances by its own count, or else by the clock. The
 * time left is that of the forecast, times how much longer the phases until now took than theirs. Seconds.
 */
export class ImportMeter {
  readonly #leaves: Leaf[] = [];
  readonly #total: number;
  #at = -1;
  #partBegan = 0;
  #began: number | undefined;
  #shown = 0;

  /** @param forecast seconds of each phase and step, in their order */
  constructor(forecast: Readonly<Record<string, number>>) {
    for (const [name, seconds] of Object.entries(forecast)) this.#leaves.push({ name, seconds, share: 0 });
    this.#total = this.#leaves.reduce((sum, { seconds }) => sum + seconds, 0);
  }

  /** A phase or step begins at `now`; those before it are done. Others do not count. */
  begin(phase: string, now: number): void {
    this.#began ??= now;
    const at = this.#leaves.findIndex(({ name }) => name === leafOf(phase));
    if (at < this.#at || at < 0) return;
    for (const leaf of this.#leaves.slice(Math.max(0, this.#at), at)) leaf.share = 1;
    if (at > this.#at) this.#partBegan = now;
    this.#at = at;
  }

  /** Undefined before the first phase that counts. `measure`: of the innermost phase that is open. */
  measure(phase: string, measure: Measure, now: number): ImportShare | undefined {
    const leaf = this.#leaves[this.#at];
    if (!leaf || this.#began === undefined || this.#total === 0) return undefined;
    if (leafOf(phase) === leaf.name) leaf.share = Math.max(leaf.share, this.#shareOf(leaf, phase, measure, now));
    const reached = this.#leaves.reduce((sum, { seconds, share }) => sum + seconds * share, 0);
    const prior = PRIOR * this.#total;
    const slower = (now - this.#began + prior) / (reached + prior);
    this.#shown = Math.max(this.#shown, reached / this.#total);
    return { share: this.#shown, left: (this.#total - reached) * slower };
  }

  #shareOf({ seconds }: Leaf, phase: string, { done, total, ...own }: Measure, now: number): number {
    const [part, parts] = partOf(phase);
    const elapsed = now - this.#partBegan;
    const reached = this.#leaves.reduce((sum, leaf) => sum + leaf.seconds * leaf.share, 0);
    const slower = reached > 0 ? Math.max(0.2, (now - (this.#began ?? now)) / reached) : 1;
    const byTime = approaching(elapsed / Math.max(seconds * Math.min(slower, 5), 0.1));
    // Of a step that comes in pieces, how many there will be is not known.
    if (total === 0 || (part > 1 && parts === 1)) return byTime;
    const counted = (part - 1 + Math.min(1, done / total)) / Math.max(part, parts);
    const leap = Math.min(counted, (MAX_LEAP * Math.max(own.seconds, elapsed)) / Math.max(seconds, 0.1));
    return Math.max(leap, Math.min(byTime, counted + MAX_AHEAD));
  }
}

/** Straight at first, then ever slower: 1 is never reached. */
function approaching(share: number): number {
  if (share <= STRAIGHT) return share;
  const rest = 1 - STRAIGHT;
  return 1 - rest * Math.exp(-(share - STRAIGHT) / rest);
}

/** "nodes: 2 of 5" → 2, 5; "addresses: pack 2" → 2, 1. */
function partOf(phase: string): [part: number, parts: number] {
  const [, part, parts] = /(?:: | )(\d+)(?: of (\d+))?$/.exec(phase) ?? [];
  return [Number(part ?? 1), Number(parts ?? 1)];
}
