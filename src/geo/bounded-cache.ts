/**
 * Keeps what was used most recently, up to a bound on the sum of weights: bytes for the geodata of an isolate, which
 * has 128 MB for everything; or simply a number of entries, each of weight 1. A Map iterates in order of insertion:
 * taking an entry out and putting it back makes it the newest.
 *
 * A value may have two sizes: what was read, and what was made of it since. Where room is needed the oldest such value
 * first lets go of what can be made again, without reading, and counts as used then; only when its turn comes again is
 * it let go itself.
 */
export class BoundedCache<Value = unknown> {
  readonly limit: number;
  #weight = 0;
  readonly #entries = new Map<string, Entry<Value>>();

  constructor(limit: number) {
    this.limit = limit;
  }

  /** The sum of all that is kept. */
  get weight(): number {
    return this.#weight;
  }

  /** The value under the key as `{ value }`, so that `undefined` can be a value too; undefined when there is none. */
  get(key: string): { readonly value: Value } | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    entry.isSmall = false;
    return entry;
  }

  /**
   * Keeps a value; one heavier than half of the bound is not kept. `shrink`: lets go of what hangs on the value, and
   * answers what it weighs then.
   */
  put(key: string, value: Value, weight = 1, shrink?: () => number): void {
    this.delete(key);
    if (weight > this.limit / 2) return;
    this.#entries.set(key, { value, weight, shrink, isSmall: false });
    this.#weight += weight;
    this.#trim();
  }

  /** Sets a new weight for the value under the key. Does nothing when the key no longer holds this value. */
  resize(key: string, value: Value, weight: number): void {
    const entry = this.#entries.get(key);
    if (!entry || entry.value !== value) return;
    this.#weight += weight - entry.weight;
    entry.weight = weight;
    this.#trim();
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#weight -= entry.weight;
  }

  clear(): void {
    this.#entries.clear();
    this.#weight = 0;
  }

  #trim(): void {
    for (const [oldest, entry] of this.#entries) {
      if (this.#weight <= this.limit) break;
      this.delete(oldest);
      if (!entry.shrink || entry.isSmall) continue;
      // Not among the entries while it shrinks: the weight it tells meanwhile is of no concern.
      entry.weight = entry.shrink();
      entry.isSmall = true;
      this.#entries.set(oldest, entry);
      this.#weight += entry.weight;
    }
  }
}

interface Entry<Value> {
  value: Value;
  weight: number;
  shrink: (() => number) | undefined;
  /** It has shrunk, and nobody has asked for it since. */
  isSmall: boolean;
}
