/**
 * A map with a maximum number of entries: a new entry replaces the oldest one. For values that can be computed or read again, such as
 * parsed colors or imported keys. `BoundedCache` counts bytes and evicts by last use instead.
 */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #limit: number;

  constructor(limit: number) {
    super();
    this.#limit = limit;
  }

  override set(key: Key, value: Value): this {
    // A map iterates in insertion order, so the first key is the oldest.
    if (this.size >= this.#limit && !this.has(key)) {
      for (const oldest of this.keys()) {
        this.delete(oldest);
        break;
      }
    }
    return super.set(key, value);
  }
}
