import type { EventWrite, UserWrite } from "../../db/customers/writes.ts";

/** A tracker's write: users as they are now, and events. */
export interface GatheredWrite {
  users: readonly UserWrite[];
  events: readonly EventWrite[];
  /** The tracker doesn't wait: the writer accepts it immediately. */
  isTaken: boolean;
  /** The id of the tracker. */
  tracker: string;
}

/** A write and its outcome, which its tracker reads when it is awake anyway. */
export interface Handed {
  write: GatheredWrite;
  /** When it was handed over [ms]. */
  at: number;
  outcome: "pending" | "arrived" | "failed";
  /** Why it has failed. */
  error?: string;
}

/** A write that has not arrived, by its index among those sent, and why. */
export interface NotArrived {
  place: number;
  error: string;
}

/** @param batch for `noteReceived` */
type Send = (writes: readonly GatheredWrite[], batch: number) => Promise<readonly NotArrived[]>;

/** Maximum number of queued writes: beyond that, trackers send theirs directly. */
const MAX_COUNT = 5_000;
/** A batch that is late by this multiple of its delay [ms] is considered lost. */
const LATE = 5;
/** A batch in progress for longer than this [ms] has lost its sender. */
const LOST_MS = 5_000;

/** Batches on their way to the writer, and those that it has. The writer runs in this isolate, where writes are gathered. */
const onTheWay = new Set<number>();
let lastBatch = 0;

/** The writer has received a batch: from now on, the writer itself reports when it is in the database. */
export function noteReceived(batch: number): void {
  onTheWay.delete(batch);
}

/**
 * Combines the database writes of the trackers of one isolate into one call to its writer, instead of one call each. If
 * all objects run in one isolate, as in a workerd on one machine, a reader can have the writes sent before it queries
 * the writer. Elsewhere the reader couldn't know of them, so nothing is gathered there.
 */
export class GatheredWrites {
  #waiting: Handed[] = [];
  /** Until then a caller is expected to send the queue [ms]. */
  #promised = Number.NEGATIVE_INFINITY;
  /** Batches in progress, by start time [ms]. */
  readonly #sending = new Set<{ at: number; batch: number }>();

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  get isFull(): boolean {
    return this.#waiting.length >= MAX_COUNT;
  }

  /**
   * Queues a write, which is sent after `ms`, together with others.
   * @param wait runs a function later, on behalf of the caller, which may be gone by then
   */
  add(write: GatheredWrite, ms: number, send: Send, wait: (run: () => void, ms: number) => void): Handed {
    const now = Date.now();
    const handed: Handed = { write, at: now, outcome: "pending" };
    this.#waiting.push(handed);
    // A clock that was set back must not block writes.
    const isPromised = now < this.#promised && this.#promised - now <= LATE * ms;
    if (!isPromised) {
      this.#promised = now + LATE * ms;
      wait(() => void this.flush(send), ms);
    }
    return handed;
  }

  /**
   * Returns a function that reports whether any write pending now is still on its way to the writer. A request can't await another
   * request's promise, and a batch sent on behalf of another request may reach the writer after this request's own
   * calls.
   */
  watch(): () => boolean {
    const some = [...this.#sending];
    return () => {
      const now = Date.now();
      for (const one of some) if (Math.abs(now - one.at) > LOST_MS) this.#sending.delete(one);
      return some.some((one) => this.#sending.has(one) && onTheWay.has(one.batch));
    };
  }

  /** Sends the queue. Resolves when the outcome is known; never rejects. */
  async flush(send: Send): Promise<void> {
    const some = this.#waiting;
    this.#waiting = [];
    this.#promised = Number.NEGATIVE_INFINITY;
    if (some.length === 0) return;
    const sending = { at: Date.now(), batch: ++lastBatch };
    this.#sending.add(sending);
    onTheWay.add(sending.batch);
    let failed: readonly NotArrived[];
    try {
      failed = await send(
        some.map(({ write }) => write),
        sending.batch,
      );
    } catch (error) {
      failed = some.map((_, place) => ({ place, error: String(error) }));
    }
    this.#sending.delete(sending);
    onTheWay.delete(sending.batch);
    for (const { place, error } of failed) Object.assign(some[place], { outcome: "failed", error });
    for (const handed of some) if (handed.outcome === "pending") handed.outcome = "arrived";
  }
}
