import { vi } from "vitest";

/** What a page saw of one request. */
export interface Seen {
  method: string;
  path: string;
  status: number;
}

/** As much of a browser as the SDK touches: storage, a position, and a fetch that keeps to the rules for other origins. */
export interface Browser {
  seen: Seen[];
  /** Where the device is; undefined: the person said no. */
  position: { latitude: number; longitude: number; accuracy: number } | undefined;
}

/** Puts a browser around the test; `vi.unstubAllGlobals` takes it away. */
export function openBrowser(origin = "https://shop.example"): Browser {
  const browser: Browser = { seen: [], position: undefined };
  const stored = new Map<string, string>();
  const localStorage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, String(value)),
    removeItem: (key: string) => void stored.delete(key),
    clear: () => stored.clear(),
  };
  const navigator = {
    onLine: true,
    geolocation: {
      getCurrentPosition(found: (position: unknown) => void, failed: (error: unknown) => void) {
        if (browser.position) found({ coords: browser.position });
        else failed({ code: 1 });
      },
    },
    permissions: { query: async () => ({ state: browser.position ? "granted" : "denied" }) },
  };
  vi.stubGlobal("localStorage", localStorage);
  vi.stubGlobal("navigator", navigator);
  vi.stubGlobal("window", { localStorage, navigator });
  vi.stubGlobal("fetch", fetchAsPage(fetch, origin, browser.seen));
  return browser;
}

/** Headers that a page may send, and read, without being allowed to (Fetch Standard, CORS-safelisted). */
const FREE_TO_SEND = ["accept", "accept-language", "content-language"];
const FREE_TO_READ = [
  "cache-control",
  "content-language",
  "content-length",
  "content-type",
  "expires",
  "last-modified",
];

function fetchAsPage(fetch: typeof globalThis.fetch, origin: string, seen: Seen[]): typeof globalThis.fetch {
  return async (input, init = {}) => {
    const url = String(input);
    const method = init.method ?? "GET";
    const headers = new Headers(init.headers);
    // What the test itself sends is not the page's.
    if (!headers.has("x-radar-sdk-version")) return fetch(input, init);
    const names = [...headers.keys()].filter((name) => !FREE_TO_SEND.includes(name)).sort();
    const allowed = await fetch(url, {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": method,
        "access-control-request-headers": names.join(","),
      },
    });
    const listed = (response: Response, header: string) =>
      (response.headers.get(header) ?? "").split(",").map((name) => name.trim().toLowerCase());
    const refused =
      !allowed.ok ||
      !listed(allowed, "access-control-allow-methods").includes(method.toLowerCase()) ||
      !names.every((name) => listed(allowed, "access-control-allow-headers").includes(name));
    if (refused || !mayRead(allowed, origin)) throw new TypeError("blocked by the preflight");

    headers.set("origin", origin);
    const response = await fetch(url, { ...init, headers });
    if (!mayRead(response, origin)) throw new TypeError("the answer may not be read");
    seen.push({ method, path: new URL(url).pathname, status: response.status });
    const readable = [...FREE_TO_READ, ...listed(response, "access-control-expose-headers")];
    const shown = [...response.headers].filter(([name]) => readable.includes(name));
    return new Response(response.body, { status: response.status, headers: shown });
  };
}

function mayRead(response: Response, origin: string): boolean {
  return ["*", origin].includes(response.headers.get("access-control-allow-origin") ?? "");
}
