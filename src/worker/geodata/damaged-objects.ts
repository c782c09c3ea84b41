import { UnreadableObject } from "../../core/geo/builds/tile-source.ts";

/** How long an object is considered damaged without being read again [ms]. */
const REMEMBERED_MS = 4000;
/** Maximum number of remembered objects; beyond this the oldest are forgotten. */
const MAX_COUNT = 1000;

/** Objects recently found to be damaged: a request for one fails without a read. */
export class DamagedObjects {
  readonly #found = new Map<string, { error: UnreadableObject; until: number }>();

  /** @throws UnreadableObject if the object is known to be damaged */
  refuse(key: string): void {
    const found = this.#found.get(key);
    if (!found) return;
    if (Date.now() < found.until) throw found.error;
    this.#found.delete(key);
  }

  /** Remembers the object, and writes it to the log. */
  add(key: string, why: string): UnreadableObject {
    const error = new UnreadableObject(key, why);
    for (const oldest of this.#found.keys()) {
      if (this.#found.size < MAX_COUNT) break;
      this.#found.delete(oldest);
    }
    this.#found.set(key, { error, until: Date.now() + REMEMBERED_MS });
    console.warn(`damaged: ${error.message}`);
    return error;
  }

  clear(): void {
    this.#found.clear();
  }
}
