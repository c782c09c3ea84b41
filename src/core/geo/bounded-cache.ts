/**
 * Least-recently-used cache with a limit on the sum of weights: bytes for the geodata of an isolate, which has 128 MB
 * in total, or a number of entries of weight 1 each. A Map iterates in insertion order: removing an entry and inserting
 * it again makes it the newest. Its order is exact between new entries and evictions, not among the hits between two of them.
 *
 * A value may have two sizes: the data as read, and the data derived from it since. When space is needed, the oldest
 * such value first drops what can be derived again without a read, and then counts as just used. It is evicted only
 * when its turn comes again.
 *
 * Memory that lives as long as the isolate but is not an entry, such as search buffers, can be counted too (`claim`):
 * it reduces the space for entries.
 *
 * The cache also holds sources: the raw bytes that values are derived from. They are smaller and more expensive to get
 * again, so they stay longer: until the values evicted since would have filled the cache `PATIENCE` times. Sources take
 * at most the share `SOURCES` of the limit.
 */
export class BoundedCache<Value = unknown> {
  #limit: number;
  #weight = 0;
  readonly #entries = new Map<string, Entry<Value>>();
  #sourceWeight = 0;
  readonly #sources = new Map<string, Source>();
  readonly #claims = new Map<string, number>();
  #claimed = 0;
  /** Total weight evicted so far. */
  #gone = 0;
  /** Counts new entries and evictions. */
  #epoch = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get limit(): number {
    return this.#limit;
  }

  /** Sets another limit; what exceeds it is evicted. */
  setLimit(limit: number): void {
    this.#limit = limit;
    this.#trim();
  }

  /** Total weight of the cached values. */
  get weight(): number {
    return this.#weight;
  }

  /** The value for the key as `{ value }`, so that `undefined` can be a value too; undefined if there is none. */
  get(key: string): { readonly value: Value } | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    // A request has dozens of hits: the order of those since the last new entry or eviction does not matter.
    if (entry.usedIn !== this.#epoch) {
      entry.usedIn = this.#epoch;
      this.#entries.delete(key);
      this.#entries.set(key, entry);
    }
    entry.isSmall = false;
    return entry;
  }

  /**
   * Caches a value; a value heavier than half of the limit is not cached. `shrink` drops what was derived from the
   * value and returns the remaining weight.
   */
  put(key: string, value: Value, weight = 1, shrink?: () => number): void {
    this.delete(key);
    if (weight > this.#limit / 2) return;
    this.#entries.set(key, { value, weight, shrink, isSmall: false, usedIn: ++this.#epoch });
    this.#weight += weight;
    this.#trim();
  }

  /** Sets how much of the limit something else takes, replacing its previous claim. Entries never reduce a claim. */
  claim(what: string, weight: number): void {
    const before = this.#claims.get(what) ?? 0;
    if (weight === before) return;
    if (weight > 0) this.#claims.set(what, weight);
    else this.#claims.delete(what);
    this.#claimed += weight - before;
    this.#weight += weight - before;
    this.#trim();
  }

  /** The bytes cached for the key as a source. */
  source(key: string): Uint8Array | undefined {
    const found = this.#sources.get(key);
    if (!found) return undefined;
    this.#sources.delete(key);
    this.#sources.set(key, found);
    found.used = this.#gone;
    return found.bytes;
  }

  /** Caches the bytes that a value can be derived from, in addition to the value itself. */
  putSource(key: string, bytes: Uint8Array): void {
    const weight = bytes.byteLength + SOURCE_OVERHEAD;
    if (this.#sources.has(key) || weight > this.#limit / 8) return;
    // A small view would keep its entire larger buffer alive.
    const own = bytes.buffer.byteLength > 2 * bytes.byteLength ? bytes.slice() : bytes;
    this.#sources.set(key, { bytes: own, weight, used: this.#gone });
    this.#sourceWeight += weight;
    this.#weight += weight;
    this.#trim();
  }

  /** Sets a new weight for the value of the key. Does nothing if the key no longer has this value. */
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
    this.#sources.clear();
    this.#sourceWeight = 0;
    this.#weight = this.#claimed;
  }

  /**
   * Evicts the oldest source if sources take too much, or it was not used for a long time. Returns whether it evicted
   * one.
   */
  #trimSources(): boolean {
    if (this.#sourceWeight === 0) return false;
    for (const [oldest, { weight, used }] of this.#sources) {
      const isStale = this.#gone - used > PATIENCE * this.#limit;
      if (!isStale && this.#sourceWeight <= SOURCES * (this.#limit - this.#claimed)) return false;
      this.#sources.delete(oldest);
      this.#sourceWeight -= weight;
      this.#weight -= weight;
      return true;
    }
    return false;
  }

  #trim(): void {
    if (this.#weight <= this.#limit) return;
    while (this.#weight > this.#limit && this.#trimSources());
    for (const [oldest, entry] of this.#entries) {
      if (this.#weight <= this.#limit) break;
      this.delete(oldest);
      this.#epoch++;
      this.#gone += entry.weight;
      if (!entry.shrink || entry.isSmall) continue;
      // Removed from the entries while it shrinks, so that weights reported meanwhile are ignored.
      entry.weight = entry.shrink();
      entry.isSmall = true;
      this.#entries.set(oldest, entry);
      this.#weight += entry.weight;
      this.#gone -= entry.weight;
    }
  }
}

/** Sources take at most this share of the limit for entries. */
const SOURCES = 0.6;
/** An unused source is evicted after the isolate has replaced its cache this many times. */
const PATIENCE = 8;
/** Overhead of a source in addition to its bytes. */
const SOURCE_OVERHEAD = 200;

interface Source {
  bytes: Uint8Array;
  weight: number;
  /** Total weight evicted when it was last used. */
  used: number;
}

interface Entry<Value> {
  value: Value;
  weight: number;
  shrink: (() => number) | undefined;
  /** It has shrunk and was not requested since. */
  isSmall: boolean;
  /** The epoch in which it became the newest. */
  usedIn: number;
}
