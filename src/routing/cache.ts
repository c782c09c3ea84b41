/**
 * Decoded objects, the least recently used dropped first once their sizes pass a bound. One cache may serve many builds:
 * keys then begin with the build.
 */
export interface DecodedCache {
  get<T>(key: string): T | undefined;
  set(key: string, value: unknown, size: number): void;
  /** What is kept under the key has another size now. Nothing happens when that is not this value (any more). */
  resize(key: string, value: unknown, size: number): void;
}

export class BoundedCache implements DecodedCache {
  private readonly entries = new Map<string, { value: unknown; size: number }>();
  private readonly limit: number;
  private used = 0;

  /** `limit` [bytes]. */
  constructor(limit: number) {
    this.limit = limit;
  }

  get size(): number {
    return this.used;
  }

  get<T>(key: string): T | undefined {
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry.value as T;
  }

  set(key: string, value: unknown, size: number): void {
    const old = this.entries.get(key);
    if (old) {
      this.used -= old.size;
      this.entries.delete(key);
    }
    this.entries.set(key, { value, size });
    this.used += size;
    this.#trim(key);
  }

  resize(key: string, value: unknown, size: number): void {
    const entry = this.entries.get(key);
    if (!entry || entry.value !== value) return;
    this.used += size - entry.size;
    entry.size = size;
    this.#trim(key);
  }

  /** Drops what was not used for longest, the entry `key` apart. */
  #trim(key: string): void {
    for (const [oldest, entry] of this.entries) {
      if (this.used <= this.limit || oldest === key) break;
      this.entries.delete(oldest);
      this.used -= entry.size;
    }
  }
}
