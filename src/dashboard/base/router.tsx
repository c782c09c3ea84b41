import { type ComponentChildren, createContext, type JSX } from "preact";
import { useCallback, useContext, useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";

/**
 * Where the viewer is, which is the address and nothing else: path, and filters in the query. Links are plain anchors; a click on
 * one below /dashboard/ is caught here and loads no document.
 */

export const BASE = "/dashboard";

interface Place {
  /** "/dashboard/1/test/users" */
  path: string;
  query: URLSearchParams;
}

export type Environment = "test" | "live";

/** Parsed path: project, environment, page, and the rest ("users", ["64f…"]). */
interface Address {
  project?: string;
  environment: Environment;
  page: string;
  rest: string[];
}

export function addressOf(path: string): Address {
  const [project, environment, page = "", ...rest] = path.slice(BASE.length).split("/").filter(Boolean).map(decodePart);
  if (!project || !/^\d+$/.test(project) || (environment !== "test" && environment !== "live"))
    return { environment: "test", page: "", rest: [] };
  return { project, environment, page, rest };
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

interface Router extends Place {
  /** Goes to a path below /dashboard; `replace` leaves no step back. */
  go(url: string, options?: { replace?: boolean }): void;
}

const Context = createContext<Router | undefined>(undefined);

const currentPlace = (): Place => ({ path: location.pathname, query: new URLSearchParams(location.search) });

/** Asked before the address changes: a page with unsaved input may keep the viewer. */
const guards = new Set<() => boolean>();

export function useLeaveGuard(mayLeave: () => boolean): void {
  // Before the next frame, so that no click comes earlier.
  useLayoutEffect(() => {
    guards.add(mayLeave);
    const onUnload = (event: BeforeUnloadEvent) => {
      if (!mayLeave()) event.preventDefault();
    };
    addEventListener("beforeunload", onUnload);
    return () => {
      guards.delete(mayLeave);
      removeEventListener("beforeunload", onUnload);
    };
  }, [mayLeave]);
}

const LEAVING = "You have unsaved changes. Leave this page?";

export function RouterProvider({ children }: { children: ComponentChildren }): JSX.Element {
  const [place, setPlace] = useState(currentPlace);
  const go = useCallback((url: string, { replace = false } = {}) => {
    const target = new URL(url, location.href);
    const leaves = target.pathname !== location.pathname;
    if (leaves && [...guards].some((mayLeave) => !mayLeave()) && !confirm(LEAVING)) return;
    history[replace ? "replaceState" : "pushState"](null, "", target);
    setPlace(currentPlace());
    if (leaves && !replace) document.querySelector("main")?.scrollTo(0, 0);
  }, []);
  useEffect(() => {
    const onPop = () => setPlace(currentPlace());
    const onClick = (event: MouseEvent) => {
      const anchor = (event.target as Element | null)?.closest?.("a");
      if (!anchor || event.defaultPrevented || event.button !== 0 || anchor.target || anchor.hasAttribute("download"))
        return;
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      const own = anchor.origin === location.origin && `${anchor.pathname}/`.startsWith(`${BASE}/`);
      if (!own || anchor.pathname.startsWith(`${BASE}/api/`)) return;
      event.preventDefault();
      go(anchor.href);
    };
    addEventListener("popstate", onPop);
    document.addEventListener("click", onClick);
    return () => {
      removeEventListener("popstate", onPop);
      document.removeEventListener("click", onClick);
    };
  }, [go]);
  const router = useMemo(() => ({ ...place, go }), [place, go]);
  return <Context.Provider value={router}>{children}</Context.Provider>;
}

export function useRouter(): Router {
  const router = useContext(Context);
  if (!router) throw new Error("outside of the router");
  return router;
}

/** Where the viewer is, read as an address, and the way to other pages of the same project and environment. */
export function useAddress() {
  const { path } = useRouter();
  return useMemo(() => {
    const address = addressOf(path);
    return {
      ...address,
      /** to("users", id) → "/dashboard/1/test/users/<id>" */
      to: (...parts: string[]) => pathTo(address, ...parts),
    };
  }, [path]);
}

export function pathTo({ project, environment }: Pick<Address, "project" | "environment">, ...parts: string[]): string {
  return [BASE, project, environment, ...parts.filter((part) => part !== "").map(encodeURIComponent)].join("/");
}

/**
 * One value of the query, such as a filter. An empty value leaves the address. Filters replace the step in the history; pass
 * `push` for what the viewer would like to step back from, such as an opened drawer.
 */
export function useQueryValue(name: string, usual = ""): [string, (value: string, how?: { push?: boolean }) => void] {
  const { query, go } = useRouter();
  const set = useCallback(
    (value: string, { push = false } = {}) => setQuery(go, { [name]: value === usual ? "" : value }, push),
    [go, name, usual],
  );
  return [query.get(name) ?? usual, set];
}

/** Several values of the query together. */
export function useQueryValues(): [URLSearchParams, (changes: Record<string, string>, push?: boolean) => void] {
  const { query, go } = useRouter();
  return [query, useCallback((changes, push = false) => setQuery(go, changes, push), [go])];
}

function setQuery(go: Router["go"], changes: Record<string, string>, push: boolean): void {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries(changes)) {
    if (value === "") url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  if (url.href !== location.href) go(url.href, { replace: !push });
}
