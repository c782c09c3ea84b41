import { isDatabaseAway } from "../../db/away.ts";

/**
 * How long a look-up is believed [ms]: a revoked key is refused everywhere within ten seconds, as long as the database
 * answers.
 */
export const BELIEVED_MS = 8_000;
/** How long a key goes on being believed when the database does not answer, for what reads geodata only [ms]. */
export const BELIEVED_WITHOUT_DATABASE_MS = 10 * 60_000;
/** The database is asked again this often while it is away [ms], and given this long for a key that is known. */
const ASK_AGAIN_MS = 2_000;
const PATIENCE_MS = 1_000;
/**
 * How long a key that nobody has is refused without asking [ms]. A key is made of 160 random bits: none was tried
 * before it was made.
 */
export const UNKNOWN_MS = 5_000;

const MAX_KEYS = 10_000;
const MAX_UNKNOWN = 1_000;

interface Entry<Caller> {
  caller: Caller;
  /** When the database last said so [ms]. */
  asked: number;
  /** Without the database: not asked again before then [ms]. */
  askAgain: number;
}

/**
 * What this machine remembers of keys. Values only: a promise belongs to the request that made it and may die with it.
 *
 *   asked ├── 8 s: believed ──┼── 10 min: believed for geodata, only while the database is away ──┤ forgotten
 */
export class KnownKeys<Caller extends { project: number }> {
  readonly #known = new Map<string, Entry<Caller>>();
  readonly #unknown = new Map<string, number>();

  /**
   * Who a key stands for; undefined for one that is unknown or revoked.
   * @param find asks the database
   * @param geodataOnly the request can do without the database otherwise
   */
  async lookUp(
    key: string,
    now: number,
    geodataOnly: boolean,
    find: () => Promise<Caller | undefined>,
  ): Promise<Caller | undefined> {
    const entry = this.#known.get(key);
    // A clock that was set back must not keep a revoked key alive, nor a new one out.
    if (entry && Math.abs(now - entry.asked) < BELIEVED_MS) return entry.caller;
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

  /** Forgets what is known of a project, so that a change of its settings counts at once here. */
  forget(project: number): void {
    for (const [key, entry] of this.#known) if (entry.caller.project === project) this.#known.delete(key);
  }

  #remember(key: string, caller: Caller, now: number): void {
    if (this.#known.size >= MAX_KEYS) this.#known.clear();
    this.#known.set(key, { caller, asked: now, askAgain: 0 });
    this.#unknown.delete(key);
  }

  #refuse(key: string, now: number): void {
    this.#known.delete(key);
    // The oldest goes: who tries many keys pushes out his own.
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
  work.catch(() => {}); // When it fails after all, nobody waits for it any more.
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
