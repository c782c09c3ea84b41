import { addCounts, type Count } from "../../db/customers/stats.ts";
import { byDatabase, type Databases } from "../../db/databases.ts";

/** Counts are written after this much time without new ones, and at the latest after the second value [ms]. */
const [QUIET_MS, AT_LEAST_MS] = [2_000, 120_000];

/**
 * Gathers a writer's counts, and adds them to the statistics every two minutes instead of with each batch: all counts
 * of a type and an hour then need one row. An idle writer writes them before it sleeps. A stopped machine loses at most
 * two minutes of statistics.
 */
export class StatCounts {
  readonly #env: Databases;
  #counts = new Map<string, Count>();
  /** When the first of these was counted [ms]. */
  #since = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(env: Databases) {
    this.#env = env;
  }

  add(counts: readonly Count[], now = Date.now()): void {
    if (counts.length > 0 && this.#counts.size === 0) this.#since = now;
    for (const one of counts) {
      const key = `${one.scope} ${one.kind} ${one.hour} ${one.name}`;
      const known = this.#counts.get(key);
      if (known) known.count += one.count;
      else this.#counts.set(key, { ...one });
    }
    if (this.#counts.size === 0) return;
    clearTimeout(this.#timer);
    const wait = Math.min(QUIET_MS, Math.max(0, this.#since + AT_LEAST_MS - now));
    this.#timer = setTimeout(() => void this.write(), wait);
  }

  /** Writes all counts, for readers of the statistics. */
  async write(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#counts.size === 0) return;
    const counts = [...this.#counts.values()];
    this.#counts = new Map();
    try {
      const databases = await byDatabase(
        this.#env,
        counts.map(({ scope }) => scope),
      );
      await Promise.all([...databases].map(([env, scopes]) => this.#writeTo(env, scopes, counts)));
    } catch {
      // The database was unavailable: they are written with the next ones.
      this.add(counts);
    }
  }

  async #writeTo({ DB }: Databases, scopes: readonly number[], counts: readonly Count[]): Promise<void> {
    const own = counts.filter(({ scope }) => scopes.includes(scope));
    await addCounts(DB, own).catch(() => this.add(own));
  }
}
