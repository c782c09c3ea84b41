import type { EventWrite, UserWrite } from "../../db/customers/writes.ts";

/** On disk: a writer may be evicted between two attempts of a tracker while the database is unavailable. */
const PREFIX = "late:";
/** Maximum number of remembered trackers with failed writes; beyond that the number doesn't matter. */
const MAX_COUNT = 10_000;
/**
 * A tracker whose write fails retries within half a minute. After this long without an attempt [ms], it has nothing
 * left: its users were deleted.
 */
const SILENT_MS = 3 * 60_000;

/** The required part of a Durable Object's storage. */
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

/** How long the oldest handed-over data has waited for the database or for webhooks. */
export interface LateFigures {
  /** Trackers whose last write failed. */
  trackers: number;
  /** By scope, since when the oldest data waits [ms]. */
  oldest: [scope: number, since: number][];
}

/**
 * Writes that a writer has received but not confirmed: those in progress, and failed ones that will be handed over
 * again.
 */
export class LateWrites {
  readonly #kept: Kept;
  /** In order of arrival. */
  readonly #underWay = new Map<object, Late>();
  readonly #failed = new Map<string, Late & { tried: number }>();

  constructor(kept: Kept, now = Date.now()) {
    this.#kept = kept;
    for (const [name, late] of kept.list({ prefix: PREFIX, limit: MAX_COUNT }))
      this.#failed.set(name.slice(PREFIX.length), { ...(late as Late), tried: now });
  }

  /** A write of a tracker begins. */
  begin(write: object, scope: number, now = Date.now()): void {
    this.#underWay.set(write, { scope, since: now });
  }

  /** The write has arrived. Usually this is two in-memory lookups. */
  arrived(write: object, tracker: string | undefined): void {
    this.#underWay.delete(write);
    if (tracker !== undefined && this.#failed.delete(tracker)) this.#kept.delete(PREFIX + tracker);
  }

  /** The write has failed: the tracker will hand it over again. */
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

/** The scope of the users and events of one tracker; undefined if there are none. */
export function scopeOf(users: readonly UserWrite[], events: readonly EventWrite[]): number | undefined {
  return (users[0] ?? events[0])?.scope;
}

/** Creation time of the first of some events [ms]. */
function madeAt([first]: readonly EventWrite[]): number | undefined {
  if (!first) return undefined;
  try {
    return (JSON.parse(first.doc) as { actualCreatedAt?: number }).actualCreatedAt;
  } catch {
    return undefined; // unreadable, which is why it failed
  }
}
