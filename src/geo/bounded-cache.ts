/**
 * Keeps what was used most recently, up to a bound on the sum of weights: bytes for the geodata of an isolate, which
 * has 128 MB for everything; or simply a number of entries, each of weight 1. A Map iterates in order of insertion:
 * taking an entry out and putting it back makes it the newest.
 *
 * A value may have two sizes: what was read, and what was made of it since. Where room is needed the oldest such value
 * first lets go of what can be made again, without reading, and counts as used then; only when its turn comes again is
 * it let go itself.
 *
 * What lives as long as the isolate and is no entry, as what searches work in, can be counted too (`claim`): entries then have the less.
 *
 * Beside these, sources: what values are made of, as it was read. They are smaller and dearer to get again, so they stay longer:
 * until what was let go of meanwhile would have filled the cache `PATIENCE` times, and in at most `SOURCES` of what entries may take.
 */
export class BoundedCache<Value = unknown> {
  readonly limit: number;
  #weight = 0;
  readonly #entries = new Map<string, Entry<Value>>();
  #sourceWeight = 0;
  readonly #sources = new Map<string, Source>();
  readonly #claims = new Map<string, number>();
  #claimed = 0;
  /** The sum of all that was let go of so far. */
  #gone = 0;

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

  /** Something else takes so much of the room now, in place of what it took before. Entries never make it smaller. */
  claim(what: string, weight: number): void {
    const before = this.#claims.get(what) ?? 0;
    if (weight === before) return;
    if (weight > 0) this.#claims.set(what, weight);
    else this.#claims.delete(what);
    this.#claimed += weight - before;
    this.#weight += weight - before;
    this.#trim();
  }

  /** The bytes that are kept under the key as a source. */
  source(key: string): Uint8Array | undefined {
    const found = this.#sources.get(key);
    if (!found) return undefined;
    this.#sources.delete(key);
    this.#sources.set(key, found);
    found.used = this.#gone;
    return found.bytes;
  }

  /** Keeps bytes that a value can be made of again, beside the value itself. */
  putSource(key: string, bytes: Uint8Array): void {
    const weight = bytes.byteLength + SOURCE_OVERHEAD;
    if (this.#sources.has(key) || weight > this.limit / 8) return;
    // What is a small part of a larger buffer would keep all of that.
    const own = bytes.buffer.byteLength > 2 * bytes.byteLength ? bytes.slice() : bytes;
    this.#sources.set(key, { bytes: own, weight, used: this.#gone });
    this.#sourceWeight += weight;
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
    this.#sources.clear();
    this.#sourceWeight = 0;
    this.#weight = this.#claimed;
  }

  /** Lets go of the oldest source where sources take too much, or it was not used for long. Was there one? */
  #trimSources(): boolean {
    if (this.#sourceWeight === 0) return false;
    for (const [oldest, { weight, used }] of this.#sources) {
      const isStale = this.#gone - used > PATIENCE * this.limit;
      if (!isStale && this.#sourceWeight <= SOURCES * (this.limit - this.#claimed)) return false;
      this.#sources.delete(oldest);
      this.#sourceWeight -= weight;
      this.#weight -= weight;
      return true;
    }
    return false;
  }

  #trim(): void {
    if (this.#weight <= this.limit) return;
    while (this.#weight > this.limit && this.#trimSources());
    for (const [oldest, entry] of this.#entries) {
      if (this.#weight <= this.limit) break;
      this.delete(oldest);
      this.#gone += entry.weight;
      if (!entry.shrink || entry.isSmall) continue;
      // Not among the entries while it shrinks: the weight it tells meanwhile is of no concern.
      entry.weight = entry.shrink();
      entry.isSmall = true;
      this.#entries.set(oldest, entry);
      this.#weight += entry.weight;
      this.#gone -= entry.weight;
    }
  }
}

/** Sources take at most this share of what entries may take. */
const SOURCES = 0.6;
/** An isolate turns over its cache this often before a source that nobody asked for goes. */
const PATIENCE = 8;
/** A source beside its bytes. */
const SOURCE_OVERHEAD = 200;

interface Source {
  bytes: Uint8Array;
  weight: number;
  /** What had been let go of when it was last used. */
  used: number;
}

interface Entry<Value> {
  value: Value;
  weight: number;
  shrink: (() => number) | undefined;
  /** It has shrunk, and nobody has asked for it since. */
  isSmall: boolean;
}
