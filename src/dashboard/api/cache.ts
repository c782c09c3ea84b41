import type { Api, Meta, Problem, QueryValues, Result } from "./client.ts";

/**
 * Cached responses by path and query: shown immediately on the next request, and refetched in the background. There is
 * one cache per project and environment, so that Test never shows responses of Live.
 */

export interface Entry<T = unknown> {
  data?: T;
  meta?: Meta;
  problem?: Problem;
  loading: boolean;
  /** Time of the response [ms]; 0: none yet. */
  at: number;
}

type Forgetter = [key: string, forgotten: () => void];

/** Answers younger than this are not asked for again when another part shows them [ms]. */
const FRESH_MS = 2_000;
const MAX_ENTRIES = 300;

const NOTHING: Entry = { loading: true, at: 0 };

export class Cache {
  readonly api: Api;
  readonly #entries = new Map<string, Entry>();
  readonly #watchers = new Map<string, Set<() => void>>();
  readonly #forgetters = new Set<Forgetter>();
  readonly #asked = new Map<string, Promise<void>>();

  constructor(api: Api) {
    this.api = api;
  }

  read<T>(key: string): Entry<T> {
    return (this.#entries.get(key) ?? NOTHING) as Entry<T>;
  }

  watch(key: string, changed: () => void): () => void {
    const watchers = this.#watchers.get(key) ?? new Set();
    this.#watchers.set(key, watchers.add(changed));
    return () => {
      watchers.delete(changed);
      if (watchers.size === 0) this.#watchers.delete(key);
    };
  }

  /** Fetches unless the response is fresh or loading. A failure keeps the last response next to the error. */
  async load(key: string, path: string, query: QueryValues, { force = false } = {}): Promise<void> {
    const known = this.read(key);
    const running = this.#asked.get(key);
    if (running && !force) return running;
    if (!force && known.at > Date.now() - FRESH_MS && !known.problem) return;
    const asking = this.#ask(key, path, query).finally(() => {
      if (this.#asked.get(key) === asking) this.#asked.delete(key);
    });
    this.#asked.set(key, asking);
    return asking;
  }

  async #ask(key: string, path: string, query: QueryValues): Promise<void> {
    this.#put(key, { ...this.read(key), loading: true });
    const result: Result<unknown> = await this.api.get(path, query);
    const before = this.read(key);
    this.#put(
      key,
      result.ok
        ? { data: result.data, meta: result.meta, loading: false, at: Date.now() }
        : { ...before, problem: result.problem, loading: false },
    );
  }

  /** Replaces a cached response, for example after a change that returned the new state. */
  put<T>(path: string, data: T): void {
    this.#put(path, { data, loading: false, at: Date.now() });
  }

  /** Invalidates all responses under this path. Visible components refetch now, others when they mount. */
  forget(prefix: string): void {
    for (const [key, entry] of this.#entries) {
      if (!key.startsWith(prefix)) continue;
      // A change may also have solved the problem of a failed request.
      this.#entries.set(key, { ...entry, at: 0, problem: undefined });
      for (const changed of this.#watchers.get(key) ?? []) changed();
    }
    for (const [key, forgotten] of [...this.#forgetters.values()]) if (key.startsWith(prefix)) forgotten();
  }

  /** Calls back when responses under a path are invalidated; for components with their own cache. */
  whenForgotten(key: string, forgotten: () => void): () => void {
    const one: Forgetter = [key, forgotten];
    this.#forgetters.add(one);
    return () => this.#forgetters.delete(one);
  }

  #put(key: string, entry: Entry): void {
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    for (const old of this.#entries.keys()) {
      if (this.#entries.size <= MAX_ENTRIES) break;
      if (!this.#watchers.has(old)) this.#entries.delete(old);
    }
    for (const changed of this.#watchers.get(key) ?? []) changed();
  }
}

/** Cache key of a request: its path and sorted query. */
export function keyOf(path: string, query: QueryValues): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  if (pairs.length === 0) return path;
  return `${path}?${new URLSearchParams(pairs.map(([name, value]) => [name, String(value)] as [string, string]).sort())}`;
}
