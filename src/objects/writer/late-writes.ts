import type { EventWrite, UserWrite } from "../../db/customers/writes.ts";

/** On disk: a writer may be put away between two tries of a tracker, while the database stays out of reach. */
const PREFIX = "late:";
/** Most trackers that are remembered, of those that could not be written; more are as bad. */
const MAX_COUNT = 10_000;
/**
 * A tracker whose writing fails tries again within half a minute. One that has not for this long [ms] has nothing left: its
 * users were deleted.
 */
const SILENT_MS = 3 * 60_000;

/** The part of a Durable Object's storage that is needed here. */
interface Kept {
  list(options: { prefix: string; limit: number }): Iterable<[name: string, value: unknown]>;
  put(name: string, value: unknown): void;
  delete(name: string): unknown;
}

interface Late {
  scope: number;
  /** [ms] */
  since: number;
}

/** How long the oldest of what trackers have handed over waits for the database or for webhooks. */
export interface LateFigures {
  /** Trackers whose writing has failed and not succeeded since. */
  trackers: number;
  /** By scope, since when the oldest waits [ms]. */
  oldest: [scope: number, since: number][];
}

/** What a writer was handed and has not confirmed: what is under way, and what failed and will be handed over again. */
export class LateWrites {
  readonly #kept: Kept;
  /** In the order in which they came. */
  readonly #underWay = new Map<object, Late>();
  readonly #failed = new Map<string, Late & { tried: number }>();

  constructor(kept: Kept, now = Date.now()) {
    this.#kept = kept;
    for (const [name, late] of kept.list({ prefix: PREFIX, limit: MAX_COUNT }))
      this.#failed.set(name.slice(PREFIX.length), { ...(late as Late), tried: now });
  }

  /** Something of a tracker is under way. */
  begin(write: object, scope: number, now = Date.now()): void {
    this.#underWay.set(write, { scope, since: now });
  }

  /** It has arrived. Usually this is two look-ups in memory. */
  arrived(write: object, tracker: string | undefined): void {
    this.#underWay.delete(write);
    if (tracker !== undefined && this.#failed.delete(tracker)) this.#kept.delete(PREFIX + tracker);
  }

  /** It has not arrived: the tracker will hand it over again. */
  failed(write: object, tracker: string | undefined, events: readonly EventWrite[], now = Date.now()): void {
    const late = this.#underWay.get(write);
    this.#underWay.delete(write);
    if (!late || tracker === undefined) return;
    const known = this.#failed.get(tracker);
    if (known) {
      known.tried = now;
      return;
    }
    if (this.#failed.size >= MAX_COUNT) return;
    const since = Math.min(late.since, madeAt(events) ?? late.since);
    this.#failed.set(tracker, { scope: late.scope, since, tried: now });
    this.#kept.put(PREFIX + tracker, { scope: late.scope, since });
  }

  figures(now: number): LateFigures {
    for (const [tracker, { tried }] of this.#failed) {
      if (Math.abs(now - tried) < SILENT_MS) continue;
      this.#failed.delete(tracker);
      this.#kept.delete(PREFIX + tracker);
    }
    const oldest = new Map<number, number>();
    for (const { scope, since } of [...this.#failed.values(), ...this.#underWay.values()])
      oldest.set(scope, Math.min(since, oldest.get(scope) ?? since));
    return { trackers: this.#failed.size, oldest: [...oldest] };
  }
}

/** Half a project that users and events of one tracker belong to; undefined where there are none. */
export function scopeOf(users: readonly UserWrite[], events: readonly EventWrite[]): number | undefined {
  return (users[0] ?? events[0])?.scope;
}

/** When the first of some events was made [ms]. */
function madeAt([first]: readonly EventWrite[]): number | undefined {
  if (!first) return undefined;
  try {
    return (JSON.parse(first.doc) as { actualCreatedAt?: number }).actualCreatedAt;
  } catch {
    return undefined; // unreadable, which is why it failed
  }
}
