/**
 * Keeps what was used last, up to a bound on the sum of weights: bytes for the geodata of an isolate, which has 128 MB for
 * everything; or simply a number of entries, each of weight 1. A Map iterates in order of insertion: taking an entry out
 * and putting it back makes it the youngest.
 */
export class BoundedCache<Value = unknown> {
  readonly limit: number;
  #weight = 0;
  readonly #entries = new Map<string, { value: Value; weight: number }>();

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Of all that is kept. */
  get weight(): number {
    return this.#weight;
  }

  /** What was put under the key, or undefined; `{ value }` so that "nothing there" can be kept too. */
  get(key: string): { readonly value: Value } | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry;
  }

  /** Keeps a value; one heavier than half of everything is not kept. */
  put(key: string, value: Value, weight = 1): void {
    this.delete(key);
    if (weight > this.limit / 2) return;
    this.#entries.set(key, { value, weight });
    this.#weight += weight;
    this.#trim();
  }

  /** What is kept under the key weighs so much now. Nothing happens where that is not this value (any more). */
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
