import type { EventWrite, UserWrite } from "../../db/customers/writes.ts";

/** What a tracker has handed over: users as they are now, and events. */
export interface GatheredWrite {
  users: readonly UserWrite[];
  events: readonly EventWrite[];
  /** Nobody waits for it: the writer takes it over at once. */
  isTaken: boolean;
  /** Who has handed it over, by its id. */
  tracker: string;
}

/** A write, and what became of it: its tracker looks when it is awake anyway. */
export interface Handed {
  write: GatheredWrite;
  /** When it was handed over [ms]. */
  at: number;
  outcome: "under way" | "arrived" | "failed";
  /** Why it has failed. */
  error?: string;
}

/** A write that has not arrived, by its place among those that were sent, and why. */
export interface NotArrived {
  place: number;
  error: string;
}

type Send = (writes: readonly GatheredWrite[]) => Promise<readonly NotArrived[]>;

/** Most writes that wait to be sent: beyond that, trackers send theirs themselves. */
const MAX_COUNT = 5_000;
/** A sending that is this many times as late as it was promised [ms] has been cut off. */
const LATE = 5;
/** What is under way for longer [ms] has lost who sent it. */
const LOST_MS = 5_000;

/**
 * Joins what the trackers of one isolate have for the database into one call of its writer, instead of a call for each. Where all
 * objects run in one isolate, as in a workerd on one machine, a reader can have it sent before it asks the writer; elsewhere it could not
 * know of it, and so nothing is gathered there.
 */
export class GatheredWrites {
  #waiting: Handed[] = [];
  /** Until then somebody is relied upon to send what waits [ms]. */
  #promised = Number.NEGATIVE_INFINITY;
  /** Sendings under way: when each began [ms]. */
  readonly #sending = new Set<{ at: number }>();

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  get isFull(): boolean {
    return this.#waiting.length >= MAX_COUNT;
  }

  /**
   * Takes a write, which is sent after `ms`, with others.
   * @param wait runs a function later, in the name of who calls: it may be gone by then
   */
  add(write: GatheredWrite, ms: number, send: Send, wait: (run: () => void, ms: number) => void): Handed {
    const now = Date.now();
    const handed: Handed = { write, at: now, outcome: "under way" };
    this.#waiting.push(handed);
    // A clock that was set back must not hold writes.
    const isPromised = now < this.#promised && this.#promised - now <= LATE * ms;
    if (!isPromised) {
      this.#promised = now + LATE * ms;
      wait(() => void this.flush(send), ms);
    }
    return handed;
  }

  /**
   * Tells, whenever it is asked, whether something is still under way of what is so now. Nobody can wait for another request's promise,
   * and what is sent in another's name may come to the writer behind what is asked of it now.
   */
  watch(): () => boolean {
    const some = [...this.#sending];
    return () => {
      const now = Date.now();
      for (const one of some) if (Math.abs(now - one.at) > LOST_MS) this.#sending.delete(one);
      return some.some((one) => this.#sending.has(one));
    };
  }

  /** Sends what waits. Resolves when it is known what became of it; never rejects. */
  async flush(send: Send): Promise<void> {
    const some = this.#waiting;
    this.#waiting = [];
    this.#promised = Number.NEGATIVE_INFINITY;
    if (some.length === 0) return;
    const sending = { at: Date.now() };
    this.#sending.add(sending);
    let failed: readonly NotArrived[];
    try {
      failed = await send(some.map(({ write }) => write));
    } catch (error) {
      failed = some.map((_, place) => ({ place, error: String(error) }));
    }
    this.#sending.delete(sending);
    for (const { place, error } of failed) Object.assign(some[place], { outcome: "failed", error });
    for (const handed of some) if (handed.outcome === "under way") handed.outcome = "arrived";
  }
}
