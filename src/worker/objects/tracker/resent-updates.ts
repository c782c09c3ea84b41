/** Key for replayed updates that are identified by their content, and their maximum number: two full batches. */
const KEY = "resent";
const MAX_RESENT = 1000;

/** Replayed updates without an id, recognized by a hash of their content when they are sent again. */
export class ResentUpdates {
  readonly #kv: SyncKvStorage;
  #known: number[] | undefined;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
  }

  has(hash: number | undefined): boolean {
    return hash !== undefined && this.#read().includes(hash);
  }

  add(hash: number | undefined): void {
    if (hash === undefined) return;
    this.#known = [...this.#read(), hash].slice(-MAX_RESENT);
    this.#kv.put(KEY, this.#known);
  }

  #read(): number[] {
    this.#known ??= this.#kv.get<number[]>(KEY) ?? [];
    return this.#known;
  }
}
