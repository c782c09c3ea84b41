/**
 * Keeps what was used most recently, up to a bound on the sum of weights: bytes for the geodata of an isolate, which
 * has 128 MB for everything; or simply a number of entries, each of weight 1. A Map iterates in order of insertion:
 * taking an entry out and putting it back makes it the newest.
 */
export class BoundedCache<Value = unknown> {
  readonly limit: number;
  #weight = 0;
  readonly #entries = new Map<string, { value: Value; weight: number }>();

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
    return entry;
  }

  /** Keeps a value; one heavier than half of the bound is not kept. */
  put(key: string, value: Value, weight = 1): void {
    this.delete(key);
    if (weight > this.limit / 2) return;
    this.#entries.set(key, { value, weight });
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
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.limit) break;
      this.delete(oldest);
    }
  }
}
