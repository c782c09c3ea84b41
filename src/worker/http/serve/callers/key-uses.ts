import { BoundedMap } from "../../../../core/geo/bounded-map.ts";

/** Precision of the last use of a key [ms]: one row per key is written per interval, independent of traffic. */
const EXACT_MS = 600_000;
const MAX_KEYS = 10_000;

/** Keys used since the counts were last written; a key written within the last ten minutes is omitted. */
export class KeyUses {
  readonly #written = new BoundedMap<string, number>(MAX_KEYS);
  readonly #waiting = new Map<string, number>();

  note(hash: string, now: number): void {
    if (Math.abs(now - (this.#written.get(hash) ?? 0)) < EXACT_MS) return;
    this.#waiting.set(hash, now);
  }

  /** Pending writes. */
  take(): { hash: string; at: number }[] {
    const uses = [...this.#waiting].map(([hash, at]) => ({ hash, at }));
    for (const { hash, at } of uses) this.#written.set(hash, at);
    this.#waiting.clear();
    return uses;
  }
}
