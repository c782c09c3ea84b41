import { BoundedMap } from "../../../geo/bounded-map.ts";
/** How exactly it is told when a key was used last [ms]: so often one row per key is written, however busy it is. */
const EXACT_MS = 600_000;
const MAX_KEYS = 10_000;

/** Which keys were used since the last writing of the counts; a key that was written within ten minutes is left out. */
export class KeyUses {
  readonly #written = new BoundedMap<string, number>(MAX_KEYS);
  readonly #waiting = new Map<string, number>();

  note(hash: string, now: number): void {
    if (Math.abs(now - (this.#written.get(hash) ?? 0)) < EXACT_MS) return;
    this.#waiting.set(hash, now);
  }

  /** What there is to write. */
  take(): { hash: string; at: number }[] {
    const uses = [...this.#waiting].map(([hash, at]) => ({ hash, at }));
    for (const { hash, at } of uses) this.#written.set(hash, at);
    this.#waiting.clear();
    return uses;
  }
}
