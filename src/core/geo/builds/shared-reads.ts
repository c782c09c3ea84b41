import { EndedEarly } from "../pace.ts";

/** How long a request waits for a read that another request began [milliseconds]. */
const PATIENCE_MS = 1000;

/**
 * Lets requests that want the same object at the same time share one read. A read belongs to the request that began it
 * and dies with it when its client goes away, without ever settling; so a request that waits for another's read waits
 * only this long, and then reads for itself; also if that request ends for a reason of its own.
 */
export class SharedReads {
  readonly #underWay = new Map<string, Promise<unknown>>();

  async read<T>(key: string, begin: () => Promise<T>): Promise<T> {
    const others = this.#underWay.get(key) as Promise<T> | undefined;
    if (!others) return this.#begin(key, begin);
    const patience = waitFor(PATIENCE_MS);
    const first = await Promise.race([others.then((value) => ({ value }), unlessEnded), patience.late]).finally(
      patience.cancel,
    );
    return first === "late" ? this.#begin(key, begin) : first.value;
  }

  #begin<T>(key: string, begin: () => Promise<T>): Promise<T> {
    const read = begin().finally(() => {
      if (this.#underWay.get(key) === read) this.#underWay.delete(key);
    });
    this.#underWay.set(key, read);
    return read;
  }
}

/** What ended the other request does not end this one. */
function unlessEnded(error: unknown): "late" {
  if (error instanceof EndedEarly) return "late";
  throw error;
}

function waitFor(milliseconds: number): { late: Promise<"late">; cancel(): void } {
  const { promise, resolve } = Promise.withResolvers<"late">();
  const timer = setTimeout(() => resolve("late"), milliseconds);
  return { late: promise, cancel: () => clearTimeout(timer) };
}
