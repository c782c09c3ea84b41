import { createContext } from "preact";
import {
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from "preact/hooks";
import { Cache, type Entry, keyOf } from "./cache.ts";
import { Api, type Problem, type QueryValues, type Result } from "./client.ts";

export type { Answer, Api, Body, Problem, QueryValues, Result } from "./client.ts";

/** Hooks for requests and changes. */

export const ApiContext = createContext<Cache>(new Cache(new Api(undefined)));

export function useApi(): Api {
  return useContext(ApiContext).api;
}

/** Invalidates cached responses under a path after a change: `forget("/v1/users")`. */
export function useForget(): (...prefixes: string[]) => void {
  const cache = useContext(ApiContext);
  return useCallback(
    (...prefixes) => {
      for (const prefix of prefixes) cache.forget(prefix);
    },
    [cache],
  );
}

/** Calls back when cached responses under a path are invalidated; for data outside the cache. */
export function useForgotten(path: string, forgotten: () => void): void {
  const cache = useContext(ApiContext);
  useLayoutEffect(() => cache.whenForgotten(path, forgotten), [cache, path, forgotten]);
}

export interface QueryState<T> extends Entry<T> {
  again(): void;
}

/**
 * A cached GET. The path `undefined` sends no request.
 * @param every refetch interval while the page is visible [ms]
 * @param keep shows the last response while another query of the same path loads
 */
export function useQuery<T>(
  path: string | undefined,
  query: QueryValues = {},
  { every, keep = false }: { every?: number; keep?: boolean } = {},
): QueryState<T> {
  const cache = useContext(ApiContext);
  const key = path === undefined ? undefined : keyOf(path, query);
  const [, changed] = useReducer((count: number) => count + 1, 0);
  const latest = useRef(query);
  latest.current = query;
  const again = useCallback(() => {
    if (path !== undefined && key !== undefined) void cache.load(key, path, latest.current, { force: true });
  }, [cache, path, key]);
  // A layout effect ends with its component: a part that is gone asks for nothing more, such as a record that was deleted.
  useLayoutEffect(() => {
    if (path === undefined || key === undefined) return;
    void cache.load(key, path, latest.current);
    return cache.watch(key, () => {
      changed(0);
      const { at, loading, problem } = cache.read(key);
      if (at === 0 && !loading && !problem) void cache.load(key, path, latest.current);
    });
  }, [cache, path, key]);
  useEffect(() => {
    if (every === undefined) return;
    const timer = setInterval(() => document.visibilityState === "visible" && again(), every);
    return () => clearInterval(timer);
  }, [every, again]);
  const entry: Entry<T> = key === undefined ? { loading: false, at: 0 } : cache.read<T>(key);
  const held = useRef<{ path?: string; data?: T }>({});
  if (entry.data !== undefined || held.current.path !== path) held.current = { path, data: entry.data };
  return { ...entry, data: keep ? held.current.data : entry.data, again };
}

export interface Pages<Row> {
  rows: readonly Row[];
  hasMore: boolean;
  loading: boolean;
  problem?: Problem;
  /** Loads the next page, if there is one and none is loading. */
  more(): void;
  again(): void;
}

/** Rows per page. The first page is short, to load fast; further pages are longer [rows]. */
const NEXT_PAGE = 500;

interface PagesState<Row> {
  key: string;
  rows: readonly Row[];
  hasMore: boolean;
  loading: boolean;
  problem?: Problem;
}

/**
 * A paginated list, newest first. The next page starts before the last row of this one, so new rows don't shift it.
 * @param field key of the list in the response ("users")
 * @param by the time that orders the list
 */
export function usePages<Row extends { createdAt?: string; updatedAt?: string }>(
  path: string | undefined,
  query: QueryValues,
  field: string,
  by: "createdAt" | "updatedAt" = "createdAt",
): Pages<Row> {
  const cache = useContext(ApiContext);
  const { api } = cache;
  const key = path === undefined ? "" : keyOf(path, query);
  const empty = { key, rows: [], hasMore: true, loading: true };
  const [state, setState] = useState<PagesState<Row>>(empty);
  const shown = state.key === key ? state : empty;
  const running = useRef("");
  const latest = useRef({ path, query, key });
  latest.current = { path, query, key };

  const load = useCallback(
    async (from: readonly Row[]) => {
      const { path, query, key } = latest.current;
      if (path === undefined || running.current === `${key} ${from.length}`) return;
      running.current = `${key} ${from.length}`;
      const last = from.at(-1);
      const before = by === "createdAt" ? "createdBefore" : "updatedBefore";
      const page = last ? { ...query, [before]: last[by], limit: NEXT_PAGE } : query;
      const result = await api.get<Record<string, Row[]>>(path, page);
      running.current = "";
      if (latest.current.key !== key) return;
      setState(
        result.ok
          ? {
              key,
              rows: [...from, ...(result.data[field] ?? [])],
              hasMore: result.meta.hasMore === true,
              loading: false,
            }
          : { key, rows: from, hasMore: from.length > 0, loading: false, problem: result.problem },
      );
    },
    [api, field, by],
  );
  // Refetch when the query changes, and when it is invalidated.
  useLayoutEffect(() => {
    if (key === "") return;
    void load([]);
    return cache.whenForgotten(key, () => void load([]));
  }, [cache, key, load]);
  return {
    ...shown,
    more: () => {
      if (shown.hasMore && !shown.loading && shown.rows.length > 0) void load(shown.rows);
    },
    again: () => void load([]),
  };
}

export interface Change<Args extends unknown[], T> {
  run(...args: Args): Promise<Result<T>>;
  busy: boolean;
  problem?: Problem;
  /** Takes the problem away, as when the viewer types again. */
  clear(): void;
}

/** A change of something, with its state for the button and the form. */
export function useChange<Args extends unknown[], T>(
  act: (api: Api, ...args: Args) => Promise<Result<T>>,
): Change<Args, T> {
  const api = useApi();
  const [state, setState] = useState<{ busy: boolean; problem?: Problem }>({ busy: false });
  const latest = useRef(act);
  latest.current = act;
  const run = useCallback(
    async (...args: Args) => {
      setState({ busy: true });
      const result = await latest.current(api, ...args);
      setState({ busy: false, problem: result.ok ? undefined : result.problem });
      return result;
    },
    [api],
  );
  const clear = useCallback(() => setState((now) => (now.problem ? { busy: now.busy } : now)), []);
  return useMemo(() => ({ run, clear, ...state }), [run, clear, state]);
}
