/**
 * Keeps what was used last, up to a number of bytes. An isolate has 128 MB for everything, so what is kept is weighed and
 * not counted. A Map iterates in order of insertion: taking an entry out and putting it back makes it the youngest.
 */
export class ByteCache {
  readonly limit: number;
  #bytes = 0;
  readonly #entries = new Map<string, { value: unknown; bytes: number }>();

  constructor(limit: number) {
    this.limit = limit;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** What was put under the key, or undefined; `{ value }` so that "nothing there" can be kept too. */
  get(key: string): { value: unknown } | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry;
  }

  /** Keeps a value of about so many bytes; one larger than half of everything is not kept. */
  put(key: string, value: unknown, bytes: number): void {
    this.delete(key);
    if (bytes > this.limit / 2) return;
    this.#entries.set(key, { value, bytes });
    this.#bytes += bytes;
    this.#trim();
  }

  /** What is kept under the key takes so many bytes now. Nothing happens where that is not this value (any more). */
  resize(key: string, value: unknown, bytes: number): void {
    const entry = this.#entries.get(key);
    if (!entry || entry.value !== value) return;
    this.#bytes += bytes - entry.bytes;
    entry.bytes = bytes;
    this.#trim();
  }

  #trim(): void {
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.limit) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#bytes -= entry.bytes;
  }

  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }
}
