import { BoundedMap } from "../../../../core/geo/bounded-map.ts";
import { isDatabaseAway } from "../../../db/away.ts";
import { BELIEVED_MOVING_MS } from "../../../db/believed.ts";

/**
 * Cache time of a lookup [ms]: a revoked key is rejected everywhere within ten seconds, as long as the
 * database is available.
 */
export const BELIEVED_MS = 8_000;
/** How long endpoints that read only geodata accept a key while the database is unavailable [ms]. */
export const BELIEVED_WITHOUT_DATABASE_MS = 10 * 60_000;
/** Retry interval while the database is unavailable [ms], and how long to wait for it if the key is cached. */
const ASK_AGAIN_MS = 2_000;
const PATIENCE_MS = 1_000;
/**
 * How long an unknown key is rejected without a new query [ms]. Keys have 160 random bits, so no caller can have tried one
 * before it exists.
 */
export const UNKNOWN_MS = 5_000;

const MAX_KEYS = 10_000;
const MAX_UNKNOWN = 1_000;

interface Entry<Caller> {
  caller: Caller;
  /** When the database last confirmed it [ms]. */
  asked: number;
  /** While the database is unavailable: time of the next attempt [ms]. */
  askAgain: number;
}

/**
 * This isolate's cache of keys. Values only, no promises: a promise belongs to the request that created it and may end
 * with it.
 *
 *   asked ├── 8 s: believed ──┼── 10 min: believed for geodata, only while the database is away ──┤ forgotten
 */
export class KnownKeys<Caller extends { project: number; moving?: boolean }> {
  readonly #known = new BoundedMap<string, Entry<Caller>>(MAX_KEYS);
  readonly #unknown = new Map<string, number>();

  /** The cached caller of a key: without a promise, because nearly every request is a cache hit. */
  believed(key: string, now: number): Caller | undefined {
    const entry = this.#known.get(key);
    // If the clock was set back, a revoked key must not stay valid, and a new one must not be rejected.
    if (!entry || Math.abs(now - entry.asked) >= BELIEVED_MS) return undefined;
    // A database move takes effect immediately.
    return entry.caller.moving && Math.abs(now - entry.asked) >= BELIEVED_MOVING_MS ? undefined : entry.caller;
  }

  /**
   * The caller of a key; undefined if it is unknown or revoked.
   * @param find looks the key up in the database
   * @param geodataOnly the request does not need the database otherwise
   */
  async lookUp(
    key: string,
    now: number,
    geodataOnly: boolean,
    find: () => Promise<Caller | undefined>,
  ): Promise<Caller | undefined> {
    const believed = this.believed(key, now);
    if (believed) return believed;
    const entry = this.#known.get(key);
    const refusedUntil = this.#unknown.get(key) ?? 0;
    if (now < refusedUntil && refusedUntil - now <= UNKNOWN_MS) return undefined;
    const fallback = geodataOnly && entry && now < entry.asked + BELIEVED_WITHOUT_DATABASE_MS ? entry : undefined;
    if (fallback && now < fallback.askAgain) return fallback.caller;
    let caller: Caller | undefined;
    try {
      caller = await (fallback ? within(PATIENCE_MS, find()) : find());
    } catch (error) {
      if (!fallback || !(error instanceof TooSlow || isDatabaseAway(error))) throw error;
      fallback.askAgain = now + ASK_AGAIN_MS;
      return fallback.caller;
    }
    if (caller) this.#remember(key, caller, now);
    else this.#refuse(key, now);
    return caller;
  }

  /** Clears the cache of a project, so that a settings change takes effect here immediately. */
  forget(project: number): void {
    this.forgetIf((caller) => caller.project === project);
  }

  forgetIf(isMeant: (caller: Caller) => boolean): void {
    for (const [key, entry] of this.#known) if (isMeant(entry.caller)) this.#known.delete(key);
  }

  #remember(key: string, caller: Caller, now: number): void {
    this.#known.set(key, { caller, asked: now, askAgain: 0 });
    this.#unknown.delete(key);
  }

  #refuse(key: string, now: number): void {
    this.#known.delete(key);
    // Evicts the oldest: a caller who tries many keys mostly evicts their own.
    if (this.#unknown.size >= MAX_UNKNOWN) {
      for (const oldest of this.#unknown.keys()) {
        this.#unknown.delete(oldest);
        break;
      }
    }
    this.#unknown.set(key, now + UNKNOWN_MS);
  }
}

class TooSlow extends Error {}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new TooSlow()), ms);
  work.catch(() => {}); // A later failure is ignored: no request is waiting for it.
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
